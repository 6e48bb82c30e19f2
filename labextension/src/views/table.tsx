// A table of JSON values, aligned and written per column; of a long one only the rows in sight are drawn.

import * as React from 'react';

import { headers, isNumber, MISSING, writers } from '../columns';
import type { SeenRow } from '../looking';
import type { Order, Table } from '../messages';
import { rowsShown } from '../words';
import { useWindow } from './window';

/** Rows that may come later than the table around them. */
export interface Source {
  /** How many rows are looked at, and of how many. */
  readonly total: number;
  readonly of: number;
  readonly rows: ReadonlyMap<number, SeenRow>;
  /** Asks for the rows from one place to another that are in sight, where they have not come. */
  want(first: number, last: number): void;
}

/** What the name of a column opens. */
export interface Columns {
  readonly order: Order | null;
  readonly opened: string | null;
  choose(column: string): void;
}

interface Props {
  readonly table: Table;
  readonly label: string;
  /** What a click on a row does, with the row's number from 1. */
  readonly open?: ((row: number) => void) | undefined;
  readonly source?: Source | undefined;
  readonly columns?: Columns | undefined;
}

export function ResultTable({ table, label, open, source, columns }: Props): JSX.Element {
  const sides = table.types.map(type => (isNumber(type) ? 'right' : 'left'));
  const { total, at, loaded, want } = React.useMemo(() => drawnFrom(table, source), [table, source]);
  const write = React.useMemo(() => writers({ ...table, rows: loaded }), [table, loaded]);
  const shown = useWindow(total);
  React.useEffect(() => want(shown.first, shown.last), [want, shown.first, shown.last]);
  // one stop for the Tab key, however long the table; arrows go from row to row
  const [stop, setStop] = React.useState(0);
  const stops = Math.min(Math.max(stop, shown.first), shown.last);
  return (
    <div className="jp-mcpgen-tablePart">
      <div
        ref={shown.scroller}
        className="jp-mcpgen-tableScroll"
        tabIndex={0}
        role="group"
        aria-label={label}
        onScroll={shown.scrolled}
      >
        <table aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {headers(table).map((header, index) => {
                const column = table.columns[index] ?? '';
                return (
                  <th key={index} scope="col" data-side={sides[index]} title={column} {...sorting(columns, column)}>
                    {columns === undefined ? (
                      <Breakable name={header} />
                    ) : (
                      <button
                        type="button"
                        aria-expanded={columns.opened === column}
                        onClick={() => columns.choose(column)}
                      >
                        <Breakable name={header} />
                      </button>
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            <Spacer height={shown.above} columns={table.columns.length} />
            {Array.from({ length: Math.max(0, shown.last - shown.first + 1) }, (_, offset) => {
              const place = shown.first + offset;
              const row = at(place);
              return (
                <tr
                  key={place}
                  aria-rowindex={place + 2}
                  {...(row === undefined ? {} : opening(open, row.number, place === stops))}
                  onFocus={() => setStop(place)}
                >
                  {table.columns.map((_, index) => {
                    const value = row?.values[index];
                    const text = row === undefined ? '…' : (write[index]?.(value) ?? '');
                    return (
                      <td
                        key={index}
                        data-side={sides[index]}
                        data-missing={text === MISSING}
                        title={whole(value, text)}
                      >
                        {text}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
            <Spacer height={shown.below} columns={table.columns.length} />
          </tbody>
        </table>
      </div>
      <div className="jp-mcpgen-quiet" aria-live="polite">
        {source === undefined ? rowsShown(table.rows.length, table.total_rows) : rowsShown(total, source.of)}
      </div>
    </div>
  );
}

interface Drawn {
  readonly total: number;
  readonly at: (place: number) => SeenRow | undefined;
  readonly loaded: Table['rows'];
  readonly want: (first: number, last: number) => void;
}

/** The rows that a table shows: all that come from a source, or those that it holds itself. */
function drawnFrom(table: Table, source: Source | undefined): Drawn {
  if (source !== undefined) {
    const loaded = [...source.rows.values()].map(row => row.values);
    return { total: source.total, at: place => source.rows.get(place), loaded, want: source.want };
  }
  const own = table.rows.map((values, index) => ({ number: index + 1, values }));
  return { total: own.length, at: place => own[place], loaded: table.rows, want: () => undefined };
}

function Spacer({ height, columns }: { height: number; columns: number }): JSX.Element | null {
  return height > 0 ? (
    <tr className="jp-mcpgen-spacer" aria-hidden style={{ height }}>
      <td colSpan={columns} />
    </tr>
  ) : null;
}

function sorting(columns: Columns | undefined, column: string): React.ThHTMLAttributes<HTMLTableCellElement> {
  if (columns === undefined) {
    return {};
  }
  const { order } = columns;
  return { 'aria-sort': order?.column !== column ? 'none' : order.descending ? 'descending' : 'ascending' };
}

/** A name that may go on in the next line after a sign that joins its words. */
function Breakable({ name }: { name: string }): JSX.Element {
  return (
    <>
      {name.split(/(?<=[_.\-/])/).map((part, index) => (
        <React.Fragment key={index}>
          {part}
          <wbr />
        </React.Fragment>
      ))}
    </>
  );
}

/** A row that opens by click or key, and hands the focus to its neighbours. */
function opening(open: Props['open'], row: number, isStop: boolean): React.HTMLAttributes<HTMLTableRowElement> {
  if (open === undefined) {
    return {};
  }
  return {
    tabIndex: isStop ? 0 : -1,
    title: 'Show the rows of the data behind this one',
    'data-opens': true,
    onClick: () => open(row),
    onKeyDown: event => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        open(row);
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const { nextElementSibling, previousElementSibling } = event.currentTarget;
        const next = event.key === 'ArrowDown' ? nextElementSibling : previousElementSibling;
        // the notebook would go to its next cell
        event.preventDefault();
        event.stopPropagation();
        (next as HTMLElement | null)?.focus();
      }
    }
  } as React.HTMLAttributes<HTMLTableRowElement>;
}

/** What a cell has rounded, and what it may have cut off. */
function whole(value: unknown, text: string): string | undefined {
  const rounded = typeof value === 'number' && String(value) !== text.replaceAll(',', '');
  return rounded || text.length > 16 ? String(value) : undefined;
}
