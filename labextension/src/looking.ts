// How a card's result is looked at: a view, its rows as far as they came, and what is on its way.

import { JSONExt, ReadonlyPartialJSONValue } from '@lumino/coreutils';

import type { Seen, Table, View } from './messages';

/** How many rows are asked for at a time. */
export const PAGE = 100;

/** The result as it is. */
export const PLAIN: View = { order: null, conditions: [] };

/** A row of a view with its number in the result itself, from 1. */
export interface SeenRow {
  readonly number: number;
  readonly values: ReadonlyArray<unknown>;
}

export interface Looking {
  readonly view: View;
  /** How many rows the view has. */
  readonly total: number;
  /** The rows that came, by their place in the view. */
  readonly rows: ReadonlyMap<number, SeenRow>;
  /** The places of the pages that were asked for and did not come yet. */
  readonly asked: ReadonlySet<number>;
  /** The view that was asked for and takes the place of this one when its first rows come. */
  readonly next: View | null;
}

/** What a card shows by itself. */
export function looking(table: Table): Looking {
  const rows = table.rows.map((values, index) => [index, { number: index + 1, values }] as const);
  return { view: PLAIN, total: table.total_rows, rows: new Map(rows), asked: new Set(), next: null };
}

export function sameView(one: View, other: View): boolean {
  return JSONExt.deepEqual(one as unknown as ReadonlyPartialJSONValue, other as unknown as ReadonlyPartialJSONValue);
}

/** After rows of a view were asked for. */
export function asked(before: Looking, view: View, first: number): Looking {
  return sameView(view, before.view)
    ? { ...before, asked: new Set(before.asked).add(first), next: null }
    : { ...before, next: view };
}

/** After rows came; those of a view that is not wanted any more are dropped. */
export function seen(before: Looking, { view, page }: Seen): Looking {
  const isNext = before.next !== null && sameView(view, before.next);
  if (!isNext && !sameView(view, before.view)) {
    return before;
  }
  const rows = new Map(isNext ? [] : before.rows);
  page.table.rows.forEach((values, index) =>
    rows.set(page.first + index, { number: page.numbers[index] ?? 0, values })
  );
  const waits = new Set(isNext ? [] : before.asked);
  waits.delete(page.first);
  return { view, total: page.table.total_rows, rows, asked: waits, next: isNext ? null : before.next };
}

/** After a look was refused, or the kernel has forgotten what it was asked. */
export function settled(before: Looking): Looking {
  return { ...before, asked: new Set(), next: null };
}

/** The first rows of the pages that have to be asked for, so that the rows from `first` to `last` can be shown. */
export function missing(now: Looking, first: number, last: number): number[] {
  const wanted: number[] = [];
  const end = Math.min(last, now.total - 1);
  for (let page = first - (first % PAGE); page <= end; page += PAGE) {
    const lacks = Array.from({ length: Math.min(PAGE, now.total - page) }, (_, index) => page + index).some(
      place => !now.rows.has(place)
    );
    if (lacks && !now.asked.has(page)) {
      wanted.push(page);
    }
  }
  return wanted;
}
