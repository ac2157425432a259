// A made trace, the same each time: two devices with overlapping streams, nested host events that launch, counters, steps, names
// that want to be markup, and a stream of 100,000 kernels. Times are ns from the trace's start, which is that of a clock of 1970, so
// that what keeps only 53 bits of a time is found out.

export const base = 1790857026123456789n;

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const kernels = [
  ['nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT', 'gemm', 'q', 9000],
  ['void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<c10::Half, c10::Half, c10::Half>, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)', 'elementwise', 'residual', 1800],
  ['void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float, float, float> > >(at::native::ReduceOp<float>)', 'reduction', 'norm', 2600],
  ['flash_fwd_kernel<Flash_fwd_kernel_traits<128, 64, 64, 4, false, false, cutlass::half_t> >', 'attention', 'attention', 12000],
  ['void at::native::(anonymous namespace)::CatArrayBatchedCopy<c10::Half, unsigned int, 4, 64, 64>(c10::Half*)', 'copy', 'kv_cache', 2100],
  ['ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)', 'collective', 'collective', 30000],
];
export const hostile = [
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  `long_${'x'.repeat(10_000)}`,
  '\u{1F680}\u{1F525} emoji kernel',
  '\u05e9\u05dc\u05d5\u05dd \u202edesrever\u202c \u0627\u0644\u0639\u0631\u0628\u064a\u0629',
  'quotes " \' & </title> \\ %s ${x}',
];

export function makeTrace({ many = 100_000, steps = 4 } = {}) {
  const names = [];
  const nameIds = new Map();
  const nameOf = (text) => {
    if (!nameIds.has(text)) {
      nameIds.set(text, names.length);
      names.push(text);
    }
    return nameIds.get(text);
  };
  const host = [];
  const gpu = [];
  const groups = [];
  let nextTrack = 0;
  const addTrack = (group, track) => {
    const made = { track: nextTrack++, unit: null, min: null, max: null, depths: 1, events: 0, rows: [], ...track };
    group.tracks.push(made);
    return made;
  };
  const addGroup = (kind, id, name) => {
    const group = { name, kind, id, tracks: [] };
    groups.push(group);
    return group;
  };
  const add = (list, kind, track, depth, name, start, duration, more = {}) => {
    const event = { kind, row: list.length, track: track.track, depth, name: nameOf(name), start, duration, launch: null, launched: [], parents: [], facts: [], ...more };
    list.push(event);
    track.rows.push(event);
    track.depths = Math.max(track.depths, depth + 1);
    track.events++;
    return event;
  };

  const next = random(7);
  const stepGroup = addGroup('steps', 'steps', 'Steps');
  const devices = [0, 1].map((device) => addGroup('device', String(device), `GPU ${device}: NVIDIA H200`));
  const main = addGroup('process', '100', 'python (100)');
  const other = addGroup('process', '200', 'data loader <b>200</b>');
  const counters = addGroup('counters', 'counters', 'Counters');
  const stepTrack = addTrack(stepGroup, { name: 'ProfilerStep', kind: 'steps' });
  const compute = addTrack(devices[0], { name: 'stream 7', kind: 'stream', device: 0 });
  const side = addTrack(devices[0], { name: 'stream 13', kind: 'stream', device: 0 });
  const copies = addTrack(devices[0], { name: 'stream 20 (copies)', kind: 'stream', device: 0 });
  const dense = addTrack(devices[1], { name: 'stream 7', kind: 'stream', device: 1 });
  const thread = addTrack(main, { name: 'thread 100 (main)', kind: 'calls' });
  const frames = addTrack(main, { name: 'thread 100 Python frames', kind: 'frames' });
  const autograd = addTrack(main, { name: 'thread 101 (autograd)', kind: 'calls' });
  const loader = addTrack(other, { name: 'thread 200', kind: 'calls' });

  const stepRows = [];
  let at = 1_000_000;
  let correlation = 1;
  let free = 0;
  for (let s = 0; s < steps; s++) {
    const begin = at;
    const stepEvent = add(host, 'host', thread, 0, `ProfilerStep#${s}`, begin, 0);
    const frame = Array.from({ length: 9 }, (_, d) => add(host, 'host', frames, d, `model.py(${10 + d * 7}): ${['<module>', 'main', 'train', 'forward', '_call_impl', 'forward', 'linear', 'attend', 'matmul'][d]}`, begin + d * 900, 0));
    let now = begin + 40_000;
    for (let op = 0; op < 60; op++) {
      const [kernel, family, part, mean] = kernels[op % kernels.length];
      const outer = add(host, 'host', thread, 1, family === 'gemm' ? 'aten::linear' : `aten::${part}`, now, 0, { parents: [stepEvent], facts: [['shapes', '[[1, 2048], [2048, 2048]]'], ['sequence', s * 60 + op]] });
      const inner = add(host, 'host', thread, 2, family === 'gemm' ? 'aten::mm' : `aten::${family}`, now + 8_000, 0, { parents: [outer, stepEvent], facts: [['shapes', '[[1, 2048], [2048, 2048]]']] });
      const call = add(host, 'host', thread, 3, 'cudaLaunchKernel', now + 22_000, 7_000 + Math.floor(next() * 4000), { parents: [inner, outer, stepEvent], facts: [['correlation', correlation]] });
      const target = family === 'collective' || family === 'copy' ? side : compute;
      const start = Math.max(free, call.start + 5_000 + Math.floor(next() * 6000));
      const duration = Math.floor(mean * (0.8 + next() * 0.5));
      const lane = target === side && side.rows.length && last(side.rows).start + last(side.rows).duration > start ? (last(side.rows).depth + 1) % 2 : 0;
      const work = add(gpu, 'gpu', target, lane, op === 33 ? hostile[s % hostile.length] : kernel, start, duration, {
        launch: call, op: inner, part, family, facts: [['stream', target === side ? 13 : 7], ['grid', '128 x 1 x 1'], ['block', '256 x 1 x 1'], ['correlation', correlation], ['registers', 96], ['shared memory', '48.00 kB']],
      });
      if (target === compute) free = start + duration;
      call.launched.push(work);
      correlation++;
      inner.duration = call.start + call.duration + 3_000 - inner.start;
      outer.duration = inner.start + inner.duration + 4_000 - outer.start;
      now = outer.start + outer.duration + 5_000 + Math.floor(next() * 40_000);
    }
    const sync = add(host, 'host', thread, 1, 'cudaDeviceSynchronize', now, Math.max(1000, free - now) + 12_000, { parents: [stepEvent] });
    now = sync.start + sync.duration + 30_000;
    const copy = add(gpu, 'gpu', copies, 0, 'Memcpy HtoD (Pageable -> Device)', sync.start + 4_000, 60_000, { part: 'copies', family: 'copy', facts: [['stream', 20], ['bytes', 1048576]] });
    void copy;
    stepEvent.duration = now - begin;
    frame.forEach((f, d) => (f.duration = now - 500 * d - f.start));
    add(host, 'host', stepTrack, 0, `ProfilerStep#${s}`, begin, stepEvent.duration, { facts: [['index', s]] });
    stepRows.push({ name: `ProfilerStep#${s}`, index: s, start: begin, duration: stepEvent.duration });
    at = now + 20_000;
  }
  // Overlapping work in lanes, and two events at one ns.
  for (let i = 0; i < 40; i++) add(gpu, 'gpu', side, 2 + (i % 2), kernels[5][0], 1_500_000 + i * 40_000, 55_000, { part: 'collective', family: 'collective', facts: [['stream', 13]] });
  hostile.forEach((name, i) => add(host, 'host', autograd, 0, name, 1_200_000 + i * 300_000, 200_000, { facts: [[name.slice(0, 100), name]] }));
  add(host, 'host', autograd, 0, 'first of one ns', 5_000_000, 1);
  add(host, 'host', autograd, 1, 'second of one ns', 5_000_000, 1);
  const length = Math.max(at, 1_000_000 + many * 60) + 500_000;
  const every = Math.floor((length - 2_000_000) / many);
  for (let i = 0; i < many; i++) add(gpu, 'gpu', dense, 0, kernels[i % 4][0], 1_000_000 + i * every, Math.max(1, Math.floor(every * (0.2 + 0.6 * Math.abs(Math.sin(i / 9000))))), { part: kernels[i % 4][2], family: kernels[i % 4][1], facts: [['stream', 7]] });
  for (let i = 0; i < 30; i++) add(host, 'host', loader, 0, 'collate <b>batch</b>', 900_000 + i * 200_000, 150_000);

  const samples = (unit, name, high) => {
    const track = addTrack(counters, { name, kind: 'counter', unit, min: 0, max: high });
    for (let t = 0; t < length; t += 20_000) track.rows.push({ start: t, value: high * (0.5 + 0.5 * Math.sin(t / 700_000)) * (0.7 + 0.3 * next()) });
    track.events = track.rows.length;
    return track;
  };
  samples('%', 'GPU 0 SM active', 100);
  samples('B', 'GPU 0 memory used', 8.2e10);

  // Computed of each device, under numbers behind all others.
  for (const group of devices) {
    const work = group.tracks.flatMap((track) => track.rows).sort((a, b) => a.start - b.start);
    const every = 20_000;
    const busy = addTrack(group, { name: 'busy share', kind: 'counter', unit: '%', min: 0, max: 100 });
    group.tracks.unshift(group.tracks.pop());
    const filled = new Float64Array(Math.ceil(length / every));
    let end = 0;
    for (const event of work) {
      for (let t = Math.max(end, event.start); t < event.start + event.duration; ) {
        const at = Math.floor(t / every);
        const to = Math.min(event.start + event.duration, (at + 1) * every);
        filled[at] += to - t;
        t = to;
      }
      end = Math.max(end, event.start + event.duration);
    }
    filled.forEach((ns, i) => busy.rows.push({ start: i * every, value: (100 * ns) / every }));
    busy.events = busy.rows.length;
    const waits = work.filter((event) => event.launch && event.launch.start + event.launch.duration < event.start);
    const changes = waits.flatMap((event) => [[event.launch.start + event.launch.duration, 1], [event.start, -1]]).sort((a, b) => a[0] - b[0]);
    if (!changes.length) continue;
    const queue = addTrack(group, { name: 'queue depth', kind: 'counter', min: 0, max: 0 });
    group.tracks.splice(1, 0, group.tracks.pop());
    let depth = 0;
    for (const [start, by] of changes) {
      depth += by;
      queue.max = Math.max(queue.max, depth);
      queue.rows.push({ start, value: depth });
    }
    queue.events = queue.rows.length;
  }

  for (const group of groups) for (const track of group.tracks) if (track.kind !== 'counter') track.rows.sort((a, b) => a.depth - b.depth || a.start - b.start);
  return { length, names, host, gpu, groups, stepRows, tracks: new Map(groups.flatMap((group) => group.tracks.map((track) => [track.track, track]))), families: Object.fromEntries(kernels.map((k) => [k[0], k[1]])) };
}

const last = (list) => list[list.length - 1];
