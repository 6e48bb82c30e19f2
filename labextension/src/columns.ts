// How the values of one column read: one number of decimals, one way to write dates, the same for every row.

import type { Table } from './messages';

export type Write = (value: unknown) => string;

/** What stands for a missing value. */
export const MISSING = '–';

/** Years and ids are names: a separator would make them amounts. */
const NAMES = /(^|[\W_])(year|yr|id|code|zip|postcode|no)$|[a-z](Year|Id|Code)$/;
const NAMES_OF: Readonly<Record<string, ReadonlyArray<string>>> = {
  month: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
};
const MOST_DECIMALS = 6;
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** A date in ISO 8601, with as much of a time as it says. */
const MOMENT = /^(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const SMALL = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

export function isNumber(type: string): boolean {
  return /^(int|real|float|number|decimal|year)/i.test(type);
}

/** What stands above each column. */
export function headers(table: Table): ReadonlyArray<string> {
  return table.titles?.length === table.columns.length ? table.titles : table.columns;
}

/** The names that the numbers of a column stand for, in their order; null for any other column. */
export function namesOf(type: string): ReadonlyArray<string> | null {
  return NAMES_OF[type] ?? null;
}

/** What a number stands for, such as a month, or the value itself. */
export function named(value: unknown, type: string): unknown {
  return typeof value === 'number' ? (namesOf(type)?.[value - 1] ?? value) : value;
}

/** One writer per column of a table. */
export function writers(table: Table): Write[] {
  return table.columns.map((name, index) => {
    const write = writer(
      name,
      table.types[index] ?? '',
      table.rows.map(row => row[index])
    );
    return value => (value === null || value === undefined ? MISSING : write(value));
  });
}

function writer(name: string, type: string, values: ReadonlyArray<unknown>): Write {
  if (type === 'year' || namesOf(type) !== null) {
    return value => String(named(value, type));
  }
  if (isNumber(type)) {
    const numbers = values.filter(value => typeof value === 'number');
    const write = numberWriter(name, numbers);
    return value =>
      typeof value === 'number' ? write(value) : isLargeWhole(value) ? writeLarge(name, value) : plain(value);
  }
  if (/^date/i.test(type)) {
    const write = momentWriter(
      name,
      values.filter(value => typeof value === 'string').flatMap(value => momentOf(value) ?? [])
    );
    return value => {
      const moment = typeof value === 'string' ? momentOf(value) : null;
      return moment === null ? plain(value).replace('T', ' ') : write(moment);
    };
  }
  return plain;
}

/** A whole number beyond 2^53 comes as its digits, because a number here would round it. */
function isLargeWhole(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value);
}

function writeLarge(name: string, digits: string): string {
  return isName(name) ? digits : WHOLE.format(BigInt(digits));
}

function isName(name: string): boolean {
  return NAMES.test(name) || NAMES.test(name.toLowerCase());
}

function numberWriter(name: string, numbers: ReadonlyArray<number>): (value: number) => string {
  const asName = isName(name);
  if (numbers.every(Number.isInteger)) {
    return value => (isBeyondExact(value) ? rounded(value) : asName ? String(value) : WHOLE.format(value));
  }
  const decimals = decimalsOf(numbers);
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: !asName
  });
  return value => {
    // a small amount never reads as none
    if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals) {
      return SMALL.format(value);
    }
    return isBeyondExact(value) ? rounded(value) : format.format(value);
  };
}

function isBeyondExact(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) > 2 ** 53;
}

/** Four digits of a number so large that not all of its digits say something. */
function rounded(value: number): string {
  return value.toExponential(3).replace(/\.?0+e/, 'e');
}

/** Four digits of the largest value, at least two decimals, and no zeros that stand at every end. */
function decimalsOf(numbers: ReadonlyArray<number>): number {
  const largest = Math.max(...numbers.map(Math.abs));
  const wanted = largest > 0 ? 3 - Math.floor(Math.log10(largest)) : 0;
  const most = Math.min(Math.max(wanted, 2), MOST_DECIMALS);
  const needed = numbers.map(
    value =>
      value
        .toFixed(most)
        .replace(/\.?0+$/, '')
        .split('.')[1]?.length ?? 0
  );
  return Math.max(...needed);
}

interface Moment {
  day: string;
  minute: string;
  second: string;
  parts: string;
  zone: string;
}

function momentOf(text: string): Moment | null {
  const found = MOMENT.exec(text);
  if (found === null) {
    return null;
  }
  const [, day = '', minute = '00:00', second = '00', parts = '', zone = ''] = found;
  return { day, minute, second, parts: parts.replace(/0+$/, ''), zone };
}

/** As much of the dates as says something: a year, a month, a day, or the time to the minute or further. */
function momentWriter(name: string, moments: ReadonlyArray<Moment>): (moment: Moment) => string {
  const all = (holds: (moment: Moment) => boolean) => moments.every(holds);
  if (all(at => at.minute === '00:00' && at.second === '00' && at.parts === '' && at.zone === '')) {
    if (/year$/i.test(name) && all(({ day }) => day.endsWith('-01-01'))) {
      return ({ day }) => day.slice(0, -'-01-01'.length);
    }
    if (/month$/i.test(name) && all(({ day }) => day.endsWith('-01'))) {
      return ({ day }) => day.slice(0, -'-01'.length);
    }
    return ({ day }) => day;
  }
  const places = Math.max(...moments.map(({ parts }) => parts.length));
  const seconds = places > 0 || !all(({ second }) => second === '00');
  return ({ day, minute, second, parts, zone }) => {
    const fraction = places > 0 ? `.${parts.padEnd(places, '0')}` : '';
    return `${day} ${minute}${seconds ? `:${second}${fraction}` : ''}${zone}`;
  };
}

function plain(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
