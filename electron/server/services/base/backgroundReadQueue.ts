import type { InParts } from '#shared/lib/inParts.ts';
import { StationError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { Bus } from './bus.ts';

/** Runs long reads in steps, so that presses go first. */
export type BackgroundReadQueue = {
  /** Runs one step of about a millisecond, after the steps before it and their rest. */
  take<T>(step: () => T): Promise<T>;
  /** Runs each part of the work as a step. */
  takeAll<T>(work: InParts<T>): Promise<T>;
  /** Refuses waiting and later steps. */
  stop(): void;
};

/** Work between two rests. */
const WORK_MS = 1;
/** A rest is this many times as long as the work: background reads take at most a fifth of the time. */
const REST = 4;
/** A rest lasts until commits pause for this long: the callbacks that follow a commit go first. */
const CALM_MS = 5;
/** Longest extension of a rest, in pauses, so that reads continue under load. */
const MAX_CALMS = 4;

/** One queue for all long reads: however many there are, the thread is free for presses most of the time. */
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
    const timer = clock.setTimer(ms, resolve);
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
      if (isStopped) throw new StationError('stopping', 'The station is stopping. Ask again after the restart.');
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
