import { describe, expect, it } from 'vitest';
import type { TraceApi } from '../../src/engine/api';
import { RunSource } from '../../src/engine/run_source';
import type { SliceTile } from '../../src/engine/tile';
import { Turns } from '../../src/engine/turns';
import type { RankPlace, Ref, SearchAnswer, Tracks } from '../../src/engine/types';
import { busiestStreams } from '../../src/timeline/controller';

const start = 1_790_857_026_123_456_789n; // a clock of 1970: more than 53 bits

const place = (trace: number, shift: bigint): RankPlace => ({ trace, rank: trace, device: 0, shift_ns: shift, error_ns: 10, collectives: 40, problem: null });

const tracks: Tracks = {
  start_ns: 0,
  end_ns: 1000,
  groups: [
    { name: 'Steps', kind: 'steps', id: '', tracks: [{ track: 0, name: 's', kind: 'steps', depths: 1, events: 3, unit: null, min: null, max: null }] },
    { name: 'GPU 0', kind: 'device', id: '0', tracks: [{ track: 1, name: 'stream 7', kind: 'stream', depths: 1, events: 3, unit: null, min: null, max: null }] },
    { name: 'python', kind: 'process', id: '5', tracks: [{ track: 2, name: 't', kind: 'calls', depths: 1, events: 3, unit: null, min: null, max: null }] },
  ],
};

const ref = (row: number, start_ns: number): Ref => ({ kind: 'gpu', row, track: 1, depth: 0, name: 'k', start_ns, duration_ns: 5 });

const tile = (): SliceTile => ({
  kind: 'slices',
  count: 1,
  start: Float64Array.of(100),
  duration: Float64Array.of(5),
  name: Uint32Array.of(7),
  row: Uint32Array.of(4_000_000_000),
  events: Uint32Array.of(1),
  busy: Float32Array.of(1),
  depth: Uint16Array.of(0),
  eventKind: Uint8Array.of(1),
  offsets: Uint32Array.of(0, 1),
  bytes: 51,
});

// Trace 1's clock is a second ahead, and it began 30 ns later.
function twoRanks(asked: string[] = []): RunSource {
  const apiOf = (trace: number): TraceApi =>
    ({
      start: start + (trace ? 1_000_000_030n : 0n),
      tracks: async () => tracks,
      tile: async (track: number, query: { start: number; end: number; px: number }) => (asked.push(`tile ${trace} ${track} ${query.start} ${query.end}`), tile()),
      names: async (ids: number[]) => (asked.push(`names ${trace} ${ids}`), Object.fromEntries(ids.map((id) => [id, `name ${id} of ${trace}`]))),
      event: async (_kind: string, row: number) => ({ ...ref(row, 100), facts: [['stream', 7]], launched_by: ref(3, 90), op: null, launches: { count: 1, first: [ref(9, 95)] }, parents: [ref(2, 80)] }),
      same: async (_kind: string, row: number) => ({ count: row }),
      search: async (query: { after?: number; until?: number; limit?: number }): Promise<SearchAnswer> => (asked.push(`search ${trace} ${query.after} ${query.until}`), { count: 10, names: 2 + trace, skipped: 1, hits: [ref(1, 100), ref(2, 200)] }),
      document: async (verb: string, query: { range?: { start_ns: number; end_ns: number } | null }) => (asked.push(`${verb} ${trace} ${query.range?.start_ns} ${query.range?.end_ns}`), {}),
    }) as unknown as TraceApi;
  return new RunSource([place(0, 0n), place(1, -1_000_000_000n)], apiOf);
}

describe('RunSource', () => {
  it('puts the groups of all ranks on one axis', async () => {
    const run = twoRanks();
    const all = await run.tracks();
    expect(all.end_ns).toBe(1030);
    expect(all.groups.map((group) => group.name)).toEqual(['rank 0, Steps', 'rank 0, GPU 0', 'rank 1, Steps', 'rank 1, GPU 0', 'rank 0, python', 'rank 1, python']);
    expect(new Set(all.groups.flatMap((group) => group.tracks.map((track) => track.track))).size).toBe(6);
    expect(new Set(all.groups.map((group) => `${group.kind}:${group.id}`)).size).toBe(6);
    expect(RunSource.closed(all)).toEqual(new Set(['process:0/5', 'process:1/5']));
    expect(run.ranks.map((rank) => rank.delta)).toEqual([0, 30]);
    expect(run.absolute(5)).toBe((start + 5n).toString());
  });

  it('asks a rank for its own time and track, and moves what it says', async () => {
    const asked: string[] = [];
    const run = twoRanks(asked);
    const all = await run.tracks();
    const track = all.groups.find((group) => group.name === 'rank 1, GPU 0')!.tracks[0]!.track;
    const made = (await run.tile(track, { start: 0, end: 1024, px: 1024 })) as SliceTile;
    expect(asked).toEqual(['tile 1 1 -30 994']);
    expect(made.start[0]).toBe(130);
    const event = await run.event('gpu', made.row[0]!);
    expect(event).toMatchObject({ row: made.row[0], track, start_ns: 130 });
    expect(event.facts[0]).toEqual(['rank', 1]);
    expect(event.launched_by).toMatchObject({ start_ns: 120, track });
    expect(event.launches.first[0]!.start_ns).toBe(125);
    expect(event.parents[0]!.start_ns).toBe(110);
    expect(await run.same('gpu', made.row[0]!)).toEqual({ count: 4_000_000_000 });
    await expect(run.event('gpu', 2 ** 40)).rejects.toThrow('no such event');
  });

  it('tells the names of ranks apart', async () => {
    const run = twoRanks();
    await run.tracks();
    const [a, b] = (await Promise.all([run.tile(1, { start: 0, end: 10, px: 10 }), run.tile(4, { start: 0, end: 10, px: 10 })])) as [SliceTile, SliceTile];
    expect(a.name[0]).not.toBe(b.name[0]);
    const names = await run.names([a.name[0]!, b.name[0]!, 99]);
    expect(names).toEqual({ [a.name[0]!]: 'name 7 of 0', [b.name[0]!]: 'name 7 of 1' });
  });

  it('merges the hits of a search by time', async () => {
    const asked: string[] = [];
    const run = twoRanks(asked);
    await run.tracks();
    const found = await run.search({ text: 'k', regex: false, after: 50, limit: 3 });
    expect(asked).toEqual(['search 0 50 undefined', 'search 1 20 undefined']);
    expect(found.hits.map((hit) => hit.start_ns)).toEqual([100, 130, 200]);
    expect(found).toMatchObject({ count: 20, names: 3, skipped: 2 });
    const last = await run.search({ text: 'k', regex: false, until: 500, limit: 3 });
    expect(last.hits.map((hit) => hit.start_ns)).toEqual([130, 200, 230]);
    expect(last.skipped).toBe(3);
  });

  it('asks for documents of a rank in its own time', async () => {
    const asked: string[] = [];
    const run = twoRanks(asked);
    await run.tracks();
    await run.documentOf(1, 'idle', { range: { start_ns: 100, end_ns: 200 } });
    await run.document('kernels');
    expect(asked).toEqual(['idle 1 70 170', 'kernels 0 undefined undefined']);
  });
});

describe('Turns', () => {
  it('runs few at a time, all in the end, whatever fails', async () => {
    const turns = new Turns(3);
    let running = 0;
    let most = 0;
    const work = async (i: number): Promise<number> => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 1));
      running--;
      if (i % 5 === 0) throw new Error('no');
      return i;
    };
    const done = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => turns.run(() => work(i))));
    expect(most).toBe(3);
    expect(done.filter((one) => one.status === 'fulfilled')).toHaveLength(32);
  });

  it('does not begin what is no longer wanted', async () => {
    const turns = new Turns(1);
    const request = new AbortController();
    let begun = 0;
    const first = turns.run(() => new Promise<void>((done) => setTimeout(done, 5)));
    const second = turns.run(async () => void begun++, request.signal);
    request.abort();
    await first;
    await expect(second).rejects.toThrow();
    expect(begun).toBe(0);
    await turns.run(async () => void begun++);
    expect(begun).toBe(1);
  });
});

describe('busiestStreams', () => {
  it('takes the fullest stream of each device before second ones', () => {
    const device = (id: number, events: number[]) => ({ name: '', kind: 'device' as const, id: String(id), tracks: events.map((count, i) => ({ track: id * 10 + i, name: '', kind: 'stream' as const, depths: 1, events: count, unit: null, min: null, max: null })) });
    expect(busiestStreams([device(0, [1, 9]), device(1, [5, 4])], 3)).toEqual({ streams: [1, 10, 11], devices: 2 });
    expect(busiestStreams(Array.from({ length: 64 }, (_, i) => device(i, [1, 2])), 48).streams).toHaveLength(48);
  });
});
