/** Minimum length of a search. A single character matches almost everything. */
export const MIN_FIND_CHARACTERS = 2;
export const MAX_FIND_CHARACTERS = 400;
/** Maximum number of results. */
export const MAX_FOUND = 50;
