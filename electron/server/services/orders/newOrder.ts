import type { NewItem, NewOrder, Order } from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { NewItemRow } from '../../db/repositories/items.ts';
import type { NewOrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { counted, type ItemWork, newItem, newWork, NO_ITEMS, type WorkCounts } from '../../domain/order.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import { slowWarning, type Target, type TargetTables } from '../devices/index.ts';
import { findItemTarget, findItemTargets, type ItemPlaces, type OrderLight } from './light.ts';
import type { Orders } from './orders.ts';
import type { EndedOrders, OrderWork } from './work.ts';

const TOKEN_BYTES = 9;

type NewShipment = NonNullable<NewOrder['shipments']>[number];

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

/** Where a launch would light each item now, in the order of shipments and items. */
export type PlacedItem = { item: NewItem; path: string; target: Target | undefined };

/** Finds the places of all items, by JSON Pointer. */
export function placeItems(tables: TargetTables, { shipments, items = [] }: NewOrder): PlacedItem[] {
  const lists = shipments?.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = (lists ?? [{ list: items, path: '/items' }]).flatMap(({ list, path }) =>
    list.map((item, index) => ({ item, path: `${path}/${index}` })),
  );
  const targets = findItemTargets(
    tables,
    all.map(({ item }) => placesOf(item)),
  );
  return all.map((one, index) => ({ ...one, target: isOpen(one.item) ? targets[index] : undefined }));
}

/** Items whose place is guessed. */
export function guessedItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ path, target }) =>
    target?.warning === undefined ? [] : [{ path, message: target.warning }],
  );
}

/** Items of a launched order that are lit at a guessed place, by JSON Pointer into the answer. */
export function guessesOf(tables: TargetTables, { shipments, items }: Order): FieldError[] {
  const lists = shipments.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = items === undefined ? lists : [{ list: items, path: '/items' }];
  return all.flatMap(({ list, path }) =>
    list.flatMap((item, index) => {
      if (!item.guessed || item.state !== 'active') return [];
      const target = findItemTarget(tables, { ...placesOf(item), deviceId: null });
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

/** How its commands light and sound. */
export function lightOf({ color, seconds, sound }: NewOrder): OrderLight {
  return { color: color ?? null, seconds: seconds ?? null, sound: sound ?? null };
}

/** Adds and replaces validated orders. `addWithin` throws `conflict` if the number exists. */
export function createNewOrders(parts: {
  repositories: Pick<Repositories, 'items' | 'orders'> & TargetTables;
  work: Pick<OrderWork, 'record' | 'tellOrder'>;
  endedOrders: Pick<EndedOrders, 'ended'>;
  ids: Pick<Ids, 'bytes'>;
}): Pick<Orders, 'addWithin' | 'replaceWithin'> {
  const { work, endedOrders, ids } = parts;
  const { orders, items: rows } = parts.repositories;

  /** The items of an order with what is guessed of them. */
  function readItems(
    wanted: NewOrder,
    placed: readonly PlacedItem[] = placeItems(parts.repositories, wanted),
  ): ItemLines {
    const guessed = new Set(placed.filter(({ target }) => target?.warning !== undefined).map(({ item }) => item));
    return (item) => itemOf(item, guessed.has(item));
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
    work.tellOrder(tx, orderId);
  }

  return {
    addWithin(tx, wanted, placed) {
      refuseKnown(orders, wanted.order_number);
      const token = Buffer.from(ids.bytes(TOKEN_BYTES)).toString('base64url');
      const lineOf = readItems(wanted, placed);
      const row = orderOf(wanted, { token, now: tx.now, lineOf });
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

function refuseKnown(orders: Repositories['orders'], orderNumber: string): void {
  if (orders.findByNumber(orderNumber) === undefined) return;
  const message = `There is an order ${orderNumber} already. DELETE /api/orders/{order_number}/ removes it.`;
  throw new StationError('conflict', message, [{ path: '/order_number', message }]);
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
    ...placesOf(item),
    foundDeviceId: null,
    description: item.description ?? null,
    callbackNonce: item.callback_nonce ?? null,
    isGuessed,
  };
}

function placesOf(item: Pick<NewItem, 'deviceid' | 'warehouse_location' | 'SKU' | 'UPC' | 'name'>): ItemPlaces {
  return {
    deviceId: item.deviceid ?? null,
    warehouseLocation: item.warehouse_location ?? null,
    sku: item.SKU ?? null,
    upc: item.UPC ?? null,
    name: item.name ?? null,
  };
}

/** Whether it is still to be picked. */
function isOpen({ ordered_quantity: ordered, quantity_fulfilled: fulfilled = 0 }: NewItem): boolean {
  return fulfilled < ordered;
}

function countsOf(lines: readonly ItemWork[]): WorkCounts {
  return lines.reduce(counted, NO_ITEMS);
}
