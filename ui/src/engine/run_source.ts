// The ranks of one run on one axis of time, as if they were one trace: tracks, rows and names of all of them get numbers of their own,
// and each rank's times are moved by what the server measured. Asks the server about one rank at a time, a few at once.

import { ApiError, TraceApi, type DocumentQuery, type SearchQuery } from './api';
import type { EventSource } from './source';
import type { Tile } from './tile';
import type { TileQuery } from './tile_grid';
import { Turns } from './turns';
import type { EventDetail, EventKind, EventSourceText, RankPlace, Range, Ref, Same, SearchAnswer, Track, TrackGroup, Tracks } from './types';

// Rows of ranks are told apart above their 32 bits.
const rankOfRow = 2 ** 32;
const mostRequests = 6;

export interface Rank extends RankPlace {
  api: TraceApi;
  delta: number; // from the rank's own start to the axis of the run
  length: number;
}

export class RunSource implements EventSource {
  readonly ranks: Rank[];
  private opening: Promise<Tracks> | null = null;
  private readonly turns = new Turns(mostRequests);
  private start = 0n;
  private places: { rank: number; track: number }[] = [];
  private trackNumbers: Map<number, number>[] = [];
  private nameNumbers: Map<number, number>[] = [];
  private nameIds: { rank: number; id: number }[] = [];

  constructor(places: RankPlace[], apiOf: (trace: number) => TraceApi = (trace) => new TraceApi(trace)) {
    this.ranks = places.map((place) => ({ ...place, api: apiOf(place.trace), delta: 0, length: 1 }));
  }

  absolute(ns: number): string {
    return (this.start + BigInt(Math.round(ns))).toString();
  }

  tracks(): Promise<Tracks> {
    return (this.opening = this.askForTracks());
  }

  private async askForTracks(): Promise<Tracks> {
    const all = await Promise.all(this.ranks.map((rank) => this.turns.run(() => rank.api.tracks())));
    const starts = this.ranks.map((rank) => rank.api.start + (rank.shift_ns ?? 0n));
    this.start = starts.reduce((least, one) => (one < least ? one : least), starts[0] ?? 0n);
    this.places = [];
    const groups: TrackGroup[][] = [];
    this.ranks.forEach((rank, at) => {
      rank.delta = Number(starts[at]! - this.start);
      rank.length = all[at]!.end_ns;
      this.trackNumbers[at] = new Map();
      this.nameNumbers[at] ??= new Map();
      groups.push(all[at]!.groups.map((group) => ({ ...group, name: `rank ${rank.rank}, ${group.name}`, id: `${at}/${group.id}`, tracks: group.tracks.map((track) => this.placed(at, track)) })));
    });
    const near = (group: TrackGroup): boolean => group.kind === 'steps' || group.kind === 'device';
    return {
      start_ns: 0,
      end_ns: Math.max(1, ...this.ranks.map((rank) => rank.delta + rank.length)),
      // What ranks are compared by first, rank by rank; threads and counters below.
      groups: [...groups.flatMap((one) => one.filter(near)), ...groups.flatMap((one) => one.filter((group) => !near(group)))],
    };
  }

  // Groups that begin closed: with them open the GPUs of the ranks would lie screens apart.
  static closed(tracks: Tracks): Set<string> {
    return new Set(tracks.groups.filter((group) => group.kind === 'process' || group.kind === 'counters').map((group) => `${group.kind}:${group.id}`));
  }

  private placed(rank: number, track: Track): Track {
    const number = this.places.length;
    this.places.push({ rank, track: track.track });
    this.trackNumbers[rank]!.set(track.track, number);
    return { ...track, track: number };
  }

  private placeOf(track: number): { rank: Rank; at: number; track: number } {
    const place = this.places[track];
    if (!place) throw new Error(`there is no track ${track}`);
    return { rank: this.ranks[place.rank]!, at: place.rank, track: place.track };
  }

  private rankOf(row: number): { rank: Rank; at: number; row: number } {
    const at = Math.floor(row / rankOfRow);
    const rank = this.ranks[at];
    if (!rank) throw new ApiError('there is no such event', 404);
    return { rank, at, row: row % rankOfRow };
  }

  async tile(track: number, query: TileQuery): Promise<Tile> {
    const place = this.placeOf(track);
    const { delta } = place.rank;
    const tile = await place.rank.api.tile(place.track, { ...query, start: query.start - delta, end: query.end - delta });
    tile.start.forEach((start, i) => (tile.start[i] = start + delta));
    if (tile.kind === 'counter') return tile;
    const row = Float64Array.from(tile.row, (one) => one + place.at * rankOfRow);
    const name = tile.name.map((id) => this.nameNumber(place.at, id));
    return { ...tile, row, name, bytes: tile.bytes + 4 * tile.count };
  }

  private nameNumber(rank: number, id: number): number {
    const numbers = this.nameNumbers[rank]!;
    let number = numbers.get(id);
    if (number === undefined) {
      number = this.nameIds.length;
      this.nameIds.push({ rank, id });
      numbers.set(id, number);
    }
    return number;
  }

  async names(ids: number[]): Promise<Record<string, string>> {
    const byRank = new Map<number, Map<number, number>>(); // rank -> its number -> ours
    for (const number of ids) {
      const place = this.nameIds[number];
      if (!place) continue;
      if (!byRank.has(place.rank)) byRank.set(place.rank, new Map());
      byRank.get(place.rank)!.set(place.id, number);
    }
    const texts: Record<string, string> = {};
    await Promise.all(
      [...byRank].map(async ([rank, wanted]) => {
        const names = await this.turns.run(() => this.ranks[rank]!.api.names([...wanted.keys()]));
        for (const [id, text] of Object.entries(names)) texts[String(wanted.get(Number(id)))] = text;
      }),
    );
    return texts;
  }

  private ref(at: number, ref: Ref): Ref {
    return { ...ref, row: ref.row + at * rankOfRow, track: this.trackNumbers[at]!.get(ref.track) ?? -1, start_ns: ref.start_ns + this.ranks[at]!.delta };
  }

  async event(kind: EventKind, row: number, signal?: AbortSignal): Promise<EventDetail> {
    const place = this.rankOf(row);
    const event = await place.rank.api.event(kind, place.row, signal);
    const moved = (ref: Ref | null): Ref | null => ref && this.ref(place.at, ref);
    return {
      ...event,
      ...this.ref(place.at, event),
      facts: [['rank', place.rank.rank], ...event.facts],
      launched_by: moved(event.launched_by),
      op: moved(event.op),
      launches: { ...event.launches, first: event.launches.first.map((ref) => this.ref(place.at, ref)) },
      parents: event.parents.map((ref) => this.ref(place.at, ref)),
    };
  }

  same(kind: EventKind, row: number, signal?: AbortSignal): Promise<Same> {
    const place = this.rankOf(row);
    return place.rank.api.same(kind, place.row, signal);
  }

  source(kind: EventKind, row: number, signal?: AbortSignal): Promise<EventSourceText> {
    const place = this.rankOf(row);
    return place.rank.api.source(kind, place.row, signal);
  }

  // The windows of the ranks, merged to one.
  async search(query: SearchQuery, signal?: AbortSignal): Promise<SearchAnswer> {
    const limit = query.limit ?? 1000;
    const answers = await Promise.all(
      this.ranks.map((rank) =>
        this.turns.run(() => {
          const { delta } = rank;
          const moved = { ...query, limit, ...(query.after === undefined ? {} : { after: query.after - delta }), ...(query.until === undefined ? {} : { until: Math.min(query.until, Number.MAX_SAFE_INTEGER) - delta }) };
          return rank.api.search(moved, signal);
        }, signal),
      ),
    );
    const hits = answers.flatMap((answer, at) => answer.hits.map((hit) => this.ref(at, hit))).sort((a, b) => a.start_ns - b.start_ns || a.row - b.row);
    const fromEnd = query.until !== undefined && query.after === undefined;
    const dropped = Math.max(0, hits.length - limit);
    return {
      count: answers.reduce((sum, answer) => sum + answer.count, 0),
      names: answers.reduce((most, answer) => Math.max(most, answer.names), 0),
      skipped: answers.reduce((sum, answer) => sum + (answer.skipped ?? 0), 0) + (fromEnd ? dropped : 0),
      hits: fromEnd ? hits.slice(dropped) : hits.slice(0, limit),
    };
  }

  // Of the first rank: what holds for all of them, as families of kernels do.
  document<T>(verb: string, query: DocumentQuery = {}, signal?: AbortSignal): Promise<T> {
    return this.documentOf(0, verb, query, signal);
  }

  // A document of one rank; a range is on the axis of the run.
  async documentOf<T>(at: number, verb: string, query: DocumentQuery = {}, signal?: AbortSignal): Promise<T> {
    // How far ranks are moved is known with their tracks.
    if (query.range) await (this.opening ?? this.tracks());
    const rank = this.ranks[at]!;
    const range: Range | null = query.range ? { start_ns: query.range.start_ns - rank.delta, end_ns: query.range.end_ns - rank.delta } : null;
    return this.turns.run(() => rank.api.document<T>(verb, { ...query, range }, signal), signal);
  }
}
