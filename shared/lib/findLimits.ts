/** One character is in almost everything. */
export const MIN_FIND_CHARACTERS = 2;
export const MAX_FIND_CHARACTERS = 400;
/** Results of one search. */
export const MAX_FOUND = 50;
