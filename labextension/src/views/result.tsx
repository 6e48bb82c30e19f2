// The answer itself: figures, or chart and table. A click on a figure, a bar or a row shows the data behind it.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import * as React from 'react';

import type { Card } from '../messages';
import { canDraw, Chart } from './chart';
import { fenced } from './diff';
import { Figures, isFigures } from './figures';
import type { Acts, Outlook } from './outlook';
import { Rendered } from './rendered';
import { ResultTable } from './table';

/** From this many columns on, a table needs the width of the card and stands below its chart. */
const WIDE = 3;

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
  readonly rendermime: IRenderMimeRegistry;
}

export function Result({ outlook, acts, rendermime }: Props): JSX.Element | null {
  const { card } = outlook;
  const { table } = card;
  if (table.columns.length === 0) {
    return null;
  }
  // while the kernel is asked, a row keeps its focus and does nothing
  const explain = (row: number) => outlook.hands.kind === 'free' && acts.explain(row);
  const open = card.explains && outlook.hands.kind !== 'tied' ? explain : undefined;
  if (card.text) {
    return (
      <div className="jp-mcpgen-result" data-layout="text">
        <Rendered
          className="jp-mcpgen-code"
          rendermime={rendermime}
          mimeType="text/markdown"
          data={fenced(card.text, card.text.startsWith('[') ? 'json' : '')}
        />
        <Ran card={card} />
      </div>
    );
  }
  if (isFigures(table)) {
    return (
      <>
        <Figures table={table} open={open} />
        <Ran card={card} />
      </>
    );
  }
  const drawn = canDraw(card, rendermime);
  const layout = !drawn ? 'table' : table.columns.length < WIDE ? 'beside' : 'below';
  return (
    <div className="jp-mcpgen-result" data-layout={layout}>
      {drawn && <Chart card={card} rendermime={rendermime} open={open} />}
      <ResultTable table={table} label="Result table" open={open} />
      <Ran card={card} />
    </div>
  );
}

function Ran({ card }: { card: Card }): JSX.Element | null {
  return card.ran ? <div className="jp-mcpgen-quiet">{card.ran}</div> : null;
}
