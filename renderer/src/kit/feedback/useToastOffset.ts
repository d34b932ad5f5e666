import { useLayoutEffect, type RefObject } from 'react';

/** Moves toasts above an element at the bottom of the window while it is mounted. */
export function useToastOffset(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const foot = ref.current;
    if (foot === null) return undefined;
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--foot', `${foot.offsetHeight}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(foot);
    return () => {
      observer.disconnect();
      style.removeProperty('--foot');
    };
  }, [ref]);
}
