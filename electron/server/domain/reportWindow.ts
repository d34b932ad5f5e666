/** Which reports of one device and epoch were taken: the highest counter, and a bit for each of the 32 below it. */
export type ReportWindow = { highest: number; seen: number };

const WIDTH = 32;

/**
 * Takes a report, or says that it was taken before. Reports may overtake each other when a device is heard by two
 * turbos; one that is older than the window counts as taken.
 */
export function takeReport(window: ReportWindow | undefined, counter: number): ReportWindow | 'duplicate' {
  if (window === undefined) return { highest: counter, seen: 0 };
  const ahead = counter - window.highest;
  if (ahead > 0) {
    // Shifting by 32 or more would wrap around in JavaScript.
    const shifted =
      ahead > WIDTH ? 0 : ahead === WIDTH ? 1 << (WIDTH - 1) : (window.seen << ahead) | (1 << (ahead - 1));
    return { highest: counter, seen: shifted >>> 0 };
  }
  if (ahead === 0 || -ahead > WIDTH) return 'duplicate';
  const bit = (1 << (-ahead - 1)) >>> 0;
  if ((window.seen & bit) !== 0) return 'duplicate';
  return { highest: window.highest, seen: (window.seen | bit) >>> 0 };
}
