// The ranks on one axis: how their clocks were put together, and what each did in the whole recording or in a selected range. The
// numbers of a rank are those of its own `idle` document for the same time.

import { useEffect, useState } from 'preact/hooks';
import type { RunSource } from '../engine/run_source';
import { messageOf, type Session } from '../engine/session';
import { useStore } from '../engine/store';
import { displayText, fileName } from '../engine/text';
import type { ComparedRank, Idle, Range, RankComparison } from '../engine/types';
import { formatCount, formatDuration, formatPart } from '../engine/units';
import { opener, workspace } from '../engine/workspace';
import { formatTime } from '../timeline/time_text';
import { BarLegend, idleClasses, TimeBar } from './parts_of_panels';
import { Table, type Column } from './table';

interface RankNumbers {
  wall: number;
  busy: number;
  idle: number;
  classes: Record<string, number>;
}

interface RankRow {
  at: number;
  rank: number;
  file: string;
  numbers: RankNumbers | null;
  error: string | null;
}

// More ranks than this are asked for only when that is wanted: each costs the server an analysis.
const mostUnasked = 16;

function useNumbers(run: RunSource, range: Range | null, wanted: boolean): Map<number, RankNumbers | string> {
  const [numbers, setNumbers] = useState<Map<number, RankNumbers | string>>(new Map());
  useEffect(() => {
    setNumbers(new Map());
    if (!wanted) return undefined;
    const request = new AbortController();
    run.ranks.forEach((_, at) => {
      run.documentOf<Idle>(at, 'idle', { range, limit: 1 }, request.signal).then(
        (idle) => !request.signal.aborted && setNumbers((before) => new Map(before).set(at, sumOf(idle))),
        (error: unknown) => !request.signal.aborted && setNumbers((before) => new Map(before).set(at, messageOf(error))),
      );
    });
    return () => request.abort();
  }, [run, range?.start_ns, range?.end_ns, wanted]);
  return numbers;
}

// Over the devices of the rank.
function sumOf(idle: Idle): RankNumbers {
  const sum: RankNumbers = { wall: 0, busy: 0, idle: 0, classes: {} };
  for (const device of idle.devices) {
    sum.wall += device.window_ns;
    sum.busy += device.busy_ns;
    sum.idle += device.idle_ns;
    for (const [key, time] of Object.entries(device.classes)) sum.classes[key] = (sum.classes[key] ?? 0) + time;
  }
  return sum;
}

export function RankNumbersTable({ session, run, range }: { session: Session; run: RunSource; range: Range | null }) {
  const [asked, setAsked] = useState(false);
  const traces = useStore(workspace, (state) => state.traces);
  const wanted = asked || run.ranks.length <= mostUnasked;
  const numbers = useNumbers(run, range, wanted);
  const rows: RankRow[] = run.ranks.map((rank, at) => {
    const known = numbers.get(at);
    const file = traces.find((trace) => trace.id === rank.trace)?.file ?? '';
    return { at, rank: rank.rank, file, numbers: typeof known === 'object' ? known : null, error: typeof known === 'string' ? known : null };
  });
  if (!wanted)
    return (
      <button type="button" class="plain" onClick={() => setAsked(true)}>
        Work out the numbers of all {formatCount(run.ranks.length)} ranks
      </button>
    );
  const time = (title: string, of: (numbers: RankNumbers) => number, hint?: string): Column<RankRow> => ({
    title,
    hint,
    value: (row) => row.numbers && of(row.numbers),
    text: (row) => (row.numbers ? formatDuration(of(row.numbers)) : row.error ? '-' : '\u2026'),
  });
  const present = idleClasses.filter(([key]) => rows.some((row) => (row.numbers?.classes[key] ?? 0) > 0));
  const failed = rows.filter((row) => row.error);
  return (
    <>
      <Table<RankRow>
        label="Ranks in the selected time"
        columns={[
          {
            title: 'Rank',
            value: (row) => row.rank,
            text: (row) => String(row.rank),
            onClick: (row) => openRank(run, row.at, range ?? viewOf(session), range !== null),
            action: 'Open alone',
          },
          time('Wall', (one) => one.wall, 'added up over the devices of the rank, as the other times are'),
          time('Busy', (one) => one.busy, 'the union of all work on all streams of a device'),
          {
            title: 'Busy share',
            value: (row) => row.numbers && row.numbers.busy / Math.max(1, row.numbers.wall),
            text: (row) => (row.numbers ? formatPart(row.numbers.busy, row.numbers.wall) : '-'),
            share: (row) => (row.numbers ? row.numbers.busy / Math.max(1, row.numbers.wall) : null),
          },
          time('Idle', (one) => one.idle),
          ...present.map(([key, name, what]) => ({ ...time(name, (one) => one.classes[key] ?? 0, what), aside: true })),
        ]}
        rows={rows}
        sort={0}
        upwards
      />
      <div class="rank-bars">
        {rows.slice(0, mostUnasked).map(
          (row) =>
            row.numbers && (
              <div class="rank-bar" key={row.at}>
                <span class="soft num">{row.rank}</span>
                <TimeBar busy={row.numbers.busy} classes={row.numbers.classes} wall={row.numbers.wall} label={`rank ${row.rank}`} />
              </div>
            ),
        )}
      </div>
      <BarLegend classes={present.map(([key]) => key)} />
      {failed.slice(0, 4).map((row) => (
        <p class="remark" key={row.at}>
          rank {row.rank}: {displayText(row.error ?? '')}
        </p>
      ))}
    </>
  );
}

const viewOf = (session: Session): Range => {
  const view = session.view.get();
  return { start_ns: Math.round(view.start), end_ns: Math.round(view.end) };
};

// The rank's own tab, at the same time.
function openRank(run: RunSource, at: number, time: Range, select: boolean): void {
  const rank = run.ranks[at]!;
  const session = opener.show(rank.trace);
  if (!session) return;
  const [start, end] = [time.start_ns - rank.delta, time.end_ns - rank.delta];
  const go = (): void => {
    if (select) session.selectRange(start, end, { fit: true });
    else session.moveTo({ start, end });
  };
  if (session.state.get().tracks) go();
  else {
    const stop = session.state.watch(() => {
      if (!session.state.get().tracks) return;
      stop();
      // The session itself goes to where its address says first.
      setTimeout(go);
    });
  }
}

export function RankRangePanel({ session, run, range }: { session: Session; run: RunSource; range: Range }) {
  const worst = Math.max(0, ...run.ranks.map((rank) => rank.error_ns ?? 0));
  return (
    <div class="range">
      <header>
        <h2>
          {formatDuration(range.end_ns - range.start_ns)}{' '}
          <span class="soft">
            from {formatTime(range.start_ns)} to {formatTime(range.end_ns)}, on every rank to {'\u00b1'}
            {formatDuration(worst)}
          </span>
        </h2>
        <p class="jumps">
          <button type="button" class="plain" onClick={() => session.fit()}>
            Fit <kbd>F</kbd>
          </button>
        </p>
      </header>
      <RankNumbersTable session={session} run={run} range={range} />
    </div>
  );
}

// Who waits for whom: what `report RANK0 RANK1 ...` says.
function Comparison({ comparison }: { comparison: RankComparison }) {
  const time = (title: string, of: (row: ComparedRank) => number | null, hint?: string): Column<ComparedRank> => ({
    title,
    hint,
    value: of,
    text: (row) => (of(row) === null ? '-' : formatDuration(of(row)!)),
  });
  return (
    <>
      {comparison.verdict && <p class="verdict">{displayText(comparison.verdict)}</p>}
      {comparison.slow_rank && comparison.slow_rank.causes.length > 0 && (
        <ul>
          {comparison.slow_rank.causes.map((cause) => (
            <li key={cause}>{displayText(cause)}</li>
          ))}
        </ul>
      )}
      <h3>{comparison.per === 'step' ? 'A step of each rank' : 'Each rank'}</h3>
      <Table<ComparedRank>
        label="Waits of the ranks"
        columns={[
          { title: 'Rank', value: (row) => row.rank },
          time('Wall', (row) => row.step_wall_ns),
          time('Compute', (row) => row.compute_ns, 'busy with anything but collectives'),
          time('Exposed collectives', (row) => row.exposed_collective_ns, 'nothing but collectives ran'),
          time('Idle', (row) => row.idle_ns),
          time('Wait', (row) => row.wait_ns, 'in collectives, until the last rank came'),
          time('Exposed wait', (row) => row.exposed_wait_ns, 'the part of it in which nothing else ran'),
          { ...time('Transfer', (row) => row.transfer_ns, 'the shortest time of each collective over the ranks'), aside: true },
          { title: 'Came last', hint: `of ${comparison.matched_collectives} collectives`, value: (row) => row.last, text: (row) => (row.last === null ? '-' : formatCount(row.last)), aside: true },
        ]}
        rows={comparison.rows}
        sort={0}
        upwards
      />
    </>
  );
}

export function RanksPanel({ session }: { session: Session }) {
  const { run } = session;
  const axis = useStore(workspace, (state) => state.ranks);
  const traces = useStore(workspace, (state) => state.traces);
  useStore(session.state, (state) => state.tracks); // with them the moves are known
  if (!run) return null;
  const file = (trace: number): string => fileName(traces.find((one) => one.id === trace)?.file ?? '');
  return (
    <div class="ranks">
      {axis?.comparison && <Comparison comparison={axis.comparison} />}
      <h3>Clocks</h3>
      <p>{displayText(axis?.clocks ?? '')}</p>
      <Table
        label="Clocks of the ranks"
        columns={[
          { title: 'Rank', value: (row) => row.rank, text: (row) => String(row.rank), onClick: (row) => openRank(run, run.ranks.indexOf(row), viewOf(session), false), action: 'Open alone' },
          { title: 'Begins', hint: 'on the common axis', value: (row) => row.delta, text: (row) => formatDuration(row.delta) },
          { title: 'Lasts', value: (row) => row.length, text: (row) => formatDuration(row.length) },
          { title: 'Error', hint: 'half of the middle 90 % of the distances between the ends of common collectives', value: (row) => row.error_ns, text: (row) => (row.collectives === null ? 'the axis' : row.error_ns === null ? '-' : `\u00b1${formatDuration(row.error_ns)}`) },
          { title: 'Collectives', hint: 'in common with the first', value: (row) => row.collectives, text: (row) => (row.collectives === null ? '-' : formatCount(row.collectives)) },
          { title: 'File', value: (row) => file(row.trace), name: true },
        ]}
        rows={run.ranks}
        sort={0}
        upwards
      />
      <h3>The whole recording of each</h3>
      <RankNumbersTable session={session} run={run} range={null} />
    </div>
  );
}
