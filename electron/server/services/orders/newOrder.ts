import type { NewItem, NewOrder, Order } from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { NewItemRow } from '../../db/repositories/items.ts';
import type { NewOrderRow, OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { counted, type ItemWork, newItem, newWork, NO_ITEMS, type WorkCounts } from '../../domain/order.ts';
import { quote } from '#shared/lib/screenElements.ts';
import { OrderExists } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import { findByLocation, slowWarning, type Target, type TargetTables, withNamesOnce } from '../devices/index.ts';
import { findItemTarget, findItemTargets, itemPlaces, type OrderLight } from './light.ts';
import type { Orders } from './orders.ts';
import type { EndedOrders, OrderWork } from './work.ts';

const TOKEN_BYTES = 9;

type NewShipment = NonNullable<NewOrder['shipments']>[number];

/** Reports an order without items, since it can never be launched. */
export function noItems({ shipments, items = [] }: NewOrder): FieldError[] {
  const count = (shipments ?? [{ items }]).reduce((sum, one) => sum + one.items.length, 0);
  const path = shipments === undefined ? '/items' : '/shipments';
  return count > 0
    ? []
    : [{ path, message: 'The order has no items: it cannot be launched, and items cannot be added later.' }];
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

/** Items with more picked than ordered, by JSON Pointer: they are accepted as done, but the two may be swapped. */
export function overfilledItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path }) => {
    const { ordered_quantity: ordered, quantity_fulfilled: fulfilled = 0 } = item;
    if (fulfilled <= ordered) return [];
    const message = `${fulfilled} is more than the ordered_quantity ${ordered}: the item is done and never lit.`;
    return [{ path: `${path}/quantity_fulfilled`, message }];
  });
}

/** An item with the place where a launch would light it now. `path`: its JSON Pointer. */
export type PlacedItem = { item: NewItem; path: string; target: Target | undefined };

/** Finds the places of all items, in the order of shipments and items. */
export function placeItems(tables: TargetTables, { shipments, items = [] }: NewOrder): PlacedItem[] {
  const lists = shipments?.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = (lists ?? [{ list: items, path: '/items' }]).flatMap(({ list, path }) =>
    list.map((item, index) => ({ item, path: `${path}/${index}` })),
  );
  const targets = findItemTargets(
    tables,
    all.map(({ item }) => itemPlaces(item)),
  );
  return all.map((one, index) => ({ ...one, target: isOpen(one.item) ? targets[index] : undefined }));
}

/** Warnings about items with a guessed place. */
export function guessedItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ path, target }) =>
    target?.warning === undefined ? [] : [{ path, message: target.warning }],
  );
}

/** Warnings about items that are lit at a guessed place. Paths point into the answer. */
export function guessesOf(tables: TargetTables, { shipments, items }: Order): FieldError[] {
  const lists = shipments.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = items === undefined ? lists : [{ list: items, path: '/items' }];
  const named = withNamesOnce(tables);
  return all.flatMap(({ list, path }) =>
    list.flatMap((item, index) => {
      if (!item.guessed || item.state !== 'active') return [];
      const target = findItemTarget(named, { ...itemPlaces(item), deviceId: null });
      return target?.warning === undefined ? [] : [{ path: `${path}/${index}`, message: target.warning }];
    }),
  );
}

/** Items that a launch would light at a slow device. */
export function slowItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ path, target }) => {
    const message = target && slowWarning(target);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** Warnings for open items that name an unknown device. A launch uses the other places of such an item. */
export function unknownDevices(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path, target }) => {
    const { deviceid } = item;
    if (deviceid === undefined || deviceid === null || !isOpen(item) || target?.deviceId === deviceid) return [];
    const instead =
      target === undefined ? 'The item lights nothing until there is one.' : `${target.deviceId} is used.`;
    return [{ path: `${path}/deviceid`, message: `There is no device ${deviceid} yet. ${instead}` }];
  });
}

/** Warnings for open items that name a place where no device is found, or one that is not a place of the device that they name. */
export function unusedPlaces(tables: TargetTables, placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path, target }) => {
    const { deviceid = null, warehouse_location: place = '' } = item;
    if (place === '' || !isOpen(item) || target?.warning !== undefined) return [];
    const isAtDevice = target !== undefined && target.deviceId === deviceid;
    const message = isAtDevice ? otherPlace(tables, place, target) : unknownPlace(tables, place, target);
    return message === undefined ? [] : [{ path: `${path}/warehouse_location`, message }];
  });
}

function unknownPlace(tables: TargetTables, place: string, target: Target | undefined): string | undefined {
  if (target === undefined)
    return `No device is found at ${quote(place)} yet. The item lights nothing until there is one.`;
  if (findByLocation(tables, place) !== undefined) return undefined;
  return `No device is found at ${quote(place)}. ${target.deviceId} is used, which has the name of the article.`;
}

/** A device without names may have any place. */
function otherPlace(tables: TargetTables, place: string, { deviceId, label }: Target): string | undefined {
  const found = findByLocation(tables, place);
  if (found?.deviceId === deviceId) return undefined;
  const hasNames = label !== '' || tables.aliases.listByDevice(deviceId).length > 0;
  if (found === undefined && !hasNames) return undefined;
  const where = found === undefined ? 'No device is found there.' : `It is that of ${found.deviceId}.`;
  return `${quote(place)} is not a place of ${deviceId}, where the item is lit. ${where}`;
}

/** How its commands light and sound. */
export function lightOf({ color, seconds, sound }: NewOrder): OrderLight {
  return { color: color ?? null, seconds: seconds ?? null, sound: sound ?? null };
}

/** Adds and replaces validated orders. `addWithin` throws `conflict` if the number exists. */
export function createNewOrders(parts: {
  repositories: Pick<Repositories, 'items' | 'orders'> & TargetTables;
  work: Pick<OrderWork, 'publishOrder' | 'record'>;
  endedOrders: Pick<EndedOrders, 'ended'>;
  ids: Pick<Ids, 'bytes'>;
}): Pick<Orders, 'addWithin' | 'replaceWithin'> {
  const { work, endedOrders, ids } = parts;
  const { orders, items: rows } = parts.repositories;

  /** Returns a function that converts an item to its row, including whether its place is guessed. */
  function readItems(
    wanted: NewOrder,
    placed: readonly PlacedItem[] = placeItems(parts.repositories, wanted),
  ): ItemLines {
    const guessed = new Set(placed.filter(({ target }) => target?.warning !== undefined).map(({ item }) => item));
    return (item) => itemOf(item, guessed.has(item));
  }

  /** Whether the order has the same shipments and items, apart from picked quantities. */
  function hasSameLines(orderId: number, wanted: NewOrder, lineOf: ItemLines): boolean {
    const shipments = orders.listShipments(orderId);
    const stored = rows.listOf(orderId);
    const ours = shipments.map(({ id, shipmentNumber, shipmentnonce }) => [
      shipmentNumber,
      shipmentnonce,
      stored.filter(({ shipmentId }) => shipmentId === id).map(asked),
    ]);
    const theirs = shipmentsOf(wanted).map(({ shipment_number: number, shipmentnonce = null, items }) => [
      number,
      shipmentnonce,
      items.map((item) => asked(lineOf(item))),
    ]);
    return JSON.stringify(ours) === JSON.stringify(theirs);
  }

  function addLines(tx: Transaction, orderId: number, wanted: NewOrder, lineOf: ItemLines): void {
    for (const { shipment_number: shipmentNumber, shipmentnonce = null, items } of shipmentsOf(wanted)) {
      const lines = items.map(lineOf);
      const counts = countsOf(lines);
      const state = newWork(counts);
      const shipmentId = orders.insertShipment({
        orderId,
        shipmentNumber,
        shipmentnonce,
        state,
        isTold: false,
        counts,
      });
      for (const line of lines) rows.insert({ orderId, shipmentId, ...line });
    }
    work.publishOrder(tx, orderId);
  }

  return {
    addWithin(tx, wanted, placed) {
      const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');
      const lineOf = readItems(wanted, placed);
      const row = orderOf(wanted, { token, now: tx.now, lineOf });
      const known = orders.findByNumber(wanted.order_number);
      if (known !== undefined) throw exists(known, isSame(known, row) && hasSameLines(known.id, wanted, lineOf));
      const orderId = orders.insertOrder(row);
      addLines(tx, orderId, wanted, lineOf);
      if (row.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
      return orderId;
    },
    replaceWithin(tx, order, wanted, { by, changed }) {
      const { id, token, createdAt } = order;
      const lineOf = readItems(wanted);
      const row = { ...orderOf(wanted, { token, now: tx.now, lineOf }), createdAt };
      orders.replace(id, row, tx.now);
      addLines(tx, id, wanted, lineOf);
      work.record(tx, order, { kind: 'order_changed', qty: 0, detail: { by, changed } });
      if (row.state === 'fulfilled') endedOrders.ended(tx, wanted.order_number);
    },
  };
}

function exists({ orderNumber }: OrderRow, isSameOrder: boolean): OrderExists {
  const what = isSameOrder ? 'the same content' : 'different content';
  const message = `Order ${orderNumber} already exists, with ${what}. GET /api/orders/${encodeURIComponent(orderNumber)}/ shows it. Nothing was done.`;
  return new OrderExists(message, isSameOrder);
}

/** Whether both orders have the same fields, apart from shipments and items. */
function isSame(order: OrderRow, row: NewOrderRow): boolean {
  const own = ({ ordernonce, color, seconds, sound, hasItems, priority, dueAt, ...rest }: NewOrderRow) => {
    const { customer, note, scanRequired } = rest;
    return JSON.stringify([ordernonce, color, seconds, sound, hasItems, priority, dueAt, customer, note, scanRequired]);
  };
  return own(order) === own(row);
}

/** The fields of an item that do not change while it is picked. */
function asked({ ordered, deviceId, warehouseLocation, sku, upc, name, description, callbackNonce }: ItemLine) {
  return [ordered, deviceId, warehouseLocation, sku, upc, name, description, callbackNonce];
}

function orderOf(
  wanted: NewOrder,
  { token, now, lineOf }: { token: string; now: number; lineOf: ItemLines },
): NewOrderRow {
  const counts = countsOf(shipmentsOf(wanted).flatMap(({ items }) => items.map(lineOf)));
  const state = newWork(counts);
  return {
    orderNumber: wanted.order_number,
    token,
    ordernonce: wanted.ordernonce ?? null,
    ...lightOf(wanted),
    hasItems: wanted.items !== undefined,
    priority: wanted.priority ?? 0,
    dueAt: wanted.due_time === undefined ? null : Date.parse(wanted.due_time),
    customer: wordsOrNull(wanted.customer),
    note: wordsOrNull(wanted.note),
    scanRequired: wanted.scan_required ?? null,
    createdAt: now,
    launchedAt: null,
    fulfilledAt: state === 'fulfilled' ? now : null,
    state,
    isTold: false,
    counts,
  };
}

/** Blank: not given. */
export function wordsOrNull(text: string | null | undefined): string | null {
  const words = (text ?? '').trim();
  return words === '' ? null : words;
}

function shipmentsOf({ order_number, shipments, items = [] }: NewOrder): readonly NewShipment[] {
  return shipments ?? [{ shipment_number: order_number, items }];
}

/** An item as stored, before anybody picks it. */
type ItemLine = Omit<NewItemRow, 'orderId' | 'shipmentId'>;
type ItemLines = (item: NewItem) => ItemLine;

function itemOf(item: NewItem, isGuessed: boolean): ItemLine {
  return {
    ...newItem(item.ordered_quantity, item.quantity_fulfilled ?? 0),
    ...itemPlaces(item),
    foundDeviceId: null,
    description: item.description ?? null,
    callbackNonce: item.callback_nonce ?? null,
    isGuessed,
  };
}

/** Whether it is still to be picked. */
function isOpen({ ordered_quantity: ordered, quantity_fulfilled: fulfilled = 0 }: NewItem): boolean {
  return fulfilled < ordered;
}

function countsOf(lines: readonly ItemWork[]): WorkCounts {
  return lines.reduce(counted, NO_ITEMS);
}
