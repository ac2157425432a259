// Requests to the server. Everything is relative to the page's own address; the session's cookie goes along by itself.

import { absoluteTime, parseTimes, traceStart } from './exact_times';
import type { EventSource } from './source';
import { decodeTile, type Tile } from './tile';
import type { TileQuery } from './tile_grid';
import type { EventDetail, EventKind, EventSourceText, Range, RankAxis, Same, SearchAnswer, ServerState, Tracks } from './types';

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, signal ? { signal } : undefined);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('the server does not answer: is `warpsight serve` still running?', 0);
  }
  if (response.ok) return response;
  let message = `the server answered ${response.status} to ${path.slice(0, 100)}`;
  try {
    const body = (await response.json()) as { error?: unknown };
    if (typeof body.error === 'string') message = body.error;
  } catch {
    // No JSON: the status says it.
  }
  throw new ApiError(message, response.status);
}

export async function fetchState(): Promise<ServerState> {
  return (await ask('api/v1/state')).json() as Promise<ServerState>;
}

// Shifts are whole 64 bits: read while they are text.
export async function fetchRanks(): Promise<RankAxis> {
  const text = await (await ask('api/v1/ranks')).text();
  const axis = JSON.parse(text.replace(/"shift_ns"\s*:\s*(-?\d+)/g, '"shift_ns":"$1"')) as RankAxis;
  for (const rank of axis.ranks) if (rank.shift_ns !== null) rank.shift_ns = BigInt(rank.shift_ns);
  return axis;
}

export interface SearchQuery {
  text: string;
  regex: boolean;
  after?: number;
  until?: number;
  limit?: number;
}

export interface DocumentQuery {
  range?: Range | null;
  device?: number;
  limit?: number;
  with?: number; // the other trace of a comparison
  by?: string;
  split?: boolean;
}

export class TraceApi implements EventSource {
  // A range can be asked for once the tracks have told it.
  private base = 0n;

  constructor(private readonly trace: number) {}

  private path(rest: string): string {
    return `api/v1/traces/${this.trace}/${rest}`;
  }

  private async json<T>(rest: string, signal?: AbortSignal): Promise<T> {
    return parseTimes<T>(await (await ask(this.path(rest), signal)).text(), this.base);
  }

  // The start of the trace on its own clock; known with its tracks.
  get start(): bigint {
    return this.base;
  }

  absolute(ns: number): string {
    return absoluteTime(ns, this.base);
  }

  async tracks(): Promise<Tracks> {
    const text = await (await ask(this.path('tracks'))).text();
    this.base = traceStart(text);
    return parseTimes<Tracks>(text, this.base);
  }

  async tile(track: number, query: TileQuery): Promise<Tile> {
    const path = `tile?track=${track}&start=${this.absolute(query.start)}&end=${this.absolute(query.end)}&px=${query.px}`;
    return decodeTile(await (await ask(this.path(path))).arrayBuffer());
  }

  async names(ids: number[]): Promise<Record<string, string>> {
    return (await this.json<{ names: Record<string, string> }>(`names?ids=${ids.join(',')}`)).names;
  }

  event(kind: EventKind, row: number, signal?: AbortSignal): Promise<EventDetail> {
    return this.json(`event?kind=${kind}&row=${row}`, signal);
  }

  same(kind: EventKind, row: number, signal?: AbortSignal): Promise<Same> {
    return this.json(`same?kind=${kind}&row=${row}`, signal);
  }

  source(kind: EventKind, row: number, signal?: AbortSignal): Promise<EventSourceText> {
    return this.json(`source?kind=${kind}&row=${row}`, signal);
  }

  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchAnswer> {
    const after = query.after === undefined ? '' : `&after=${this.absolute(query.after)}`;
    const before = query.until === undefined ? '' : `&until=${this.absolute(query.until)}`;
    return this.json(
      `search?q=${encodeURIComponent(query.text)}&regex=${query.regex ? 1 : 0}${after}${before}&limit=${query.limit ?? 1000}`,
      signal,
    );
  }

  async document<T>(verb: string, query: DocumentQuery = {}, signal?: AbortSignal): Promise<T> {
    const parts: string[] = [];
    if (query.range) parts.push(`range=${this.absolute(query.range.start_ns)}:${this.absolute(query.range.end_ns)}`);
    if (query.device !== undefined) parts.push(`device=${query.device}`);
    if (query.with !== undefined) parts.push(`with=${query.with}`);
    if (query.limit !== undefined) parts.push(`limit=${query.limit}`);
    if (query.by !== undefined) parts.push(`by=${query.by}`);
    if (query.split) parts.push('split=1');
    return this.json(`documents/${verb}${parts.length ? `?${parts.join('&')}` : ''}`, signal);
  }
}
