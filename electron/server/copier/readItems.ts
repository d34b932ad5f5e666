import type { FileCell, TableFile, TableRow } from '#shared/lib/tables/table.ts';
import type { FoundItems } from './copyJob.ts';

/** Approximate number of characters in a message. Receiving one takes about a millisecond. */
const PART_CHARACTERS = 65_536;
/** Approximate number of characters that a cell and a row add to a message beside their texts. */
const AROUND_CELL = 8;
const AROUND_OBJECT = 64;

/** Splits the rows of a sheet into messages. A long row is split too. */
export function* rowsIn(rows: readonly TableRow[], list: number): Generator<FoundItems, void, void> {
  let items: TableRow[] = [];
  let characters = 0;
  let isContinued = false;
  for (const row of rows) {
    let from = 0;
    characters += AROUND_OBJECT;
    for (const [index, cell] of row.cells.entries()) {
      characters += lengthOf(cell);
      if (characters < PART_CHARACTERS) continue;
      const end = index + 1;
      yield { list, items: [...items, { ...row, cells: row.cells.slice(from, end) }], isContinued };
      [items, characters, from, isContinued] = [[], 0, end, true];
    }
    if (from > 0 && from === row.cells.length) isContinued = false;
    else items.push(from === 0 ? row : { ...row, cells: row.cells.slice(from) });
  }
  if (items.length > 0) yield { list, items, isContinued };
}

function lengthOf(cell: FileCell): number {
  if (typeof cell === 'string') return AROUND_CELL + cell.length;
  return AROUND_OBJECT + cell.text.length + (cell.kind === 'fault' ? cell.message.length : 0);
}

/** Splits the orders of a document into messages. */
export function* itemsOf(orders: readonly unknown[]): Generator<FoundItems, void, void> {
  let items: unknown[] = [];
  let characters = 0;
  for (const order of orders) {
    items.push(order);
    characters += JSON.stringify(order).length;
    if (characters < PART_CHARACTERS) continue;
    yield { list: 0, items, isContinued: false };
    [items, characters] = [[], 0];
  }
  if (items.length > 0) yield { list: 0, items, isContinued: false };
}

/** Creates a collector for the items of messages. Equal texts in consecutive rows of a column take memory only once. */
export function createItems() {
  const lists: unknown[][] = [];
  return {
    add({ list, items, isContinued }: FoundItems): void {
      const all = (lists[list] ??= []);
      for (const [index, item] of items.entries()) {
        const before = index === 0 && isContinued ? all.pop() : undefined;
        const whole = before === undefined ? item : joined(before as TableRow, item as TableRow);
        all.push(isRow(whole) ? sharing(whole, all.at(-1) as TableRow | undefined) : whole);
      }
    },
    /** Safe casts: only our own program sends the items. */
    table(rest: TableFile): TableFile {
      if (!rest.ok) return rest;
      const sheets = rest.sheets.map((sheet, index) => ({ ...sheet, rows: (lists[index] ?? []) as TableRow[] }));
      return { ...rest, sheets };
    },
    list: <Item>(): Item[] => (lists[0] ?? []) as Item[],
  };
}

/** Orders of documents have no cells. */
function isRow(item: unknown): item is TableRow {
  return Array.isArray((item as Partial<TableRow>).cells);
}

/** Replaces texts by the equal ones above them. */
function sharing(row: TableRow, above: TableRow | undefined): TableRow {
  if (above === undefined) return row;
  return {
    ...row,
    cells: row.cells.map((cell, index) => (cell === above.cells[index] ? (above.cells[index] ?? cell) : cell)),
  };
}

function joined(before: TableRow, after: TableRow): TableRow {
  return { ...before, cells: [...before.cells, ...after.cells] };
}
