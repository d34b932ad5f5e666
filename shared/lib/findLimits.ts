/** One character is in almost everything. */
export const MIN_FIND_CHARACTERS = 2;
