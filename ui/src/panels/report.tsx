// Verdict, findings and what-ifs. A finding leads to its evidence: to its times where it has some, else to the panel it is about.

import type { Session } from '../engine/session';
import type { Finding, Report } from '../engine/types';
import { displayText } from '../engine/text';
import { formatDuration } from '../engine/units';
import { CountersSection } from './counters';
import { Wait, WholeLine } from './parts_of_panels';
import { Table } from './table';
import { useDocument } from './use_document';

const panelOf: [RegExp, string, string][] = [
  [/dispatch|host_work|gap|sync|round_trip|idle|overlap|copies|one_stream/, 'idle', 'Idle gaps'],
  [/norm|elementwise|cat_|kv|attention|rotary|gemm|bound|tensor_core|precision|fp32|small_kernels/, 'kernels', 'Kernels'],
  [/allocator/, 'memory', 'Memory'],
  [/collective/, 'ops', 'Ops'],
];

export function ReportPanel({ session }: { session: Session }) {
  const report = useDocument<Report>(session, 'report');
  return (
    <>
      <WholeLine session={session} />
      <Wait loaded={report}>
        {(data) => (
          <div class="report">
            <p class="verdict">{displayText(data.verdict ?? 'No verdict: the trace has no GPU work.')}</p>
            <div class="columns">
              <div class="findings">
                {data.findings.length === 0 && <p class="remark">No findings.</p>}
                {data.findings.map((finding) => (
                  <FindingView key={finding.id + finding.title} session={session} finding={finding} />
                ))}
              </div>
              <div class="side">
                {data.what_ifs && data.what_ifs.length > 0 && (
                  <Table
                    label="What if"
                    columns={[
                      { title: 'What if', value: (row) => row.what },
                      { title: 'From', value: (row) => row.from_ns, text: (row) => formatDuration(row.from_ns) },
                      { title: 'To', value: (row) => row.step_ns, text: (row) => formatDuration(row.step_ns) },
                      { title: 'Gain', value: (row) => row.gain_ns, text: (row) => formatDuration(row.gain_ns), share: (row) => row.gain_ns / Math.max(1, row.from_ns) },
                    ]}
                    rows={data.what_ifs}
                  />
                )}
                {data.not_evaluated && data.not_evaluated.length > 0 && (
                  <details>
                    <summary>Not evaluated: {data.not_evaluated.length}</summary>
                    <ul>
                      {data.not_evaluated.map((one) => (
                        <li key={one.rule}>
                          <b>{displayText(one.rule.replace(/_/g, ' '))}</b>: {displayText(one.reason)}
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </div>
            </div>
            <CountersSection session={session} counters={data.counters ?? null} />
          </div>
        )}
      </Wait>
    </>
  );
}

function FindingView({ session, finding }: { session: Session; finding: Finding }) {
  const places = finding.places ?? [];
  const about = panelOf.find(([pattern]) => pattern.test(finding.id));
  return (
    <article class="finding">
      <header>
        <span class={`pill ${finding.severity}`}>{displayText(finding.severity)}</span>
        <h3>{displayText(finding.title)}</h3>
        {finding.gain_ns !== null && <span class="gain">gain {formatDuration(finding.gain_ns)}</span>}
      </header>
      <ul>
        {finding.evidence.map((line) => (
          <li key={line}>{displayText(line)}</li>
        ))}
      </ul>
      {finding.advice && <p class="advice">{displayText(finding.advice)}</p>}
      <p class="jumps">
        {places.slice(0, 10).map((at, i) => (
          <button
            key={i}
            type="button"
            class="plain"
            onClick={() => {
              session.selectRange(at.start_ns, at.end_ns, { fit: true, jump: false });
              session.onJump();
            }}
          >
            Show {at.what ? displayText(at.what).slice(0, 60) : places.length > 1 ? `place ${i + 1}` : 'in the timeline'}
          </button>
        ))}
        {about && (
          <button type="button" class="plain" onClick={() => session.showPanel(about[1])}>
            {about[2]}
          </button>
        )}
      </p>
    </article>
  );
}
