// Draws a counter. The least and greatest value of a point hold for one pixel of its tile; from there to the next point it is the last.

import type { CounterTile } from '../engine/tile';
import type { Piece } from '../engine/tile_cache';
import { displayText } from '../engine/text';
import { formatBytes, formatNumber } from '../engine/units';
import type { Scene } from './draw';
import type { TrackRow } from './layout';
import { toPixel } from './view';

// From the least to the greatest value, over columns of device pixels.
export interface Band {
  left: number;
  right: number;
  min: number;
  max: number;
}

// Each column is in one band at most: those drawn twice would look stronger. `column` says where a time lies.
export function bandsOf(tile: CounterTile, pixelNs: number, from: number, to: number, column: (time: number) => number): Band[] {
  const bands: Band[] = [];
  for (let i = 0; i < tile.count; i++) {
    const start = tile.start[i]!;
    const next = i + 1 < tile.count ? tile.start[i + 1]! : Infinity;
    const end = Math.min(start + pixelNs, next);
    if (end <= from || start >= to) continue;
    const left = Math.floor(column(Math.max(start, from)));
    const right = Math.max(left + 1, Math.floor(column(Math.min(end, to))));
    const [min, max] = [tile.min[i]!, tile.max[i]!];
    const before = bands[bands.length - 1];
    if (before && left < before.right) {
      before.min = Math.min(before.min, min);
      before.max = Math.max(before.max, max);
      before.right = Math.max(before.right, right);
    } else bands.push({ left, right, min, max });
  }
  return bands;
}

export function drawCounter(context: CanvasRenderingContext2D, scene: Scene, row: TrackRow, pieces: Piece[]): void {
  const [low, high] = counterScale(row);
  const top = row.y - scene.top + row.top;
  const height = row.height - 2 * row.top;
  const y = (value: number): number => Math.min(top + height, Math.max(top, top + height - ((value - low) / (high - low)) * height));
  const ground = y(Math.max(low, Math.min(0, high)));
  context.fillStyle = scene.paint.accent;
  for (const piece of pieces) {
    if (piece.tile.kind !== 'counter') continue;
    drawLevels(context, scene, piece, piece.tile, y, ground);
    drawBands(context, scene, piece, piece.tile, y);
  }
  context.globalAlpha = 1;
  drawAxis(context, scene, row, top, height);
}

type Place = (value: number) => number;

// The value that holds until the next point, over what it encloses with the axis.
function drawLevels(context: CanvasRenderingContext2D, scene: Scene, piece: Piece, tile: CounterTile, y: Place, ground: number): void {
  const { view, width, ratio } = scene;
  const from = Math.max(piece.start, view.start);
  const to = Math.min(piece.end, view.end);
  for (let i = 0; i < tile.count; i++) {
    const start = Math.max(tile.start[i]!, from);
    const end = Math.min(i + 1 < tile.count ? tile.start[i + 1]! : Math.min(piece.end, scene.duration), to);
    if (end <= start) continue;
    const left = toPixel(view, width, start);
    const wide = Math.max(1 / ratio, toPixel(view, width, end) - left);
    const level = y(tile.last[i]!);
    context.globalAlpha = 0.22;
    context.fillRect(left, Math.min(level, ground), wide, Math.abs(ground - level));
    context.globalAlpha = 1;
    context.fillRect(left, level - 0.75, wide, 1.5);
  }
}

function drawBands(context: CanvasRenderingContext2D, scene: Scene, piece: Piece, tile: CounterTile, y: Place): void {
  const { view, width, ratio } = scene;
  const column = (time: number): number => toPixel(view, width, time) * ratio;
  context.globalAlpha = 0.45;
  for (const band of bandsOf(tile, piece.pixelNs, Math.max(piece.start, view.start), Math.min(piece.end, view.end), column)) {
    const upper = y(band.max);
    const lower = y(band.min);
    if (lower - upper > 1) context.fillRect(band.left / ratio, upper, (band.right - band.left) / ratio, lower - upper);
  }
}

// On plates, since the data goes on below them.
function drawAxis(context: CanvasRenderingContext2D, scene: Scene, row: TrackRow, top: number, height: number): void {
  const [low, high] = counterScale(row);
  context.font = `10px ${scene.paint.font}`;
  context.textAlign = 'right';
  const label = (value: number, baseline: 'top' | 'bottom', y: number): void => {
    const text = counterText(value, row.track.unit);
    const wide = context.measureText(text).width;
    context.fillStyle = scene.paint.ground;
    context.globalAlpha = 0.8;
    context.fillRect(scene.width - wide - 7, baseline === 'top' ? y - 1 : y - 12, wide + 7, 13);
    context.globalAlpha = 1;
    context.fillStyle = scene.paint.soft;
    context.textBaseline = baseline;
    context.fillText(text, scene.width - 4, y);
  };
  label(high, 'top', top);
  if (!row.squeezed) label(low, 'bottom', top + height);
}

export function counterText(value: number, unit: string | null): string {
  if (unit === 'B' || unit === 'bytes') return formatBytes(value);
  return unit ? `${formatNumber(value)} ${displayText(unit)}` : formatNumber(value);
}

export function counterScale(row: TrackRow): [number, number] {
  const { min, max, unit } = row.track;
  const low = Math.min(0, min ?? 0);
  const high = unit === '%' && (max ?? 0) <= 100 ? 100 : (max ?? 1);
  return high > low ? [low, high] : [low, low + 1];
}
