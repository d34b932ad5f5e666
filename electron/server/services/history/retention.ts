import { copiesKeptMs } from '../../domain/history/copiesKept.ts';
import type { TablesOf } from '../../core.ts';
import { type Alarm, createAlarm } from '../../scheduling/alarm.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import { type Bus, KEYS_REMEMBERED_MS } from '../base/index.ts';
import type { Orders } from '../orders/index.ts';
import type { SettingsService } from '../settings/index.ts';

const DAY_MS = 86_400_000;
/** Delay of the first round after startup or a change to the settings, so that more important work comes first. */
const AFTER_START_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;
/** Number of rows to remove per transaction. A transaction takes a fraction of a millisecond, so presses do not wait. */
const ROWS_AT_ONCE = 100;
/**
 * Pause between two steps, to spare the disk, because the background read queue does not limit writes. Removing a million rows takes
 * minutes.
 */
const PAUSE_MS = 20;

type EndedState = 'fulfilled' | 'aborted';
/** Position among the fulfilled or aborted orders, which are read by the time of their last change. */
type Place = { updatedAt: number; id: number };
const FIRST: Place = { updatedAt: 0, id: 0 };

/** Performs a part of a step. Resolves to true if the step has more to do. */
type Step = () => Promise<boolean>;

type RetentionNeeds = {
  repositories: TablesOf<'history'>;
  /** Repositories for reading, which return committed rows only. */
  reads: TablesOf<'history'>;
  writer: Writer;
  settings: SettingsService;
  bus: Bus;
  clock: Clock;
  log: Log;
  orders: Pick<Orders, 'forgetCustomers' | 'removeOldest'>;
  /** Removes the batch that ended first, if it ended before this time. Resolves to true if it removed a batch. */
  batches: { removeOldest(before: number): Promise<boolean> };
};

/** State shared by the steps of a round. */
type RetentionContext = RetentionNeeds & {
  alarm: Alarm;
  /** Remaining steps of this round. Empty between two rounds. */
  steps: readonly Step[];
  /** Position up to which customers and notes have been removed. Changing an order moves the order behind this position. */
  forgotten: Record<EndedState, Place>;
};

/**
 * Removes ended orders and batches, history and delivered callbacks that are older than the settings allow, and customers and notes from
 * older orders.
 * Also removes old imports, drafts and keyed requests. Their tables do this themselves when a row is added, but may not get new rows for a
 * long time.
 */
export function createRetention(needs: RetentionNeeds) {
  const { bus, clock } = needs;
  const context: RetentionContext = {
    ...needs,
    alarm: createAlarm(clock, () => runStep(context)),
    steps: [],
    forgotten: { fulfilled: FIRST, aborted: FIRST },
  };
  const { alarm } = context;
  let unsubscribe: (() => void) | undefined;
  return {
    start(): void {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          const isBetweenRounds = context.steps.length === 0;
          if (isBetweenRounds && facts.some(({ type }) => type === 'settings.changed')) alarm.in(AFTER_START_MS);
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

/** Runs the next step, and schedules the one after it. */
function runStep(context: RetentionContext): void {
  const { alarm, log } = context;
  if (context.steps.length === 0) context.steps = newRound(context);
  const [step, ...rest] = context.steps;
  step?.().then(
    (isMore) => {
      if (!isMore) context.steps = rest;
      alarm.in(context.steps.length === 0 ? LOOK_EVERY_MS : PAUSE_MS);
    },
    (error: unknown) => {
      context.steps = [];
      log.warn({ err: error }, 'could not remove old records; will retry within the hour');
      alarm.in(LOOK_EVERY_MS);
    },
  );
}

function newRound(context: RetentionContext): Step[] {
  const newestAt = context.reads.history.newestWorkAt();
  const delivered = { after: 0 };
  return [
    () => removeOldRows(context, 'history', newestAt),
    () => removeOldRows(context, 'picks', newestAt),
    () => removeDelivered(context, delivered),
    () => removeOrders(context, newestAt),
    () => removeBatches(context, newestAt),
    () => forgetCustomers(context, 'fulfilled', newestAt),
    () => forgetCustomers(context, 'aborted', newestAt),
    () => removeCopies(context),
  ];
}

/**
 * Returns the cutoff time in epoch milliseconds; older rows are removed. Counts back from the newest row if the clock is ahead of it, so
 * that a wrong clock does not remove too much.
 */
function before({ clock }: RetentionContext, days: number, newestAt: number): number {
  return Math.min(clock.now(), newestAt) - days * DAY_MS;
}

async function removeOldRows(
  context: RetentionContext,
  table: 'history' | 'picks',
  newestAt: number,
): Promise<boolean> {
  const { repositories, reads, writer, settings } = context;
  const { history_days: days } = settings.current();
  if (days === 0) return false;
  const until = before(context, days, newestAt);
  const count = reads[table].countOld(until, ROWS_AT_ONCE);
  if (count > 0) await writer.writeSoon(() => repositories[table].removeOld(until, ROWS_AT_ONCE));
  return count === ROWS_AT_ONCE;
}

/** Removes old delivered callbacks. `round.after` is the row after which this round continues, so that it skips rows that must be kept. */
async function removeDelivered(context: RetentionContext, round: { after: number }): Promise<boolean> {
  const { repositories, reads, writer, settings } = context;
  const { callback_days: days } = settings.current();
  if (days === 0) return false;
  const until = before(context, days, reads.outbox.newestAt());
  const { ids, next } = reads.outbox.findOldDelivered({ after: round.after, before: until, limit: ROWS_AT_ONCE });
  if (ids.length > 0) await writer.writeSoon(() => repositories.outbox.removeDelivered(ids));
  round.after = next ?? round.after;
  return next !== undefined;
}

async function removeOrders(context: RetentionContext, newestAt: number): Promise<boolean> {
  const { order_days: days } = context.settings.current();
  return days > 0 && context.orders.removeOldest(before(context, days, newestAt));
}

/** Removes ended batches that are older than the retention time for orders or, if shorter, the retention time for history. */
async function removeBatches(context: RetentionContext, newestAt: number): Promise<boolean> {
  const { order_days: ofOrders, history_days: ofHistory } = context.settings.current();
  const limits = [ofOrders, ofHistory].filter((each) => each > 0);
  const days = limits.length === 0 ? 0 : Math.min(...limits);
  return days > 0 && context.batches.removeOldest(before(context, days, newestAt));
}

async function forgetCustomers(context: RetentionContext, state: EndedState, newestAt: number): Promise<boolean> {
  const { settings, orders, forgotten } = context;
  const { history_customer_days: days } = settings.current();
  if (days === 0) return false;
  const until = before(context, days, newestAt);
  const next = await orders.forgetCustomers({ state, after: forgotten[state], before: until, limit: ROWS_AT_ONCE });
  forgotten[state] = next ?? forgotten[state];
  return next !== undefined;
}

/** Removes old imports, drafts and keyed requests, because they contain copies of orders. */
async function removeCopies({ repositories, reads, writer, settings, clock }: RetentionContext): Promise<boolean> {
  const mostMs = copiesKeptMs(settings.current());
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
}
