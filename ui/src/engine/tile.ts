// Decodes a tile (docs/design/http-api.md): columns over the bytes of the answer, copied nowhere where alignment allows.

export interface SliceTile {
  kind: 'slices';
  count: number;
  start: Float64Array;
  duration: Float64Array;
  name: Uint32Array;
  row: Uint32Array | Float64Array; // of several ranks: more than 32 bits
  events: Uint32Array;
  busy: Float32Array;
  depth: Uint16Array;
  eventKind: Uint8Array;
  // Slices of depth d are [offsets[d], offsets[d + 1]).
  offsets: Uint32Array;
  bytes: number;
}

export interface CounterTile {
  kind: 'counter';
  count: number;
  start: Float64Array;
  min: Float64Array;
  max: Float64Array;
  last: Float64Array;
  bytes: number;
}

export type Tile = SliceTile | CounterTile;

const magic = 0x54535754;
const headerBytes = 16;
const sliceBytes = 8 + 8 + 4 + 4 + 4 + 4 + 2 + 1;
const counterBytes = 4 * 8;

export class TileError extends Error {}

export function decodeTile(buffer: ArrayBuffer): Tile {
  if (buffer.byteLength < headerBytes) throw new TileError(`tile of ${buffer.byteLength} bytes has no header`);
  const header = new DataView(buffer, 0, headerBytes);
  if (header.getUint32(0, true) !== magic) throw new TileError('tile does not begin with its mark');
  if (header.getUint32(4, true) !== 1) throw new TileError(`tile of version ${header.getUint32(4, true)}, this page reads 1: reload it`);
  const kind = header.getUint32(8, true);
  const count = header.getUint32(12, true);
  const bytes = headerBytes + count * (kind === 1 ? counterBytes : sliceBytes);
  if (kind > 1) throw new TileError(`tile of unknown kind ${kind}`);
  if (buffer.byteLength !== bytes) throw new TileError(`tile of ${count} entries has ${buffer.byteLength} bytes instead of ${bytes}`);

  let at = headerBytes;
  const doubles = (): Float64Array => {
    const column = new Float64Array(buffer, at, count);
    at += count * 8;
    return column;
  };
  if (kind === 1) {
    return { kind: 'counter', count, start: doubles(), min: doubles(), max: doubles(), last: doubles(), bytes };
  }
  const words = (): Uint32Array => {
    const column = new Uint32Array(buffer, at, count);
    at += count * 4;
    return column;
  };
  const start = doubles();
  const duration = doubles();
  const name = words();
  const row = words();
  const events = words();
  const busy = new Float32Array(buffer, at, count);
  at += count * 4;
  const depth = new Uint16Array(buffer, at, count);
  at += count * 2;
  const eventKind = new Uint8Array(buffer, at, count);
  return { kind: 'slices', count, start, duration, name, row, events, busy, depth, eventKind, offsets: depthOffsets(depth), bytes };
}

function depthOffsets(depth: Uint16Array): Uint32Array {
  const deepest = depth.length ? depth[depth.length - 1]! : -1;
  const offsets = new Uint32Array(deepest + 2);
  let at = 0;
  for (let d = 0; d <= deepest; d++) {
    offsets[d] = at;
    while (at < depth.length && depth[at] === d) at++;
  }
  offsets[deepest + 1] = at;
  if (at !== depth.length) throw new TileError('tile is not sorted by depth');
  return offsets;
}

// The first slice of a depth that ends after `time`. Slices of a depth do not overlap, so their ends are sorted too.
export function firstEndingAfter(tile: SliceTile, depth: number, time: number): number {
  let low = tile.offsets[depth] ?? tile.count;
  let high = tile.offsets[depth + 1] ?? tile.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tile.start[middle]! + tile.duration[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
