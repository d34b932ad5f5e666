import { useLayoutEffect, useRef, type RefObject } from 'react';

type Given = {
  keys: readonly string[];
  /** In pixels. */
  rowHeight: number;
  /** What scrolls, without an anchor of its own. */
  scroll: RefObject<HTMLElement | null>;
  /** How far below the beginning of what scrolls the rows begin, in pixels. */
  above: number;
};

/** Who reads on further down stays at the row where he is, whatever comes and goes above it. */
export function useScrollAnchor({ keys, rowHeight, scroll, above }: Given): void {
  const known = useRef(keys);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = keys;
    const box = scroll.current;
    if (before === keys || box === null || box.scrollTop <= above) return;
    const top = Math.floor((box.scrollTop - above) / rowHeight);
    if (before[top] === keys[top]) return;
    // Where the row itself is gone, the next one that is left.
    const left = new Map(keys.map((key, place) => [key, place]));
    for (let place = top; place < before.length; place += 1) {
      const now = left.get(before[place] ?? '');
      if (now === undefined) continue;
      if (now !== place) box.scrollBy(0, (now - place) * rowHeight);
      return;
    }
  }, [keys, rowHeight, scroll, above]);
}
