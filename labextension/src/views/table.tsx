// A table of JSON values, aligned and written per column.

import * as React from 'react';

import { isNumber, MISSING, writers } from '../columns';
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
  return (
    <div className="jp-mcpgen-tablePart">
      <div className="jp-mcpgen-tableScroll" tabIndex={0} role="group" aria-label={label}>
        <table>
          <thead>
            <tr>
              {table.columns.map((column, index) => (
                <th key={index} scope="col" data-side={sides[index]} title={column}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, number) => (
              <tr key={number} {...opening(open, number + 1)}>
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

/** A row that opens by click or key. */
function opening(open: Props['open'], row: number): React.HTMLAttributes<HTMLTableRowElement> {
  if (open === undefined) {
    return {};
  }
  return {
    tabIndex: 0,
    title: 'Show the rows of the data behind this one',
    'data-opens': true,
    onClick: () => open(row),
    onKeyDown: event => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        open(row);
      }
    }
  } as React.HTMLAttributes<HTMLTableRowElement>;
}

/** What a cell has rounded, and what it may have cut off. */
function whole(value: unknown, text: string): string | undefined {
  const rounded = typeof value === 'number' && String(value) !== text.replaceAll(',', '');
  return rounded || text.length > 16 ? String(value) : undefined;
}
