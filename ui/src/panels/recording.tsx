// The recording itself: what it holds, what is wrong with it, and what became of each event that was read.

import { Fragment } from 'preact';
import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import type { Info, Ledger, Lint } from '../engine/types';
import { displayText } from '../engine/text';
import { formatCount } from '../engine/units';
import { workspace } from '../engine/workspace';
import { ReportList } from './counters';
import { Wait } from './parts_of_panels';
import { Table } from './table';
import { useDocument } from './use_document';

export function RecordingPanel({ session }: { session: Session }) {
  const lint = useDocument<Lint>(session, 'lint');
  const info = useDocument<Info>(session, 'info');
  return (
    <div class="columns">
      <div>
        <h3>Lint</h3>
        <Wait loaded={lint}>
          {(data) => (
            <>
              {data.findings.length === 0 && <p class="remark">{data.checks} checks, no problem found.</p>}
              {data.findings.map((finding) => (
                <article class="finding" key={finding.id}>
                  <header>
                    <span class={`pill ${severityClass(finding.severity)}`}>{displayText(finding.severity)}</span>
                    <h3>{displayText(finding.symptom)}</h3>
                    <span class="gain soft">{formatCount(finding.count)}</span>
                  </header>
                  {finding.effect && <p>{displayText(finding.effect)}</p>}
                  {finding.advice && <p class="advice">{displayText(finding.advice)}</p>}
                </article>
              ))}
            </>
          )}
        </Wait>
      </div>
      <div>
        <h3>Recording</h3>
        <Wait loaded={info}>
          {(data) => (
            <>
              <dl class="facts">
                <dt>file</dt>
                <dd>{displayText(data.file)}</dd>
                <dt>producer</dt>
                <dd>{displayText([data.producer, data.version].filter(Boolean).join('; ') || '-')}</dd>
                {data.devices.map((device) => (
                  <Fragment key={device.id}>
                    <dt>GPU {device.id}</dt>
                    <dd>{displayText(device.name ?? '-')}</dd>
                  </Fragment>
                ))}
                {Object.entries(data.counts)
                  .filter(([, count]) => count > 0)
                  .map(([what, count]) => (
                    <Fragment key={what}>
                      <dt>{displayText(what.replace(/_/g, ' '))}</dt>
                      <dd class="num">{formatCount(count)}</dd>
                    </Fragment>
                  ))}
              </dl>
              <Reports />
              {data.ledger && <LedgerView ledger={data.ledger} />}
            </>
          )}
        </Wait>
      </div>
    </div>
  );
}

// Counter reports belong to every open recording.
function Reports() {
  const reports = useStore(workspace, (state) => state.reports);
  if (!reports.length) return null;
  return (
    <>
      <h3>Counter reports</h3>
      <ReportList reports={reports} counters={null} />
    </>
  );
}

const severityClass = (severity: string): string => (severity === 'error' ? 'high' : severity === 'warning' ? 'medium' : 'low');

export function LedgerView({ ledger }: { ledger: Ledger }) {
  return (
    <>
      <h3>Ledger</h3>
      <p class="remark">
        {formatCount(ledger.read)} events read, {formatCount(ledger.kept)} kept, {formatCount(ledger.repaired)} repaired,{' '}
        {formatCount(ledger.excluded)} excluded.
      </p>
      {ledger.causes.length > 0 && (
        <Table
          label="Ledger"
          columns={[
            { title: 'Cause', value: (row) => row.cause.replace(/_/g, ' ') },
            { title: 'Count', value: (row) => row.count, text: (row) => formatCount(row.count) },
            { title: 'Severity', value: (row) => row.severity },
            { title: 'Example', value: (row) => row.example, name: true },
          ]}
          rows={ledger.causes}
        />
      )}
    </>
  );
}
