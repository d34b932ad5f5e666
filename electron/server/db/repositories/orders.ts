import type { OrderState } from '#shared/api/order.ts';
import type { WorkCounts, ItemWork } from '../../domain/order.ts';
import type { Db } from '../db.ts';
import { mapped, statements } from './statements.ts';

/** The part of a shipment or an order that work changes. */
export type Work = {
  id: number;
  state: OrderState;
  /** Whether the callback about its fulfilment was created since the last launch. */
  isTold: boolean;
  counts: WorkCounts;
};

export type OrderRow = Work & {
  orderNumber: string;
  /** Random; part of the nonce of items without their own. */
  token: string;
  /** Null: not given. */
  ordernonce: string | null;
  color: string | null;
  seconds: number | null;
  sound: string | null;
  /** Created with items instead of shipments. */
  hasItems: boolean;
  createdAt: number;
  launchedAt: number | null;
  fulfilledAt: number | null;
};

export type ShipmentRow = Work & { orderId: number; shipmentNumber: string; shipmentnonce: string | null };

export type ItemRow = ItemWork & {
  id: number;
  orderId: number;
  shipmentId: number;
  /** As given in the request. */
  deviceId: string | null;
  /** Where it was last lit. */
  foundDeviceId: string | null;
  name: string | null;
  sku: string | null;
  upc: string | null;
  description: string | null;
  warehouseLocation: string | null;
  callbackNonce: string | null;
};

/** An item with its open command, if any. */
export type LitItemRow = ItemRow & { commandId: number | null; litDeviceId: string | null };

export type NewOrderRow = Omit<OrderRow, 'id'>;

/** As stored: flags are 0 or 1. */
type RawWork = WorkCounts & Pick<Work, 'id' | 'state'> & { isTold: 0 | 1 };
type RawOrder = RawWork & Omit<OrderRow, keyof Work | 'hasItems'> & { hasItems: 0 | 1 };
type RawShipment = RawWork & Omit<ShipmentRow, keyof Work>;
type RawItem = Omit<LitItemRow, 'unassigned'> & { unassigned: 0 | 1 };

/** Counts that change with the work; `zero_count` is written once. */
const COUNTS = `item_count, done_count, short_count, active_count, unassigned_count, ordered_quantity, quantity_fulfilled`;

const WORK = `id, state, is_told AS isTold, item_count AS items, done_count AS done, short_count AS short, active_count AS active,
  unassigned_count AS unassigned, zero_count AS zero, ordered_quantity AS ordered, quantity_fulfilled AS fulfilled`;
const ORDERS = `SELECT ${WORK}, order_number AS orderNumber, token, ordernonce, color, seconds, sound, has_items AS hasItems,
  created_at AS createdAt, launched_at AS launchedAt, fulfilled_at AS fulfilledAt FROM orders`;
const SHIPMENTS = `SELECT ${WORK}, order_id AS orderId, shipment_number AS shipmentNumber, shipmentnonce FROM shipments`;
const LIT_ITEMS = `SELECT items.id, order_id AS orderId, shipment_id AS shipmentId, ordered_quantity AS ordered,
    quantity_fulfilled AS fulfilled, items.state, is_unassigned AS unassigned, items.device_id AS deviceId,
    found_device_id AS foundDeviceId, name, sku, upc, description, warehouse_location AS warehouseLocation,
    callback_nonce AS callbackNonce, commands.id AS commandId, commands.device_id AS litDeviceId
  FROM items LEFT JOIN commands ON items.state = 'active' AND owner_kind = 'item' AND owner_id = items.id`;

/** Orders, shipments and items. Changes by work are written row by row. */
export function orderRows(db: Db) {
  const { find, insert, list, run, values } = statements(db);
  const one = find<[id: number], RawOrder>(`${ORDERS} WHERE id = ?`);
  const byNumber = find<[orderNumber: string], RawOrder>(`${ORDERS} WHERE order_number = ?`);
  const page = list<[after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const pageOfState = list<[state: string, after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE state = ? AND order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const shipment = find<[id: number], RawShipment>(`${SHIPMENTS} WHERE id = ?`);
  const shipmentsOf = list<[orderId: number], RawShipment>(`${SHIPMENTS} WHERE order_id = ? ORDER BY id`);
  const item = find<[id: number], RawItem>(`${LIT_ITEMS} WHERE items.id = ?`);
  const itemsOf = list<[orderId: number], RawItem>(`${LIT_ITEMS} WHERE order_id = ? ORDER BY items.id`);

  const insertOrder = insert(
    `INSERT INTO orders (order_number, token, ordernonce, color, seconds, sound, has_items, created_at, launched_at, fulfilled_at,
       state, is_told, ${COUNTS}, zero_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertShipment = insert(
    `INSERT INTO shipments (order_id, shipment_number, shipmentnonce, state, is_told, ${COUNTS}, zero_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertItem = run(
    `INSERT INTO items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, is_unassigned, device_id, found_device_id,
       name, sku, upc, description, warehouse_location, callback_nonce)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const saveCounts = (table: 'orders' | 'shipments') =>
    run(
      `UPDATE ${table} SET item_count = ?, done_count = ?, short_count = ?, active_count = ?, unassigned_count = ?,
         ordered_quantity = ?, quantity_fulfilled = ?, is_told = ? WHERE id = ?`,
    );
  const saveOrder = saveCounts('orders');
  const saveShipment = saveCounts('shipments');
  // Separate statement: the state is indexed, and most presses do not change it.
  const setOrderState = run('UPDATE orders SET state = ?, launched_at = ?, fulfilled_at = ? WHERE id = ?');
  const setShipmentState = run('UPDATE shipments SET state = ? WHERE id = ?');
  const saveItem = run('UPDATE items SET state = ?, quantity_fulfilled = ?, is_unassigned = ? WHERE id = ?');
  const setFound = run('UPDATE items SET found_device_id = ? WHERE id = ?');
  const give = (column: 'device_id' | 'found_device_id') =>
    values<[devices: { from: string; to: string }], number>(
      `UPDATE items SET ${column} = :to WHERE ${column} = :from AND state IN ('open', 'active', 'cancelled') RETURNING id`,
    );
  const giveGiven = give('device_id');
  const giveFound = give('found_device_id');
  const removeItems = run<[orderId: number]>('DELETE FROM items WHERE order_id = ?');
  const removeShipments = run<[orderId: number]>('DELETE FROM shipments WHERE order_id = ?');
  const removeOrder = run<[id: number]>('DELETE FROM orders WHERE id = ?');

  return {
    find: (id: number) => mapped(one(id), fromOrder),
    findByNumber: (orderNumber: string) => mapped(byNumber(orderNumber), fromOrder),
    /** Sorted by order number, beginning after `after`. */
    list({ state, after, limit }: { state: OrderState | undefined; after: string; limit: number }): OrderRow[] {
      return (state === undefined ? page(after, limit) : pageOfState(state, after, limit)).map(fromOrder);
    },
    findShipment: (id: number) => mapped(shipment(id), fromShipment),
    listShipments: (orderId: number) => shipmentsOf(orderId).map(fromShipment),
    findItem: (id: number) => mapped(item(id), fromItem),
    /** As ordered in the request. */
    listItems: (orderId: number) => itemsOf(orderId).map(fromItem),
    /** The insert functions return the id. */
    insertOrder(row: NewOrderRow): number {
      const given = [
        row.orderNumber,
        row.token,
        row.ordernonce,
        row.color,
        row.seconds,
        row.sound,
        row.hasItems ? 1 : 0,
      ];
      const times = [row.createdAt, row.launchedAt, row.fulfilledAt];
      return insertOrder(...given, ...times, ...workColumns(row));
    },
    insertShipment: (row: Omit<ShipmentRow, 'id'>) =>
      insertShipment(row.orderId, row.shipmentNumber, row.shipmentnonce, ...workColumns(row)),
    insertItem(row: Omit<ItemRow, 'id'>): void {
      const { orderId, shipmentId, ordered, fulfilled, state, unassigned, deviceId, foundDeviceId } = row;
      const work = [ordered, fulfilled, state, unassigned ? 1 : 0, deviceId, foundDeviceId];
      const given = [row.name, row.sku, row.upc, row.description, row.warehouseLocation, row.callbackNonce];
      insertItem(orderId, shipmentId, ...work, ...given);
    },
    /** `before`: as stored. */
    saveOrder(before: OrderRow, after: OrderRow): void {
      const { id, counts, isTold, state, launchedAt, fulfilledAt } = after;
      saveOrder(...countColumns(counts), isTold ? 1 : 0, id);
      const isSame = before.state === state && before.launchedAt === launchedAt && before.fulfilledAt === fulfilledAt;
      if (!isSame) setOrderState(state, launchedAt, fulfilledAt, id);
    },
    saveShipment(before: ShipmentRow, { id, counts, isTold, state }: ShipmentRow): void {
      saveShipment(...countColumns(counts), isTold ? 1 : 0, id);
      if (before.state !== state) setShipmentState(state, id);
    },
    saveItem(before: ItemRow, after: ItemRow): void {
      saveItem(after.state, after.fulfilled, after.unassigned ? 1 : 0, after.id);
      if (before.foundDeviceId !== after.foundDeviceId) setFound(after.foundDeviceId, after.id);
    },
    /** Moves the unfinished items of a replaced device to the other. Returns their ids. */
    giveItems: (from: string, to: string): Set<number> =>
      new Set([...giveGiven({ from, to }), ...giveFound({ from, to })]),
    remove(id: number): void {
      removeItems(id);
      removeShipments(id);
      removeOrder(id);
    },
  };
}

function countColumns({ items, done, short, active, unassigned, ordered, fulfilled }: WorkCounts): number[] {
  return [items, done, short, active, unassigned, ordered, fulfilled];
}

function workColumns({ state, isTold, counts }: Omit<Work, 'id'>): (string | number)[] {
  return [state, isTold ? 1 : 0, ...countColumns(counts), counts.zero];
}

function workOf(row: RawWork): Work {
  const { id, state, items, done, short, active, unassigned, zero, ordered, fulfilled } = row;
  const counts = { items, done, short, active, unassigned, zero, ordered, fulfilled };
  return { id, state, isTold: row.isTold === 1, counts };
}

function fromOrder(row: RawOrder): OrderRow {
  const { orderNumber, token, ordernonce, color, seconds, sound, createdAt, launchedAt, fulfilledAt } = row;
  const given = { orderNumber, token, ordernonce, color, seconds, sound, hasItems: row.hasItems === 1 };
  return { ...workOf(row), ...given, createdAt, launchedAt, fulfilledAt };
}

function fromShipment(row: RawShipment): ShipmentRow {
  const { orderId, shipmentNumber, shipmentnonce } = row;
  return { ...workOf(row), orderId, shipmentNumber, shipmentnonce };
}

/** Changes the row that was read: a list can have very many. */
function fromItem(row: RawItem): LitItemRow {
  return Object.assign(row, { unassigned: row.unassigned === 1 });
}
