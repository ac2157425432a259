import { describe, expect, it } from 'vitest';
import type { CounterTile } from '../../src/engine/tile';
import { bandsOf } from '../../src/timeline/counter';
import { markTexts } from '../../src/timeline/marks';

const tileOf = (points: [number, number, number, number][]): CounterTile => {
  const column = (at: number): Float64Array => Float64Array.from(points, (point) => point[at]!);
  return { kind: 'counter', count: points.length, start: column(0), min: column(1), max: column(2), last: column(3), bytes: 0 };
};

describe('bandsOf', () => {
  const same = (time: number): number => time;

  it('holds for one pixel of the tile, not until the next point', () => {
    const tile = tileOf([[0, 0, 1, 0], [500, 0, 2, 1]]);
    expect(bandsOf(tile, 10, 0, 1000, same)).toEqual([{ left: 0, right: 10, min: 0, max: 1 }, { left: 500, right: 510, min: 0, max: 2 }]);
  });

  it('has each column once, and none of a point before the view', () => {
    const tile = tileOf([[-50, 5, 5, 5], [3, 0, 1, 0], [3.4, 1, 7, 2], [3.9, 2, 3, 3], [4.3, 3, 4, 4]]);
    expect(bandsOf(tile, 0.5, 0, 100, same)).toEqual([{ left: 3, right: 4, min: 0, max: 7 }, { left: 4, right: 5, min: 3, max: 4 }]);
    expect(bandsOf(tile, 0.5, 50, 100, same)).toEqual([]);
  });

  it('is no wider than the way to the next point', () => {
    expect(bandsOf(tileOf([[0, 0, 1, 0], [4, 2, 2, 2]]), 10, 0, 100, same)[0]).toEqual({ left: 0, right: 4, min: 0, max: 1 });
  });
});

describe('markTexts', () => {
  const measure = (text: string): number => text.length * 6;
  const mark = (x: number, toNext: string | null) => ({ x, time: '1.234 ms', toNext });
  const clear = (texts: { left: number; wide: number }[]): boolean => texts.every((one, i) => texts.every((other, k) => i === k || one.left + one.wide <= other.left || other.left + other.wide <= one.left));

  it('has times at the flags and distances between them', () => {
    const texts = markTexts([mark(100, '5 ms'), mark(400, null)], 1000, measure);
    expect(texts.map((one) => one.text)).toEqual(['1.234 ms', '1.234 ms', '5 ms']);
    expect(texts[0]!.left).toBeGreaterThan(100);
    expect(texts[2]!.left + texts[2]!.wide / 2).toBe(250);
    expect(clear(texts)).toBe(true);
  });

  it('leaves out what has no room, and what is out of sight', () => {
    expect(markTexts([mark(100, '5 ms'), mark(120, null)], 1000, measure).map((one) => one.text)).toEqual(['1.234 ms', '1.234 ms']);
    expect(markTexts([mark(100, '5 ms'), mark(120, '5 ms'), mark(140, null)], 1000, measure)).toHaveLength(2);
    expect(markTexts([mark(-50, null), mark(1200, null)], 1000, measure)).toEqual([]);
    for (let gap = 5; gap < 300; gap += 7) expect(clear(markTexts([mark(100, '5 ms'), mark(100 + gap, '5 ms'), mark(100 + 2 * gap, null)], 1000, measure))).toBe(true);
  });

  it('prefers a time to a distance', () => {
    expect(markTexts([mark(10, '5 ms'), mark(140, null)], 150, measure).map((one) => one.text)).toEqual(['1.234 ms', '1.234 ms']);
  });

  it('stands left of a flag at the end of the view', () => {
    expect(markTexts([mark(990, null)], 1000, measure)[0]!.left).toBeLessThan(990 - 40);
  });
});
