// Small things that several panels show.

import type { ComponentChildren } from 'preact';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { Range, Ref } from '../engine/types';
import { displayText, shortKernelName } from '../engine/text';
import { formatDuration, formatPart } from '../engine/units';
import { formatTime } from '../timeline/time_text';
import { inRange, useDocument, useRange, type Loaded } from './use_document';
import { Quantity } from './table';

export function Wait<T>({ loaded, children }: { loaded: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (loaded.error) return <p class="warning">{displayText(loaded.error)}</p>;
  if (!loaded.data) return <p class="remark">{'Reading\u2026'}</p>;
  return <div class={loaded.busy ? 'stale' : undefined}>{children(loaded.data)}</div>;
}

// What a panel that follows the selected range speaks of.
export function RangeText({ range }: { range: Range | null }) {
  return <span class="soft">{range ? `of the selected ${formatDuration(range.end_ns - range.start_ns)} from ${formatTime(range.start_ns)}` : 'of the whole recording'}</span>;
}

export function RangeLine({ range }: { range: Range | null }) {
  return (
    <p class="tools">
      <RangeText range={range} />
    </p>
  );
}

interface OfRangeProps<T> {
  session: Session;
  verb: string;
  children: (data: T, range: Range | null) => ComponentChildren;
}

// A panel that shows a document of the selected range, or of the whole recording, and says which.
export function OfRange<T>({ session, verb, children }: OfRangeProps<T>) {
  const range = useRange(session);
  const loaded = useDocument<T>(session, verb, inRange(range));
  return (
    <>
      <RangeLine range={range} />
      <Wait loaded={loaded}>{(data) => children(data, range)}</Wait>
    </>
  );
}

// Of a panel that does not follow it.
export function WholeLine({ session }: { session: Session }) {
  const range = useStore(session.state, (state) => state.range);
  return range && <RangeLine range={null} />;
}

export function RefButton({ session, to }: { session: Session; to: Ref }) {
  const name = displayText(to.name);
  return (
    <button type="button" class="link ref" title={name.slice(0, 2000)} onClick={() => session.jumpTo(to)}>
      <span class="cut">{to.kind === 'gpu' ? shortKernelName(name).slice(0, 300) : name.slice(0, 300)}</span>
      <span class="soft num">{formatDuration(to.duration_ns)}</span>
    </button>
  );
}

export const idleClasses: [string, string, string][] = [
  ['host_work_ns', 'host work', 'the queue was empty: the GPU waited for the host to get to its launch'],
  ['launch_ns', 'launch', 'the launch itself was on the way'],
  ['sync_ns', 'synchronisation', 'the host waited for the GPU, then had to start again'],
  ['round_trip_ns', 'round trip', 'a value travelled through the host before the next launch'],
  ['device_wait_ns', 'device wait', 'queued in time, but waited for an event, a copy or another stream'],
  ['back_to_back_ns', 'back to back', 'the hardware between two kernels'],
  ['edge_ns', 'edge', 'before the first and after the last work, or unknown launch'],
];

export function className(key: string): string {
  return idleClasses.find(([one]) => one === key || one === `${key}_ns`)?.[1] ?? key.replace(/_ns$/, '').replace(/_/g, ' ');
}

// The name of a segment of the bar in the style sheet.
const segmentOf = (key: string): string => key.replace(/_ns$/, '');

const barColours: Record<string, string> = { busy: 'busy', host_work: 'host', launch: 'launch', sync: 'sync', round_trip: 'trip', device_wait: 'wait', back_to_back: 'btb', edge: 'edge' };
export const barColour = (key: string): string => `var(--${barColours[segmentOf(key)] ?? 'track'})`;

// What the colours of bars mean, where no table beside them says it.
export function BarLegend({ classes }: { classes: string[] }) {
  return (
    <ul class="legend" aria-label="Colours of the bars">
      {['busy', ...classes].map((key) => (
        <li key={key}>
          <span class="swatch" style={{ background: barColour(key) }} aria-hidden="true" />
          {className(key)}
        </li>
      ))}
    </ul>
  );
}

// Busy and the classes of idle as one bar.
export function TimeBar({ busy, classes, wall, label }: { busy: number; classes: Record<string, number>; wall: number; label: string }) {
  const segments: [string, number, string][] = [['busy', busy, 'busy']];
  for (const [key, name] of idleClasses) segments.push([segmentOf(key), classes[key] ?? 0, name]);
  return (
    <div class="timebar" role="img" aria-label={`${label}: ${segments.filter((s) => s[1] > 0).map((s) => `${s[2]} ${formatPart(s[1], wall)}`).join(', ')}`}>
      {segments
        .filter((segment) => segment[1] > 0)
        .map(([key, time, name]) => (
          <span key={key} class={`seg seg-${key}`} style={{ flexGrow: String(time / Math.max(1, wall)) }} title={`${name}: ${formatDuration(time)}, ${formatPart(time, wall)}`} />
        ))}
    </div>
  );
}

export function Figure({ name, value, hint }: { name: string; value: string; hint?: string }) {
  return (
    <div class="figure" title={hint}>
      <dt>{name}</dt>
      <dd>
        <Quantity text={value} />
      </dd>
    </div>
  );
}

export function DeviceLabel({ device, many }: { device: number; many: boolean }) {
  return many ? <h3>GPU {device}</h3> : null;
}
