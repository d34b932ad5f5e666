/** The fields of a request by their names, and their limits. Without zod: the window reads them too, and evaluates no code. */
export const LINE_FIELDS = ['line1', 'line2', 'line3', 'line4', 'line5'] as const;
export const STATIC_FIELDS = ['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;

/** Longest time a command may stay lit: 30 days. Contract, section 4. */
export const MAX_SECONDS = 2_592_000;
/** Stock on hand is pushed as a quantity, so it may be far more than the 99 that are drawn. */
export const LARGEST_QUANTITY = 1_000_000_000;
