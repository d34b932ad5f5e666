const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * Returns the milliseconds to wait before the next connection attempt after this number of failures. `fraction` is a
 * random number in [0, 1), which spreads windows that lost the station at the same time.
 */
export function retryDelayMs(failures: number, fraction: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) * (0.75 + fraction / 2);
}
