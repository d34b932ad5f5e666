/** Resolution of the system's thread times, in milliseconds. */
const STEP_MS = 4;

/**
 * Returns the processor time of this thread in milliseconds: the minimum of several runs, to reduce the effect of other programs. A short
 * run is measured with the clock, because it is rarely interrupted, and a long one with the system's thread times.
 */
export function ownTimeMs(run: () => void, turns: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns; turn += 1) {
    const startedAt = performance.now();
    const begun = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(begun);
    best = Math.min(best, performance.now() - startedAt, (user + system) / 1_000 + STEP_MS);
  }
  return best;
}
