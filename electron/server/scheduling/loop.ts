import { createAlarm } from './alarm.ts';
import type { Clock } from '../ports.ts';

/** Time limit for the current work when stopping, because a hanging network share must not prevent the station from stopping. */
const MAX_STOP_MS = 2_000;

/** Runs `work` when woken and after the delay that `work` returns, but never concurrently. `work` must not reject. */
export function createLoop(clock: Clock, work: () => Promise<number>) {
  const alarm = createAlarm(clock, wake);
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;

  async function run(): Promise<void> {
    let delayMs = 0;
    do {
      isWoken = false;
      delayMs = await work();
    } while (isToRepeat());
    alarm.in(delayMs);
  }

  function isToRepeat(): boolean {
    return isWoken && !isStopped;
  }

  function wake(): void {
    if (isStopped) return;
    isWoken = true;
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  return {
    wake,
    isStopped: (): boolean => isStopped,
    async stop(): Promise<void> {
      isStopped = true;
      alarm.stop();
      if (running === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const limit = clock.setTimer(MAX_STOP_MS, resolve);
      await Promise.race([running, promise]);
      limit.cancel();
    },
  };
}
