import { createAlarm } from '../../scheduling/alarm.ts';
import type { BaseRepositories } from './types.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { advance, forwardAt, resume, toWall } from '../../domain/station/runningTime.ts';
import type { Clock, Log, SleepMoment } from '../../ports.ts';

/** Minimum time between two saves of the running time in commits that happen for other reasons. */
const SAVE_EVERY_MS = 60_000;
/**
 * Minimum time between two separate commits of the running time while a delivery is waiting. A crash loses at most this much running time.
 */
const COMMIT_EVERY_MS = 600_000;

/**
 * Measures how long the station has run over all starts, and provides the forward time by which deliveries are retried. Forward time never
 * goes backwards. See docs/decisions/0006.
 */
export function createRunningClock(parts: {
  repositories: BaseRepositories;
  reads: BaseRepositories;
  writer: Writer;
  /** Time of the previous run's last commit, in epoch milliseconds. Forward time does not start earlier. */
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

  /** Saves the running time and the forward time in this commit, unless they were saved within the last minute. */
  function keep(tx: Transaction): void {
    if (clock.monotonic() - savedAtMs >= SAVE_EVERY_MS) save(tx);
  }

  /** Saves the times with a separate commit while a delivery is waiting. An idle station writes nothing. */
  function tick(): void {
    alarm.in(SAVE_EVERY_MS);
    read();
    if (clock.monotonic() - savedAtMs >= COMMIT_EVERY_MS && reads.outbox.hasPending())
      void saveBy(writer.writeSoon(keep));
  }

  function saveBy(saved: Promise<void>): Promise<void> {
    return saved.catch((error: unknown) => log.warn({ err: error }, 'could not save the running time of the station'));
  }

  function handleSleep(moment: SleepMoment): void {
    const before = time.ranMs;
    read();
    // Time since the last reading counts as sleep, even if it was short.
    if (moment === 'resume') time = { ...time, ranMs: before };
  }

  return {
    /** Returns how long the station has run over all starts, in whole milliseconds. */
    ranMs: (): number => Math.floor(read().ranMs),
    /** Returns the forward time in epoch milliseconds. It never goes backwards, even if the wall clock does. */
    forwardAt: (): number => Math.floor(forwardAt(read())),
    /** Converts forward time to wall time. */
    toWall: (at: number): number => toWall(read(), at),
    keep,
    start(): void {
      unsubscribe = clock.onSleep(handleSleep);
      alarm.in(SAVE_EVERY_MS);
    },
    /** Saves the running time and the forward time one last time. */
    stop(): Promise<void> {
      alarm.stop();
      unsubscribe?.();
      return saveBy(writer.write(save));
    },
  };
}

export type RunningClock = ReturnType<typeof createRunningClock>;
