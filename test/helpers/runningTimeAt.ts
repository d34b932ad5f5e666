import type { RunningClock } from '../../electron/server/services/base/runningTime.ts';

/** A stopped station clock: forward and wall time are both `at`, in epoch milliseconds. */
export function runningTimeAt(at: number, ranMs = 0): Pick<RunningClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'> {
  return { ranMs: () => ranMs, forwardAt: () => at, toWall: (forwardAt) => forwardAt, keep: () => undefined };
}
