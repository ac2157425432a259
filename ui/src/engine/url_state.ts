// The part of the page's state that the address holds, so that a link shows the same again. Times are ns from the trace's start.
//
//     #t=0&v=1200.5,90000&e=gpu:12&r=1000,2000&m=5,7&p=kernels&f=gpu.split&q=gemm&x=1

import { eventKinds, type EventKind, type Range } from './types';

export interface UrlState {
  trace: number;
  view: Range | null;
  event: { kind: EventKind; row: number } | null;
  range: Range | null;
  marks: number[];
  panel: string | null;
  flame: string | null;
  query: string;
  regex: boolean;
}

export const emptyUrlState: UrlState = {
  trace: 0,
  view: null,
  event: null,
  range: null,
  marks: [],
  panel: null,
  flame: null,
  query: '',
  regex: false,
};

const mostMarks = 100;
const mostQuery = 1000;

// The number of what shows all ranks, where traces are counted from 0.
export const allRanks = -1;

function pair(text: string | null): Range | null {
  if (!text) return null;
  const [start, end, more] = text.split(',').map(Number);
  if (start === undefined || end === undefined || more !== undefined) return null;
  if (!Number.isFinite(start) || !Number.isFinite(end) || !(end > start)) return null;
  return { start_ns: start, end_ns: end };
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

// Takes what it understands: a link that was cut or changed by hand still opens.
export function parseUrlState(hash: string): UrlState {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const [kind, row] = (parts.get('e') ?? '').split(':');
  const known = eventKinds.find((one) => one === kind);
  const eventRow = whole(row);
  const panel = parts.get('p');
  const flame = parts.get('f');
  return {
    trace: parts.get('t') === 'all' ? allRanks : (whole(parts.get('t') ?? undefined) ?? 0),
    view: pair(parts.get('v')),
    event: known && eventRow !== null ? { kind: known, row: eventRow } : null,
    range: pair(parts.get('r')),
    marks: (parts.get('m') ?? '')
      .split(',')
      .filter((text) => /^-?\d{1,16}$/.test(text))
      .map(Number)
      .slice(0, mostMarks),
    panel: panel && /^[a-z]{1,20}$/.test(panel) ? panel : null,
    flame: flame && /^[a-z]{1,10}(?:\.split)?$/.test(flame) ? flame : null,
    query: (parts.get('q') ?? '').slice(0, mostQuery),
    regex: parts.get('x') === '1',
  };
}

// Views are shown to a thousandth of their width: digits beyond say nothing.
function viewText(view: Range): string {
  const step = (view.end_ns - view.start_ns) / 1e5;
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step))));
  return `${trim(view.start_ns.toFixed(decimals))},${trim(view.end_ns.toFixed(decimals))}`;
}

const trim = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

export function formatUrlState(state: UrlState): string {
  const parts: string[] = [`t=${state.trace === allRanks ? 'all' : state.trace}`];
  if (state.view) parts.push(`v=${viewText(state.view)}`);
  if (state.event) parts.push(`e=${state.event.kind}:${state.event.row}`);
  if (state.range) parts.push(`r=${state.range.start_ns},${state.range.end_ns}`);
  if (state.marks.length) parts.push(`m=${state.marks.join(',')}`);
  if (state.panel) parts.push(`p=${state.panel}`);
  if (state.flame) parts.push(`f=${state.flame}`);
  if (state.query) parts.push(`q=${encodeURIComponent(state.query)}`);
  if (state.query && state.regex) parts.push('x=1');
  return `#${parts.join('&')}`;
}
