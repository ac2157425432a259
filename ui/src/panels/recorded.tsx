// What the file says of an event; asked for when it is opened.

import { useState } from 'preact/hooks';
import { layOutJson } from '../engine/json_layout';
import type { Session } from '../engine/session';
import { displayLines } from '../engine/text';
import type { EventDetail, EventSourceText } from '../engine/types';
import { Wait } from './parts_of_panels';
import { useLoaded } from './use_document';

// Larger ones are shown as they are: laying them out would hold up the page.
const mostLaidOut = 65_536;

export function Recorded({ session, event }: { session: Session; event: EventDetail }) {
  const [open, setOpen] = useState(false);
  // What was worked out has no record.
  if (!event.facts.some(([name]) => name === 'source')) return null;
  return (
    <details class="recorded" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>As recorded</summary>
      {open && <Text session={session} event={event} />}
    </details>
  );
}

function Text({ session, event }: { session: Session; event: EventDetail }) {
  const loaded = useLoaded<EventSourceText>((signal) => session.api.source(event.kind, event.row, signal), [session, event.kind, event.row]);
  return (
    <Wait loaded={loaded}>
      {(data) => (
        <>
          <pre tabIndex={0} role="group" aria-label="The event as recorded">
            {displayLines(data.text.length > mostLaidOut ? data.text : layOutJson(data.text))}
          </pre>
          <p class="remark">
            {data.cut ? 'Only the first MiB is shown. ' : ''}In a terminal: warpsight info FILE --event {data.source}
          </p>
        </>
      )}
    </Wait>
  );
}
