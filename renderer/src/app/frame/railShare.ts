import type { DestinationId } from '#shared/lib/station/pageRoutes.ts';

/** What a bar has room for beside Search and More. */
const IN_BAR = 3;
/** What is wanted with a phone in the hand comes first; others fill up in the order of the rail. */
const AT_HAND: readonly string[] = ['pick', 'orders', 'today'] satisfies DestinationId[];

/** Divides the pages between the rail and More. Both keep the order of the pages; a bar begins with those at hand. */
export function shareOut<P extends { id: string }>(
  pages: readonly P[],
  { isBar, room }: { isBar: boolean; room: number },
): { shown: readonly P[]; more: readonly P[] } {
  const sorted = isBar ? byHand(pages) : pages;
  const most = isBar ? IN_BAR : room;
  // In a rail More takes the place of one.
  const count = pages.length <= most ? pages.length : isBar ? most : Math.max(most - 1, 1);
  return { shown: sorted.slice(0, count), more: sorted.slice(count) };
}

function byHand<P extends { id: string }>(pages: readonly P[]): P[] {
  const placeOf = ({ id }: P): number => (AT_HAND.includes(id) ? AT_HAND.indexOf(id) : AT_HAND.length);
  return pages.toSorted((one, other) => placeOf(one) - placeOf(other));
}
