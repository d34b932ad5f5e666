/**
 * The accepted reports of one device and epoch: the highest counter, and one bit for each of the 64 counters below it. `pressedAt` is when
 * the last counted press on the front was made, in epoch milliseconds, or null if there was none.
 */
export type ReportWindow = { highest: number; seen: bigint; pressedAt: number | null };

/** Bits of `seen`: the maximum number of reports that a device holds, so a held report is never older than the window. */
export const REPORT_WINDOW_BITS = 64;

/**
 * Accepts each report once. Reports can overtake each other if two turbos receive a device's messages. A report older than the window
 * counts as a duplicate.
 */
export function takeReport(window: ReportWindow | undefined, counter: number): ReportWindow | 'duplicate' {
  if (window === undefined) return { highest: counter, seen: 0n, pressedAt: null };
  const ahead = counter - window.highest;
  if (ahead > 0) {
    const shifted = ahead > REPORT_WINDOW_BITS ? 0n : (window.seen << BigInt(ahead)) | (1n << BigInt(ahead - 1));
    return { ...window, highest: counter, seen: BigInt.asUintN(REPORT_WINDOW_BITS, shifted) };
  }
  if (ahead === 0 || -ahead > REPORT_WINDOW_BITS) return 'duplicate';
  const bit = 1n << BigInt(-ahead - 1);
  if ((window.seen & bit) !== 0n) return 'duplicate';
  return { ...window, seen: window.seen | bit };
}
