// Where a session has its data from: one trace of the server, or the ranks of a run on one axis of time. Times are ns from the
// start of whichever it is.

import type { DocumentQuery, SearchQuery } from './api';
import type { Tile } from './tile';
import type { TileQuery } from './tile_grid';
import type { EventDetail, EventKind, EventSourceText, Same, SearchAnswer, Tracks } from './types';

export interface EventSource {
  // A time in the clock of the recording: of the first rank's, where there are several.
  absolute(ns: number): string;
  tracks(): Promise<Tracks>;
  tile(track: number, query: TileQuery): Promise<Tile>;
  names(ids: number[]): Promise<Record<string, string>>;
  event(kind: EventKind, row: number, signal?: AbortSignal): Promise<EventDetail>;
  same(kind: EventKind, row: number, signal?: AbortSignal): Promise<Same>;
  source(kind: EventKind, row: number, signal?: AbortSignal): Promise<EventSourceText>;
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchAnswer>;
  document<T>(verb: string, query?: DocumentQuery, signal?: AbortSignal): Promise<T>;
}
