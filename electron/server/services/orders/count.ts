import type { LitItemRow } from '../../db/repositories/items.ts';
import type { Transaction } from '../../db/writer.ts';
import { nextItem, remainingOf } from '../../domain/orders/order.ts';
import { labelOf } from '../commands/index.ts';
import { deviceOf } from './answers.ts';
import { type ItemPlace, itemNonce } from './callbacks.ts';
import { titleOfItem } from './itemWords.ts';
import type { OrderContext } from './types.ts';
import { doneBy } from './work/history.ts';
import { counterOf } from './work/work.ts';
import { type Found, pickerAmong } from './work/stock.ts';

/** Scan that counts pieces. `closes` tells whether the count also closes the line. `forWhom` is the person for whom `by` scans. */
export type Count = {
  pieces: number;
  closes: boolean;
  reason: string | undefined;
  by: string;
  forWhom: string;
};

type Doer = Pick<Count, 'by' | 'forWhom'>;

/** Books some pieces of a lit line without closing the line. The light then shows the remaining quantity, which a press books. */
export function countItem(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { pieces, by, forWhom }: Pick<Count, 'pieces'> & Doer,
): void {
  const { commands, repositories } = context;
  const { item } = found;
  const after = { ...item, fulfilled: item.fulfilled + pieces };
  const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const deviceId = deviceOf(item) ?? '';
  const alias = command?.alias ?? '';
  const place = { deviceId, location: alias === '' ? labelOf(repositories.devices, deviceId) : alias };
  if (command !== undefined)
    commands.showRest(tx, command, { quantity: remainingOf(after), by, base: after.fulfilled });
  save(context, tx, found, { after, place, by, forWhom, reason: undefined });
}

/** Books pieces of a line without a light. Because nobody can press a device, the count itself can close the line. */
export function countUnlit(
  context: OrderContext,
  tx: Transaction,
  found: Found,
  { pieces, closes, by, forWhom, reason }: Count,
): void {
  const { item, order } = found;
  const fulfilled = item.fulfilled + pieces;
  const counted = closes ? nextItem(item, { kind: 'short', fulfilled }) : { ...item, fulfilled };
  const picker = pickerAmong(order, forWhom) ?? item.picker;
  const after = closes ? { ...counted, picker } : counted;
  const place = { deviceId: '', location: item.warehouseLocation ?? item.place ?? '' };
  save(context, tx, found, { after, place, by, forWhom, reason });
}

function save(
  { work, settings }: OrderContext,
  tx: Transaction,
  found: Found,
  { after, place, by, forWhom, reason }: Doer & { after: LitItemRow; place: ItemPlace; reason: string | undefined },
): void {
  const { item, order, shipment } = found;
  const historyId = work.record(tx, order, {
    kind: after.state === 'short' ? 'order_short' : 'order_counted',
    qty: after.fulfilled,
    ...place,
    nonce: itemNonce(item, shipment, order, settings.current()),
    detail: {
      ...doneBy(by, forWhom),
      item: { id: item.id, name: titleOfItem(item), before: item.fulfilled },
      ...(reason === undefined ? {} : { reason }),
    },
  });
  const events = after.fulfilled > item.fulfilled ? (['item_added'] as const) : [];
  work.changeItem(tx, found, {
    after,
    place,
    events,
    cause: { historyId, by, forWhom, reason, reasonOf: 'short' },
    countedBy: counterOf(found, forWhom),
  });
}
