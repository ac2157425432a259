// The hits of the search as a list.

import type { Session } from '../engine/session';
import { useStore } from '../engine/store';
import { displayText } from '../engine/text';
import type { Ref } from '../engine/types';
import { formatCount, formatDuration } from '../engine/units';
import { formatTime } from '../timeline/time_text';
import { Table } from './table';

export function HitsPanel({ session }: { session: Session }) {
  const search = useStore(session.state, (state) => state.search);
  const tracks = useStore(session.state, (state) => state.tracks);
  if (!search.text) return <p class="remark">Press / and type a part of a name.</p>;
  if (search.status === 'failed') return <p class="warning">{displayText(search.error)}</p>;
  const names = new Map(tracks?.groups.flatMap((group) => group.tracks.map((track) => [track.track, `${group.name}, ${track.name}`] as const)));
  return (
    <Table<Ref>
      label="Hits"
      columns={[
        { title: 'Name', value: (hit) => hit.name, text: (hit) => hit.name.slice(0, 400), name: true, onClick: (hit) => session.goToHit(search.hits.indexOf(hit)), action: 'Jump to' },
        { title: 'Start', value: (hit) => hit.start_ns, text: (hit) => formatTime(hit.start_ns) },
        { title: 'Duration', value: (hit) => hit.duration_ns, text: (hit) => formatDuration(hit.duration_ns) },
        { title: 'Track', value: (hit) => names.get(hit.track) ?? '-', className: () => 'cell-cut' },
      ]}
      rows={search.hits}
      filter={(hit) => hit.name}
      current={(hit) => search.hits[search.index] === hit}
      empty={search.status === 'busy' ? 'Searching\u2026' : 'No event has such a name.'}
      tools={
        <span class="soft">
          {formatCount(search.count)} events under {formatCount(search.names)} names
          {search.hits.length < search.count && `; hits ${formatCount(search.skipped + 1)} to ${formatCount(search.skipped + search.hits.length)} are listed`}
        </span>
      }
    />
  );
}
