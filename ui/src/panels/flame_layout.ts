// Where the frames of a flame graph stand, the zoomed one on top: pure. What is narrower than a pixel is drawn together with its
// neighbours, and what lies too deep as one row: nothing vanishes without a word.

import type { FlameFrame } from '../engine/types';

export interface FlameTree {
  frames: FlameFrame[];
  total: number;
  children: number[][]; // by frame
  outermost: number[];
}

export interface Box {
  frame: number; // -1: `hidden` frames together
  hidden: number;
  depth: number;
  x: number;
  width: number;
}

export const mostDepth = 64;
const leastWidth = 1;

export const totalOf = (frame: FlameFrame): number => frame.total_ns ?? frame.total_samples ?? 0;
export const selfOf = (frame: FlameFrame): number => frame.self_ns ?? frame.self_samples ?? 0;

export function flameTree(frames: FlameFrame[], total: number): FlameTree {
  const children: number[][] = frames.map(() => []);
  const outermost: number[] = [];
  frames.forEach((frame, i) => (frame.parent === null ? outermost : children[frame.parent]!).push(i));
  return { frames, total, children, outermost };
}

// The boxes of `zoom` (null: of all) and what lies in it, `width` pixels wide; by depth, then x.
export function layOutFlame(tree: FlameTree, zoom: number | null, width: number): Box[] {
  const boxes: Box[] = [];
  let row: { frame: number; x: number; width: number }[] = [];
  if (zoom !== null) row = [{ frame: zoom, x: 0, width }];
  else row = placed(tree, tree.outermost, tree.total, 0, width);
  for (let depth = 0; row.length; depth++) {
    const below: typeof row = [];
    let open: Box | null = null;
    for (const { frame, x, width: wide } of row) {
      const deep = depth >= mostDepth;
      if (wide < leastWidth || deep) {
        if (open && (deep || x - (open.x + open.width) < leastWidth)) {
          open.hidden++;
          open.width = Math.max(open.width, x + wide - open.x);
        } else {
          open = { frame: -1, hidden: 1, depth, x, width: wide };
          boxes.push(open);
        }
        continue;
      }
      open = null;
      boxes.push({ frame, hidden: 0, depth, x, width: wide });
      below.push(...placed(tree, tree.children[frame]!, totalOf(tree.frames[frame]!), x, wide));
    }
    row = below;
  }
  return boxes;
}

// Side by side. Children that together are longer than what they lie in (they overlap in time) share its room.
function placed(tree: FlameTree, frames: number[], total: number, x: number, width: number): { frame: number; x: number; width: number }[] {
  const sum = frames.reduce((all, one) => all + Math.max(0, totalOf(tree.frames[one]!)), 0);
  const whole = Math.max(sum, total);
  if (whole <= 0) return [];
  return frames.map((frame) => {
    const at = { frame, x, width: (Math.max(0, totalOf(tree.frames[frame]!)) / whole) * width };
    x += at.width;
    return at;
  });
}

// From the outermost in.
export function pathTo(tree: FlameTree, frame: number | null): number[] {
  const path: number[] = [];
  for (let at = frame; at !== null; at = tree.frames[at]!.parent) path.unshift(at);
  return path;
}

// How much of all lies in frames that are wanted; a frame in a wanted one counts with that.
export function sumOf(tree: FlameTree, wanted: (frame: FlameFrame) => boolean): number {
  const inside: boolean[] = [];
  let sum = 0;
  tree.frames.forEach((frame, i) => {
    const around = frame.parent !== null && inside[frame.parent]!;
    inside[i] = around || wanted(frame);
    if (inside[i] && !around) sum += totalOf(frame);
  });
  return sum;
}

// Where an arrow leads from a box.
export function neighbourBox(boxes: Box[], tree: FlameTree, from: number, key: string): number | null {
  const at = boxes.findIndex((box) => box.frame === from);
  if (at < 0) return boxes.find((box) => box.frame >= 0)?.frame ?? null;
  const box = boxes[at]!;
  const shown = boxes.filter((one) => one.frame >= 0);
  if (key === 'Home') return shown[0]!.frame;
  if (key === 'End') return shown[shown.length - 1]!.frame;
  if (key === 'ArrowUp') {
    const parent = tree.frames[from]!.parent;
    return parent !== null && shown.some((one) => one.frame === parent) ? parent : null;
  }
  if (key === 'ArrowDown') return shown.find((one) => one.depth === box.depth + 1 && tree.frames[one.frame]!.parent === from)?.frame ?? null;
  const row = shown.filter((one) => one.depth === box.depth);
  return row[row.indexOf(box) + (key === 'ArrowRight' ? 1 : -1)]?.frame ?? null;
}
