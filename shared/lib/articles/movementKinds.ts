/** Kinds of movements of stock. Without zod, for the page. */
export const MOVEMENT_KINDS = ['pick', 'short', 'put_away', 'count', 'adjust', 'transfer', 'import'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];
