/** Callback families, those that a receiver gets by default first. No zod in this file, because the page imports it. */
export const CALLBACK_FAMILIES = [
  'device',
  'sequence',
  'order',
  'order_state',
  'condition',
  'movement',
  'task',
] as const;
export type CallbackFamily = (typeof CALLBACK_FAMILIES)[number];

/** Callback families that a receiver gets by default. */
export const DEFAULT_CALLBACK_FAMILIES: Record<CallbackFamily, boolean> = {
  device: true,
  sequence: true,
  order: true,
  order_state: false,
  condition: false,
  movement: false,
  task: false,
};
