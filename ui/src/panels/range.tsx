// A range of time: what each device did in it, and which kernels, ops and parts own it. The numbers are those of the command line
// with the same --range.

import type { Session } from '../engine/session';
import type { Idle, Kernels, Ops, Parts, Range } from '../engine/types';
import { formatDuration, formatPart } from '../engine/units';
import { formatTime } from '../timeline/time_text';
import { KernelTable } from './kernel_table';
import { IdleClassTable, OpTable, PartTable } from './lists';
import { DeviceLabel, Figure, TimeBar, Wait } from './parts_of_panels';
import { useDocument } from './use_document';

const firstRows = 12;

export function RangePanel({ session, range }: { session: Session; range: Range }) {
  const idle = useDocument<Idle>(session, 'idle', { range, limit: 10 });
  const kernels = useDocument<Kernels>(session, 'kernels', { range });
  const ops = useDocument<Ops>(session, 'ops', { range });
  const parts = useDocument<Parts>(session, 'parts', { range });
  const wall = range.end_ns - range.start_ns;
  return (
    <div class="range">
      <header>
        <h2>
          {formatDuration(wall)} <span class="soft">from {formatTime(range.start_ns)} to {formatTime(range.end_ns)}</span>
        </h2>
        <p class="jumps">
          <button type="button" class="plain" onClick={() => session.fit()}>
            Fit <kbd>F</kbd>
          </button>
          <button type="button" class="plain" onClick={() => copyRange(session, range)}>
            Copy as --range
          </button>
        </p>
      </header>
      <Wait loaded={idle}>
        {(data) => (
          <div class="devices">
            {data.devices.map((device) => {
              const work = kernels.data?.rows.filter((row) => row.device === device.device).reduce((sum, row) => sum + row.total_ns, 0);
              return (
                <div class="block" key={device.device} data-device={device.device}>
                  <DeviceLabel device={device.device} many={data.devices.length > 1} />
                  <dl class="figures">
                    <Figure name="wall" value={formatDuration(device.window_ns)} />
                    <Figure name="busy" value={formatDuration(device.busy_ns)} hint="the union of all work on all streams" />
                    <Figure name="busy share" value={formatPart(device.busy_ns, device.window_ns)} />
                    <Figure name="idle" value={formatDuration(device.idle_ns)} />
                    {work !== undefined && <Figure name="work" value={formatDuration(work)} hint="the sum over kernels, copies and sets" />}
                  </dl>
                  <TimeBar busy={device.busy_ns} classes={device.classes} wall={device.window_ns} label={`GPU ${device.device}`} />
                  <IdleClassTable device={device} />
                </div>
              );
            })}
          </div>
        )}
      </Wait>
      <h3>Kernels</h3>
      <Wait loaded={kernels}>{(data) => <KernelTable session={session} kernels={data} range={range} first={firstRows} label="Kernels of the range" />}</Wait>
      <div class="columns">
        <div>
          <h3>Parts</h3>
          <Wait loaded={parts}>{(data) => <PartTable parts={data} />}</Wait>
        </div>
        <div>
          <h3>Ops</h3>
          <Wait loaded={ops}>{(data) => <OpTable session={session} ops={data} range={range} first={firstRows} />}</Wait>
        </div>
      </div>
    </div>
  );
}

function copyRange(session: Session, range: Range): void {
  const text = `--range ${session.api.absolute(range.start_ns)}:${session.api.absolute(range.end_ns)}`;
  // Refused without https or loopback; then the text is offered to be copied by hand.
  const byHand = (): void => void prompt('Copy', text);
  if (navigator.clipboard) navigator.clipboard.writeText(text).catch(byHand);
  else byHand();
}
