import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface VirtualRows {
  readonly scroller: RefObject<HTMLElement>;
  readonly count: number;
  /** In CSS pixels; the same for as long as `version` is. */
  readonly heightOf: (row: number) => number;
  readonly version: unknown;
}

/** Only the rows that are in view, and a few around them, are drawn. */
export function useVirtualRows({ scroller, count, heightOf, version }: VirtualRows) {
  const [, redraw] = useReducer<number, void>((number) => number + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    scrollToFn: elementScroll<HTMLElement>,
    observeElementRect: observeElementRect<HTMLElement>,
    observeElementOffset: observeElementOffset<HTMLElement>,
    onChange: () => redraw(),
    overscan: 2,
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), []);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => {
    rows.measure();
  }, [version]);
  return rows;
}
