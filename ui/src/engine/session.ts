// One open trace: what is seen, selected, searched, and what was fetched for it. The panels and the timeline watch its stores and
// call its methods; nothing else changes them.

import { ApiError, TraceApi, type DocumentQuery } from './api';
import { RunSource } from './run_source';
import type { EventSource } from './source';
import { neighbour } from './neighbour';
import { Names } from './names';
import { firstFrom, firstIn, noSearch, step, type SearchState } from './search';
import { Store } from './store';
import { TileCache } from './tile_cache';
import { tileQuery } from './tile_grid';
import type { EventDetail, EventKind, Kernels, Range, Ref, SearchAnswer, Tracks } from './types';
import type { UrlState } from './url_state';
import { familyKey, familyOf, type Family } from '../timeline/colours';
import { groupKey, layOut, type Layout } from '../timeline/layout';
import { clampView, fitView, showEvent, wholeTrace, type View } from '../timeline/view';

export interface Wanted {
  kind: EventKind;
  row: number;
}

export interface SessionState {
  tracks: Tracks | null;
  error: string | null; // why there are no tracks
  event: EventDetail | null;
  wanted: Wanted | null; // the selected event, while it is fetched too
  eventError: string | null;
  range: Range | null;
  marks: number[];
  panel: string;
  flame: string | null; // which flame graph; null = the usual one
  closed: ReadonlySet<string>;
  toggled: ReadonlySet<number>;
  search: SearchState;
}

interface SearchPlace {
  from: number;
  range: Range | null; // in which the first hit should lie
}

const mostDocuments = 60;
const mostMarks = 100;

export class Session {
  readonly api: EventSource;
  readonly run: RunSource | null; // several ranks
  readonly state: Store<SessionState>;
  readonly view: Store<View>;
  readonly names: Names;
  readonly tiles: TileCache;
  // Something drawn has changed that no store holds: tiles, names, colours.
  readonly drawn = new Store({});
  readonly families = new Map<string, Family>();
  timelineWidth = 1000;
  pointerTime: number | null = null;
  // Asks the timeline to bring a track's row into view.
  reveal: (track: number, depth: number) => void = () => undefined;
  // The selection changed: the address gets an entry in the history. Set by the page.
  onJump: () => void = () => undefined;

  // Times of requests and answers count from the trace's start, which the tracks tell: nothing is asked before they are there.
  private readonly opening: Promise<Tracks>;
  private documents = new Map<string, Promise<unknown>>();
  private eventRequest: AbortController | null = null;
  private searchRequest: AbortController | null = null;
  private animation = 0;
  private cachedLayout: { key: unknown[]; layout: Layout } | null = null;

  constructor(
    readonly trace: number,
    readonly file: string,
    start: UrlState,
    source: EventSource = new TraceApi(trace),
  ) {
    this.api = source;
    this.run = source instanceof RunSource ? source : null;
    this.state = new Store<SessionState>({
      tracks: null,
      error: null,
      event: null,
      wanted: null,
      eventError: null,
      range: start.range,
      marks: start.marks,
      panel: start.panel ?? (start.event || start.range ? 'selection' : this.run ? 'ranks' : 'report'),
      flame: start.flame,
      closed: new Set(),
      toggled: new Set(),
      search: noSearch,
    });
    this.opening = this.api.tracks();
    this.view = new Store<View>({ start: 0, end: 1 });
    const redraw = (): void => this.drawn.set({});
    this.names = new Names((ids) => this.api.names(ids), redraw);
    this.tiles = new TileCache((key) => this.api.tile(key.track, tileQuery(key, this.duration)), redraw);
    void this.open(start);
  }

  get duration(): number {
    return Math.max(1, this.state.get().tracks?.end_ns ?? 1);
  }

  get layout(): Layout {
    const { tracks, closed, toggled } = this.state.get();
    const key = [tracks, closed, toggled];
    if (!this.cachedLayout || key.some((part, i) => part !== this.cachedLayout!.key[i])) {
      this.cachedLayout = { key, layout: layOut(tracks?.groups ?? [], closed, toggled) };
    }
    return this.cachedLayout.layout;
  }

  private async open(start: UrlState): Promise<void> {
    try {
      const tracks = await this.opening;
      this.state.patch({ tracks, ...(this.run ? { closed: RunSource.closed(tracks) } : {}) });
      const view = start.view ? { start: start.view.start_ns, end: start.view.end_ns } : wholeTrace(this.duration);
      this.view.set(clampView(view, this.duration));
    } catch (error) {
      this.state.patch({ error: messageOf(error) });
      return;
    }
    if (start.event) void this.selectEvent(start.event, { reveal: true, jump: false, move: start.view === null });
    if (start.query) void this.search(start.query, start.regex, false);
    void this.loadFamilies();
  }

  // The page's state moved back or forward in its history.
  apply(url: UrlState): void {
    const state = this.state.get();
    this.state.patch({ range: url.range, marks: url.marks, panel: url.panel ?? state.panel, flame: url.flame });
    if (url.view) this.moveTo(clampView({ start: url.view.start_ns, end: url.view.end_ns }, this.duration), false);
    const { wanted } = state;
    if (!url.event) this.state.patch({ event: null, wanted: null, eventError: null });
    else if (wanted?.kind !== url.event.kind || wanted.row !== url.event.row) {
      void this.selectEvent(url.event, { reveal: true, jump: false, move: false });
    }
    if (url.query !== state.search.text || url.regex !== state.search.regex) void this.search(url.query, url.regex, false);
  }

  get urlState(): UrlState {
    const { wanted, range, marks, panel, flame, search } = this.state.get();
    const view = this.view.get();
    return {
      trace: this.trace,
      view: { start_ns: view.start, end_ns: view.end },
      event: wanted,
      range,
      marks,
      panel,
      flame,
      query: search.text,
      regex: search.regex,
    };
  }

  private async loadFamilies(): Promise<void> {
    try {
      const kernels = await this.document<Kernels>('kernels');
      for (const row of kernels.rows) {
        const family = familyOf(row.part === 'norm' ? 'norm' : row.family);
        if (family) this.families.set(familyKey(row.name), family);
      }
      this.drawn.set({});
    } catch {
      // A trace without kernels: names decide the colours alone.
    }
  }

  document<T>(verb: string, query: DocumentQuery = {}): Promise<T> {
    const key = JSON.stringify([verb, query]);
    const known = this.documents.get(key);
    if (known) return known as Promise<T>;
    const fetched = this.opening.then(() => this.api.document<T>(verb, query));
    fetched.catch(() => this.documents.delete(key));
    this.documents.set(key, fetched);
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= mostDocuments) break;
      this.documents.delete(oldest);
    }
    return fetched;
  }

  // View

  moveTo(target: View, smooth = true): void {
    cancelAnimationFrame(this.animation);
    const calm = typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!smooth || calm) {
      this.view.set(target);
      return;
    }
    const from = this.view.get();
    const began = performance.now();
    const lasts = 140;
    const tick = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - began) / lasts));
      const eased = 1 - (1 - share) ** 3;
      this.view.set(
        share >= 1
          ? target
          : { start: from.start + (target.start - from.start) * eased, end: from.end + (target.end - from.end) * eased },
      );
      if (share < 1) this.animation = requestAnimationFrame(tick);
    };
    this.animation = requestAnimationFrame(tick);
  }

  fit(): void {
    const { event, range } = this.state.get();
    if (event) this.moveTo(fitView(event.start_ns, event.start_ns + event.duration_ns, this.duration, 0.6));
    else if (range) this.moveTo(fitView(range.start_ns, range.end_ns, this.duration));
    else this.moveTo(wholeTrace(this.duration));
  }

  showAll(): void {
    this.moveTo(wholeTrace(this.duration));
  }

  // Selection

  async selectEvent(wanted: Wanted, how: { reveal?: boolean; jump?: boolean; move?: boolean; panel?: boolean } = {}): Promise<void> {
    this.eventRequest?.abort();
    const request = new AbortController();
    this.eventRequest = request;
    this.state.patch({ wanted, eventError: null, ...(how.panel === false || how.jump === false ? {} : { panel: 'selection' }) });
    // Before the answer: what is written of the page's state while it is awaited belongs to the new entry, not to the last one.
    if (how.jump !== false) this.onJump();
    try {
      const event = await this.api.event(wanted.kind, wanted.row, request.signal);
      this.state.patch({ event });
      if (how.reveal) this.showRef(event, how.move ?? true);
    } catch (error) {
      if (request.signal.aborted) return;
      this.state.patch({ event: null, eventError: isMissing(error) ? 'The linked event is not in this recording.' : messageOf(error) });
    }
  }

  showRef(ref: Ref, move = true): void {
    const group = this.state.get().tracks?.groups.find((one) => one.tracks.some((track) => track.track === ref.track));
    if (group && this.state.get().closed.has(groupKey(group))) this.toggleGroup(groupKey(group));
    if (move) this.moveTo(showEvent(this.view.get(), ref.start_ns, ref.duration_ns, this.duration, this.timelineWidth));
    this.reveal(ref.track, ref.depth);
  }

  jumpTo(ref: Ref, panel = true): void {
    this.showRef(ref);
    void this.selectEvent({ kind: ref.kind, row: ref.row }, { panel });
  }

  followBack(): void {
    const event = this.state.get().event;
    const to = event?.launched_by ?? (event?.kind === 'gpu' ? event.op : null) ?? event?.parents[0];
    if (to) this.jumpTo(to);
  }

  followForward(): void {
    const to = this.state.get().event?.launches.first[0];
    if (to) this.jumpTo(to);
  }

  async selectNeighbour(by: 1 | -1): Promise<void> {
    const event = this.state.get().event;
    if (!event) return;
    const found = await neighbour(event, by, this.duration, (query) => this.api.tile(event.track, query)).catch(() => null);
    if (found && this.state.get().event === event) await this.selectEvent(found, { reveal: true });
  }

  selectRange(start: number, end: number, how: { jump?: boolean; fit?: boolean } = {}): void {
    const range = {
      start_ns: Math.max(0, Math.min(this.duration - 1, Math.round(start))),
      end_ns: Math.min(this.duration, Math.max(1, Math.round(end))),
    };
    if (range.end_ns <= range.start_ns) return;
    this.eventRequest?.abort();
    this.state.patch({ range, event: null, wanted: null, eventError: null, ...(how.jump === false ? {} : { panel: 'selection' }) });
    if (how.fit) this.moveTo(fitView(range.start_ns, range.end_ns, this.duration));
    if (how.jump !== false) this.onJump();
  }

  // A moment: into the middle, and marked.
  showTime(time: number): void {
    const { marks } = this.state.get();
    const at = Math.round(Math.min(this.duration, Math.max(0, time)));
    const view = this.view.get();
    const half = Math.min(view.end - view.start, this.duration / 20) / 2;
    this.moveTo(clampView({ start: at - half, end: at + half }, this.duration));
    if (!marks.includes(at) && marks.length < mostMarks) this.state.patch({ marks: [...marks, at].sort((a, b) => a - b) });
    this.onJump();
  }

  rangeOfEvent(): void {
    const event = this.state.get().event;
    if (event) this.selectRange(event.start_ns, event.start_ns + Math.max(1, event.duration_ns));
  }

  clear(): void {
    const { event, wanted, range, search } = this.state.get();
    this.eventRequest?.abort();
    if (event || wanted) this.state.patch({ event: null, wanted: null, eventError: null });
    else if (range) this.state.patch({ range: null });
    else if (search.text) void this.search('', false, false);
    else return;
    this.onJump();
  }

  mark(): void {
    const { event, marks } = this.state.get();
    const time = event?.start_ns ?? this.pointerTime ?? (this.view.get().start + this.view.get().end) / 2;
    const at = Math.round(Math.min(this.duration, Math.max(0, time)));
    const rest = marks.filter((mark) => mark !== at);
    if (rest.length === marks.length && marks.length < mostMarks) rest.push(at);
    this.state.patch({ marks: rest.sort((a, b) => a - b) });
    this.onJump();
  }

  clearMarks(): void {
    this.state.patch({ marks: [] });
    this.onJump();
  }

  // Tracks

  toggleGroup(key: string): void {
    this.state.patch({ closed: toggled(this.state.get().closed, key) });
  }

  toggleTrack(track: number): void {
    this.state.patch({ toggled: toggled(this.state.get().toggled, track) });
  }

  showPanel(panel: string): void {
    this.state.patch({ panel });
  }

  // Search

  // What is selected decides where a search begins, or what is seen.
  private get searchPlace(): SearchPlace {
    const { event, range } = this.state.get();
    if (event) return { from: event.start_ns, range: null };
    return range ? { from: range.start_ns, range } : { from: this.view.get().start, range: null };
  }

  // With a range the first hit to be selected is one in it.
  async search(text: string, regex: boolean, jump = true, range: Range | null = null): Promise<void> {
    this.searchRequest?.abort();
    if (!text) {
      this.state.patch({ search: noSearch });
      return;
    }
    const request = new AbortController();
    this.searchRequest = request;
    const busy: SearchState = { ...noSearch, text, regex, status: 'busy' };
    this.state.patch({ search: { ...busy, hits: this.state.get().search.hits } });
    const place = range ? { from: range.start_ns, range } : this.searchPlace;
    try {
      const { answer, index } = await this.hitsAt(text, regex, place, request.signal);
      this.state.patch({
        search: {
          ...busy,
          status: 'done',
          count: answer.count,
          names: answer.names,
          hits: answer.hits,
          skipped: answer.skipped ?? 0,
        },
      });
      if (jump) {
        this.goToHit(index);
        this.onJump();
      }
    } catch (error) {
      if (!request.signal.aborted) this.state.patch({ search: { ...busy, status: 'failed', error: messageOf(error) } });
    }
  }

  // The window of hits to begin with, and which of them is the first to be shown.
  private async hitsAt(text: string, regex: boolean, { from, range }: SearchPlace, signal: AbortSignal): Promise<{ answer: SearchAnswer; index: number }> {
    let answer = await this.api.search({ text, regex }, signal);
    const last = answer.hits[answer.hits.length - 1];
    const whole = answer.hits.length >= answer.count;
    // Too many to have them all: begin with those from there on, when the server says where they stand.
    if (last && !whole && last.start_ns < from) {
      const later = await this.api.search({ text, regex, after: Math.min(from, this.duration - 1) }, signal);
      if (later.hits.length && later.skipped !== undefined) answer = later;
    }
    if (!range) return { answer, index: firstFrom(answer.hits, from) };
    let index = firstIn(answer.hits, range);
    if (index < 0 && !whole) {
      // One that began before the range may reach into it.
      const before = await this.api.search({ text, regex, until: Math.round(from) }, signal);
      const reaches = firstIn(before.hits, range);
      if (reaches >= 0 && before.skipped !== undefined) [answer, index] = [before, reaches];
    }
    return { answer, index: index < 0 ? firstFrom(answer.hits, from) : index };
  }

  async searchStep(by: 1 | -1): Promise<void> {
    const { search } = this.state.get();
    if (search.status !== 'done' || !search.count) return;
    if (search.index < 0) {
      const { from, range } = this.searchPlace;
      const inside = range ? firstIn(search.hits, range) : -1;
      this.goToHit(inside < 0 ? firstFrom(search.hits, from) : inside);
      return;
    }
    const { text, regex } = search;
    try {
      const next = await step(search, by, (where) => this.api.search({ text, regex, ...where }));
      if (this.state.get().search.text !== text) return;
      this.state.patch({ search: next });
      this.goToHit(next.index);
    } catch (error) {
      this.state.patch({ search: { ...search, status: 'failed', error: messageOf(error) } });
    }
  }

  goToHit(index: number): void {
    const { search, panel } = this.state.get();
    const hit = search.hits[index];
    if (!hit) return;
    this.state.patch({ search: { ...search, index } });
    this.jumpTo(hit, panel !== 'search');
  }
}

// What the page shows comes from the server: only a link can ask for what is not there.
const isMissing = (error: unknown): boolean => error instanceof ApiError && (error.status === 400 || error.status === 404);

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toggled<T>(set: ReadonlySet<T>, key: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}
