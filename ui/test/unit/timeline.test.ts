import { describe, expect, it } from 'vitest';
import { neighbour, type Origin } from '../../src/engine/neighbour';
import { firstIn, matcher, noSearch, step, type SearchState } from '../../src/engine/search';
import { decodeTile, type SliceTile, type Tile } from '../../src/engine/tile';
import { TileCache } from '../../src/engine/tile_cache';
import type { Ref, TrackGroup } from '../../src/engine/types';
import { families, guessFamily, luminance, sliceColour, sliceInk, type Theme } from '../../src/timeline/colours';
import { findSlice } from '../../src/timeline/hit';
import { depthAt, layOut, rowAt, rowsBetween, sliceTop } from '../../src/timeline/layout';
// @ts-expect-error: plain JavaScript
import { tile } from '../mock/tiles.mjs';

const made = (events: { start: number; duration: number; depth?: number }[]) =>
  events.map((event, row) => ({ depth: 0, name: row, kind: 'gpu', ...event, row }));

const cut = (rows: unknown[], start: number, end: number, px: number): SliceTile =>
  decodeTile(Uint8Array.from(tile({ kind: 'stream', rows }, start, end, px) as Uint8Array).buffer as ArrayBuffer) as SliceTile;

describe('findSlice', () => {
  const rows = made([{ start: 0, duration: 100 }, { start: 200, duration: 1 }, { start: 300, duration: 50 }]);
  const pieces = [{ tile: cut(rows, 0, 1000, 1000), start: 0, end: 1000, pixelNs: 1 }];

  it('takes what is under the pointer, or near', () => {
    expect(findSlice(pieces, 0, 50, 3)?.row).toBe(0);
    expect(findSlice(pieces, 0, 198, 3)?.row).toBe(1);
    expect(findSlice(pieces, 0, 203, 3)?.row).toBe(1);
    expect(findSlice(pieces, 0, 150, 3)).toBeUndefined();
    expect(findSlice(pieces, 4, 50, 3)).toBeUndefined();
    expect(findSlice(pieces, 0, 320, 3)?.row).toBe(2);
  });
});

describe('neighbour', () => {
  const rows = made(Array.from({ length: 5000 }, (_, i) => ({ start: 1000 + i * 37 + (i % 7 === 0 ? 0 : 1), duration: 1 + (i % 30) })));
  rows.push(...made([{ start: 90_000_000, duration: 5 }]).map((row) => ({ ...row, row: 5000 })));
  const fetch = async (query: { start: number; end: number; px: number }): Promise<Tile> => cut(rows, query.start, query.end, query.px);
  const origin = (row: number): Origin => ({ row, depth: 0, start_ns: rows[row]!.start, duration_ns: rows[row]!.duration });

  it('walks through every event, both ways', async () => {
    for (const row of [0, 1, 2, 6, 7, 100, 2500, 4998]) {
      expect((await neighbour(origin(row), 1, 1e8, fetch))?.row).toBe(row + 1);
      expect((await neighbour(origin(row + 1), -1, 1e8, fetch))?.row).toBe(row);
    }
  });

  it('crosses long idle times, and ends at the ends', async () => {
    expect((await neighbour(origin(4999), 1, 1e8, fetch))?.row).toBe(5000);
    expect((await neighbour(origin(5000), -1, 1e8, fetch))?.row).toBe(4999);
    expect(await neighbour(origin(5000), 1, 1e8, fetch)).toBeNull();
    expect(await neighbour(origin(0), -1, 1e8, fetch)).toBeNull();
  });
});

describe('firstIn', () => {
  const hit = (start_ns: number, duration_ns: number): Ref => ({ kind: 'gpu', row: start_ns, track: 0, depth: 0, name: 'k', start_ns, duration_ns });

  it('takes the first that starts in the range, else the last that reaches into it', () => {
    const hits = [hit(0, 5), hit(10, 100), hit(40, 5), hit(60, 5)];
    expect(firstIn(hits, { start_ns: 30, end_ns: 100 })).toBe(2);
    expect(firstIn(hits, { start_ns: 45, end_ns: 60 })).toBe(1);
    expect(firstIn(hits, { start_ns: 200, end_ns: 300 })).toBe(-1);
  });
});

describe('search', () => {
  const all: Ref[] = Array.from({ length: 25 }, (_, row) => ({ kind: 'gpu', row, track: 0, depth: 0, name: 'k', start_ns: Math.floor(row / 2) * 10, duration_ns: 1 }));
  const limit = 10;
  const answer = (where: { after?: number; until?: number }) => {
    let first = 0;
    if (where.until !== undefined) first = Math.max(0, all.filter((hit) => hit.start_ns < where.until!).length - limit);
    else if (where.after !== undefined) first = all.filter((hit) => hit.start_ns < where.after!).length;
    return Promise.resolve({ count: all.length, names: 1, skipped: first, hits: all.slice(first, first + limit) });
  };

  it('goes through all hits and around, forwards and backwards', async () => {
    const start: SearchState = { ...noSearch, text: 'k', status: 'done', count: 25, names: 1, hits: all.slice(0, limit), index: 0 };
    let state = start;
    const rows: number[] = [];
    for (let i = 0; i < 26; i++) {
      rows.push(state.hits[state.index]!.row);
      state = await step(state, 1, answer);
    }
    expect(rows).toEqual([...Array(25).keys(), 0]);
    state = start;
    rows.length = 0;
    for (let i = 0; i < 26; i++) {
      state = await step(state, -1, answer);
      rows.push(state.hits[state.index]!.row);
    }
    expect(rows[0]).toBe(24);
    expect(new Set(rows).size).toBe(25);
  });

  it('matches as the server does, and nothing with a pattern that is none', () => {
    expect(matcher('GEMM', false)!('my_gemm')).toBe(true);
    expect(matcher('^a.c$', true)!('abc')).toBe(true);
    expect(matcher('(', true)).toBeNull();
    expect(matcher('', false)).toBeNull();
  });
});

describe('tile cache', () => {
  const blank = (bytes: number): Tile => ({ ...cut([], 0, 10, 1), bytes });

  it('is bounded, and drops what was longest unused', async () => {
    const cache = new TileCache(async () => blank(100), () => undefined, 350);
    for (let index = 0; index < 3; index++) await cache.load({ track: 0, level: 10, index });
    cache.get({ track: 0, level: 10, index: 0 });
    await cache.load({ track: 0, level: 10, index: 3 });
    expect(cache.usedBytes).toBe(300);
    expect(cache.get({ track: 0, level: 10, index: 0 })).toBeDefined();
    expect(cache.get({ track: 0, level: 10, index: 1 })).toBeUndefined();
  });

  it('shows a coarser tile until the sharp one is there', async () => {
    const cache = new TileCache(async () => blank(1), () => undefined);
    await cache.load({ track: 0, level: 14, index: 0 });
    expect(cache.piece({ track: 0, level: 10, index: 7 })).toMatchObject({ start: 7 * 1024, end: 8 * 1024 });
    expect(cache.piece({ track: 0, level: 10, index: 17 })).toBeUndefined();
    expect(cache.piece({ track: 1, level: 10, index: 7 })).toBeUndefined();
  });

  it('does not fetch what is no longer wanted', async () => {
    const asked: number[] = [];
    const waiting: (() => void)[] = [];
    const cache = new TileCache(
      (key) => new Promise((resolve) => (asked.push(key.index), waiting.push(() => resolve(blank(1))))),
      () => undefined,
    );
    const keys = (from: number) => Array.from({ length: 20 }, (_, i) => ({ track: 0, level: 10, index: from + i }));
    cache.want(keys(0));
    cache.want(keys(100).slice(0, 2));
    waiting.splice(0).forEach((done) => done());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).toEqual([0, 1, 2, 3, 4, 5, 100, 101]);
  });
});

describe('layout', () => {
  const groups: TrackGroup[] = [
    { name: 'GPU', kind: 'device', id: '0', tracks: [{ track: 4, name: 's', kind: 'stream', depths: 3, events: 9, unit: null, min: null, max: null }] },
    { name: 'P', kind: 'process', id: '1', tracks: [{ track: 5, name: 'f', kind: 'frames', depths: 40, events: 9, unit: null, min: null, max: null }] },
  ];

  it('finds rows and depths where it put them', () => {
    const layout = layOut(groups, new Set(), new Set());
    const row = layout.tracks.get(4)!;
    for (let depth = 0; depth < 3; depth++) {
      const y = sliceTop(row, depth) + 2;
      expect(rowAt(layout, y)).toBe(row);
      expect(depthAt(row, y)).toBe(depth);
    }
    expect(rowAt(layout, -1)).toBeUndefined();
    expect(rowAt(layout, layout.height)).toBeUndefined();
  });

  it('finds the rows between two heights among many', () => {
    const tracks = Array.from({ length: 5000 }, (_, track) => ({ ...groups[0]!.tracks[0]!, track, depths: 1 + (track % 4) }));
    const layout = layOut([{ ...groups[0]!, tracks }], new Set(), new Set());
    for (const top of [-100, 0, 24, 30, 5000, layout.height - 10, layout.height + 10]) {
      const rows = rowsBetween(layout, top, top + 500);
      for (const row of layout.rows) if (row.y < top + 500 && row.y + row.height > top) expect(rows).toContain(row);
      expect(rows.length).toBeLessThan(30);
    }
    expect(rowsBetween(layOut([], new Set(), new Set()), 0, 500)).toEqual([]);
  });

  it('squeezes deep stacks but keeps each of their rows', () => {
    const row = layOut(groups, new Set(), new Set()).tracks.get(5)!;
    expect(row.squeezed).toBe(true);
    expect(row.height).toBeGreaterThanOrEqual(40 * row.rowHeight);
    expect(layOut(groups, new Set(), new Set([5])).tracks.get(5)!.squeezed).toBe(false);
    expect(layOut(groups, new Set(['process:1']), new Set()).tracks.has(5)).toBe(false);
  });
});

describe('colours', () => {
  const contrast = (a: string, b: string): number => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p) as [number, number];
    return (x + 0.05) / (y + 0.05);
  };

  it('let text be read on every slice, in both themes', () => {
    for (const theme of ['light', 'dark'] as Theme[]) {
      for (const family of families) {
        for (let i = 0; i < 60; i++) {
          expect(contrast(sliceColour(family, `name ${i}`, theme), sliceInk[theme])).toBeGreaterThan(4.5);
        }
      }
    }
  });

  it('let slices be seen on their ground', () => {
    for (const [theme, ground] of [['light', '#ffffff'], ['dark', '#121519']] as const) {
      for (const family of families) expect(contrast(sliceColour(family, 'k', theme), ground)).toBeGreaterThan(1.4);
    }
  });

  it('know work by its name', () => {
    expect(guessFamily('nvjet_sm90', true, 'stream')).toBe('gemm');
    expect(guessFamily('ncclDevKernel_AllReduce', true, 'stream')).toBe('collective');
    expect(guessFamily('cudaDeviceSynchronize', false, 'calls')).toBe('sync');
    expect(guessFamily('cudaLaunchKernel', false, 'calls')).toBe('call');
    expect(guessFamily('aten::mm', false, 'calls')).toBe('op');
    expect(guessFamily('my range', false, 'calls')).toBe('range');
  });
});
