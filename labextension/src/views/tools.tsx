// What can be taken from a result: its rows as text, file or variable, and its chart as a picture or of another kind.

import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import * as React from 'react';

import { PLAIN } from '../looking';
import type { Card, ChartKind, Rows } from '../messages';
import { save } from '../deliver';
import { Fields } from './field';
import { Acts, canLook, Outlook } from './outlook';
import { Phrase } from './phrase';
import { pngOf, svgOf } from './picture';
import { hasValues, Wishes } from './specification';

const CHARTS: Record<ChartKind, string> = {
  bar: 'Bars',
  line: 'Line',
  scatter: 'Scatter plot',
  pie: 'Pie',
  histogram: 'Histogram',
  box: 'Box plot',
  heatmap: 'Heat map'
};

interface Props {
  readonly outlook: Outlook;
  readonly acts: Acts;
  /** Around the drawing, if there is one. */
  readonly picture: React.RefObject<HTMLElement>;
  readonly drawing: Card['chart'];
  readonly wishes: Wishes;
  wish(wishes: Wishes): void;
  /** Whether the bars without room can become one. */
  readonly mayAdd: boolean;
}

export function Tools({ outlook, acts, picture, drawing, wishes, wish, mayAdd }: Props): JSX.Element | null {
  const { card, looked } = outlook;
  const isDraft = outlook.stand === 'testing' && outlook.hands.kind !== 'tied';
  if (!canLook(outlook) && !isDraft) {
    return null;
  }
  const drawable = card.drawable ?? [];
  const now = looked.drawn?.chart ?? '';
  const chart = drawing as ReadonlyPartialJSONObject | null;
  const drawn = () => picture.current?.querySelector<SVGSVGElement>('.jp-mcpgen-chart svg') ?? null;
  return (
    // it has its place from the start, so that nothing moves when the answer is kept
    <fieldset disabled={isDraft} className="jp-mcpgen-tools" aria-label="Take the result">
      <Takes
        rows={{ view: looked.looking?.view ?? PLAIN, behind: null }}
        suggested={`${card.tool_name}_rows`}
        acts={acts}
      />
      {drawable.length > 0 && (
        <label>
          Chart
          <select
            value={now}
            onChange={event => acts.draw(event.target.value === '' ? null : (event.target.value as ChartKind))}
          >
            <option value="">{card.chart === null ? 'none' : 'as answered'}</option>
            {drawable.map(kind => (
              <option key={kind} value={kind}>
                {CHARTS[kind]}
              </option>
            ))}
          </select>
        </label>
      )}
      {chart !== null && (
        <>
          {hasValues(chart) && <Tick label="Values" on={wishes.values} turn={values => wish({ ...wishes, values })} />}
          {mayAdd && <Tick label="Others as one bar" on={wishes.rest} turn={rest => wish({ ...wishes, rest })} />}
          <Tool label="SVG" title="Save the chart as SVG" act={() => svgOf(drawn(), card.tool_name, save)} />
          <Tool label="PNG" title="Save the chart as PNG" act={() => pngOf(drawn(), card.tool_name, save)} />
        </>
      )}
      <Told outlook={outlook} />
    </fieldset>
  );
}

/** The buttons that take rows away, those of the result as it is looked at or those behind one of its rows. */
export function Takes({ rows, suggested, acts }: { rows: Rows; suggested: string; acts: Acts }): JSX.Element {
  const [name, setName] = React.useState<string | null>(null);
  const opener = React.useRef<HTMLButtonElement>(null);
  const close = () => {
    setName(null);
    opener.current?.focus();
  };
  const send = () => {
    if (name !== null && name.trim() !== '') {
      acts.take(rows, name.trim());
      close();
    }
  };
  return (
    <>
      <Tool label="Copy" title="Copy the rows, to paste them into a spreadsheet" act={() => acts.fetch(rows, 'tsv')} />
      <Tool label="CSV" title="Save the rows as CSV" act={() => acts.fetch(rows, 'csv')} />
      <Tool label="Parquet" title="Save the rows as Parquet" act={() => acts.fetch(rows, 'parquet')} />
      <button
        ref={opener}
        type="button"
        className="jp-mcpgen-tool"
        aria-expanded={name !== null}
        title="Put the rows into a variable of the notebook"
        onClick={() => (name === null ? setName(suggested) : close())}
      >
        To variable…
      </button>
      {name !== null && (
        <Fields className="jp-mcpgen-row" send={send} close={close}>
          <input
            type="text"
            aria-label="Name of the variable"
            value={name}
            onChange={event => setName(event.target.value)}
          />
          <button type="button" className="jp-mcpgen-button jp-mod-strong" onClick={send} disabled={name.trim() === ''}>
            Save
          </button>
        </Fields>
      )}
    </>
  );
}

function Tool({ label, title, act }: { label: string; title: string; act: () => void }): JSX.Element {
  return (
    <button type="button" className="jp-mcpgen-tool" title={title} onClick={act}>
      {label}
    </button>
  );
}

function Tick({ label, on, turn }: { label: string; on: boolean; turn: (on: boolean) => void }): JSX.Element {
  return (
    <label>
      <input type="checkbox" checked={on} onChange={event => turn(event.target.checked)} /> {label}
    </label>
  );
}

/** What became of the rows. */
function Told({ outlook }: { outlook: Outlook }): JSX.Element {
  const { told } = outlook.looked;
  return (
    <span className={told?.kind === 'refused' ? 'jp-mcpgen-refusal' : 'jp-mcpgen-quiet'} aria-live="polite">
      {told !== null && <Phrase text={sentence(told)} />}
    </span>
  );
}

function sentence(told: NonNullable<Outlook['looked']['told']>): string {
  switch (told.kind) {
    case 'refused':
      return told.message;
    case 'fetched':
      return told.form === 'tsv' ? 'Copied.' : `Saved as \`${told.name}\`.`;
    case 'taken':
      return `${told.count.toLocaleString('en-US')} ${told.count === 1 ? 'row is' : 'rows are'} in \`${told.name}\`.`;
  }
}
