import type { OrderState } from '#shared/api/order.ts';
import type { WorkCounts, ItemWork } from '../../domain/order.ts';
import type { Db } from '../db.ts';

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

type RawWork = {
  id: number;
  state: OrderState;
  is_told: 0 | 1;
  item_count: number;
  done_count: number;
  short_count: number;
  active_count: number;
  unassigned_count: number;
  zero_count: number;
  ordered_quantity: number;
  quantity_fulfilled: number;
};
type RawOrder = RawWork & {
  order_number: string;
  token: string;
  ordernonce: string | null;
  color: string | null;
  seconds: number | null;
  sound: string | null;
  has_items: 0 | 1;
  created_at: number;
  launched_at: number | null;
  fulfilled_at: number | null;
};
type RawShipment = RawWork & { order_id: number; shipment_number: string; shipmentnonce: string | null };
type RawItem = {
  id: number;
  order_id: number;
  shipment_id: number;
  ordered_quantity: number;
  quantity_fulfilled: number;
  state: ItemRow['state'];
  is_unassigned: 0 | 1;
  device_id: string | null;
  found_device_id: string | null;
  name: string | null;
  sku: string | null;
  upc: string | null;
  description: string | null;
  warehouse_location: string | null;
  callback_nonce: string | null;
};
type RawLitItem = RawItem & { command_id: number | null; lit_device_id: string | null };

/** Counts that change with the work; `zero_count` is written once. */
const COUNTS = `item_count, done_count, short_count, active_count, unassigned_count, ordered_quantity, quantity_fulfilled`;

export type OrderRows = ReturnType<typeof orderRows>;

/** Orders, shipments and items. Changes by work are written row by row. */
export function orderRows(db: Db) {
  const orderColumns = `id, order_number, token, ordernonce, color, seconds, sound, has_items, created_at, launched_at, fulfilled_at,
    state, is_told, ${COUNTS}, zero_count`;
  const shipmentColumns = `id, order_id, shipment_number, shipmentnonce, state, is_told, ${COUNTS}, zero_count`;
  const itemColumns = `items.id, order_id, shipment_id, ordered_quantity, quantity_fulfilled, items.state, is_unassigned, items.device_id,
    found_device_id, name, sku, upc, description, warehouse_location, callback_nonce`;
  const litItems = `SELECT ${itemColumns}, commands.id AS command_id, commands.device_id AS lit_device_id
    FROM items LEFT JOIN commands ON items.state = 'active' AND owner_kind = 'item' AND owner_id = items.id`;

  const one = db.prepare<[number], RawOrder>(`SELECT ${orderColumns} FROM orders WHERE id = ?`);
  const byNumber = db.prepare<[string], RawOrder>(`SELECT ${orderColumns} FROM orders WHERE order_number = ?`);
  const page = db.prepare<[string, number], RawOrder>(
    `SELECT ${orderColumns} FROM orders WHERE order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const pageOfState = db.prepare<[string, string, number], RawOrder>(
    `SELECT ${orderColumns} FROM orders WHERE state = ? AND order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const shipment = db.prepare<[number], RawShipment>(`SELECT ${shipmentColumns} FROM shipments WHERE id = ?`);
  const shipmentsOf = db.prepare<[number], RawShipment>(
    `SELECT ${shipmentColumns} FROM shipments WHERE order_id = ? ORDER BY id`,
  );
  const item = db.prepare<[number], RawLitItem>(`${litItems} WHERE items.id = ?`);
  const itemsOf = db.prepare<[number], RawLitItem>(`${litItems} WHERE order_id = ? ORDER BY items.id`);

  const insertOrder = db.prepare(
    `INSERT INTO orders (order_number, token, ordernonce, color, seconds, sound, has_items, created_at, launched_at, fulfilled_at,
       state, is_told, ${COUNTS}, zero_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertShipment = db.prepare(
    `INSERT INTO shipments (order_id, shipment_number, shipmentnonce, state, is_told, ${COUNTS}, zero_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertItem = db.prepare(
    `INSERT INTO items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, is_unassigned, device_id, found_device_id,
       name, sku, upc, description, warehouse_location, callback_nonce)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const saveCounts = (table: 'orders' | 'shipments') =>
    db.prepare(
      `UPDATE ${table} SET item_count = ?, done_count = ?, short_count = ?, active_count = ?, unassigned_count = ?,
         ordered_quantity = ?, quantity_fulfilled = ?, is_told = ? WHERE id = ?`,
    );
  const saveOrder = saveCounts('orders');
  const saveShipment = saveCounts('shipments');
  // Separate statement: the state is indexed, and most presses do not change it.
  const setOrderState = db.prepare('UPDATE orders SET state = ?, launched_at = ?, fulfilled_at = ? WHERE id = ?');
  const setShipmentState = db.prepare('UPDATE shipments SET state = ? WHERE id = ?');
  const saveItem = db.prepare('UPDATE items SET state = ?, quantity_fulfilled = ?, is_unassigned = ? WHERE id = ?');
  const setFound = db.prepare('UPDATE items SET found_device_id = ? WHERE id = ?');
  const give = (column: 'device_id' | 'found_device_id') =>
    db
      .prepare<{ from: string; to: string }, number>(
        `UPDATE items SET ${column} = :to WHERE ${column} = :from AND state IN ('open', 'active', 'cancelled') RETURNING id`,
      )
      .pluck();
  const giveGiven = give('device_id');
  const giveFound = give('found_device_id');
  const removeItems = db.prepare('DELETE FROM items WHERE order_id = ?');
  const removeShipments = db.prepare('DELETE FROM shipments WHERE order_id = ?');
  const removeOrder = db.prepare('DELETE FROM orders WHERE id = ?');

  return {
    find: (id: number): OrderRow | undefined => orderOf(one.get(id)),
    findByNumber: (orderNumber: string): OrderRow | undefined => orderOf(byNumber.get(orderNumber)),
    /** Sorted by order number, beginning after `after`. */
    list: (filter: { state: OrderState | undefined; after: string; limit: number }): OrderRow[] => {
      const { state, after, limit } = filter;
      const found = state === undefined ? page.all(after, limit) : pageOfState.all(state, after, limit);
      return found.map(fromOrder);
    },
    findShipment(id: number): ShipmentRow | undefined {
      const row = shipment.get(id);
      return row === undefined ? undefined : fromShipment(row);
    },
    listShipments: (orderId: number): ShipmentRow[] => shipmentsOf.all(orderId).map(fromShipment),
    findItem(id: number): LitItemRow | undefined {
      const row = item.get(id);
      return row === undefined ? undefined : fromItem(row);
    },
    /** As ordered in the request. */
    listItems: (orderId: number): LitItemRow[] => itemsOf.all(orderId).map(fromItem),
    /** The insert functions return the id. */
    insertOrder(row: NewOrderRow): number {
      const { orderNumber, token, ordernonce, color, seconds, sound, hasItems, createdAt, launchedAt, fulfilledAt } =
        row;
      const given = [orderNumber, token, ordernonce, color, seconds, sound, hasItems ? 1 : 0];
      const times = [createdAt, launchedAt, fulfilledAt];
      const work = [row.state, row.isTold ? 1 : 0, ...countColumns(row.counts), row.counts.zero];
      return Number(insertOrder.run(...given, ...times, ...work).lastInsertRowid);
    },
    insertShipment(row: Omit<ShipmentRow, 'id'>): number {
      const { orderId, shipmentNumber, shipmentnonce, state, isTold, counts } = row;
      const work = [state, isTold ? 1 : 0, ...countColumns(counts), counts.zero];
      return Number(insertShipment.run(orderId, shipmentNumber, shipmentnonce, ...work).lastInsertRowid);
    },
    insertItem(row: Omit<ItemRow, 'id'>): void {
      const { orderId, shipmentId, ordered, fulfilled, state, unassigned, deviceId, foundDeviceId } = row;
      const work = [ordered, fulfilled, state, unassigned ? 1 : 0, deviceId, foundDeviceId];
      const given = [row.name, row.sku, row.upc, row.description, row.warehouseLocation, row.callbackNonce];
      insertItem.run(orderId, shipmentId, ...work, ...given);
    },
    /** `before`: as stored. */
    saveOrder(before: OrderRow, after: OrderRow): void {
      const { id, counts, isTold, state, launchedAt, fulfilledAt } = after;
      saveOrder.run(...countColumns(counts), isTold ? 1 : 0, id);
      const isSame = before.state === state && before.launchedAt === launchedAt && before.fulfilledAt === fulfilledAt;
      if (!isSame) setOrderState.run(state, launchedAt, fulfilledAt, id);
    },
    saveShipment(before: ShipmentRow, { id, counts, isTold, state }: ShipmentRow): void {
      saveShipment.run(...countColumns(counts), isTold ? 1 : 0, id);
      if (before.state !== state) setShipmentState.run(state, id);
    },
    saveItem(before: ItemRow, after: ItemRow): void {
      saveItem.run(after.state, after.fulfilled, after.unassigned ? 1 : 0, after.id);
      if (before.foundDeviceId !== after.foundDeviceId) setFound.run(after.foundDeviceId, after.id);
    },
    /** Moves the unfinished items of a replaced device to the other. Returns their ids. */
    giveItems: (from: string, to: string): Set<number> =>
      new Set([...giveGiven.all({ from, to }), ...giveFound.all({ from, to })]),
    remove(id: number): void {
      removeItems.run(id);
      removeShipments.run(id);
      removeOrder.run(id);
    },
  };
}

function countColumns({ items, done, short, active, unassigned, ordered, fulfilled }: WorkCounts): number[] {
  return [items, done, short, active, unassigned, ordered, fulfilled];
}

function workOf(row: RawWork): Work {
  const counts: WorkCounts = {
    items: row.item_count,
    done: row.done_count,
    short: row.short_count,
    active: row.active_count,
    unassigned: row.unassigned_count,
    zero: row.zero_count,
    ordered: row.ordered_quantity,
    fulfilled: row.quantity_fulfilled,
  };
  return { id: row.id, state: row.state, isTold: row.is_told === 1, counts };
}

function orderOf(row: RawOrder | undefined): OrderRow | undefined {
  return row === undefined ? undefined : fromOrder(row);
}

function fromOrder(row: RawOrder): OrderRow {
  return {
    ...workOf(row),
    orderNumber: row.order_number,
    token: row.token,
    ordernonce: row.ordernonce,
    color: row.color,
    seconds: row.seconds,
    sound: row.sound,
    hasItems: row.has_items === 1,
    createdAt: row.created_at,
    launchedAt: row.launched_at,
    fulfilledAt: row.fulfilled_at,
  };
}

function fromShipment(row: RawShipment): ShipmentRow {
  const { order_id: orderId, shipment_number: shipmentNumber, shipmentnonce } = row;
  return { ...workOf(row), orderId, shipmentNumber, shipmentnonce };
}

function fromItem(row: RawLitItem): LitItemRow {
  return {
    id: row.id,
    orderId: row.order_id,
    shipmentId: row.shipment_id,
    ordered: row.ordered_quantity,
    fulfilled: row.quantity_fulfilled,
    state: row.state,
    unassigned: row.is_unassigned === 1,
    deviceId: row.device_id,
    foundDeviceId: row.found_device_id,
    name: row.name,
    sku: row.sku,
    upc: row.upc,
    description: row.description,
    warehouseLocation: row.warehouse_location,
    callbackNonce: row.callback_nonce,
    commandId: row.command_id,
    litDeviceId: row.lit_device_id,
  };
}
