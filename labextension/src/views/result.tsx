// The answer itself: figures, or chart and table.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import { isNumber, MISSING, writers } from '../columns';
import type { Card, Table } from '../messages';
import { rowsShown } from '../words';
import { canDraw, Chart } from './chart';
import { Figures, isFigures } from './figures';

/** From this many columns on, a table needs the width of the card and stands below its chart. */
const WIDE = 3;

export function Result({ card, rendermime }: { card: Card; rendermime: IRenderMimeRegistry }): JSX.Element | null {
  const { table } = card;
  if (table.columns.length === 0) {
    return null;
  }
  if (isFigures(table)) {
    return <Figures table={table} />;
  }
  const drawn = canDraw(card, rendermime);
  const layout = !drawn ? 'table' : table.columns.length < WIDE ? 'beside' : 'below';
  return (
    <div className="jp-mcpgen-result" data-layout={layout}>
      {drawn && <Chart card={card} rendermime={rendermime} />}
      <ResultTable table={table} />
    </div>
  );
}

function ResultTable({ table }: { table: Table }): JSX.Element {
  const sides = table.types.map(type => (isNumber(type) ? 'right' : 'left'));
  const write = writers(table);
  return (
    <div className="jp-mcpgen-tablePart">
      <div className="jp-mcpgen-tableScroll" tabIndex={0} role="group" aria-label="Result table">
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
              <tr key={number}>
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

/** What a cell has rounded, and what it may have cut off. */
function whole(value: unknown, text: string): string | undefined {
  const rounded = typeof value === 'number' && String(value) !== text.replaceAll(',', '');
  return rounded || text.length > 16 ? String(value) : undefined;
}
