import { StationError } from '../../errors.ts';

/**
 * Of many use-cases that each hold the loop for long, as launches of hundreds of steps do, so much is handed to the writer at
 * once: what comes meanwhile, presses above all, waits for one portion and not for a storm of them.
 */
export type LaunchLimiter = {
  /** Runs `work`, of so many rows, as soon as there is room beside what is under way; in the order of asking. */
  take<T>(size: number, work: () => Promise<T>): Promise<T>;
  /** Whoever waits is refused, as is everybody later. */
  stop(): void;
};

/** Rows under way at once: some tens of milliseconds. What is larger by itself goes alone. */
const MAX_ROWS = 500;

export function createLaunchLimiter(): LaunchLimiter {
  const waiting: { size: number; go: () => void; refuse: (why: StationError) => void }[] = [];
  let underWay = 0;
  let isStopped = false;

  function goOn(): void {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (underWay > 0 && underWay + next.size > MAX_ROWS) return;
      waiting.shift();
      underWay += next.size;
      next.go();
    }
  }

  return {
    async take(given, work) {
      const size = Math.max(1, given);
      if (isStopped) throw stopped();
      await new Promise<void>((go, refuse) => {
        waiting.push({ size, go, refuse });
        goOn();
      });
      try {
        return await work();
      } finally {
        underWay -= size;
        goOn();
      }
    },
    stop() {
      isStopped = true;
      for (const { refuse } of waiting.splice(0)) refuse(stopped());
    },
  };
}

function stopped(): StationError {
  return new StationError('stopping', 'The station is stopping. Send the request again when it is back.');
}
