import { useLayoutEffect, useState, type RefObject } from 'react';

/** What can be seen of something that scrolls, in CSS pixels: its inner width without padding, and its height. */
export type ScrollBox = { width: number; height: number; textScale: number };

/** Until the first layout, and where there is none. */
export const FIRST_BOX: ScrollBox = { width: 1_160, height: 720, textScale: 1 };

/** The box of a scrolling element, as it changes. While the element is out of sight it keeps its last one. */
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
