/** A cart goes with the picker; a wall is where picked pieces are sorted. */
export const CARRIER_KINDS = ['cart', 'wall'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

/** Maximum number of rows (letters) and columns (digits) of a cart or wall. */
export const MAX_CARRIER_ROWS = 26;
export const MAX_CARRIER_COLUMNS = 9;
