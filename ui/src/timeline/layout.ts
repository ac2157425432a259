// Where groups and tracks stand, from top to bottom: pure. Nothing is left out: a squeezed track draws all its rows, lower.

import type { Track, TrackGroup } from '../engine/types';

export const groupHeight = 24;
export const rowHeight = 17;
export const squeezedRowHeight = 4;
export const counterHeight = 38;
const padding = 3;
const leastHeight = 22; // a label fits

export interface GroupRow {
  kind: 'group';
  index: number;
  y: number;
  height: number;
  group: TrackGroup;
  open: boolean;
}

export interface TrackRow {
  kind: 'track';
  index: number;
  y: number;
  height: number;
  group: TrackGroup;
  track: Track;
  squeezed: boolean;
  rowHeight: number;
  top: number; // of the first row of slices, from y
}

export type LayoutRow = GroupRow | TrackRow;

export interface Layout {
  rows: LayoutRow[];
  height: number;
  tracks: Map<number, TrackRow>;
}

export const groupKey = (group: TrackGroup): string => `${group.kind}:${group.id}`;

// Deep Python stacks start squeezed: they would fill the screen before the first op is seen.
export function startsSqueezed(track: Track): boolean {
  return (track.kind === 'frames' && track.depths > 6) || (track.kind === 'calls' && track.depths > 24);
}

export function layOut(groups: TrackGroup[], closed: ReadonlySet<string>, toggled: ReadonlySet<number>): Layout {
  const rows: LayoutRow[] = [];
  const tracks = new Map<number, TrackRow>();
  let y = 0;
  for (const group of groups) {
    const open = !closed.has(groupKey(group));
    rows.push({ kind: 'group', index: rows.length, y, height: groupHeight, group, open });
    y += groupHeight;
    if (!open) continue;
    for (const track of group.tracks) {
      const squeezed = startsSqueezed(track) !== toggled.has(track.track);
      const each = squeezed ? squeezedRowHeight : rowHeight;
      const inner = track.kind === 'counter' ? (squeezed ? leastHeight : counterHeight) : Math.max(1, track.depths) * each;
      const height = Math.max(leastHeight, inner + 2 * padding);
      const top = track.kind === 'counter' ? padding : Math.max(padding, squeezed ? (height - inner) / 2 : padding);
      const row: TrackRow = { kind: 'track', index: rows.length, y, height, group, track, squeezed, rowHeight: each, top };
      rows.push(row);
      tracks.set(track.track, row);
      y += height;
    }
  }
  return { rows, height: y, tracks };
}

export function rowsBetween(layout: Layout, top: number, bottom: number): LayoutRow[] {
  const rows: LayoutRow[] = [];
  for (let i = lastFrom(layout, top); i < layout.rows.length && layout.rows[i]!.y < bottom; i++) rows.push(layout.rows[i]!);
  return rows;
}

// The last row that begins at y or above; the first when none does.
function lastFrom(layout: Layout, y: number): number {
  let low = 0;
  let high = layout.rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (layout.rows[middle]!.y <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function rowAt(layout: Layout, y: number): LayoutRow | undefined {
  const row = layout.rows[lastFrom(layout, y)];
  return row && y >= row.y && y < row.y + row.height ? row : undefined;
}

// The row of slices under y, where y counts from the layout's top.
export function depthAt(row: TrackRow, y: number): number {
  const depth = Math.floor((y - row.y - row.top) / row.rowHeight);
  return Math.min(Math.max(depth, 0), Math.max(row.track.depths, 1) - 1);
}

export function sliceTop(row: TrackRow, depth: number): number {
  return row.y + row.top + depth * row.rowHeight;
}
