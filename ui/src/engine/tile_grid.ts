// Which tiles cover a view. Tiles of level k are 2^k ns wide and begin at multiples of that, so that pans meet the same tiles again.

export const tilePixels = 1024;
const finestLevel = 10; // a pixel is 1 ns
const coarsestLevel = 52;

export interface TileKey {
  track: number;
  level: number;
  index: number;
}

// How much time one of its pixels stands for; the last tile of a trace has as fine ones.
export const pixelOf = (key: TileKey): number => 2 ** key.level / tilePixels;

export const keyText = (key: TileKey): string => `${key.track}/${key.level}/${key.index}`;

// The level whose pixels are no wider than those of the screen.
export function levelFor(nsPerPixel: number): number {
  const level = Math.floor(Math.log2(Math.max(nsPerPixel, 1e-9) * tilePixels));
  return Math.min(coarsestLevel, Math.max(finestLevel, level));
}

export function tilesFor(track: number, level: number, start: number, end: number, traceEnd: number): TileKey[] {
  const width = 2 ** level;
  const first = Math.max(0, Math.floor(start / width));
  const last = Math.min(Math.ceil(end / width), Math.max(1, Math.ceil(traceEnd / width))) - 1;
  const keys: TileKey[] = [];
  for (let index = first; index <= last; index++) keys.push({ track, level, index });
  return keys;
}

export interface TileQuery {
  start: number;
  end: number;
  px: number;
}

// The part of the tile that lies in the trace: times outside of it are refused.
export function tileQuery(key: TileKey, traceEnd: number): TileQuery {
  const width = 2 ** key.level;
  const start = key.index * width;
  const end = Math.max(start + 1, Math.min(traceEnd, start + width));
  return { start, end, px: Math.max(1, Math.ceil((tilePixels * (end - start)) / width)) };
}

export function parentOf(key: TileKey): TileKey {
  return { track: key.track, level: key.level + 1, index: Math.floor(key.index / 2) };
}
