// Which key does what. The list is also what `?` shows, so that the two can't differ.

export type Action =
  | 'zoom-in'
  | 'zoom-out'
  | 'pan-left'
  | 'pan-right'
  | 'scroll-up'
  | 'scroll-down'
  | 'fit'
  | 'whole'
  | 'range-of-event'
  | 'mark'
  | 'clear-marks'
  | 'search'
  | 'search-next'
  | 'search-previous'
  | 'follow-back'
  | 'follow-forward'
  | 'event-previous'
  | 'event-next'
  | 'escape'
  | 'help'
  | 'panel-next'
  | 'panel-previous';

export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

interface Binding {
  action: Action;
  keys: string[];
}

const bindings: Binding[] = [
  { action: 'zoom-in', keys: ['w', '+', '='] },
  { action: 'zoom-out', keys: ['s', '-'] },
  { action: 'pan-left', keys: ['a', 'ArrowLeft'] },
  { action: 'pan-right', keys: ['d', 'ArrowRight'] },
  { action: 'scroll-up', keys: ['ArrowUp'] },
  { action: 'scroll-down', keys: ['ArrowDown'] },
  { action: 'fit', keys: ['f'] },
  { action: 'whole', keys: ['0', 'Home'] },
  { action: 'range-of-event', keys: ['r'] },
  { action: 'mark', keys: ['m'] },
  { action: 'clear-marks', keys: ['M'] },
  { action: 'search', keys: ['/'] },
  { action: 'search-next', keys: ['n'] },
  { action: 'search-previous', keys: ['N'] },
  { action: 'follow-back', keys: ['['] },
  { action: 'follow-forward', keys: [']'] },
  { action: 'event-previous', keys: [','] },
  { action: 'event-next', keys: ['.'] },
  { action: 'escape', keys: ['Escape'] },
  { action: 'help', keys: ['?'] },
  { action: 'panel-next', keys: ['p'] },
  { action: 'panel-previous', keys: ['P'] },
];

const byKey = new Map(bindings.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)));

// What the key means when no text is being typed. The browser's own combinations stay its own.
export function actionOf(press: KeyPress): Action | undefined {
  if (press.ctrlKey || press.altKey || press.metaKey) return undefined;
  if (press.key.startsWith('Arrow') && press.shiftKey) return undefined;
  // As in the search box, which a search with a hit has left.
  if (press.key === 'Enter') return press.shiftKey ? 'search-previous' : 'search-next';
  const exact = byKey.get(press.key);
  if (exact) return exact;
  // With Caps Lock a letter without shift comes as a capital, and as a small one with it.
  if (press.key.length !== 1) return undefined;
  return byKey.get(press.shiftKey ? press.key.toUpperCase() : press.key.toLowerCase()) ?? byKey.get(press.key.toLowerCase());
}

export interface HelpLine {
  keys: string[];
  what: string;
}

export const helpLines: { title: string; lines: HelpLine[] }[] = [
  {
    title: 'Move',
    lines: [
      { keys: ['W', 'S'], what: 'zoom in, out, at the pointer; also Ctrl + wheel, pinch' },
      { keys: ['A', 'D'], what: 'pan; also the arrows, Shift + wheel, dragging' },
      { keys: ['\u2191', '\u2193'], what: 'scroll the tracks' },
      { keys: ['F'], what: 'fit the selection' },
      { keys: ['0'], what: 'the whole trace' },
    ],
  },
  {
    title: 'Select',
    lines: [
      { keys: ['click'], what: 'an event; twice: zoom to it' },
      { keys: ['Shift + drag'], what: 'a range of time; also a drag in the ruler' },
      { keys: ['R'], what: 'the range of the selected event' },
      { keys: [',', '.'], what: 'previous, next event of the row' },
      { keys: ['M'], what: 'mark the selection, or the time under the pointer; Shift + M removes all marks' },
      { keys: ['Esc'], what: 'close, or select nothing' },
    ],
  },
  {
    title: 'Follow',
    lines: [
      { keys: ['['], what: 'to what launched it: kernel, call, op' },
      { keys: [']'], what: 'to what it launched' },
      { keys: ['/'], what: 'search names' },
      { keys: ['N', 'Shift + N'], what: 'next, previous hit; also Enter, Shift + Enter in the search and the tracks' },
      { keys: ['P', 'Shift + P'], what: 'next, previous panel' },
      { keys: ['?'], what: 'these keys' },
    ],
  },
];
