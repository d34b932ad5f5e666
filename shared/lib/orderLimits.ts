/** A larger order points to a runaway program. */
export const MAX_ITEMS = 10_000;
/** Of an order, in either direction from 0. */
export const MAX_PRIORITY = 1_000;
/** Per item: a whole number that JSON and SQLite store exactly. */
export const MAX_ORDERED = 1_000_000_000;
