import type { ItemState, OrderState } from '#shared/api/order.ts';
import type { ItemWork, WorkCounts } from '../../domain/order.ts';
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
  /** The higher, the sooner. */
  priority: number;
  dueAt: number | null;
  /** Null: the setting decides. */
  scanRequired: boolean | null;
  createdAt: number;
  launchedAt: number | null;
  fulfilledAt: number | null;
  /** Something of it is lit, and nobody pressed for too long. */
  isStalled: boolean;
  /** Who picks it, by name. */
  pickers: readonly OrderPickerRow[];
};

/** A person who picks an order. `deviceId`: where the person confirmed last. */
export type OrderPickerRow = {
  name: string;
  color: string;
  isPaused: boolean;
  deviceId: string | null;
  /** When that was, or when the person took the order. */
  confirmedAt: number;
  joinedAt: number;
  /** When the person signed out, in forward time of the station; null: has not. */
  awayAt: number | null;
};

/** A picker who signed out and has not left the order. */
export type AwayPicker = { orderNumber: string; name: string; awayAt: number };

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
  /** Whose line it is, or who finished it. */
  picker: string | null;
  /** A scan of the article confirmed it. */
  isVerified: boolean;
};

/** An item with its open command, if any. */
export type LitItemRow = ItemRow & { commandId: number | null; litDeviceId: string | null };

export type NewOrderRow = Omit<OrderRow, 'id' | 'pickers' | 'isStalled'>;

/** What an order that was hidden is given when it appears. */
type Appearance = Pick<NewOrderRow, 'orderNumber' | 'state' | 'createdAt' | 'fulfilledAt'>;

/** The number of the one order whose items are still being written. No other order has it, and no list includes it. */
export const HIDDEN = '';

/** Lines that change hands. `from`, `to`: null: nobody; `ids`: only these. */
export type Assignment = {
  orderId: number;
  from: string | null;
  to: string | null;
  states: readonly ItemState[];
  ids?: readonly number[] | undefined;
};

/** A line that is still to be picked. `deviceId`: where it is lit, was lit last or was ordered from; empty: unknown. */
export type OpenLine = { id: number; picker: string | null; deviceId: string };

/** What an item is called. */
export type NamedItem = Pick<ItemRow, 'id' | 'upc' | 'sku' | 'name'>;

/** `attention`: only orders that wait for somebody. */
type OrderPage = { state: OrderState | undefined; attention?: boolean; after: string; limit: number };

/** As stored: flags are 0 or 1. */
type RawWork = WorkCounts & Pick<Work, 'id' | 'state'> & { isTold: 0 | 1 };
type RawOrder = RawWork &
  Omit<OrderRow, keyof Work | 'hasItems' | 'scanRequired' | 'isStalled' | 'pickers'> & {
    hasItems: 0 | 1;
    scanRequired: 0 | 1 | null;
    isStalled: 0 | 1;
    /** JSON. */
    pickers: string;
  };
type RawShipment = RawWork & Omit<ShipmentRow, keyof Work>;
type RawItem = Omit<LitItemRow, 'isVerified'> & { isVerified: 0 | 1 };

/** Counts that change with the work; `zero_count` is written once. */
const COUNTS = `item_count, done_count, short_count, active_count, unassigned_count, timed_out_count, unreachable_count,
  ordered_quantity, quantity_fulfilled`;

const WORK = `id, state, is_told AS isTold, item_count AS items, done_count AS done, short_count AS short, active_count AS active,
  unassigned_count AS unassigned, timed_out_count AS timedOut, unreachable_count AS unreachable, zero_count AS zero, ordered_quantity AS ordered, quantity_fulfilled AS fulfilled`;
const ORDERS = `SELECT ${WORK}, order_number AS orderNumber, token, ordernonce, color, seconds, sound, has_items AS hasItems,
  priority, due_at AS dueAt, scan_required AS scanRequired, created_at AS createdAt, launched_at AS launchedAt,
  fulfilled_at AS fulfilledAt, is_stalled AS isStalled,
  (SELECT json_group_array(json_object('name', name, 'color', order_pickers.color, 'isPaused', json(iif(is_paused, 'true', 'false')),
     'deviceId', device_id, 'confirmedAt', confirmed_at, 'joinedAt', joined_at, 'awayAt', away_at)) FROM order_pickers WHERE order_id = orders.id) AS pickers FROM orders`;
/** As in the index `orders_attention`, which SQLite uses only for these words. */
const NEEDS_ATTENTION = `state IN ('open', 'in_progress')
  AND (timed_out_count > 0 OR unassigned_count > 0 OR unreachable_count > 0 OR is_stalled = 1)`;
const SHIPMENTS = `SELECT ${WORK}, order_id AS orderId, shipment_number AS shipmentNumber, shipmentnonce FROM shipments`;
const LIT_ITEMS = `SELECT items.id, order_id AS orderId, shipment_id AS shipmentId, ordered_quantity AS ordered,
    quantity_fulfilled AS fulfilled, items.state, trouble, items.device_id AS deviceId,
    found_device_id AS foundDeviceId, name, sku, upc, description, warehouse_location AS warehouseLocation,
    callback_nonce AS callbackNonce, picker, is_verified AS isVerified, commands.id AS commandId, commands.device_id AS litDeviceId
  FROM items LEFT JOIN commands ON items.state = 'active' AND owner_kind = 'item' AND owner_id = items.id`;

/** Nobody picks it, and there is something to pick. */
const FREE = `state IN ('open', 'in_progress') AND item_count > done_count + unassigned_count
  AND NOT EXISTS (SELECT 1 FROM order_pickers WHERE order_id = orders.id)`;

/** Orders, shipments and items. Changes by work are written row by row. */
export function orderRows(db: Db) {
  const { find, insert, list, number, run, value, values } = statements(db);
  const one = find<[id: number], RawOrder>(`${ORDERS} WHERE id = ?`);
  const byNumber = find<[orderNumber: string], RawOrder>(`${ORDERS} WHERE order_number = ?`);
  const page = list<[after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const pageOfState = list<[state: string, after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE state = ? AND order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const pageOfAttention = list<[after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE ${NEEDS_ATTENTION} AND order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const inAnyCase = find<[orderNumber: string], RawOrder>(`${ORDERS} WHERE order_number = ? COLLATE NOCASE`);
  const next = list<[limit: number], RawOrder>(
    `${ORDERS} WHERE ${FREE} ORDER BY (${NEEDS_ATTENTION}) DESC, priority DESC, due_at IS NULL, due_at, created_at, id LIMIT ?`,
  );
  // One search of an index each: with OR in one WHERE, SQLite would read all items.
  const isArticle = (column: string) => `EXISTS (SELECT 1 FROM items WHERE ${column} = :code COLLATE NOCASE)`;
  const article = value<[code: { code: string }], number>(
    `SELECT ${isArticle('sku')} OR ${isArticle('upc')} OR ${isArticle('name')}`,
  );
  // Letters beyond ASCII, which SQLite does not fold, may be those of the key.
  const isAlike = ['upc', 'sku', 'name']
    .map((column) => `trim(${column}) = :key COLLATE NOCASE OR ${column} GLOB '*[^ -~]*'`)
    .join(' OR ');
  const lit = list<[], RawOrder>(`${ORDERS} WHERE state = 'in_progress' AND active_count > 0`);
  const shipment = find<[id: number], RawShipment>(`${SHIPMENTS} WHERE id = ?`);
  const shipmentsOf = list<[orderId: number], RawShipment>(`${SHIPMENTS} WHERE order_id = ? ORDER BY id`);
  const item = find<[id: number], RawItem>(`${LIT_ITEMS} WHERE items.id = ?`);
  const unfinished = list<[orderId: number, after: number, limit: number], RawItem>(
    `${LIT_ITEMS} WHERE order_id = ? AND items.id > ? AND items.state NOT IN ('done', 'short') ORDER BY items.id LIMIT ?`,
  );
  const toLight = list<[orderId: number, after: number, limit: number], RawItem>(
    `${LIT_ITEMS} WHERE order_id = ? AND items.id > ? AND items.state IN ('open', 'cancelled') ORDER BY items.id LIMIT ?`,
  );
  const doneAt = find<[place: { orderId: number; deviceIds: string }], RawItem>(
    `${LIT_ITEMS} WHERE order_id = :orderId AND items.state IN ('done', 'short')
       AND found_device_id IN (SELECT value FROM json_each(:deviceIds)) ORDER BY items.id LIMIT 1`,
  );
  const itemPage = list<[orderId: number, after: number, limit: number], RawItem>(
    `${LIT_ITEMS} WHERE order_id = ? AND items.id > ? ORDER BY items.id LIMIT ?`,
  );
  const between = list<[first: number, last: number], RawItem>(`${LIT_ITEMS} WHERE items.id BETWEEN ? AND ?`);
  const itemsOf = list<[orderId: number], RawItem>(`${LIT_ITEMS} WHERE order_id = ? ORDER BY items.id`);

  const insertOrder = insert(
    `INSERT INTO orders (order_number, token, ordernonce, color, seconds, sound, has_items, priority, due_at,
       scan_required, created_at, launched_at, fulfilled_at, state, is_told, ${COUNTS}, zero_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const show = run('UPDATE orders SET order_number = ?, state = ?, created_at = ?, fulfilled_at = ? WHERE id = ?');
  const insertShipment = insert(
    `INSERT INTO shipments (order_id, shipment_number, shipmentnonce, state, is_told, ${COUNTS}, zero_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertItem = run(
    `INSERT INTO items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, trouble, device_id, found_device_id,
       name, sku, upc, description, warehouse_location, callback_nonce)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const saveCounts = (table: 'orders' | 'shipments') =>
    run(
      `UPDATE ${table} SET item_count = ?, done_count = ?, short_count = ?, active_count = ?, unassigned_count = ?,
         timed_out_count = ?, unreachable_count = ?, ordered_quantity = ?, quantity_fulfilled = ?, is_told = ? WHERE id = ?`,
    );
  const saveOrder = saveCounts('orders');
  const saveShipment = saveCounts('shipments');
  // Separate statement: the state is indexed, and most presses do not change it.
  const setOrderState = run(
    'UPDATE orders SET state = ?, launched_at = ?, fulfilled_at = ?, is_stalled = ? WHERE id = ?',
  );
  const setShipmentState = run('UPDATE shipments SET state = ? WHERE id = ?');
  const saveItem = run('UPDATE items SET state = ?, quantity_fulfilled = ?, trouble = ? WHERE id = ?');
  const setPicked = run('UPDATE items SET picker = ?, is_verified = ? WHERE id = ?');
  const setDevice = run('UPDATE items SET device_id = ? WHERE id = ?');
  const setFound = run('UPDATE items SET found_device_id = ? WHERE id = ?');
  const give = (column: 'device_id' | 'found_device_id') =>
    values<[devices: { from: string; to: string }], number>(
      `UPDATE items SET ${column} = :to WHERE ${column} = :from AND state IN ('open', 'active', 'cancelled')
         AND order_id IS NOT (SELECT id FROM orders WHERE order_number = '${HIDDEN}') RETURNING id`,
    );
  const giveGiven = give('device_id');
  const giveFound = give('found_device_id');
  const assign = values<[lines: Omit<Assignment, 'states' | 'ids'> & { states: string; ids: string | null }], number>(
    `UPDATE items SET picker = :to WHERE order_id = :orderId AND picker IS :from
       AND state IN (SELECT value FROM json_each(:states)) AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
     RETURNING id`,
  );
  const savePicker = run(
    `INSERT INTO order_pickers (order_id, name, color, is_paused, device_id, confirmed_at, joined_at, away_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET color = excluded.color, is_paused = excluded.is_paused, device_id = excluded.device_id,
       confirmed_at = excluded.confirmed_at, away_at = excluded.away_at`,
  );
  const setAway = run<[at: number, name: string]>(
    `UPDATE order_pickers SET away_at = ? WHERE name = ? COLLATE NOCASE AND away_at IS NULL
       AND order_id IN (SELECT id FROM orders WHERE state IN ('open', 'in_progress'))`,
  );
  const removePickers = run<[orderId: number]>('DELETE FROM order_pickers WHERE order_id = ?');
  const removeItems = run<[orderId: number]>('DELETE FROM items WHERE order_id = ?');
  const removeShipments = run<[orderId: number]>('DELETE FROM shipments WHERE order_id = ?');
  const removeOrder = run<[id: number]>('DELETE FROM orders WHERE id = ?');

  return {
    find: (id: number) => mapped(one(id), fromOrder),
    /** Never the hidden order, whatever a caller sends as a number. */
    findByNumber: (orderNumber: string) =>
      orderNumber === HIDDEN ? undefined : mapped(byNumber(orderNumber), fromOrder),
    findHidden: () => mapped(byNumber(HIDDEN), fromOrder),
    /** The order number alone: the whole row costs three times as much, with pickers more. */
    findNumber: value<[id: number], string>('SELECT order_number FROM orders WHERE id = ?'),
    /** Sorted by order number, beginning after `after`. */
    list({ state, attention = false, after, limit }: OrderPage): OrderRow[] {
      if (attention) {
        const waiting = pageOfAttention(after, limit).map(fromOrder);
        return state === undefined ? waiting : waiting.filter((order) => order.state === state);
      }
      return (state === undefined ? page(after, limit) : pageOfState(state, after, limit)).map(fromOrder);
    },
    /** Also with accents that are encoded in another way. NOCASE knows only the letters of ASCII. */
    findByNumberInAnyCase(orderNumber: string): OrderRow | undefined {
      const composed = orderNumber.normalize('NFC');
      const spellings = new Set([orderNumber, composed, composed.toUpperCase(), composed.toLowerCase()]);
      for (const spelling of spellings) {
        const found = inAnyCase(spelling);
        if (found !== undefined) return fromOrder(found);
      }
      return undefined;
    },
    /** Orders that nobody picks, those to pick first first. */
    listNext: (limit: number): OrderRow[] => next(limit).map(fromOrder),
    countFree: number<[]>(`SELECT count(*) FROM orders WHERE ${FREE}`),
    /** Items that are neither done nor short, after this one. */
    listUnfinished: (orderId: number, after: number, limit: number): LitItemRow[] =>
      unfinished(orderId, after, limit).map(fromItem),
    /** Whether any item has this SKU, UPC or name, ignoring case. */
    knowsArticle: (code: string): boolean => article({ code }) === 1,
    /** Orders of which something is lit. */
    listLit: (): OrderRow[] => lit().map(fromOrder),
    findShipment: (id: number) => mapped(shipment(id), fromShipment),
    listShipments: (orderId: number) => shipmentsOf(orderId).map(fromShipment),
    findItem: (id: number) => mapped(item(id), fromItem),
    /** The first item of an order that was finished at one of these devices. */
    findDoneAt: (orderId: number, deviceIds: readonly string[]) =>
      mapped(doneAt({ orderId, deviceIds: JSON.stringify(deviceIds) }), fromItem),
    /** Items of an order that this code may name, by the key of a name: a few that it does not are among them. */
    listAlike: list<[code: { orderId: number; key: string }], NamedItem>(
      `SELECT id, upc, sku, name FROM items WHERE order_id = :orderId AND (${isAlike}) ORDER BY id`,
    ),
    /** The same of what is lit. */
    listLitAlike: list<[code: { key: string }], NamedItem>(
      `SELECT items.id, upc, sku, name FROM commands CROSS JOIN items ON items.id = owner_id
       WHERE owner_kind = 'item' AND (${isAlike})`,
    ),
    /** Items that a launch lights if they have a place, after this one. */
    listToLight: (orderId: number, after: number, limit: number): LitItemRow[] =>
      toLight(orderId, after, limit).map(fromItem),
    /** Their ids in order. `isFree`: only those of nobody; `picker`: or of this person. */
    listIdsToLight: values<[orderId: number, after: number, isAll: 0 | 1, picker: string], number>(
      `SELECT id FROM items WHERE order_id = ? AND id > ? AND state IN ('open', 'cancelled') AND (? = 1 OR picker IS NULL OR picker = ?) ORDER BY id`,
    ),
    /** Whether a launch lights a line of this picker. */
    hasToLight: number<[orderId: number, picker: string]>(
      `SELECT EXISTS (SELECT 1 FROM items WHERE order_id = ? AND picker = ? AND state IN ('open', 'cancelled'))`,
    ),
    /** Ids of the items that an abort cancels, the last first. */
    listIdsToAbort: values<[orderId: number], number>(
      `SELECT id FROM items WHERE order_id = ? AND state IN ('open', 'active') ORDER BY id DESC`,
    ),
    /** All its items, the last first. */
    listIds: values<[orderId: number], number>('SELECT id FROM items WHERE order_id = ? ORDER BY id DESC'),
    /** The most items that were given one known device, with what its queue holds already. */
    longestQueue: number<[orderId: number]>(
      `SELECT coalesce(max(n), 0) FROM (
         SELECT count(*) + (SELECT count(*) FROM commands WHERE commands.device_id = items.device_id) AS n
         FROM items WHERE order_id = ? AND state IN ('open', 'cancelled') AND items.device_id IN (SELECT device_id FROM devices)
         GROUP BY items.device_id)`,
    ),
    /** Items after this one, as ordered in the request. */
    listItemsAfter: (orderId: number, after: number, limit: number): LitItemRow[] =>
      itemPage(orderId, after, limit).map(fromItem),
    /** Items of any order with an id from one to the other, in no order: a sorted search costs more. */
    listBetween: (first: number, last: number): LitItemRow[] => between(first, last).map(fromItem),
    removeItem: run<[id: number]>('DELETE FROM items WHERE id = ?'),
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
        row.priority,
        row.dueAt,
        row.scanRequired === null ? null : Number(row.scanRequired),
      ];
      const times = [row.createdAt, row.launchedAt, row.fulfilledAt];
      return insertOrder(...given, ...times, ...workColumns(row));
    },
    show: (id: number, { orderNumber, state, createdAt, fulfilledAt }: Appearance) =>
      show(orderNumber, state, createdAt, fulfilledAt, id),
    insertShipment: (row: Omit<ShipmentRow, 'id'>) =>
      insertShipment(row.orderId, row.shipmentNumber, row.shipmentnonce, ...workColumns(row)),
    insertItem(row: Omit<ItemRow, 'id' | 'picker' | 'isVerified'>): void {
      const { orderId, shipmentId, ordered, fulfilled, state, trouble, deviceId, foundDeviceId } = row;
      const work = [ordered, fulfilled, state, trouble, deviceId, foundDeviceId];
      const given = [row.name, row.sku, row.upc, row.description, row.warehouseLocation, row.callbackNonce];
      insertItem(orderId, shipmentId, ...work, ...given);
    },
    /** `before`: as stored. */
    saveOrder(before: OrderRow, after: OrderRow): void {
      const { id, counts, isTold, state, launchedAt, fulfilledAt, isStalled } = after;
      saveOrder(...countColumns(counts), isTold ? 1 : 0, id);
      const isSame =
        before.state === state &&
        before.launchedAt === launchedAt &&
        before.fulfilledAt === fulfilledAt &&
        before.isStalled === isStalled;
      if (!isSame) setOrderState(state, launchedAt, fulfilledAt, isStalled ? 1 : 0, id);
    },
    saveShipment(before: ShipmentRow, { id, counts, isTold, state }: ShipmentRow): void {
      saveShipment(...countColumns(counts), isTold ? 1 : 0, id);
      if (before.state !== state) setShipmentState(state, id);
    },
    saveItem(before: ItemRow, after: ItemRow): void {
      saveItem(after.state, after.fulfilled, after.trouble, after.id);
      const isSame = before.picker === after.picker && before.isVerified === after.isVerified;
      if (!isSame) setPicked(after.picker, after.isVerified ? 1 : 0, after.id);
      if (before.deviceId !== after.deviceId) setDevice(after.deviceId, after.id);
      if (before.foundDeviceId !== after.foundDeviceId) setFound(after.foundDeviceId, after.id);
    },
    /** Moves the unfinished items of a replaced device to the other. Returns their ids. */
    giveItems: (from: string, to: string): Set<number> =>
      new Set([...giveGiven({ from, to }), ...giveFound({ from, to })]),
    /** Gives lines of an order to another picker. Returns their ids in order. */
    assign: ({ states, ids, ...lines }: Assignment): number[] =>
      assign({
        ...lines,
        states: JSON.stringify(states),
        ids: ids === undefined ? null : JSON.stringify(ids),
      }).toSorted((a, b) => a - b),
    /** The lines of each picker, and those of nobody, that are still to be picked. */
    countOpenLines: list<[orderId: number], { picker: string | null; lines: number }>(
      `SELECT picker, count(*) AS lines FROM items WHERE order_id = ? AND state IN ('open', 'active') GROUP BY picker`,
    ),
    /** Lines that are still to be picked, after this one. */
    listOpenLines: list<[orderId: number, after: number, limit: number], OpenLine>(
      `SELECT items.id, picker, coalesce(commands.device_id, found_device_id, items.device_id, '') AS deviceId
       FROM items LEFT JOIN commands ON items.state = 'active' AND owner_kind = 'item' AND owner_id = items.id
       WHERE order_id = ? AND items.id > ? AND items.state IN ('open', 'active') ORDER BY items.id LIMIT ?`,
    ),
    /** Ids of the lines of a picker, or of nobody, that are not over, after this one. */
    listIdsOfPicker: values<[orderId: number, after: number, picker: string | null], number>(
      `SELECT id FROM items WHERE order_id = ? AND id > ? AND picker IS ? AND state NOT IN ('done', 'short') ORDER BY id`,
    ),
    /** Whether a line of this picker or of nobody is to be picked and dark. */
    hasDark: number<[orderId: number, picker: string | null]>(
      `SELECT EXISTS (SELECT 1 FROM items WHERE order_id = ? AND state = 'open' AND (picker IS NULL OR picker = ?))`,
    ),
    /** Ids of the lit lines of a picker, the last first. */
    listIdsLitFor: values<[orderId: number, picker: string], number>(
      `SELECT id FROM items WHERE order_id = ? AND picker = ? AND state = 'active' ORDER BY id DESC`,
    ),
    savePicker: (orderId: number, { name, color, isPaused, deviceId, confirmedAt, joinedAt, awayAt }: OrderPickerRow) =>
      savePicker(orderId, name, color, isPaused ? 1 : 0, deviceId, confirmedAt, joinedAt, awayAt),
    removePicker: run<[orderId: number, name: string]>('DELETE FROM order_pickers WHERE order_id = ? AND name = ?'),
    /** The numbers of the unfinished orders that this person picks, in any case. */
    listNumbersOf: values<[name: string], string>(
      `SELECT order_number FROM order_pickers JOIN orders ON orders.id = order_id
       WHERE name = ? COLLATE NOCASE AND state IN ('open', 'in_progress') ORDER BY joined_at`,
    ),
    /** The person signed out of the station: of unfinished orders it is kept since when. */
    setAway: (name: string, at: number) => setAway(at, name),
    /** The person signed in again. */
    setBack: run<[name: string]>(
      'UPDATE order_pickers SET away_at = NULL WHERE name = ? COLLATE NOCASE AND away_at IS NOT NULL',
    ),
    /** Pickers of unfinished orders who signed out, the longest ago first. */
    listAway: list<[], AwayPicker>(
      `SELECT order_number AS orderNumber, name, away_at AS awayAt FROM order_pickers JOIN orders ON orders.id = order_id
       WHERE away_at IS NOT NULL AND state IN ('open', 'in_progress') ORDER BY away_at`,
    ),
    remove(id: number): void {
      removePickers(id);
      removeItems(id);
      removeShipments(id);
      removeOrder(id);
    },
  };
}

function countColumns(counts: WorkCounts): number[] {
  const { items, done, short, active, unassigned, timedOut, unreachable, ordered, fulfilled } = counts;
  return [items, done, short, active, unassigned, timedOut, unreachable, ordered, fulfilled];
}

function workColumns({ state, isTold, counts }: Omit<Work, 'id'>): (string | number)[] {
  return [state, isTold ? 1 : 0, ...countColumns(counts), counts.zero];
}

function workOf(row: RawWork): Work {
  const { id, state, items, done, short, active, unassigned, timedOut, unreachable, zero, ordered, fulfilled } = row;
  const counts = { items, done, short, active, unassigned, timedOut, unreachable, zero, ordered, fulfilled };
  return { id, state, isTold: row.isTold === 1, counts };
}

function fromOrder(row: RawOrder): OrderRow {
  const { orderNumber, token, ordernonce, color, seconds, sound, priority, dueAt } = row;
  const { createdAt, launchedAt, fulfilledAt } = row;
  const given = {
    orderNumber,
    token,
    ordernonce,
    color,
    seconds,
    sound,
    hasItems: row.hasItems === 1,
    priority,
    dueAt,
  };
  const scanRequired = row.scanRequired === null ? null : row.scanRequired === 1;
  const { pickers: listed } = row;
  const pickers = listed === '[]' ? [] : (JSON.parse(listed) as OrderPickerRow[]);
  const isStalled = row.isStalled === 1;
  return { ...workOf(row), ...given, scanRequired, createdAt, launchedAt, fulfilledAt, isStalled, pickers };
}

function fromShipment(row: RawShipment): ShipmentRow {
  const { orderId, shipmentNumber, shipmentnonce } = row;
  return { ...workOf(row), orderId, shipmentNumber, shipmentnonce };
}

/** Changes the row that was read: a list can have very many. */
function fromItem(row: RawItem): LitItemRow {
  return Object.assign(row, { isVerified: row.isVerified === 1 });
}
