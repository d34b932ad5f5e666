import { plural } from './plural.ts';

/** Texts that the imports of orders and locations share. */
export const importing = {
  file: 'Choose a file',
  drop: 'or drop it here',
  paste: 'Or paste from a spreadsheet',
  check: 'Preview',
  nothing: 'Paste a list or choose a file.',
  tooLarge: 'The file is over 8 MB. Import it in parts.',
  unreadable: 'The file could not be opened. Choose it again.',
  readAs: (delimiter: keyof typeof DELIMITERS | null, columns: string) =>
    `Read as ${delimiter === null ? 'a workbook' : DELIMITERS[delimiter]}. ${columns}`,
  ignored: (columns: readonly string[]) => `Ignored: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomeFilter: 'Which rows',
  rows: 'Rows of the file',
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will be left out.`,
  other: 'Choose another',
  last: 'The last import',
  undo: 'Undo the import',
  undoing: 'Undoing…',
  hide: 'Hide',
  saveRejected: 'Save the rejected rows',
  failed: 'Nothing was imported.',
  cancelled: 'The import was cancelled.',
  tooLate: 'The import was already complete. You can undo it.',
} as const;

const DELIMITERS = { ',': 'comma separated', ';': 'semicolon separated', '\t': 'tab separated', '|': 'separated by |' };

const count = (many: number) => many.toLocaleString('en');
const ordersOf = (many: number) => `${count(many)} ${many === 1 ? 'order' : 'orders'}`;

export const orderImport = {
  title: 'Import orders',
  back: 'Back to the orders',
  lead: 'Use one line per item. The first line names the columns, in any order. Lines with the same order number become one order. An import lights nothing.',
  example: 'Example',
  columnsOf: (columns: readonly string[]) => `Columns: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomes: {
    all: 'All',
    new: 'New',
    changed: 'Changed',
    known: 'Exists',
    held: 'Held back',
    refused: 'Invalid',
    left_out: 'Left out',
  },
  columns: { line: 'Line', outcome: 'Becomes', order: 'Order', item: 'Item', place: 'Lights' },
  shipment: (number: string) => `shipment ${number}`,
  noDevice: 'No device yet',
  noDeviceHint: 'Found at launch if a device, alias or label has this name by then',
  submit: (orders: number) => `Import ${ordersOf(orders)}`,
  summary: (orders: number, items: number) => `${ordersOf(orders)} with ${plural(items, 'item', 'items')}.`,
  withoutDevice: (rows: number) => `${plural(rows, 'item has', 'items have')} no device yet.`,
  nothingNew: 'The list contains no valid order. Correct it, then choose it again.',
  checking: (rows: number) => `Checking ${plural(rows, 'line', 'lines')}…`,
  running: (orders: number) => `Importing ${ordersOf(orders)}…`,
  done: (orders: number, when: string, by: string) =>
    `Imported ${ordersOf(orders)} ${/^\d\d:\d\d$/.test(when) ? 'at' : 'on'} ${when} by ${by}.`,
  notDone: (rows: number) => (rows === 0 ? '' : `${plural(rows, 'row was', 'rows were')} left out.`),
  undoHint: 'Undo removes the imported orders, except those launched, aborted or corrected since.',
  undone: (many: number, kept: number) => `${ordersOf(many)} removed.${kept === 0 ? '' : ` ${ordersOf(kept)} kept.`}`,
  keptTitle: 'Kept because work on them has started',
  undoFailed: 'The import was not undone.',
  exportCsv: 'Export',
} as const;
