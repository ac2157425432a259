// Tables: sorted by a click on a heading, filtered by text, numbers aligned with their units in a column of their own.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { displayText } from '../engine/text';
import { MiddleCut } from '../middle_cut';
import { ScrollBox } from './scroll_box';
import { formatCount, splitUnit } from '../engine/units';

export interface Column<R> {
  title: string;
  hint?: string;
  // Numbers stand right and sort downwards first.
  value: (row: R) => number | string | null | undefined;
  text?: (row: R) => string;
  share?: (row: R) => number | null; // drawn as a bar behind the text
  swatch?: (row: R) => string; // a colour before the text
  name?: boolean; // takes the room that is left, cut at its end
  middle?: boolean; // or in its middle
  whole?: (row: R) => string; // for the tooltip, where the text is less
  onClick?: (row: R) => void;
  clickable?: (row: R) => boolean; // all rows, unless it says no
  action?: string; // what a click does, for the tooltip
  className?: (row: R) => string;
  aside?: boolean; // left out where there is little room
}

interface Props<R> {
  label: string;
  columns: Column<R>[];
  rows: R[];
  filter?: (row: R) => string;
  sort?: number; // column
  upwards?: boolean;
  current?: (row: R) => boolean;
  empty?: string;
  tools?: ComponentChildren;
  first?: number; // rows shown before "show all"
}

const firstRows = 100;
const mostWhole = 2000; // characters in a tooltip

const rowsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

export function Table<R>(props: Props<R>) {
  const { columns, rows, label } = props;
  const [sort, setSort] = useState<{ column: number; up: boolean } | null>(
    props.sort === undefined ? null : { column: props.sort, up: props.upwards ?? false },
  );
  const [filter, setFilter] = useState('');
  const [all, setAll] = useState(false);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const kept = wanted && props.filter ? rows.filter((row) => props.filter!(row).toLowerCase().includes(wanted)) : rows;
    if (!sort) return kept;
    const { value } = columns[sort.column]!;
    return [...kept].sort((a, b) => (sort.up ? 1 : -1) * compare(value(a), value(b)));
  }, [rows, filter, sort]);
  const most = all ? shown.length : (props.first ?? firstRows);
  // A name stands left, whatever it is sorted by.
  const isNumber = (column: Column<R>): boolean => !column.name && rows.some((row) => typeof column.value(row) === 'number');
  const numeric = columns.map(isNumber);

  return (
    <div class="table">
      {(props.filter || props.tools) && (
        <div class="tools">
          {props.filter && (
            <label>
              Filter{' '}
              <input
                type="search"
                value={filter}
                onInput={(event) => setFilter(event.currentTarget.value)}
                aria-label={`Filter ${label}`}
                spellcheck={false}
              />
            </label>
          )}
          <output>{shown.length === rows.length ? rowsText(rows.length) : `${formatCount(shown.length)} of ${rowsText(rows.length)}`}</output>
          {props.tools}
        </div>
      )}
      <ScrollBox label={label}>
        <table>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th
                  key={column.title}
                  scope="col"
                  class={[numeric[i] ? 'n' : '', column.aside ? 'aside' : ''].join(' ').trim() || undefined}
                  aria-sort={sort?.column === i ? (sort.up ? 'ascending' : 'descending') : undefined}
                >
                  <button
                    type="button"
                    title={column.hint}
                    onClick={() => setSort({ column: i, up: sort?.column === i ? !sort.up : !numeric[i] })}
                  >
                    {column.title}
                    <span class="order" aria-hidden="true">
                      {sort?.column === i ? (sort.up ? '\u25b4' : '\u25be') : ''}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, most).map((row, at) => (
              <tr key={at} aria-current={props.current?.(row) ? 'true' : undefined}>
                {columns.map((column, i) => (
                  <Cell key={column.title} column={column} row={row} number={numeric[i]!} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {!shown.length && <p class="remark">{props.empty ?? 'No rows.'}</p>}
        {shown.length > most && (
          <button type="button" class="plain" onClick={() => setAll(true)}>
            Show all {formatCount(shown.length)} rows
          </button>
        )}
      </ScrollBox>
    </div>
  );
}

function Cell<R>({ column, row, number }: { column: Column<R>; row: R; number: boolean }) {
  const value = column.value(row);
  const text = displayText(column.text ? column.text(row) : value === null || value === undefined ? '-' : String(value));
  const whole = displayText(column.whole ? column.whole(row).slice(0, mostWhole) : text);
  const share = column.share?.(row);
  const classes = [number ? 'n' : '', column.name ? 'name' : '', column.middle ? 'halved' : '', column.className?.(row) ?? '', column.aside ? 'aside' : '', share === undefined ? '' : 's'].join(' ').trim();
  const inner = (
    <>
      {column.swatch && <span class="swatch" style={{ background: column.swatch(row) }} aria-hidden="true" />}
      {number ? <Quantity text={text} /> : column.middle ? <MiddleCut text={text} /> : text}
    </>
  );
  return (
    <td class={classes || undefined} style={share === undefined ? undefined : { '--s': `${Math.min(100, Math.max(0, (share ?? 0) * 100))}%` }}>
      {column.onClick && (column.clickable?.(row) ?? true) ? (
        <button type="button" class="link" title={`${column.action ? `${column.action}: ` : ''}${whole}`} onClick={() => column.onClick!(row)}>
          {inner}
        </button>
      ) : column.name ? (
        <span title={whole}>{inner}</span>
      ) : (
        inner
      )}
    </td>
  );
}

export function Quantity({ text }: { text: string }) {
  const [number, unit] = splitUnit(text);
  return unit ? (
    <>
      {number}
      <span class="u">{unit}</span>
    </>
  ) : (
    <>{number}</>
  );
}

function compare(a: number | string | null | undefined, b: number | string | null | undefined): number {
  const [x, y] = [a ?? -Infinity, b ?? -Infinity];
  if (typeof x === 'number' && typeof y === 'number') return x === y ? 0 : x < y ? -1 : 1;
  return String(x).localeCompare(String(y));
}
