/** Why an order or a shipment needs attention. See the contract, section 16. No zod in this file, because the page imports it. */
export const ATTENTION = [
  'timed_out',
  'unassigned',
  'unreachable',
  'guessed',
  'no_stock',
  'stalled',
  'paused',
  'ended_elsewhere',
] as const;
export type Attention = (typeof ATTENTION)[number];
