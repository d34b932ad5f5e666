import type { Settings } from '#shared/api/settings.ts';
import type { LitItemRow, OrderRow, ShipmentRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { isToLight, nextItem, nextWork, recounted, type WorkCounts } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { Commands } from '../commands/index.ts';
import { type Target, pointed } from '../devices/index.ts';
import type { NonceTemplates } from './callbacks.ts';
import { contentOfItem, contentOfOrder, findItemTarget } from './light.ts';
import type { Changed, OrderWork } from './work.ts';

/** The context of use-cases of orders. */
export type OrderContext = {
  repositories: Pick<Repositories, 'aliases' | 'commands' | 'devices' | 'orders' | 'placeNames'>;
  commands: Commands;
  callbacks: Callbacks;
  work: OrderWork;
  defaults: () => Pick<Settings, 'default_seconds' | 'default_color'> & NonceTemplates;
};

type Placed = { item: LitItemRow; target: Target };

/**
 * Lights every item that is to be picked, is not lit and has a place: all of them or, where that cannot be, none. Throws
 * `conflict`.
 */
export function launchOrder(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  const { repositories, work } = context;
  const { found, changes } = placesOf(repositories, order);
  if (found.length === 0 && changes.length === 0) return;
  light(context, tx, { order, found, by });
  const shipments = repositories.orders.listShipments(order.id);
  const { total, byShipment } = save(context, tx, { order, shipments, changes });
  const litIn = new Set(found.map(({ item }) => item.shipmentId));
  const launched = (isLit: boolean, counts: WorkCounts) => ({ kind: 'launched', isLit, counts }) as const;
  const historyId = work.record(tx, order, { kind: 'order_launched', qty: found.length, detail: { by } });
  const after: OrderRow = {
    ...order,
    counts: total,
    launchedAt: tx.now,
    isTold: order.isTold && found.length === 0,
    state: nextWork(order.state, launched(total.active > 0, total)),
  };
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    const counts = byShipment.get(before.id) ?? before.counts;
    const isLit = litIn.has(before.id);
    const state = nextWork(before.state, launched(isLit, counts));
    return { before, after: { ...before, counts, state, isTold: before.isTold && !isLit } };
  });
  work.settle(tx, { before: order, after }, settled, { historyId, by });
}

/** The place of each item to light, and the changed items. Throws `conflict` if nothing can be lit. */
function placesOf(
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'orders' | 'placeNames'>,
  order: OrderRow,
): { found: Placed[]; changes: Changed<LitItemRow>[] } {
  const { orderNumber } = order;
  if (order.state === 'fulfilled') throw new StationError('conflict', `Order ${orderNumber} is fulfilled already.`);
  const isLit = order.counts.active > 0;
  const places = repositories.orders
    .listItems(order.id)
    .filter(isToLight)
    .map((item) => ({ item, target: findItemTarget(repositories, item) }));
  if (places.length === 0 && !isLit) {
    throw new StationError('conflict', `Order ${orderNumber} has nothing to light: no item of it is to be picked.`);
  }
  const found = places.flatMap(({ item, target }) => (target === undefined ? [] : [{ item, target }]));
  if (found.length === 0 && !isLit) {
    throw new StationError(
      'conflict',
      `No item of order ${orderNumber} has a device: deviceid, warehouse_location, SKU, UPC and name were looked for among location aliases, labels and DeviceIDs. Nothing was lit.`,
    );
  }
  const changes = places.flatMap(({ item, target }): Changed<LitItemRow>[] => {
    const after = nextItem(item, { kind: target === undefined ? 'notFound' : 'lit' });
    const foundDeviceId = target?.deviceId ?? null;
    return after === item ? [] : [{ before: item, after: { ...after, foundDeviceId } }];
  });
  return { found, changes };
}

/** Turns off the lit items and cancels those that are not done. */
export function abortOrder(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  const { repositories, work } = context;
  const aborted = nextWork(order.state, { kind: 'aborted' });
  if (aborted === order.state) return;
  const items = repositories.orders.listItems(order.id);
  takeBack(context, tx, items, by);
  const shipments = repositories.orders.listShipments(order.id);
  const changes = items.flatMap((before): Changed<LitItemRow>[] => {
    const after = nextItem(before, { kind: 'aborted' });
    return after === before ? [] : [{ before, after }];
  });
  const { total, byShipment } = save(context, tx, { order, shipments, changes });
  const historyId = work.record(tx, order, { kind: 'order_aborted', qty: total.fulfilled, detail: { by } });
  const settled = shipments.map((before): Changed<ShipmentRow> => {
    const counts = byShipment.get(before.id) ?? before.counts;
    return { before, after: { ...before, counts, state: nextWork(before.state, { kind: 'aborted' }) } };
  });
  const after = { ...order, counts: total, state: aborted };
  work.settle(tx, { before: order, after }, settled, { historyId, by });
}

/** Removes the commands of these items, the last first, so that none lights for a moment. */
export function takeBack({ commands }: OrderContext, tx: Transaction, items: readonly LitItemRow[], by: string): void {
  for (const { id } of items.filter(({ state }) => state === 'active').toReversed()) {
    commands.withdraw(tx, { kind: 'item', id }, by);
  }
}

function light(
  { commands, defaults }: OrderContext,
  tx: Transaction,
  { order, found, by }: { order: OrderRow; found: readonly Placed[]; by: string },
): void {
  const common = contentOfOrder(order, defaults());
  for (const { item, target } of found) {
    const { deviceId, alias, label } = target;
    const { content, arrowAdded } = pointed(contentOfItem(common, item), target);
    const command = {
      deviceId,
      target: target.target,
      alias,
      label,
      nonce: item.callbackNonce ?? '',
      content,
      arrowAdded,
      sender: by,
      owner: { kind: 'item', id: item.id, of: order.orderNumber } as const,
    };
    try {
      commands.send(tx, command);
    } catch (error) {
      // Leaving out the item would complete the order without it.
      if (!(error instanceof StationError)) throw error;
      throw new StationError('conflict', `Order ${order.orderNumber} was not launched. ${error.message}`);
    }
  }
}

/** Saves these items, and returns the new counts. */
function save(
  { repositories, work }: OrderContext,
  tx: Transaction,
  changed: { order: OrderRow; shipments: readonly ShipmentRow[]; changes: readonly Changed<LitItemRow>[] },
): { total: WorkCounts; byShipment: Map<number, WorkCounts> } {
  const byShipment = new Map(changed.shipments.map(({ id, counts }) => [id, counts]));
  let total = changed.order.counts;
  for (const { before, after } of changed.changes) {
    repositories.orders.saveItem(before, after);
    work.tellItem(tx, after.id);
    total = recounted(total, before, after);
    const counts = byShipment.get(after.shipmentId);
    if (counts !== undefined) byShipment.set(after.shipmentId, recounted(counts, before, after));
  }
  return { total, byShipment };
}
