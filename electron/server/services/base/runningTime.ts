import { createAlarm } from '../../alarm.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { advance, forwardAt, resume, toWall } from '../../domain/runningTime.ts';
import type { Clock, Log, SleepMoment } from '../../ports.ts';

/** Commits that are made anyway save it this often, */
const SAVE_EVERY_MS = 60_000;
/** and while a delivery waits it is committed separately this often. A crash loses as much of the running time. */
const COMMIT_EVERY_MS = 600_000;

/** Counts how long the station runs, over restarts, and keeps the time by which deliveries retry. docs/decisions/0006 */
export function createRunningClock(parts: {
  repositories: Pick<Repositories, 'runningTime'>;
  reads: Pick<Repositories, 'outbox' | 'runningTime'>;
  writer: Writer;
  /** Epoch milliseconds of the last commit of the run before: forward time begins no earlier. */
  lastCommitAt: number;
  clock: Clock;
  log: Log;
}) {
  const { repositories, reads, writer, clock, log } = parts;
  let time = resume(reads.runningTime.find(), reading(), parts.lastCommitAt);
  let savedAtMs = Number.NEGATIVE_INFINITY;
  const alarm = createAlarm(clock, tick);
  let unsubscribe: (() => void) | undefined;

  function reading(): { wallAt: number; monotonicMs: number } {
    return { wallAt: clock.now(), monotonicMs: clock.monotonic() };
  }

  function read(): typeof time {
    time = advance(time, reading());
    return time;
  }

  function save(tx: Transaction): void {
    const now = read();
    repositories.runningTime.save({
      ranMs: Math.floor(now.ranMs),
      forwardAt: Math.floor(forwardAt(now)),
      savedAt: clock.now(),
    });
    const at = clock.monotonic();
    tx.apply(() => {
      savedAtMs = at;
    });
  }

  /** Saves both times with this commit, unless that was done within the last minute. */
  function keep(tx: Transaction): void {
    if (clock.monotonic() - savedAtMs >= SAVE_EVERY_MS) save(tx);
  }

  /** An idle station writes nothing. */
  function tick(): void {
    alarm.in(SAVE_EVERY_MS);
    read();
    if (clock.monotonic() - savedAtMs >= COMMIT_EVERY_MS && reads.outbox.hasPending())
      void saveBy(writer.writeSoon(keep));
  }

  function saveBy(saved: Promise<void>): Promise<void> {
    return saved.catch((error: unknown) => log.warn({ err: error }, 'the running time of the station was not saved'));
  }

  function hearSleep(moment: SleepMoment): void {
    const before = time.ranMs;
    read();
    // The time that passed meanwhile was sleep, even if it was short.
    if (moment === 'resume') time = { ...time, ranMs: before };
  }

  return {
    /** How long the station has run, over all starts, in whole milliseconds. */
    ranMs: (): number => Math.floor(read().ranMs),
    /** Epoch milliseconds that never go back, even if the wall clock does. */
    forwardAt: (): number => Math.floor(forwardAt(read())),
    /** What a moment of forward time is called by the wall clock. */
    toWall: (at: number): number => toWall(read(), at),
    keep,
    start(): void {
      unsubscribe = clock.onSleep(hearSleep);
      alarm.in(SAVE_EVERY_MS);
    },
    /** Saves once more. */
    stop(): Promise<void> {
      alarm.stop();
      unsubscribe?.();
      return saveBy(writer.write(save));
    },
  };
}

export type RunningClock = ReturnType<typeof createRunningClock>;
