import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, UseCase } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus } from './bus.ts';

/** Smaller steps of the wall clock count as drift, not as jumps. */
const JUMP_MS = 1_000;

/** Detects that the wall clock was set or the machine was asleep, and moves open deadlines back together with the clock. */
export function createClockWatch(parts: {
  repositories: { commands: Pick<Repositories['commands'], 'shiftDeadlines'> };
  bus: Pick<Bus, 'publishClockChange'>;
  clock: Clock;
  log: Log;
}) {
  const { repositories, bus, clock, log } = parts;
  let offset = clock.now() - clock.monotonic();
  let jumping = false;

  function shift(tx: Transaction, ms: number): void {
    repositories.commands.shiftDeadlines(ms);
    tx.emit({ type: 'deadlines.shifted', ms });
    tx.afterCommit(() => bus.publishClockChange('shifted'));
  }

  return {
    /** Checks whether the wall clock jumped. If so, returns a function to run first in the next transaction. Call before each commit. */
    check(): UseCase<void> | undefined {
      const jump = clock.now() - clock.monotonic() - offset;
      if (Math.abs(jump) < JUMP_MS) return undefined;
      log.warn({ jumpMs: Math.round(jump) }, 'the wall clock was set or the machine slept');
      jumping = true;
      setImmediate(() => {
        jumping = false;
        bus.publishClockChange('set');
      });
      return (tx) => {
        // Move the reference only after a successful commit; if the commit fails, the next one tries again.
        tx.afterCommit(() => {
          offset += jump;
        });
        if (jump < 0) shift(tx, Math.round(jump));
      };
    },
    /** Whether the running commit handles a jump. */
    isJumping: (): boolean => jumping,
    /** Starts detecting clock jumps. If the clock was set back since the last commit, returns a function to run in a transaction. */
    start(lastCommitAt: number): UseCase<void> | undefined {
      offset = clock.now() - clock.monotonic();
      // The last commit cannot be in the future, so the clock was set back.
      const ms = clock.now() - lastCommitAt;
      if (ms > -JUMP_MS) return undefined;
      log.warn({ jumpMs: ms }, 'the wall clock was set back since the last commit');
      return (tx) => shift(tx, ms);
    },
  };
}

export type ClockWatch = ReturnType<typeof createClockWatch>;
