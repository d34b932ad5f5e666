import type { Delivery } from '#shared/api/callback.ts';

/** Deliveries as far back as they were asked for, the newest first. */
export type DeliveryList = { entries: readonly Delivery[]; isEnd: boolean };

/** Whether the list continues where the page ends, with nothing missing between them. */
export function isContiguous({ entries }: DeliveryList, page: readonly Delivery[]): boolean {
  const last = page.at(-1);
  return last !== undefined && entries.some(({ id }) => id === last.id);
}

/**
 * The list after a page of it was read: behind the one with the id `after`, or the newest. What the page does not have between
 * its ends is there no more. Where the page does not reach what was known, that is forgotten, to be read again by scrolling.
 */
export function withPage(
  list: DeliveryList | undefined,
  after: string | undefined,
  page: readonly Delivery[],
  isEnd: boolean,
): DeliveryList | undefined {
  const entries = list?.entries ?? [];
  const from = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  // What it follows is gone meanwhile: nobody can say where it belongs.
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

/** What is as it was stays the same object: nothing of it is drawn again. */
function keptOf(before: Delivery | undefined, now: Delivery): Delivery {
  return before?.id === now.id && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}
