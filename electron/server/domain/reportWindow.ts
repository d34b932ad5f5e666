/** Which reports of one device and epoch were taken: the highest counter, and a bit for each of the 64 below it. */
export type ReportWindow = { highest: number; seen: bigint };

/** As many as a device holds at most: what it holds is never older than the window. */
const WIDTH = 64;

/**
 * Takes a report, or says that it was taken before. Reports may overtake each other when a device is heard by two
 * turbos; one that is older than the window counts as taken.
 */
export function takeReport(window: ReportWindow | undefined, counter: number): ReportWindow | 'duplicate' {
  if (window === undefined) return { highest: counter, seen: 0n };
  const ahead = counter - window.highest;
  if (ahead > 0) {
    const shifted = ahead > WIDTH ? 0n : (window.seen << BigInt(ahead)) | (1n << BigInt(ahead - 1));
    return { highest: counter, seen: BigInt.asUintN(WIDTH, shifted) };
  }
  if (ahead === 0 || -ahead > WIDTH) return 'duplicate';
  const bit = 1n << BigInt(-ahead - 1);
  if ((window.seen & bit) !== 0n) return 'duplicate';
  return { highest: window.highest, seen: window.seen | bit };
}
