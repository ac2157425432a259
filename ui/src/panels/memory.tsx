// Memory: how much was in use and when most, what was copied and how fast, which calls allocate. Of the selected range, or the whole
// trace.

import type { Session } from '../engine/session';
import type { AllocationCalls, Info, Memory, MemoryCopies, MemoryUsage } from '../engine/types';
import { formatBytes, formatCount, formatDuration, formatNumber, formatPart, formatRate } from '../engine/units';
import { displayText } from '../engine/text';
import { formatTime } from '../timeline/time_text';
import { RangeLine, Wait } from './parts_of_panels';
import { Table, type Column } from './table';
import { inRange, useDocument, useRange } from './use_document';

export function MemoryPanel({ session }: { session: Session }) {
  const range = useRange(session);
  const memory = useDocument<Memory>(session, 'memory', inRange(range));
  return (
    <>
      <RangeLine range={range} />
      <Wait loaded={memory}>
        {(data) => (
          <>
            <h3>In use</h3>
            {data.reports_without_totals && (
              <p class="remark">The allocator&apos;s reports of this recording say what was allocated and freed, not how much was held: PyTorch before 1.10 wrote no totals.</p>
            )}
            {data.usage.length ? <UsageTable session={session} rows={data.usage} /> : <NoSamples session={session} ofRange={range !== null} />}
            <div class="columns">
              <div>
                <h3>Copies and sets on the GPU</h3>
                <CopyTable session={session} rows={data.copies} />
              </div>
              <div>
                <h3>Calls that allocate</h3>
                <CallTable rows={data.calls} steps={data.steps} />
              </div>
            </div>
          </>
        )}
      </Wait>
    </>
  );
}

const gpuOf = (device: number | null): string => (device === null ? '-' : String(device));

function UsageTable({ session, rows }: { session: Session; rows: MemoryUsage[] }) {
  const jump = (row: MemoryUsage): void => session.showTime(row.start_ns);
  const processes = rows.some((row) => row.process !== null);
  const columns: Column<MemoryUsage>[] = [
    { title: 'What', value: (row) => row.name, name: true },
    { title: 'GPU', value: (row) => row.device, text: (row) => gpuOf(row.device) },
    ...(processes ? [{ title: 'Process', value: (row: MemoryUsage) => row.process, text: (row: MemoryUsage) => displayText(row.process ?? '-'), aside: true }] : []),
    { title: 'Peak', value: (row) => row.peak_bytes, text: (row) => formatBytes(row.peak_bytes), onClick: jump, action: 'Show when' },
    { title: 'When', hint: 'since when it was that much', value: (row) => row.start_ns, text: (row) => formatTime(row.start_ns), onClick: jump, action: 'Show' },
    {
      title: 'Of the device',
      hint: 'of all memory that the device has',
      value: (row) => (row.device_bytes ? row.peak_bytes / row.device_bytes : null),
      text: (row) => (row.device_bytes ? formatPart(row.peak_bytes, row.device_bytes) : '-'),
      share: (row) => (row.device_bytes ? row.peak_bytes / row.device_bytes : null),
    },
    { title: 'Least', value: (row) => row.least_bytes, text: (row) => formatBytes(row.least_bytes) },
    { title: 'At its start', value: (row) => row.first_bytes, text: (row) => formatBytes(row.first_bytes), aside: true },
    { title: 'At its end', value: (row) => row.last_bytes, text: (row) => formatBytes(row.last_bytes), aside: true },
    { title: 'Samples', value: (row) => row.samples, text: (row) => formatCount(row.samples), aside: true },
  ];
  return <Table label="Memory in use" columns={columns} rows={rows} />;
}

// How to have them depends on what made the recording.
function NoSamples({ session, ofRange }: { session: Session; ofRange: boolean }) {
  const { data } = useDocument<Info>(session, 'info');
  const torch = /pytorch/i.test(data?.producer ?? '');
  return (
    <p class="remark">
      {ofRange ? 'The selected time has' : 'The recording has'} no samples of memory in use.{torch && ' torch.profiler takes them with profile_memory=True.'}
    </p>
  );
}

function CopyTable({ session, rows }: { session: Session; rows: MemoryCopies[] }) {
  const what = (row: MemoryCopies): string => (row.kind === 'memset' ? 'set' : (row.direction ?? 'copy'));
  const places = (row: MemoryCopies): string => [row.from, row.to].filter(Boolean).join(' to ') || '-';
  const longest = (row: MemoryCopies): void => {
    if (row.longest_row !== null) void session.selectEvent({ kind: 'gpu', row: row.longest_row }, { reveal: true });
  };
  const columns: Column<MemoryCopies>[] = [
    { title: 'What', value: what, className: () => 'nowrap', onClick: longest, action: 'Show the longest' },
    { title: 'Memory', value: places, className: () => 'nowrap', aside: true },
    { title: 'GPU', value: (row) => row.device },
    { title: 'Count', value: (row) => row.count, text: (row) => formatCount(row.count) },
    { title: 'Bytes', value: (row) => row.bytes, text: (row) => (row.bytes === null ? '-' : formatBytes(row.bytes)) },
    { title: 'Time', value: (row) => row.total_ns, text: (row) => formatDuration(row.total_ns) },
    { title: 'Rate', hint: 'bytes by the time of the copies themselves', value: (row) => row.bytes_per_s, text: (row) => (row.bytes_per_s === null ? '-' : formatRate(row.bytes_per_s, 'B/s')) },
  ];
  return <Table label="Copies and sets" columns={columns} rows={rows} sort={5} empty="None." />;
}

function CallTable({ rows, steps }: { rows: AllocationCalls[]; steps: number }) {
  const columns: Column<AllocationCalls>[] = [
    { title: 'Call', value: (row) => row.name, name: true },
    { title: 'Count', value: (row) => row.calls, text: (row) => formatCount(row.calls) },
    { title: 'Time', value: (row) => row.total_ns, text: (row) => formatDuration(row.total_ns) },
    ...(steps
      ? [
          {
            title: 'In steps',
            hint: 'calls that start in a step: each makes the host, and often the device, stand still',
            value: (row: AllocationCalls) => row.calls_in_steps,
            text: (row: AllocationCalls) => formatCount(row.calls_in_steps),
            className: (row: AllocationCalls) => (row.calls_in_steps ? 'bad' : ''),
          },
          { title: 'Per step', value: (row: AllocationCalls) => row.calls_in_steps / steps, text: (row: AllocationCalls) => formatNumber(row.calls_in_steps / steps), aside: true },
          { title: 'Time per step', value: (row: AllocationCalls) => row.in_steps_ns / steps, text: (row: AllocationCalls) => formatDuration(row.in_steps_ns / steps) },
        ]
      : []),
  ];
  return <Table label="Allocation calls" columns={columns} rows={rows} sort={2} empty="None." />;
}
