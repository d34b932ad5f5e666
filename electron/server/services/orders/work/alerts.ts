import type { Attention } from '#shared/lib/orders/attention.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { Transaction } from '../../../db/writer.ts';
import { attentionOf, haltOf } from '../../../domain/orders/order.ts';
import { type AlertRecords, orderAlertSubject } from '../../alerts/index.ts';

/** Reasons for which an order raises an alert. Contract, section 16. */
type Alarm = Exclude<Attention, 'guessed'>;

/** Messages that tell why an order needs attention. `where` is the place, or '' if unknown. */
const TROUBLE: Readonly<Record<Alarm, (where: string, order: OrderRow) => string>> = {
  timed_out: (where) => `${where || 'An item'} timed out: nobody pressed in time.`,
  unassigned: () => 'An item has no device, so it is not lit.',
  unreachable: (where) => `${where || 'A device of it'} should be lit, but no turbo reaches the device.`,
  no_stock: (where) => `An article that it needs has run out${where && ` at ${where}`}.`,
  stalled: () => 'Some of its lights are on, and nobody has pressed for a long time.',
  paused: () => 'It was paused a long time ago, and nobody has continued it.',
  ended_elsewhere: (_where, { endedElsewhere }) =>
    `A file says that it or a part of it is ${endedElsewhere ?? 'ended'}. Abort it, or change it and continue it.`,
};

const ALARMS = Object.keys(TROUBLE) as Alarm[];

export type OrderAlertRecords = Pick<AlertRecords, 'findOpen' | 'raise' | 'end'>;

/**
 * Raises an alert for each new reason why the order needs attention, and ends alerts whose reason no longer applies. `where` is the place
 * of the change.
 */
export function updateAlerts(
  alerts: OrderAlertRecords,
  tx: Transaction,
  { before, after }: { before: OrderRow; after: OrderRow },
  where: string,
): void {
  const reasons = alarmsOf(after);
  // If the picker who paused the order has left, only `isStalled` still shows that the order was waiting.
  if (!before.isStalled && isSameList(reasons, alarmsOf(before))) return;
  const { orderNumber } = after;
  for (const reason of ALARMS) {
    const subject = orderAlertSubject(orderNumber, reason);
    const open = alerts.findOpen('order_attention', subject);
    const isWaiting = reasons.includes(reason);
    if (!isWaiting && open !== undefined) alerts.end(tx, open);
    if (!isWaiting || open !== undefined) continue;
    const problem = `Order ${orderNumber}: ${TROUBLE[reason](where, after)}`;
    alerts.raise(tx, { kind: 'order_attention', subject, since: tx.now, value: null, threshold: null, problem });
  }
}

/** Ends all alerts for an order that is removed. */
export function endAlerts(alerts: OrderAlertRecords, tx: Transaction, { orderNumber }: OrderRow): void {
  for (const reason of ALARMS) {
    const open = alerts.findOpen('order_attention', orderAlertSubject(orderNumber, reason));
    if (open !== undefined) alerts.end(tx, open);
  }
}

/** Returns the reasons for alerts about an order. Fulfilled orders and guessed places do not raise alerts. */
function alarmsOf(order: OrderRow): Alarm[] {
  if (order.state === 'fulfilled') return [];
  return attentionOf(order, haltOf(order)).filter((reason) => reason !== 'guessed');
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}
