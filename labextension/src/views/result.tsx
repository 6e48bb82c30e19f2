// The answer itself: figures, or chart and table. A click on a figure, a bar or a row shows the data behind it.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ReadonlyPartialJSONObject as Json } from '@lumino/coreutils';
import * as React from 'react';

import { looking, missing } from '../looking';
import type { Card, View } from '../messages';
import { canDraw, Chart } from './chart';
import { ColumnChooser, Conditions } from './column';
import { fenced } from './diff';
import { Figures, isFigures } from './figures';
import { Acts, canLook, Outlook } from './outlook';
import { Rendered } from './rendered';
import { hasMoreBars, Wishes } from './specification';
import { ResultTable } from './table';
import { Tools } from './tools';

/** From this many columns on, a table needs the width of the card and stands below its chart. */
const WIDE = 3;

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
  readonly rendermime: IRenderMimeRegistry;
}

export function Result({ outlook, acts, rendermime }: Props): JSX.Element | null {
  const { card, looked } = outlook;
  const { table } = card;
  const place = React.useRef<HTMLDivElement>(null);
  const [wishes, setWishes] = React.useState<Wishes>({ values: false, rest: false });
  if (table.columns.length === 0) {
    return null;
  }
  // while the kernel is asked, a row keeps its focus and does nothing
  const explain = (row: number) => outlook.hands.kind === 'free' && acts.explain(row);
  const open = card.explains && outlook.hands.kind !== 'tied' ? explain : undefined;
  const drawing = looked.drawn?.drawing ?? card.chart;
  // what was chosen instead may draw figures that cannot be added up
  const mayAdd = card.adds_up && looked.drawn === null && card.chart !== null && hasMoreBars(card.chart as Json);
  const tools = (
    <Tools
      outlook={outlook}
      acts={acts}
      picture={place}
      drawing={drawing}
      wishes={wishes}
      wish={setWishes}
      mayAdd={mayAdd}
    />
  );
  if (card.text) {
    return (
      <div className="jp-mcpgen-result" data-layout="text">
        <Rendered
          className="jp-mcpgen-code"
          rendermime={rendermime}
          mimeType="text/markdown"
          data={fenced(card.text, card.text.startsWith('[') ? 'json' : '')}
        />
        {tools}
        <Ran card={card} />
      </div>
    );
  }
  if (isFigures(table)) {
    return (
      <>
        <Figures table={table} open={open} />
        {tools}
        <Ran card={card} />
      </>
    );
  }
  const drawn = drawing !== null && canDraw(rendermime);
  const layout = !drawn ? 'table' : table.columns.length < WIDE ? 'beside' : 'below';
  return (
    <div ref={place} className="jp-mcpgen-result" data-layout={layout}>
      {drawn && (
        <Chart
          card={card}
          drawing={drawing}
          wishes={{ ...wishes, rest: wishes.rest && mayAdd }}
          rendermime={rendermime}
          open={open}
        />
      )}
      <Grid outlook={outlook} acts={acts} open={open} />
      {tools}
      <Ran card={card} />
    </div>
  );
}

/** The table with all of its rows, as far as the kernel can be asked for them; its columns order and narrow it. */
function Grid({ outlook, acts, open }: Omit<Props, 'rendermime'> & { open: ((row: number) => void) | undefined }) {
  const { card, looked } = outlook;
  const [column, setColumn] = React.useState<string | null>(null);
  const part = React.useRef<HTMLDivElement>(null);
  const now = React.useMemo(() => looked.looking ?? looking(card.table), [looked.looking, card.table]);
  const can = canLook(outlook);
  const look = React.useRef(acts.look);
  look.current = acts.look;
  const source = React.useMemo(
    () => ({
      total: now.total,
      of: card.table.total_rows,
      rows: now.rows,
      want: (first: number, last: number) => missing(now, first, last).forEach(page => look.current(now.view, page))
    }),
    [now, card.table.total_rows]
  );
  if (!can) {
    return <ResultTable table={card.table} label="Result table" open={open} />;
  }
  const show = (view: View) => acts.look(view, 0);
  const close = () => {
    const buttons = part.current?.querySelectorAll<HTMLElement>('th > button');
    setColumn(null);
    buttons?.[card.table.columns.indexOf(column ?? '')]?.focus();
  };
  return (
    <div ref={part} className="jp-mcpgen-grid">
      <Conditions table={card.table} view={now.view} show={show} />
      {column !== null && (
        <ColumnChooser
          key={column}
          column={column}
          table={card.table}
          view={now.view}
          show={view => {
            show(view);
            close();
          }}
          close={close}
        />
      )}
      <ResultTable
        table={card.table}
        label="Result table"
        open={open}
        source={source}
        columns={{
          order: now.view.order,
          opened: column,
          choose: name => (name === column ? close() : setColumn(name))
        }}
      />
    </div>
  );
}

function Ran({ card }: { card: Card }): JSX.Element | null {
  return card.ran ? <div className="jp-mcpgen-quiet">{card.ran}</div> : null;
}
