/** Minimum number of picks for a meaningful median or rate. */
export const MIN_PICKS = 20;
