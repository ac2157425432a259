// The search in the head of the page.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './engine/session';
import { useStore } from './engine/store';
import { cut, displayText } from './engine/text';
import { formatCount } from './engine/units';

export function SearchBox({ session }: { session: Session }) {
  const search = useStore(session.state, (state) => state.search);
  const [text, setText] = useState(search.text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(search.text), [search.text]);

  const submit = async (by: 1 | -1): Promise<void> => {
    if (text !== search.text) await session.search(text, search.regex);
    else await session.searchStep(by);
    const { search: now } = session.state.get();
    // With a hit the keys are the timeline's again, unless the search goes on.
    const box = input.current;
    if (now.text === text && now.count > 0 && box?.value === text && document.activeElement === box) leaveForTimeline(box);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      void submit(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (text) {
        setText('');
        void session.search('', search.regex);
      } else input.current?.blur();
    }
  };
  const found = search.index >= 0 ? `${formatCount(search.skipped + search.index + 1)} of ${formatCount(search.count)}` : formatCount(search.count);
  // `q` is the server's word for what was typed.
  const refused = search.status === 'failed' ? `not searched: ${displayText(search.error).replace(/^q: /, '')}` : null;
  return (
    <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        id="search"
        ref={input}
        type="search"
        placeholder="Search names  /"
        aria-label="Search names"
        value={text}
        maxLength={1000}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={key}
      />
      <button
        type="button"
        class="toggle"
        aria-pressed={search.regex}
        aria-label="Regular expression"
        title="Regular expression"
        onClick={() => {
          const regex = !search.regex;
          session.state.patch({ search: { ...search, regex } });
          if (text) void session.search(text, regex);
        }}
      >
        .*
      </button>
      {search.text && (
        <>
          <button type="button" class="toggle" aria-label="Previous hit" title="Previous hit (Shift + N)" onClick={() => void session.searchStep(-1)}>
            {'\u2039'}
          </button>
          <button type="button" class="toggle" aria-label="Next hit" title="Next hit (N)" onClick={() => void session.searchStep(1)}>
            {'\u203a'}
          </button>
          <button type="button" class={`plain found${refused ? ' refused' : ''}`} title={refused ?? 'List the hits'} onClick={() => session.showPanel('search')}>
            <output aria-live="polite">{refused ? cut(refused, 60) : search.status === 'busy' ? '\u2026' : search.count ? found : 'no hit'}</output>
          </button>
        </>
      )}
    </form>
  );
}

function leaveForTimeline(box: HTMLInputElement): void {
  const canvas = document.querySelector<HTMLElement>('.tl-canvas');
  if (canvas) canvas.focus({ preventScroll: true });
  else box.blur();
}
