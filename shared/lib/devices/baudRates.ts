/** Supported baud rates. At lower rates, a frame would take longer than a second, after which the protocol drops it. */
export const BAUD_RATES = [115_200, 230_400, 460_800, 921_600, 1_000_000, 2_000_000] as const;
