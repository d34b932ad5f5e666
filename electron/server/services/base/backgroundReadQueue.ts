import type { Clock } from '../../ports.ts';
import type { Bus } from './bus.ts';
import { createStepQueue, type StepQueue } from './stepQueue.ts';

/** Runs long reads in steps with rests between them, so that presses go first. */
export type BackgroundReadQueue = StepQueue;

/** Work between two rests. */
const WORK_MS = 1;
/** A rest is this many times as long as the work: background reads take at most a fifth of the time. */
const REST = 4;
/** A rest lasts until commits pause for this long: the callbacks that follow a commit go first. */
const CALM_MS = 5;
/** Longest extension of a rest, as a number of CALM_MS waits, so that reads continue under load. */
const MAX_CALMS = 4;

/** One queue for all long reads, so that even many of them leave the thread free for presses most of the time. */
export function createBackgroundReadQueue({
  clock,
  bus,
}: {
  clock: Clock;
  bus: Pick<Bus, 'subscribe'>;
}): BackgroundReadQueue {
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

  async function pauseAfter(workedMs: number): Promise<void> {
    await pause(workedMs * REST);
    for (let calms = 0; calms < MAX_CALMS; calms += 1) {
      if (stopped() || clock.monotonic() - committedAt >= CALM_MS) return;
      await pause(CALM_MS);
    }
  }

  function stopped(): boolean {
    return isStopped;
  }

  const queue = createStepQueue({ clock, rest: (workedMs) => (workedMs < WORK_MS ? undefined : pauseAfter(workedMs)) });
  return {
    ...queue,
    stop() {
      isStopped = true;
      queue.stop();
      unsubscribe();
      wake?.();
    },
  };
}

/** Work in one turn of the event loop: a press waits for one turn at most. */
const TURN_MS = 3;

/** A queue for work that a person waits for: yields to other work after each turn, but does not rest. */
export function createTurnReadQueue({ clock }: { clock: Pick<Clock, 'monotonic'> }): StepQueue {
  return createStepQueue({
    clock,
    rest: (workedMs) =>
      workedMs < TURN_MS
        ? undefined
        : new Promise((resolve) => {
            setImmediate(resolve);
          }),
  });
}
