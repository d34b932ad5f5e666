import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log, Timer } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

const DAY_MS = 86_400_000;
/** A start has other things to do first. */
const AFTER_START_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;
/** So many rows in one use-case: a fraction of a millisecond, so that presses do not wait. */
const ROWS_AT_ONCE = 100;
/** From one step to the next: even a million rows are gone within minutes, and nobody notices. */
const PAUSE_MS = 20;

/** Removes what is older than the settings keep it: history, and callbacks that were delivered. */
export type Retention = {
  start(): void;
  stop(): void;
};

/** One step of the work: answers whether there is more. */
type Step = () => Promise<boolean>;

export function createRetention(parts: {
  repositories: Repositories;
  reads: Repositories;
  writer: Writer;
  settings: SettingsService;
  bus: Bus;
  clock: Clock;
  log: Log;
}): Retention {
  const { repositories, reads, writer, settings, bus, clock, log } = parts;
  let timer: Timer | undefined;
  let isWorking = false;
  let unsubscribe: (() => void) | undefined;

  /** A clock that runs ahead makes nothing old: what counts is at most the time of the newest row. */
  function before(days: number, newestAt: number): number {
    return Math.min(clock.now(), newestAt) - days * DAY_MS;
  }

  async function removeHistory(): Promise<boolean> {
    const { history_days: days } = settings.current();
    if (days === 0) return false;
    const until = before(days, reads.history.newestAt());
    const count = reads.history.countOld(until, ROWS_AT_ONCE);
    if (count > 0) await writer.writeSoon(() => repositories.history.removeOld(until, ROWS_AT_ONCE));
    return count === ROWS_AT_ONCE;
  }

  /** Rows that stay are passed over once in each round. */
  function removeDelivered(): Step {
    let after = 0;
    return async () => {
      const { callback_days: days } = settings.current();
      if (days === 0) return false;
      const until = before(days, reads.outbox.newestAt());
      const { ids, next } = reads.outbox.findOldDelivered({ after, before: until, limit: ROWS_AT_ONCE });
      if (ids.length > 0) await writer.writeSoon(() => repositories.outbox.removeDelivered(ids));
      after = next ?? after;
      return next !== undefined;
    };
  }

  function wait(ms: number, run: () => void): void {
    timer?.cancel();
    timer = clock.setTimer(ms, run);
  }

  function look(): void {
    if (isWorking || unsubscribe === undefined) return;
    isWorking = true;
    work([removeHistory, removeDelivered()]);
  }

  function work(steps: readonly Step[]): void {
    const [step, ...rest] = steps;
    if (step === undefined) {
      isWorking = false;
      return wait(LOOK_EVERY_MS, look);
    }
    step().then(
      (isMore) => {
        if (unsubscribe !== undefined) wait(PAUSE_MS, () => work(isMore ? steps : rest));
      },
      (error: unknown) => {
        isWorking = false;
        log.warn({ err: error }, 'what is too old could not be removed: it is tried again within the hour');
        if (unsubscribe !== undefined) wait(LOOK_EVERY_MS, look);
      },
    );
  }

  return {
    start() {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (!isWorking && facts.some(({ type }) => type === 'settings.changed')) wait(AFTER_START_MS, look);
        },
      });
      wait(AFTER_START_MS, look);
    },
    stop() {
      unsubscribe?.();
      unsubscribe = undefined;
      timer?.cancel();
    },
  };
}
