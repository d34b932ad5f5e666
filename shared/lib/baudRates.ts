/** Slower rates are too slow for the protocol, which drops an incomplete frame after a second. */
export const BAUD_RATES = [115_200, 230_400, 460_800, 921_600, 1_000_000, 2_000_000] as const;
