/** More columns than a rack that somebody walks along has. */
export const MAX_COLUMNS = 200;
export const MAX_SHELVES = 100;
export const MAX_RACKS = 1_000;
/** Of all racks together: each change looks at the whole map, and nothing else is done meanwhile. */
export const MAX_SHELVES_IN_ALL = 10_000;
