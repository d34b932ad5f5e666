import type { NewOrder, Order } from '../api/order.ts';
import { parseColor } from '../led/color.ts';
import { BYTE_ORDER_MARK, csvLines, openCsv, quoteProblem, type CsvRecord, type Delimiter } from './csv.ts';
import type { InParts } from './inParts.ts';
import { MAX_ORDERED, MAX_PRIORITY } from './orderLimits.ts';

/** Outcome of a row of an imported order file. */
export const ORDER_IMPORT_OUTCOMES = ['new', 'known', 'held', 'refused'] as const;

/** The columns of an order file, with a line per item. */
export const ORDER_CSV_COLUMNS = [
  'order_number',
  'shipment_number',
  'SKU',
  'UPC',
  'name',
  'description',
  'ordered_quantity',
  'warehouse_location',
  'deviceid',
  'callback_nonce',
  'color',
  'seconds',
  'due_time',
  'priority',
] as const;
export type OrderCsvColumn = (typeof ORDER_CSV_COLUMNS)[number];

/** Column names in lists from other programs, ignoring case, spaces and punctuation; likeliest first. */
const CALLED: Readonly<Record<OrderCsvColumn, readonly string[]>> = {
  order_number: ['ordernumber', 'order', 'orderno', 'ordernr', 'orderid', 'salesorder', 'picklist'],
  shipment_number: ['shipmentnumber', 'shipment', 'shipmentno', 'shipmentid', 'delivery', 'deliverynumber', 'parcel'],
  SKU: ['sku', 'article', 'articlenumber', 'itemnumber', 'partnumber', 'partno', 'itemno', 'material', 'productcode'],
  UPC: ['upc', 'ean', 'gtin', 'barcode'],
  name: ['name', 'itemname', 'item', 'productname', 'product', 'title'],
  description: ['description', 'note', 'notes', 'text'],
  ordered_quantity: ['orderedquantity', 'quantity', 'qty', 'ordered', 'orderedqty', 'amount', 'pieces', 'pcs'],
  warehouse_location: ['warehouselocation', 'location', 'place', 'bin', 'slot', 'shelf', 'storagelocation'],
  deviceid: ['deviceid', 'device', 'light', 'tag'],
  callback_nonce: ['callbacknonce', 'nonce', 'reference'],
  color: ['color', 'colour'],
  seconds: ['seconds', 'timeout'],
  due_time: ['duetime', 'due', 'duedate', 'deadline', 'shipby'],
  priority: ['priority', 'prio'],
};

const REQUIRED = ['order_number', 'ordered_quantity'] as const satisfies readonly OrderCsvColumn[];
const NAMES = ['name', 'SKU', 'UPC'] as const satisfies readonly OrderCsvColumn[];
/** Limit of the station. */
const MAX_NAME_CHARACTERS = 1_000;
const DEVICE_ID = /^[0-9a-f]{6}:[0-9a-f]{6}$/i;
/** ISO 8601 with a zone, as the API takes it. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

export type OrderCsvCells = Record<OrderCsvColumn, string>;

/** A line of the file. `message`: why it is wrong; empty: it is correct. */
export type OrderCsvRow = { line: number; cells: OrderCsvCells; message: string };

export type OrderFile =
  | {
      ok: true;
      delimiter: Delimiter;
      /** Names of the columns that are read. */
      columns: string[];
      /** Columns without a meaning here. */
      ignored: string[];
      rows: OrderCsvRow[];
    }
  | { ok: false; message: string };

/** Reads at most `most` rows, with columns in any order, and what is wrong in each. Never throws. */
export function* readOrders(text: string, most: number): InParts<OrderFile> {
  const file = openCsv(text);
  let columns: ReturnType<typeof columnsOf> | undefined;
  const rows: OrderCsvRow[] = [];
  for (const record of file.records) {
    if (record === undefined) yield;
    else if (columns === undefined) columns = columnsOf(record);
    else if (!columns.ok || rows.length >= most) break;
    else rows.push(columns.rowOf(record));
  }
  const problem = quoteProblem(file);
  if (problem !== '') return refused(problem);
  if (columns === undefined) {
    return refused('The file is empty. Give a line of column names, then a line for each item.');
  }
  if (!columns.ok) return columns;
  if (rows.length === 0) return refused('The file has column names, but no items. Give a line for each item.');
  return { ok: true, delimiter: file.delimiter, columns: columns.read, ignored: columns.ignored, rows };
}

/** Interprets the column names. */
function columnsOf(first: CsvRecord) {
  const header = first.cells.map((cell) => cell.trim());
  const places = headerPlaces(header);
  const missing = REQUIRED.filter((column) => places[column] === undefined);
  if (missing.length > 0 || NAMES.every((column) => places[column] === undefined)) {
    const wanted = missing.length > 0 ? missing.join(' and no column ') : NAMES.join(', none ');
    const there = header.map((cell) => `"${cell}"`).join(', ');
    return refused(
      `There is no column ${wanted}. Line ${first.line} has ${there}. It must name the columns: order_number, ordered_quantity, and name, SKU or UPC.`,
    );
  }
  const used = new Set(Object.values(places));
  return {
    ok: true as const,
    read: header.filter((cell, index) => cell !== '' && used.has(index)),
    ignored: header.filter((cell, index) => cell !== '' && !used.has(index)),
    rowOf({ line, cells }: CsvRecord): OrderCsvRow {
      const read = Object.fromEntries(
        ORDER_CSV_COLUMNS.map((column) => [column, cells[places[column] ?? -1]?.trim() ?? '']),
      ) as OrderCsvCells;
      return { line, cells: read, message: rowProblem(read) };
    },
  };
}

/** Builds an order from its rows, which must be valid. */
export function orderOfRows(number: string, rows: readonly OrderCsvRow[]): NewOrder {
  const first = (column: OrderCsvColumn) => rows.find(({ cells }) => cells[column] !== '')?.cells[column] ?? '';
  const seconds = readQuantity(first('seconds'));
  const color = first('color');
  const due = first('due_time');
  const priority = first('priority');
  const own = {
    order_number: number,
    ...(color === '' ? {} : { color }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(due === '' ? {} : { due_time: due }),
    ...(priority === '' ? {} : { priority: Number(priority) }),
  };
  if (first('shipment_number') === '') return { ...own, items: rows.map(itemOf) };
  // If other lines have a shipment, a line without one belongs to a shipment named after the order.
  const byShipment = Map.groupBy(rows, ({ cells }) => (cells.shipment_number === '' ? number : cells.shipment_number));
  const shipments = [...byShipment].map(([shipment_number, group]) => ({ shipment_number, items: group.map(itemOf) }));
  return { ...own, shipments };
}

/** Header line of an order file, with the byte order mark that Excel needs. */
export const ORDER_CSV_HEAD = BYTE_ORDER_MARK + csvLines([ORDER_CSV_COLUMNS]);

/** An order as lines that the import can read, one per item. */
export function orderLines(order: Order): string {
  return csvLines(
    order.shipments.flatMap(({ shipment_number, items }) =>
      items.map((item) => {
        const cells: Record<OrderCsvColumn, string | number> = {
          order_number: order.order_number,
          shipment_number: order.items === undefined ? shipment_number : '',
          SKU: item.SKU ?? '',
          UPC: item.UPC ?? '',
          name: item.name ?? '',
          description: item.description ?? '',
          ordered_quantity: item.ordered_quantity,
          warehouse_location: item.warehouse_location ?? '',
          deviceid: item.deviceid ?? '',
          callback_nonce: item.callback_nonce ?? '',
          color: order.color ?? '',
          seconds: order.seconds ?? '',
          due_time: order.due_time ?? '',
          priority: order.priority === 0 ? '' : order.priority,
        };
        return ORDER_CSV_COLUMNS.map((column) => cells[column]);
      }),
    ),
  );
}

/** A whole number: `2`, `2.0`, `2,00`. Undefined: not one, or ambiguous like `2,000`, which can mean two thousand. */
export function readQuantity(text: string): number | undefined {
  const whole = /^(\d{1,10})(?:[.,]0{1,2})?$/.exec(text.trim())?.[1];
  return whole === undefined ? undefined : Number(whole);
}

const ITEM_TEXTS = ['name', 'SKU', 'UPC', 'description', 'warehouse_location', 'callback_nonce'] as const;

function itemOf({ cells }: OrderCsvRow): NonNullable<NewOrder['items']>[number] {
  const texts = Object.fromEntries(ITEM_TEXTS.flatMap((key) => (cells[key] === '' ? [] : [[key, cells[key]]])));
  return {
    ...texts,
    ordered_quantity: readQuantity(cells.ordered_quantity) ?? 0,
    ...(cells.deviceid === '' ? {} : { deviceid: cells.deviceid.toUpperCase() }),
  };
}

/** Why a row is not a valid item; empty: it is. */
function rowProblem(cells: OrderCsvCells): string {
  if (cells.order_number === '') return 'The order number is missing.';
  if (NAMES.every((column) => cells[column] === '')) return 'The item is missing. Give name, SKU or UPC.';
  const quantity = readQuantity(cells.ordered_quantity);
  if (cells.ordered_quantity === '') return 'The quantity is missing.';
  if (quantity === undefined || quantity > MAX_ORDERED) {
    return `"${cells.ordered_quantity}" is not a quantity. Give a whole number from 0 up.`;
  }
  for (const { column, isRight, wrong } of CELL_CHECKS) {
    const text = cells[column];
    if (text !== '' && !isRight(text)) return `"${text}" is not ${wrong}`;
  }
  const long = ORDER_CSV_COLUMNS.find((column) => cells[column].length > MAX_NAME_CHARACTERS);
  return long === undefined ? '' : `Its ${long} is longer than ${MAX_NAME_CHARACTERS} characters.`;
}

/** What a cell must be that is not left empty. */
const CELL_CHECKS: readonly { column: OrderCsvColumn; isRight(text: string): boolean; wrong: string }[] = [
  {
    column: 'deviceid',
    isRight: (text) => DEVICE_ID.test(text),
    wrong: 'a DeviceID. Write it like 51D000:000006.',
  },
  {
    column: 'seconds',
    isRight: (text) => readQuantity(text) !== undefined,
    wrong: 'a time in seconds. Give a whole number from 0 up.',
  },
  {
    column: 'color',
    isRight: (text) => parseColor(text) !== undefined,
    wrong: 'a color. Give r, g, b, two of them, a name such as blue, or #rrggbb.',
  },
  {
    column: 'due_time',
    isRight: (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
    wrong: 'a due time. Write it with its zone, like 2026-11-20T14:30:00+01:00.',
  },
  {
    column: 'priority',
    isRight: (text) => /^-?\d{1,4}$/.test(text) && Math.abs(Number(text)) <= MAX_PRIORITY,
    wrong: `a priority. Give a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}.`,
  },
];

type Places = Partial<Record<OrderCsvColumn, number>>;

function headerPlaces(header: readonly string[]): Places {
  const keys = header.map((cell) => cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const places: Places = {};
  for (const column of ORDER_CSV_COLUMNS) {
    for (const called of CALLED[column]) {
      const place = keys.indexOf(called);
      if (place < 0 || Object.values(places).includes(place)) continue;
      places[column] = place;
      break;
    }
  }
  return places;
}

function refused(message: string): Extract<OrderFile, { ok: false }> {
  return { ok: false, message };
}
