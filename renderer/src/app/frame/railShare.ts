import type { DestinationId } from '#shared/lib/station/pageRoutes.ts';

/** Number of pages in the bar on a phone, in addition to Search and More. */
const IN_BAR = 3;
/** Pages that come first in the bar on a phone. All other pages follow in rail order. */
const AT_HAND: readonly string[] = ['pick', 'orders', 'today'] satisfies DestinationId[];

/** Splits the pages between the rail and the More menu, in order. On a phone, the pages in `AT_HAND` come first. */
export function splitPages<P extends { id: string }>(
  pages: readonly P[],
  { isBar, room }: { isBar: boolean; room: number },
): { shown: readonly P[]; more: readonly P[] } {
  const sorted = isBar ? byHand(pages) : pages;
  const most = isBar ? IN_BAR : room;
  // In a rail, More takes the space of one page.
  const count = pages.length <= most ? pages.length : isBar ? most : Math.max(most - 1, 1);
  return { shown: sorted.slice(0, count), more: sorted.slice(count) };
}

function byHand<P extends { id: string }>(pages: readonly P[]): P[] {
  const placeOf = ({ id }: P): number => (AT_HAND.includes(id) ? AT_HAND.indexOf(id) : AT_HAND.length);
  return pages.toSorted((one, other) => placeOf(one) - placeOf(other));
}
