// What the server says, as TypeScript types (docs/design/http-api.md). All times in the page are ns from the trace's start:
// absolute ones may need more than the 53 bits of a number, so `exact_times.ts` moves them while they are still text.

// In the order of their numbers in tiles.
export const eventKinds = ['host', 'gpu', 'step', 'span'] as const;
export type EventKind = (typeof eventKinds)[number];

export interface TraceState {
  id: number;
  file: string;
  status: 'reading' | 'ready' | 'failed';
  done_bytes: number;
  total_bytes: number | null;
  error: string | null;
}

export interface ReportState {
  file: string;
  status: 'reading' | 'ready' | 'failed';
  error: string | null;
}

export interface ServerState {
  version: string;
  traces: TraceState[];
  reports: ReportState[];
}

export type TrackKind = 'steps' | 'calls' | 'frames' | 'stream' | 'spans' | 'counter';

export interface Track {
  track: number;
  name: string;
  kind: TrackKind;
  depths: number;
  events: number;
  unit: string | null;
  min: number | null;
  max: number | null;
}

export interface TrackGroup {
  name: string;
  kind: 'steps' | 'device' | 'process' | 'counters';
  id: string;
  tracks: Track[];
}

export interface Tracks {
  start_ns: number;
  end_ns: number;
  groups: TrackGroup[];
}

export interface Ref {
  kind: EventKind;
  row: number;
  track: number;
  depth: number;
  name: string;
  start_ns: number;
  duration_ns: number;
}

export type FactValue = string | number | boolean | null;

// What a counter report says of a kernel: as in the document `report`.
export interface KernelCounters {
  report: string;
  id: number;
  profiled_name: string;
  matched_by: string;
  launches: { report: string; id: number }[];
  profiled_ns: number | null;
  speed_of_light: Record<string, number | null>;
  why: string;
  verdict: string;
  findings: { id: string; title: string; severity: string; evidence: string[]; gain_share: number | null; gain_of: string | null; advice: string | null }[];
}

export interface EventDetail extends Ref {
  decoded: Record<string, unknown> | null;
  self_ns: number | null;
  facts: [string, FactValue][];
  part: string | null;
  bound: string | null;
  efficiency: number | null;
  counters: KernelCounters | null;
  launched_by: Ref | null;
  op: Ref | null;
  launches: { count: number; first: Ref[] };
  parents: Ref[];
}

export interface SearchAnswer {
  count: number;
  names: number;
  skipped?: number;
  hits: Ref[];
}

// What the file says of an event, as the text of a JSON object.
export interface EventSourceText {
  source: string;
  text: string;
  cut: boolean;
}

export interface Same {
  name: string;
  count: number;
  total_ns: number;
  min_ns: number;
  max_ns: number;
  mean_ns: number;
  histogram: { from_ns: number; to_ns: number; count: number }[];
}

export interface Range {
  start_ns: number;
  end_ns: number;
}

export interface LedgerCause {
  cause: string;
  count: number;
  severity: string;
  effect?: string;
  example: string | null;
}

export interface Ledger {
  read: number;
  kept: number;
  repaired: number;
  excluded: number;
  causes: LedgerCause[];
}

export interface KernelRow {
  name: string;
  device: number;
  calls: number;
  calls_per_step: number | null;
  total_ns: number;
  mean_ns: number;
  min_ns: number;
  max_ns: number;
  gpu_share: number | null;
  part: string | null;
  family: string | null;
}

export interface Kernels {
  rows: KernelRow[];
  gpu_work_ns: number;
  gpu_busy_ns: number;
}

export interface OpRow {
  name: string;
  kind: string;
  calls: number;
  self_cpu_ns: number | null;
  cpu_ns: number | null;
  self_gpu_ns: number | null;
  gpu_ns: number | null;
}

export interface Ops {
  rows: OpRow[];
  total_self_cpu_ns: number;
  total_self_gpu_ns: number;
}

export interface StepRow {
  name: string;
  index: number | null;
  device: number;
  start_ns: number;
  wall_ns: number;
  busy_ns: number;
  idle_ns: number;
  work_ns: number;
  kernels: number;
  launches: number;
  memcpys: number;
  bound: string | null;
}

export interface Steps {
  source: string | null;
  rows: StepRow[];
}

export interface Gap {
  start_ns: number;
  dur_ns: number;
  class: string;
  before: string | null;
  after: string | null;
  host: string[];
}

export interface IdleDevice {
  device: number;
  window_ns: number;
  busy_ns: number;
  idle_ns: number;
  classes: Record<string, number>;
  gaps_total?: number;
  gaps: Gap[];
}

export interface Idle {
  devices: IdleDevice[];
}

export interface PartRow {
  part: string;
  gpu_ns: number;
  gpu_share: number | null;
  kernels: number;
  calls_per_step: number | null;
}

export interface Parts {
  rows: PartRow[];
  gpu_work_ns: number;
  model: Record<string, string | number | boolean | null> | null;
  accounting: { what: string; expected: number | null; seen: number | null; ok: boolean | null; how?: string | null; cause?: string | null }[];
}

export interface RooflineRow {
  op: string;
  shapes: string | null;
  device: number;
  kind: string;
  calls: number;
  gpu_ns: number;
  flops: number | null;
  bytes: number | null;
  intensity: number | null;
  flops_per_s: number | null;
  bytes_per_s: number | null;
  arithmetic: string | null;
  bound: string | null;
  bound_ns: number | null;
  efficiency_share: number | null;
  lost_ns: number | null;
}

export interface Peaks {
  name: string | null;
  source: string | null;
  bytes_per_s: number | null;
  flops_per_s: Record<string, number | null> | null;
}

export interface Roofline {
  rows: RooflineRow[];
  peaks: Peaks | null;
}

export interface Place {
  start_ns: number;
  end_ns: number;
  what?: string | null;
}

export interface Finding {
  id: string;
  title: string;
  severity: string;
  evidence: string[];
  gain_ns: number | null;
  advice: string | null;
  places?: Place[];
}

export interface WhatIf {
  id: string;
  what: string;
  from_ns: number;
  step_ns: number;
  gain_ns: number;
}

// A kernel of the recording whose counters were given.
export interface JoinedKernel extends KernelCounters {
  kernel: string;
  gpu_ns: number;
  gpu_share: number;
}

// One that takes much time and has none.
export interface MissingKernel {
  kernel: string;
  gpu_ns: number;
  gpu_share: number;
  launch_skip_from_first_step: number | null;
  other_kernels: number | null;
  not_profiled: string | null;
  command: string | null;
  ncu_command: string | null;
}

export interface JoinedCounters {
  note: string;
  steps_before_recording: number;
  matched: JoinedKernel[];
  unmatched_counters: { kernel: string; grid: number[] | null; block: number[] | null; report: string; id: number; reason: string }[];
  missing: MissingKernel[];
}

export interface Report {
  counters?: JoinedCounters | null;
  verdict: string | null;
  findings: Finding[];
  not_evaluated?: { rule: string; reason: string }[];
  what_ifs?: WhatIf[];
  ledger?: Ledger;
}

export interface DiffSide {
  file: string;
  producer: string | null;
  steps: number | null;
  step_source: string | null;
  first_step_slow: boolean | null;
  ledger?: Ledger;
}

export interface DiffStatistics {
  median_ns?: number;
  mean_ns?: number;
  scatter_ns?: number | null;
  median?: number;
  mean?: number;
  scatter?: number | null;
}

// Times have the keys in _ns, counts those without.
export interface DiffMetric {
  a: DiffStatistics | null;
  b: DiffStatistics | null;
  change_ns?: number | null;
  change?: number | null;
  change_share: number | null;
  noise_ns?: number | null;
  noise?: number | null;
  within_noise: boolean | null;
}

export interface DiffRow {
  kind: string;
  name: string;
  name_before: string | null;
  change: 'both' | 'appeared' | 'vanished' | 'renamed';
  confidence?: string | null;
  reason?: string | null;
  family?: string | null;
  calls_a: number;
  calls_b: number;
  gpu_a_ns: number | null; // null: no GPU work was recorded
  gpu_b_ns: number | null; // null: no GPU work was recorded
  gpu_change_ns: number | null; // null: no GPU work was recorded
  gpu_noise_ns: number | null;
  gpu_within_noise: boolean | null;
  cpu_a_ns?: number;
  cpu_b_ns?: number;
  cpu_change_ns?: number;
  cpu_within_noise?: boolean | null;
}

export interface DiffTable {
  gpu_a_ns: number | null; // null: no GPU work was recorded
  gpu_b_ns: number | null; // null: no GPU work was recorded
  gpu_change_ns: number | null; // null: no GPU work was recorded
  cpu_change_ns?: number;
  rows: DiffRow[];
}

export interface Diff {
  a: DiffSide;
  b: DiffSide;
  by_steps: boolean;
  facts: { what: string; a: string | null; b: string | null; differs: boolean }[];
  metrics: Record<string, DiffMetric>;
  kernels: DiffTable | null;
  parts: DiffTable | null;
  ops: DiffTable;
  no_gpu: string | null;
  verdict: string;
}

// Whether the open traces are ranks of one run; shifts move a trace's own times to the first one's clock.
export interface RankAxis {
  status: 'reading' | 'single' | 'not_ranks' | 'unaligned' | 'aligned';
  reason: string | null;
  clocks: string | null;
  world_size: number | null;
  ranks: RankPlace[];
  comparison?: RankComparison | null;
}

// Times are per step where the recordings have steps.
export interface RankComparison {
  per: string;
  verdict: string | null;
  slow_rank: { rank: number; causes: string[] } | null;
  matched_collectives: number;
  rows: ComparedRank[];
}

export interface ComparedRank {
  rank: number;
  step_wall_ns: number | null;
  compute_ns: number | null;
  idle_ns: number | null;
  exposed_collective_ns: number | null;
  wait_ns: number | null;
  exposed_wait_ns: number | null;
  transfer_ns: number | null;
  last: number | null;
}

export interface RankPlace {
  trace: number;
  rank: number;
  device: number | null;
  shift_ns: bigint | null; // absolute clocks may lie 61 bits apart
  error_ns: number | null;
  collectives: number | null;
  problem: string | null;
}

export interface FlameFrame {
  name: string | null; // null: frames that were left out, together
  kind: string;
  parent: number | null;
  total_ns?: number;
  self_ns?: number;
  total_samples?: number;
  self_samples?: number;
  count: number;
  frames_left_out?: number;
}

export interface Flame {
  by: string;
  split: boolean;
  unit: 'ns' | 'samples';
  total_ns?: number;
  total_samples?: number;
  frames_total: number;
  frames: FlameFrame[];
}

export interface MemoryUsage {
  name: string;
  process: string | null;
  device: number | null;
  allocator: boolean;
  samples: number;
  first_bytes: number;
  last_bytes: number;
  least_bytes: number;
  peak_bytes: number;
  start_ns: number; // when the peak was reached
  device_bytes: number | null;
}

export interface MemoryCopies {
  kind: string;
  direction: string | null;
  from: string | null;
  to: string | null;
  device: number;
  count: number;
  total_ns: number;
  bytes: number | null;
  bytes_per_s: number | null;
  longest_row: number | null;
}

export interface AllocationCalls {
  name: string;
  calls: number;
  total_ns: number;
  calls_in_steps: number;
  in_steps_ns: number;
}

export interface Memory {
  usage: MemoryUsage[];
  copies: MemoryCopies[];
  calls: AllocationCalls[];
  steps: number;
  reports_without_totals: boolean;
}

export interface LintFinding {
  id: string;
  severity: string;
  count: number;
  symptom: string;
  effect: string | null;
  advice: string | null;
}

export interface Lint {
  checks: number;
  findings: LintFinding[];
  ledger?: Ledger;
}

export interface Info {
  file: string;
  producer: string | null;
  version: string | null;
  devices: { id: number; name: string | null }[];
  counts: Record<string, number>;
  streams?: number;
  ledger?: Ledger;
}
