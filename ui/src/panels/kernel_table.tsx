// Kernels by name: for the whole trace and for ranges.

import type { Session } from '../engine/session';
import type { KernelRow, Kernels } from '../engine/types';
import { formatCount, formatDuration, formatNumber, formatShare } from '../engine/units';
import { displayText, shortKernelName } from '../engine/text';
import { useStore } from '../engine/store';
import { kernelFamily, sliceColour } from '../timeline/colours';
import { paint } from '../timeline/theme';
import { Table, type Column } from './table';

const mostSearchedBytes = 1000; // a part of a name finds it too

// As much of a name as a search may have.
export function mostSearched(name: string): string {
  let part = name.slice(0, mostSearchedBytes);
  while (new TextEncoder().encode(part).length > mostSearchedBytes) part = part.slice(0, -1);
  return part;
}

export function searchFor(session: Session, name: string): void {
  void session.search(mostSearched(name), false);
}

export function KernelTable({ session, kernels, first, label }: { session: Session; kernels: Kernels; first?: number; label: string }) {
  const theme = useStore(paint)?.theme ?? 'light';
  const devices = new Set(kernels.rows.map((row) => row.device)).size > 1;
  const steps = kernels.rows.some((row) => row.calls_per_step !== null && row.calls_per_step !== undefined);
  const columns: Column<KernelRow>[] = [
    {
      title: 'Kernel',
      value: (row) => row.name,
      text: (row) => shortName(row.name),
      name: true,
      swatch: (row) => sliceColour(kernelFamily(session, row.name), row.name, theme),
      onClick: (row) => searchFor(session, row.name),
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
    { title: 'Part', value: (row) => row.part },
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

// The kernel's own name first, and what tells its instances apart behind it.
function shortName(name: string): string {
  const text = displayText(name);
  const own = shortKernelName(text);
  if (own === text) return text.slice(0, 400);
  const rest = text.slice(text.indexOf(own) + own.length);
  return `${own}${rest}`.slice(0, 400);
}
