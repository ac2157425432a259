// The documents of the made trace. Idle time is classified on the whole capture and then cut to the range, as the product does it.

const classes = ['sync_ns', 'round_trip_ns', 'host_work_ns', 'launch_ns', 'device_wait_ns', 'back_to_back_ns', 'edge_ns'];
const ledger = { read: 101234, kept: 101230, repaired: 3, excluded: 1, causes: [{ cause: 'made_up', count: 3, severity: 'info', effect: 'note', example: '<b>not markup</b>' }] };

export function document(trace, verb, query) {
  const range = query.range ?? { start: 0, end: trace.length };
  const made = makers[verb]?.(trace, range, query);
  return made && { schema: `warpsight.${verb}/1`, ...made, ledger };
}

const makers = { flame, memory, report, info, ops, kernels, steps, idle, parts, roofline, lint };

const inRange = (event, range) => event.start < range.end && event.start + event.duration > range.start;
const cutLength = (event, range) => Math.min(event.start + event.duration, range.end) - Math.max(event.start, range.start);

function deviceWork(trace, device) {
  trace.work ??= new Map();
  if (!trace.work.has(device)) {
    const tracks = trace.groups.find((group) => group.kind === 'device' && group.id === String(device)).tracks;
    trace.work.set(device, tracks.filter((track) => track.kind !== 'counter').flatMap((track) => track.rows).sort((a, b) => a.start - b.start));
  }
  return trace.work.get(device);
}

// [start, end, class] over the capture; class null is busy.
function spans(trace, device) {
  trace.spans ??= new Map();
  if (trace.spans.has(device)) return trace.spans.get(device);
  const out = [];
  let end = 0;
  let before = null;
  for (const event of deviceWork(trace, device)) {
    if (event.start > end) {
      const call = event.launch;
      const gap = { before: before?.name ?? null, after: event.name, host: call?.parents.map((one) => one.name).reverse() ?? [] };
      if (!call) out.push([end, event.start, event.start - end <= 2000 ? 'back_to_back_ns' : 'edge_ns', gap]);
      else if (call.start >= end) out.push([end, call.start, 'host_work_ns', gap], [call.start, event.start, 'launch_ns', null]);
      else out.push([end, event.start, 'launch_ns', gap]);
    }
    if (event.start + event.duration > end) out.push([Math.max(end, event.start), event.start + event.duration, null, null]);
    end = Math.max(end, event.start + event.duration);
    before = event;
  }
  if (end < trace.length) out.push([end, trace.length, 'edge_ns', { before: before?.name ?? null, after: null, host: [] }]);
  trace.spans.set(device, out);
  return out;
}

function idle(trace, range, query) {
  return {
    devices: [0, 1].map((device) => {
      const sums = Object.fromEntries(classes.map((key) => [key, 0]));
      let busy = 0;
      const gaps = [];
      for (const [start, end, key, gap] of spans(trace, device)) {
        const part = Math.min(end, range.end) - Math.max(start, range.start);
        if (part <= 0) continue;
        if (key === null) busy += part;
        else sums[key] += part;
        if (gap) gaps.push({ start_ns: Math.max(start, range.start), dur_ns: part, class: key.replace('_ns', ''), before: gap.before === null ? null : trace.names[gap.before], after: gap.after === null ? null : trace.names[gap.after], host: gap.host.map((id) => trace.names[id]) });
      }
      const window = range.end - range.start;
      gaps.sort((a, b) => b.dur_ns - a.dur_ns);
      return { device, window_ns: window, busy_ns: busy, idle_ns: window - busy, classes: sums, gaps_total: gaps.length, gaps: gaps.slice(0, query.limit ?? 1000) };
    }),
  };
}

const sum = (list, value) => list.reduce((total, one) => total + value(one), 0);

function byName(trace, events, range, key) {
  const rows = new Map();
  for (const event of events) {
    if (!inRange(event, range)) continue;
    const id = key(event);
    const time = cutLength(event, range);
    const row = rows.get(id) ?? { event, calls: 0, total: 0, min: Infinity, max: 0 };
    row.calls++;
    row.total += time;
    row.min = Math.min(row.min, time);
    row.max = Math.max(row.max, time);
    rows.set(id, row);
  }
  return [...rows.values()].sort((a, b) => b.total - a.total);
}

function kernels(trace, range) {
  const all = [0, 1].flatMap((device) => byName(trace, deviceWork(trace, device), range, (event) => event.name).map((row) => ({ ...row, device })));
  const work = sum(all, (row) => row.total);
  return {
    rows: all.map((row) => ({ name: trace.names[row.event.name], device: row.device, calls: row.calls, calls_per_step: row.calls / trace.stepRows.length, total_ns: row.total, mean_ns: Math.round(row.total / row.calls), min_ns: row.min, max_ns: row.max, gpu_share: row.total / work, part: row.event.part ?? null, family: row.event.family ?? null })),
    gpu_work_ns: work,
    gpu_busy_ns: sum(idle(trace, range, {}).devices, (device) => device.busy_ns),
  };
}

function ops(trace, range) {
  const host = byName(trace, trace.host, range, (event) => event.name);
  const rows = host.map((row) => ({ name: trace.names[row.event.name], kind: 'op', calls: row.calls, self_cpu_ns: row.total, cpu_ns: row.total, self_gpu_ns: 0, gpu_ns: 0, shapes: null }));
  const byText = new Map(rows.map((row) => [row.name, row]));
  for (const event of trace.gpu) {
    if (!event.op || !inRange(event, range)) continue;
    const row = byText.get(trace.names[event.op.name]);
    if (row) row.self_gpu_ns = row.gpu_ns = row.gpu_ns + cutLength(event, range);
  }
  return { rows, total_self_cpu_ns: sum(rows, (row) => row.self_cpu_ns), total_self_gpu_ns: sum(rows, (row) => row.self_gpu_ns) };
}

function steps(trace, range) {
  const rows = [];
  for (const step of trace.stepRows) {
    if (!inRange(step, range)) continue;
    const window = { start: step.start, end: step.start + step.duration };
    for (const device of idle(trace, window, {}).devices) {
      const work = deviceWork(trace, device.device).filter((event) => inRange(event, window));
      rows.push({ name: step.name, index: step.index, device: device.device, start_ns: step.start, wall_ns: step.duration, busy_ns: device.busy_ns, idle_ns: device.idle_ns, work_ns: sum(work, (event) => cutLength(event, window)), kernels: work.length, launches: work.filter((event) => event.launch).length, memcpys: 1, bound: 'overhead' });
    }
  }
  return { source: 'ProfilerStep', rows };
}

function parts(trace, range) {
  const rows = byName(trace, [0, 1].flatMap((device) => deviceWork(trace, device)), range, (event) => event.part ?? 'other');
  const work = sum(rows, (row) => row.total);
  return {
    rows: rows.map((row) => ({ part: row.event.part ?? 'other', gpu_ns: row.total, gpu_share: row.total / work, kernels: row.calls, calls_per_step: row.calls / 4 })),
    gpu_work_ns: work,
    model: { name: 'Llama-like', layers: 22, hidden: 2048, ffn: 5632, kv: 256, vocab: 32000, source: 'inferred' },
    accounting: [{ what: 'linear calls', expected: 155, seen: 150, ok: false, how: '7 x 22 layers + 1', cause: 'made up' }],
  };
}

function roofline() {
  const row = (op, kind, intensity, flops, bound, ns) => ({ op, shapes: '[[1, 2048], [2048, 256]]', types: null, device: 0, kind, calls: 10, gpu_ns: ns, flops: 1e9, bytes: 1e9 / intensity, intensity, flops_per_s: flops, bytes_per_s: flops / intensity, arithmetic: 'fp16', bound, bound_ns: Math.round(ns / 3), efficiency_share: 0.33, lost_ns: Math.round(ns * 0.67), note: null });
  return {
    rows: [row('aten::mm', 'gemm', 1, 2e11, 'memory', 680000), row('aten::addmm', 'gemm', 300, 4e14, 'compute', 420000), row('aten::add', 'elementwise', 0.17, 3e10, 'memory', 90000)],
    peaks: { device: 0, name: 'H200 SXM', source: 'datasheet', bytes_per_s: 4.8e12, flops_per_s: { fp16: 9.89e14, fp32: 6.7e13, fp64: null } },
  };
}

function report(trace, range) {
  const device = idle(trace, range, {}).devices[0];
  const gap = device.gaps.find((one) => one.class === 'host_work');
  return {
    verdict: `${trace.stepRows.length} steps; the GPU worked a little: overhead-bound`,
    findings: [
      { id: 'serial_dispatch', title: 'CUDA-graph the step: the GPU waits for the host to launch its work', severity: 'high', evidence: ['most of every step the queue was empty', '<b>not markup</b>'], gain_ns: device.idle_ns, advice: 'Launch less from the host.', places: gap ? [{ start_ns: gap.start_ns, end_ns: gap.start_ns + gap.dur_ns, what: 'the largest gap' }] : [] },
      { id: 'unfused_norm', title: 'Normalisation runs op by op', severity: 'low', evidence: ['norms in a step: 10'], gain_ns: null, advice: 'Use a fused norm.' },
    ],
    not_evaluated: [{ rule: 'clocks', reason: 'the recording has no GPU clocks' }],
    counters: joined(trace),
    what_ifs: [{ id: 'gaps_removed', what: 'gaps removed', from_ns: 5_000_000, step_ns: 900_000, gain_ns: 4_100_000 }],
  };
}

export const reportFiles = ['/tmp/made <i>kernels</i>.ncu-rep', '/tmp/another program.ncu-rep'];

// What became of the counter reports: the first has a kernel of the recording, the second none.
function joined(trace) {
  const kernel = trace.names.find((name) => name.startsWith('flash_fwd_kernel'));
  const missing = trace.names.find((name) => name.startsWith('nvjet'));
  const light = { compute_share: 0.71, memory_share: 0.49, dram_share: 0.06, l2_share: null, l1_share: 0.5, occupancy_share: 0.47 };
  return {
    note: 'Times are the timeline\u2019s.',
    step: 'ProfilerStep#1',
    steps_before_recording: 3,
    missing_share: 0.05,
    matched: [{ kernel, grid: [128, 1, 1], block: [256, 1, 1], calls: 40, gpu_ns: 480000, gpu_share: 0.05, report: reportFiles[0], id: 3, launches: [{ report: reportFiles[0], id: 3 }], profiled_name: kernel, matched_by: 'name, grid and block', mean_ns: 12000, profiled_ns: 15000, speed_of_light: light, why: 'compute bound', verdict: 'compute-bound: tensor cores at 71.4 % of their peak <b>', verdict_id: 'compute_bound', findings: [], not_evaluated: [] }],
    unmatched_counters: [{ kernel: 'gemm_naive<b>(const float *, int)', grid: [128, 128, 1], block: [16, 16, 1], report: reportFiles[1], id: 0, reason: 'no kernel of this name' }],
    missing: [{ kernel: missing, calls: 40, gpu_ns: 400000, gpu_share: 0.04, launch_skip: 10, launch_count: 10, launch_skip_from_first_step: 40, other_kernels: 0, not_profiled: null, command: `warpsight profile --kernel-name ${missing} --launch-skip 10 --launch-count 10 -o counters.ncu-rep -- COMMAND`, ncu_command: `ncu --set full --kernel-name ${missing} --launch-skip 10 --launch-count 10 -o counters COMMAND` }],
  };
}

function info(trace) {
  return { file: 'made.wscap', producer: 'mock', version: '1', devices: [{ id: 0, name: 'NVIDIA H200' }, { id: 1, name: 'NVIDIA H200' }], counts: { ops: trace.host.length, kernels: trace.gpu.length, memcpys: 4 }, start_ns: 0, end_ns: trace.length };
}

function lint() {
  return { condition_holds: false, checks: 20, counts: { error: 0, warning: 1, info: 0 }, findings: [{ id: 'made', severity: 'warning', count: 12, symptom: 'Something <i>small</i> is off.', effect: 'Times are a little longer.', advice: 'Record again.', examples: [] }] };
}

const kindOfHost = (name) => (/^ProfilerStep/.test(name) ? 'annotation' : /^cuda/.test(name) ? 'api' : 'op');

// Stacks of [name, kind] from the outermost in, with what each spent by itself.
function stacks(trace, by, range) {
  const out = [];
  const text = (event) => trace.names[event.name];
  const step = (event) => [text(event).replace(/^ProfilerStep#\d+$/, 'ProfilerStep*'), kindOfHost(text(event))];
  const spent = (event) => (inRange(event, range) ? cutLength(event, range) : 0);
  const pathOf = (event) => [...event.parents].reverse().concat(event).map(step);
  if (by === 'gpu') {
    for (const event of trace.gpu) {
      const kind = /^Memcpy/.test(text(event)) ? 'memcpy' : 'kernel';
      if (spent(event)) out.push({ path: [...(event.op ? pathOf(event.op) : []), [text(event), kind]], split: trace.tracks.get(event.track).name, self: spent(event) });
    }
    return out;
  }
  const tracks = trace.groups.flatMap((group) => group.tracks);
  const wanted = by === 'host' ? 'calls' : 'frames';
  for (const track of tracks.filter((one) => one.kind === wanted)) {
    const open = [];
    for (const event of [...track.rows].sort((a, b) => a.start - b.start || a.depth - b.depth)) {
      while (open.length && open[open.length - 1].event.depth >= event.depth) open.pop();
      const around = open[open.length - 1];
      const path = [...(around?.path ?? []), by === 'host' ? step(event) : [text(event), 'python']];
      if (spent(event)) {
        out.push({ path, split: track.name, self: by === 'samples' ? Math.ceil(spent(event) / 1e5) : spent(event) });
        if (around && by !== 'samples') out.push({ path: around.path, split: track.name, self: -spent(event), count: 0 });
      }
      open.push({ event, path });
    }
  }
  return out;
}

function flame(trace, range, query) {
  const by = query.by ?? 'host';
  const unit = by === 'samples' ? 'samples' : 'ns';
  const root = { children: new Map(), self: 0, total: 0, count: 0 };
  for (const { path, split, self, count } of stacks(trace, by, range)) {
    let at = root;
    root.total += self;
    for (const [name, kind] of [...(query.split ? [[split, by === 'gpu' ? 'stream' : 'thread']] : []), ...path]) {
      const key = `${kind} ${name}`;
      if (!at.children.has(key)) at.children.set(key, { name, kind, children: new Map(), self: 0, total: 0, count: 0 });
      at = at.children.get(key);
      at.total += self;
    }
    at.self += self;
    at.count += count ?? 1;
  }
  const frames = [];
  const most = query.limit === 0 ? Infinity : (query.limit ?? 2000);
  let all = 0;
  const add = (node, parent) => {
    let rest = null;
    for (const child of [...node.children.values()].sort((a, b) => b.total - a.total)) {
      all++;
      if (frames.length >= most) {
        rest ??= { name: null, kind: 'rest', parent, [`total_${unit}`]: 0, [`self_${unit}`]: 0, count: 0, frames_left_out: 0 };
        rest[`total_${unit}`] += child.total;
        rest[`self_${unit}`] += child.total;
        rest.frames_left_out++;
        continue;
      }
      const place = frames.push({ name: child.name, kind: child.kind, parent, [`total_${unit}`]: child.total, [`self_${unit}`]: child.self, count: child.count }) - 1;
      add(child, place);
    }
    if (rest) frames.push(rest);
  };
  add(root, null);
  return { by, split: Boolean(query.split), unit, window_ns: range.end - range.start, [`total_${unit}`]: root.total, frames_total: all, frames };
}

function memory(trace, range) {
  const counters = trace.groups.flatMap((group) => group.tracks).filter((track) => track.kind === 'counter' && track.unit === 'B');
  const usage = counters.map((track) => {
    const before = track.rows.filter((row) => row.start <= range.start).slice(-1);
    const inside = track.rows.filter((row) => row.start > range.start && row.start < range.end);
    const rows = [...before.map((row) => ({ ...row, start: range.start })), ...inside];
    const values = rows.map((row) => Math.round(row.value));
    const peak = Math.max(...values);
    return { name: track.name, process: null, device: 0, allocator: false, samples: inside.length, first_bytes: values[0], last_bytes: values[values.length - 1], least_bytes: Math.min(...values), peak_bytes: peak, start_ns: rows[values.indexOf(peak)].start, device_bytes: 150e9 };
  });
  const copied = trace.gpu.filter((event) => /^Memcpy/.test(trace.names[event.name]) && inRange(event, range));
  const bytes = copied.length * 1048576;
  const time = sum(copied, (event) => cutLength(event, range));
  const copies = copied.length ? [{ kind: 'memcpy', direction: 'host to device', from: 'pageable', to: 'device', device: 0, count: copied.length, total_ns: time, bytes, bytes_per_s: bytes / (sum(copied, (event) => event.duration) / 1e9), longest_row: copied[0].row }] : [];
  return { usage, copies, calls: [{ name: 'cudaMalloc <b>', calls: 9, total_ns: 900_000, calls_in_steps: 8, in_steps_ns: 800_000 }], steps: trace.stepRows.length, reports_without_totals: false };
}
