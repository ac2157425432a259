// The timeline: labels as elements, so that they can be read and tabbed to, beside the canvas that draws the events.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import { displayText } from '../engine/text';
import { MiddleCut } from '../middle_cut';
import { formatCount, formatDuration } from '../engine/units';
import { TimelineController } from './controller';
import { formatTime } from './time_text';
import { seenPart } from './view';
import { groupKey, rowsBetween, type GroupRow, type Layout, type LayoutRow, type TrackRow } from './layout';

interface Props {
  session: Session;
  onController: (controller: TimelineController | null) => void;
}

export function Timeline({ session, onController }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const head = useRef<HTMLCanvasElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const controller = useRef<TimelineController | null>(null);
  // The layout depends on these three.
  useStore(session.state, (state) => state.tracks);
  useStore(session.state, (state) => state.closed);
  useStore(session.state, (state) => state.toggled);
  const layout = session.layout;

  useEffect(() => {
    const made = new TimelineController(session, {
      body: body.current!,
      canvas: canvas.current!,
      head: head.current!,
      tip: tip.current!,
    });
    controller.current = made;
    onController(made);
    return () => {
      made.destroy();
      onController(null);
    };
  }, [session]);

  return (
    <section class="timeline" aria-label="Timeline">
      <div class="tl-head">
        <ViewText session={session} />
        <Fetching session={session} />
        <canvas ref={head} class="tl-ruler" aria-hidden="true" />
      </div>
      <div class="tl-body" ref={body} tabIndex={-1}>
        <div class="tl-sizer" style={{ height: `${layout.height}px` }}>
          <Labels session={session} layout={layout} onEnter={(track) => controller.current?.selectFirst(track)} />
          <canvas
            ref={canvas}
            class="tl-canvas"
            tabIndex={0}
            role="application"
            aria-label="Events over time. W and S zoom, A and D pan, comma and full stop select the previous and next event; press question mark for all keys."
            aria-describedby="selected-text marks-text"
          />
        </div>
        <div class="tip" ref={tip} hidden aria-hidden="true">
          <div class="tip-name" />
          <div class="tip-detail" />
        </div>
      </div>
    </section>
  );
}

// Shown only when an answer takes longer than a moment, or does not come.
function Fetching({ session }: { session: Session }) {
  useStore(session.drawn);
  const { error, pending } = session.tiles;
  if (error) {
    return (
      <p class="tl-error" role="status">
        A part of the timeline could not be fetched: {displayText(error)}
      </p>
    );
  }
  return <span class={`tl-busy${pending ? ' on' : ''}`} aria-hidden="true" />;
}

function ViewText({ session }: { session: Session }) {
  const view = seenPart(useStore(session.view), session.duration);
  const range = useStore(session.state, (state) => state.range);
  return (
    <div class="tl-corner">
      <span title={`Seen: ${formatDuration(view.end - view.start)} from ${formatTime(Math.round(view.start))}`}>
        {formatDuration(view.end - view.start)}{' '}
        <span class="from">
          <span class="soft">from</span> {formatDuration(view.start)}
        </span>
      </span>
      {range && (
        <span class="range-text">
          <span class="soft">selected</span> {formatDuration(range.end_ns - range.start_ns)}
        </span>
      )}
    </div>
  );
}

const fewRows = 300;
const rowsStep = 400; // pixels

// What of a long list is near enough to be made into elements; everything of a short one.
function useNearRows(layout: Layout, list: { current: HTMLElement | null }): LayoutRow[] {
  const [near, setNear] = useState({ top: 0, bottom: 2000 });
  const long = layout.rows.length > fewRows;
  useEffect(() => {
    const body = list.current?.closest('.tl-body');
    if (!body || !long) return undefined;
    const look = (): void => {
      const top = Math.floor(body.scrollTop / rowsStep - 1) * rowsStep;
      const bottom = Math.ceil((body.scrollTop + body.clientHeight) / rowsStep + 1) * rowsStep;
      setNear((before) => (before.top === top && before.bottom === bottom ? before : { top, bottom }));
    };
    look();
    body.addEventListener('scroll', look, { passive: true });
    return () => body.removeEventListener('scroll', look);
  }, [long, layout]);
  return long ? rowsBetween(layout, near.top, near.bottom) : layout.rows;
}

// One stop of Tab for all tracks: the arrows go up and down, left and right close, open or squeeze.
function Labels({ session, layout, onEnter }: { session: Session; layout: Layout; onEnter: (track: number) => void }) {
  const [active, setActive] = useState(0);
  const [wanted, setWanted] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const at = Math.min(active, layout.rows.length - 1);
  const rows = useNearRows(layout, list);
  useEffect(() => {
    if (wanted === null) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${wanted}"] button`)?.focus();
    setWanted(null);
  }, [wanted]);
  const move = (event: KeyboardEvent): void => {
    const row = layout.rows[at];
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: layout.rows.length - 1 }[event.key];
    if (to !== undefined) {
      const next = Math.min(layout.rows.length - 1, Math.max(0, to));
      setActive(next);
      setWanted(next);
    } else if (row && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      const open = row.kind === 'group' ? row.open : !row.squeezed;
      if (open === (event.key === 'ArrowLeft')) toggle(session, row);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The stop of Tab is there wherever the list is scrolled to.
  const stop = layout.rows[at];
  const shown = stop && !rows.includes(stop) ? [...rows, stop] : rows;
  return (
    <ul class="tl-labels" ref={list} aria-label="Tracks: up and down move, left and right close and open" onKeyDown={move}>
      {shown.map((row) =>
        row.kind === 'group' ? (
          <GroupLabel
            key={`g${groupKey(row.group)}`}
            row={row}
            stop={row === stop}
            onFocus={() => setActive(row.index)}
            onToggle={() => toggle(session, row)}
          />
        ) : (
          <TrackLabel
            key={row.track.track}
            row={row}
            stop={row === stop}
            onFocus={() => setActive(row.index)}
            onToggle={() => toggle(session, row)}
            onEnter={() => onEnter(row.track.track)}
          />
        ),
      )}
    </ul>
  );
}

// Where a label stands.
const placed = (row: LayoutRow) => ({ top: `${row.y}px`, height: `${row.height}px` });

const squeezable = (row: TrackRow): boolean => row.track.depths > 1 || row.track.kind === 'counter';

function toggle(session: Session, row: LayoutRow): void {
  if (row.kind === 'group') session.toggleGroup(groupKey(row.group));
  else if (squeezable(row)) session.toggleTrack(row.track.track);
}

function GroupLabel({ row, stop, onFocus, onToggle }: { row: GroupRow; stop: boolean; onFocus: () => void; onToggle: () => void }) {
  const name = displayText(row.group.name);
  return (
    <li class="group-label" style={placed(row)} data-row={row.index}>
      <button type="button" tabIndex={stop ? 0 : -1} aria-expanded={row.open} onFocus={onFocus} onClick={onToggle} title={name}>
        <span class="twist" aria-hidden="true">
          {row.open ? '\u25be' : '\u25b8'}
        </span>
        <span class="cut">{name}</span>
        {!row.open && <span class="soft count">{row.group.tracks.length} {row.group.tracks.length === 1 ? 'track' : 'tracks'}</span>}
      </button>
    </li>
  );
}

// Tracks of a group are told apart by the numbers at their ends: "queue depth, stream 7".
const labelTail = 4;

interface TrackLabelProps {
  row: TrackRow;
  stop: boolean;
  onFocus: () => void;
  onToggle: () => void;
  onEnter: () => void;
}

function TrackLabel({ row, stop, onFocus, onToggle, onEnter }: TrackLabelProps) {
  const { track } = row;
  const name = displayText(track.name);
  const what = track.kind === 'counter' ? 'counter' : `${formatCount(track.events)} events`;
  return (
    <li
      class="track-label"
      style={placed(row)}
      data-row={row.index}
      data-track={track.track}
      data-top={row.top}
      data-row-height={row.rowHeight}
    >
      <button
        type="button"
        class="cut"
        tabIndex={stop ? 0 : -1}
        onFocus={onFocus}
        onClick={onEnter}
        title={`${name.slice(0, 500)}\n${what}; select the first event that is seen`}
      >
        <MiddleCut text={name.slice(0, 200)} tail={labelTail} />
        <span class="hush">, {what}: select the first that is seen</span>
      </button>
      {squeezable(row) && (
        <button
          type="button"
          class="squeeze"
          tabIndex={-1}
          aria-pressed={row.squeezed}
          aria-label={`${row.squeezed ? 'Widen' : 'Squeeze'} ${name.slice(0, 60)}`}
          title={row.squeezed ? 'Widen the rows (right arrow)' : 'Squeeze the rows (left arrow)'}
          onClick={onToggle}
        >
          {row.squeezed ? '+' : '\u2212'}
        </button>
      )}
    </li>
  );
}
