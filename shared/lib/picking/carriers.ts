/** A cart goes with the picker. A wall stays in place, and picked pieces are sorted into it. */
export const CARRIER_KINDS = ['cart', 'wall'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

/** Maximum number of rows (letters) and columns (digits) of a cart or wall. */
export const MAX_CARRIER_ROWS = 26;
export const MAX_CARRIER_COLUMNS = 9;
