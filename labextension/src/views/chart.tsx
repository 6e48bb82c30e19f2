// The chart of a result, drawn by JupyterLab's own Vega-Lite renderer in the card's clothes.

import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import * as React from 'react';

import type { Card, Table } from '../messages';
import { Rendered } from './rendered';

const VEGA_LITE = 'application/vnd.vegalite.v5+json';
const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';
const HEIGHT = 210;
const STEP = 24;
const MANY = 14;
const SMALL_STEP = 17;
const THIN_STEP = 6;
const GROUP_GAP = 8;
const CALM = {
  view: { stroke: null },
  axis: {
    domain: false,
    ticks: false,
    titleFontWeight: 'normal',
    titlePadding: 8,
    labelFontSize: 11,
    titleFontSize: 11,
    labelPadding: 6,
    labelLimit: 165,
    labelOverlap: true,
    labelSeparation: 8
  },
  axisQuantitative: { tickCount: 5, labelFlush: false },
  axisTemporal: { grid: false },
  axisDiscrete: { grid: false },
  bar: { cornerRadiusEnd: 2 },
  line: { strokeWidth: 2 },
  legend: {
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    labelLimit: 150,
    symbolSize: 60,
    rowPadding: 1
  }
};

type Json = ReadonlyPartialJSONObject;

export function canDraw(card: Card, rendermime: IRenderMimeRegistry): boolean {
  return card.chart !== null && rendermime.getFactory(VEGA_LITE) !== undefined;
}

interface Props {
  readonly card: Card;
  readonly rendermime: IRenderMimeRegistry;
  readonly open?: ((row: number) => void) | undefined;
}

export function Chart({ card, rendermime, open }: Props): JSX.Element {
  return (
    <Rendered
      className="jp-mcpgen-chart"
      label={`Chart: ${card.reading}`}
      rendermime={rendermime}
      mimeType={VEGA_LITE}
      data={dressed(card.chart as Json)}
      options={{ embed_options: { actions: false, renderer: 'svg' } }}
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
  const shared = datum === null ? [] : table.columns.filter(column => column in datum);
  const fits = table.rows.flatMap((row, index) =>
    shared.every(column => same(row[table.columns.indexOf(column)], datum?.[column])) ? [index + 1] : []
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

const CHANNELS = ['x', 'y', 'xOffset', 'yOffset', 'color', 'theta'];
const CHANNEL_KEYS = ['field', 'type', 'title', 'sort', 'aggregate', 'stack'];
const MARK_KEYS = ['type', 'point', 'filled', 'opacity'];
const MARKS = ['bar', 'line', 'point', 'arc'];
const SPECIAL_TIPS = ['image', 'title'];

/**
 * As wide as its place, without box and background; what the reading above says already is not said again.
 *
 * Only what the product's own charts consist of is taken over: a saved notebook is not trusted, and Vega-Lite would
 * fetch addresses, show pictures and run expressions that stand in a specification.
 */
function dressed(chart: Json): Json {
  const { title, encoding, data, mark } = chart as { title?: Json; encoding?: Json; data?: Json; mark?: Json };
  const subtitle = title?.subtitle;
  const kind = mark?.type;
  const values = Array.isArray(data?.values) ? data.values : [];
  return {
    $schema: SCHEMA,
    title:
      typeof subtitle === 'string' ? { text: subtitle, anchor: 'start', fontWeight: 'normal', fontSize: 11 } : null,
    data: { values },
    mark: { ...picked(mark ?? {}, MARK_KEYS), type: typeof kind === 'string' && MARKS.includes(kind) ? kind : 'bar' },
    encoding: {
      ...Object.fromEntries(
        CHANNELS.filter(name => encoding?.[name] !== undefined).map(name => [
          name,
          quieted(name, plain(encoding?.[name] as Json))
        ])
      ),
      ...(Array.isArray(encoding?.tooltip) ? { tooltip: (encoding.tooltip as Json[]).map(tip) } : {})
    },
    width: 'container',
    ...heightOf(chart),
    background: 'transparent',
    config: CALM
  };
}

/** A channel without anything that Vega-Lite would evaluate or fetch. */
function plain(channel: Json): Json {
  const { bin, scale, axis } = channel as { bin?: Json; scale?: Json; axis?: Json };
  return {
    ...picked(channel, CHANNEL_KEYS),
    ...(bin ? { bin: picked(bin, ['maxbins']) } : {}),
    ...(scale ? { scale: picked(scale, ['zero']) } : {}),
    ...(axis ? { axis: picked(axis, ['labelAngle']) } : {})
  };
}

/** Vega's tooltip shows a line called `image` as a picture from wherever its text points to. */
function tip(channel: Json): Json {
  const title = String(channel.title ?? channel.field ?? 'value');
  return { ...plain(channel), title: SPECIAL_TIPS.includes(title) ? `${title} (column)` : title };
}

function picked(from: Json, keys: string[]): Json {
  return Object.fromEntries(
    keys
      .filter(key => from[key] !== undefined && (typeof from[key] !== 'object' || from[key] === null))
      .map(key => [key, from[key]])
  );
}

/** Dates and lying labels need no axis title. */
function quieted(name: string, channel: Json): Json {
  const known = channel.type === 'temporal' || (name === 'y' && channel.type !== 'quantitative');
  return known && (name === 'x' || name === 'y')
    ? { ...channel, axis: { ...((channel.axis ?? {}) as Json), title: null } }
    : channel;
}

function heightOf(chart: Json): Json {
  // a height in steps is for lying bars; said as a number it is the same, and Vega-Lite has nothing to warn about
  if (typeof chart.height !== 'object') {
    return { height: HEIGHT, autosize: { type: 'fit', contains: 'padding' } };
  }
  const groups = distinct(chart, 'y');
  const perGroup = channel(chart, 'yOffset') === undefined ? (groups > MANY ? SMALL_STEP : STEP) : groupStep(chart);
  return { height: groups * perGroup, autosize: { type: 'fit-x', contains: 'padding' } };
}

function groupStep(chart: Json): number {
  return Math.max(STEP, distinct(chart, 'yOffset') * THIN_STEP + GROUP_GAP);
}

function distinct(chart: Json, name: string): number {
  const field = String(channel(chart, name)?.field);
  const values = ((chart.data as Json | undefined)?.values ?? []) as ReadonlyArray<Json>;
  return new Set(values.map(value => value[field])).size;
}

function channel(chart: Json, name: string): Json | undefined {
  return (chart.encoding as Json | undefined)?.[name] as Json | undefined;
}
