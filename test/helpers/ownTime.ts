/**
 * Milliseconds that this thread itself was busy, the least of several turns: what others do on the same processor does
 * not count.
 */
export function ownTimeMs(run: () => void, turns: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(begun);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}
