// The search in the head of the page.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './engine/session';
import { useStore } from './engine/store';
import { formatCount } from './engine/units';

export function SearchBox({ session }: { session: Session }) {
  const search = useStore(session.state, (state) => state.search);
  const [text, setText] = useState(search.text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(search.text), [search.text]);

  const submit = (by: 1 | -1): void => {
    if (text !== search.text) void session.search(text, search.regex);
    else void session.searchStep(by);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      submit(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (text) {
        setText('');
        void session.search('', search.regex);
      } else input.current?.blur();
    }
  };
  const found = search.index >= 0 ? `${formatCount(search.skipped + search.index + 1)} of ${formatCount(search.count)}` : formatCount(search.count);
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
          <button type="button" class="plain found" title="List the hits" onClick={() => session.showPanel('search')}>
            <output aria-live="polite">{search.status === 'busy' ? '\u2026' : search.status === 'failed' ? 'not searched' : search.count ? found : 'no hit'}</output>
          </button>
        </>
      )}
    </form>
  );
}
