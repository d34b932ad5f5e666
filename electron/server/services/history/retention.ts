import { createAlarm } from '../../alarm.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import { type Bus, KEYS_REMEMBERED_MS } from '../base/index.ts';
import type { Orders } from '../orders/index.ts';
import type { SettingsService } from '../settings/index.ts';

const DAY_MS = 86_400_000;
/** A start does other work first. */
const AFTER_START_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;
/** Rows of one use-case: a fraction of a millisecond, so that presses do not wait. */
const ROWS_AT_ONCE = 100;
/** Pause between two steps. It spares the disk, which a queue of background reads would not: a million rows take minutes. */
const PAUSE_MS = 20;

type EndedState = 'fulfilled' | 'aborted';
/** Where to continue among the ended orders of a state. */
type Place = { updatedAt: number; id: number };
const FIRST: Place = { updatedAt: 0, id: 0 };

/** Returns whether there is more to do. */
type Step = () => Promise<boolean>;

/**
 * Removes ended orders, history and delivered callbacks that are older than the settings allow, and customers and notes from older orders.
 * Other tables that contain these words only for a time remove old rows when they add one; this removes them without one.
 */
export function createRetention(parts: {
  repositories: Pick<Repositories, 'history' | 'importDrafts' | 'imports' | 'keyedRequests' | 'outbox' | 'picks'>;
  reads: Pick<Repositories, 'history' | 'importDrafts' | 'imports' | 'keyedRequests' | 'outbox' | 'picks'>;
  writer: Writer;
  settings: SettingsService;
  bus: Bus;
  clock: Clock;
  log: Log;
  orders: Pick<Orders, 'forgetCustomers' | 'removeOldest'>;
}) {
  const { repositories, reads, writer, settings, bus, clock, log, orders } = parts;
  const alarm = createAlarm(clock, work);
  /** Left of this round; empty between two rounds. */
  let steps: readonly Step[] = [];
  let unsubscribe: (() => void) | undefined;

  /** Counts from the newest row at the latest, so that a clock that runs ahead removes nothing. */
  function before(days: number, newestAt: number): number {
    return Math.min(clock.now(), newestAt) - days * DAY_MS;
  }

  const removeOrders = (newestAt: number) => async (): Promise<boolean> => {
    const { order_days: days } = settings.current();
    return days > 0 && orders.removeOldest(before(days, newestAt));
  };

  /** Orders up to here have no customer and no note. A change of an order moves it behind this place. */
  const forgotten: Record<EndedState, Place> = { fulfilled: FIRST, aborted: FIRST };

  const forgetCustomers = (state: EndedState, newestAt: number) => async (): Promise<boolean> => {
    const { history_customer_days: days } = settings.current();
    if (days === 0) return false;
    const until = before(days, newestAt);
    const next = await orders.forgetCustomers({ state, after: forgotten[state], before: until, limit: ROWS_AT_ONCE });
    forgotten[state] = next ?? forgotten[state];
    return next !== undefined;
  };

  /** Imports, drafts and keyed requests are removed as well: they contain copies of orders. */
  const removeCopies = async (): Promise<boolean> => {
    const { history_customer_days: days } = settings.current();
    const mostMs = days === 0 ? Infinity : days * DAY_MS;
    const now = clock.now();
    const keysUntil = now - KEYS_REMEMBERED_MS;
    const hasOld = reads.imports.hasOld(now, mostMs) || reads.importDrafts.hasOld(now, mostMs);
    if (!hasOld && reads.keyedRequests.hasBefore(keysUntil) === 0) return false;
    await writer.writeSoon(() => {
      repositories.imports.prune(now, mostMs);
      repositories.importDrafts.prune(now, mostMs);
      repositories.keyedRequests.removeBefore(keysUntil);
    });
    return reads.keyedRequests.hasBefore(keysUntil) === 1;
  };

  const removeHistory = (newestAt: number) => async (): Promise<boolean> => {
    const { history_days: days } = settings.current();
    if (days === 0) return false;
    const until = before(days, newestAt);
    const count = reads.history.countOld(until, ROWS_AT_ONCE);
    if (count > 0) await writer.writeSoon(() => repositories.history.removeOld(until, ROWS_AT_ONCE));
    return count === ROWS_AT_ONCE;
  };

  const removePicks = (newestAt: number) => async (): Promise<boolean> => {
    const { history_days: days } = settings.current();
    if (days === 0) return false;
    const until = before(days, newestAt);
    const count = reads.picks.countOld(until, ROWS_AT_ONCE);
    if (count > 0) await writer.writeSoon(() => repositories.picks.removeOld(until, ROWS_AT_ONCE));
    return count === ROWS_AT_ONCE;
  };

  /** Skips rows that stay once in each round. */
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

  function work(): void {
    if (steps.length === 0) {
      const newestAt = reads.history.newestWorkAt();
      steps = [
        removeHistory(newestAt),
        removePicks(newestAt),
        removeDelivered(),
        removeOrders(newestAt),
        forgetCustomers('fulfilled', newestAt),
        forgetCustomers('aborted', newestAt),
        removeCopies,
      ];
    }
    const [step, ...rest] = steps;
    step?.().then(
      (isMore) => {
        if (!isMore) steps = rest;
        alarm.in(steps.length === 0 ? LOOK_EVERY_MS : PAUSE_MS);
      },
      (error: unknown) => {
        steps = [];
        log.warn({ err: error }, 'what is too old could not be removed: it is tried again within the hour');
        alarm.in(LOOK_EVERY_MS);
      },
    );
  }

  return {
    start(): void {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (steps.length === 0 && facts.some(({ type }) => type === 'settings.changed')) alarm.in(AFTER_START_MS);
        },
      });
      alarm.in(AFTER_START_MS);
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}
