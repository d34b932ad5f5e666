import { createAlarm } from '../../scheduling/alarm.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { WorkCounts } from '../../domain/orders/order.ts';
import { createSilences } from '../../domain/alerts/silences.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { Orders } from './orders.ts';
import type { OrderTable } from './tables.ts';

const MINUTE_MS = 60_000;
/** Delay before trying again to mark an order, if the write failed. */
const RETRY_MS = 60_000;

/**
 * Marks lit and paused orders as stalled if nobody has worked on them for the time in the settings. This time starts again when the station
 * restarts.
 */
export function createStalls(parts: {
  reads: OrderTable;
  writer: Pick<Writer, 'writeEach'>;
  clock: Clock;
  log: Log;
  bus: Bus;
  settings: SettingsService;
  orders: Pick<Orders, 'stall'>;
}) {
  const { reads, writer, clock, log, bus, settings, orders } = parts;
  const silences = createSilences();
  /** State of the work on each order, by order number. Only a change to this state counts as work, not a change to other fields. */
  const seen = new Map<string, string>();
  /** Numbers of orders that are marked again because a write failed. */
  const unwritten = new Set<string>();
  const alarm = createAlarm(clock, look);
  let unsubscribe: (() => void) | undefined;

  const limitMs = (): number => settings.current().order_stalled_minutes * MINUTE_MS;

  function watch(orderNumber: string, work: string, isUnderWay: boolean): void {
    if (seen.get(orderNumber) === work) return;
    forget(orderNumber);
    if (!isUnderWay) return;
    seen.set(orderNumber, work);
    silences.begin(orderNumber, clock.monotonic());
  }

  function forget(orderNumber: string): void {
    silences.end(orderNumber);
    seen.delete(orderNumber);
    unwritten.delete(orderNumber);
  }

  function arm(): void {
    const first = silences.earliest();
    if (limitMs() === 0) return;
    if (first !== undefined) alarm.within(first + limitMs() - clock.monotonic());
    if (unwritten.size > 0) alarm.within(RETRY_MS);
  }

  function look(): void {
    if (limitMs() > 0) mark([...unwritten, ...silences.take(clock.monotonic() - limitMs())]);
    arm();
  }

  function mark(due: readonly string[]): void {
    unwritten.clear();
    if (due.length > 0) writer.writeEach(due, stall, failed).catch((error: unknown) => retry(error, due));
  }

  /** Marks an order as stalled, unless somebody has picked something while other orders were being marked. */
  function stall(tx: Transaction, orderNumber: string): void {
    if (!silences.has(orderNumber)) orders.stall(tx, orderNumber);
  }

  function failed(error: unknown, orderNumber: string): void {
    retry(error, [orderNumber]);
  }

  function retry(error: unknown, numbers: readonly string[]): void {
    log.warn({ err: error, orders: numbers.length }, 'could not record stalled orders; will retry');
    // Skip removed orders, and orders whose time restarted because somebody worked on them.
    for (const orderNumber of numbers) {
      if (seen.has(orderNumber) && !silences.has(orderNumber)) unwritten.add(orderNumber);
    }
    arm();
  }

  return {
    start(): void {
      for (const { orderNumber, counts, pickers } of reads.orders.listUnderWay()) {
        const paused = pickers.filter(({ isPaused }) => isPaused).map(({ name }) => name);
        watch(orderNumber, workOf({ ...counts, paused }), true);
      }
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          for (const fact of facts) {
            if (fact.type === 'order.removed') forget(fact.order_number);
            if (fact.type === 'order.changed') {
              const { order_number, done_count, active_count, unscanned_count, quantity_fulfilled } = fact.order;
              const paused = fact.order.pickers.filter((picker) => picker.paused).map(({ name }) => name);
              const counts = { done: done_count, active: active_count, unscanned: unscanned_count };
              const isUnderWay = active_count > 0 || paused.length > 0;
              watch(order_number, workOf({ ...counts, fulfilled: quantity_fulfilled, paused }), isUnderWay);
            }
          }
          arm();
        },
        clockChange() {
          silences.restart(clock.monotonic());
          arm();
        },
      });
      arm();
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}

type SeenWork = Pick<WorkCounts, 'done' | 'active' | 'unscanned' | 'fulfilled'> & { paused: readonly string[] };

function workOf({ done, active, unscanned, fulfilled, paused }: SeenWork): string {
  return [done, active, unscanned, fulfilled, ...paused].join(' ');
}
