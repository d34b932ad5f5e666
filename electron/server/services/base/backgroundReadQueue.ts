import type { InParts } from '#shared/lib/inParts.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Timer } from '../../ports.ts';
import type { Bus } from './bus.ts';

/** Long reading beside presses, a step at a time. */
export type BackgroundReadQueue = {
  /** Runs one step, which takes a millisecond or so, as soon as those before it have had their rest. */
  take<T>(step: () => T): Promise<T>;
  /** Runs all parts of a work, each as a step. */
  takeAll<T>(work: InParts<T>): Promise<T>;
  /** Whoever waits is refused, as is everybody later. */
  stop(): void;
};

/** So much work is done before a rest. */
const WORK_MS = 1;
/** How many times as long as the work a rest is: a fifth of the time at most goes into what may wait. */
const REST = 4;
/** What a commit is followed by, callbacks above all, goes first: the rest lasts until none came for so long, */
const CALM_MS = 5;
/** and is lengthened at most so many times, so that whoever reads gets on beside whatever work. */
const MAX_CALMS = 4;

/** One lane for all that read a lot: however many they are, presses find the thread free most of the time. */
export function createBackgroundReadQueue({
  clock,
  bus,
}: {
  clock: Clock;
  bus: Pick<Bus, 'subscribe'>;
}): BackgroundReadQueue {
  let last: Promise<void> = Promise.resolve();
  let workedMs = 0;
  let committedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let wake: (() => void) | undefined;
  const unsubscribe = bus.subscribe({
    commit() {
      committedAt = clock.monotonic();
    },
  });

  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer: Timer = clock.setTimer(ms, resolve);
    wake = () => {
      timer.cancel();
      resolve();
    };
    return promise;
  }

  async function rest(): Promise<void> {
    if (workedMs < WORK_MS || isStopped) return;
    await pause(workedMs * REST);
    workedMs = 0;
    for (let calms = 0; calms < MAX_CALMS; calms += 1) {
      if (stopped() || clock.monotonic() - committedAt >= CALM_MS) return;
      await pause(CALM_MS);
    }
  }

  function stopped(): boolean {
    return isStopped;
  }

  function take<T>(step: () => T): Promise<T> {
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
      unsubscribe();
      wake?.();
    },
  };
}
