/** Number of late presses of a device that are recorded per second. Nobody presses faster. */
const LATE_PER_SECOND = 5;

/** Limits the late presses of each device. They book nothing, so that nothing is lost with those beyond the limit. */
export type LateLimit = {
  /** Whether one more late press of this device is recorded now. */
  take(deviceId: string): boolean;
};

/** Creates the limit. `monotonic` returns milliseconds. Remembers only devices of the current second. */
export function createLateLimit(monotonic: () => number): LateLimit {
  let second = -1;
  const taken = new Map<string, number>();
  return {
    take(deviceId) {
      const now = Math.floor(monotonic() / 1_000);
      if (now !== second) taken.clear();
      second = now;
      const count = taken.get(deviceId) ?? 0;
      if (count >= LATE_PER_SECOND) return false;
      taken.set(deviceId, count + 1);
      return true;
    },
  };
}
