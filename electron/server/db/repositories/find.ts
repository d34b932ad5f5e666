import type { Db } from '../db.ts';
import { commandContent } from './commands.ts';
import { IS_SLOT } from './devices.ts';
import { statements } from './statements.ts';

/** Searchable texts of a device. */
export type DeviceTexts = Record<'deviceid' | 'label' | (typeof STATICS)[number], string>;
export type ItemTexts = Record<'sku' | 'upc' | 'name' | 'description', string | null> & {
  id: number;
  order_number: string;
};
/** `codes` contains the barcodes, as JSON. */
export type ArticleTexts = { id: number; sku: string; name: string; description: string; codes: string };
/** `codes` contains the codes of the cart or wall and of its slots, as JSON. */
export type CarrierTexts = { id: number; name: string; codes: string };
/** `totes` contains the tote codes of the batch's slots, as JSON. */
export type BatchTexts = { id: number; carrier: string; totes: string };
export type OrderName = { id: number; order_number: string };
/** Texts about the customer of an order. `address` is JSON. Null if not set. */
export type CustomerTexts = Record<'customer' | 'note' | 'address', string | null> & { order_number: string };
export type CommandTexts = { id: number; deviceid: string; lines: readonly string[] };

/** Number of rows to read per step, which takes less than a millisecond. */
const PAGE = 100;
/** Maximum number of rows that start with the same text. */
const MAX_BEGINNINGS = 250;
/** A text followed by this character sorts after all texts that start with it. */
const LAST_CHARACTER = '\u{10FFFF}';

const STATICS = ['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;
const DEVICES = `SELECT device_id AS deviceid, label, ${STATICS.join(', ')} FROM devices
  WHERE NOT ${IS_SLOT}`;
const ALIASES = 'SELECT id, name FROM location_aliases';
const ARTICLES = `SELECT id, sku, name, description,
  (SELECT json_group_array(code ORDER BY position) FROM article_barcodes WHERE article_id = articles.id) AS codes FROM articles`;
const ORDERS = 'SELECT id, order_number FROM orders';
const CUSTOMERS = 'SELECT order_number, customer, note, address FROM orders';
const SEQUENCES = 'SELECT id, sequence_id AS sequenceid FROM sequences';
// The code of the cart or wall itself, then those of its slots in the order of `listSlots`.
const CARRIERS = `SELECT id, name, (SELECT json_group_array(code) FROM
  (SELECT code, '' AS slot UNION ALL SELECT code, slot FROM carrier_slots WHERE carrier_id = carriers.id ORDER BY slot)) AS codes
  FROM carriers`;
const BATCHES = `SELECT id, carrier_name AS carrier, (SELECT json_group_array(tote) FROM
  (SELECT COALESCE(tote, '') AS tote FROM batch_slots WHERE batch_id = batches.id AND state <> 'free' ORDER BY slot)) AS totes
  FROM batches WHERE state <> 'done'`;
const ITEMS = `SELECT items.id, order_number, sku, upc, name, description FROM items JOIN orders ON orders.id = order_id`;
const COMMANDS = 'SELECT id, device_id AS deviceid, content FROM commands';

type RawCommand = Omit<CommandTexts, 'lines'> & { content: string };

/** Reads texts to search, by id or in pages. A page starts after the last row of the previous one. */
export function findRows(db: Db) {
  const { list } = statements(db);
  const pageBy = <Row>(select: string, id = 'id') =>
    list<[after: string | number], Row>(`${select} WHERE ${id} > ? ORDER BY ${id} LIMIT ${PAGE}`);
  const commands = pageBy<RawCommand>(COMMANDS);
  const beginning = (table: string, column: string) => {
    const rows = list<[from: string, before: string], { id: number; text: string }>(
      `SELECT id, ${column} AS text FROM ${table} WHERE ${column} COLLATE NOCASE >= ? AND ${column} COLLATE NOCASE < ? LIMIT ${MAX_BEGINNINGS}`,
    );
    return (wanted: string) => rows(wanted, wanted + LAST_CHARACTER);
  };
  const command = list<[id: number], RawCommand>(`${COMMANDS} WHERE id = ?`);

  return {
    /** Reads a page of devices, without slot devices. */
    devices: list<[after: string], DeviceTexts>(`${DEVICES} AND device_id > ? ORDER BY device_id LIMIT ${PAGE}`),
    device: list<[deviceId: string], DeviceTexts>(`${DEVICES} AND device_id = ?`),
    aliases: pageBy<{ id: number; name: string }>(ALIASES),
    alias: list<[id: number], { id: number; name: string }>(`${ALIASES} WHERE id = ?`),
    /** Reads a page of articles, including hidden ones. */
    articles: pageBy<ArticleTexts>(ARTICLES),
    article: list<[id: number], ArticleTexts>(`${ARTICLES} WHERE id = ?`),
    carriers: pageBy<CarrierTexts>(CARRIERS),
    carrier: list<[id: number], CarrierTexts>(`${CARRIERS} WHERE id = ?`),
    /** Reads a page of batches that have not ended. */
    batches: list<[after: number], BatchTexts>(`${BATCHES} AND id > ? ORDER BY id LIMIT ${PAGE}`),
    batch: list<[id: number], BatchTexts>(`${BATCHES} AND id = ?`),
    orders: pageBy<OrderName>(ORDERS),
    order: list<[orderNumber: string], OrderName>(`${ORDERS} WHERE order_number = ?`),
    customer: list<[orderNumber: string], CustomerTexts>(`${CUSTOMERS} WHERE order_number = ?`),
    /** Reads orders below this id, newest first. */
    newestOrders: list<[before: number], { id: number; items: number }>(
      `SELECT id, item_count AS items FROM orders WHERE id < ? ORDER BY id DESC LIMIT ${PAGE}`,
    ),
    /** Reads orders in this state whose order number is above `after`, sorted by order number. */
    ordersIn: list<[state: 'open' | 'in_progress', after: string], OrderName>(
      `${ORDERS} WHERE state = ? AND order_number > ? ORDER BY order_number LIMIT ${PAGE}`,
    ),
    /** Returns which of these orders (order numbers as JSON) have ended, if their ids are below `before`. */
    endedAmong: list<[numbers: string, before: number], { order_number: string }>(
      `SELECT order_number FROM orders WHERE order_number IN (SELECT value FROM json_each(?)) AND id < ? AND state IN ('fulfilled', 'aborted')`,
    ),
    /** Each function reads rows whose text starts with its argument, ignoring the case of ASCII letters. */
    beginning: {
      order_number: beginning('orders', 'order_number'),
      customer: beginning('orders', 'customer'),
      sku: beginning('items', 'sku'),
      upc: beginning('items', 'upc'),
      name: beginning('items', 'name'),
    },
    sequences: pageBy<{ id: number; sequenceid: string }>(SEQUENCES),
    sequence: list<[sequenceId: string], { id: number; sequenceid: string }>(`${SEQUENCES} WHERE sequence_id = ?`),
    itemsOf: list<[orderNumber: string], ItemTexts>(`${ITEMS} WHERE order_number = ? ORDER BY items.id`),
    commands: (after: number) => commands(after).map(fromRow),
    command: (id: number) => command(id).map(fromRow),
  };
}

function fromRow({ id, deviceid, content }: RawCommand): CommandTexts {
  const { lines } = commandContent(content);
  return { id, deviceid, lines };
}
