import type { NewItem } from '#shared/api/orderItem.ts';
import type { EndReason } from '#shared/lib/tables/states.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { haltOf } from '../../domain/orders/order.ts';
import { abortOrder } from './turnOff.ts';
import type { OrderContext } from './types.ts';

/** How an order ended elsewhere according to a file. `gone` contains the lines and pieces if only a part ended. */
export type EndOfFile = { ends: EndReason; by: string; gone?: readonly NewItem[] };

/** Aborts an order that nobody has started, because a file says that it ended elsewhere. Call inside a transaction. */
export function endWithin(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { ends, by, gone }: EndOfFile,
): void {
  keepLines(context, order, gone);
  context.repositories.orders.setEndedElsewhere({ id: order.id, endedElsewhere: ends, isContinued: false });
  const reason = `An imported file says that it is ${ends}.`;
  abortOrder(context, tx, { ...order, endedElsewhere: ends, isContinued: false }, by, { reason });
}

/** Marks an order that somebody has started, because a file says that it ended elsewhere. Call inside a transaction. */
export function markEndedWithin(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { ends, by, gone }: EndOfFile,
): void {
  keepLines(context, order, gone);
  const reason = `An imported file says that it or a part of it is ${ends}.`;
  setEnded(context, tx, order, { after: { ...order, endedElsewhere: ends, isContinued: false }, reason, by });
}

/** Returns a warning for the launch of an order that ended elsewhere, unless somebody has decided to continue it. */
export function elsewhereWarnings(order: OrderRow): string[] {
  if (!haltOf(order).isEndedElsewhere) return [];
  return [
    `An imported file says that order ${order.orderNumber} or a part of it is ${order.endedElsewhere ?? ''}. Check it before it is picked: abort it, or send continue.`,
  ];
}

/** Continues an order although a file says that it ended elsewhere. Does nothing for other orders. Call inside a transaction. */
export function continueOrder(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  if (order.endedElsewhere !== null && !order.isContinued)
    setEnded(context, tx, order, { after: { ...order, isContinued: true }, reason: undefined, by });
}

function keepLines({ repositories }: OrderContext, { id }: OrderRow, gone: readonly NewItem[] | undefined): void {
  const lines = gone?.map(({ SKU, UPC, name, ordered_quantity }) => ({ SKU, UPC, name, ordered_quantity }));
  repositories.orders.setEndedLines(id, lines === undefined ? null : JSON.stringify(lines));
}

function setEnded(
  { repositories, work }: OrderContext,
  tx: Transaction,
  before: OrderRow,
  { after, reason, by }: { after: OrderRow; reason: string | undefined; by: string },
): void {
  repositories.orders.setEndedElsewhere(after);
  const detail = { by, changed: ['ended_elsewhere'], ...(reason === undefined ? {} : { reason }) };
  const historyId = work.record(tx, before, { kind: 'order_changed', qty: 0, detail });
  work.settle(tx, { before, after }, [], { historyId, by });
  work.tellOrder(tx, after, { event: 'changed', historyId, picker: by, reason });
}
