import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { PageId } from '#shared/lib/pagePaths.ts';

/** What a bar has room for beside Search and More. */
const IN_BAR = 3;
/** What is wanted with a phone in the hand comes first; others fill up in the order of the rail. */
const AT_HAND: readonly string[] = ['station', 'orders', 'alerts', 'locations'] satisfies PageId[];

/** Which pages stand in the rail and which behind More, each in the order that they were given in. */
export function shareOut<P extends { id: string }>(
  pages: readonly P[],
  { isBar, room }: { isBar: boolean; room: number },
): { shown: readonly P[]; more: readonly P[] } {
  const most = isBar ? IN_BAR : room;
  if (pages.length <= most) return { shown: pages, more: [] };
  // In a rail More takes the place of one.
  const chosen = new Set(isBar ? byHand(pages).slice(0, most) : pages.slice(0, Math.max(most - 1, 1)));
  return { shown: pages.filter((page) => chosen.has(page)), more: pages.filter((page) => !chosen.has(page)) };
}

function byHand<P extends { id: string }>(pages: readonly P[]): P[] {
  const placeOf = ({ id }: P): number => (AT_HAND.includes(id) ? AT_HAND.indexOf(id) : AT_HAND.length);
  return pages.toSorted((one, other) => placeOf(one) - placeOf(other));
}

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
