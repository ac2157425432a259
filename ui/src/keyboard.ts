// Keys of the whole page, to calls of the session and the timeline.

import type { Session } from './engine/session';
import { panelIdsOf } from './panels/panels';
import type { TimelineController } from './timeline/controller';
import { actionOf } from './timeline/keys';

interface Target {
  session: Session;
  timeline: TimelineController | null;
  toggleHelp: () => void;
}

const typing = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

// Arrows scroll panels and move between tabs where the focus is in one.
const ownArrows = (element: Element | null): boolean => element?.closest('.panels, [role=tablist], [role=separator], dialog') != null;

// Elsewhere Enter presses what has the focus.
const ownEnter = (element: Element | null): boolean => !(element === null || element === document.body || element.classList.contains('tl-canvas'));

export function onKey(event: KeyboardEvent, target: () => Target | null): void {
  const { activeElement } = document;
  if (event.defaultPrevented || typing(activeElement) || document.querySelector('dialog[open]')) return;
  const action = actionOf(event);
  const at = target();
  if (!action || !at) return;
  if ((event.key.startsWith('Arrow') || event.key === 'Home') && ownArrows(activeElement)) return;
  if (event.key === 'Enter' && ownEnter(activeElement)) return;
  event.preventDefault();
  const { session, timeline } = at;
  const zoom = 1.6;
  switch (action) {
    case 'zoom-in':
      return timeline?.zoom(1 / zoom);
    case 'zoom-out':
      return timeline?.zoom(zoom);
    case 'pan-left':
      return timeline?.pan(-0.18);
    case 'pan-right':
      return timeline?.pan(0.18);
    case 'scroll-up':
      return timeline?.scroll(-3);
    case 'scroll-down':
      return timeline?.scroll(3);
    case 'fit':
      return session.fit();
    case 'whole':
      return session.showAll();
    case 'range-of-event':
      return session.rangeOfEvent();
    case 'mark':
      return session.mark();
    case 'clear-marks':
      return session.clearMarks();
    case 'search': {
      const input = document.getElementById('search') as HTMLInputElement | null;
      input?.focus();
      return input?.select();
    }
    case 'search-next':
      return void session.searchStep(1);
    case 'search-previous':
      return void session.searchStep(-1);
    case 'follow-back':
      return session.followBack();
    case 'follow-forward':
      return session.followForward();
    case 'event-previous':
      return void session.selectNeighbour(-1);
    case 'event-next':
      return void session.selectNeighbour(1);
    case 'escape':
      return session.clear();
    case 'help':
      return at.toggleHelp();
    case 'panel-next':
    case 'panel-previous': {
      const by = action === 'panel-next' ? 1 : -1;
      const panelIds = panelIdsOf(session);
      const now = Math.max(0, panelIds.indexOf(session.state.get().panel));
      return session.showPanel(panelIds[(now + by + panelIds.length) % panelIds.length]!);
    }
  }
}
