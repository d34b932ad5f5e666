import { useLayoutEffect, type RefObject } from 'react';

/** What stands at the lower edge of the window is not covered by toasts: they come above it as long as it is drawn. */
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
