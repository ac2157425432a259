// The hits of a search: windows of at most 1,000, of which the neighbours are fetched when next or previous leaves them.

import type { Range, Ref, SearchAnswer } from './types';

export interface SearchState {
  text: string;
  regex: boolean;
  status: 'none' | 'busy' | 'done' | 'failed';
  error: string | null;
  count: number;
  names: number;
  hits: Ref[];
  skipped: number; // hits before the first of `hits`
  index: number; // of the current hit in `hits`; -1: none yet
}

export const noSearch: SearchState = {
  text: '',
  regex: false,
  status: 'none',
  error: null,
  count: 0,
  names: 0,
  hits: [],
  skipped: 0,
  index: -1,
};

export type FetchHits = (where: { after?: number; until?: number }) => Promise<SearchAnswer>;

// The hit `by` places on, around the ends; fetches the window that holds it.
export async function step(state: SearchState, by: 1 | -1, fetchHits: FetchHits): Promise<SearchState> {
  if (state.count === 0) return state;
  const index = state.index + by;
  if (index >= 0 && index < state.hits.length) return { ...state, index };
  const first = state.hits[0];
  const last = state.hits[state.hits.length - 1];
  if (by === 1) {
    const done = state.skipped + state.hits.length >= state.count || !last;
    return done ? windowOf(state, await fetchHits({}), 0, 0) : after(state, last, await fetchHits({ after: last.start_ns }));
  }
  if (state.skipped === 0 || !first) {
    if (state.hits.length >= state.count) return { ...state, index: state.hits.length - 1 };
    const end = await fetchHits({ until: Number.MAX_SAFE_INTEGER });
    return windowOf(state, end, state.count - end.hits.length, end.hits.length - 1);
  }
  // Hits of one time are given again here too.
  const before = await fetchHits({ until: first.start_ns + 1 });
  const seen = before.hits.findIndex((hit) => hit.kind === first.kind && hit.row === first.row);
  const at = (seen < 0 ? before.hits.length : seen) - 1;
  if (at < 0) return { ...state, index: 0 };
  return windowOf(state, before, Math.max(0, state.skipped - at - 1), at);
}

// Hits of one time are given again by `after`: those that were seen are passed over.
function after(state: SearchState, last: Ref, answer: SearchAnswer): SearchState {
  const seen = answer.hits.findIndex((hit) => hit.kind === last.kind && hit.row === last.row);
  const skipped = state.skipped + state.hits.length - 1 - Math.max(seen, 0);
  const index = Math.min(seen + 1, answer.hits.length - 1);
  return windowOf(state, answer, skipped, index);
}

function windowOf(state: SearchState, answer: SearchAnswer, skipped: number, index: number): SearchState {
  return { ...state, hits: answer.hits, count: answer.count, skipped: answer.skipped ?? skipped, index };
}

// Where to begin: the first hit in or after what is seen.
export function firstFrom(hits: Ref[], time: number): number {
  const at = hits.findIndex((hit) => hit.start_ns >= time);
  return at < 0 ? (hits.length ? 0 : -1) : at;
}

// The first hit that starts in the range; when none does, the last one before it that reaches into it; else -1.
export function firstIn(hits: Ref[], range: Range): number {
  const inside = hits.findIndex((hit) => hit.start_ns >= range.start_ns && hit.start_ns < range.end_ns);
  if (inside >= 0) return inside;
  for (let i = hits.length - 1; i >= 0; i--) {
    const hit = hits[i]!;
    if (hit.start_ns < range.start_ns && hit.start_ns + hit.duration_ns > range.start_ns) return i;
  }
  return -1;
}

// Tells on this side which names a search means, to dim the others. A pattern that is none matches nothing.
export function matcher(text: string, regex: boolean): ((name: string) => boolean) | null {
  if (!text) return null;
  if (!regex) {
    const small = text.toLowerCase();
    return (name) => name.toLowerCase().includes(small);
  }
  try {
    const pattern = new RegExp(text.slice(0, 200), 'i');
    return (name) => pattern.test(name);
  } catch {
    return null;
  }
}
