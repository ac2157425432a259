// Which slice is under the pointer.

import { firstEndingAfter, type SliceTile } from '../engine/tile';
import { eventKinds, type EventKind } from '../engine/types';
import type { Piece } from '../engine/tile_cache';

export interface Slice {
  start: number;
  duration: number;
  name: number;
  row: number;
  events: number;
  busy: number;
  depth: number;
  kind: EventKind;
}

export function sliceAt(tile: SliceTile, i: number): Slice {
  return {
    start: tile.start[i]!,
    duration: tile.duration[i]!,
    name: tile.name[i]!,
    row: tile.row[i]!,
    events: tile.events[i]!,
    busy: tile.busy[i]!,
    depth: tile.depth[i]!,
    kind: eventKinds[tile.eventKind[i]!] ?? 'host',
  };
}

// The slice at `time`, or the nearest one within `reach` ns: what is drawn one pixel wide can be met.
export function findSlice(pieces: Piece[], depth: number, time: number, reach: number): Slice | undefined {
  let best: Slice | undefined;
  let bestDistance = reach;
  for (const { tile, start, end } of pieces) {
    if (tile.kind !== 'slices' || time + reach < start || time - reach >= end) continue;
    const last = tile.offsets[depth + 1] ?? 0;
    for (let i = firstEndingAfter(tile, depth, time - reach - 1); i < last; i++) {
      const from = tile.start[i]!;
      if (from > time + reach) break;
      const to = from + tile.duration[i]!;
      const distance = time < from ? from - time : time > to ? time - to : 0;
      if (distance < bestDistance || (distance === 0 && !best)) {
        best = sliceAt(tile, i);
        bestDistance = distance;
      }
    }
  }
  return best;
}
