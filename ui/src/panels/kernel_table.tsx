// Kernels by name: for the whole trace and for ranges.

import type { Session } from '../engine/session';
import type { KernelRow, Kernels, Range } from '../engine/types';
import { formatCount, formatDuration, formatNumber, formatShare } from '../engine/units';
import { kernelLabel } from '../engine/text';
import { useStore } from '../engine/store';
import { kernelFamily, sliceColour } from '../timeline/colours';
import { paint } from '../timeline/theme';
import { Table, type Column } from './table';

export const mostShown = 400; // characters of a name in a table
const mostSearchedBytes = 1000; // a part of a name finds it too

// As much of a name as a search may have.
export function mostSearched(name: string): string {
  let part = name.slice(0, mostSearchedBytes);
  while (new TextEncoder().encode(part).length > mostSearchedBytes) part = part.slice(0, -1);
  return part;
}

// From a table of a range to a hit in that range.
export function searchFor(session: Session, name: string, range: Range | null = null): void {
  void session.search(mostSearched(name), false, true, range);
}

interface Props {
  session: Session;
  kernels: Kernels;
  range: Range | null;
  first?: number;
  label: string;
}

export function KernelTable({ session, kernels, range, first, label }: Props) {
  const theme = useStore(paint)?.theme ?? 'light';
  const devices = new Set(kernels.rows.map((row) => row.device)).size > 1;
  const steps = kernels.rows.some((row) => row.calls_per_step !== null && row.calls_per_step !== undefined);
  const columns: Column<KernelRow>[] = [
    {
      title: 'Kernel',
      value: (row) => row.name,
      text: (row) => kernelLabel(row.name).slice(0, mostShown),
      whole: (row) => row.name,
      name: true,
      middle: true,
      swatch: (row) => sliceColour(kernelFamily(session, row.name), row.name, theme),
      onClick: (row) => searchFor(session, row.name, range),
      action: 'Search',
    },
    { title: 'Sum', value: (row) => row.total_ns, text: (row) => formatDuration(row.total_ns) },
    {
      title: 'Share',
      hint: 'of the GPU work: the sum over kernels, copies and sets',
      value: (row) => row.gpu_share,
      text: (row) => formatShare(row.gpu_share),
      share: (row) => row.gpu_share,
    },
    { title: 'Count', value: (row) => row.calls, text: (row) => formatCount(row.calls) },
    ...(steps
      ? [{ title: 'Per step', value: (row: KernelRow) => row.calls_per_step, text: (row: KernelRow) => (row.calls_per_step == null ? '-' : formatNumber(row.calls_per_step)) }]
      : []),
    { title: 'Mean', value: (row) => row.mean_ns, text: (row) => formatDuration(row.mean_ns) },
    { title: 'Min', value: (row) => row.min_ns, text: (row) => formatDuration(row.min_ns) },
    { title: 'Max', value: (row) => row.max_ns, text: (row) => formatDuration(row.max_ns) },
    { title: 'Main part', hint: 'the part with most of the kernel\u2019s time; Parts has the exact sums', value: (row) => row.part },
    { title: 'Family', value: (row) => row.family },
    ...(devices ? [{ title: 'GPU', value: (row: KernelRow) => row.device }] : []),
  ];
  return (
    <Table
      label={label}
      columns={columns}
      rows={kernels.rows}
      filter={(row) => `${row.name} ${row.part ?? ''} ${row.family ?? ''}`}
      sort={1}
      first={first}
      empty="No kernels."
      tools={
        <span class="soft">
          work {formatDuration(kernels.gpu_work_ns)}, busy {formatDuration(kernels.gpu_busy_ns)}
        </span>
      }
    />
  );
}
