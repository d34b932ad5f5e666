import { useLayoutEffect, useState, useSyncExternalStore, type RefObject } from 'react';

/** As in the stylesheets: below it the rail is a bar at the lower edge. */
const BAR = '(max-width: 700px)';

/** Whether the rail is a bar, as on a phone. */
export function useIsBar(): boolean {
  return useSyncExternalStore(follow, () => window.matchMedia(BAR).matches);
}

function follow(changed: () => void): () => void {
  const query = window.matchMedia(BAR);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** How many entries as high as the first one have room in the list; it may not grow with them. */
export function useRoom(list: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(Infinity);

  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const measure = (): void => setRoom(roomIn(current));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [list]);

  return room;
}

function roomIn(list: HTMLElement): number {
  const each = list.firstElementChild?.clientHeight ?? 0;
  const gap = Number.parseFloat(getComputedStyle(list).rowGap) || 0;
  // What is not drawn has no height.
  return each === 0 ? Infinity : Math.floor((list.clientHeight + gap) / (each + gap));
}
