import { REPORT_WINDOW_BITS } from './reportWindow.ts';

/** Number of calls of a device that are recorded at once: as many as it can hold while its link is away. */
const CALLS_AT_ONCE = REPORT_WINDOW_BITS;
/** Time after which a device can record one more call. A jammed button would add tens of thousands of callbacks in a night. */
const CALL_MS = 1_000;
/** Number of devices above which those without recent calls are forgotten. */
const MAX_DEVICES = 1_000;

/** Limits the calls of each idle device. */
export type CallLimit = {
  /** Whether one more call of this device is recorded now. */
  take(deviceId: string): boolean;
  /** Whether `take` would refuse a call of this device now. */
  isReached(deviceId: string): boolean;
};

/** Creates the limit. `monotonic` returns milliseconds. */
export function createCallLimit(monotonic: () => number): CallLimit {
  /** When each device has all its calls again. */
  const freeAt = new Map<string, number>();
  const usedMs = (deviceId: string): number => Math.max(0, (freeAt.get(deviceId) ?? 0) - monotonic());
  const isReached = (deviceId: string): boolean => usedMs(deviceId) > (CALLS_AT_ONCE - 1) * CALL_MS;
  return {
    isReached,
    take(deviceId) {
      if (isReached(deviceId)) return false;
      if (freeAt.size >= MAX_DEVICES) for (const known of freeAt.keys()) if (usedMs(known) === 0) freeAt.delete(known);
      freeAt.set(deviceId, monotonic() + usedMs(deviceId) + CALL_MS);
      return true;
    },
  };
}
