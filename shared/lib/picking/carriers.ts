/** A cart goes with the picker; a wall is where picked pieces are sorted. */
export const CARRIER_KINDS = ['cart', 'wall'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

/** Rows of a cart or wall are letters, columns digits. */
export const MAX_CARRIER_ROWS = 26;
export const MAX_CARRIER_COLUMNS = 9;
