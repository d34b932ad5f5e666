/** Kinds of stock movements. No zod in this file, because the page imports it. */
export const MOVEMENT_KINDS = ['pick', 'short', 'put_away', 'count', 'adjust', 'transfer', 'import'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];
