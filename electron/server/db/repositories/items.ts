import type { ItemState } from '#shared/api/order.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { FormerPicker } from '../../domain/orders/formerPickers.ts';
import type { ItemWork } from '../../domain/orders/order.ts';
import type { Db } from '../db.ts';
import { KEEP_FORMER, parseFormer } from './formerPickers.ts';
import { mapped, statements } from './statements.ts';

export type ItemRow = ItemWork & {
  id: number;
  orderId: number;
  shipmentId: number;
  /** The device named in the request. */
  deviceId: string | null;
  /** The device where the item was last lit. */
  foundDeviceId: string | null;
  name: string | null;
  sku: string | null;
  upc: string | null;
  description: string | null;
  warehouseLocation: string | null;
  callbackNonce: string | null;
  /** The picker of the line, or the person who finished the line. */
  picker: string | null;
  /** Whether a scan of the article confirmed the item. */
  isVerified: boolean;
  /** Whether the item is picked but its order is incomplete until somebody scans its article or waives the scan. */
  awaitsScan: boolean;
  /** Whether somebody confirmed that the article cannot be scanned. */
  isScanWaived: boolean;
  /** Whether the item's place was guessed at creation or at the last launch. */
  isGuessed: boolean;
  /** Whether no place had any of the article's pieces when the item was lit. */
  lacksStock: boolean;
  /** Number of pieces in the last confirmation, which an undo removes. */
  lastBooked: number;
  /** When these pieces were picked, in epoch milliseconds. Null if nothing was booked, or if an earlier version booked it. */
  lastBookedAt: number | null;
  /** Null if the item has no article, or if its article is not known yet. */
  articleId: number | null;
  /** Place assigned at launch to an item with an article; null if not assigned yet. */
  place: string | null;
  /** Name and description of the article when the item was created or lit; null if there is none. */
  articleName: string | null;
  articleDescription: string | null;
};

/** An item that nobody has picked yet. */
export type NewItemRow = Omit<
  ItemRow,
  | 'id'
  | 'picker'
  | 'isVerified'
  | 'awaitsScan'
  | 'isScanWaived'
  | 'lastBooked'
  | 'lastBookedAt'
  | 'articleId'
  | 'place'
  | 'lacksStock'
>;

/** An item with its open command, if any. */
export type LitItemRow = ItemRow & { commandId: number | null; litDeviceId: string | null };

/**
 * Lines to assign to another picker at the time `now`. `from` and `to` are null for no picker. If `ids` is set, only these lines are
 * assigned.
 */
export type Assignment = {
  orderId: number;
  from: string | null;
  to: string | null;
  states: readonly ItemState[];
  ids?: readonly number[] | undefined;
  now: number;
};

/**
 * A line to pick. `deviceId` is the device where the line is lit or was last lit, or else the device in the request. It is empty if
 * unknown.
 */
export type OpenLine = { id: number; picker: string | null; deviceId: string };

/** An item with the texts that can identify it. */
export type NamedItem = Pick<ItemRow, 'id' | 'upc' | 'sku' | 'name'>;

/** A stored item, whose flags are 0 or 1. `awaitsScan` is 2 if the scan is waived. */
type RawItem = Omit<LitItemRow, Flag | 'awaitsScan' | 'isScanWaived'> & { [flag in Flag]: 0 | 1 } & {
  awaitsScan: 0 | 1 | 2;
};
type Flag = 'isVerified' | 'isGuessed' | 'lacksStock';

const LIT_ITEMS = `SELECT items.id, order_id AS orderId, shipment_id AS shipmentId, ordered_quantity AS ordered,
    quantity_fulfilled AS fulfilled, items.state, trouble, items.device_id AS deviceId,
    found_device_id AS foundDeviceId, name, sku, upc, description, warehouse_location AS warehouseLocation,
    callback_nonce AS callbackNonce, picker, is_verified AS isVerified, awaits_scan AS awaitsScan, is_guessed AS isGuessed, last_booked AS lastBooked, last_booked_at AS lastBookedAt,
    article_id AS articleId, place, article_name AS articleName, article_description AS articleDescription, lacks_stock AS lacksStock,
    commands.id AS commandId, commands.device_id AS litDeviceId
  FROM items LEFT JOIN commands ON items.state = 'active' AND owner_kind = 'item' AND owner_id = items.id`;

/** Reads and writes order items. */
export function itemRows(db: Db) {
  const { find, insert: inserting, list, number, run, value, values } = statements(db);
  // Each EXISTS searches one index. With OR in one WHERE, SQLite would read all items.
  const isArticle = (column: string) => `EXISTS (SELECT 1 FROM items WHERE ${column} = :code COLLATE NOCASE)`;
  const article = value<[code: { code: string }], number>(
    `SELECT ${isArticle('sku')} OR ${isArticle('upc')} OR ${isArticle('name')}`,
  );
  // Also finds all texts with non-ASCII characters, whose case SQLite does not fold. The caller compares those.
  const isAlike = ['upc', 'sku', 'name']
    .map((column) => `trim(${column}) = :key COLLATE NOCASE OR ${column} GLOB '*[^ -~]*'`)
    .join(' OR ');
  const nonceUsers = list<[orderNumber: string, nonces: string], { nonce: string; orderNumber: string | null }>(
    `SELECT value AS nonce, (SELECT order_number FROM items JOIN orders ON orders.id = order_id
       WHERE callback_nonce = value AND callback_nonce IS NOT NULL AND items.state IN ('open', 'active') AND order_number <> ? LIMIT 1) AS orderNumber
     FROM json_each(?)`,
  );
  const byId = find<[id: number], RawItem>(`${LIT_ITEMS} WHERE items.id = ?`);
  const unfinished = list<[orderId: number, after: number, limit: number], RawItem>(
    `${LIT_ITEMS} WHERE order_id = ? AND items.id > ? AND items.state NOT IN ('done', 'short') AND trouble IS NOT 'dismissed' ORDER BY items.id LIMIT ?`,
  );
  const toLight = list<[orderId: number], RawItem>(
    `${LIT_ITEMS} WHERE order_id = ? AND (items.state = 'open' OR items.state = 'cancelled' AND trouble IS NOT 'dismissed'
       OR items.state = 'active' AND trouble = 'no_light') ORDER BY items.id`,
  );
  // Must match the condition of the index `items_without_light`.
  const withoutLight = list<[], RawItem>(`${LIT_ITEMS} WHERE items.state = 'active' AND trouble = 'no_light'`);
  // Must match the condition of the index `items_unassigned`.
  const unassigned = list<[], RawItem>(`${LIT_ITEMS} WHERE items.state = 'open' AND trouble = 'unassigned'`);
  // Must match the condition of the index `items_allocated`.
  const waitingAt = list<[articleId: number, placeKey: string], RawItem>(
    `${LIT_ITEMS} WHERE article_id = ? AND place_key = ? AND article_id IS NOT NULL AND items.state IN ('open', 'active')
       AND EXISTS (SELECT 1 FROM orders WHERE orders.id = items.order_id AND orders.state <> 'aborted') ORDER BY items.id`,
  );
  const doneAt = find<[place: { orderId: number; deviceIds: string }], RawItem>(
    `${LIT_ITEMS} WHERE order_id = :orderId AND items.state IN ('done', 'short')
       AND found_device_id IN (SELECT value FROM json_each(:deviceIds)) ORDER BY items.id LIMIT 1`,
  );
  const page = list<[orderId: number, after: number, limit: number], RawItem>(
    `${LIT_ITEMS} WHERE order_id = ? AND items.id > ? ORDER BY items.id LIMIT ?`,
  );
  const allOf = list<[orderId: number], RawItem>(`${LIT_ITEMS} WHERE order_id = ? ORDER BY items.id`);

  const insert = inserting(
    `INSERT INTO items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, trouble, device_id, found_device_id,
       name, sku, upc, description, warehouse_location, callback_nonce, is_guessed, article_name, article_description)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const save = run('UPDATE items SET state = ?, quantity_fulfilled = ?, trouble = ? WHERE id = ?');
  const setLastBooked = run('UPDATE items SET last_booked = ?, last_booked_at = ? WHERE id = ?');
  const setPicked = run('UPDATE items SET picker = ?, is_verified = ?, awaits_scan = ? WHERE id = ?');
  const setGuessed = run('UPDATE items SET is_guessed = ? WHERE id = ?');
  const setArticleTexts = run('UPDATE items SET article_name = ?, article_description = ? WHERE id = ?');
  const setLacksStock = run('UPDATE items SET lacks_stock = ? WHERE id = ?');
  const setPlace = run('UPDATE items SET article_id = ?, place = ?, place_key = ? WHERE id = ?');
  const setDevice = run('UPDATE items SET device_id = ? WHERE id = ?');
  const setAsked = run(
    `UPDATE items SET ordered_quantity = ?, name = ?, sku = ?, upc = ?, description = ?, warehouse_location = ?, callback_nonce = ?
     WHERE id = ?`,
  );
  // A separate statement, because updating the index takes time and most changes keep the device.
  const saveFound = run(
    'UPDATE items SET state = ?, quantity_fulfilled = ?, trouble = ?, found_device_id = ? WHERE id = ?',
  );
  const openAtText = list<[], { id: number; text: string }>(
    `SELECT id, warehouse_location AS text FROM items WHERE state IN ('open', 'active') AND warehouse_location IS NOT NULL`,
  );
  const openAtPlace = values<[key: string], number>(
    `SELECT id FROM items WHERE place_key = ? AND state IN ('open', 'active')`,
  );
  const setText = run<[text: string, id: number]>('UPDATE items SET warehouse_location = ? WHERE id = ?');
  const give = (column: 'device_id' | 'found_device_id') =>
    values<[devices: { from: string; to: string }], number>(
      `UPDATE items SET ${column} = :to WHERE ${column} = :from AND state IN ('open', 'active', 'cancelled') RETURNING id`,
    );
  const former = value<[id: number], string>('SELECT former_pickers FROM items WHERE id = ?');
  const giveGiven = give('device_id');
  const giveFound = give('found_device_id');
  const assign = values<
    [lines: Omit<Assignment, 'states' | 'ids' | 'to'> & { picker: string | null; states: string; ids: string | null }],
    number
  >(
    `UPDATE items SET picker = :picker, ${KEEP_FORMER} WHERE order_id = :orderId AND picker IS :from
       AND state IN (SELECT value FROM json_each(:states)) AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))
     RETURNING id`,
  );

  return {
    /** Returns for each nonce that unfinished items of other orders have the number of one of these orders. */
    findNonceUsers: (nonces: readonly string[], orderNumber: string): Map<string, string> =>
      new Map(
        nonceUsers(orderNumber, JSON.stringify(nonces)).flatMap(({ nonce, orderNumber: of }) =>
          of === null ? [] : [[nonce, of] as const],
        ),
      ),
    /** Lists items after this one that are neither done nor short nor dismissed. */
    listUnfinished: (orderId: number, after: number, limit: number): LitItemRow[] =>
      unfinished(orderId, after, limit).map(fromItem),
    /** Lists ids of the commands that light items of an order. */
    listCommandIds: values<[orderId: number, limit: number], number>(
      `SELECT commands.id FROM items JOIN commands ON owner_kind = 'item' AND owner_id = items.id
       WHERE order_id = ? AND items.state = 'active' ORDER BY items.id LIMIT ?`,
    ),
    /** Whether any item has this text as its SKU, UPC or name, ignoring case. */
    knowsArticle: (code: string): boolean => article({ code }) === 1,
    find: (id: number) => mapped(byId(id), fromItem),
    /** Finds the first finished item of an order at one of these devices. */
    findDoneAt: (orderId: number, deviceIds: readonly string[]) =>
      mapped(doneAt({ orderId, deviceIds: JSON.stringify(deviceIds) }), fromItem),
    /** Lists items of an order that this key may identify. The result can contain a few other items, which the caller excludes. */
    listAlike: list<[code: { orderId: number; key: string }], NamedItem>(
      `SELECT id, upc, sku, name FROM items WHERE order_id = :orderId AND (${isAlike}) ORDER BY id`,
    ),
    /** Like `listAlike`, but for lit items of all orders. */
    listLitAlike: list<[code: { key: string }], NamedItem>(
      `SELECT items.id, upc, sku, name FROM commands CROSS JOIN items ON items.id = owner_id
       WHERE owner_kind = 'item' AND (${isAlike})`,
    ),
    /** Lists items of an order with this article. */
    listOfArticle: list<[item: { orderId: number; articleId: number }], NamedItem>(
      'SELECT id, upc, sku, name FROM items WHERE article_id = :articleId AND order_id = :orderId ORDER BY id',
    ),
    /** Lists open items of all orders with this article. The condition must match that of the index `items_allocated`. */
    listOpenOfArticle: list<[articleId: number], NamedItem>(
      `SELECT id, upc, sku, name FROM items WHERE article_id = ? AND article_id IS NOT NULL AND state IN ('open', 'active') ORDER BY id`,
    ),
    /**
     * Lists items of an order whose location text, or the place of their article, may be this place (a name key). The result can contain a
     * few other items, which the caller excludes.
     */
    listAtText: list<
      [place: { orderId: number; key: string }],
      { id: number; warehouseLocation: string | null; place: string | null }
    >(
      `SELECT id, warehouse_location AS warehouseLocation, place FROM items WHERE order_id = :orderId
         AND (trim(warehouse_location) = :key COLLATE NOCASE OR warehouse_location GLOB '*[^ -~]*' OR place_key = :key)
       ORDER BY id`,
    ),
    /** Lists the items that a launch lights if they have a place. */
    listToLight: (orderId: number): LitItemRow[] => toLight(orderId).map(fromItem),
    /** Lists items after this one, in the order of the request. */
    listAfter: (orderId: number, after: number, limit: number): LitItemRow[] =>
      page(orderId, after, limit).map(fromItem),
    /** Lists all items of an order, in the order of the request. */
    listOf: (orderId: number) => allOf(orderId).map(fromItem),
    /** Lists active items of all orders that have no light. */
    listWithoutLight: (): LitItemRow[] => withoutLight().map(fromItem),
    /** Lists the places that open lines name. */
    listOpenTexts: openAtText,
    /** Lists the ids of open lines that are picked at this place. */
    listOpenAt: openAtPlace,
    setWarehouseLocation: (id: number, text: string) => setText(text, id),
    /** Lists launched lines that no device serves: work without a light and unassigned lines. */
    listWithoutDevice: (): LitItemRow[] => [...withoutLight(), ...unassigned()].map(fromItem),
    /** Lists open lines for which this article is picked at this place. */
    listWaitingAt: (articleId: number, placeKey: string): LitItemRow[] => waitingAt(articleId, placeKey).map(fromItem),
    /** Inserts an item and returns its id. */
    insert(row: NewItemRow): number {
      const { orderId, shipmentId, ordered, fulfilled, state, trouble, deviceId, foundDeviceId } = row;
      const work = [ordered, fulfilled, state, trouble, deviceId, foundDeviceId];
      const given = [row.name, row.sku, row.upc, row.description, row.warehouseLocation, row.callbackNonce];
      const articleWords = [row.articleName, row.articleDescription];
      return insert(orderId, shipmentId, ...work, ...given, row.isGuessed ? 1 : 0, ...articleWords);
    },
    save(before: ItemRow, after: ItemRow): void {
      const { id, state, fulfilled, trouble, foundDeviceId } = after;
      if (before.foundDeviceId === foundDeviceId) save(state, fulfilled, trouble, id);
      else saveFound(state, fulfilled, trouble, foundDeviceId, id);
      const isSame =
        before.picker === after.picker &&
        before.isVerified === after.isVerified &&
        before.awaitsScan === after.awaitsScan &&
        before.isScanWaived === after.isScanWaived;
      const scan = after.awaitsScan ? 1 : after.isScanWaived ? 2 : 0;
      if (!isSame) setPicked(after.picker, after.isVerified ? 1 : 0, scan, after.id);
      if (before.lastBooked !== after.lastBooked || before.lastBookedAt !== after.lastBookedAt)
        setLastBooked(after.lastBooked, after.lastBookedAt, after.id);
      if (before.isGuessed !== after.isGuessed) setGuessed(after.isGuessed ? 1 : 0, after.id);
      if (before.lacksStock !== after.lacksStock) setLacksStock(after.lacksStock ? 1 : 0, after.id);
      const { articleId, place, articleName, articleDescription } = after;
      if (before.articleName !== articleName || before.articleDescription !== articleDescription)
        setArticleTexts(articleName, articleDescription, id);
      if (before.articleId !== articleId || before.place !== place)
        setPlace(articleId, place, place === null ? null : nameKey(place), id);
      if (before.deviceId !== after.deviceId) setDevice(after.deviceId, after.id);
    },
    /** Saves what the request ordered, which picking does not change. */
    saveAsked({ id, ordered, name, sku, upc, description, warehouseLocation, callbackNonce }: ItemRow): void {
      setAsked(ordered, name, sku, upc, description, warehouseLocation, callbackNonce, id);
    },
    remove: run<[id: number]>('DELETE FROM items WHERE id = ?'),
    /** Moves unfinished items from a replaced device to its replacement. Returns their ids. */
    giveTo: (from: string, to: string): Set<number> =>
      new Set([...giveGiven({ from, to }), ...giveFound({ from, to })]),
    /** Assigns lines of an order to another picker. Returns their ids. */
    assign: ({ states, ids, to, ...lines }: Assignment): number[] =>
      assign({
        ...lines,
        picker: to,
        states: JSON.stringify(states),
        ids: ids === undefined ? null : JSON.stringify(ids),
      }),
    /** Lists the pickers that a line had before its current one. */
    listFormerPickers: (id: number): readonly FormerPicker[] => parseFormer(former(id) ?? null),
    /** Returns the number of lines left to pick, by picker. `picker` is null for lines without a picker. */
    countOpenLines: list<[orderId: number], { picker: string | null; lines: number }>(
      `SELECT picker, count(*) AS lines FROM items WHERE order_id = ? AND state IN ('open', 'active') GROUP BY picker`,
    ),
    /** Lists the lines left to pick. */
    listOpenLines: list<[orderId: number], OpenLine>(
      `SELECT items.id, picker, coalesce(commands.device_id, found_device_id, items.device_id, '') AS deviceId
       FROM items LEFT JOIN commands ON items.state = 'active' AND owner_kind = 'item' AND owner_id = items.id
       WHERE order_id = ? AND items.state IN ('open', 'active') ORDER BY items.id`,
    ),
    /** Whether a line of this picker, or of no picker, is still to be picked but not lit. */
    hasDark: number<[orderId: number, picker: string | null]>(
      `SELECT EXISTS (SELECT 1 FROM items WHERE order_id = ? AND state = 'open' AND (picker IS NULL OR picker = ?))`,
    ),
    /** Whether a line of this picker is lit. */
    hasLit: number<[orderId: number, picker: string]>(
      `SELECT EXISTS (SELECT 1 FROM items WHERE order_id = ? AND picker = ? AND state = 'active')`,
    ),
  };
}

/** Converts a row in place, without copying it, because a list can be very long. */
function fromItem(row: RawItem): LitItemRow {
  const { isVerified, awaitsScan, isGuessed, lacksStock } = row;
  return Object.assign(row, {
    isVerified: isVerified === 1,
    awaitsScan: awaitsScan === 1,
    isScanWaived: awaitsScan === 2,
    isGuessed: isGuessed === 1,
    lacksStock: lacksStock === 1,
  });
}
