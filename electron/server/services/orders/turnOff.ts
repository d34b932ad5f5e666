import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { nextItem, nextWork, recounted, type WorkCounts } from '../../domain/orders/order.ts';
import type { OrderContext } from './types.ts';
import type { Changed } from './work/settle.ts';

/** Aborts an order: turns off its lit items and cancels unfinished ones. Returns false if the order had already ended. */
export function abortOrder(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  by: string,
  because: Pick<HistoryDetail, 'reason'> = {},
): boolean {
  const { repositories, work, holds } = context;
  const aborted = nextWork(order.state, { kind: 'aborted' });
  if (aborted === order.state) return false;
  holds.stopped(tx, order.id, by);
  const { counts, shipments } = turnOff(context, tx, order, repositories.items.listOf(order.id), {
    kind: 'aborted',
    by,
  });
  const historyId = work.record(tx, order, {
    kind: 'order_aborted',
    qty: counts.fulfilled,
    detail: { by, ...because },
  });
  const settled = shipments.map(({ before, after }): Changed<ShipmentRow> => {
    return { before, after: { ...after, state: nextWork(before.state, { kind: 'aborted' }) } };
  });
  const after = { ...order, counts, state: aborted };
  work.settle(tx, { before: order, after }, settled, { historyId, by });
  work.tellOrder(tx, after, { event: 'aborted', historyId, picker: by, reason: because.reason });
  return true;
}

/** Turns off items and saves them. Returns the new counts of the order and its shipments. */
export function turnOff(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  items: readonly LitItemRow[],
  { kind, by }: { kind: 'aborted' | 'killed'; by: string },
): { counts: WorkCounts; shipments: Changed<ShipmentRow>[] } {
  removeCommands(context, tx, items, by);
  const changes = items.flatMap((before): Changed<LitItemRow>[] => {
    const after = nextItem(before, { kind });
    return after === before ? [] : [{ before, after }];
  });
  return saveCounted(context, tx, order, changes);
}

/** Saves items. Returns the new counts of the order and its shipments. */
export function saveCounted(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  changes: readonly Changed<LitItemRow>[],
): { counts: WorkCounts; shipments: Changed<ShipmentRow>[] } {
  const shipments = context.repositories.orders.listShipments(order.id);
  const { total, byShipment } = save(context, tx, { order, shipments, changes });
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    return { before, after: { ...before, counts: byShipment.get(before.id) ?? before.counts } };
  });
  return { counts: total, shipments: settled };
}

/** Removes the items' commands, last ones first. Otherwise the next command in a queue would light up briefly before it is removed. */
export function removeCommands(
  { commands }: OrderContext,
  tx: Transaction,
  items: readonly LitItemRow[],
  by: string,
): void {
  for (const { id } of items.filter(({ state }) => state === 'active').toReversed()) {
    commands.withdraw(tx, { kind: 'item', id }, by);
  }
}

/** Saves items. Returns the new counts of the order, and those of each changed shipment by id. */
export function save(
  { repositories, work, itemStock }: OrderContext,
  tx: Transaction,
  changed: { order: OrderRow; shipments: readonly ShipmentRow[]; changes: readonly Changed<LitItemRow>[] },
): { total: WorkCounts; byShipment: Map<number, WorkCounts> } {
  const byShipment = new Map(changed.shipments.map(({ id, counts }) => [id, counts]));
  let total = changed.order.counts;
  for (const { before, after } of changed.changes) {
    repositories.items.save(before, after);
    if (after.articleId !== null) itemStock.publish(tx, after.articleId);
    total = recounted(total, before, after);
    const counts = byShipment.get(after.shipmentId);
    if (counts !== undefined) byShipment.set(after.shipmentId, recounted(counts, before, after));
  }
  work.publishItems(
    tx,
    changed.order,
    changed.changes.map(({ after }) => after.id),
  );
  return { total, byShipment };
}
