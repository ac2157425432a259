// The lower half of the page: one panel at a time, chosen by tabs.

import { Component, type ComponentChildren } from 'preact';
import { messageOf, type Session } from '../engine/session';
import { useStore } from '../engine/store';
import { DiffPanel } from './diff';
import { FlamePanel } from './flame';
import { HitsPanel } from './hits';
import { IdlePanel, KernelsPanel, OpsPanel, PartsPanel, StepsPanel } from './lists';
import { MemoryPanel } from './memory';
import { RanksPanel } from './ranks';
import { RecordingPanel } from './recording';
import { ReportPanel } from './report';
import { RooflinePanel } from './roofline';
import { SelectionPanel } from './selection';

type PanelOf = { id: string; title: string; view: (props: { session: Session }) => preact.JSX.Element | null };

const tracePanels: PanelOf[] = [
  { id: 'selection', title: 'Selection', view: SelectionPanel },
  { id: 'report', title: 'Report', view: ReportPanel },
  { id: 'kernels', title: 'Kernels', view: KernelsPanel },
  { id: 'ops', title: 'Ops', view: OpsPanel },
  { id: 'flame', title: 'Flame', view: FlamePanel },
  { id: 'parts', title: 'Parts', view: PartsPanel },
  { id: 'steps', title: 'Steps', view: StepsPanel },
  { id: 'idle', title: 'Idle', view: IdlePanel },
  { id: 'memory', title: 'Memory', view: MemoryPanel },
  { id: 'roofline', title: 'Roofline', view: RooflinePanel },
  { id: 'diff', title: 'Diff', view: DiffPanel },
  { id: 'search', title: 'Hits', view: HitsPanel },
  { id: 'recording', title: 'Recording', view: RecordingPanel },
];

// Of several ranks on one axis: what is about one of them is in its own tab.
const runPanels: PanelOf[] = [
  { id: 'selection', title: 'Selection', view: SelectionPanel },
  { id: 'ranks', title: 'Ranks', view: RanksPanel },
  { id: 'search', title: 'Hits', view: HitsPanel },
];

const panelsOf = (session: Session): PanelOf[] => (session.run ? runPanels : tracePanels);
export const panelIdsOf = (session: Session): string[] => panelsOf(session).map((panel) => panel.id);

// An answer that a panel did not expect costs that panel, not the page.
class Guard extends Component<{ children: ComponentChildren }, { failure: string | null }> {
  state = { failure: null };

  componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failure: messageOf(error) });
  }

  render() {
    return this.state.failure ? <p class="warning">This panel failed: {this.state.failure}</p> : this.props.children;
  }
}

export function Panels({ session }: { session: Session }) {
  const chosen = useStore(session.state, (state) => state.panel);
  const panels = panelsOf(session);
  const at = Math.max(0, panels.findIndex((panel) => panel.id === chosen));
  const panel = panels[at]!;
  const View = panel.view;
  const move = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = panels[(at + by + panels.length) % panels.length]!;
    session.showPanel(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <section class="panels" aria-label="Panels">
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={move}>
        {panels.map(({ id, title }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === panel.id}
            aria-controls="panel"
            tabIndex={id === panel.id ? 0 : -1}
            onClick={() => session.showPanel(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${panel.id}`} tabIndex={0} key={panel.id}>
        <h2 class="hush">{panel.title}</h2>
        <Guard>
          <View session={session} />
        </Guard>
      </div>
    </section>
  );
}
