/** Reasons why the light of a slot may fail. */
export const slotTroubles = { offline: 'Light offline', lowBattery: 'Weak battery' } as const;
