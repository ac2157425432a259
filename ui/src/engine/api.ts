// Requests to the server. Everything is relative to the page's own address; the session's cookie goes along by itself.

import { absoluteTime, parseTimes, traceStart } from './exact_times';
import { decodeTile, type Tile } from './tile';
import type { TileQuery } from './tile_grid';
import type { EventDetail, EventKind, Range, Same, SearchAnswer, ServerState, Tracks } from './types';

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
}

export class TraceApi {
  private base = 0n;

  constructor(private readonly trace: number) {}

  private path(rest: string): string {
    return `api/v1/traces/${this.trace}/${rest}`;
  }

  private async json<T>(rest: string, signal?: AbortSignal): Promise<T> {
    return parseTimes<T>(await (await ask(this.path(rest), signal)).text(), this.base);
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

  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchAnswer> {
    const after = query.after === undefined ? '' : `&after=${this.absolute(query.after)}`;
    const before = query.until === undefined ? '' : `&until=${this.absolute(query.until)}`;
    return this.json(
      `search?q=${encodeURIComponent(query.text)}&regex=${query.regex ? 1 : 0}${after}${before}&limit=${query.limit ?? 1000}`,
      signal,
    );
  }

  document<T>(verb: string, query: DocumentQuery = {}, signal?: AbortSignal): Promise<T> {
    const parts: string[] = [];
    if (query.range) parts.push(`range=${this.absolute(query.range.start_ns)}:${this.absolute(query.range.end_ns)}`);
    if (query.device !== undefined) parts.push(`device=${query.device}`);
    if (query.with !== undefined) parts.push(`with=${query.with}`);
    if (query.limit !== undefined) parts.push(`limit=${query.limit}`);
    return this.json(`documents/${verb}${parts.length ? `?${parts.join('&')}` : ''}`, signal);
  }
}
