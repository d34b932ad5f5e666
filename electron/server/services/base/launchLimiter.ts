import { StationError } from '../../errors.ts';

/**
 * Limits the rows that long use-cases, such as launches of hundreds of steps, hand to the writer at once, so that a press waits
 * for one portion only. It limits what is under way; the background read queue paces reads.
 */
export type LaunchLimiter = {
  /** Runs `work` of `size` rows once there is room beside the work under way, in the order of calls. */
  take<T>(size: number, work: () => Promise<T>): Promise<T>;
  /** Refuses waiting and later work. */
  stop(): void;
};

/** Rows under way at once: some tens of milliseconds. Larger work runs alone. */
const MAX_ROWS = 500;
/** The size of work that runs alone, however small it is. */
export const ALONE = MAX_ROWS + 1;

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
  return new StationError('stopping', 'The station is stopping. Send the request again after the restart.');
}
