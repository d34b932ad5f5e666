import type { SimpleCallback } from '#shared/api/callback.ts';
import type { Correction } from '#shared/api/order.ts';
import type { Transaction } from '../../db/writer.ts';
import { nextItem, remainingOf, type ItemEvent } from '../../domain/order.ts';
import { type OwnedEnd, labelOf } from '../commands/index.ts';
import { deviceOf } from './answers.ts';
import { itemNonce, nameOfItem } from './callbacks.ts';
import type { OrderContext } from './launch.ts';
import type { Found } from './work.ts';

/** The command of an item ended: updates the item, its shipment and its order. */
export function endItem(context: OrderContext, tx: Transaction, found: Found, ended: OwnedEnd): void {
  const { item } = found;
  const { command, recorded, by } = ended;
  const next = nextItem(item, eventOf(ended));
  if (next === item) return;
  const after = { ...next, foundDeviceId: command.deviceId };
  const cause = { historyId: recorded.historyId, by };
  const place = { deviceId: command.deviceId, location: recorded.location };
  if (ended.end.kind === 'acknowledged') {
    const grew = after.fulfilled > item.fulfilled;
    context.work.changeItem(tx, found, {
      after,
      place,
      events: grew ? ['device_ack', 'item_added'] : ['device_ack'],
      cause,
    });
    return;
  }
  if (ended.end.kind === 'timedOut' && ended.told) tellTimeout(context, tx, found, ended);
  context.work.changeItem(tx, found, { after, place, events: [], cause });
}

function eventOf({ end }: OwnedEnd): ItemEvent {
  return end.kind === 'acknowledged' ? { kind: 'acknowledged', qty: end.qty } : { kind: end.kind };
}

/** Only to a caller who gave the item a nonce of its own: one of the settings asks for the events of orders, and no nack is one. */
function tellTimeout(
  { callbacks }: OrderContext,
  tx: Transaction,
  { item }: Found,
  { command, recorded }: OwnedEnd,
): void {
  const { callbackNonce: nonce } = item;
  if (nonce === null || nonce.trim() === '') return;
  // A correction sets the quantity too, and an old receiver would book it as picked.
  const qty = command.adjustment?.by === 'device' ? (command.adjusted ?? 0) : 0;
  const { deviceId: deviceid } = command;
  const payload: SimpleCallback = { acknack: 'nack', deviceid, location: recorded.location, nonce, qty };
  callbacks.add(tx, { family: 'order', historyId: recorded.historyId, payload });
}

/** Corrects the fulfilled quantity of an item, and what its device shows. */
export function correctItem(
  { repositories, commands, work, defaults }: OrderContext,
  tx: Transaction,
  found: Found,
  { quantity_fulfilled: to, reason, by }: Correction & { by: string },
): void {
  const { order, shipment, item } = found;
  const after = nextItem(item, { kind: 'corrected', to });
  if (after === item) return;
  const deviceId = deviceOf(item) ?? '';
  const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
  const alias = command?.alias ?? '';
  const location = alias === '' ? labelOf(repositories, deviceId) : alias;
  const name = nameOfItem(item);
  const historyId = work.record(tx, order, {
    kind: 'order_corrected',
    qty: to,
    deviceId,
    location,
    nonce: itemNonce(item, shipment, order, defaults()),
    detail: { by, item: { id: item.id, name, before: item.fulfilled }, ...(reason === undefined ? {} : { reason }) },
  });
  if (command !== undefined) {
    if (after.state === 'active') commands.setQuantity(tx, command, { quantity: remainingOf(after), by });
    else commands.withdraw(tx, { kind: 'item', id: item.id }, by);
  }
  work.changeItem(tx, found, {
    after,
    place: { deviceId, location },
    events: [to > item.fulfilled ? 'item_added' : 'item_removed'],
    cause: { historyId, by },
  });
}
