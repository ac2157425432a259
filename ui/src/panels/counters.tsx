// Hardware counters of the report: what became of the counter reports that were given, why the kernels in them are slow, and how the
// counters of those that matter are collected.

import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import { displayText, fileName, kernelLabel } from '../engine/text';
import type { JoinedCounters, JoinedKernel, MissingKernel, ReportState } from '../engine/types';
import { formatCount, formatDuration, formatShare } from '../engine/units';
import { workspace } from '../engine/workspace';
import { mostShown, searchFor } from './kernel_table';
import { Table } from './table';

const mostUnmatched = 20;

const kernelsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'kernel' : 'kernels'}`;

export function CountersSection({ session, counters }: { session: Session; counters: JoinedCounters | null }) {
  const reports = useStore(workspace, (state) => state.reports);
  if (!reports.length && !counters) return null;
  return (
    <section class="block counters" aria-label="Counters">
      <h3>Counters</h3>
      <ReportList reports={reports} counters={counters} />
      {counters && <Joined session={session} counters={counters} />}
    </section>
  );
}

// The counter reports that are open, each with what became of it.
export function ReportList({ reports, counters }: { reports: ReportState[]; counters: JoinedCounters | null }) {
  return (
    <ul class="reports">
      {reports.map((report) => (
        <li key={report.file}>
          <span title={displayText(report.file)}>{displayText(fileName(report.file))}</span>
          {': '}
          {report.error ? <span class="warning">{displayText(report.error)}</span> : <span class="soft">{stateOf(report, counters)}</span>}
        </li>
      ))}
    </ul>
  );
}

function stateOf(report: ReportState, counters: JoinedCounters | null): string {
  if (report.status !== 'ready') return report.status;
  if (!counters) return 'read';
  const matched = counters.matched.filter((kernel) => kernel.launches.some((launch) => launch.report === report.file)).length;
  const others = counters.unmatched_counters.filter((one) => one.report === report.file).length;
  return `${kernelsText(matched)} of the recording matched${others ? `, ${formatCount(others)} profiled ${others === 1 ? 'kernel' : 'kernels'} not` : ''}`;
}

function Joined({ session, counters }: { session: Session; counters: JoinedCounters }) {
  return (
    <>
      {counters.matched.length === 0 && <p class="warning">None of the profiled kernels is in the timeline.</p>}
      {counters.matched.length > 0 && <Matched session={session} rows={counters.matched} />}
      {counters.unmatched_counters.length > 0 && <Unmatched counters={counters} />}
      {counters.missing.length > 0 && <Missing session={session} counters={counters} />}
      <p class="remark">{displayText(counters.note)}</p>
    </>
  );
}

function Matched({ session, rows }: { session: Session; rows: JoinedKernel[] }) {
  return (
    <Table<JoinedKernel>
      label="Kernels with counters"
      columns={[
        { title: 'Kernel', value: (row) => row.kernel, text: (row) => kernelLabel(row.kernel).slice(0, mostShown), whole: (row) => row.kernel, name: true, middle: true, onClick: (row) => searchFor(session, row.kernel), action: 'Search' },
        { title: 'GPU time', value: (row) => row.gpu_ns, text: (row) => formatDuration(row.gpu_ns) },
        { title: 'Share', hint: 'of the GPU work', value: (row) => row.gpu_share, text: (row) => formatShare(row.gpu_share), share: (row) => row.gpu_share },
        { title: 'Why it is slow', value: (row) => row.verdict, className: () => 'sentence' },
      ]}
      rows={rows}
      sort={1}
      first={10}
    />
  );
}

function Unmatched({ counters }: { counters: JoinedCounters }) {
  const rows = counters.unmatched_counters;
  return (
    <details>
      <summary>Counters that belong to no kernel of the timeline: {formatCount(rows.length)}</summary>
      <Table
        label="Counters without a kernel"
        columns={[
          { title: 'Kernel', value: (row) => row.kernel, text: (row) => kernelLabel(row.kernel).slice(0, mostShown), whole: (row) => row.kernel, name: true, middle: true },
          { title: 'Grid', value: (row) => extent(row.grid), className: () => 'nowrap', aside: true },
          { title: 'Block', value: (row) => extent(row.block), className: () => 'nowrap', aside: true },
          { title: 'Report', value: (row) => fileName(row.report), className: () => 'cell-cut', aside: true },
          { title: 'Why', value: (row) => row.reason },
        ]}
        rows={rows}
        first={mostUnmatched}
      />
    </details>
  );
}

const extent = (of: number[] | null): string => of?.join(' x ') ?? '-';

function Missing({ session, counters }: { session: Session; counters: JoinedCounters }) {
  return (
    <>
      <h3>Kernels that matter and have no counters</h3>
      {counters.missing.map((kernel) => (
        <MissingView key={kernel.kernel} session={session} kernel={kernel} counters={counters} />
      ))}
      {counters.missing.some((kernel) => kernel.command) && (
        <p class="remark">
          Launches are counted from the start of the recording: what the program launches before it is to be added to --launch-skip.
        </p>
      )}
    </>
  );
}

function MissingView({ session, kernel, counters }: { session: Session; kernel: MissingKernel; counters: JoinedCounters }) {
  const name = displayText(kernel.kernel);
  return (
    <article class="finding">
      <header>
        <button type="button" class="link missing-name" title={`Search: ${name.slice(0, 2000)}`} onClick={() => searchFor(session, kernel.kernel)}>
          {kernelLabel(kernel.kernel).slice(0, mostShown)}
        </button>
        <span class="gain">
          {formatShare(kernel.gpu_share)} of GPU time, {formatDuration(kernel.gpu_ns)}
        </span>
      </header>
      {kernel.not_profiled && <p class="remark">Not to be profiled: {displayText(kernel.not_profiled)}</p>}
      {[kernel.command, kernel.ncu_command].map((command) => command && <pre key={command}>{displayText(command)}</pre>)}
      {kernel.launch_skip_from_first_step !== null && (
        <p class="remark">
          With the steps before the recording ({formatCount(counters.steps_before_recording)}), if each launched as many: --launch-skip {kernel.launch_skip_from_first_step}.
        </p>
      )}
      {(kernel.other_kernels ?? 0) > 0 && <p class="remark">Other kernels have the same words in their names and are counted too.</p>}
    </article>
  );
}
