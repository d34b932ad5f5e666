/** Number of pieces of work per turn of the event loop. */
const AT_ONCE = 50;

/**
 * Runs a limited number of short pieces of work per turn of the event loop, such as lighting the devices of a large order, so that presses
 * do not wait for all of them. Newer work for a key replaces its queued work. `failed` is called if queued work throws.
 */
export function createTurnQueue(failed: (key: string, error: unknown) => void) {
  const waiting = new Map<string, () => void>();
  /** Number of pieces of work that can still run in this turn. */
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
    for (const [key, run] of waiting) {
      if (left === 0) break;
      waiting.delete(key);
      left -= 1;
      try {
        run();
      } catch (error) {
        failed(key, error);
      }
    }
    if (waiting.size > 0) schedule();
  }

  return {
    /** Runs work immediately, or in a later turn if this one is full. */
    add(key: string, run: () => void): void {
      waiting.delete(key);
      if (isStopped) return;
      schedule();
      if (left === 0) {
        waiting.set(key, run);
        return;
      }
      left -= 1;
      run();
    },
    remove: (key: string): void => void waiting.delete(key),
    stop(): void {
      isStopped = true;
      waiting.clear();
    },
  };
}
