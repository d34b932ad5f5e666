import { plural } from './plural.ts';

const count = (many: number) => many.toLocaleString('en');
const ordersOf = (many: number) => `${count(many)} ${many === 1 ? 'order' : 'orders'}`;

export const orderImport = {
  title: 'Import orders',
  back: 'Back to the orders',
  lead: 'A line for each item. The first line names the columns, in any order; lines with the same order number become one order. Nothing is lit by an import.',
  example: 'Such as',
  file: 'Choose a file',
  drop: 'or drop it here',
  paste: 'Or paste from a spreadsheet',
  check: 'Look at it',
  nothing: 'Paste something, or choose a file.',
  tooLarge: 'The file is over 8 MB. Import it in parts.',
  unreadable: 'The file cannot be opened. Choose it again.',
  readAs: (delimiter: string, columns: readonly string[]) =>
    `Read as ${delimiter}. Columns: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  delimiters: { ',': 'comma separated', ';': 'semicolon separated', '\t': 'tab separated' },
  ignored: (columns: readonly string[]) => `Left alone: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  outcomeFilter: 'Which rows',
  outcomes: { all: 'All', new: 'New', known: 'There already', held: 'Left out', refused: 'Wrong' },
  columns: { line: 'Line', outcome: 'Becomes', order: 'Order', item: 'Item', place: 'Lights' },
  rows: 'Rows of the file',
  shipment: (number: string) => `shipment ${number}`,
  lights: (device: string) => device,
  noDevice: 'No device yet',
  noDeviceHint: 'Found at launch, once a device, alias or label is called so',
  knownHint: 'An order of this number is there already',
  heldBy: (line: number) => `Its order is left out: see line ${line}`,
  submit: (orders: number) => `Import ${ordersOf(orders)}`,
  summary: (orders: number, items: number) => `${ordersOf(orders)} with ${plural(items, 'item', 'items')}.`,
  leavesOut: (rows: number) => `${plural(rows, 'row', 'rows')} will be left out.`,
  withoutDevice: (rows: number) => `${plural(rows, 'item finds', 'items find')} no device yet.`,
  nothingNew: 'No order can be made of it. Mend the list, then choose it again.',
  other: 'Choose another',
  running: (orders: number) => `Importing ${ordersOf(orders)}`,
  failed: (orders: number) => `${ordersOf(orders)} could not be made.`,
  last: 'The last import',
  done: (orders: number, when: string) =>
    `Imported ${ordersOf(orders)} ${/^\d\d:\d\d$/.test(when) ? 'at' : 'on'} ${when}.`,
  notDone: (failed: number, left: number) =>
    [
      failed === 0 ? '' : `${ordersOf(failed)} could not be made.`,
      left === 0 ? '' : `Cancelled before ${ordersOf(left)} more.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  why: 'Why not?',
  whyTitle: 'Not imported',
  undo: 'Undo the import',
  undoHint: 'It can be undone in this browser for a day, as far as nothing of it was launched.',
  undoing: 'Taking it back…',
  undone: (many: number) => `${ordersOf(many)} taken back.`,
  kept: (numbers: readonly string[], more: number) =>
    `Launched or changed since, so left as they are: ${numbers.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`,
  undoFailed: 'Not all of it was taken back.',
  hide: 'Hide this line',
} as const;
