// The strip above the tracks: how busy the devices were over the whole trace with a window on what is seen, and the ruler.

import type { Scene } from './draw';
import { tilesFor, levelFor } from '../engine/tile_grid';
import { formatDuration } from '../engine/units';
import { flagReach, markTexts, type MarkText } from './marks';
import { formatTime } from './time_text';
import { toPixel } from './view';

export const overviewHeight = 20;
export const rulerHeight = 22;
export const headHeight = overviewHeight + rulerHeight;

// The streams whose work is summed up, and of how many devices they are.
export interface Overview {
  streams: number[];
  devices: number;
}

export function drawHead(context: CanvasRenderingContext2D, scene: Scene, overview: Overview, hits: number[]): void {
  const { paint, width, ratio } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = paint.panel;
  context.fillRect(0, 0, width, headHeight);
  drawOverview(context, scene, overview, hits);
  drawRuler(context, scene);
}

// The tiles that show the whole trace, for the tracks of the overview.
export function overviewTiles(scene: Pick<Scene, 'width' | 'ratio' | 'duration'>, streams: number[]) {
  const level = levelFor((scene.duration / Math.max(1, scene.width * scene.ratio)) * 2);
  return streams.flatMap((track) => tilesFor(track, level, 0, scene.duration, scene.duration));
}

function drawOverview(context: CanvasRenderingContext2D, scene: Scene, overview: Overview, hits: number[]): void {
  const { paint, width, duration } = scene;
  const columns = new Float32Array(Math.max(1, Math.ceil(width)));
  const scale = columns.length / Math.max(1, duration);
  for (const key of overviewTiles(scene, overview.streams)) {
    const piece = scene.tiles.piece(key);
    if (!piece || piece.tile.kind !== 'slices') continue;
    const { tile } = piece;
    for (let i = 0; i < tile.count; i++) {
      const from = tile.start[i]! * scale;
      const to = from + tile.duration[i]! * scale;
      const last = Math.min(columns.length, Math.ceil(to));
      for (let column = Math.max(0, Math.floor(from)); column < last; column++) {
        const share = Math.min(to, column + 1) - Math.max(from, column);
        columns[column] = columns[column]! + share * tile.busy[i]!;
      }
    }
  }
  const bottom = overviewHeight - 2;
  context.fillStyle = paint.accent;
  for (let column = 0; column < columns.length; column++) {
    const busy = columns[column]! / Math.max(1, overview.devices);
    if (busy <= 0) continue;
    const height = Math.max(1, Math.min(1, busy) * (bottom - 3));
    context.globalAlpha = 0.75;
    context.fillRect(column, bottom - height, 1, height);
  }
  context.globalAlpha = 1;
  context.fillStyle = paint.mark;
  for (const hit of hits) context.fillRect(Math.floor((hit / duration) * width), 0, 1, 3);
  if (scene.range) {
    context.globalAlpha = 0.3;
    context.fillStyle = paint.range;
    const left = (scene.range.start_ns / duration) * width;
    context.fillRect(left, 0, Math.max(1, ((scene.range.end_ns - scene.range.start_ns) / duration) * width), overviewHeight);
    context.globalAlpha = 1;
  }
  const left = Math.max(0, (scene.view.start / duration) * width);
  const right = Math.min(width, (scene.view.end / duration) * width);
  context.fillStyle = paint.ground;
  context.globalAlpha = 0.62;
  context.fillRect(0, 0, left, overviewHeight);
  context.fillRect(right, 0, width - right, overviewHeight);
  context.globalAlpha = 1;
  context.strokeStyle = paint.strong;
  context.lineWidth = 1;
  context.strokeRect(Math.floor(left) + 0.5, 0.5, Math.max(2, Math.floor(right - left) - 1), overviewHeight - 1);
}

function drawRuler(context: CanvasRenderingContext2D, scene: Scene): void {
  const { paint, width, view, ticks } = scene;
  const top = overviewHeight;
  context.fillStyle = paint.line;
  context.fillRect(0, headHeight - 1, width, 1);
  context.font = `11px ${paint.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const label = pointerLabel(context, scene);
  const marks = textsOfMarks(context, scene);
  const flags = scene.marks.map((mark) => ({ left: toPixel(view, width, mark) - flagReach, wide: 2 * flagReach }));
  const taken = [...flags, ...marks, ...(label ? [label] : [])];
  let free = -Infinity;
  for (const time of ticks.times) {
    const x = Math.round(toPixel(view, width, time));
    context.fillStyle = paint.strong;
    context.fillRect(x, headHeight - 6, 1, 5);
    const text = ticks.text(time);
    const wide = context.measureText(text).width;
    const hidden = taken.some((one) => x + 4 < one.left + one.wide + 3 && x + 4 + wide > one.left - 3);
    if (hidden || x + 3 < free || x + 3 + wide > width) continue;
    context.fillStyle = paint.soft;
    context.fillText(text, x + 4, top + rulerHeight / 2 - 1);
    free = x + wide + 12;
  }
  if (scene.range) {
    const left = toPixel(view, width, scene.range.start_ns);
    const right = toPixel(view, width, scene.range.end_ns);
    context.fillStyle = paint.range;
    context.globalAlpha = 0.25;
    context.fillRect(left, top, right - left, rulerHeight);
    context.globalAlpha = 1;
    context.fillRect(left, headHeight - 3, Math.max(1, right - left), 3);
  }
  context.fillStyle = paint.mark;
  for (const one of marks) context.fillText(one.text, one.left, top + rulerHeight / 2 - 1);
  for (const mark of scene.marks) {
    const x = toPixel(view, width, mark);
    context.beginPath();
    context.moveTo(x, headHeight - 1);
    context.lineTo(x - 5, top + 6);
    context.lineTo(x + 5, top + 6);
    context.fill();
  }
  if (label) drawPointer(context, scene, label);
}

// Their times, and the distances between neighbours.
function textsOfMarks(context: CanvasRenderingContext2D, scene: Scene): MarkText[] {
  const { marks, view, width } = scene;
  const flags = marks.map((mark, i) => {
    const next = marks[i + 1];
    return { x: toPixel(view, width, mark), time: formatTime(mark), toNext: next === undefined ? null : `\u2194 ${formatDuration(next - mark)}` };
  });
  return markTexts(flags, width, (text) => context.measureText(text).width);
}

interface PointerLabel {
  text: string;
  left: number;
  wide: number;
}

// The time under the pointer.
function pointerLabel(context: CanvasRenderingContext2D, scene: Scene): PointerLabel | null {
  if (scene.pointer === null) return null;
  const text = formatTime(Math.round(scene.pointer));
  const wide = context.measureText(text).width + 10;
  const x = toPixel(scene.view, scene.width, scene.pointer);
  return { text, wide, left: Math.max(0, Math.min(scene.width - wide, x - wide / 2)) };
}

function drawPointer(context: CanvasRenderingContext2D, scene: Scene, label: PointerLabel): void {
  context.fillStyle = scene.paint.ink;
  context.fillRect(label.left, overviewHeight + 2, label.wide, rulerHeight - 6);
  context.fillStyle = scene.paint.ground;
  context.fillText(label.text, label.left + 5, overviewHeight + rulerHeight / 2 - 1);
}
