// The page: traces as tabs, the search, the timeline over the panels.

import { useEffect, useRef, useState } from 'preact/hooks';
import { fetchRanks, fetchState } from './engine/api';
import { messageOf, Session } from './engine/session';
import { RunSource } from './engine/run_source';
import { Store, useStore } from './engine/store';
import { displayText, fileName } from './engine/text';
import type { TraceState } from './engine/types';
import { opener, workspace } from './engine/workspace';
import { allRanks, emptyUrlState, formatUrlState, parseUrlState } from './engine/url_state';
import { formatBytes, formatDuration, formatPart } from './engine/units';
import { Help } from './help';
import { onKey } from './keyboard';
import { Panels } from './panels/panels';
import { SearchBox } from './search_box';
import { Splitter } from './splitter';
import type { TimelineController } from './timeline/controller';
import { formatTime } from './timeline/time_text';
import { setTheme, themeChoice, type ThemeChoice } from './timeline/theme';
import { Timeline } from './timeline/timeline';

const pollMs = 400;
const writeAfterMs = 250;

interface Opened {
  traces: TraceState[] | null;
  reports: string[]; // why counter reports could not be read
  error: string | null;
  trace: number;
  help: boolean;
}

// One page, so its state may be the module's.
const opened = new Store<Opened>({ traces: null, reports: [], error: null, trace: parseUrlState(location.hash).trace, help: false });
const sessions = new Map<number, Session>();
let timeline: TimelineController | null = null;
let writeTimer: ReturnType<typeof setTimeout> | undefined;

// The ranks together are a trace of their own; the server knows it by its parts.
const runName = 'All ranks';

function sessionOf({ id, file }: { id: number; file: string }): Session {
  const known = sessions.get(id);
  if (known) return known;
  const url = parseUrlState(location.hash);
  const start = url.trace === id ? url : { ...emptyUrlState, trace: id };
  const { ranks } = workspace.get();
  const session = id === allRanks && ranks ? new Session(id, file, start, new RunSource(ranks.ranks)) : new Session(id, file, start);
  sessions.set(id, session);
  const later = (): void => {
    if (session.state.get().tracks) writeLater();
  };
  session.view.watch(later);
  session.state.watch(later);
  session.onJump = () => writeUrl(true);
  return session;
}

function current(): Session | null {
  return sessions.get(opened.get().trace) ?? null;
}

function writeLater(): void {
  clearTimeout(writeTimer);
  writeTimer = setTimeout(() => writeUrl(false), writeAfterMs);
}

function writeUrl(entry: boolean): void {
  clearTimeout(writeTimer);
  const session = current();
  if (!session?.state.get().tracks) return;
  const hash = formatUrlState(session.urlState);
  if (hash === location.hash) return;
  // The token of the first address has become a cookie; links shall not carry it.
  const url = location.pathname + hash;
  if (entry) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}

function readUrl(): void {
  const url = parseUrlState(location.hash);
  if (isOpen(url.trace)) opened.patch({ trace: url.trace });
  const session = sessions.get(url.trace);
  if (session?.state.get().tracks) session.apply(url);
}

const isAligned = (): boolean => workspace.get().ranks?.status === 'aligned';
const isOpen = (trace: number): boolean => (trace === allRanks ? isAligned() : (opened.get().traces?.some((one) => one.id === trace) ?? false));

// Whether the traces are ranks is known once all of them have been read.
async function askForRanks(traces: TraceState[]): Promise<void> {
  if (traces.filter((trace) => trace.status === 'ready').length >= 2) {
    try {
      const ranks = await fetchRanks();
      if (ranks.status === 'reading') return void setTimeout(() => void askForRanks(traces), pollMs);
      workspace.patch({ ranks });
    } catch {
      // Then they stay tabs.
    }
  }
  const { trace } = opened.get();
  if (trace === allRanks && !isAligned()) opened.patch({ trace: traces[0]?.id ?? 0 });
}

async function poll(): Promise<void> {
  try {
    const { traces, reports } = await fetchState();
    const now = opened.get();
    const known = now.trace === allRanks || traces.some((trace) => trace.id === now.trace);
    workspace.patch({ traces, reports });
    opened.patch({ traces, reports: reports.flatMap((one) => (one.error ? [one.error] : [])), error: null, trace: known ? now.trace : (traces[0]?.id ?? 0) });
    if (!traces.some((trace) => trace.status === 'reading')) return void askForRanks(traces);
  } catch (error) {
    opened.patch({ error: messageOf(error) });
  }
  setTimeout(() => void poll(), pollMs);
}

export function start(): void {
  opener.show = show;
  addEventListener('popstate', readUrl);
  addEventListener('hashchange', readUrl);
  addEventListener('keydown', (event) =>
    onKey(event, () => {
      const session = current();
      return session && { session, timeline, toggleHelp: () => opened.patch({ help: !opened.get().help }) };
    }),
  );
  void poll();
}

export function App() {
  const { traces, reports, error, trace, help } = useStore(opened);
  const ranks = useStore(workspace, (state) => state.ranks);
  const chosen = traces?.find((one) => one.id === trace);
  const together = trace === allRanks && ranks?.status === 'aligned';
  const session = together ? sessionOf({ id: allRanks, file: runName }) : chosen?.status === 'ready' ? sessionOf(chosen) : null;
  const title = together ? runName : chosen && fileName(chosen.file);
  useEffect(() => {
    document.title = title ? `${title.slice(0, 100)} - warpsight` : 'warpsight';
  }, [title]);
  return (
    <>
      <a class="skip" href="#panel" onClick={(event) => (event.preventDefault(), document.getElementById('panel')?.focus())}>
        To the panels
      </a>
      <header class="top">
        <span class="brand">warpsight</span>
        <TraceTabs traces={traces ?? []} chosen={trace} together={ranks?.status === 'aligned'} />
        {session && <SearchBox session={session} key={trace} />}
        <ThemeSwitch />
        <button type="button" class="toggle" aria-label="Keys" title="Keys (?)" onClick={() => opened.patch({ help: true })}>
          ?
        </button>
      </header>
      {error && <p class="banner warning">{displayText(error)}</p>}
      {ranks?.status === 'unaligned' && <p class="banner soft">The ranks are shown one by one: {displayText(ranks.reason ?? '')}</p>}
      {reports.map((one) => (
        <p key={one} class="banner warning">
          {displayText(one)}
        </p>
      ))}
      <main>
        <h1 class="hush">{title ? displayText(title) : 'warpsight'}</h1>
        {session ? <Opened session={session} key={trace} /> : <Reading trace={chosen} waiting={traces === null || trace === allRanks} />}
      </main>
      {help && <Help onClose={() => opened.patch({ help: false })} />}
    </>
  );
}

function TraceTabs({ traces, chosen, together }: { traces: TraceState[]; chosen: number; together: boolean }) {
  const ids = [...(together ? [allRanks] : []), ...traces.map((trace) => trace.id)];
  const move = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by || ids.length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    const next = ids[(ids.indexOf(chosen) + by + ids.length) % ids.length]!;
    choose(next);
    document.getElementById(tabId(next))?.focus();
  };
  return (
    <div class="traces" role="tablist" aria-label="Traces" onKeyDown={move}>
      {together && (
        <button
          id={tabId(allRanks)}
          type="button"
          role="tab"
          aria-selected={chosen === allRanks}
          tabIndex={chosen === allRanks ? 0 : -1}
          title="The ranks on one axis of time"
          onClick={() => choose(allRanks)}
        >
          {runName}
        </button>
      )}
      {traces.map((trace) => (
        <button
          key={trace.id}
          id={tabId(trace.id)}
          type="button"
          role="tab"
          aria-selected={trace.id === chosen}
          tabIndex={trace.id === chosen ? 0 : -1}
          title={displayText(trace.file).slice(0, 1000)}
          onClick={() => choose(trace.id)}
        >
          <span class="cut">{displayText(fileName(trace.file)).slice(0, 200)}</span>
          {trace.status !== 'ready' && <span class="soft"> {trace.status === 'failed' ? 'failed' : progressText(trace)}</span>}
        </button>
      ))}
    </div>
  );
}

const tabId = (trace: number): string => `trace-${trace === allRanks ? 'all' : trace}`;

function choose(trace: number): void {
  opened.patch({ trace });
  setTimeout(() => writeUrl(true));
}

// Brings a trace to the front for a panel that is about several.
function show(trace: number): Session | null {
  const state = opened.get().traces?.find((one) => one.id === trace);
  if (state?.status !== 'ready') return null;
  const session = sessionOf(state);
  choose(trace);
  return session;
}

const progressText = (trace: TraceState): string =>
  trace.total_bytes ? formatPart(Math.min(trace.done_bytes, trace.total_bytes), trace.total_bytes) : formatBytes(trace.done_bytes);

function Reading({ trace, waiting }: { trace: TraceState | undefined; waiting: boolean }) {
  if (waiting) return <p class="reading soft">{'Asking the server\u2026'}</p>;
  if (!trace) return <p class="reading warning">The server has no trace open.</p>;
  if (trace.status === 'failed') return <p class="reading warning">{displayText(trace.error ?? 'The trace could not be read.')}</p>;
  return (
    <div class="reading">
      <p>Reading {displayText(fileName(trace.file))}</p>
      <progress aria-label="Read so far" max={trace.total_bytes ?? undefined} value={trace.total_bytes ? trace.done_bytes : undefined} />
      <p class="soft num">
        {formatBytes(trace.done_bytes)}
        {trace.total_bytes !== null && ` of ${formatBytes(trace.total_bytes)}`}
      </p>
    </div>
  );
}

const themes: ThemeChoice[] = ['auto', 'light', 'dark'];

function ThemeSwitch() {
  const choice = useStore(themeChoice);
  const next = themes[(themes.indexOf(choice) + 1) % themes.length]!;
  return (
    <button type="button" class="toggle theme" aria-label={`Theme: ${choice}; switch to ${next}`} title={`Theme: ${choice}`} onClick={() => setTheme(next)}>
      Theme: {choice}
    </button>
  );
}

function Opened({ session }: { session: Session }) {
  const error = useStore(session.state, (state) => state.error);
  const [share, setShare] = useState(0.55);
  const box = useRef<HTMLDivElement>(null);
  if (error) return <p class="reading warning">{displayText(error)}</p>;
  return (
    <div class="halves" ref={box} style={{ '--split': `${share * 100}%` }}>
      <Timeline session={session} onController={(controller) => (timeline = controller)} />
      <Splitter share={share} onShare={setShare} />
      <Panels session={session} />
      <SelectedText session={session} />
    </div>
  );
}

// Times of the marks, with their distances.
function marksText(marks: number[]): string {
  const texts = marks.map((mark, i) => `${formatTime(mark)}${i ? `, ${formatDuration(mark - marks[i - 1]!)} after the one before` : ''}`);
  return texts.length ? `Marks: ${texts.join('; ')}` : '';
}

// What the canvas shows as selected, for those who can't see it.
function SelectedText({ session }: { session: Session }) {
  const event = useStore(session.state, (state) => state.event);
  const range = useStore(session.state, (state) => state.range);
  const marks = useStore(session.state, (state) => state.marks);
  const tracks = useStore(session.state, (state) => state.tracks);
  const group = event && tracks?.groups.find((one) => one.tracks.some((track) => track.track === event.track));
  const track = group?.tracks.find((one) => one.track === event?.track);
  const text = event
    ? `Selected: ${displayText(event.name).slice(0, 200)}, ${formatDuration(event.duration_ns)} at ${formatTime(event.start_ns)}${group && track ? `, ${displayText(group.name)}, ${displayText(track.name)}` : ''}`
    : range
      ? `Selected: ${formatDuration(range.end_ns - range.start_ns)} from ${formatTime(range.start_ns)}`
      : 'Nothing is selected';
  return (
    <>
      <p id="selected-text" class="hush" aria-live="polite">
        {text}
      </p>
      <p id="marks-text" class="hush">
        {marksText(marks)}
      </p>
    </>
  );
}
