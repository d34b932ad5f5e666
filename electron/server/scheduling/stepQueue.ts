import type { InParts } from '#shared/lib/station/inParts.ts';
import { StationError } from '../errors.ts';
import type { Clock } from '../ports.ts';

/** Runs long work in steps, one after another, so that presses are handled in between. */
export type StepQueue = {
  /** Runs one step, which takes about a millisecond. Rejects with `stopping` after `stop`. */
  take<T>(step: () => T): Promise<T>;
  /** Runs each part of the work as a step. */
  takeAll<T>(work: InParts<T>): Promise<T>;
  /** Rejects waiting and later steps. */
  stop(): void;
};

/** Maximum milliseconds of work per turn of the event loop, so that a press waits for one turn at most. */
const TURN_MS = 3;

/** Creates a queue for work that a person waits for. Yields to other work after each turn, but does not rest. */
export function createForegroundQueue({ clock }: { clock: Pick<Clock, 'monotonic'> }): StepQueue {
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

/** Milliseconds of work between two rests. */
const WORK_MS = 1;
/** Duration of a rest as a multiple of the work, so that background reads take at most a fifth of the time. */
const REST = 4;
/** A rest continues until commits have paused for this long, because the callbacks that follow a commit go first. */
const CALM_MS = 5;
/** Maximum number of times that a rest is extended by CALM_MS, so that reads make progress under load. */
const MAX_CALMS = 4;

/**
 * Creates the queue for all long reads, so that even many of them leave the thread free for presses most of the time. `onCommit` subscribes
 * to commits, and returns a function that unsubscribes.
 */
export function createBackgroundQueue({
  clock,
  onCommit,
}: {
  clock: Clock;
  onCommit(listener: () => void): () => void;
}): StepQueue {
  let committedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let wake: (() => void) | undefined;
  const unsubscribe = onCommit(() => {
    committedAt = clock.monotonic();
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

/**
 * Creates a queue. `rest` gets the milliseconds of work since the last rest, and returns a promise to await, or undefined to run the next
 * step immediately.
 */
function createStepQueue(parts: {
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
      if (isStopped) throw new StationError('stopping', 'The station is stopping. Try again when it is back.');
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
