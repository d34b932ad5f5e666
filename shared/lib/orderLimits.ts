/** More items in one order is a program that runs wild. */
export const MAX_ITEMS = 10_000;
/** Of one item: a whole number that JSON and SQLite keep. */
export const MAX_ORDERED = 1_000_000_000;
