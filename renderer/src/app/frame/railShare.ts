import type { PageId } from '#shared/lib/pagePaths.ts';

/** What a bar has room for beside Search and More. */
const IN_BAR = 3;
/** What is wanted with a phone in the hand comes first; others fill up in the order of the rail. */
const AT_HAND: readonly string[] = ['station', 'orders', 'alerts', 'locations'] satisfies PageId[];

/** Divides the pages between the rail and More and keeps their order. */
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
