/** Callback families that a receiver gets by default. No zod in this file, because the page imports it. */
export const DEFAULT_CALLBACK_FAMILIES = {
  device: true,
  sequence: true,
  order: true,
  order_state: false,
  condition: false,
  movement: false,
  task: false,
};
