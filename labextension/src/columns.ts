// How the values of one column read: one number of decimals, one way to write dates, the same for every row.

import type { Table } from './messages';

export type Write = (value: unknown) => string;

/** What stands for a missing value. */
export const MISSING = '–';

/** Years and ids are names: a separator would make them amounts. */
const NAMES = /(^|_)(year|yr|id|code|zip|postcode|no)$/i;
const MOST_DECIMALS = 6;
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

export function isNumber(type: string): boolean {
  return /^(int|real|float|number|decimal)/i.test(type);
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
  if (isNumber(type)) {
    const numbers = values.filter(value => typeof value === 'number');
    const write = numberWriter(name, numbers);
    return value =>
      typeof value === 'number' ? write(value) : isLargeWhole(value) ? writeLarge(name, value) : plain(value);
  }
  if (/^date/i.test(type)) {
    const cut = dateCut(
      name,
      values.filter(value => typeof value === 'string')
    );
    return value => (typeof value === 'string' ? value.slice(0, cut).replace('T', ' ') : plain(value));
  }
  return plain;
}

/** A whole number beyond 2^53 comes as its digits, because a number here would round it. */
function isLargeWhole(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value);
}

function writeLarge(name: string, digits: string): string {
  return NAMES.test(name) ? digits : WHOLE.format(BigInt(digits));
}

function numberWriter(name: string, numbers: ReadonlyArray<number>): (value: number) => string {
  if (numbers.every(Number.isInteger)) {
    return NAMES.test(name) ? String : WHOLE.format;
  }
  const decimals = decimalsOf(numbers);
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  // a small amount never reads as none
  return value => (value !== 0 && Math.abs(value) < 0.5 * 10 ** -decimals ? SMALL.format(value) : format.format(value));
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

/** How much of an ISO date says something: a year, a month, a day, or the time to the minute or second. */
function dateCut(name: string, dates: ReadonlyArray<string>): number {
  const all = (end: RegExp) => dates.every(date => end.test(date));
  if (/year$/i.test(name) && all(/-01-01(T00:00:00)?$/)) {
    return 4;
  }
  if (/month$/i.test(name) && all(/-01(T00:00:00)?$/)) {
    return 7;
  }
  if (all(/^[^T]*(T00:00:00)?$/)) {
    return 10;
  }
  return all(/T\d\d:\d\d:00$/) ? 16 : 19;
}

function plain(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
