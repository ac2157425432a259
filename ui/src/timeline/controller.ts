// Joins the canvases with the session: draws when something changed, asks for tiles, and turns pointer and wheel into calls.

import type { Session } from '../engine/session';
import { levelFor, tilesFor, type TileKey } from '../engine/tile_grid';
import { displayText } from '../engine/text';
import type { TrackGroup } from '../engine/types';
import { formatCount, formatDuration, formatShare } from '../engine/units';
import { matcher } from '../engine/search';
import { draw, Looks, piecesOf, type Scene } from './draw';
import { drawHead, headHeight, overviewHeight, overviewTiles, type Overview } from './draw_head';
import { findSlice, type Slice } from './hit';
import { depthAt, rowAt, rowHeight, rowsBetween, sliceTop, type TrackRow } from './layout';
import { paint } from './theme';
import { formatTime } from './time_text';
import { ticksFor } from './ticks';
import { fitView, panView, toPixel, toTime, zoomView, type View } from './view';

interface Hit {
  row: TrackRow;
  slice: Slice;
}

export interface Elements {
  body: HTMLElement; // scrolls
  canvas: HTMLCanvasElement;
  head: HTMLCanvasElement;
  tip: HTMLElement;
}

const reachPixels = 3;
const dragPixels = 4;
const mostOverviewStreams = 48;

// Of too many streams to draw them all: the fullest of each device first, then the others by what they hold.
export function busiestStreams(devices: TrackGroup[], most: number): Overview {
  const streams = devices.map((group) => group.tracks.filter((track) => track.kind === 'stream').sort((a, b) => b.events - a.events));
  const seen = streams.filter((of) => of.length).slice(0, most);
  const others = seen.flatMap((of) => of.slice(1)).sort((a, b) => b.events - a.events);
  return { streams: [...seen.map((of) => of[0]!), ...others].slice(0, most).map((track) => track.track), devices: seen.length };
}

export class TimelineController {
  private frame = 0;
  private looks = new Looks();
  private undo: (() => void)[] = [];
  private hover: Hit | null = null;
  private pointers = new Map<number, { x: number; y: number }>();
  private drag: {
    kind: 'pan' | 'range' | 'overview' | 'pinch';
    x: number;
    y: number;
    view: View;
    scroll: number;
    time: number;
    moved: boolean;
    apart: number;
  } | null = null;
  private width = 1;
  private height = 1;
  private searchKey: unknown = null;
  private matches: ((name: string) => boolean) | null = null;
  private pointer: { x: number; y: number } | null = null;

  constructor(
    private readonly session: Session,
    private readonly at: Elements,
  ) {
    const redraw = (): void => this.schedule();
    this.undo.push(
      session.state.watch(redraw),
      session.view.watch(redraw),
      session.drawn.watch(redraw),
      paint.watch(() => {
        this.looks.clear();
        this.schedule();
      }),
    );
    session.reveal = (track, depth) => this.reveal(track, depth);
    const sizes = new ResizeObserver(() => this.resize());
    sizes.observe(at.body);
    this.undo.push(() => sizes.disconnect());
    this.listen();
    this.resize();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    for (const one of this.undo) one();
  }

  schedule(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.render());
  }

  private resize(): void {
    // Beside the labels, and beside the scrollbar where it takes room.
    const labels = parseFloat(getComputedStyle(this.at.canvas).marginLeft) || 0;
    this.width = Math.max(1, this.at.body.clientWidth - labels);
    this.height = Math.max(1, this.at.body.clientHeight);
    this.session.timelineWidth = this.width;
    const ratio = devicePixelRatio || 1;
    for (const [canvas, height] of [[this.at.canvas, this.height], [this.at.head, headHeight]] as const) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
      canvas.style.width = `${this.width}px`;
    }
    this.schedule();
  }

  private get scene(): Scene | null {
    const { session } = this;
    const state = session.state.get();
    const colours = paint.get();
    if (!colours || !state.tracks) return null;
    const view = session.view.get();
    if (this.searchKey !== state.search.text + state.search.regex) {
      this.searchKey = state.search.text + state.search.regex;
      this.matches = matcher(state.search.text, state.search.regex);
    }
    const hover = this.hover;
    return {
      width: this.width,
      height: this.height,
      ratio: devicePixelRatio || 1,
      top: this.at.body.scrollTop,
      view,
      duration: session.duration,
      layout: session.layout,
      tiles: session.tiles,
      names: session.names,
      families: session.families,
      paint: colours,
      ticks: ticksFor(view.start, view.end, this.width, 104),
      event: state.event,
      range: state.range,
      marks: state.marks,
      matches: state.search.status === 'done' || state.search.status === 'busy' ? this.matches : null,
      hover: hover
        ? { track: hover.row.track.track, depth: hover.slice.depth, start: hover.slice.start, duration: hover.slice.duration }
        : null,
      pointer: this.drag?.kind === 'pan' || this.drag?.kind === 'pinch' ? null : session.pointerTime,
    };
  }

  private render(): void {
    this.frame = 0;
    const scene = this.scene;
    const body = this.at.canvas.getContext('2d', { alpha: false });
    const head = this.at.head.getContext('2d', { alpha: false });
    if (!scene || !body || !head) return;
    const overview = this.overview();
    this.want(scene, overview);
    draw(body, scene, this.looks);
    const { search } = this.session.state.get();
    drawHead(head, scene, overview, search.hits.slice(0, 2000).map((hit) => hit.start_ns));
    if (this.pointer && this.hover) this.showTip();
  }

  private overview(): Overview {
    const devices = (this.session.state.get().tracks?.groups ?? []).filter((group) => group.kind === 'device');
    const streams = devices.flatMap((group) => group.tracks.filter((track) => track.kind === 'stream').map((track) => track.track));
    if (streams.length <= mostOverviewStreams) return { streams, devices: devices.length };
    return busiestStreams(devices, mostOverviewStreams);
  }

  // Coarse tiles of what is seen first, so that nothing is blank for long; then the sharp ones; then those beside the view.
  private want(scene: Scene, overview: Overview): void {
    const { view, duration } = scene;
    const seen = rowsBetween(scene.layout, scene.top, scene.top + scene.height);
    const level = levelFor((view.end - view.start) / Math.max(1, scene.width * scene.ratio));
    const coarse: TileKey[] = [];
    const sharp: TileKey[] = [];
    const beside: TileKey[] = [];
    const width = view.end - view.start;
    for (const row of seen) {
      if (row.kind !== 'track') continue;
      const track = row.track.track;
      for (const key of tilesFor(track, level, view.start, view.end, duration)) {
        if (!scene.tiles.piece(key)) coarse.push(...tilesFor(track, level + 4, view.start, view.end, duration));
        sharp.push(key);
      }
      beside.push(
        ...tilesFor(track, level, Math.max(0, view.start - width / 2), view.start, duration),
        ...tilesFor(track, level, view.end, view.end + width / 2, duration),
      );
    }
    scene.tiles.want([...dedupe(coarse), ...sharp, ...overviewTiles(scene, overview.streams), ...beside]);
  }

  // Scrolls so that the row of a track can be seen.
  private reveal(track: number, depth: number): void {
    const row = this.session.layout.tracks.get(track);
    if (!row) return;
    const top = sliceTop(row, depth);
    const { body } = this.at;
    const air = 28;
    if (top < body.scrollTop + air) body.scrollTop = top - air;
    else if (top + rowHeight > body.scrollTop + body.clientHeight - air) body.scrollTop = top + rowHeight - body.clientHeight + air;
    // The layout may grow with the change that asked for this.
    requestAnimationFrame(() => this.schedule());
  }

  private hitAt(x: number, y: number): Hit | null {
    const scene = this.scene;
    if (!scene) return null;
    const row = rowAt(scene.layout, y + scene.top);
    if (row?.kind !== 'track' || row.track.kind === 'counter') return null;
    const time = toTime(scene.view, scene.width, x);
    const reach = ((scene.view.end - scene.view.start) / scene.width) * reachPixels;
    const slice = findSlice(piecesOf(scene, row.track.track), depthAt(row, y + scene.top), time, reach);
    return slice ? { row, slice } : null;
  }

  // Pointer, wheel

  private listen(): void {
    const { canvas, head, body } = this.at;
    const on = <K extends keyof HTMLElementEventMap>(
      element: HTMLElement,
      type: K,
      handle: (event: HTMLElementEventMap[K]) => void,
      passive = true,
    ): void => {
      element.addEventListener(type, handle as EventListener, { passive });
      this.undo.push(() => element.removeEventListener(type, handle as EventListener));
    };
    on(body, 'scroll', () => this.schedule());
    on(canvas, 'pointerdown', (event) => this.down(event, 'canvas'));
    on(head, 'pointerdown', (event) => this.down(event, 'head'));
    for (const element of [canvas, head]) {
      on(element, 'pointermove', (event) => this.move(event, element === head));
      on(element, 'pointerup', (event) => this.up(event, element === head));
      on(element, 'pointercancel', (event) => this.cancel(event));
      on(element, 'pointerleave', () => this.leave());
      on(element, 'wheel', (event) => this.wheel(event, element === head), false);
    }
    on(canvas, 'dblclick', (event) => {
      const hit = this.hitAt(...this.place(event, canvas));
      if (hit) this.session.moveTo(fitView(hit.slice.start, hit.slice.start + hit.slice.duration, this.session.duration, 0.3));
    });
  }

  private place(event: MouseEvent, element: HTMLElement): [number, number] {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private wheel(event: WheelEvent, head: boolean): void {
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? this.height : 1;
    const dx = event.deltaX * unit;
    const dy = event.deltaY * unit;
    const view = this.session.view.get();
    const { duration } = this.session;
    if (event.ctrlKey || event.metaKey || head) {
      event.preventDefault();
      const [x] = this.place(event, this.at.head);
      // A pinch on a trackpad comes as many small steps of the wheel with Ctrl.
      const factor = Math.exp(Math.max(-120, Math.min(120, dy)) * (Math.abs(dy) < 30 ? 0.012 : 0.0035));
      this.session.moveTo(zoomView(view, factor, toTime(view, this.width, x), duration), false);
    } else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      event.preventDefault();
      const by = event.shiftKey && dx === 0 ? dy : dx;
      this.session.moveTo(panView(view, (by / this.width) * (view.end - view.start), duration), false);
    }
  }

  private down(event: PointerEvent, where: 'canvas' | 'head'): void {
    const element = where === 'head' ? this.at.head : this.at.canvas;
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    const [x, y] = this.place(event, element);
    this.pointers.set(event.pointerId, { x, y });
    const view = this.session.view.get();
    const inOverview = where === 'head' && y < overviewHeight;
    const kind = inOverview ? 'overview' : where === 'head' || event.shiftKey ? 'range' : 'pan';
    this.drag = {
      kind,
      x,
      y,
      view,
      scroll: this.at.body.scrollTop,
      time: toTime(view, this.width, x),
      moved: false,
      apart: 0,
    };
    if (this.pointers.size === 2) {
      const [a, b] = [...this.pointers.values()] as [{ x: number; y: number }, { x: number; y: number }];
      this.drag = { ...this.drag, kind: 'pinch', x: (a.x + b.x) / 2, apart: Math.max(10, Math.abs(a.x - b.x)), moved: true };
      this.drag.time = toTime(view, this.width, this.drag.x);
    }
    if (inOverview) this.centreOn(x);
  }

  private centreOn(x: number): void {
    const view = this.session.view.get();
    const middle = (x / this.width) * this.session.duration;
    this.session.moveTo(panView(view, middle - (view.start + view.end) / 2, this.session.duration), false);
  }

  private move(event: PointerEvent, head: boolean): void {
    const element = head ? this.at.head : this.at.canvas;
    const [x, y] = this.place(event, element);
    const { session, drag } = this;
    session.pointerTime = toTime(session.view.get(), this.width, x);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, { x, y });
    if (event.pointerType === 'touch') session.pointerTime = null;
    this.schedule();
    if (!drag) {
      this.pointer = { x, y };
      if (event.pointerType !== 'touch' && !head) this.setHover(this.hitAt(x, y));
      return;
    }
    if (drag.kind === 'pinch') {
      const [a, b] = [...this.pointers.values()];
      if (!a || !b) return;
      const apart = Math.max(10, Math.abs(a.x - b.x));
      const zoomed = zoomView(drag.view, drag.apart / apart, drag.time, session.duration);
      const shift = (((a.x + b.x) / 2 - drag.x) / this.width) * (zoomed.end - zoomed.start);
      session.moveTo(panView(zoomed, -shift, session.duration), false);
      return;
    }
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < dragPixels) return;
    drag.moved = true;
    this.setHover(null);
    if (drag.kind === 'overview') this.centreOn(x);
    else if (drag.kind === 'pan') {
      const by = ((drag.x - x) / this.width) * (drag.view.end - drag.view.start);
      session.moveTo(panView(drag.view, by, session.duration), false);
      this.at.body.scrollTop = drag.scroll + drag.y - y;
    } else {
      const time = toTime(session.view.get(), this.width, x);
      session.selectRange(Math.min(drag.time, time), Math.max(drag.time, time), { jump: false });
    }
  }

  private up(event: PointerEvent, head: boolean): void {
    const { drag, session } = this;
    this.pointers.delete(event.pointerId);
    if (this.pointers.size) return;
    this.drag = null;
    if (!drag) return;
    const [x, y] = this.place(event, head ? this.at.head : this.at.canvas);
    if (drag.moved) {
      const { range } = session.state.get();
      if (drag.kind === 'range' && range) session.selectRange(range.start_ns, range.end_ns);
      return;
    }
    if (head) return;
    this.at.canvas.focus({ preventScroll: true });
    const hit = this.hitAt(x, y);
    const { slice } = hit ?? {};
    if (hit?.row.track.kind === 'steps' && slice?.events === 1) session.selectRange(slice.start, slice.start + slice.duration);
    else if (slice) void session.selectEvent({ kind: slice.kind, row: slice.row });
    else if (session.state.get().wanted) session.clear();
  }

  private cancel(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.drag = null;
  }

  private leave(): void {
    this.pointer = null;
    this.session.pointerTime = null;
    this.setHover(null);
    this.schedule();
  }

  private setHover(hit: Hit | null): void {
    const same = hit?.slice.row === this.hover?.slice.row && hit?.slice.start === this.hover?.slice.start && hit?.row === this.hover?.row;
    this.hover = hit;
    this.showTip();
    if (!same) this.schedule();
  }

  private showTip(): void {
    const { tip, canvas } = this.at;
    const { hover, pointer } = this;
    canvas.style.cursor = hover ? 'pointer' : 'default';
    if (!hover || !pointer) {
      tip.hidden = true;
      return;
    }
    const { slice } = hover;
    const name = displayText(this.session.names.get(slice.name) ?? '\u2026');
    const many = slice.events > 1;
    const [title, detail] = [tip.children[0] as HTMLElement, tip.children[1] as HTMLElement];
    title.textContent = name.length > 220 ? `${name.slice(0, 220)}\u2026` : name;
    detail.textContent = many
      ? `${formatCount(slice.events)} events in ${formatDuration(slice.duration)}, ${formatShare(slice.busy)} of it busy; the longest is named`
      : `${formatDuration(slice.duration)} at ${formatTime(slice.start)}`;
    tip.hidden = false;
    const box = this.at.body.getBoundingClientRect();
    const left = canvas.getBoundingClientRect().left - box.left;
    const x = Math.max(4, Math.min(pointer.x + left + 14, box.width - tip.offsetWidth - 8));
    const below = pointer.y + 18;
    const y = below + tip.offsetHeight > this.height ? Math.max(2, pointer.y - tip.offsetHeight - 10) : below;
    tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  // For keys

  zoom(factor: number): void {
    const view = this.session.view.get();
    const { event } = this.session.state.get();
    const pointer = this.session.pointerTime;
    const middle = event ? event.start_ns + event.duration_ns / 2 : (view.start + view.end) / 2;
    const at = pointer ?? (middle > view.start && middle < view.end ? middle : (view.start + view.end) / 2);
    this.session.moveTo(zoomView(view, factor, at, this.session.duration));
  }

  pan(share: number): void {
    const view = this.session.view.get();
    this.session.moveTo(panView(view, share * (view.end - view.start), this.session.duration));
  }

  scroll(rows: number): void {
    this.at.body.scrollTop += rows * rowHeight;
  }

  // The first event of a track that is seen: how the keyboard enters a track.
  selectFirst(track: number): void {
    const scene = this.scene;
    const row = scene?.layout.tracks.get(track);
    if (!scene || !row) return;
    let best: Slice | undefined;
    for (let depth = 0; depth < Math.max(1, row.track.depths); depth++) {
      const slice = findSlice(piecesOf(scene, track), depth, scene.view.start, scene.view.end - scene.view.start);
      if (slice && (!best || slice.start < best.start)) best = slice;
    }
    if (best) void this.session.selectEvent({ kind: best.kind, row: best.row }, { reveal: true, move: false });
  }

  xOf(time: number): number {
    return toPixel(this.session.view.get(), this.width, time);
  }
}

function dedupe(keys: TileKey[]): TileKey[] {
  const seen = new Set<string>();
  return keys.filter((key) => {
    const text = `${key.track}/${key.level}/${key.index}`;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
