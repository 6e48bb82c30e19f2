// A table of JSON values, aligned and written per column.

import * as React from 'react';

import { headers, isNumber, MISSING, writers } from '../columns';
import type { Table } from '../messages';
import { rowsShown } from '../words';

interface Props {
  readonly table: Table;
  readonly label: string;
  /** What a click on a row does, with the row's number from 1. */
  readonly open?: ((row: number) => void) | undefined;
}

export function ResultTable({ table, label, open }: Props): JSX.Element {
  const sides = table.types.map(type => (isNumber(type) ? 'right' : 'left'));
  const write = writers(table);
  // one stop for the Tab key, however long the table; arrows go from row to row
  const [stop, setStop] = React.useState(0);
  const last = table.rows.length - 1;
  return (
    <div className="jp-mcpgen-tablePart">
      <div className="jp-mcpgen-tableScroll" tabIndex={0} role="group" aria-label={label}>
        <table>
          <thead>
            <tr>
              {headers(table).map((header, index) => (
                <th key={index} scope="col" data-side={sides[index]} title={table.columns[index]}>
                  <Breakable name={header} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, number) => (
              <tr
                key={number}
                {...opening(open, number + 1, number === Math.min(stop, last))}
                onFocus={() => setStop(number)}
              >
                {row.map((value, index) => {
                  const text = write[index]?.(value) ?? '';
                  return (
                    <td key={index} data-side={sides[index]} data-missing={text === MISSING} title={whole(value, text)}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="jp-mcpgen-quiet">{rowsShown(table.rows.length, table.total_rows)}</div>
    </div>
  );
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
