// Arithmetic intensity against FLOP/s, both logarithmic, under the roofs of the device; the table beside it says the same in text.

import { useState } from 'preact/hooks';
import type { Session } from '../engine/session';
import type { Range, Roofline, RooflineRow } from '../engine/types';
import { displayText } from '../engine/text';
import { formatBytes, formatCount, formatDuration, formatNumber, formatRate, formatShare } from '../engine/units';
import { searchFor } from './kernel_table';
import { OfRange } from './parts_of_panels';
import { Table, type Column } from './table';

export function RooflinePanel({ session }: { session: Session }) {
  return (
    <OfRange<Roofline> session={session} verb="roofline">
      {(data, range) => <RooflineView session={session} data={data} range={range} />}
    </OfRange>
  );
}

function RooflineView({ session, data, range }: { session: Session; data: Roofline; range: Range | null }) {
  const [hot, setHot] = useState<RooflineRow | null>(null);
  const columns: Column<RooflineRow>[] = [
    { title: 'Op', value: (row) => row.op, text: (row) => row.op.slice(0, 300), onClick: (row) => searchFor(session, row.op, range), action: 'Search', className: () => 'nowrap' },
    { title: 'Shapes', value: (row) => row.shapes, text: (row) => (row.shapes ?? '-').slice(0, 300), name: true },
    { title: 'Calls', value: (row) => row.calls, text: (row) => formatCount(row.calls) },
    { title: 'GPU time', value: (row) => row.gpu_ns, text: (row) => formatDuration(row.gpu_ns) },
    { title: 'Lost', hint: 'time beyond the bound', value: (row) => row.lost_ns, text: (row) => (row.lost_ns === null ? '-' : formatDuration(row.lost_ns)) },
    { title: 'Efficiency', hint: 'bound / time', value: (row) => row.efficiency_share, text: (row) => formatShare(row.efficiency_share), share: (row) => row.efficiency_share },
    { title: 'Bound', value: (row) => row.bound },
    { title: 'FLOP/B', value: (row) => row.intensity, text: (row) => (row.intensity === null ? '-' : formatNumber(row.intensity)) },
    { title: 'Arithmetic', value: (row) => row.flops_per_s, text: (row) => (row.flops_per_s === null ? '-' : formatRate(row.flops_per_s, 'FLOP/s')) },
    { title: 'Memory', value: (row) => row.bytes_per_s, text: (row) => (row.bytes_per_s === null ? '-' : `${formatBytes(row.bytes_per_s)}/s`) },
  ];
  return (
    <div class="columns roofline">
      <div class="scatter-box">
        <Scatter data={data} hot={hot} onHot={setHot} onPick={(row) => searchFor(session, row.op, range)} />
        <p class="remark">
          {hot
            ? `${displayText(hot.op)} ${displayText(hot.shapes ?? '').slice(0, 120)}: ${formatRate(hot.flops_per_s ?? 0, 'FLOP/s')}, ${formatShare(hot.efficiency_share)} of its bound`
            : data.peaks?.name
              ? `Peaks of ${displayText(data.peaks.name)}, ${displayText(data.peaks.source ?? '')}; an area is GPU time.`
              : 'The peaks of this device are not known.'}
        </p>
      </div>
      <Table label="Roofline" columns={columns} rows={data.rows} filter={(row) => `${row.op} ${row.shapes ?? ''} ${row.bound ?? ''}`} sort={4} current={(row) => row === hot} />
    </div>
  );
}

const box = { width: 520, height: 300, left: 64, right: 26, top: 20, bottom: 36 };

function Scatter({ data, hot, onHot, onPick }: { data: Roofline; hot: RooflineRow | null; onHot: (row: RooflineRow | null) => void; onPick: (row: RooflineRow) => void }) {
  const points = data.rows.filter((row) => (row.intensity ?? 0) > 0 && (row.flops_per_s ?? 0) > 0);
  const bandwidth = data.peaks?.bytes_per_s ?? null;
  const used = new Set(points.map((row) => row.arithmetic));
  const roofs = roofsOf(data, used);
  if (!points.length) return <p class="remark">No op has known FLOPs and bytes.</p>;
  const xs = points.map((row) => row.intensity!);
  const ridge = bandwidth ? roofs.map(([, peak]) => peak / bandwidth) : [];
  const [x0, x1] = decades([...xs, ...ridge]);
  const [y0, y1] = decades([...points.map((row) => row.flops_per_s!), ...roofs.map(([, peak]) => peak)]);
  const px = (value: number): number => box.left + ((Math.log10(value) - x0) / (x1 - x0)) * (box.width - box.left - box.right);
  const py = (value: number): number => box.height - box.bottom - ((Math.log10(value) - y0) / (y1 - y0)) * (box.height - box.top - box.bottom);
  const largest = Math.max(...points.map((row) => row.gpu_ns));
  const exponents = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return (
    <svg class="scatter" viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label="Roofline: arithmetic intensity against FLOP per second; the table holds the same numbers">
      {exponents(x0, x1).map((e) => (
        <g key={`x${e}`}>
          <line class="grid" x1={px(10 ** e)} x2={px(10 ** e)} y1={box.top} y2={box.height - box.bottom} />
          <text x={px(10 ** e)} y={box.height - box.bottom + 14} text-anchor="middle">
            {formatNumber(10 ** e)}
          </text>
        </g>
      ))}
      {exponents(y0, y1).map((e) => (
        <g key={`y${e}`}>
          <line class="grid" x1={box.left} x2={box.width - box.right} y1={py(10 ** e)} y2={py(10 ** e)} />
          <text x={box.left - 6} y={py(10 ** e) + 4} text-anchor="end">
            {formatRate(10 ** e, '')}
          </text>
        </g>
      ))}
      <text x={(box.left + box.width) / 2} y={box.height - 4} text-anchor="middle">
        FLOP per byte
      </text>
      <text x={-(box.height - box.bottom) / 2} y={12} transform="rotate(-90)" text-anchor="middle">
        FLOP/s
      </text>
      {bandwidth !== null && (
        <line class="roof" x1={px(10 ** Math.max(x0, y0 - Math.log10(bandwidth)))} y1={py(Math.max(10 ** y0, 10 ** x0 * bandwidth))} x2={px(Math.min(10 ** x1, Math.max(...roofs.map(([, p]) => p), 10 ** y1) / bandwidth))} y2={py(Math.min(10 ** x1 * bandwidth, Math.max(...roofs.map(([, p]) => p), 10 ** y1)))} />
      )}
      {roofs.map(([name, peak]) => (
        <g key={name}>
          <line class="roof" x1={px(Math.max(10 ** x0, bandwidth ? peak / bandwidth : 10 ** x0))} x2={box.width - box.right} y1={py(peak)} y2={py(peak)} />
          <text class="roof-name" x={box.width - box.right} y={py(peak) - 4} text-anchor="end">
            {name} {formatRate(peak, 'FLOP/s')}
          </text>
        </g>
      ))}
      {points.map((row, i) => (
        <circle
          key={i}
          class={`point bound-${row.bound ?? 'none'}${row === hot ? ' hot' : ''}`}
          cx={px(row.intensity!)}
          cy={py(row.flops_per_s!)}
          r={3 + 9 * Math.sqrt(row.gpu_ns / largest)}
          onPointerEnter={() => onHot(row)}
          onPointerLeave={() => onHot(null)}
          onClick={() => onPick(row)}
        />
      ))}
    </svg>
  );
}

// Roofs of one height are one, with all their names.
function roofsOf(data: Roofline, used: Set<string | null>): [string, number][] {
  const names = new Map<number, string[]>();
  for (const [name, peak] of Object.entries(data.peaks?.flops_per_s ?? {})) {
    if (peak !== null && used.has(name)) names.set(peak, [...(names.get(peak) ?? []), name]);
  }
  return [...names].map(([peak, same]) => [same.join(', '), peak]);
}

// Whole powers of ten around the values.
function decades(values: number[]): [number, number] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)) + 1e-9);
  return [low, Math.max(low + 1, high)];
}
