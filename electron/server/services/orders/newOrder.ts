import type { NewItem, NewOrder } from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { ItemRow } from '../../db/repositories/items.ts';
import { HIDDEN, type NewOrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { counted, newItem, newWork, NO_ITEMS, type WorkCounts } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Ids, Log } from '../../ports.ts';
import type { LaunchLimiter } from '../base/index.ts';
import { slowWarning, type TargetTables } from '../devices/index.ts';
import { type OrderContext, putLastTask } from './launch.ts';
import { findItemTarget, type OrderLight } from './light.ts';
import type { Orders } from './orders.ts';
import type { OrderTasks } from './tasks.ts';
import type { EndedOrders } from './work.ts';

/** Items whose places are searched for when an order is created: more would hold up presses. */
const MAX_PLACED = 50;
/** Items and shipments that one use-case writes: a few milliseconds. The launch limiter lets no other work beside more of them. */
const AT_ONCE = 500;
/** Items of one part of a turn of the writer. */
const PART = 8;
const TOKEN_BYTES = 9;

type OrderTables = Pick<Repositories, 'items' | 'orders'>;
type NewShipment = NonNullable<NewOrder['shipments']>[number];
type Created = { token: string; now: number };

/** Items of one shipment that are written together; with the first of them the shipment. */
type NewOrderPart = { shipment: NewShipment; isFirst: boolean; items: readonly NewItem[] };

/** How many items and shipments it has. */
export function sizeOf({ shipments = [], items = [] }: NewOrder): number {
  return shipments.reduce((sum, shipment) => sum + shipment.items.length, items.length + shipments.length);
}

/** Items of 0, by JSON Pointer: they are accepted as done, but may be a mistake of the caller. */
export function zeroItems({ shipments = [], items = [] }: NewOrder): FieldError[] {
  const found = (list: readonly NewItem[], path: string): FieldError[] =>
    list.flatMap(({ ordered_quantity: quantity }, index) =>
      quantity === 0
        ? [{ path: `${path}/${index}/ordered_quantity`, message: 'It is 0: the item is done and never lit.' }]
        : [],
    );
  return [
    ...found(items, '/items'),
    ...shipments.flatMap((shipment, index) => found(shipment.items, `/shipments/${index}/items`)),
  ];
}

/** Items among the first of an order that a launch would light at a slow device, by JSON Pointer. */
export function slowItems(tables: TargetTables, { shipments, items = [] }: NewOrder): FieldError[] {
  const lists = shipments?.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = (lists ?? [{ list: items, path: '/items' }]).flatMap(({ list, path }) =>
    list.slice(0, MAX_PLACED).map((item, index) => ({ item, path: `${path}/${index}` })),
  );
  return all.slice(0, MAX_PLACED).flatMap(({ item, path }) => {
    const target = item.ordered_quantity === 0 ? undefined : findItemTarget(tables, itemOf(item));
    const message = target && slowWarning(target);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** How its commands light and sound. */
export function lightOf({ color, seconds, sound }: NewOrder): OrderLight {
  return { color: color ?? null, seconds: seconds ?? null, sound: sound ?? null };
}

/** Adds orders that were checked: `addAlone` and `addWithin` of `Orders`. */
export function createNewOrders(parts: {
  context: OrderContext;
  reads: Pick<Repositories, 'orders'>;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  tasks: Pick<OrderTasks, 'finish'>;
  endedOrders: Pick<EndedOrders, 'ended'>;
  launchLimiter: Pick<LaunchLimiter, 'take'>;
  ids: Pick<Ids, 'bytes'>;
  log: Log;
}): Pick<Orders, 'addAlone' | 'addWithin'> {
  const { context, reads, writer, tasks, endedOrders, launchLimiter, ids, log } = parts;
  const { repositories, work } = context;

  const newToken = (): string => Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');

  const addWithin: Orders['addWithin'] = (tx, wanted) => {
    const id = insertOrder(repositories, wanted, { token: newToken(), now: tx.now });
    appears(tx, id, wanted);
    return id;
  };

  function appears(tx: Transaction, id: number, wanted: NewOrder): void {
    work.tellOrder(tx, id);
    if (repositories.orders.find(id)?.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
  }

  /**
   * Adds a large order, of which there is one at a time: its parts are written hidden, and presses go between. What a kill
   * or a full disk leaves of it has the task to be removed.
   */
  async function addInParts<T>(wanted: NewOrder, within: (tx: Transaction, add: () => number) => T): Promise<T> {
    const left = reads.orders.findHidden();
    if (left !== undefined) await tasks.finish(left.id);
    const token = newToken();
    const id = await writer.write((tx) => {
      const orderId = insertHidden(repositories, wanted, { token, now: tx.now });
      putLastTask(context, { id: orderId }, 'remove', '');
      return orderId;
    });
    const write = partWriter(repositories, id);
    try {
      await writer.writeEach(
        partsOf(wanted),
        (_tx, part) => write(part),
        (error) => {
          throw error;
        },
      );
      return await writer.write((tx) =>
        within(tx, () => {
          showOrder(repositories, id, wanted, { token, now: tx.now });
          repositories.orderTasks.removeAll(id);
          appears(tx, id, wanted);
          return id;
        }),
      );
    } finally {
      // Does nothing if it was added.
      await tasks.finish(id).catch((error: unknown) => {
        log.warn({ err: error }, 'What is left of a large order that was not added is removed later');
      });
    }
  }

  return {
    addWithin,
    addAlone(wanted, within) {
      const size = sizeOf(wanted);
      return launchLimiter.take(size, () =>
        needsParts(size) ? addInParts(wanted, within) : writer.write((tx) => within(tx, () => addWithin(tx, wanted))),
      );
    },
  };
}

/** Within a use-case: writes a new order. Answers its id. Throws `conflict`. */
function insertOrder(tables: OrderTables, wanted: NewOrder, created: Created): number {
  refuseKnown(tables, wanted.order_number);
  const orderId = tables.orders.insertOrder(orderOf(wanted, created));
  const write = partWriter(tables, orderId);
  for (const part of partsOf(wanted)) write(part);
  return orderId;
}

/** Whether a use-case that writes so many items and shipments takes so long that they are written in parts. */
export function needsParts(size: number): boolean {
  return size > AT_ONCE;
}

/** Within a use-case: writes a new order, still hidden, without its parts. Answers its id. Throws `conflict`. */
function insertHidden(tables: OrderTables, wanted: NewOrder, created: Created): number {
  refuseKnown(tables, wanted.order_number);
  return tables.orders.insertOrder({ ...orderOf(wanted, created), orderNumber: HIDDEN, state: 'aborted' });
}

/** Within a use-case: a hidden order appears. Throws `conflict`. */
function showOrder(tables: OrderTables, orderId: number, wanted: NewOrder, created: Created): void {
  refuseKnown(tables, wanted.order_number);
  tables.orders.show(orderId, orderOf(wanted, created));
}

function refuseKnown({ orders }: OrderTables, orderNumber: string): void {
  if (orders.findByNumber(orderNumber) === undefined) return;
  const message = `There is an order ${orderNumber} already. DELETE /api/orders/{order_number}/ removes it.`;
  throw new StationError('conflict', message, [{ path: '/order_number', message }]);
}

function orderOf(wanted: NewOrder, { token, now }: Created): NewOrderRow {
  const counts = countsOf(shipmentsOf(wanted).flatMap(({ items }) => items));
  const state = newWork(counts);
  return {
    orderNumber: wanted.order_number,
    token,
    ordernonce: wanted.ordernonce ?? null,
    ...lightOf(wanted),
    hasItems: wanted.items !== undefined,
    priority: wanted.priority ?? 0,
    dueAt: wanted.due_time === undefined ? null : Date.parse(wanted.due_time),
    scanRequired: wanted.scan_required ?? null,
    createdAt: now,
    launchedAt: null,
    fulfilledAt: state === 'fulfilled' ? now : null,
    state,
    isTold: false,
    counts,
  };
}

function shipmentsOf({ order_number, shipments, items = [] }: NewOrder): readonly NewShipment[] {
  return shipments ?? [{ shipment_number: order_number, items }];
}

/** In the order in which they are to be written. */
function partsOf(wanted: NewOrder): NewOrderPart[] {
  return shipmentsOf(wanted).flatMap((shipment) =>
    Array.from({ length: Math.max(1, Math.ceil(shipment.items.length / PART)) }, (_, index) => ({
      shipment,
      isFirst: index === 0,
      items: shipment.items.slice(index * PART, (index + 1) * PART),
    })),
  );
}

/** Within use-cases: writes the parts of an order, one after the other. */
function partWriter({ orders, items: rows }: OrderTables, orderId: number): (part: NewOrderPart) => void {
  let shipmentId = 0;
  return ({ shipment, isFirst, items }) => {
    if (isFirst) {
      const { shipment_number: shipmentNumber, shipmentnonce = null } = shipment;
      const counts = countsOf(shipment.items);
      const state = newWork(counts);
      shipmentId = orders.insertShipment({ orderId, shipmentNumber, shipmentnonce, state, isTold: false, counts });
    }
    for (const item of items) rows.insert({ orderId, shipmentId, ...itemOf(item) });
  };
}

function itemOf(item: NewItem): Omit<ItemRow, 'id' | 'orderId' | 'shipmentId' | 'picker' | 'isVerified'> {
  return {
    ...newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0),
    deviceId: item.deviceid ?? null,
    foundDeviceId: null,
    name: item.name ?? null,
    sku: item.SKU ?? null,
    upc: item.UPC ?? null,
    description: item.description ?? null,
    warehouseLocation: item.warehouse_location ?? null,
    callbackNonce: item.callback_nonce ?? null,
  };
}

function countsOf(items: readonly NewItem[]): WorkCounts {
  return items.reduce(
    (counts, item) => counted(counts, newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0)),
    NO_ITEMS,
  );
}
