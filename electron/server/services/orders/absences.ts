import { createAlarm } from '../../scheduling/alarm.ts';
import type { AwayPicker } from '../../db/repositories/orderPickers.ts';
import type { TablesOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus, RunningClock } from '../base/index.ts';
import type { Commands } from '../commands/index.ts';
import type { OrderHolds } from './holds.ts';
import type { Orders } from './orders.ts';

/** How long a picker keeps orders after signing out, in milliseconds. */
const KEPT_MS = 3_600_000;
const RETRY_MS = 60_000;

/**
 * Removes people from their orders an hour after they signed out. The hour also passes while the station is off, and setting the clock back
 * does not extend it.
 */
export function createAbsences(parts: {
  repositories: TablesOf<'orders'>;
  reads: TablesOf<'orders'>;
  clock: Clock;
  time: Pick<RunningClock, 'forwardAt' | 'keep'>;
  log: Log;
  bus: Bus;
  orders: Pick<Orders, 'leaveAway'>;
  commands: Pick<Commands, 'setCurrent'>;
  holds: Pick<OrderHolds, 'signedOut'>;
}) {
  const { repositories, reads, clock, time, log, bus, orders, commands, holds } = parts;
  const alarm = createAlarm(clock, () => void look());
  let unsubscribe: (() => void) | undefined;

  function arm(): void {
    const [first] = reads.orderPickers.listAway();
    if (first !== undefined) alarm.within(first.awayAt + KEPT_MS - time.forwardAt());
  }

  async function look(): Promise<void> {
    const due = reads.orderPickers.listAway().filter(({ awayAt }) => awayAt + KEPT_MS <= time.forwardAt());
    const done = await Promise.all(due.map(leave));
    if (done.includes(false)) alarm.within(RETRY_MS);
    else arm();
  }

  /** Removes a person from an order. Resolves to false if this failed, so that the caller retries it. */
  async function leave(away: AwayPicker): Promise<boolean> {
    try {
      await orders.leaveAway(away);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'could not remove a signed-out picker from an order');
      return false;
    }
  }

  return {
    /** Records that a person signed out. Call inside the transaction that ends the person's last session. */
    wentAway(tx: Transaction, name: string): void {
      repositories.orderPickers.setAway(name, time.forwardAt());
      time.keep(tx);
      commands.setCurrent(tx, name, null);
      holds.signedOut(tx, name);
      tx.afterCommit(arm);
    },
    /** Records that a person signed in. Call inside the same transaction as the sign-in. */
    cameBack: (_tx: Transaction, name: string): void => repositories.orderPickers.setBack(name),
    start(): void {
      unsubscribe = bus.subscribe({ clockChange: arm });
      arm();
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}
