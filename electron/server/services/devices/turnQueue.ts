import type { Log } from '../../ports.ts';

/** Devices served in one turn of the event loop. */
const AT_ONCE = 50;

/**
 * Runs work for devices, for a few of them in each turn, so that a press does not wait for the lights of a large order. Newer work for a
 * device replaces what waits.
 */
export function createTurnQueue({ log }: { log: Log }) {
  const waiting = new Map<string, () => void>();
  /** How many more may run in this turn. */
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
    /** Runs at once, or in a later turn if many others came first. */
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
