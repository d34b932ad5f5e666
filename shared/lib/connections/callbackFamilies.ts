/** Families that a receiver of callbacks gets by default. Without zod, for the page. */
export const DEFAULT_CALLBACK_FAMILIES = {
  device: true,
  sequence: true,
  order: true,
  condition: false,
  movement: false,
  task: false,
};
