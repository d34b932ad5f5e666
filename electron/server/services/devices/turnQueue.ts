import type { Log } from '../../ports.ts';

/** Devices per turn of the event loop. */
const AT_ONCE = 50;

/**
 * Runs work for a limited number of devices per turn of the event loop, so that presses do not wait for the lights of a large order. Newer
 * work for a device replaces its queued work.
 */
export function createTurnQueue({ log }: { log: Log }) {
  const waiting = new Map<string, () => void>();
  /** Number of devices that can still run in this turn. */
  let left = AT_ONCE;
  let isScheduled = false;
  let isStopped = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(runWaiting);
  }

  function runWaiting(): void {
    isScheduled = false;
    left = AT_ONCE;
    for (const [deviceId, run] of waiting) {
      if (left === 0) break;
      waiting.delete(deviceId);
      left -= 1;
      try {
        run();
      } catch (error) {
        log.error({ err: error, device: deviceId }, 'a device could not be asked to show something');
      }
    }
    if (waiting.size > 0) schedule();
  }

  return {
    /** Runs at once, or in a later turn once this one is full. */
    add(deviceId: string, run: () => void): void {
      waiting.delete(deviceId);
      if (isStopped) return;
      schedule();
      if (left === 0) {
        waiting.set(deviceId, run);
        return;
      }
      left -= 1;
      run();
    },
    remove: (deviceId: string): void => void waiting.delete(deviceId),
    stop(): void {
      isStopped = true;
      waiting.clear();
    },
  };
}
