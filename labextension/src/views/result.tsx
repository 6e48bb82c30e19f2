// The answer itself: chart and table.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import * as React from 'react';

import type { Card, Table } from '../messages';
import { cell, isNumber, rowsShown } from '../words';
import { Rendered } from './rendered';

const VEGA_LITE = 'application/vnd.vegalite.v5+json';
const CALM = {
  view: { stroke: null },
  axis: { domain: false, ticks: false, titleFontWeight: 'normal', labelPadding: 6, labelLimit: 140 },
  bar: { cornerRadiusEnd: 2 }
};

export function Result({ card, rendermime }: { card: Card; rendermime: IRenderMimeRegistry }): JSX.Element {
  const chartable = card.chart !== null && rendermime.getFactory(VEGA_LITE) !== undefined;
  return (
    <div className="jp-mcpgen-result" data-chart={chartable}>
      {chartable && (
        <Rendered
          className="jp-mcpgen-chart"
          label={`Chart: ${card.reading}`}
          rendermime={rendermime}
          mimeType={VEGA_LITE}
          data={dressed(card.chart as ReadonlyPartialJSONObject)}
          options={{ embed_options: { actions: false, renderer: 'svg' } }}
        />
      )}
      <ResultTable table={card.table} />
    </div>
  );
}

/** The chart in the card's clothes: as wide as its place, no box, no background; colours of text come from the theme. */
function dressed(chart: ReadonlyPartialJSONObject): ReadonlyPartialJSONObject {
  const config = (chart.config ?? {}) as ReadonlyPartialJSONObject;
  return { height: 200, ...chart, width: 'container', background: 'transparent', config: { ...CALM, ...config } };
}

function ResultTable({ table }: { table: Table }): JSX.Element {
  const sides = table.types.map(type => (isNumber(type) ? 'right' : 'left'));
  return (
    <div className="jp-mcpgen-tablePart">
      <div className="jp-mcpgen-tableScroll" tabIndex={0} role="group" aria-label="Result table">
        <table>
          <thead>
            <tr>
              {table.columns.map((column, index) => (
                <th key={column} scope="col" data-side={sides[index]}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, number) => (
              <tr key={number}>
                {row.map((value, index) => (
                  <td key={index} data-side={sides[index]} title={whole(value)}>
                    {cell(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="jp-mcpgen-quiet">{rowsShown(table.rows.length, table.total_rows)}</div>
    </div>
  );
}

/** What a cell may have cut off or rounded. */
function whole(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value.length > 30) ? String(value) : undefined;
}
