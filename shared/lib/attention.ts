/** Why an order or a shipment waits for somebody. Contract, section 16. No zod in this file: the page imports it. */
export const ATTENTION = [
  'timed_out',
  'unassigned',
  'unreachable',
  'guessed',
  'no_stock',
  'stalled',
  'paused',
] as const;
export type Attention = (typeof ATTENTION)[number];
