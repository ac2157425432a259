// The timeline: labels as elements, so that they can be read and tabbed to, beside the canvas that draws the events.

import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import { displayText } from '../engine/text';
import { formatCount, formatDuration } from '../engine/units';
import { formatTime, TimelineController } from './controller';
import { groupKey, type GroupRow, type Layout, type TrackRow } from './layout';

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
            aria-describedby="selected-text"
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

function ViewText({ session }: { session: Session }) {
  const view = useStore(session.view);
  const range = useStore(session.state, (state) => state.range);
  return (
    <div class="tl-corner">
      <span title={`Seen: ${formatDuration(view.end - view.start)} from ${formatTime(Math.max(0, Math.round(view.start)))}`}>
        {formatDuration(view.end - view.start)} <span class="soft">from</span> {formatDuration(Math.max(0, view.start))}
      </span>
      {range && (
        <span class="range-text">
          <span class="soft">selected</span> {formatDuration(range.end_ns - range.start_ns)}
        </span>
      )}
    </div>
  );
}

function Labels({ session, layout, onEnter }: { session: Session; layout: Layout; onEnter: (track: number) => void }) {
  return (
    <ul class="tl-labels" aria-label="Tracks">
      {layout.rows.map((row) =>
        row.kind === 'group' ? (
          <GroupLabel key={`g${groupKey(row.group)}`} row={row} onToggle={() => session.toggleGroup(groupKey(row.group))} />
        ) : (
          <TrackLabel
            key={row.track.track}
            row={row}
            onToggle={() => session.toggleTrack(row.track.track)}
            onEnter={() => onEnter(row.track.track)}
          />
        ),
      )}
    </ul>
  );
}

function GroupLabel({ row, onToggle }: { row: GroupRow; onToggle: () => void }) {
  const name = displayText(row.group.name);
  return (
    <li class="group-label" style={{ height: `${row.height}px` }}>
      <button type="button" aria-expanded={row.open} onClick={onToggle} title={name}>
        <span class="twist" aria-hidden="true">
          {row.open ? '\u25be' : '\u25b8'}
        </span>
        <span class="cut">{name}</span>
        {!row.open && <span class="soft count">{row.group.tracks.length} tracks</span>}
      </button>
    </li>
  );
}

function TrackLabel({ row, onToggle, onEnter }: { row: TrackRow; onToggle: () => void; onEnter: () => void }) {
  const { track } = row;
  const name = displayText(track.name);
  const what = track.kind === 'counter' ? 'counter' : `${formatCount(track.events)} events`;
  const several = track.depths > 1 || track.kind === 'counter';
  return (
    <li
      class="track-label"
      style={{ height: `${row.height}px` }}
      data-track={track.track}
      data-top={row.top}
      data-row-height={row.rowHeight}
    >
      <button type="button" class="cut" onClick={onEnter} title={`${name.slice(0, 500)}\n${what}; select the first event that is seen`}>
        {name.slice(0, 200)}
        <span class="hush">, {what}: select the first that is seen</span>
      </button>
      {several && (
        <button
          type="button"
          class="squeeze"
          aria-pressed={row.squeezed}
          aria-label={`${row.squeezed ? 'Widen' : 'Squeeze'} ${name.slice(0, 60)}`}
          title={row.squeezed ? 'Widen the rows' : 'Squeeze the rows'}
          onClick={onToggle}
        >
          {row.squeezed ? '+' : '\u2212'}
        </button>
      )}
    </li>
  );
}
