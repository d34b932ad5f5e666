import type { HistoryKind } from '#shared/api/history.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { HistoryDetail } from '../../../db/repositories/history.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { TablesOf } from '../../../core.ts';
import type { Transaction } from '../../../db/writer.ts';
import { workOf } from '../../../domain/commands/commandQueue.ts';

export type NewOrderHistory = {
  kind: HistoryKind;
  qty: number;
  detail: HistoryDetail;
  deviceId?: string;
  location?: string;
  nonce?: string;
};

/** Adds a row to an order's history, with the batch slot if the order is in a batch. Returns the row's id. */
export function record(
  { batches, history }: TablesOf<'orders'>,
  tx: Transaction,
  order: OrderRow,
  row: NewOrderHistory,
): number {
  const { kind, qty, deviceId = '', location = '', nonce = '' } = row;
  const batch = row.detail.batch ?? batches.findPlaceOf(order.id);
  const detail = batch === undefined ? row.detail : { ...row.detail, batch };
  const work = workOf({ kind: 'item', id: 0, of: order.orderNumber });
  return history.insert({ at: tx.now, kind, deviceId, commandId: null, nonce, location, qty, work, detail });
}

/** Returns who acted and, if the person acted for somebody else, for whom. */
export function doneBy(by: string, forWhom: string | undefined): Pick<HistoryDetail, 'by' | 'for'> {
  return forWhom === undefined || nameKey(forWhom) === nameKey(by) ? { by } : { by, for: forWhom };
}
