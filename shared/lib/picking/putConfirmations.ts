/** How many slots are confirmed after a pick or scan. No zod in this file, because the page imports it. */
export const PUT_CONFIRMATIONS = ['each', 'once', 'none'] as const;
