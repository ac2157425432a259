// The document `diff` of two made traces: medians and scatter of the steps, means of kernels, parts and ops.

import { document } from './documents.mjs';

const whole = (trace) => ({ start: 0, end: trace.length });
const sum = (list, value) => list.reduce((total, one) => total + value(one), 0);

export function diff(a, b) {
  const sides = [a, b];
  const steps = sides.map((side) => byStep(side.trace));
  const kernels = table(sides.map(({ trace }) => document(trace, 'kernels', {}).rows), sides, (row) => row.name, (row) => row.total_ns);
  for (const row of kernels.rows) Object.assign(row, { confidence: null, reason: null, family: null });
  const pair = rename(kernels.rows);
  if (pair) Object.assign(pair, { confidence: 'medium', reason: 'the same op: aten::<b>linear</b>' });
  const ops = table(sides.map(({ trace }) => document(trace, 'ops', {}).rows), sides, (row) => row.name, (row) => row.self_gpu_ns, (row) => row.self_cpu_ns);
  const parts = table(sides.map(({ trace }) => document(trace, 'parts', {}).rows), sides, (row) => row.part, (row) => row.gpu_ns);
  const step = metric(steps, (row) => row.wall);
  return {
    schema: 'warpsight.diff/1',
    a: sideOf(a, steps[0], 'ProfilerStep'),
    b: sideOf(b, steps[1], a === b ? 'ProfilerStep' : 'repetition'),
    by_steps: true,
    facts: [
      { what: 'GPU', a: '2 x NVIDIA H200', b: '2 x NVIDIA H200', differs: false },
      { what: 'batch', a: '1', b: '8 <b>', differs: a !== b },
    ],
    metrics: {
      step,
      busy: metric(steps, (row) => row.busy),
      idle: metric(steps, (row) => row.idle),
      idle_host_work: metric(steps, (row) => row.host_work),
      kernels: metric(steps, (row) => row.kernels, true),
      launches: metric(steps, (row) => row.launches, true),
    },
    kernels,
    parts,
    ops,
    no_gpu: null,
    conditions: [],
    verdict: `a step of B takes ${step.b.median_ns} ns instead of ${step.a.median_ns} ns`,
    ledger: { read: 1, kept: 1, repaired: 0, excluded: 0, causes: [] },
  };
}

const sideOf = (side, steps, source) => ({ file: side.file, producer: 'mock', devices: [], steps: steps.length, step_source: source, first_step_slow: false });

function byStep(trace) {
  const rows = new Map();
  for (const row of document(trace, 'steps', whole(trace)).rows) {
    const step = rows.get(row.index) ?? { wall: row.wall_ns, busy: 0, idle: 0, host_work: 0, kernels: 0, launches: 0 };
    step.busy += row.busy_ns;
    step.idle += row.idle_ns;
    step.host_work += row.idle_ns;
    step.kernels += row.kernels;
    step.launches += row.launches;
    rows.set(row.index, step);
  }
  return [...rows.values()];
}

const medianOf = (values) => {
  const sorted = [...values].sort((x, y) => x - y);
  return Math.floor((sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2);
};

function metric(steps, value, count = false) {
  const sides = steps.map((rows) => {
    const values = rows.map(value);
    const median = medianOf(values);
    return { median, mean: Math.round(sum(values, (one) => one) / values.length), scatter: Math.round(1.4826 * medianOf(values.map((one) => Math.abs(one - median)))) };
  });
  const change = sides[1].median - sides[0].median;
  const noise = Math.round(2 * Math.hypot(sides[0].scatter, sides[1].scatter));
  const shares = { change_share: sides[0].median ? change / sides[0].median : null };
  if (count) return { a: sides[0], b: sides[1], change, ...shares, noise, within_noise: Math.abs(change) <= noise };
  const timed = sides.map((side) => ({ median_ns: side.median, mean_ns: side.mean, scatter_ns: side.scatter }));
  return { a: timed[0], b: timed[1], change_ns: change, ...shares, noise_ns: noise, within_noise: Math.abs(change) <= noise };
}

function table(rows, sides, nameOf, gpu, cpu) {
  const byName = new Map();
  rows.forEach((list, side) => {
    for (const row of list) {
      const name = nameOf(row);
      const made = byName.get(name) ?? { kind: cpu ? 'op' : 'kernel', name, name_before: null, change: 'both', times: [0, 0], cpus: [0, 0], calls: [0, 0], seen: [false, false] };
      const steps = sides[side].trace.stepRows.length;
      made.times[side] += Math.round(gpu(row) / steps);
      made.cpus[side] += cpu ? Math.round(cpu(row) / steps) : 0;
      made.calls[side] += (row.calls ?? row.kernels) / steps;
      made.seen[side] = true;
      byName.set(name, made);
    }
  });
  const out = [...byName.values()].map(({ times, cpus, calls, seen, ...row }) => ({
    ...row,
    change: !seen[0] ? 'appeared' : !seen[1] ? 'vanished' : 'both',
    calls_a: calls[0],
    calls_b: calls[1],
    gpu_a_ns: times[0],
    gpu_b_ns: times[1],
    gpu_change_ns: times[1] - times[0],
    gpu_noise_ns: 500,
    gpu_within_noise: Math.abs(times[1] - times[0]) <= 500,
    ...(cpu ? { cpu_a_ns: cpus[0], cpu_b_ns: cpus[1], cpu_change_ns: cpus[1] - cpus[0], cpu_noise_ns: 500, cpu_within_noise: Math.abs(cpus[1] - cpus[0]) <= 500 } : {}),
  }));
  out.sort((x, y) => Math.max(Math.abs(y.gpu_change_ns), Math.abs(y.cpu_change_ns ?? 0)) - Math.max(Math.abs(x.gpu_change_ns), Math.abs(x.cpu_change_ns ?? 0)));
  const total = (key) => sum(out, (row) => row[key]);
  return { gpu_a_ns: total('gpu_a_ns'), gpu_b_ns: total('gpu_b_ns'), gpu_change_ns: total('gpu_change_ns'), ...(cpu ? { cpu_a_ns: total('cpu_a_ns'), cpu_b_ns: total('cpu_b_ns'), cpu_change_ns: total('cpu_change_ns') } : {}), rows: out };
}

// The first kernel is taken for another one of A, so that a pair can be seen.
function rename(rows) {
  const row = rows.find((one) => one.change === 'both' && one.gpu_change_ns);
  if (!row) return null;
  return Object.assign(row, { change: 'renamed', name_before: `${row.name.slice(0, 40)}_of_a` });
}
