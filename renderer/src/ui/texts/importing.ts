import { plural } from './plural.ts';

/** What is said of a list that is imported, whatever stands in it. */
export const importing = {
  file: 'Choose a file',
  drop: 'or drop it here',
  paste: 'Or paste from a spreadsheet',
  check: 'Preview',
  nothing: 'Paste something, or choose a file.',
  tooLarge: 'The file is over 8 MB. Import it in parts.',
  unreadable: 'The file cannot be opened. Choose it again.',
  readAs: (delimiter: ',' | ';' | '\t', columns: string) => `Read as ${DELIMITERS[delimiter]}. ${columns}`,
  ignored: (columns: readonly string[]) => `Left alone: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomeFilter: 'Which rows',
  rows: 'Rows of the file',
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will be left out.`,
  other: 'Choose another',
  last: 'The last import',
  undo: 'Undo the import',
  undoing: 'Taking it back…',
  hide: 'Hide this line',
  saveRejected: 'Save the rejected rows',
  failed: 'Nothing was imported.',
  cancelled: 'It was cancelled before the station had all of it.',
  tooLate: 'The station had imported it already. You can undo it.',
} as const;

const DELIMITERS = { ',': 'comma separated', ';': 'semicolon separated', '\t': 'tab separated' };

const count = (many: number) => many.toLocaleString('en');
const ordersOf = (many: number) => `${count(many)} ${many === 1 ? 'order' : 'orders'}`;

export const orderImport = {
  title: 'Import orders',
  back: 'Back to the orders',
  lead: 'A line for each item. The first line names the columns, in any order; lines with the same order number become one order. Nothing is lit by an import.',
  example: 'Such as',
  columnsOf: (columns: readonly string[]) => `Columns: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomes: { all: 'All', new: 'New', known: 'There already', held: 'Left out', refused: 'Wrong' },
  columns: { line: 'Line', outcome: 'Becomes', order: 'Order', item: 'Item', place: 'Lights' },
  shipment: (number: string) => `shipment ${number}`,
  noDevice: 'No device yet',
  noDeviceHint: 'Found at launch, once a device, alias or label is called so',
  submit: (orders: number) => `Import ${ordersOf(orders)}`,
  summary: (orders: number, items: number) => `${ordersOf(orders)} with ${plural(items, 'item', 'items')}.`,
  withoutDevice: (rows: number) => `${plural(rows, 'item finds', 'items find')} no device yet.`,
  nothingNew: 'No order can be created from it. Correct the list, then choose it again.',
  checking: (rows: number) => `Checking ${plural(rows, 'line', 'lines')}…`,
  running: (orders: number) => `Importing ${ordersOf(orders)}…`,
  done: (orders: number, when: string, by: string) =>
    `Imported ${ordersOf(orders)} ${/^\d\d:\d\d$/.test(when) ? 'at' : 'on'} ${when} by ${by}.`,
  notDone: (rows: number) => (rows === 0 ? '' : `${plural(rows, 'row was', 'rows were')} left out.`),
  undoHint: 'The station can undo the import. Orders that were launched, aborted or corrected by then stay.',
  undone: (many: number, kept: number) => `${ordersOf(many)} removed.${kept === 0 ? '' : ` ${ordersOf(kept)} kept.`}`,
  keptTitle: 'Kept, because somebody worked on them',
  undoFailed: 'The import was not undone.',
  exportCsv: 'Export',
} as const;
