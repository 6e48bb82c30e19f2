// An answer of one row and a few columns: the figures themselves, large.

import * as React from 'react';

import { headers, isNumber, writers } from '../columns';
import type { Table } from '../messages';

const MOST_FIGURES = 4;

export function isFigures(table: Table): boolean {
  return table.total_rows === 1 && table.rows.length === 1 && table.columns.length <= MOST_FIGURES;
}

interface Props {
  readonly table: Table;
  readonly open?: ((row: number) => void) | undefined;
}

export function Figures({ table, open }: Props): JSX.Element {
  const write = writers(table);
  const row = table.rows[0] ?? [];
  return (
    <div className="jp-mcpgen-figures" role="group" aria-label="Result">
      {headers(table).map((header, index) => (
        <div key={index} data-kind={isNumber(table.types[index] ?? '') ? 'number' : 'text'}>
          <div className="jp-mcpgen-figure" title={String(row[index] ?? 'missing')}>
            {write[index]?.(row[index])}
          </div>
          <div className="jp-mcpgen-quiet">{header}</div>
        </div>
      ))}
      {open !== undefined && (
        <button type="button" className="jp-mcpgen-button" onClick={() => open(1)}>
          Show the rows behind it
        </button>
      )}
    </div>
  );
}
