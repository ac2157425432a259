// Tiles that were fetched, bounded by bytes, and the queue of those that are wanted. A new view replaces the queue, so that what
// has scrolled away is not fetched; requests already sent go on, since their answer will be of use.

import { keyText, parentOf, pixelOf, type TileKey } from './tile_grid';
import type { Tile } from './tile';

export type FetchTile = (key: TileKey) => Promise<Tile>;

const mostBytes = 128e6;
const mostRequests = 6;
const retryAfterMs = 3000;

// A tile, or a part of a coarser one, that stands for [start, end) of a track.
export interface Piece {
  tile: Tile;
  start: number;
  end: number;
  pixelNs: number; // the tile's
}

export class TileCache {
  private tiles = new Map<string, Tile>(); // the longest unused first
  private failed = new Map<string, number>();
  private running = new Set<string>();
  private queue: TileKey[] = [];
  private bytes = 0;
  error: string | null = null;

  constructor(
    private readonly fetchTile: FetchTile,
    private readonly changed: () => void,
    private readonly limit = mostBytes,
  ) {}

  get(key: TileKey): Tile | undefined {
    const text = keyText(key);
    const tile = this.tiles.get(text);
    if (tile) {
      this.tiles.delete(text);
      this.tiles.set(text, tile);
    }
    return tile;
  }

  get pending(): number {
    return this.running.size + this.queue.length;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  // The most important first. Replaces what was wanted before.
  want(keys: TileKey[]): void {
    const now = Date.now();
    this.queue = keys.filter((key) => {
      const text = keyText(key);
      const failedAt = this.failed.get(text);
      return !this.tiles.has(text) && !this.running.has(text) && (failedAt === undefined || now - failedAt > retryAfterMs);
    });
    this.pump();
  }

  async load(key: TileKey): Promise<Tile> {
    return this.get(key) ?? this.keep(key, await this.fetchTile(key));
  }

  // What can be shown of a tile's range now: the tile, else the finest coarser one that has been fetched.
  piece(key: TileKey): Piece | undefined {
    const start = key.index * 2 ** key.level;
    const end = start + 2 ** key.level;
    let at = key;
    for (let up = 0; up <= 24; up++) {
      const tile = this.get(at);
      if (tile) return { tile, start, end, pixelNs: pixelOf(at) };
      at = parentOf(at);
    }
    return undefined;
  }

  private pump(): void {
    while (this.running.size < mostRequests && this.queue.length) {
      const key = this.queue.shift()!;
      const text = keyText(key);
      this.running.add(text);
      this.fetchTile(key)
        .then(
          (tile) => {
            this.keep(key, tile);
            this.failed.delete(text);
            this.error = null;
          },
          (error: unknown) => {
            this.failed.set(text, Date.now());
            this.error = error instanceof Error ? error.message : String(error);
          },
        )
        .finally(() => {
          this.running.delete(text);
          this.pump();
          this.changed();
        });
    }
  }

  private keep(key: TileKey, tile: Tile): Tile {
    const text = keyText(key);
    if (!this.tiles.has(text)) this.bytes += tile.bytes;
    this.tiles.set(text, tile);
    for (const [oldest, old] of this.tiles) {
      if (this.bytes <= this.limit || oldest === text) break;
      this.tiles.delete(oldest);
      this.bytes -= old.bytes;
    }
    return tile;
  }
}
