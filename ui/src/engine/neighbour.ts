// The next or previous event of a row of a track, found with tiles: from the event on, windows grow until one holds something; what
// it shows as many events is looked at closer.

import type { SliceTile, Tile } from './tile';
import type { TileQuery } from './tile_grid';
import { eventKinds, type EventKind } from './types';

type FetchTile = (query: TileQuery) => Promise<Tile>;

const pixels = 2048;
const firstWindow = 16_384;
const growth = 16;

export interface Found {
  kind: EventKind;
  row: number;
}

export interface Origin {
  row: number;
  depth: number;
  start_ns: number;
  duration_ns: number;
}

export async function neighbour(origin: Origin, by: 1 | -1, traceEnd: number, fetchTile: FetchTile): Promise<Found | null> {
  let width = firstWindow;
  // From the event's start: events of one time stand in one row only when they have no duration.
  let near = by === 1 ? origin.start_ns : origin.start_ns + Math.max(origin.duration_ns, 1);
  for (let looks = 0; looks < 64; looks++) {
    const start = Math.max(0, by === 1 ? near : near - width);
    const end = Math.min(traceEnd, by === 1 ? near + width : near);
    if (end <= start) return null;
    const tile = await fetchTile({ start, end, px: Math.min(pixels, end - start) });
    if (tile.kind !== 'slices') return null;
    const at = pick(tile, origin, by);
    if (at !== undefined) {
      if (tile.events[at] === 1) return found(tile, at);
      const span = tile.duration[at]!;
      // A slice of many is narrower than its window: the next look is closer, until it can't be.
      if (span >= end - start || span < 2) return found(tile, at);
      near = by === 1 ? tile.start[at]! : tile.start[at]! + span;
      if (by === 1 && near < origin.start_ns) near = origin.start_ns;
      width = Math.max(2, span);
      continue;
    }
    if (start <= 0 && by === -1) return null;
    if (end >= traceEnd && by === 1) return null;
    if (by === 1) near = end;
    else near = start;
    width *= growth;
  }
  return null;
}

function found(tile: SliceTile, at: number): Found {
  return { kind: eventKinds[tile.eventKind[at]!] ?? 'host', row: tile.row[at]! };
}

function pick(tile: SliceTile, origin: Origin, by: 1 | -1): number | undefined {
  const first = tile.offsets[origin.depth] ?? tile.count;
  const last = tile.offsets[origin.depth + 1] ?? tile.count;
  const beyond = (i: number): boolean => {
    if (tile.events[i] === 1 && tile.row[i] === origin.row) return false;
    const end = tile.start[i]! + tile.duration[i]!;
    return by === 1 ? end > origin.start_ns && (tile.events[i]! > 1 || tile.start[i]! >= origin.start_ns) : tile.start[i]! <= origin.start_ns;
  };
  if (by === 1) {
    for (let i = first; i < last; i++) if (beyond(i)) return i;
  } else {
    for (let i = last - 1; i >= first; i--) if (beyond(i)) return i;
  }
  return undefined;
}
