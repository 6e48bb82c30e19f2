// What is drawn of a card's chart: a Vega-Lite specification in the card's clothes.

import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';

import { named, namesOf } from '../columns';
import type { Table } from '../messages';

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';
const HEIGHT = 210;
const TALL = 480;
/** The style sheet lets a chart be this high before it scrolls. */
const HIGHEST = 600;
const MOST_BARS = 30;
const STEP = 24;
const MANY = 14;
const SMALL_STEP = 17;
const THIN_STEP = 6;
const GROUP_GAP = 8;
/** How far a value stands from the end of its bar, in pixels. */
const BESIDE = 4;
/** What a value takes beyond the end of its bar, in pixels. */
const ROOM = { x: 48, y: 18 };
/** Colors that people who see few colors tell apart (Okabe and Ito, 2008), without black and the yellow that is pale. */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999999'];
/** Vega's own blue, for whiskers as for boxes. */
const INK = '#4c78a8';
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
  // every bar that lies has room for its name
  axisYDiscrete: { labelOverlap: false },
  range: { category: COLORS },
  bar: { cornerRadiusEnd: 2 },
  line: { strokeWidth: 2 },
  rule: { color: INK },
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

/** What a person wants of a chart beside its kind. */
export interface Wishes {
  /** The value at the end of each bar. */
  readonly values: boolean;
  /** One bar for all that there is no room for. */
  readonly rest: boolean;
}

const CHANNELS = ['x', 'y', 'x2', 'y2', 'xOffset', 'yOffset', 'color', 'theta'];
const CHANNEL_KEYS = ['field', 'type', 'title', 'sort', 'aggregate', 'stack'];
const MARK_KEYS = ['type', 'point', 'filled', 'opacity', 'strokeWidth'];
const MARKS = ['bar', 'line', 'point', 'arc', 'rule', 'rect'];
const SCALES = ['log', 'symlog'];
const MOST_LAYERS = 4;
const SPECIAL_TIPS = ['image', 'title'];
const FORMAT = /^[-%YmdHM: ]{2,20}$|^,?(\.\d+)?~?[dfg]$/;
const INTERVALS = ['year', 'month', 'day'];

/**
 * As wide as its place, without box and background; what the reading above says already is not said again.
 *
 * Only what the product's own charts consist of is taken over: a saved notebook is not trusted, and Vega-Lite would
 * fetch addresses, show pictures and run expressions that stand in a specification.
 */
export function dressed(given: Json, wishes: Wishes): Json {
  const chart = withFirstBars(given, wishes.rest);
  const { title, layer } = chart as { title?: Json; layer?: unknown };
  const subtitle = title?.subtitle;
  return {
    $schema: SCHEMA,
    title:
      typeof subtitle === 'string' ? { text: subtitle, anchor: 'start', fontWeight: 'normal', fontSize: 11 } : null,
    data: { values: valuesOf(chart).map(keyed) },
    ...(Array.isArray(layer)
      ? layered(chart, layer as unknown[])
      : wishes.values && hasValues(chart)
        ? withValues(chart)
        : drawing(chart)),
    width: 'container',
    ...heightOf(chart),
    background: 'transparent',
    config: isTall(chart) ? { ...CALM, axisX: { orient: 'top' } } : CALM
  };
}

/** A chart whose numbers of months and weekdays are their names, in the order of the calendar. */
export function withNames(chart: Json, table: Table): Json {
  const types = new Map(table.columns.map((column, index) => [column, table.types[index] ?? '']));
  const calendar = [...types].filter(([, type]) => namesOf(type) !== null);
  const encoding = chart.encoding as Json | undefined;
  if (calendar.length === 0 || !isJson(encoding)) {
    return chart;
  }
  const channels = Object.entries(encoding).map(([name, said]) => {
    const names = isJson(said) ? namesOf(types.get(columnOf(said)) ?? '') : null;
    return [name, names === null ? said : { ...(said as Json), type: 'ordinal', names, axis: { labelAngle: 0 } }];
  });
  const values = valuesOf(chart).map(value => ({
    ...value,
    ...Object.fromEntries(calendar.map(([column, type]) => [column, named(value[column], type)]))
  }));
  return { ...chart, encoding: Object.fromEntries(channels) as Json, data: { values } } as Json;
}

/** Whether the kernel sent the first rows only, which the chart then says. */
function isCut({ title }: Json): boolean {
  return isJson(title) && typeof title.subtitle === 'string';
}

/** Of very many bars that lie the first, and a line that says so: all of them are in the table. */
function withFirstBars(chart: Json, rest: boolean): Json {
  const field = columnOf(channel(chart, 'y'));
  const groups = distinct(chart, 'y');
  if (!lies(chart) || groups <= MOST_BARS) {
    return chart;
  }
  const first = new Set([...new Set(valuesOf(chart).map(value => value[field]))].slice(0, MOST_BARS));
  const subtitle = `first ${MOST_BARS} of ${isCut(chart) ? 'more than ' : ''}${groups.toLocaleString('en-US')} bars`;
  const others = valuesOf(chart).filter(value => !first.has(value[field]));
  const total = (name: string) => others.reduce((sum, value) => sum + Number(value[name] ?? 0), 0);
  const figure = columnOf(channel(chart, 'x'));
  const all = rest ? [{ [field]: `${others.length.toLocaleString('en-US')} others`, [figure]: total(figure) }] : [];
  return {
    ...chart,
    title: { subtitle },
    data: { values: [...valuesOf(chart).filter(value => first.has(value[field])), ...all] }
  } as Json;
}

/** Whether some bars have no room, each of which is one row, and all of these rows are here to be added up. */
export function hasMoreBars(chart: Json): boolean {
  const { encoding, layer } = chart as { encoding?: Json; layer?: unknown };
  const plain = layer === undefined && encoding?.color === undefined && encoding?.yOffset === undefined;
  const bars = distinct(chart, 'y');
  return plain && !isCut(chart) && lies(chart) && bars > MOST_BARS && bars === valuesOf(chart).length;
}

/** Whether a chart has bars of one color, at whose ends their values have room. */
export function hasValues(chart: Json): boolean {
  const { encoding, mark } = chart as { encoding?: Json; mark?: Json };
  return mark?.type === 'bar' && encoding?.color === undefined && figureOf(chart) !== null;
}

/** The side of a chart that has the figures of its bars. */
function figureOf(chart: Json): 'x' | 'y' | null {
  const isFigure = (side: 'x' | 'y') => {
    const said = channel(chart, side);
    return said?.type === 'quantitative' && typeof said.field === 'string' && !said.bin && !said.aggregate;
  };
  return lies(chart) ? (isFigure('x') ? 'x' : null) : isFigure('y') ? 'y' : null;
}

function withValues(chart: Json): Json {
  const side = figureOf(chart) ?? 'x';
  const field = keyOf(columnOf(channel(chart, side)));
  const figures = valuesOf(chart).map(value => value[columnOf(channel(chart, side))]);
  const whole = figures.every(figure => Number.isInteger(figure ?? 0));
  const format = whole ? ',d' : ',.2~f';
  const { mark, encoding } = drawing(chart);
  const written = (place: Json, kept: Json): Json => ({
    mark: { type: 'text', ...place },
    encoding: { text: { condition: { test: { field, ...kept }, field, type: 'quantitative', format }, value: '' } }
  });
  const [above, below] =
    side === 'x'
      ? [
          { align: 'left', dx: BESIDE },
          { align: 'right', dx: -BESIDE }
        ]
      : [
          { baseline: 'bottom', dy: -BESIDE },
          { baseline: 'top', dy: BESIDE }
        ];
  const isBelow = figures.some(figure => typeof figure === 'number' && figure < 0);
  return {
    encoding: isBelow ? withRoom(encoding as Json, side) : (encoding ?? {}),
    layer: [
      { mark: mark ?? 'bar' },
      written(above, { gte: 0 }),
      // beyond the end of its bar, whose color would swallow it
      ...(isBelow ? [written(below, { lt: 0 })] : [])
    ]
  };
}

/** Channels with room for values at both ends of an axis, so that none lies on the names of the bars. */
function withRoom(encoding: Json, side: 'x' | 'y'): Json {
  const said = encoding[side] as Json;
  return { ...encoding, [side]: { ...said, scale: { ...((said.scale ?? {}) as Json), padding: ROOM[side] } } };
}

/** Whether a chart is higher than its place, which then scrolls. */
export function overflows(chart: Json, wishes: Wishes): boolean {
  const drawn = withFirstBars(chart, wishes.rest);
  return lies(drawn) && heightOfBars(drawn) > HIGHEST - STEP * 3;
}

/** Marks on top of each other, none of which may hold what a single one may not; layers within layers are dropped. */
function layered(chart: Json, layers: readonly unknown[]): Json {
  const drawn = layers.filter(isJson).slice(0, MOST_LAYERS).map(drawing);
  return { encoding: encodingOf(chart), layer: drawn };
}

function drawing(chart: Json): Json {
  const { mark } = chart as { mark?: Json };
  const kind = mark?.type;
  return {
    mark: { ...picked(mark ?? {}, MARK_KEYS), type: typeof kind === 'string' && MARKS.includes(kind) ? kind : 'bar' },
    encoding: encodingOf(chart)
  };
}

function encodingOf(chart: Json): Json {
  const { encoding } = chart as { encoding?: Json };
  const channels = CHANNELS.flatMap(name => {
    const said = encoding?.[name];
    return isJson(said) ? [[name, quieted(name, plain(said))]] : [];
  });
  const { tooltip } = encoding ?? {};
  return {
    ...Object.fromEntries(channels),
    ...(Array.isArray(tooltip) ? { tooltip: tooltip.filter(isJson).map(tip) } : {})
  };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A channel without anything that Vega-Lite would evaluate or fetch. */
function plain(channel: Json): Json {
  const { bin, scale, axis } = channel as { bin?: Json; scale?: Json; axis?: Json };
  return {
    ...picked(channel, CHANNEL_KEYS),
    ...fieldOf(channel),
    ...titleOf(channel),
    ...sorted(channel),
    ...(bin ? { bin: picked(bin, ['maxbins']) } : {}),
    ...(scale ? { scale: scaleOf(scale) } : {}),
    ...(axis ? { axis: axisOf(axis) } : {})
  };
}

/** The values of a row under names that are no paths. */
function keyed(row: Json): Json {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [keyOf(column), value]));
}

function fieldOf(channel: Json): Json {
  return typeof channel.field === 'string' ? { field: keyOf(columnOf(channel)) } : {};
}

/**
 * What a column is called in what is drawn: Vega-Lite reads dots, brackets, quotes and backslashes as a path, and does
 * not keep all of their escapes, so that bars of a column with such a name would lie on each other.
 */
export function keyOf(column: string): string {
  return column.replace(/[^\p{L}\p{N}_ -]/gu, sign => `_${sign.codePointAt(0)?.toString(16)}_`);
}

/**
 * What a channel is called, in signs that no expression needs: Vega-Lite puts titles into expressions as they are, for
 * tooltips and for what screen readers say, so a quote or a backslash would end the text that it is meant to be in.
 */
function titleOf(channel: Json): Json {
  if (typeof channel.title === 'string') {
    return { title: harmless(channel.title) };
  }
  const isCalledSo = channel.title === undefined && typeof channel.field === 'string';
  return isCalledSo && keyOf(columnOf(channel)) !== channel.field ? { title: harmless(columnOf(channel)) } : {};
}

function harmless(title: string): string {
  return title
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/"/g, '\u201d')
    .replace(/\\/g, '\u2216');
}

/** A whole calendar's order, given by `withNames` alone: names of ours, never those of a notebook. */
function sorted({ names }: Json): Json {
  const known = ['month', 'weekday'].map(namesOf).find(one => one === names) ?? null;
  return known === null ? {} : { sort: [...known] };
}

function scaleOf(scale: Json): Json {
  const kind = String(scale.type);
  return { ...picked(scale, ['zero', 'paddingInner']), ...(SCALES.includes(kind) ? { type: kind } : {}) };
}

function axisOf(axis: Json): Json {
  const { tickCount } = axis as { tickCount?: Json };
  const between = INTERVALS.includes(String(tickCount?.interval))
    ? picked(tickCount ?? {}, ['interval', 'step'])
    : null;
  return {
    ...picked(axis, ['labelAngle', 'tickMinStep']),
    ...formatOf(axis),
    ...(between === null ? {} : { tickCount: between })
  };
}

/** How dates or numbers are written, if it is one of our ways; Vega draws nothing where it cannot read a format. */
function formatOf({ format }: Json): Json {
  return typeof format === 'string' && FORMAT.test(format) ? { format } : {};
}

/** Vega's tooltip shows a line called `image` as a picture from wherever its text points to. */
function tip(channel: Json): Json {
  const title = harmless(String(channel.title ?? (channel.field !== undefined ? columnOf(channel) : 'value')));
  return { ...plain(channel), ...formatOf(channel), title: SPECIAL_TIPS.includes(title) ? `${title} (column)` : title };
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
  return lies(chart)
    ? { height: heightOfBars(chart), autosize: { type: 'fit-x', contains: 'padding' } }
    : { height: HEIGHT, autosize: { type: 'fit', contains: 'padding' } };
}

function lies(chart: Json): boolean {
  return typeof chart.height === 'object';
}

/** Higher than its place: the axis stands above the bars, where it is seen before one scrolls. */
function isTall(chart: Json): boolean {
  return lies(chart) && heightOfBars(chart) > TALL;
}

function heightOfBars(chart: Json): number {
  const groups = distinct(chart, 'y');
  const perGroup = channel(chart, 'yOffset') === undefined ? (groups > MANY ? SMALL_STEP : STEP) : groupStep(chart);
  return groups * perGroup;
}

function groupStep(chart: Json): number {
  return Math.max(STEP, distinct(chart, 'yOffset') * THIN_STEP + GROUP_GAP);
}

function distinct(chart: Json, name: string): number {
  const field = columnOf(channel(chart, name));
  return new Set(valuesOf(chart).map(value => value[field])).size;
}

function valuesOf(chart: Json): ReadonlyArray<Json> {
  const values = (chart.data as Json | undefined)?.values;
  return Array.isArray(values) ? (values as unknown[]).filter(isJson) : [];
}

/** The column that a channel draws: a field is a path, in which signs of a name are escaped. */
function columnOf(said: Json | undefined): string {
  return String(said?.field).replace(/\\(.)/gs, '$1');
}

function channel(chart: Json, name: string): Json | undefined {
  return (chart.encoding as Json | undefined)?.[name] as Json | undefined;
}
