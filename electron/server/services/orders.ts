import type { Correction, Item, NewItem, NewOrder, Order, OrderProgress, OrderQuery } from '#shared/api/order.ts';
import type { LitItemRow, NewOrderRow, OrderRow, ShipmentRow } from '../db/repositories/orders.ts';
import type { Rows } from '../db/rows.ts';
import type { Unit, Writer } from '../db/writer.ts';
import { counted, isToLight, newItem, newWork, NO_ITEMS, type Counts } from '../domain/order.ts';
import { StationError } from '../errors.ts';
import type { Ids } from '../ports.ts';
import type { Callbacks } from './callbacks.ts';
import type { Commands, OwnedEnd } from './commands.ts';
import { itemAnswer, orderAnswer, orderProgress } from './orderAnswers.ts';
import { correctItem, endItem } from './orderItems.ts';
import { abortOrder, launchOrder, takeBack } from './orderLaunch.ts';
import { contentOfOrder, placesOfItems, type OrderLight } from './orderLight.ts';
import { createOrderWork, type Found } from './orderWork.ts';
import type { Portions } from './portions.ts';
import { searchAhead } from './searchAhead.ts';
import type { SettingsService } from './settings.ts';

/** Orders of shipments of items, which are lit all at once and picked in any order. Contract, section 8. */
export type Orders = {
  /** In the order of their numbers. */
  list(query: OrderQuery): Order[];
  listProgress(query: OrderQuery): OrderProgress[];
  /** Throws `not_found`. */
  get(orderNumber: string): Order;
  /** Throws `conflict` where there is an order of that number, `invalid` for a colour or a sound that there is not. */
  add(wanted: NewOrder): Promise<Order>;
  /** Lights what is to be picked and is not lit. Throws `not_found`, or `conflict` where there is nothing to light. */
  launch(orderNumber: string, by: string): Promise<Order>;
  /** Turns everything of it off. Throws `not_found`. */
  abort(orderNumber: string, by: string): Promise<Order>;
  /** The same, and it is gone. Throws `not_found`. */
  remove(orderNumber: string, by: string): Promise<void>;
  /** Somebody says what is fulfilled of an item. Throws `not_found`. */
  correct(orderNumber: string, itemId: number, correction: Correction, by: string): Promise<Item>;
  /** For the queue: the command of an item is over. Runs inside its use-case. */
  ended(unit: Unit, ended: OwnedEnd): void;
  /** For the queue: the command of an item is another one now. Runs inside its use-case. */
  itemMoved(unit: Unit, itemId: number): void;
  /** Within a use-case: another device stands where this one stood. */
  deviceReplaced(unit: Unit, from: string, to: string): void;
};

/** Of orders with their items, and without. */
const LIMIT = 1_000;
/** Items in one answer, beyond which no order is begun. */
const MOST_LISTED_ITEMS = 50_000;
const TOKEN_BYTES = 9;

export function createOrders(parts: {
  rows: Rows;
  reads: Rows;
  writer: Writer;
  commands: Commands;
  callbacks: Callbacks;
  settings: SettingsService;
  portions: Pick<Portions, 'take'>;
  ids: Ids;
}): Orders {
  const { rows, reads, writer, commands, callbacks, settings, portions, ids } = parts;
  const work = createOrderWork({ rows, callbacks, templates: () => settings.current() });
  const context = { rows, commands, callbacks, work, defaults: () => settings.current() };

  function answer(source: Rows, order: OrderRow): Order {
    return orderAnswer(order, source.orders.listShipments(order.id), source.orders.listItems(order.id));
  }

  /** One use-case that goes through all items of an order. */
  function writeWhole<T>(orderNumber: string, useCase: (unit: Unit, order: OrderRow) => T): Promise<T> {
    const size = reads.orders.findByNumber(orderNumber)?.counts.items ?? 0;
    return portions.take(size, () => writer.write((unit) => useCase(unit, getFrom(rows, orderNumber))));
  }

  /** Within a use-case: what is answered took effect, whatever becomes of the order in the same commit. */
  const now = (orderNumber: string): Order => answer(rows, getFrom(rows, orderNumber));

  function page({ state, after = '', limit = LIMIT }: OrderQuery): OrderRow[] {
    return reads.orders.list({ state, after, limit });
  }

  return {
    list(query) {
      const orders: Order[] = [];
      let items = 0;
      for (const order of page(query)) {
        items += order.counts.items;
        if (orders.length > 0 && items > MOST_LISTED_ITEMS) break;
        orders.push(answer(reads, order));
      }
      return orders;
    },
    listProgress: (query) => page(query).map(orderProgress),
    get: (orderNumber) => answer(reads, getFrom(reads, orderNumber)),
    async add(wanted) {
      // Said now, and not to the worker who waits for the launch.
      contentOfOrder(lightOf(wanted), settings.current());
      const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');
      const { shipments = [], items = [] } = wanted;
      const size = shipments.reduce((sum, shipment) => sum + shipment.items.length, items.length);
      return portions.take(size, () =>
        writer.write((unit) => {
          work.tellOrder(unit, insert(rows, wanted, { token, now: unit.now }));
          return now(wanted.order_number);
        }),
      );
    },
    async launch(orderNumber, by) {
      const items = reads.orders.listItems(getFrom(reads, orderNumber).id).filter(isToLight);
      await searchAhead({ rows, writer }, placesOfItems(reads, items));
      return writeWhole(orderNumber, (unit, order) => {
        launchOrder(context, unit, order, by);
        return now(orderNumber);
      });
    },
    abort: (orderNumber, by) =>
      writeWhole(orderNumber, (unit, order) => {
        abortOrder(context, unit, order, by);
        return now(orderNumber);
      }),
    remove: (orderNumber, by) =>
      writeWhole(orderNumber, (unit, order) => {
        takeBack(context, unit, rows.orders.listItems(order.id), by);
        rows.orders.remove(order.id);
        work.record(unit, order, { kind: 'order_removed', qty: order.counts.fulfilled, detail: { by } });
        unit.emit({ type: 'order.removed', order_number: orderNumber });
      }),
    correct: (orderNumber, itemId, correction, by) =>
      writer.write((unit) => {
        const order = getFrom(rows, orderNumber);
        const found = findItem(rows, itemId);
        if (found?.order.id !== order.id) throw noItem(orderNumber, itemId);
        correctItem(context, unit, found, { ...correction, by });
        return itemAnswer(rows.orders.findItem(itemId) ?? found.item);
      }),
    ended(unit, ended) {
      const found = findItem(rows, ended.owner.id);
      if (found !== undefined) endItem(context, unit, found, ended);
    },
    itemMoved: work.tellItem,
    deviceReplaced(unit, from, to) {
      for (const itemId of rows.orders.giveItems(from, to)) work.tellItem(unit, itemId);
    },
  };
}

function getFrom(source: Rows, orderNumber: string): OrderRow {
  const order = source.orders.findByNumber(orderNumber);
  if (order !== undefined) return order;
  throw new StationError('not_found', `There is no order ${orderNumber}. GET /api/orders/ lists them.`);
}

function noItem(orderNumber: string, itemId: number): StationError {
  return new StationError(
    'not_found',
    `Order ${orderNumber} has no item ${itemId}. GET /api/orders/{order_number}/ says the id of each.`,
  );
}

function findItem(rows: Rows, itemId: number): Found | undefined {
  const item = rows.orders.findItem(itemId);
  if (item === undefined) return undefined;
  const order = rows.orders.find(item.orderId);
  const shipment = rows.orders.findShipment(item.shipmentId);
  return order === undefined || shipment === undefined ? undefined : { order, shipment, item };
}

function lightOf({ color, seconds, sound }: NewOrder): OrderLight {
  return { color: color ?? null, seconds: seconds ?? null, sound: sound ?? null };
}

/** Answers the order's id. Throws `conflict`. */
function insert(rows: Rows, wanted: NewOrder, { token, now }: { token: string; now: number }): number {
  const { order_number: orderNumber, items } = wanted;
  if (rows.orders.findByNumber(orderNumber) !== undefined) {
    const message = `There is an order ${orderNumber} already. DELETE /api/orders/{order_number}/ removes it.`;
    throw new StationError('conflict', message, [{ path: '/order_number', message }]);
  }
  const shipments = wanted.shipments ?? [{ shipment_number: orderNumber, items: items ?? [] }];
  const counts = countsOf(shipments.flatMap((shipment) => shipment.items));
  const state = newWork(counts);
  const order: NewOrderRow = {
    orderNumber,
    token,
    ordernonce: wanted.ordernonce ?? null,
    ...lightOf(wanted),
    hasItems: items !== undefined,
    createdAt: now,
    launchedAt: null,
    fulfilledAt: state === 'fulfilled' ? now : null,
    state,
    isTold: false,
    counts,
  };
  const orderId = rows.orders.insertOrder(order);
  for (const { shipment_number: shipmentNumber, shipmentnonce = null, items: itsItems } of shipments) {
    const itsCounts = countsOf(itsItems);
    const work: Omit<ShipmentRow, 'id'> = {
      orderId,
      shipmentNumber,
      shipmentnonce,
      state: newWork(itsCounts),
      isTold: false,
      counts: itsCounts,
    };
    const shipmentId = rows.orders.insertShipment(work);
    for (const item of itsItems) rows.orders.insertItem({ orderId, shipmentId, ...itemOf(item) });
  }
  return orderId;
}

function itemOf(item: NewItem): Omit<LitItemRow, 'id' | 'orderId' | 'shipmentId' | 'commandId' | 'litDeviceId'> {
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

function countsOf(items: readonly NewItem[]): Counts {
  return items.reduce(
    (counts, item) => counted(counts, newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0)),
    NO_ITEMS,
  );
}
