// A server for development and tests: the interface of docs/design/http-api.md over a made trace, and the built page from dist/.
//
//     node test/mock_server.mjs [PORT [RANKS]]     0 takes a free one; the address is printed

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { base, makeTrace } from './mock/data.mjs';
import { diff } from './mock/diff.mjs';
import { document, reportFiles } from './mock/documents.mjs';
import { tile } from './mock/tiles.mjs';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
const readingMs = 900;
const [reportFile] = reportFiles;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Absolute times leave as they are in a real trace; numbers here are small, so that the digits are added while they are text.
const encode = (value, at = base) => JSON.stringify(value).replace(/"(start_ns|end_ns)":(-?\d+)/g, (_, key, ns) => `"${key}":${BigInt(ns) + at}`);

function timeOf(query, key, trace, anywhere = false) {
  const text = query.get(key);
  if (text === null || !/^-?\d+$/.test(text)) throw new Refused(400, `${key}: '${text}' is no time: give whole nanoseconds`);
  const ns = Number(BigInt(text) - (trace.base ?? base));
  if (!anywhere && (ns < 0 || ns > trace.length)) throw new Refused(400, `${key}: ${text} lies outside of the trace`);
  return ns;
}

function wholeOf(query, key, fallback) {
  const text = query.get(key);
  if (text === null && fallback !== undefined) return fallback;
  if (!/^\d{1,9}$/.test(text ?? '')) throw new Refused(400, `${key}: '${text}' is no number`);
  return Number(text);
}

// `ranks`: so many ranks of one run on clocks of their own in place of the usual traces, with `streams` more each; `aligned`: whether
// those clocks agree.
export function start({ port = 0, ranks = 0, streams = 0, aligned = true } = {}) {
  const began = Date.now();
  const traces = ranks ? ranksOfRun(ranks, streams) : [
    { file: '/tmp/made.wscap', trace: makeTrace(), total: 12_345_678, ready: readingMs },
    { file: '/tmp/second <b>run</b>.json.gz', trace: makeTrace({ many: 2000, steps: 2 }), total: null, ready: 0 },
    { file: '/tmp/broken.json', trace: null, total: 10, error: '/tmp/broken.json: is not a recording: give a trace <script>' },
  ];
  const statusOf = (one) => (one.error ? 'failed' : Date.now() - began >= one.ready ? 'ready' : 'reading');

  const refOf = (trace, event) => event && { kind: event.kind, row: event.row, track: event.track, depth: event.depth, name: trace.names[event.name], start_ns: event.start, duration_ns: event.duration };

  const answers = {
    tracks: (trace) => ({
      schema: 'warpsight.tracks/1',
      start_ns: 0,
      end_ns: trace.length,
      groups: trace.groups.map((group) => ({ ...group, tracks: group.tracks.map(({ rows, device, ...track }) => track) })),
    }),
    tile: (trace, query) => {
      const track = trace.tracks.get(wholeOf(query, 'track'));
      if (!track) throw new Refused(404, 'track: there is no such track');
      const [from, to] = [timeOf(query, 'start', trace, true), timeOf(query, 'end', trace, true)];
      if (to <= from) throw new Refused(400, 'end: does not lie after start');
      return tile(track, from, to, wholeOf(query, 'px'));
    },
    names: (trace, query) => {
      const ids = (query.get('ids') ?? '').split(',').map(Number);
      return { names: Object.fromEntries(ids.filter((id) => trace.names[id] !== undefined).map((id) => [id, cut(trace.names[id])])) };
    },
    event: (trace, query) => {
      const event = eventOf(trace, query);
      const parents = event.parents.map((one) => refOf(trace, one));
      return {
        ...refOf(trace, event),
        decoded: event.family === 'gemm' ? { library: 'cuBLASLt', kind: 'gemm', tile: [64, 8, 64], label: 'nvjet f16 64x8x64 TN' } : null,
        self_ns: event.kind === 'host' ? Math.round(event.duration / 3) : null,
        facts: query.get('kind') === 'step' ? event.facts : [...event.facts, ['source', query.get('row')]],
        part: event.part ?? null,
        bound: event.family === 'gemm' ? 'memory' : null,
        efficiency: event.family === 'gemm' ? 0.42 : null,
        counters: event.family === 'attention' ? counters(trace, event) : null,
        launched_by: refOf(trace, event.launch),
        op: refOf(trace, event.op ?? null) ?? null,
        launches: { count: event.launched.length, first: event.launched.slice(0, 100).map((one) => refOf(trace, one)) },
        parents,
      };
    },
    source: (trace, query) => {
      const event = eventOf(trace, query);
      const text = `{"name": ${JSON.stringify(trace.names[event.name])}, "args": {"id": 18446744073709551615, "dims": [[1, 2048], []]}}`;
      return { source: String(query.get('row')), text, cut: false };
    },
    same: (trace, query) => {
      const event = eventOf(trace, query);
      const like = (event.kind === 'gpu' ? trace.gpu : trace.host).filter((one) => one.name === event.name);
      const times = like.map((one) => one.duration);
      const [min, max] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
      const total = times.reduce((a, b) => a + b, 0);
      const bins = Math.min(24, times.length);
      const edge = (i) => Math.round(Math.max(min, 1) * ((max + 1) / Math.max(min, 1)) ** (i / bins));
      const histogram = Array.from({ length: bins }, (_, i) => ({ from_ns: edge(i), to_ns: edge(i + 1), count: 0 }));
      for (const time of times) (histogram.find((bin) => time < bin.to_ns) ?? histogram[bins - 1]).count++;
      return { name: trace.names[event.name], count: times.length, total_ns: total, min_ns: min, max_ns: max, mean_ns: Math.round(total / times.length), histogram };
    },
    search: (trace, query) => {
      const text = query.get('q') ?? '';
      let matches = (name) => name.toLowerCase().includes(text.toLowerCase());
      if (query.get('regex') === '1') {
        try {
          const pattern = new RegExp(text, 'i');
          matches = (name) => pattern.test(name);
        } catch {
          throw new Refused(400, `q: '${text}' is no regular expression`);
        }
      }
      const ids = new Set(trace.names.flatMap((name, id) => (matches(name) ? [id] : [])));
      const all = [...trace.host, ...trace.gpu].filter((event) => ids.has(event.name)).sort((a, b) => a.start - b.start);
      const limit = Math.min(1000, wholeOf(query, 'limit', 100));
      let first = 0;
      if (query.has('until')) {
        const until = timeOf(query, 'until', trace, true);
        first = Math.max(0, all.filter((event) => event.start < until).length - limit);
      } else if (query.has('after')) {
        const after = timeOf(query, 'after', trace, true);
        first = all.filter((event) => event.start < after).length;
      }
      return { count: all.length, names: ids.size, skipped: first, hits: all.slice(first, first + limit).map((event) => refOf(trace, event)) };
    },
  };

  // As `report` joins a counter report to the timeline.
  function counters(trace, event) {
    return {
      kernel: trace.names[event.name],
      grid: [128, 1, 1],
      block: [256, 1, 1],
      calls: 40,
      gpu_ns: 480000,
      gpu_share: 0.05,
      report: reportFile,
      id: 3,
      launches: [{ report: reportFile, id: 3 }],
      profiled_name: trace.names[event.name],
      matched_by: 'name, grid and block',
      mean_ns: 12000,
      profiled_ns: 15000,
      speed_of_light: { compute_share: 0.71, memory_share: 0.49, dram_share: 0.06, l2_share: null, l1_share: 0.5, occupancy_share: 0.47 },
      why: 'compute bound',
      verdict: 'compute-bound: tensor cores at 71.4 % of their peak <b>',
      verdict_id: 'compute_bound',
      findings: [{ id: 'bank_conflicts', title: 'Shared-memory bank conflicts: 88.6 % of its wavefronts', severity: 'high', evidence: ['bank conflicts: 8,126,464 of 9,175,040 wavefronts'], gain_ns: null, gain_share: 0.7626, gain_of: 'kernel', advice: 'Pad the array by one element a row.' }],
      not_evaluated: [],
    };
  }

  function eventOf(trace, query) {
    const kind = query.get('kind');
    const list = kind === 'gpu' ? trace.gpu : kind === 'host' ? trace.host : null;
    const event = list?.[wholeOf(query, 'row')];
    if (!event) throw new Refused(400, `row=${query.get('row')}: give a number from 0 to ${(list?.length ?? 1) - 1}`);
    return event;
  }

  function answer(path, query) {
    if (path === '/api/v1/state') {
      return {
        schema: 'warpsight.state/1',
        version: '0.1.0',
        traces: traces.map((one, id) => {
          const status = statusOf(one);
          const done = status === 'reading' ? Math.round((one.total * (Date.now() - began)) / one.ready) : (one.total ?? 1000);
          return { id, file: one.file, status, done_bytes: done, total_bytes: one.total, error: one.error ?? null };
        }),
        reports: reportFiles.map((file) => ({ file, status: 'ready', error: null })),
      };
    }
    if (path === '/api/v1/ranks') return ranksAnswer(traces, ranks, aligned);
    const [, id, verb] = /^\/api\/v1\/traces\/(\d+)\/(.+)$/.exec(path) ?? [];
    const one = traces[Number(id)];
    if (!one) throw new Refused(404, 'there is no such path');
    if (statusOf(one) !== 'ready') throw new Refused(409, 'the trace is still being read');
    if (answers[verb]) return answers[verb](one.trace, query);
    const [, name] = /^documents\/([a-z]+)$/.exec(verb) ?? [];
    if (name === 'diff') {
      const other = traces[wholeOf(query, 'with')];
      if (!other) throw new Refused(400, 'with: there is no such trace');
      if (statusOf(other) !== 'ready') throw new Refused(409, 'the trace is still being read');
      return diff(one, other);
    }
    const given = {};
    if (query.has('range')) {
      const [from, to] = query.get('range').split(':');
      given.range = { start: timeOf(new URLSearchParams({ range: from }), 'range', one.trace), end: timeOf(new URLSearchParams({ range: to }), 'range', one.trace) };
    }
    if (query.has('limit')) given.limit = wholeOf(query, 'limit');
    if (name === 'flame') {
      given.by = query.get('by') ?? 'host';
      given.split = query.get('split') === '1';
      if (!['host', 'gpu', 'python', 'samples'].includes(given.by)) throw new Refused(400, `by=${given.by}: give host, gpu, python or samples`);
    }
    const made = name && document(one.trace, name, given);
    if (!made) throw new Refused(404, 'there is no such path');
    return made;
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const headers = { 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'", 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };
    try {
      if (url.pathname.startsWith('/api/')) {
        const made = answer(url.pathname, url.searchParams);
        const binary = Buffer.isBuffer(made);
        response.writeHead(200, { ...headers, 'Content-Type': binary ? 'application/octet-stream' : 'application/json' });
        const at = traces[Number(/traces\/(\d+)/.exec(url.pathname)?.[1] ?? 0)]?.trace?.base;
        response.end(binary ? made : encode(made, at));
        return;
      }
      const name = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
      if (!/^[\w.-]+$/.test(name)) throw new Refused(404, 'there is no such path');
      const bytes = await readFile(join(dist, name));
      response.writeHead(200, { ...headers, 'Content-Type': types[extname(name)] ?? 'application/octet-stream' });
      response.end(bytes);
    } catch (error) {
      const status = error instanceof Refused ? error.status : error.code === 'ENOENT' ? 404 : 500;
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: error.message }));
    }
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve({ server, url: `http://127.0.0.1:${server.address().port}/` })));
}

// Rank r's clock is r seconds and 40 r ms ahead, and it began 3 r us later.
const ahead = (rank) => BigInt(rank) * 1_040_000_000n;

function ranksOfRun(count, streams) {
  const made = makeTrace({ many: 300, steps: 3 });
  const device = made.groups.find((group) => group.kind === 'device');
  for (let i = 0; i < streams; i++) {
    const track = { ...device.tracks[0], track: made.tracks.size, name: `stream ${100 + i}`, rows: device.tracks[0].rows.slice(0, 20), events: 20 };
    device.tracks.push(track);
    made.tracks.set(track.track, track);
  }
  return Array.from({ length: count }, (_, rank) => ({ file: `/tmp/rank${rank}.json.gz`, trace: { ...made, base: base + ahead(rank) + BigInt(3000 * rank) }, total: 1000, ready: 0 }));
}

function ranksAnswer(traces, count, aligned) {
  const answer = { schema: 'warpsight.ranks/1', status: 'not_ranks', reason: 'the recordings are not ranks of one run', clocks: null, world_size: null, ranks: [], comparison: null };
  if (!count) return answer;
  const clocks = aligned ? 'the ranks\u2019 clocks are off by up to 1.040 s: aligned on the ends of common collectives, to +- 4.000 us' : 'the ranks\u2019 clocks are not calibrated and cannot be aligned <b>';
  return {
    ...answer,
    status: aligned ? 'aligned' : 'unaligned',
    reason: aligned ? null : clocks,
    clocks,
    world_size: count,
    comparison: {
      per: 'step',
      verdict: 'rank 0 is the slow one: the others wait 1.000 ms a step for it <b>',
      slow_rank: { rank: 0, causes: ['its host launches later'] },
      matched_collectives: 120,
      rows: traces.map((_, rank) => ({ rank, step_wall_ns: 4_000_000, compute_ns: 2_000_000, idle_ns: 900_000, exposed_collective_ns: 1_100_000, wait_ns: rank ? 1_000_000 : 0, exposed_wait_ns: rank ? 700_000 : 0, transfer_ns: 100_000, last: rank ? 0 : 120 })),
    },
    ranks: traces.map((_, rank) => ({ trace: rank, rank, device: 0, shift_ns: aligned ? -Number(ahead(rank)) : null, error_ns: rank ? 4000 : 0, collectives: rank ? 120 : null, problem: null })),
  };
}

// The interface cuts names at 300 bytes.
function cut(name) {
  const bytes = Buffer.from(name);
  return bytes.length <= 300 ? name : `${bytes.subarray(0, 297).toString('utf8').replace(/\ufffd+$/, '')}...`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await start({ port: Number(process.argv[2] ?? 8090), ranks: Number(process.argv[3] ?? 0) });
  console.log(url);
}
