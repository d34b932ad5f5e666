import type { NewOrder } from '../api/order.ts';
import { parseColor } from '../led/color.ts';
import { readCsv, type Csv } from './csv.ts';
import { MAX_ORDERED } from './orderLimits.ts';

/** The columns of a file of orders: a line for each item. */
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
] as const;
export type OrderCsvColumn = (typeof ORDER_CSV_COLUMNS)[number];

/** What lists that were made for something else call them, without regard to case, spaces and signs; the likeliest first. */
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
};

const REQUIRED = ['order_number', 'ordered_quantity'] as const satisfies readonly OrderCsvColumn[];
const NAMES = ['name', 'SKU', 'UPC'] as const satisfies readonly OrderCsvColumn[];
/** Longer names the station refuses. */
const MAX_NAME_CHARACTERS = 1_000;
const DEVICE_ID = /^[0-9a-f]{6}:[0-9a-f]{6}$/i;

type Cells = Record<OrderCsvColumn, string>;

/** A line of the file. `message`: why it is wrong; empty where it is not. */
export type OrderCsvRow = { line: number; cells: Cells; message: string };

export type OrderFile =
  | {
      ok: true;
      delimiter: Csv['delimiter'];
      /** What the first line calls the columns that are read. */
      columns: string[];
      /** Columns that mean nothing here. */
      ignored: string[];
      rows: OrderCsvRow[];
    }
  | { ok: false; message: string };

/** The rows of a file, whatever the order of its columns, each with what is wrong in it. Never throws. */
export function readOrders(text: string): OrderFile {
  const { delimiter, records, unclosedLine } = readCsv(text);
  if (unclosedLine !== undefined) {
    return refused(`The quote that begins in line ${unclosedLine} is never closed. Close it, or take it out.`);
  }
  const [first, ...others] = records;
  if (first === undefined) {
    return refused('Nothing stands in it. Give a line of column names, then a line for each item.');
  }
  const header = first.cells.map((cell) => cell.trim());
  const places = headerPlaces(header);
  const missing = REQUIRED.filter((column) => places[column] === undefined);
  if (missing.length > 0 || NAMES.every((column) => places[column] === undefined)) {
    const wanted = missing.length > 0 ? missing.join(' and no column ') : NAMES.join(', none ');
    const there = header.map((cell) => `"${cell}"`).join(', ');
    return refused(
      `There is no column ${wanted}. Line ${first.line} has ${there}. It names the columns: order_number, ordered_quantity, and name, SKU or UPC.`,
    );
  }
  if (others.length === 0) return refused('It has a line of column names, and no item. Give a line for each item.');
  const used = new Set(Object.values(places));
  return {
    ok: true,
    delimiter,
    columns: header.filter((cell, index) => cell !== '' && used.has(index)),
    ignored: header.filter((cell, index) => cell !== '' && !used.has(index)),
    rows: others.map(({ line, cells }) => {
      const read = Object.fromEntries(
        ORDER_CSV_COLUMNS.map((column) => [column, cells[places[column] ?? -1]?.trim() ?? '']),
      ) as Cells;
      return { line, cells: read, message: rowProblem(read) };
    }),
  };
}

/** The orders of rows that are right, by their number and in the order of the file. A number of another case is another order. */
export function ordersOf(rows: readonly OrderCsvRow[]): ReadonlyMap<string, NewOrder> {
  const groups = new Map<string, OrderCsvRow[]>();
  for (const row of rows) {
    const number = row.cells.order_number;
    const group = groups.get(number);
    if (group === undefined) groups.set(number, [row]);
    else group.push(row);
  }
  return new Map([...groups].map(([number, group]) => [number, orderOf(number, group)]));
}

/** A whole number: `2`, `2.0`, `2,00`. Undefined: it is none, or as `2,000` may be two thousand to who wrote it. */
export function readQuantity(text: string): number | undefined {
  const whole = /^(\d{1,10})(?:[.,]0{1,2})?$/.exec(text.trim())?.[1];
  return whole === undefined ? undefined : Number(whole);
}

function orderOf(number: string, rows: readonly OrderCsvRow[]): NewOrder {
  const first = (column: OrderCsvColumn) => rows.find(({ cells }) => cells[column] !== '')?.cells[column] ?? '';
  const seconds = readQuantity(first('seconds'));
  const color = first('color');
  const own = {
    order_number: number,
    ...(color === '' ? {} : { color }),
    ...(seconds === undefined ? {} : { seconds }),
  };
  if (first('shipment_number') === '') return { ...own, items: rows.map(itemOf) };
  // A line without a shipment among others with one belongs to the order itself.
  const shipmentOf = ({ cells }: OrderCsvRow) => (cells.shipment_number === '' ? number : cells.shipment_number);
  const shipments = [...new Set(rows.map(shipmentOf))].map((shipment) => ({
    shipment_number: shipment,
    items: rows.filter((row) => shipmentOf(row) === shipment).map(itemOf),
  }));
  return { ...own, shipments };
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

/** Why a row cannot be an item; empty where it can. */
function rowProblem(cells: Cells): string {
  if (cells.order_number === '') return 'It has no order number.';
  if (NAMES.every((column) => cells[column] === '')) return 'It names nothing: give name, SKU or UPC.';
  const quantity = readQuantity(cells.ordered_quantity);
  if (cells.ordered_quantity === '') return 'It has no quantity.';
  if (quantity === undefined || quantity < 1 || quantity > MAX_ORDERED) {
    return `"${cells.ordered_quantity}" is no quantity: a whole number from 1 up.`;
  }
  if (cells.deviceid !== '' && !DEVICE_ID.test(cells.deviceid)) {
    return `"${cells.deviceid}" is no DeviceID, which is such as 51D000:000006.`;
  }
  if (cells.seconds !== '' && readQuantity(cells.seconds) === undefined) {
    return `"${cells.seconds}" are no seconds: a whole number from 0 up.`;
  }
  if (cells.color !== '' && parseColor(cells.color) === undefined) {
    return `"${cells.color}" is no colour: r, g, b, two of them, a name such as blue, or #rrggbb.`;
  }
  const long = ORDER_CSV_COLUMNS.find((column) => cells[column].length > MAX_NAME_CHARACTERS);
  return long === undefined ? '' : `Its ${long} is longer than ${MAX_NAME_CHARACTERS} characters.`;
}

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

function refused(message: string): OrderFile {
  return { ok: false, message };
}
