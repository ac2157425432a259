// Draws the visible tracks on a canvas. Everything that lies in the view is drawn: what is narrower than a pixel takes a pixel, and
// slices that stand for many events are filled from below as far as they are busy, over a fainter whole, so that none vanishes.

import { firstEndingAfter, type SliceTile } from '../engine/tile';
import type { Piece, TileCache } from '../engine/tile_cache';
import type { Names } from '../engine/names';
import { levelFor, tilesFor } from '../engine/tile_grid';
import { displayText, shortKernelName } from '../engine/text';
import type { EventDetail, Range } from '../engine/types';
import { familyKey, guessFamily, kernelFamily, sliceColour, sliceInk, type Family } from './colours';
import { drawCounter } from './counter';
import { rowsBetween, sliceTop, type Layout, type TrackRow } from './layout';
import type { Paint } from './theme';
import type { Ticks } from './ticks';
import { toPixel, type View } from './view';

export interface Scene {
  width: number;
  height: number;
  ratio: number; // device pixels in one of CSS
  top: number; // of the layout, scrolled
  view: View;
  duration: number;
  layout: Layout;
  tiles: TileCache;
  names: Names;
  families: Map<string, Family>;
  paint: Paint;
  ticks: Ticks;
  event: EventDetail | null;
  range: Range | null;
  marks: number[];
  matches: ((name: string) => boolean) | null;
  hover: { track: number; depth: number; start: number; duration: number } | null;
  pointer: number | null; // the time under it
}

interface Look {
  colour: string;
  text: string;
  full: string;
}

const faintest = 0.42;
const leastLabelWidth = 26;

// Looks of names, per theme: a trace has few names beside its slices.
export class Looks {
  private looks = new Map<string, Look>();
  private widths = new Map<string, number>();

  clear(): void {
    this.looks.clear();
    this.widths.clear();
  }

  look(scene: Scene, tile: SliceTile, i: number, row: TrackRow): Look | undefined {
    const gpu = tile.eventKind[i] === 1;
    const key = `${tile.name[i]}${gpu ? 'g' : row.track.kind}${scene.paint.theme}`;
    const known = this.looks.get(key);
    if (known) return known;
    const name = scene.names.get(tile.name[i]!);
    if (name === undefined) return undefined;
    const family = gpu ? kernelFamily(scene, name) : guessFamily(name, false, row.track.kind);
    const look = {
      colour: sliceColour(family, name, scene.paint.theme),
      text: displayText(gpu ? shortKernelName(name) : name),
      full: name,
    };
    this.looks.set(key, look);
    return look;
  }

  width(context: CanvasRenderingContext2D, text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      width = context.measureText(text).width;
      if (this.widths.size > 20_000) this.widths.clear();
      this.widths.set(text, width);
    }
    return width;
  }
}

// What can be shown of a track now, left to right.
export function piecesOf(scene: Pick<Scene, 'view' | 'width' | 'ratio' | 'tiles' | 'duration'>, track: number): Piece[] {
  const { view } = scene;
  const level = levelFor((view.end - view.start) / Math.max(1, scene.width * scene.ratio));
  const pieces: Piece[] = [];
  for (const key of tilesFor(track, level, view.start, view.end, scene.duration)) {
    const piece = scene.tiles.piece(key);
    if (piece) pieces.push(piece);
  }
  return pieces;
}

export function draw(context: CanvasRenderingContext2D, scene: Scene, looks: Looks): void {
  const { width, height, ratio, paint, top } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = paint.ground;
  context.fillRect(0, 0, width, height);
  drawGrid(context, scene);
  drawRangeGround(context, scene);

  const rows = rowsBetween(scene.layout, top, top + height);
  for (const row of rows) {
    const y = row.y - top;
    if (row.kind === 'group') {
      context.fillStyle = paint.panel;
      context.fillRect(0, y, width, row.height);
      context.fillStyle = paint.line;
      context.fillRect(0, y, width, 1);
      continue;
    }
    context.fillStyle = paint.line;
    context.fillRect(0, y + row.height - 1, width, 1);
    const pieces = piecesOf(scene, row.track.track);
    if (row.track.kind === 'counter') drawCounter(context, scene, row, pieces);
    else drawSlices(context, scene, looks, row, pieces);
  }
  drawOutside(context, scene);
  drawRange(context, scene);
  drawMarks(context, scene);
  if (scene.pointer !== null) {
    context.fillStyle = paint.strong;
    context.globalAlpha = 0.6;
    context.fillRect(Math.round(x(scene, scene.pointer)), 0, 1, height);
    context.globalAlpha = 1;
  }
  if (scene.hover) drawHover(context, scene);
  if (scene.event) {
    drawArrows(context, scene, scene.event);
    drawSelected(context, scene, scene.event);
  }
  context.globalAlpha = 1;
}

const x = (scene: Scene, time: number): number => toPixel(scene.view, scene.width, time);

function drawGrid(context: CanvasRenderingContext2D, scene: Scene): void {
  context.fillStyle = scene.paint.line;
  context.globalAlpha = 0.55;
  for (const time of scene.ticks.times) context.fillRect(Math.round(x(scene, time)), 0, 1, scene.height);
  context.globalAlpha = 1;
}

// Before the first and after the last event there is nothing to see: it looks different from idle time.
function drawOutside(context: CanvasRenderingContext2D, scene: Scene): void {
  context.fillStyle = scene.paint.strong;
  context.globalAlpha = 0.13;
  const left = x(scene, 0);
  const right = x(scene, scene.duration);
  if (left > 0) context.fillRect(0, 0, left, scene.height);
  if (right < scene.width) context.fillRect(right, 0, scene.width - right, scene.height);
  context.globalAlpha = 1;
}

interface Label {
  left: number;
  right: number;
  y: number;
  text: string;
  dim: boolean;
}

function drawSlices(context: CanvasRenderingContext2D, scene: Scene, looks: Looks, row: TrackRow, pieces: Piece[]): void {
  const { view, width, paint, event, matches } = scene;
  const thin = row.squeezed;
  const sliceHeight = row.rowHeight - (thin ? 1 : 2);
  const least = 1 / scene.ratio;
  const scale = width / (view.end - view.start);
  const snap = (at: number): number => Math.round(at * scene.ratio) / scene.ratio;
  const labels: Label[] = [];
  const twins: [number, number, number][] = [];
  const selected = event ? familyKey(event.name) : null;
  let fill = '';
  let alpha = 1;
  pieces.forEach((piece, order) => {
    const { tile } = piece;
    if (tile.kind !== 'slices') return;
    const from = Math.max(piece.start, view.start);
    const to = Math.min(piece.end, view.end);
    for (let depth = 0; depth + 1 < tile.offsets.length; depth++) {
      const y = sliceTop(row, depth) - scene.top;
      if (y > scene.height || y + sliceHeight < 0) continue;
      const last = tile.offsets[depth + 1]!;
      for (let i = firstEndingAfter(tile, depth, from - 1); i < last; i++) {
        const start = tile.start[i]!;
        if (start >= to) break;
        const end = start + tile.duration[i]!;
        if (end < from) continue;
        // Where tiles meet, both draw to the same device pixel: no seam.
        const left = start < from ? snap((from - view.start) * scale) : (start - view.start) * scale;
        let right = end > to ? snap((to - view.start) * scale) : (end - view.start) * scale;
        if (right - left < least) right = left + least;
        else if (right - left > 4 && end <= to) right -= 0.6;
        const look = looks.look(scene, tile, i, row);
        const many = tile.events[i]! > 1;
        const dim = matches !== null && look !== undefined && !matches(look.full);
        // What is narrower than a pixel is as strong as its share of it: a sparse row must not look like a full one.
        const share = many ? tile.busy[i]! : Math.min(1, (end - start) * scale * scene.ratio);
        const strength = (share < 1 ? faintest : 1) * (dim ? 0.28 : 1);
        const colour = look?.colour ?? paint.strong;
        if (colour !== fill) context.fillStyle = fill = colour;
        if (strength !== alpha) context.globalAlpha = alpha = strength;
        context.fillRect(left, y, right - left, sliceHeight);
        if (share < 1 && !thin) {
          const high = Math.max(1.5, share * sliceHeight);
          context.globalAlpha = alpha = dim ? 0.28 : 1;
          context.fillRect(left, y + sliceHeight - high, right - left, high);
        }
        if (!look || thin) continue;
        const labelRight = (Math.min(end, view.end) - view.start) * scale;
        if (!many && labelRight - left >= leastLabelWidth && (start >= piece.start || order === 0)) {
          labels.push({ left, right: labelRight, y, text: look.text, dim });
        }
        if (selected !== null && !many && tile.name[i] !== undefined && familyKey(look.full) === selected) {
          twins.push([left, y, right - left]);
        }
      }
    }
  });
  context.globalAlpha = 1;
  if (twins.length) {
    context.fillStyle = paint.accent;
    for (const [left, y, wide] of twins) context.fillRect(left, y + sliceHeight - 2, wide, 2);
  }
  drawLabels(context, scene, looks, labels, sliceHeight);
}

function drawLabels(context: CanvasRenderingContext2D, scene: Scene, looks: Looks, labels: Label[], height: number): void {
  if (!labels.length) return;
  context.font = `11px ${scene.paint.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.direction = 'ltr';
  context.fillStyle = sliceInk[scene.paint.theme];
  for (const label of labels) {
    const left = Math.max(label.left, 0) + 4;
    const room = Math.min(label.right, scene.width) - left - 3;
    if (room < leastLabelWidth - 8) continue;
    let text = label.text.length > 300 ? label.text.slice(0, 300) : label.text;
    const wide = looks.width(context, text);
    if (wide > room) {
      const fits = Math.floor((text.length * (room - 6)) / wide);
      if (fits < 2) continue;
      text = `${text.slice(0, fits)}\u2026`;
      if (looks.width(context, text) > room + 2) text = `${text.slice(0, Math.max(1, fits - 2))}\u2026`;
    }
    context.globalAlpha = label.dim ? 0.5 : 1;
    context.fillText(text, left, label.y + height / 2 + 0.5);
  }
  context.globalAlpha = 1;
}

// Under the slices, so that their colours stay what they are.
function drawRangeGround(context: CanvasRenderingContext2D, scene: Scene): void {
  if (!scene.range) return;
  const left = x(scene, scene.range.start_ns);
  context.fillStyle = scene.paint.range;
  context.globalAlpha = 0.14;
  context.fillRect(left, 0, x(scene, scene.range.end_ns) - left, scene.height);
  context.globalAlpha = 1;
}

function drawRange(context: CanvasRenderingContext2D, scene: Scene): void {
  if (!scene.range) return;
  const left = x(scene, scene.range.start_ns);
  const right = x(scene, scene.range.end_ns);
  context.fillStyle = scene.paint.range;
  context.fillRect(Math.round(left), 0, 1, scene.height);
  context.fillRect(Math.round(right), 0, 1, scene.height);
}

function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  context.fillStyle = scene.paint.mark;
  for (const mark of scene.marks) context.fillRect(Math.round(x(scene, mark)), 0, 1, scene.height);
}

interface Box {
  left: number;
  right: number;
  y: number;
  height: number;
}

function boxOf(scene: Scene, ref: { track: number; depth: number; start: number; duration: number }): Box | undefined {
  const row = scene.layout.tracks.get(ref.track);
  if (!row) return undefined;
  const left = x(scene, ref.start);
  return {
    left,
    right: Math.max(left + 1, x(scene, ref.start + ref.duration)),
    y: sliceTop(row, ref.depth) - scene.top,
    height: row.rowHeight - (row.squeezed ? 1 : 2),
  };
}

const place = (ref: { track: number; depth: number; start_ns: number; duration_ns: number }) => ({
  track: ref.track,
  depth: ref.depth,
  start: ref.start_ns,
  duration: ref.duration_ns,
});

function outline(context: CanvasRenderingContext2D, box: Box, wide: number): void {
  const left = Math.max(-4, box.left);
  context.lineWidth = wide;
  context.strokeRect(left - wide / 2, box.y - wide / 2, Math.max(2, Math.min(box.right, 1e5) - left) + wide, box.height + wide);
}

function drawHover(context: CanvasRenderingContext2D, scene: Scene): void {
  const box = scene.hover && boxOf(scene, scene.hover);
  if (!box) return;
  context.strokeStyle = scene.paint.soft;
  outline(context, box, 1);
}

function drawSelected(context: CanvasRenderingContext2D, scene: Scene, event: EventDetail): void {
  const box = boxOf(scene, place(event));
  if (!box) return;
  context.strokeStyle = scene.paint.ground;
  outline(context, { ...box, left: box.left - 2, right: box.right + 2, y: box.y - 2, height: box.height + 4 }, 1.5);
  context.strokeStyle = scene.paint.ink;
  outline(context, box, 2);
}

// From the call to the work: begins where the call begins, ends where the work begins.
function drawArrows(context: CanvasRenderingContext2D, scene: Scene, event: EventDetail): void {
  const own = boxOf(scene, place(event));
  if (!own) return;
  context.lineWidth = 1.5;
  if (event.launched_by) {
    const from = boxOf(scene, place(event.launched_by));
    if (from) drawArrow(context, scene, from, own, 1);
  }
  const many = event.launches.first.length;
  for (const ref of event.launches.first) {
    const to = boxOf(scene, place(ref));
    if (to) drawArrow(context, scene, own, to, many > 8 ? 0.35 : 0.9);
  }
}

function drawArrow(context: CanvasRenderingContext2D, scene: Scene, from: Box, to: Box, strength: number): void {
  const limit = 4 * scene.width;
  const startX = Math.max(-limit, Math.min(limit, from.left + Math.min(4, (from.right - from.left) / 2)));
  const startY = to.y > from.y ? from.y + from.height : from.y;
  const endX = Math.max(-limit, Math.min(limit, to.left));
  const endY = to.y + to.height / 2;
  const bend = Math.max(24, Math.min(120, Math.abs(endX - startX) / 2));
  for (const [colour, wide] of [[scene.paint.ground, 3.5], [scene.paint.accent, 1.5]] as const) {
    context.globalAlpha = strength;
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.beginPath();
    context.moveTo(startX, startY);
    context.bezierCurveTo(startX, startY + Math.sign(endY - startY) * 30, endX - bend, endY, endX - 2, endY);
    context.stroke();
  }
  context.fillStyle = scene.paint.accent;
  context.beginPath();
  context.moveTo(endX, endY);
  context.lineTo(endX - 7, endY - 4);
  context.lineTo(endX - 7, endY + 4);
  context.fill();
  context.beginPath();
  context.arc(startX, startY, 2.5, 0, 2 * Math.PI);
  context.fill();
  context.globalAlpha = 1;
}
