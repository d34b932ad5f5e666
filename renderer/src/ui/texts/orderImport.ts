import { plural } from './plural.ts';

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
  knownHint: 'An order of this number is there already',
  heldBy: (line: number) => `Its order is left out: see line ${line}`,
  submit: (orders: number) => `Import ${ordersOf(orders)}`,
  summary: (orders: number, items: number) => `${ordersOf(orders)} with ${plural(items, 'item', 'items')}.`,
  withoutDevice: (rows: number) => `${plural(rows, 'item finds', 'items find')} no device yet.`,
  nothingNew: 'No order can be made of it. Mend the list, then choose it again.',
  running: (orders: number) => `Importing ${ordersOf(orders)}`,
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
  undoHint: 'It can be undone in this browser for a day, as far as nothing of it was launched.',
  undone: (many: number) => `${ordersOf(many)} taken back.`,
  kept: (numbers: readonly string[], more: number) =>
    `Launched or changed since, so left as they are: ${numbers.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`,
  undoFailed: 'Not all of it was taken back.',
} as const;
