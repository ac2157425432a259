// Kernels, ops, parts, steps and idle gaps of the whole trace.

import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { Gap, Idle, IdleDevice, Kernels, OpRow, Ops, PartRow, Parts, StepRow, Steps } from '../engine/types';
import { formatCount, formatDuration, formatNumber, formatPart, formatShare } from '../engine/units';
import { formatTime } from '../timeline/time_text';
import { displayText, shortKernelName } from '../engine/text';
import { KernelTable, searchFor } from './kernel_table';
import { className, DeviceLabel, idleClasses, TimeBar, Wait } from './parts_of_panels';
import { Table, type Column } from './table';
import { useDocument } from './use_document';

export function KernelsPanel({ session }: { session: Session }) {
  const kernels = useDocument<Kernels>(session, 'kernels');
  return <Wait loaded={kernels}>{(data) => <KernelTable session={session} kernels={data} label="Kernels" />}</Wait>;
}

export function OpTable({ session, ops, first }: { session: Session; ops: Ops; first?: number }) {
  const duration = (value: number | null): string => (value === null || value === undefined ? '-' : formatDuration(value));
  const columns: Column<OpRow>[] = [
    { title: 'Name', value: (row) => row.name, text: (row) => row.name.slice(0, 400), name: true, onClick: (row) => searchFor(session, row.name), action: 'Search' },
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
  const ops = useDocument<Ops>(session, 'ops');
  return <Wait loaded={ops}>{(data) => <OpTable session={session} ops={data} />}</Wait>;
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
  const parts = useDocument<Parts>(session, 'parts');
  return (
    <Wait loaded={parts}>
      {(data) => (
        <div class="columns">
          <PartTable parts={data} />
          <div class="side">
            {data.model && <Model model={data.model} />}
            {data.accounting.length > 0 && (
              <Table
                label="Accounting"
                columns={[
                  { title: 'Accounting', value: (row) => row.what, text: (row) => (row.how ? `${row.what}, ${row.how}` : row.what) },
                  { title: 'Expected', value: (row) => row.expected, text: (row) => number(row.expected) },
                  { title: 'Seen', value: (row) => row.seen, text: (row) => number(row.seen) },
                  { title: 'Agrees', value: (row) => (row.ok === null ? '-' : row.ok ? 'yes' : `no${row.cause ? `: ${row.cause}` : ''}`), className: (row) => (row.ok === false ? 'bad' : '') },
                ]}
                rows={data.accounting}
              />
            )}
          </div>
        </div>
      )}
    </Wait>
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
  );
}

export function IdleClassTable({ device }: { device: IdleDevice }) {
  const rows = idleClasses.map(([key, name, what]) => ({ name, what, time: device.classes[key] ?? 0 })).filter((row) => row.time > 0);
  return (
    <Table
      label={`Idle by class, GPU ${device.device}`}
      columns={[
        { title: 'Idle class', value: (row) => row.name, className: () => 'nowrap' },
        { title: 'Time', value: (row) => row.time, text: (row) => formatDuration(row.time) },
        { title: 'Of idle', value: (row) => row.time, text: (row) => formatPart(row.time, device.idle_ns), share: (row) => row.time / Math.max(1, device.idle_ns) },
        { title: 'Meaning', value: (row) => row.what, className: () => 'soft', aside: true },
      ]}
      rows={rows}
      sort={1}
      empty="No idle time."
    />
  );
}

const gapsShown = 500;

export function IdlePanel({ session }: { session: Session }) {
  const idle = useDocument<Idle>(session, 'idle', { limit: gapsShown });
  const range = useStore(session.state, (state) => state.range);
  const jump = (gap: Gap): void => {
    session.selectRange(gap.start_ns, gap.start_ns + gap.dur_ns, { fit: true, jump: false });
    session.onJump();
  };
  const columns: Column<Gap>[] = [
    { title: 'Start', value: (gap) => gap.start_ns, text: (gap) => formatTime(gap.start_ns), onClick: jump, action: 'Jump to' },
    { title: 'Gap', value: (gap) => gap.dur_ns, text: (gap) => formatDuration(gap.dur_ns), onClick: jump, action: 'Jump to' },
    { title: 'Class', value: (gap) => className(gap.class), className: () => 'nowrap' },
    { title: 'Host', hint: 'what was open on the launching thread', value: (gap) => gap.host.join(' > '), text: (gap) => gap.host.join(' > ').slice(0, 400), name: true },
    { title: 'After', hint: 'the work that ends the gap', value: (gap) => gap.after, text: (gap) => (gap.after ? shortKernelName(gap.after).slice(0, 200) : '-'), name: true },
  ];
  return (
    <Wait loaded={idle}>
      {(data) => (
        <>
          {data.devices.map((device) => (
            <div key={device.device} class="block">
              <DeviceLabel device={device.device} many={data.devices.length > 1} />
              <TimeBar busy={device.busy_ns} classes={device.classes} wall={device.window_ns} label={`GPU ${device.device}`} />
              <div class="columns">
                <IdleClassTable device={device} />
                <Table
                  label={`Largest gaps, GPU ${device.device}`}
                  columns={columns}
                  rows={device.gaps}
                  filter={(gap) => `${gap.class} ${gap.host.join(' ')} ${gap.after ?? ''}`}
                  sort={1}
                  current={(gap) => range !== null && gap.start_ns === range.start_ns && gap.start_ns + gap.dur_ns === range.end_ns}
                  empty="No gaps."
                  tools={
                    device.gaps_total !== undefined && device.gaps_total > device.gaps.length ? (
                      <span class="soft">the largest of {formatCount(device.gaps_total)}</span>
                    ) : undefined
                  }
                />
              </div>
            </div>
          ))}
        </>
      )}
    </Wait>
  );
}
