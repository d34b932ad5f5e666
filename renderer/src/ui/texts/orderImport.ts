import type { TableField } from '#shared/lib/tables/fields.ts';
import { plural } from './plural.ts';

const count = (many: number) => many.toLocaleString('en');
const ordersOf = (many: number) => `${count(many)} ${many === 1 ? 'order' : 'orders'}`;
const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma separated',
  ';': 'semicolon separated',
  '\t': 'tab separated',
  '|': 'separated by |',
};
const ENCODINGS: Readonly<Record<string, string>> = {
  'windows-1252': 'Western Europe (windows-1252)',
  'windows-1250': 'Central Europe (windows-1250)',
  macintosh: 'Old Mac (macintosh)',
};

/** Names of the fields that a column can be. */
const fields: Readonly<Partial<Record<TableField, string>>> = {
  order_number: 'Order number',
  shipment_number: 'Shipment',
  SKU: 'SKU',
  UPC: 'Barcode',
  name: 'Article name',
  description: 'Description',
  ordered_quantity: 'Quantity',
  warehouse_location: 'Place',
  deviceid: 'DeviceID',
  callback_nonce: 'Callback nonce',
  light_color: 'Light color',
  seconds: 'Seconds lit',
  due_time: 'Due time',
  priority: 'Priority',
  customer: 'Customer',
  note: 'Note',
  sku_and_name: '[SKU] and name in one cell',
  customer_first_name: 'Customer first name',
  customer_last_name: 'Customer last name',
  order_status: 'Order status',
  line_status: 'Line status',
  payment_status: 'Payment status',
  fulfillment_channel: 'Shipped by',
  canceled_at: 'Canceled at',
  shipped_at: 'Shipped at',
  requires_shipping: 'Requires shipping',
  quantity_to_ship: 'Quantity to ship',
  shipped_quantity: 'Shipped quantity',
  refunded_quantity: 'Refunded quantity',
  canceled_quantity: 'Canceled quantity',
};

type Read = { delimiter: string | null; encoding: string | null; sheet: string | null; profile: string | null };

function readAs({ delimiter, encoding, sheet, profile }: Read): string {
  const kind = delimiter === null ? `sheet “${sheet ?? ''}”` : (DELIMITERS[delimiter] ?? '');
  const isPlain = encoding === null || encoding.startsWith('utf');
  return `Read as ${kind}${isPlain ? '' : `, ${encoding}`}${profile === null ? '' : `, recognized as ${profile}`}.`;
}

export const orderImport = {
  title: 'Import orders',
  back: 'Back to orders',
  lead: 'Use one line per item. The first line has the column names, in any order. Lines with the same order number become one order. Importing does not light anything.',
  formats:
    'CSV and Excel (.xlsx), including exports from Shopify, WooCommerce, Amazon, eBay, Etsy, ShipStation and Odoo.',
  example: 'Example',
  pasted: 'pasted list',
  tooLarge: 'The file is over 16 MB. Import it in parts.',
  readAs,
  hidden: (rows: number, columns: number) => {
    const parts = [
      rows === 0 ? '' : plural(rows, 'hidden row', 'hidden rows'),
      columns === 0 ? '' : plural(columns, 'hidden column', 'hidden columns'),
    ];
    const said = parts.filter((part) => part !== '').join(' and ');
    return said === '' ? '' : `Not read: ${said}.`;
  },
  remembered: 'The answers of the last import with the same columns were reused.',
  forget: 'Forget these answers',
  notForgotten: 'The answers were not forgotten.',
  ask: {
    encoding: 'Which text is correct?',
    encodingName: (encoding: string) => ENCODINGS[encoding] ?? encoding,
    sheet: 'Which sheet has the orders?',
    decimal: (quantity: string) => `“${quantity}” can be read in two ways. What is the decimal separator in this file?`,
    decimals: { '.': 'Point: 1,000.5', ',': 'Comma: 1.000,5' },
    dateOrder: 'Some due times, such as 11/05/26, are ambiguous and are left out. Which part comes first?',
    dateOrders: { dmy: 'Day', mdy: 'Month', ymd: 'Year' },
    next: 'Continue',
  },
  columnsStep: {
    open: 'Columns and options',
    title: 'Columns',
    questions: 'What do these columns mean?',
    questionsHint: 'The station needs your answers to read the file. It reuses them for files with the same columns.',
    none: 'Not used',
    choose: 'Choose…',
    empty: 'no values',
    unanswered: 'Choose what this column means, or “Not used”.',
    others: 'Other columns',
    options: 'Options',
    prefix: 'Order prefix',
    prefixHint: 'tells the orders of two shops apart',
    sheet: 'Sheet',
    encoding: 'Encoding',
    decimal: 'Decimal separator',
    asColumn: 'Detect from the numbers',
    dateOrder: 'Due times',
    asWritten: 'Leave out ambiguous ones',
    dateOrders: { dmy: 'Day first', mdy: 'Month first', ymd: 'Year first' },
    apply: 'Continue',
    keep: 'Back to the rows',
  },
  fields,
  leftOutToo: 'Also import lines marked as shipped or canceled',
  outcomes: {
    all: 'All',
    new: 'New',
    changed: 'Changed',
    known: 'Exists',
    held: 'Held back',
    refused: 'Invalid',
    left_out: 'Left out',
  },
  columns: {
    line: 'Line',
    outcome: 'Becomes',
    order: 'Order',
    quantity: 'Quantity',
    item: 'Article',
    code: 'SKU',
    place: 'Place',
    reason: 'Reason',
  },
  rowsHint: 'Press a cell to correct it.',
  correct: (field: string, line: number, text: string) => `Correct ${field}, line ${line}: ${text}`,
  correcting: (field: string, line: number) => `${field}, line ${line}`,
  judging: 'Checking…',
  notCorrected: (line: number) => `Line ${line} was not corrected.`,
  readQuantity: (quantity: number) => `= ${count(quantity)}`,
  shipment: (number: string) => `shipment ${number}`,
  noDevice: 'No device yet',
  noDeviceHint: 'Found at launch if a device, alias or label has this name by then',
  submit: (orders: number) => (orders === 0 ? 'Import the changes' : `Import ${ordersOf(orders)}`),
  summary: (orders: number, items: number) => `${ordersOf(orders)} with ${plural(items, 'item', 'items')}.`,
  changes: (rows: number) => `${plural(rows, 'line changes', 'lines change')} orders that nobody has started.`,
  withoutDevice: (rows: number) => `${plural(rows, 'item has', 'items have')} no device yet.`,
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will not be imported.`,
  nothingNew: 'The file has no new order.',
  checking: (name: string) => `Reading ${name}…`,
  running: (orders: number) => (orders === 0 ? 'Importing…' : `Importing ${ordersOf(orders)}…`),
  done: (orders: number, when: string, by: string) =>
    `Imported ${ordersOf(orders)} ${/^\d\d:\d\d$/.test(when) ? 'at' : 'on'} ${when} by ${by}.`,
  doneChanged: (rows: number) => (rows === 0 ? '' : `${plural(rows, 'line', 'lines')} of other orders changed.`),
  notDone: (rows: number) => (rows === 0 ? '' : `${plural(rows, 'row was', 'rows were')} left out.`),
  undoHint: 'Undo removes the imported orders, except those launched, aborted or corrected since.',
  undone: (many: number, kept: number) => `${ordersOf(many)} removed.${kept === 0 ? '' : ` ${ordersOf(kept)} kept.`}`,
  keptTitle: 'Kept because work on them has started',
  undoFailed: 'The import was not undone.',
  export: 'Export',
  exports: { xlsx: 'Excel (.xlsx)', csv: 'CSV' },
} as const;
