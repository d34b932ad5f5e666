import { StationError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { BackgroundReadQueue } from './backgroundReadQueue.ts';

/** Work in one turn of the event loop: a press waits for one turn at most. */
const TURN_MS = 3;

/**
 * Runs work that a person waits for: after each turn whatever came meanwhile goes first, but the work does not rest beside that, as
 * background reads do.
 */
export function createReadTurns({ clock }: { clock: Pick<Clock, 'monotonic'> }): BackgroundReadQueue {
  let last: Promise<void> = Promise.resolve();
  let begunAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  async function giveWay(): Promise<void> {
    if (clock.monotonic() - begunAt < TURN_MS) return;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    begunAt = clock.monotonic();
  }

  function take<T>(step: () => T): Promise<T> {
    const taken = last.then(() => {
      if (isStopped) throw new StationError('stopping', 'The station is stopping. Ask again after the restart.');
      return step();
    });
    last = taken.then(giveWay, giveWay);
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
