import type { Delivery } from '#shared/api/callback.ts';
import { isSame } from '../../kit/isSame.ts';

/** The deliveries loaded so far, newest first. */
export type DeliveryList = { entries: readonly Delivery[]; isEnd: boolean };

/** Whether the list also contains the page's last delivery, so that no delivery is missing between the page and the list. */
export function isContiguous({ entries }: DeliveryList, page: readonly Delivery[]): boolean {
  const last = page.at(-1);
  return last !== undefined && entries.some(({ id }) => id === last.id);
}

/**
 * Merges a loaded page into the list. The page contains the deliveries after the one with the id `after` or, without
 * `after`, the newest ones. Drops known deliveries in the page's range that the page does not contain. If there is a
 * gap after the page, drops all known deliveries after it; scrolling loads them again.
 */
export function withPage(
  list: DeliveryList | undefined,
  after: string | undefined,
  page: readonly Delivery[],
  isEnd: boolean,
): DeliveryList | undefined {
  const entries = list?.entries ?? [];
  const from = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  // The preceding delivery was removed in the meantime, so the position of this page is unknown.
  if (after !== undefined && from === 0) return list;
  const last = page.at(-1)?.id;
  const meeting = entries.findIndex(({ id }, place) => place >= from && id === last);
  const isReached = isEnd || meeting < 0;
  const replaced = isReached ? entries.length - from : meeting + 1 - from;
  const kept = page.map((delivery, place) => keptOf(entries[from + place], delivery));
  const isSame = replaced === page.length && kept.every((delivery, place) => delivery === entries[from + place]);
  const isEndNow = isReached ? isEnd : list?.isEnd === true;
  if (list !== undefined && isSame && isEndNow === list.isEnd) return list;
  return { entries: [...entries.slice(0, from), ...kept, ...entries.slice(from + replaced)], isEnd: isEndNow };
}

/** Returns the previous object if nothing has changed, so that its row is not drawn again. */
function keptOf(before: Delivery | undefined, now: Delivery): Delivery {
  return before?.id === now.id && isSame(before, now) ? before : now;
}
