/** Resolution of the system's thread times, in milliseconds. */
const STEP_MS = 4;

/**
 * Returns this thread's processor milliseconds: the minimum of several runs, to reduce the effect of other programs.
 * Measures a short run with the clock, because it is rarely interrupted, and a long one with the system's thread times.
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
