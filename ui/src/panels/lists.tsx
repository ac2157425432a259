// Kernels, ops, parts and idle gaps of the selected range or the whole recording; steps of the whole recording.

import { useState } from 'preact/hooks';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { Gap, Idle, IdleDevice, Kernels, OpRow, Ops, PartRow, Parts, Range, StepRow, Steps } from '../engine/types';
import { formatCount, formatDuration, formatNumber, formatPart, formatShare } from '../engine/units';
import { formatTime } from '../timeline/time_text';
import { displayText, shortKernelName } from '../engine/text';
import { KernelTable, searchFor } from './kernel_table';
import { barColour, className, DeviceLabel, idleClasses, OfRange, RangeLine, TimeBar, Wait, WholeLine } from './parts_of_panels';
import { Table, type Column } from './table';
import { inRange, useDocument, useRange } from './use_document';

export function KernelsPanel({ session }: { session: Session }) {
  return (
    <OfRange<Kernels> session={session} verb="kernels">
      {(data, range) => <KernelTable session={session} kernels={data} range={range} label="Kernels" />}
    </OfRange>
  );
}

export function OpTable({ session, ops, range, first }: { session: Session; ops: Ops; range: Range | null; first?: number }) {
  const duration = (value: number | null): string => (value === null || value === undefined ? '-' : formatDuration(value));
  const columns: Column<OpRow>[] = [
    { title: 'Name', value: (row) => row.name, text: (row) => row.name.slice(0, 400), name: true, onClick: (row) => searchFor(session, row.name, range), action: 'Search' },
    { title: 'Kind', value: (row) => row.kind },
    { title: 'Calls', value: (row) => row.calls, text: (row) => formatCount(row.calls) },
    { title: 'Self GPU', value: (row) => row.self_gpu_ns, text: (row) => duration(row.self_gpu_ns), share: (row) => share(row.self_gpu_ns, ops.total_self_gpu_ns) },
    { title: 'GPU total', value: (row) => row.gpu_ns, text: (row) => duration(row.gpu_ns) },
    { title: 'Self CPU', value: (row) => row.self_cpu_ns, text: (row) => duration(row.self_cpu_ns), share: (row) => share(row.self_cpu_ns, ops.total_self_cpu_ns) },
    { title: 'CPU total', value: (row) => row.cpu_ns, text: (row) => duration(row.cpu_ns) },
  ];
  return <Table label="Ops" columns={columns} rows={ops.rows} filter={(row) => `${row.name} ${row.kind}`} sort={3} first={first} empty="No ops." />;
}

const share = (part: number | null, whole: number): number | null => (part === null || whole <= 0 ? null : part / whole);

export function OpsPanel({ session }: { session: Session }) {
  return (
    <OfRange<Ops> session={session} verb="ops">
      {(data, range) => <OpTable session={session} ops={data} range={range} />}
    </OfRange>
  );
}

export function PartTable({ parts }: { parts: Parts }) {
  const columns: Column<PartRow>[] = [
    { title: 'Part', value: (row) => row.part, name: true },
    { title: 'GPU time', value: (row) => row.gpu_ns, text: (row) => formatDuration(row.gpu_ns) },
    { title: 'Share', value: (row) => row.gpu_share, text: (row) => formatShare(row.gpu_share), share: (row) => row.gpu_share },
    { title: 'Kernels', value: (row) => row.kernels, text: (row) => formatCount(row.kernels) },
    { title: 'Calls a step', value: (row) => row.calls_per_step, text: (row) => (row.calls_per_step == null ? '-' : formatNumber(row.calls_per_step)) },
  ];
  return <Table label="Parts" columns={columns} rows={parts.rows} sort={1} empty="No GPU work." />;
}

export function PartsPanel({ session }: { session: Session }) {
  return (
    <OfRange<Parts> session={session} verb="parts">
      {(data) => (
        <div class="columns">
          <PartTable parts={data} />
          <div class="side">
            {data.model && <Model model={data.model} />}
            {data.accounting.length > 0 && <AccountingTable rows={data.accounting} />}
          </div>
        </div>
      )}
    </OfRange>
  );
}

function AccountingTable({ rows }: { rows: Parts['accounting'] }) {
  return (
    <Table
      label="Accounting"
      columns={[
        { title: 'Accounting', value: (row) => row.what, text: (row) => (row.how ? `${row.what}, ${row.how}` : row.what) },
        { title: 'Expected', value: (row) => row.expected, text: (row) => number(row.expected) },
        { title: 'Seen', value: (row) => row.seen, text: (row) => number(row.seen) },
        { title: 'Agrees', value: (row) => (row.ok === null ? '-' : row.ok ? 'yes' : `no${row.cause ? `: ${row.cause}` : ''}`), className: (row) => (row.ok === false ? 'bad' : '') },
      ]}
      rows={rows}
    />
  );
}

const number = (value: number | null): string => (value === null ? '-' : formatNumber(value));

function Model({ model }: { model: NonNullable<Parts['model']> }) {
  const shown = ['family', 'layers', 'hidden', 'ffn', 'heads', 'kv_heads', 'head_dim', 'vocab', 'experts', 'batch', 'tokens'];
  return (
    <p class="remark">
      <b>{displayText(String(model['name'] ?? 'model'))}</b> ({String(model['source'] ?? 'inferred')}):{' '}
      {shown
        .filter((key) => model[key] !== null && model[key] !== undefined && key !== 'family')
        .map((key) => `${key.replace('_', ' ')} ${typeof model[key] === 'number' ? formatCount(model[key] as number) : String(model[key])}`)
        .join(', ')}
    </p>
  );
}

export function StepsPanel({ session }: { session: Session }) {
  const steps = useDocument<Steps>(session, 'steps');
  const range = useStore(session.state, (state) => state.range);
  const columns: Column<StepRow>[] = [
    {
      title: 'Step',
      value: (row) => row.start_ns,
      text: (row) => row.name,
      name: true,
      onClick: (row) => session.selectRange(row.start_ns, row.start_ns + row.wall_ns, { fit: true }),
      action: 'Select',
    },
    { title: 'GPU', value: (row) => row.device },
    { title: 'Start', value: (row) => row.start_ns, text: (row) => formatTime(row.start_ns) },
    { title: 'Wall', value: (row) => row.wall_ns, text: (row) => formatDuration(row.wall_ns) },
    { title: 'Busy', value: (row) => row.busy_ns, text: (row) => formatDuration(row.busy_ns) },
    { title: 'Busy share', value: (row) => row.busy_ns / Math.max(1, row.wall_ns), text: (row) => formatPart(row.busy_ns, row.wall_ns), share: (row) => row.busy_ns / Math.max(1, row.wall_ns) },
    { title: 'Idle', value: (row) => row.idle_ns, text: (row) => formatDuration(row.idle_ns) },
    { title: 'Kernels', value: (row) => row.kernels, text: (row) => formatCount(row.kernels) },
    { title: 'Launches', value: (row) => row.launches, text: (row) => formatCount(row.launches) },
    { title: 'Copies', value: (row) => row.memcpys, text: (row) => formatCount(row.memcpys) },
    { title: 'Bound', value: (row) => row.bound },
  ];
  return (
    <>
      <WholeLine session={session} />
      <Wait loaded={steps}>
        {(data) => (
          <Table
            label="Steps"
            columns={columns}
            rows={data.rows}
            filter={(row) => row.name}
            sort={0}
            upwards
            current={(row) => range !== null && row.start_ns === range.start_ns && row.start_ns + row.wall_ns === range.end_ns}
            empty="No steps were found: mark them with a repeating range (ProfilerStep, NVTX)."
            tools={data.source && <span class="soft">from {displayText(data.source)}</span>}
          />
        )}
      </Wait>
    </>
  );
}

// Busy and the classes of idle, with the colours of the bar above.
export function IdleClassTable({ device }: { device: IdleDevice }) {
  const classes = idleClasses.map(([key, name, what]) => ({ key, name, what, time: device.classes[key] ?? 0 })).filter((row) => row.time > 0).sort((a, b) => b.time - a.time);
  const busy = { key: 'busy', name: 'busy', what: 'work of any stream ran', time: device.busy_ns };
  const ofIdle = (row: { key: string; time: number }): number | null => (row.key === 'busy' ? null : row.time / Math.max(1, device.idle_ns));
  return (
    <Table
      label={`Busy and idle by class, GPU ${device.device}`}
      columns={[
        { title: 'Class', value: (row) => row.name, className: () => 'nowrap', swatch: (row) => barColour(row.key) },
        { title: 'Time', value: (row) => row.time, text: (row) => formatDuration(row.time) },
        { title: 'Of idle', value: (row) => ofIdle(row) ?? 0, text: (row) => (row.key === 'busy' ? '-' : formatPart(row.time, device.idle_ns)), share: ofIdle },
        { title: 'Meaning', value: (row) => row.what, className: () => 'soft', aside: true },
      ]}
      rows={[busy, ...classes]}
    />
  );
}

const gapsShown = 500;

const sameTime = (range: Range | null, gap: Gap): boolean => range !== null && gap.start_ns === range.start_ns && gap.start_ns + gap.dur_ns === range.end_ns;

// A gap of the list becomes the selected range; the list stays that of the range before, or the next gap could not be chosen.
function useGapRange(session: Session): { range: Range | null; choose: (gap: Gap) => void } {
  const selected = useRange(session);
  const [chosen, setChosen] = useState<{ gap: Gap; from: Range | null } | null>(null);
  const range = chosen && sameTime(selected, chosen.gap) ? chosen.from : selected;
  // While the choice settles it is still the range before.
  const settling = chosen && sameTime(session.state.get().range, chosen.gap);
  const choose = (gap: Gap): void => {
    setChosen({ gap, from: range });
    session.selectRange(gap.start_ns, gap.start_ns + gap.dur_ns, { fit: true, jump: false });
    session.onJump();
  };
  return { range: settling ? chosen.from : range, choose };
}

export function IdlePanel({ session }: { session: Session }) {
  const { range, choose } = useGapRange(session);
  const idle = useDocument<Idle>(session, 'idle', { ...inRange(range), limit: gapsShown });
  return (
    <>
      <RangeLine range={range} />
      <Wait loaded={idle}>
        {(data) =>
          data.devices.map((device) => (
            <div key={device.device} class="block">
              <DeviceLabel device={device.device} many={data.devices.length > 1} />
              <TimeBar busy={device.busy_ns} classes={device.classes} wall={device.window_ns} label={`GPU ${device.device}`} />
              <div class="columns">
                <IdleClassTable device={device} />
                <GapTable session={session} device={device} onChoose={choose} />
              </div>
            </div>
          ))
        }
      </Wait>
    </>
  );
}

function GapTable({ session, device, onChoose }: { session: Session; device: IdleDevice; onChoose: (gap: Gap) => void }) {
  const selected = useStore(session.state, (state) => state.range);
  const columns: Column<Gap>[] = [
    { title: 'Start', value: (gap) => gap.start_ns, text: (gap) => formatTime(gap.start_ns), onClick: onChoose, action: 'Jump to' },
    { title: 'Gap', value: (gap) => gap.dur_ns, text: (gap) => formatDuration(gap.dur_ns), onClick: onChoose, action: 'Jump to' },
    { title: 'Class', value: (gap) => className(gap.class), className: () => 'nowrap' },
    { title: 'Host', hint: 'what was open on the launching thread', value: (gap) => gap.host.join(' > '), text: (gap) => gap.host.join(' > ').slice(0, 400), name: true },
    { title: 'After', hint: 'the work that ends the gap', value: (gap) => gap.after, text: (gap) => (gap.after ? shortKernelName(gap.after).slice(0, 200) : '-'), name: true },
  ];
  const more = device.gaps_total !== undefined && device.gaps_total > device.gaps.length;
  return (
    <Table
      label={`Largest gaps, GPU ${device.device}`}
      columns={columns}
      rows={device.gaps}
      filter={(gap) => `${gap.class} ${gap.host.join(' ')} ${gap.after ?? ''}`}
      sort={1}
      current={(gap) => sameTime(selected, gap)}
      empty="No gaps."
      tools={more ? <span class="soft">the largest of {formatCount(device.gaps_total!)}</span> : undefined}
    />
  );
}
