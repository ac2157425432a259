import { describe, expect, it } from 'vitest';
import { decodeTile, firstEndingAfter, type SliceTile } from '../../src/engine/tile';
import { levelFor, parentOf, tileQuery, tilesFor } from '../../src/engine/tile_grid';
// @ts-expect-error: plain JavaScript
import { tile } from '../mock/tiles.mjs';

const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer as ArrayBuffer;

interface Event {
  start: number;
  duration: number;
  depth: number;
  name: number;
  row: number;
  kind: string;
}

const event = (row: number, start: number, duration: number, depth = 0): Event => ({ row, start, duration, depth, name: row + 10, kind: 'gpu' });

const slices = (events: Event[], start: number, end: number, px: number): SliceTile =>
  decodeTile(bufferOf(tile({ kind: 'stream', rows: events }, start, end, px))) as SliceTile;

describe('decodeTile', () => {
  it('reads every column', () => {
    const decoded = slices([event(0, 0, 500), event(1, 600, 300), event(2, 100, 200, 1)], 0, 1000, 100);
    expect(decoded.kind).toBe('slices');
    expect([...decoded.start]).toEqual([0, 600, 100]);
    expect([...decoded.duration]).toEqual([500, 300, 200]);
    expect([...decoded.name]).toEqual([10, 11, 12]);
    expect([...decoded.row]).toEqual([0, 1, 2]);
    expect([...decoded.events]).toEqual([1, 1, 1]);
    expect([...decoded.depth]).toEqual([0, 0, 1]);
    expect([...decoded.eventKind]).toEqual([1, 1, 1]);
    expect([...decoded.offsets]).toEqual([0, 2, 3]);
  });

  it('keeps every event, alone or in a slice of many', () => {
    const events = Array.from({ length: 10_000 }, (_, i) => event(i, i * 10, 3));
    const decoded = slices(events, 0, 100_000, 100);
    expect(decoded.count).toBe(100);
    expect(decoded.events.reduce((a, b) => a + b, 0)).toBe(10_000);
    expect(decoded.busy[5]).toBeCloseTo(0.3, 1);
  });

  it('reads counters', () => {
    const rows = [0, 10, 20, 30].map((start, i) => ({ start, value: i }));
    const decoded = decodeTile(bufferOf(tile({ kind: 'counter', rows }, 0, 40, 2)));
    expect(decoded.kind).toBe('counter');
    if (decoded.kind !== 'counter') return;
    expect([...decoded.min]).toEqual([0, 2]);
    expect([...decoded.max]).toEqual([1, 3]);
    expect([...decoded.last]).toEqual([1, 3]);
  });

  it('takes an empty tile', () => {
    expect(slices([], 0, 1000, 10).count).toBe(0);
    expect(firstEndingAfter(slices([], 0, 1000, 10), 0, 5)).toBe(0);
  });

  it('refuses what is no tile', () => {
    const good = Uint8Array.from(tile({ kind: 'stream', rows: [event(0, 0, 500)] }, 0, 1000, 100) as Uint8Array);
    expect(() => decodeTile(new ArrayBuffer(3))).toThrow(/no header/);
    expect(() => decodeTile(bufferOf(good.slice(0, good.length - 1)))).toThrow(/instead of/);
    const wrong = good.slice();
    wrong[0] = 0;
    expect(() => decodeTile(bufferOf(wrong))).toThrow(/mark/);
    const later = good.slice();
    later[4] = 2;
    expect(() => decodeTile(bufferOf(later))).toThrow(/version 2/);
    const huge = good.slice();
    huge[15] = 0xff;
    expect(() => decodeTile(bufferOf(huge))).toThrow(/instead of/);
  });
});

describe('firstEndingAfter', () => {
  it('finds the slice that reaches over a time', () => {
    const decoded = slices([event(0, 0, 500), event(1, 600, 300), event(2, 100, 200, 1)], 0, 1000, 1000);
    expect(firstEndingAfter(decoded, 0, 100)).toBe(0);
    expect(firstEndingAfter(decoded, 0, 550)).toBe(1);
    expect(firstEndingAfter(decoded, 0, 950)).toBe(2);
    expect(firstEndingAfter(decoded, 1, 0)).toBe(2);
  });
});

describe('tile grid', () => {
  it('has pixels no wider than those of the screen', () => {
    for (const nsPerPixel of [0.01, 1, 3, 1000, 12_345, 1e9]) {
      const level = levelFor(nsPerPixel);
      if (nsPerPixel >= 1) expect(2 ** level / 1024).toBeLessThanOrEqual(nsPerPixel);
      if (nsPerPixel >= 1) expect(2 ** level / 1024).toBeGreaterThan(nsPerPixel / 2);
    }
  });

  it('covers the view within the trace', () => {
    const keys = tilesFor(3, 10, -500, 5000, 3000);
    expect(keys.map((key) => key.index)).toEqual([0, 1, 2]);
    expect(tileQuery(keys[2]!, 3000)).toEqual({ start: 2048, end: 3000, px: 952 });
    expect(tilesFor(3, 10, 9000, 10_000, 3000)).toEqual([]);
  });

  it('has parents twice as wide', () => {
    expect(parentOf({ track: 1, level: 10, index: 5 })).toEqual({ track: 1, level: 11, index: 2 });
  });
});
