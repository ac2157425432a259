// One event, whole: its name decoded, its facts, what launched it and what it launched, and how its like did elsewhere.

import { Fragment } from 'preact';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { EventDetail, FactValue, KernelCounters, Same } from '../engine/types';
import { displayText, fileName, shortKernelName } from '../engine/text';
import { formatCount, formatDuration, formatExact, formatNumber, formatShare } from '../engine/units';
import { formatTime } from '../timeline/time_text';
import { searchFor } from './kernel_table';
import { RefButton, Wait } from './parts_of_panels';
import { Recorded } from './recorded';
import { useLoaded } from './use_document';

export function EventPanel({ session, event }: { session: Session; event: EventDetail }) {
  const groups = useStore(session.state, (state) => state.tracks)?.groups ?? [];
  const group = groups.find((one) => one.tracks.some((track) => track.track === event.track));
  const track = group?.tracks.find((one) => one.track === event.track);
  const name = displayText(event.name);
  const short = event.kind === 'gpu' ? shortKernelName(name) : name;
  const label = typeof event.decoded?.['label'] === 'string' ? event.decoded['label'] : null;
  const facts: [string, FactValue][] = [
    ['duration', `${formatDuration(event.duration_ns)}${event.duration_ns >= 1000 ? ` (${formatExact(event.duration_ns)})` : ''}`],
    ['start', formatTime(event.start_ns)],
    ...(event.self_ns === null || event.self_ns === undefined ? [] : [['self', formatDuration(event.self_ns)] as [string, FactValue]]),
    ...(group && track ? [['track', `${group.name}, ${track.name}`] as [string, FactValue]] : []),
    ...(event.part ? [['part', event.part] as [string, FactValue]] : []),
    ...(event.bound ? [['bound', event.bound] as [string, FactValue]] : []),
    ...(event.efficiency === null || event.efficiency === undefined ? [] : [['efficiency', formatShare(event.efficiency)] as [string, FactValue]]),
    ...event.facts,
  ];
  return (
    <div class="event">
      <header>
        <h2>{short.length > 200 ? `${short.slice(0, 200)}\u2026` : short}</h2>
        {label && <span class="soft">{displayText(label)}</span>}
        <p class="jumps">
          <button type="button" class="plain" onClick={() => session.fit()}>
            Fit <kbd>F</kbd>
          </button>
          <button type="button" class="plain" onClick={() => session.rangeOfEvent()}>
            Select its range <kbd>R</kbd>
          </button>
          <button type="button" class="plain" onClick={() => searchFor(session, event.name)}>
            Search its name
          </button>
        </p>
      </header>
      {(name !== short || short.length > 200) && (
        <p class="event-name" tabIndex={0} role="group" aria-label="Whole name">
          {name}
        </p>
      )}
      <div class="columns three">
        <div>
          <dl class="facts">
            {facts.map(([name, value], i) => (
              <Fragment key={i}>
                <dt>{displayText(name)}</dt>
                <Fact text={value === null ? '-' : typeof value === 'number' ? factNumber(name, value) : displayText(String(value))} />
              </Fragment>
            ))}
          </dl>
          {event.decoded && <Decoded decoded={event.decoded} />}
        </div>
        {event.counters && <Counters counters={event.counters} />}
        <Chain session={session} event={event} />
        <Elsewhere session={session} event={event} />
      </div>
      <Recorded session={session} event={event} />
    </div>
  );
}

// Long ones scroll, by keyboard too.
function Fact({ text }: { text: string }) {
  return text.length > 300 ? (
    <dd class="num long" tabIndex={0}>
      {text}
    </dd>
  ) : (
    <dd class="num">{text}</dd>
  );
}

// Numbers that name something (a stream, a correlation) have no thousands to group.
const factNumber = (name: string, value: number): string =>
  /bytes|count|elements|flop/i.test(name) ? formatNumber(value) : String(value);

function Chain({ session, event }: { session: Session; event: EventDetail }) {
  const { launched_by: by, op, launches, parents } = event;
  return (
    <div class="chain">
      {by && (
        <>
          <h3>
            Launched by <kbd>[</kbd>
          </h3>
          <RefButton session={session} to={by} />
          <p class="remark">{delayText(event.start_ns - by.start_ns)}</p>
        </>
      )}
      {op && (
        <>
          <h3>Op</h3>
          <RefButton session={session} to={op} />
        </>
      )}
      {launches.count > 0 && (
        <>
          <h3>
            Launches {formatCount(launches.count)} <kbd>]</kbd>
          </h3>
          <div class="refs">
            {launches.first.map((ref) => (
              <RefButton key={`${ref.kind}${ref.row}`} session={session} to={ref} />
            ))}
          </div>
          {launches.count > launches.first.length && <p class="remark">The first {launches.first.length} are listed.</p>}
        </>
      )}
      {parents.length > 0 && (
        <>
          <h3>
            Inside of {!by && <kbd>[</kbd>}
          </h3>
          <div class="refs">
            {parents.map((ref) => (
              <RefButton key={ref.row} session={session} to={ref} />
            ))}
          </div>
        </>
      )}
      {!by && !op && !launches.count && !parents.length && <p class="remark">Nothing is known to have launched it, nor to be launched by it.</p>}
    </div>
  );
}

const delayText = (ns: number): string =>
  ns >= 0 ? `It began ${formatDuration(ns)} after the call.` : `It began ${formatDuration(-ns)} before the call: the clocks of host and GPU disagree.`;

const lights: [string, string][] = [
  ['compute_share', 'compute'],
  ['memory_share', 'memory'],
  ['dram_share', 'device memory'],
  ['l2_share', 'L2'],
  ['l1_share', 'L1 and shared memory'],
  ['occupancy_share', 'occupancy'],
];

// Why the kernel is slow, by its hardware counters. Their times are not shown: a profiled kernel runs alone.
function Counters({ counters }: { counters: KernelCounters }) {
  const known = lights.flatMap(([key, name]) => {
    const share = counters.speed_of_light[key];
    return share === null || share === undefined ? [] : [[name, share] as const];
  });
  return (
    <div class="counters">
      <h3>Counters</h3>
      <p class="why">{displayText(counters.verdict)}</p>
      {known.length > 0 && (
        <dl class="facts lights">
          {known.map(([name, share]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd class="num s" style={{ '--s': `${Math.min(100, Math.max(0, share * 100))}%` }}>
                {formatShare(share)}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {counters.findings.map((finding) => (
        <article key={finding.id} class="finding">
          <header>
            <span class={`pill ${finding.severity}`}>{displayText(finding.severity)}</span>
            <h4>{displayText(finding.title)}</h4>
            {finding.gain_share !== null && (
              <span class="gain" title={finding.gain_of === 'kernel' ? "of the kernel's time, at most" : 'of one part of its time, at most'}>
                up to {formatShare(finding.gain_share)}
                {finding.gain_of === 'kernel' ? '' : ' of a part'}
              </span>
            )}
          </header>
          <ul>
            {finding.evidence.map((line) => (
              <li key={line}>{displayText(line)}</li>
            ))}
          </ul>
          {finding.advice && <p class="advice">{displayText(finding.advice)}</p>}
        </article>
      ))}
      <p class="remark">
        Kernel {counters.id} of {displayText(fileName(counters.report))}, matched by {displayText(counters.matched_by)}
        {counters.launches.length > 1 ? `; ${formatCount(counters.launches.length)} launches of it were profiled` : ''}.
      </p>
    </div>
  );
}

function Decoded({ decoded }: { decoded: Record<string, unknown> }) {
  return <Record title="From its name" record={decoded} />;
}

function Record({ title, record }: { title: string; record: Record<string, unknown> }) {
  const entries = Object.entries(record).filter(([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && !value.length));
  if (!entries.length) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl class="facts">
        {entries.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{displayText(name.replace(/_/g, ' '))}</dt>
            <Fact text={displayText(valueText(name, value))} />
          </Fragment>
        ))}
      </dl>
    </>
  );
}

function valueText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(name === 'tile' || name === 'cluster' ? ' x ' : ', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function Elsewhere({ session, event }: { session: Session; event: EventDetail }) {
  const same = useLoaded<Same>((signal) => session.api.same(event.kind, event.row, signal), [session, event.kind, event.row]);
  return (
    <div class="elsewhere">
      <h3>Of the same name</h3>
      <Wait loaded={same}>
        {(data) => (
          <>
            <dl class="facts">
              <dt>count</dt>
              <dd class="num">{formatCount(data.count)}</dd>
              <dt>sum</dt>
              <dd class="num">{formatDuration(data.total_ns)}</dd>
              <dt>mean</dt>
              <dd class="num">{formatDuration(data.mean_ns)}</dd>
              <dt>min, max</dt>
              <dd class="num">
                {formatDuration(data.min_ns)}, {formatDuration(data.max_ns)}
              </dd>
            </dl>
            <Histogram same={data} own={event.duration_ns} />
          </>
        )}
      </Wait>
    </div>
  );
}

const box = { width: 320, height: 96, bottom: 18 };

function Histogram({ same, own }: { same: Same; own: number }) {
  const bins = same.histogram;
  if (!bins.length) return null;
  const most = Math.max(...bins.map((bin) => bin.count));
  const wide = box.width / bins.length;
  const high = box.height - box.bottom - 4;
  const ownBin = bins.findIndex((bin) => own >= bin.from_ns && own < bin.to_ns);
  const at = ownBin < 0 ? bins.length - 1 : ownBin;
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${box.width} ${box.height}`}
      role="img"
      aria-label={`Durations from ${formatDuration(same.min_ns)} to ${formatDuration(same.max_ns)}; this one is in bin ${at + 1} of ${bins.length}`}
    >
      {bins.map((bin, i) => {
        const height = bin.count ? Math.max(2, (bin.count / most) * high) : 0;
        return (
          <rect key={i} class={i === at ? 'own' : ''} x={i * wide + 0.5} y={4 + high - height} width={Math.max(1, wide - 1)} height={height}>
            <title>
              {formatDuration(bin.from_ns)} to {formatDuration(bin.to_ns)}: {formatCount(bin.count)}
            </title>
          </rect>
        );
      })}
      <line x1={0} x2={box.width} y1={4 + high} y2={4 + high} />
      <text x={0} y={box.height - 4}>
        {formatDuration(bins[0]!.from_ns)}
      </text>
      <text x={box.width} y={box.height - 4} text-anchor="end">
        {formatDuration(bins[bins.length - 1]!.to_ns)}
      </text>
    </svg>
  );
}
