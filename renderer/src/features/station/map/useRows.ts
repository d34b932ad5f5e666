import { defaultRangeExtractor, observeElementRect, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MapLayout } from './mapLayout.ts';

/**
 * Number of rows to draw above and below the visible ones, so that scrolling shows no blank rows and Tab finds the next
 * row.
 */
const OVERSCAN = 3;

type Given = {
  layout: MapLayout;
  /** Whether the layout uses the real size of the scrolling element instead of a default. */
  measured: boolean;
  scroll: RefObject<HTMLElement | null>;
  /** Returns devices whose rows are always drawn, such as the focused and the picked-up device. */
  pinned(): readonly (string | undefined)[];
  /** Returns the device whose row keeps its position on the screen when rows move. */
  anchor(): string | undefined;
};

/** Determines which rows to draw, their positions, and the total height. */
export function useRows({ layout, measured, scroll, pinned, anchor }: Given) {
  // A new layout needs a new key function, so that the library measures again.
  const keyOf = useCallback((index: number) => layout.rows[index]?.key ?? index, [layout]);
  const rangeOf = useCallback(
    (range: Range) => {
      const rows = new Set(defaultRangeExtractor(range));
      for (const deviceid of pinned()) {
        const row = deviceid === undefined ? undefined : layout.spots.get(deviceid)?.row;
        if (row !== undefined) rows.add(row);
      }
      return [...rows].toSorted((a, b) => a - b);
    },
    [layout, pinned],
  );
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled by the React Compiler
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: layout.rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => layout.rows[index]?.height ?? 0,
    getItemKey: keyOf,
    rangeExtractor: rangeOf,
    overscan: OVERSCAN,
    initialRect: FIRST_BOX,
    // Ignore a height of 0, which a hidden page has, so that the rendered rows are kept.
    observeElementRect: (instance, onResize) =>
      observeElementRect(instance, (rect) => {
        if (rect.height > 0) onResize(rect);
      }),
  });

  const before = useRef(layout);
  const wasMeasured = useRef(measured);
  /** The scroll position before the layout changed. The browser reduces the real one when the map becomes shorter. */
  const scrolled = useRef(0);
  useEffect(() => {
    const element = scroll.current;
    if (element === null) return undefined;
    const onScroll = () => {
      scrolled.current = element.scrollTop;
    };
    // Record the position on scroll events, because reading it after the rows have changed would force a layout.
    element.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => element.removeEventListener('scroll', onScroll, { capture: true });
  }, [scroll]);
  /** The top of the map in the window. It changes when opening the panel adds a line to the header. */
  const began = useRef<number>(undefined);
  useLayoutEffect(() => {
    const earlier = before.current;
    before.current = layout;
    const element = scroll.current;
    if (element === null) return;
    if (earlier === layout && began.current !== undefined) return;
    const begins = element.getBoundingClientRect().top;
    const lowered = begins - (began.current ?? begins);
    began.current = begins;
    if (measured && !wasMeasured.current) {
      // In the first layout, start at the top, or at the device named in the address.
      wasMeasured.current = true;
      const row = layout.spots.get(anchor() ?? '')?.row;
      const end = row === undefined ? 0 : (layout.starts[row + 1] ?? 0);
      if (end > element.clientHeight) element.scrollTop = end - element.clientHeight;
      scrolled.current = element.scrollTop;
      return;
    }
    const kept = keptOf(earlier, scrolled.current, element.clientHeight, anchor());
    const row = kept === undefined ? undefined : layout.spots.get(kept.deviceid)?.row;
    if (kept === undefined || row === undefined) return;
    const top = (layout.starts[row] ?? 0) + kept.offset + lowered;
    if (Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top;
    scrolled.current = element.scrollTop;
  });

  return virtualizer;
}

/** Returns a visible device, preferably the anchor, and the distance from the top of its row to the scroll position. */
function keptOf(layout: MapLayout, scrollTop: number, clientHeight: number, anchor: string | undefined) {
  const startOf = (deviceid: string | undefined) =>
    deviceid === undefined ? undefined : layout.starts[layout.spots.get(deviceid)?.row ?? -1];
  const isSeen = (start: number | undefined) =>
    start !== undefined && start >= scrollTop - 40 && start < scrollTop + clientHeight - 40;
  const start = startOf(anchor);
  if (anchor !== undefined && start !== undefined && isSeen(start))
    return { deviceid: anchor, offset: scrollTop - start };
  if (scrollTop < 1) return undefined;
  const first = layout.order.find((deviceid) => isSeen(startOf(deviceid)));
  return first === undefined ? undefined : { deviceid: first, offset: scrollTop - (startOf(first) ?? 0) };
}

/** The size of a scrolling element in CSS pixels: its inner width without padding, and its visible height. */
type ScrollBox = { width: number; height: number; textScale: number };

/** The box before the first layout and in environments without layout. */
export const FIRST_BOX: ScrollBox = { width: 1_160, height: 720, textScale: 1 };

/** Returns the current box of a scrolling element. While the element is hidden, returns its last box. */
export function useScrollBox(ref: RefObject<HTMLElement | null>): ScrollBox {
  const [box, setBox] = useState(FIRST_BOX);

  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => {
      if (element.clientWidth === 0 || element.clientHeight === 0) return;
      const style = getComputedStyle(element);
      const width = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const textScale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      const next = { width: Math.floor(width), height: element.clientHeight, textScale };
      setBox((before) =>
        before.width === next.width && before.height === next.height && before.textScale === textScale ? before : next,
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);

  return box;
}
