import { StationError } from '../errors.ts';
import type { Clock } from '../ports.ts';

/** Long reading beside presses, a step at a time. */
export type Turns = {
  /** Runs one step, which takes a millisecond or so, as soon as those before it have had their rest. */
  take<T>(step: () => T): Promise<T>;
  /** Whoever waits is refused, as is everybody later. */
  stop(): void;
};

/** So much work is done before a rest. */
const WORK_MS = 1;
/** How many times as long as the work a rest is: a fifth of the time at most goes into what may wait. */
const REST = 4;

/** One lane for all that read a lot: however many they are, presses find the thread free most of the time. */
export function createTurns({ clock }: { clock: Clock }): Turns {
  let last: Promise<void> = Promise.resolve();
  let workedMs = 0;
  let isStopped = false;
  let wake: (() => void) | undefined;

  function rest(): Promise<void> | undefined {
    if (workedMs < WORK_MS || isStopped) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimer(workedMs * REST, resolve);
    workedMs = 0;
    wake = () => {
      timer.cancel();
      resolve();
    };
    return promise;
  }

  return {
    take(step) {
      const taken = last.then(() => {
        if (isStopped) throw new StationError('stopping', 'The station is stopping. Ask again when it is back.');
        const startedAt = clock.monotonic();
        try {
          return step();
        } finally {
          workedMs += clock.monotonic() - startedAt;
        }
      });
      last = taken.then(rest, rest);
      return taken;
    },
    stop() {
      isStopped = true;
      wake?.();
    },
  };
}
