/** With fewer picks, a median or a rate says nothing. */
export const MIN_PICKS = 20;
