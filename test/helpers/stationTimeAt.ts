import type { StationClock } from '../../electron/server/services/base/stationTime.ts';

/** A station clock that stands at one moment: forward and wall time are `at`, epoch milliseconds. */
export function stationTimeAt(at: number, ranMs = 0): Pick<StationClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'> {
  return { ranMs: () => ranMs, forwardAt: () => at, toWall: (forwardAt) => forwardAt, keep: () => undefined };
}
