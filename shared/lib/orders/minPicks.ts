/** With fewer picks, a median or a rate is not meaningful. */
export const MIN_PICKS = 20;
