// What the page has open beside one another, for panels that are about more than one trace. The page fills it.

import type { Session } from './session';
import { Store } from './store';
import type { RankAxis, ReportState, TraceState } from './types';

interface Workspace {
  traces: TraceState[];
  reports: ReportState[];
  ranks: RankAxis | null; // once all traces have been read
}

export const workspace = new Store<Workspace>({ traces: [], reports: [], ranks: null });

// Shows a trace and hands out its session; null while it is not ready. Set by the page.
export const opener: { show: (trace: number) => Session | null } = { show: () => null };
