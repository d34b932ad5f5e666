import type { InParts } from '#shared/lib/inParts.ts';
import { StationError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';

/** Runs long work in steps, one after another, so that presses are handled in between. */
export type StepQueue = {
  /** Runs one step of about a millisecond. Rejects with `stopping` after `stop`. */
  take<T>(step: () => T): Promise<T>;
  /** Runs each part of the work as a step. */
  takeAll<T>(work: InParts<T>): Promise<T>;
  /** Rejects waiting and later steps. */
  stop(): void;
};

/** `rest`: gets the milliseconds of work since the last rest, and returns a promise to wait for. Undefined: run the next step at once. */
export function createStepQueue(parts: {
  clock: Pick<Clock, 'monotonic'>;
  rest(workedMs: number): Promise<void> | undefined;
}): StepQueue {
  const { clock, rest } = parts;
  let last: Promise<void> = Promise.resolve();
  let workedMs = 0;
  let isStopped = false;

  async function restAfter(): Promise<void> {
    const resting = isStopped ? undefined : rest(workedMs);
    if (resting === undefined) return;
    await resting;
    workedMs = 0;
  }

  function take<T>(step: () => T): Promise<T> {
    const taken = last.then(() => {
      if (isStopped)
        throw new StationError('stopping', 'The station is stopping. Repeat the request after the restart.');
      const startedAt = clock.monotonic();
      try {
        return step();
      } finally {
        workedMs += clock.monotonic() - startedAt;
      }
    });
    last = taken.then(restAfter, restAfter);
    return taken;
  }

  return {
    take,
    async takeAll(work) {
      for (;;) {
        const part = await take(() => work.next());
        if (part.done === true) return part.value;
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
