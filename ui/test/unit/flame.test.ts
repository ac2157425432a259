import { describe, expect, it } from 'vitest';
import type { FlameFrame } from '../../src/engine/types';
import { flameTree, layOutFlame, mostDepth, neighbourBox, pathTo, sumOf } from '../../src/panels/flame_layout';

const frame = (name: string | null, parent: number | null, total: number): FlameFrame => ({ name, kind: 'op', parent, total_ns: total, self_ns: 0, count: 1 });

// a holds b and c, which holds d; beside it e.
const frames = [frame('a', null, 80), frame('b', 0, 30), frame('c', 0, 40), frame('d', 2, 20), frame('e', null, 20)];
const tree = flameTree(frames, 100);
const short = (boxes: ReturnType<typeof layOutFlame>) => boxes.map((box) => [frames[box.frame]?.name ?? box.hidden, box.depth, box.x, box.width]);

describe('flame graph', () => {
  it('gives each frame the width of its time', () => {
    expect(short(layOutFlame(tree, null, 1000))).toEqual([
      ['a', 0, 0, 800],
      ['e', 0, 800, 200],
      ['b', 1, 0, 300],
      ['c', 1, 300, 400],
      ['d', 2, 300, 200],
    ]);
  });

  it('puts the zoomed frame on top', () => {
    expect(short(layOutFlame(tree, 2, 1000))).toEqual([
      ['c', 0, 0, 1000],
      ['d', 1, 0, 500],
    ]);
    expect(pathTo(tree, 3)).toEqual([0, 2, 3]);
  });

  it('draws narrow frames together and counts them', () => {
    const many = flameTree([frame('a', null, 1000), ...Array.from({ length: 500 }, (_, i) => frame(`b${i}`, 0, 1))], 1000);
    const boxes = layOutFlame(many, null, 100);
    expect(boxes.length).toBe(2);
    expect(boxes[1]!.hidden).toBe(500);
    expect(boxes[1]!.width).toBeCloseTo(50);
  });

  it('ends deep stacks with a row that says so', () => {
    const deep = flameTree(Array.from({ length: 5000 }, (_, i) => frame(`f${i}`, i ? i - 1 : null, 10)), 10);
    const boxes = layOutFlame(deep, null, 100);
    expect(boxes.length).toBe(mostDepth + 1);
    expect(boxes[mostDepth]!.hidden).toBe(1);
  });

  it('fits children that are longer than what they lie in', () => {
    const over = flameTree([frame('a', null, 10), frame('b', 0, 15), frame('c', 0, 5)], 10);
    expect(layOutFlame(over, null, 100).map((box) => box.width)).toEqual([100, 75, 25]);
    expect(layOutFlame(flameTree([frame('none', null, 0)], 0), null, 100)).toEqual([]);
  });

  it('sums marked frames once', () => {
    expect(sumOf(tree, (one) => one.name === 'c' || one.name === 'd')).toBe(40);
    expect(sumOf(tree, (one) => one.name === 'd' || one.name === 'e')).toBe(40);
  });

  it('moves by arrows', () => {
    const boxes = layOutFlame(tree, null, 1000);
    expect(neighbourBox(boxes, tree, 0, 'ArrowDown')).toBe(1);
    expect(neighbourBox(boxes, tree, 1, 'ArrowRight')).toBe(2);
    expect(neighbourBox(boxes, tree, 2, 'ArrowLeft')).toBe(1);
    expect(neighbourBox(boxes, tree, 3, 'ArrowUp')).toBe(2);
    expect(neighbourBox(boxes, tree, 0, 'ArrowUp')).toBeNull();
    expect(neighbourBox(boxes, tree, 4, 'ArrowRight')).toBeNull();
    expect(neighbourBox(boxes, tree, 0, 'End')).toBe(3);
  });
});
