// Which rows of a long table are in sight, so that no more are drawn than a person can see.

import * as React from 'react';

/** Up to so many rows a table is drawn whole. */
const MOST_DRAWN = 250;
/** How many rows beyond those in sight are drawn at each end. */
const BEYOND = 20;
/** A row's height in pixels until one was measured. */
const ROW = 24;

interface Window {
  readonly scroller: React.RefObject<HTMLDivElement>;
  scrolled(): void;
  /** The places of the first and the last row that are drawn. */
  readonly first: number;
  readonly last: number;
  /** What stands for the rows above and below, in pixels. */
  readonly above: number;
  readonly below: number;
}

export function useWindow(total: number): Window {
  const scroller = React.useRef<HTMLDivElement>(null);
  const [top, setTop] = React.useState(0);
  const [row, setRow] = React.useState(ROW);
  const isWhole = total <= MOST_DRAWN;
  React.useLayoutEffect(() => {
    const drawn = scroller.current?.querySelector('tbody > tr:not([aria-hidden])');
    const height = drawn?.getBoundingClientRect().height ?? 0;
    if (!isWhole && height > 0 && Math.abs(height - row) > 0.1) {
      setRow(height);
    }
  }, [isWhole, row, top]);
  const scrolled = React.useCallback(() => {
    // a step of several rows, so that a table is not drawn anew for each pixel
    setTop(Math.floor((scroller.current?.scrollTop ?? 0) / (ROW * BEYOND)) * ROW * BEYOND);
  }, []);
  if (isWhole) {
    return { scroller, scrolled, first: 0, last: total - 1, above: 0, below: 0 };
  }
  const inSight = Math.ceil((scroller.current?.clientHeight ?? 450) / row);
  const first = Math.max(0, Math.min(Math.floor(top / row), total - inSight) - BEYOND);
  const last = Math.min(total - 1, Math.floor(top / row) + inSight + 2 * BEYOND);
  return { scroller, scrolled, first, last, above: first * row, below: (total - 1 - last) * row };
}
