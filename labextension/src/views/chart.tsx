// The chart of a result, drawn by JupyterLab's own Vega-Lite renderer in the card's clothes.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import * as React from 'react';

import type { Card, Table } from '../messages';
import { shortened } from '../words';
import { named } from '../columns';
import { Rendered } from './rendered';
import { dressed, keyOf, overflows, Wishes, withNames } from './specification';

const VEGA_LITE = 'application/vnd.vegalite.v5+json';

/** A tooltip of our own, because Vega's is white in every theme. */
const TOOLTIP = { id: 'jp-mcpgen-tooltip', disableDefaultStyle: true };

type Json = ReadonlyPartialJSONObject;

export function canDraw(rendermime: IRenderMimeRegistry): boolean {
  return rendermime.getFactory(VEGA_LITE) !== undefined;
}

interface Props {
  readonly card: Card;
  /** The chart of the card, or the one that was chosen instead. */
  readonly drawing: NonNullable<Card['chart']>;
  readonly wishes: Wishes;
  readonly rendermime: IRenderMimeRegistry;
  readonly open?: ((row: number) => void) | undefined;
}

export function Chart({ card, drawing, wishes, rendermime, open }: Props): JSX.Element {
  const chart = withNames(drawing as Json, card.table);
  return (
    <Rendered
      className="jp-mcpgen-chart"
      label={`Chart: ${shortened(card.reading)}`}
      rendermime={rendermime}
      mimeType={VEGA_LITE}
      data={dressed(chart, wishes)}
      focusable={overflows(chart, wishes)}
      options={{ embed_options: { actions: false, renderer: 'svg', tooltip: TOOLTIP } }}
      onWidth={tellVega}
      onPress={
        open &&
        (target => {
          const row = rowOf(card.table, datumOf(target));
          if (row !== null) {
            open(row);
          }
        })
      }
    />
  );
}

/** The values behind a mark: Vega hangs the item of its scene on the element that draws it. */
function datumOf(target: EventTarget): Json | null {
  const item = (target as { __data__?: { datum?: Json } }).__data__;
  return item?.datum ?? null;
}

/** The number of the row that a mark was drawn from, from 1; null where none or several fit. */
export function rowOf(table: Table, datum: Json | null): number | null {
  const shared = datum === null ? [] : table.columns.filter(column => keyOf(column) in datum);
  const fits = table.rows.flatMap((row, index) =>
    shared.every(column => {
      const place = table.columns.indexOf(column);
      return same(named(row[place], table.types[place] ?? ''), datum?.[keyOf(column)]);
    })
      ? [index + 1]
      : []
  );
  return shared.length > 0 && fits.length === 1 ? (fits[0] ?? null) : null;
}

/** Vega turns the text of a date into a moment. */
function same(cell: unknown, drawn: unknown): boolean {
  if (typeof cell === 'string' && (typeof drawn === 'number' || drawn instanceof Date)) {
    return new Date(cell).getTime() === Number(drawn);
  }
  return cell === drawn;
}

/** Vega measures its container again when the window is resized, but not when a side panel opens beside it. */
function tellVega(): void {
  window.dispatchEvent(new Event('resize'));
}
