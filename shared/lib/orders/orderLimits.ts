import { countText } from '../text/locale.ts';

/** Maximum number of items in an order, because a launch lights all of them in one commit. */
export const MAX_ITEMS = 1_000;
export const TOO_MANY_ITEMS = `An order has at most ${countText(MAX_ITEMS)} items. Split it into several orders.`;
/** Maximum number of characters in names, SKUs and places of items, in the customer of an order, and in its note. */
export const MAX_TEXT = 1_000;
export const MAX_CUSTOMER = 200;
export const MAX_NOTE = 1_000;
/** Maximum number of characters in a part of an address, and of its lines. */
export const MAX_ADDRESS_TEXT = 200;
export const MAX_ADDRESS_LINES = 6;
/** Largest absolute value of an order's priority. */
export const MAX_PRIORITY = 1_000;
/** Maximum quantity of an item: a whole number that JSON and SQLite store exactly. */
export const MAX_ORDERED = 1_000_000_000;
