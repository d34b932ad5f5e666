import type { RunningClock } from '../../electron/server/services/base/runningTime.ts';

/** Creates a stopped station clock. Its monotonic time (`forwardAt`) and its wall time are both `at`, in epoch milliseconds. */
export function runningTimeAt(at: number, ranMs = 0): Pick<RunningClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'> {
  return { ranMs: () => ranMs, forwardAt: () => at, toWall: (forwardAt) => forwardAt, keep: () => undefined };
}
