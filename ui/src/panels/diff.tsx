// Two open recordings compared: the document of `warpsight diff A B`, and from each row to its kernel or op in either trace.

import { useState } from 'preact/hooks';
import { TraceApi } from '../engine/api';
import { Store, useStore } from '../engine/store';
import { capitalised, displayText, fileName, kernelLabel, shortKernelName } from '../engine/text';
import type { Diff, DiffMetric, DiffRow, DiffSide, DiffTable, TraceState } from '../engine/types';
import { formatCount, formatDuration, formatNumber, formatShare } from '../engine/units';
import { opener, workspace } from '../engine/workspace';
import { mostSearched, mostShown } from './kernel_table';
import { className, Wait } from './parts_of_panels';
import { Table, type Column } from './table';
import { useLoaded } from './use_document';

interface Pair {
  a: number;
  b: number;
}

// Chosen once for the page: whichever trace is in front, the comparison stays.
const chosen = new Store<{ pair: Pair | null }>({ pair: null });
const mostKept = 20;
const kept = new Map<string, Promise<Diff>>();

function diffOf({ a, b }: Pair): Promise<Diff> {
  const key = `${a} ${b}`;
  const known = kept.get(key);
  if (known) return known;
  const fetched = new TraceApi(a).document<Diff>('diff', { with: b });
  fetched.catch(() => kept.delete(key));
  kept.set(key, fetched);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return fetched;
}

export function DiffPanel() {
  const traces = useStore(workspace, (state) => state.traces).filter((trace) => trace.status === 'ready');
  const { pair } = useStore(chosen);
  const [first, second] = traces;
  if (!first || !second)
    return (
      <p class="remark">
        A comparison needs two recordings: <code>warpsight serve A B</code>.
      </p>
    );
  const has = (id: number): boolean => traces.some((trace) => trace.id === id);
  const shown = pair && has(pair.a) && has(pair.b) ? pair : { a: first.id, b: second.id };
  const choose = (next: Pair): void => chosen.set({ pair: next });
  return (
    <div class="diff">
      <p class="tools">
        <Choice label="A, before" traces={traces} value={shown.a} onChoose={(a) => choose({ ...shown, a })} />
        <Choice label="B, after" traces={traces} value={shown.b} onChoose={(b) => choose({ ...shown, b })} />
        <button type="button" class="plain" onClick={() => choose({ a: shown.b, b: shown.a })}>
          Swap
        </button>
      </p>
      <Compared pair={shown} key={`${shown.a} ${shown.b}`} />
    </div>
  );
}

function Choice({ label, traces, value, onChoose }: { label: string; traces: TraceState[]; value: number; onChoose: (trace: number) => void }) {
  return (
    <label>
      {label}{' '}
      <select value={String(value)} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {traces.map((trace) => (
          <option key={trace.id} value={String(trace.id)}>
            {displayText(fileName(trace.file)).slice(0, 100)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Compared({ pair }: { pair: Pair }) {
  const diff = useLoaded(() => diffOf(pair), [pair.a, pair.b]);
  return (
    <Wait loaded={diff}>
      {(data) => (
        <>
          <Facts diff={data} />
          <p class="verdict">{capitalised(displayText(data.verdict))}</p>
          <h3>{data.by_steps ? 'A step, medians' : 'The whole recordings'}</h3>
          {data.by_steps && <p class="remark">~ before a change says that it is within the noise: {noiseHint}.</p>}
          <Metrics diff={data} />
          {data.kernels ? <Rows title="Kernels" table={data.kernels} pair={pair} kernels /> : null}
          <div class="columns">
            {data.parts && <Rows title="Parts" table={data.parts} pair={null} />}
            <Rows title="Ops" table={data.ops} pair={pair} />
          </div>
          <p class="remark">A click on a time finds the kernel or op in that recording.</p>
        </>
      )}
    </Wait>
  );
}

// What is to be known before any number is believed.
function Facts({ diff }: { diff: Diff }) {
  const different = diff.facts.filter((fact) => fact.differs);
  return (
    <>
      {warningsOf(diff).map((text) => (
        <p class="warning" key={text}>
          {displayText(text)}
        </p>
      ))}
      {sidesOf(diff).map(
        ([name, side]) =>
          side.first_step_slow && (
            <p class="remark" key={name}>
              The first step of {name} holds warm-up work: medians leave it aside, the means of kernels, ops and parts do not.
            </p>
          ),
      )}
      {different.length > 0 && (
        <Table
          label="What the recordings are not alike in"
          columns={[
            { title: 'Not alike', value: (row) => row.what },
            { title: 'A', value: (row) => row.a, name: true },
            { title: 'B', value: (row) => row.b, name: true },
          ]}
          rows={different}
        />
      )}
    </>
  );
}

const sidesOf = (diff: Diff): [string, DiffSide][] => [['A', diff.a], ['B', diff.b]];

// The warnings of the command line, of what the document says.
function warningsOf(diff: Diff): string[] {
  const warnings: string[] = [];
  const { a, b } = diff;
  if (!diff.by_steps) warnings.push('The recordings do not both have steps: the whole windows are compared, which need not hold the same work.');
  else if (a.step_source !== b.step_source) warnings.push(`Steps are found in different ways: ${a.step_source ?? '-'} in A, ${b.step_source ?? '-'} in B.`);
  if (diff.no_gpu) warnings.push(capitalised(diff.no_gpu));
  for (const [name, { ledger }] of sidesOf(diff)) {
    const causes = (ledger?.causes ?? []).filter((cause) => cause.severity === 'error').map((cause) => cause.cause.replace(/_/g, ' '));
    if (causes.length) warnings.push(`${name} is damaged or not whole (${causes.join(', ')}): what it lacks looks like a change.`);
  }
  return warnings;
}

const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : text);
const formatOrDash = (ns: number | null): string => (ns === null ? '-' : formatDuration(ns));
const changeText = (ns: number | null): string => (ns === null ? '-' : signed(formatDuration(ns), ns));
const noiseHint = 'twice the root of the summed squares of both sides\u2019 scatter between steps';

interface MetricRow extends DiffMetric {
  name: string;
  detail: boolean;
  time: boolean;
}

function Metrics({ diff }: { diff: Diff }) {
  const rows: MetricRow[] = Object.entries(diff.metrics)
    .map(([key, metric]) => {
      const detail = key.startsWith('idle_');
      return { ...metric, name: detail ? `idle: ${className(key.slice(5))}` : key === 'work' ? 'GPU work' : key, detail, time: metric.change_ns !== undefined };
    })
    .filter((row) => (row.a || row.b) && !(row.detail && !median(row.a) && !median(row.b)));
  const amount = (row: MetricRow, value: number | null): string => (value === null ? '-' : row.time ? formatDuration(value) : formatCount(value));
  const change = (row: MetricRow): number | null => (row.time ? row.change_ns : row.change) ?? null;
  const noise = (row: MetricRow): number | null => (row.time ? row.noise_ns : row.noise) ?? null;
  return (
    <Table<MetricRow>
      label="Metrics"
      columns={[
        { title: 'Metric', value: (row) => row.name, name: true },
        { title: 'A', value: (row) => median(row.a), text: (row) => amount(row, median(row.a)) },
        { title: 'B', value: (row) => median(row.b), text: (row) => amount(row, median(row.b)) },
        { title: 'Change', value: change, text: (row) => (change(row) === null ? '-' : `${row.within_noise && change(row) ? '~ ' : ''}${signed(amount(row, change(row)), change(row)!)}`), className: (row) => tone(change(row), row.within_noise, row.name === 'kernels' || row.name === 'copies' || row.name === 'launches') },
        { title: 'Of A', value: (row) => row.change_share, text: (row) => (row.change_share === null ? '-' : signed(formatShare(row.change_share), row.change_share)) },
        { title: 'Noise', hint: noiseHint, value: noise, text: (row) => amount(row, noise(row)), aside: true },
      ]}
      rows={rows}
    />
  );
}

const median = (side: DiffMetric['a']): number | null => side?.median_ns ?? side?.median ?? null;

// More time is worse; a count says nothing by itself, and neither does what is noise.
function tone(change: number | null, within: boolean | null, neutral = false): string {
  if (!change || within || neutral) return '';
  return change > 0 ? 'bad' : 'good';
}

function Rows({ title, table, pair, kernels }: { title: string; table: DiffTable; pair: Pair | null; kernels?: boolean }) {
  const [only, setOnly] = useState(false);
  const cpu = table.cpu_change_ns !== undefined;
  const find = (side: 'a' | 'b', row: DiffRow): void => {
    if (!pair) return;
    const name = side === 'a' ? (row.name_before ?? row.name) : row.name;
    const session = opener.show(pair[side]);
    session?.showPanel('search');
    void session?.search(mostSearched(name), false);
  };
  const absent = (side: 'a' | 'b', row: DiffRow): boolean => row.change === (side === 'a' ? 'appeared' : 'vanished');
  const time = (side: 'a' | 'b'): Column<DiffRow> => {
    const value = (row: DiffRow): number | null => (absent(side, row) ? null : side === 'a' ? row.gpu_a_ns : row.gpu_b_ns);
    return {
      title: cpu ? `GPU ${side.toUpperCase()}` : side.toUpperCase(),
      value,
      text: (row) => formatOrDash(value(row)),
      ...(pair ? { onClick: (row: DiffRow) => find(side, row), clickable: (row: DiffRow) => !absent(side, row), action: `Find in ${side.toUpperCase()}` } : {}),
    };
  };
  const change = (key: 'gpu' | 'cpu', heading: string): Column<DiffRow> => {
    const value = (row: DiffRow): number | null => (key === 'gpu' ? row.gpu_change_ns : (row.cpu_change_ns ?? null));
    const within = (row: DiffRow): boolean | null => (key === 'gpu' ? row.gpu_within_noise : (row.cpu_within_noise ?? null));
    return {
      title: heading,
      value: (row) => Math.abs(value(row) ?? 0),
      text: (row) => `${within(row) && value(row) ? '~ ' : ''}${changeText(value(row))}`,
      className: (row) => tone(value(row) ?? 0, within(row)),
      hint: 'sorted by size; ~ is within the noise between steps',
    };
  };
  const columns: Column<DiffRow>[] = [
    { title: title.replace(/s$/, ''), value: (row) => row.name, text: (row) => (kernels ? kernelLabel(row.name) : row.name).slice(0, mostShown), whole: (row) => row.name, name: true, middle: true },
    ...(cpu
      ? [
          { title: 'CPU A', value: (row: DiffRow) => row.cpu_a_ns, text: (row: DiffRow) => formatDuration(row.cpu_a_ns ?? 0), aside: true },
          { title: 'CPU B', value: (row: DiffRow) => row.cpu_b_ns, text: (row: DiffRow) => formatDuration(row.cpu_b_ns ?? 0), aside: true },
          change('cpu', 'CPU change'),
        ]
      : []),
    time('a'),
    time('b'),
    change('gpu', cpu ? 'GPU change' : 'Change'),
    { title: 'Calls A', value: (row) => row.calls_a, text: (row) => formatNumber(row.calls_a), aside: true },
    { title: 'Calls B', value: (row) => row.calls_b, text: (row) => formatNumber(row.calls_b), aside: true },
    ...(kernels
      ? [
          {
            title: 'Note',
            value: (row: DiffRow) => noteOf(row),
            text: (row: DiffRow) => noteOf(row),
            className: () => 'cell-cut',
          },
        ]
      : []),
  ];
  const rows = only ? table.rows.filter((row) => !row.gpu_within_noise || (row.cpu_change_ns && !row.cpu_within_noise)) : table.rows;
  return (
    <div>
      <h3>{title}, mean of a step</h3>
      <Table
        label={title}
        columns={columns}
        rows={rows}
        filter={(row) => `${row.name} ${row.name_before ?? ''} ${row.change} ${row.family ?? ''}`}
        first={kernels ? 40 : 20}
        empty="None."
        tools={
          <>
            <label>
              <input type="checkbox" checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} /> beyond noise
            </label>
            <span class="soft">
              all {cpu ? `CPU ${changeText(table.cpu_change_ns!)}, GPU ` : ''}
              {changeText(table.gpu_change_ns)}
            </span>
          </>
        }
      />
    </div>
  );
}

function noteOf(row: DiffRow): string {
  if (row.change === 'appeared') return 'new';
  if (row.change === 'vanished') return 'gone';
  if (row.change === 'renamed') return `was ${shortKernelName(displayText(row.name_before ?? ''))} (${row.confidence}: ${row.reason ?? ''})`;
  return '';
}
