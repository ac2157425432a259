// What is selected: an event, a range of time, or nothing yet.

import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import { displayText } from '../engine/text';
import { EventPanel } from './event';
import { RangePanel } from './range';
import { RankRangePanel } from './ranks';
import { useRange } from './use_document';

export function SelectionPanel({ session }: { session: Session }) {
  const event = useStore(session.state, (state) => state.event);
  const wanted = useStore(session.state, (state) => state.wanted);
  const error = useStore(session.state, (state) => state.eventError);
  const range = useRange(session);
  if (error) return <p class="warning">{displayText(error)}</p>;
  if (event) return <EventPanel session={session} event={event} />;
  if (wanted) return <p class="remark">{'Reading\u2026'}</p>;
  if (range && session.run) return <RankRangePanel session={session} run={session.run} range={range} />;
  if (range) return <RangePanel session={session} range={range} />;
  return (
    <p class="remark">
      Nothing is selected: click an event, or drag in the ruler (or with Shift in the tracks) to select a range of time. Press <kbd>?</kbd> for
      all keys.
    </p>
  );
}
