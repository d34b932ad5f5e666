import type { StationClock } from '../../electron/server/services/base/stationTime.ts';

/** A stopped station clock: forward and wall time are both `at`, in epoch milliseconds. */
export function stationTimeAt(at: number, ranMs = 0): Pick<StationClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'> {
  return { ranMs: () => ranMs, forwardAt: () => at, toWall: (forwardAt) => forwardAt, keep: () => undefined };
}
