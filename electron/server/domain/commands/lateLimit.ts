/** Number of late presses of a device that are recorded per second. Nobody presses faster. */
const LATE_PER_SECOND = 5;

/** Limits the recorded late presses of each device. Late presses book nothing, so dropping the others loses no work. */
export type LateLimit = {
  /** Whether one more late press of this device is recorded now. */
  take(deviceId: string, token: number): boolean;
  /** Whether the last press of this device was for the same ended command, and `take` refused it in this second. */
  isRefused(deviceId: string, token: number): boolean;
};

/** Creates the limit. `monotonic` returns milliseconds. Remembers only devices of the current second. */
export function createLateLimit(monotonic: () => number): LateLimit {
  let second = -1;
  const taken = new Map<string, number>();
  const refused = new Map<string, number>();

  function forget(): void {
    const now = Math.floor(monotonic() / 1_000);
    if (now === second) return;
    second = now;
    taken.clear();
    refused.clear();
  }

  return {
    take(deviceId, token) {
      forget();
      const count = taken.get(deviceId) ?? 0;
      if (count >= LATE_PER_SECOND) refused.set(deviceId, token);
      else taken.set(deviceId, count + 1);
      return count < LATE_PER_SECOND;
    },
    isRefused(deviceId, token) {
      forget();
      return refused.get(deviceId) === token;
    },
  };
}
