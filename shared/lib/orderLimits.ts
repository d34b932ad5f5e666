/** A launch lights all of them in one commit. */
export const MAX_ITEMS = 1_000;
export const TOO_MANY_ITEMS = `An order has at most ${MAX_ITEMS.toLocaleString('en')} items. Split it into several orders.`;
/** Of an order, in either direction from 0. */
export const MAX_PRIORITY = 1_000;
/** Per item: a whole number that JSON and SQLite store exactly. */
export const MAX_ORDERED = 1_000_000_000;
