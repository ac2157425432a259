// Flame graphs: where the host's or the GPU's time went, by stack. Of the selected range, or the whole trace.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { Flame, FlameFrame, Range } from '../engine/types';
import { cut, displayText, shortKernelName } from '../engine/text';
import { formatCount, formatDuration, formatPart } from '../engine/units';
import { guessFamily, kernelFamily, sliceColour, type Theme } from '../timeline/colours';
import { paint } from '../timeline/theme';
import { flameTree, layOutFlame, neighbourBox, pathTo, selfOf, sumOf, totalOf, type Box, type FlameTree } from './flame_layout';
import { searchFor } from './kernel_table';
import { RangeText, Wait } from './parts_of_panels';
import { useDocument, useRange } from './use_document';

const rowHeight = 18;
const textFrom = 24; // a box of fewer pixels has no text

const kinds: { by: string; title: string; what: string; split: string }[] = [
  { by: 'gpu', title: 'GPU time', what: 'kernels, copies and sets below the ops, modules and ranges that launched them', split: 'by device and stream' },
  { by: 'host', title: 'Host time', what: 'ranges, ops and calls of all threads', split: 'by thread' },
  { by: 'python', title: 'Python', what: 'functions and modules of Python, as recorded', split: 'by thread' },
  { by: 'samples', title: 'CPU samples', what: 'what the threads were found executing', split: 'by thread' },
];

export function FlamePanel({ session }: { session: Session }) {
  const range = useRange(session);
  const tracks = useStore(session.state, (state) => state.tracks);
  const chosen = useStore(session.state, (state) => state.flame);
  const fallback = tracks?.groups.some((group) => group.kind === 'device') ? 'gpu' : 'host';
  const [by, apart] = (chosen ?? fallback).split('.') as [string, string?];
  const kind = kinds.find((one) => one.by === by) ?? kinds[0]!;
  const split = apart === 'split';
  const flame = useDocument<Flame>(session, 'flame', { range, by: kind.by, split });
  const choose = (next: string, nextSplit: boolean): void => session.state.patch({ flame: `${next}${nextSplit ? '.split' : ''}` });
  return (
    <div class="flame">
      <div class="tools">
        <fieldset class="choice">
          <legend class="hush">Time of</legend>
          {kinds.map((one) => (
            <label key={one.by} title={one.what}>
              <input type="radio" name="flame" checked={one === kind} onChange={() => choose(one.by, split)} />
              {one.title}
            </label>
          ))}
        </fieldset>
        <label>
          <input type="checkbox" checked={split} onChange={() => choose(kind.by, !split)} /> {kind.split}
        </label>
        <RangeText range={range} />
      </div>
      <Wait loaded={flame}>{(data) => <Icicle session={session} flame={data} range={range} key={`${kind.by} ${split}`} onTimeline={kind.by !== 'samples'} />}</Wait>
    </div>
  );
}

function Icicle({ session, flame, range, onTimeline }: { session: Session; flame: Flame; range: Range | null; onTimeline: boolean }) {
  const tree = useMemo(() => flameTree(flame.frames, flame.total_ns ?? flame.total_samples ?? 0), [flame]);
  const theme = useStore(paint)?.theme ?? 'light';
  const [zoomed, setZoom] = useState<number | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const [focus, setFocus] = useState<number | null>(null);
  const [mark, setMark] = useState('');
  const [tip, setTip] = useState<{ box: Box; x: number } | null>(null);
  const [width, setWidth] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    watch.observe(root.current!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    setZoom(null);
    setAt(null);
    setTip(null);
  }, [flame]);
  // Of the graph that was shown before, until the effect above has run.
  const valid = zoomed !== null && zoomed < tree.frames.length ? zoomed : null;
  const boxes = useMemo(() => (width ? layOutFlame(tree, valid, width) : []), [tree, valid, width]);
  const amount = (value: number): string => (flame.unit === 'samples' ? `${formatCount(value)} samples` : formatDuration(value));
  const wanted = mark.trim().toLowerCase();
  const isMarked = (frame: FlameFrame): boolean => wanted !== '' && (frame.name ?? '').toLowerCase().includes(wanted);
  const shown = boxes.some((box) => box.frame === at) ? at : (boxes.find((box) => box.frame >= 0)?.frame ?? null);
  const path = pathTo(tree, valid);

  const zoomTo = (frame: number | null): void => {
    setZoom(frame);
    if (frame !== null) setAt(frame);
    setFocus(frame ?? tree.outermost[0] ?? null);
    setTip(null);
  };
  const out = (): void => zoomTo(valid === null ? null : tree.frames[valid]!.parent);
  const search = (frame: number): void => searchFor(session, searchedName(tree.frames[frame]!), range);
  // The focus goes along, once the box is there.
  useEffect(() => {
    if (focus === null) return;
    root.current?.querySelector<HTMLElement>(`[data-frame="${focus}"]`)?.focus({ preventScroll: false });
    setFocus(null);
  }, [focus, boxes]);

  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key: pressed } = event;
    if (pressed.startsWith('Arrow') || pressed === 'Home' || pressed === 'End') {
      const next = shown === null ? null : neighbourBox(boxes, tree, shown, pressed);
      if (next !== null) {
        setAt(next);
        setFocus(next);
      } else if (pressed === 'ArrowUp' && valid !== null && shown === valid) out();
    } else if (pressed === 'Enter' || pressed === ' ') {
      if (shown === null) return;
      if (shown === valid) out();
      else zoomTo(shown);
    } else if ((pressed === 'Escape' || pressed === 'Backspace') && valid !== null) out();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (!tree.frames.length) return <p class="remark">Nothing was running in this time.</p>;
  const depth = boxes.reduce((most, box) => Math.max(most, box.depth), 0);
  const whole = tree.total;
  return (
    <>
      <div class="tools">
        <label>
          Mark <input type="search" value={mark} onInput={(event) => setMark(event.currentTarget.value)} aria-label="Mark frames" spellcheck={false} />
        </label>
        <output>
          {wanted
            ? `${framesText(tree.frames.filter(isMarked).length)}, ${amount(sumOf(tree, isMarked))}, ${formatPart(sumOf(tree, isMarked), whole)}`
            : `${framesText(flame.frames_total)}, ${amount(whole)}`}
        </output>
        {onTimeline && shown !== null && isEvent(tree.frames[shown]!) && (
          <button type="button" class="plain" title="Search events of this name" onClick={() => search(shown)}>
            Find on the timeline: {cut(shortName(tree.frames[shown]!), 40)}
          </button>
        )}
      </div>
      <nav class="crumbs" aria-label="Zoomed into">
        <button type="button" class="link" disabled={valid === null} onClick={() => zoomTo(null)}>
          all
        </button>
        {path.map((frame) => (
          <span key={frame}>
            {' \u203a '}
            <button type="button" class="link" disabled={frame === valid} onClick={() => zoomTo(frame)}>
              {cut(shortName(tree.frames[frame]!), 60)}
            </button>
          </span>
        ))}
      </nav>
      <div
        class="icicle"
        ref={root}
        role="tree"
        aria-label="Frames"
        style={{ height: `${(depth + 1) * rowHeight}px` }}
        onKeyDown={key}
        onPointerLeave={() => setTip(null)}
      >
        {boxes.map((box) => (
          <FrameBox
            key={box.frame < 0 ? `hidden ${box.depth} ${box.x}` : box.frame}
            tree={tree}
            box={box}
            label={labelOf(tree, box, amount)}
            colour={box.frame < 0 ? '' : colourOf(session, tree.frames[box.frame]!, theme)}
            state={`${box.frame >= 0 && wanted ? (isMarked(tree.frames[box.frame]!) ? ' marked' : ' unmarked') : ''}`}
            stop={box.frame === shown}
            onClick={() => box.frame >= 0 && (box.frame === valid ? out() : zoomTo(box.frame))}
            onTip={(x) => setTip({ box, x })}
            onFocus={() => {
              setAt(box.frame);
              setTip({ box, x: box.x });
            }}
          />
        ))}
        {tip && <Tip tree={tree} box={tip.box} x={Math.min(tip.x, Math.max(0, width - 340))} amount={amount} below={depth} />}
      </div>
    </>
  );
}

function FrameBox(props: {
  tree: FlameTree;
  box: Box;
  label: string;
  colour: string;
  state: string;
  stop: boolean;
  onClick: () => void;
  onTip: (x: number) => void;
  onFocus: () => void;
}) {
  const { box, tree } = props;
  const place = { left: `${box.x}px`, top: `${box.depth * rowHeight}px`, width: `${Math.max(1, box.width - (box.width > 4 ? 1 : 0))}px` };
  const point = (event: PointerEvent): void => props.onTip(event.clientX - (event.currentTarget as HTMLElement).parentElement!.getBoundingClientRect().left + 12);
  if (box.frame < 0) return <div class="frame hidden-frames" style={place} aria-hidden="true" onPointerMove={point} />;
  const frame = tree.frames[box.frame]!;
  return (
    <div
      class={`frame${frame.kind === 'rest' ? ' rest' : ''}${props.state}`}
      style={frame.kind === 'rest' ? place : { ...place, background: props.colour }}
      role="treeitem"
      aria-level={box.depth + 1}
      aria-label={props.label}
      data-frame={box.frame}
      tabIndex={props.stop ? 0 : -1}
      onClick={props.onClick}
      onPointerMove={point}
      onFocus={props.onFocus}
    >
      {box.width >= textFrom ? shownName(frame) : ''}
    </div>
  );
}

function Tip({ tree, box, x, amount, below }: { tree: FlameTree; box: Box; x: number; amount: (value: number) => string; below: number }) {
  const frame = tree.frames[box.frame];
  const around = frame && frame.parent !== null ? tree.frames[frame.parent] : null;
  // Under the box, or over it near the end.
  const top = box.depth + 5 > below && box.depth > 4 ? (box.depth - 4) * rowHeight : (box.depth + 1) * rowHeight + 4;
  return (
    <div class="tip" style={{ left: `${x}px`, top: `${top}px` }}>
      <div class="tip-name">{frame ? cut(nameOf(frame), 300) : `${formatCount(box.hidden)} frames too narrow or too deep to be drawn: zoom in`}</div>
      {frame && (
        <div class="tip-detail">
          {frame.kind}, {amount(totalOf(frame))}, {formatPart(totalOf(frame), tree.total)} of all
          {around ? `, ${formatPart(totalOf(frame), totalOf(around))} of what it lies in` : ''}
          <br />
          self {amount(selfOf(frame))}
          {frame.count > 0 && frame.total_ns !== undefined ? `, ${formatCount(frame.count)} ${frame.count === 1 ? 'time' : 'times'}` : ''}
        </div>
      )}
    </div>
  );
}

function labelOf(tree: FlameTree, box: Box, amount: (value: number) => string): string {
  const frame = tree.frames[box.frame];
  return frame ? `${shownName(frame)}, ${amount(totalOf(frame))}, ${formatPart(totalOf(frame), tree.total)}` : '';
}

// On the box, whose end hides what is too long, and in its label.
const shownName = (frame: FlameFrame): string => cut(shortName(frame), 200);

// Of which the timeline has events.
const isEvent = (frame: FlameFrame): boolean => frame.name !== null && !['thread', 'device', 'stream'].includes(frame.kind);

const isWork = (frame: FlameFrame): boolean => frame.kind === 'kernel' || frame.kind === 'memcpy' || frame.kind === 'memset';

const framesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'frame' : 'frames'}`;

function nameOf(frame: FlameFrame): string {
  return frame.name === null ? `${formatCount(frame.frames_left_out ?? 0)} smaller frames together` : displayText(frame.name);
}

function shortName(frame: FlameFrame): string {
  const name = nameOf(frame);
  return isWork(frame) ? shortKernelName(name) : name.replace(/^nn\.Module: /, '');
}

// All steps are one frame.
const searchedName = (frame: FlameFrame): string => (frame.name ?? '').replace(/^ProfilerStep\*$/, 'ProfilerStep#');

function colourOf(session: Session, frame: FlameFrame, theme: Theme): string {
  const name = frame.name ?? '';
  switch (frame.kind) {
    case 'kernel':
    case 'memcpy':
    case 'memset':
      return sliceColour(kernelFamily(session, name), name, theme);
    case 'annotation':
      return sliceColour('range', name, theme);
    case 'module':
    case 'python':
      return sliceColour('frame', name, theme);
    case 'system':
      return sliceColour('sync', name, theme);
    case 'op':
    case 'api':
      return sliceColour(guessFamily(name, false, 'calls'), name, theme);
    case 'native':
      return sliceColour('call', name, theme);
    default:
      return sliceColour('other', name, theme);
  }
}
