/** Maximum number of columns per rack, more than any rack has. */
export const MAX_COLUMNS = 200;
export const MAX_SHELVES = 100;
/** Maximum number of characters in the name of a rack, shelf or zone. */
export const MAX_RACK_CHARACTERS = 100;
export const MAX_RACKS = 1_000;
export const MAX_ZONES = 100;
/** Maximum number of places to rename in one commit. */
export const MAX_RENAMED = 1_000;
