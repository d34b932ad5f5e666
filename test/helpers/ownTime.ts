/** The system counts what a thread was busy in steps of so many milliseconds. */
const STEP_MS = 4;

/**
 * Milliseconds that this thread itself was busy at most, the least of several turns: what others do on the same processor
 * counts little. A short turn is timed by the clock, as another one is not interrupted; a long one by what the system says.
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
