import { createPace, type InParts } from '../station/inParts.ts';
import { columnKey, columnKeySet } from './columnKey.ts';
import { shortened } from './cells/texts.ts';
import type { ReadLine } from './orderLine.ts';
import { namedCount } from './quantityNames.ts';
import { textOf } from './table.ts';
import type { MappedColumns, SortedRow } from './types.ts';

/** Names of columns that number the lines of an order, by `columnKey`. */
const NUMBERS = columnKeySet(
  `line; line no; line number; line nr; line id; line item id; order line; order line id; order line no; order line number; order item id; orderitem id; row id;
    Pos; Pos Nr; Position; Positionsnummer; Positionsnr; Positions ID; Auftragsposition; Auftragsposition ID; Auftragspositions ID; Zeile; Zeilennr; Zeilennummer;
    ligne; n° ligne; numéro de ligne; numéro de ligne de commande; línea; nº línea; número de línea; regel; regelnummer; bestelitem id; lp; pozycja; numer pozycji; nr pozycji`,
);

/** Columns that tell which rows are the same line of an order. */
export type LineColumns = {
  /** Columns that number the lines. */
  numbers: readonly NamedColumn[];
  /** Other columns that are not read, and may contain the parts or the sum of a line. */
  others: readonly NamedColumn[];
};
type NamedColumn = { index: number; name: string };

/** Finds the columns that number the lines of an order, except those that the caller ignores. */
export function lineColumnsOf({ head, fields, setAside }: MappedColumns): LineColumns {
  const mapped = new Set(fields.values());
  const unread = head.map((name, index) => ({ name, index })).filter(({ index }) => !mapped.has(index));
  const isNumber = ({ name }: NamedColumn): boolean => NUMBERS.has(columnKey(name));
  return {
    numbers: unread.filter((column) => isNumber(column) && !setAside.has(column.index)),
    others: unread.filter((column) => column.name !== '' && !isNumber(column)),
  };
}

/** A row of an order with its line and its place. */
type LineRow = { line: ReadLine; cells: SortedRow['row']['cells']; pieces: number };

/**
 * Returns why an order is wrong, or an empty text: two rows are the same line with the same pieces and place, or each row has the pieces of the
 * whole line and another column has its parts. Adds a note to other rows of the same line, unless another column has their sum.
 */
export function* repeatsIn(
  rows: readonly SortedRow[],
  lines: readonly ReadLine[],
  { numbers, others }: LineColumns,
): InParts<string> {
  const pace = createPace();
  for (const { index: column, name } of numbers) {
    const groups = new Map<string, LineRow[]>();
    for (const [at, line] of lines.entries()) {
      if (pace.isDue()) yield* pace.rest();
      const { item } = line.row;
      const cells = rows[at]?.row.cells ?? [];
      const number = textOf(cells[column]);
      if (item === undefined || !/\d/.test(number)) continue;
      const { SKU = '', UPC = '', name: article = '', ordered_quantity: pieces } = item;
      const key = JSON.stringify([number, SKU, UPC, article]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [{ line, cells, pieces }]);
      else group.push({ line, cells, pieces });
    }
    for (const group of groups.values()) {
      if (pace.isDue()) yield* pace.rest();
      if (group.length < 2) continue;
      const problem = yield* repeatsOf(group, { name, number: textOf(group[0]?.cells[column]), others });
      if (problem !== '') return problem;
    }
  }
  return '';
}

/** Compares the rows of one line. */
function* repeatsOf(
  group: readonly LineRow[],
  { name, number, others }: { name: string; number: string; others: readonly NamedColumn[] },
): InParts<string> {
  const pace = createPace();
  const [first, second] = group;
  if (first === undefined || second === undefined) return '';
  const said = `the same ${shortened(name)} ${shortened(number)}`;
  const whole = group.every(({ pieces }) => pieces === first.pieces) ? first.pieces : undefined;
  const sum = group.reduce((all, { pieces }) => all + pieces, 0);
  for (const { index, name: other } of others) {
    if (pace.isDue()) yield* pace.rest();
    const counts = group.map(({ cells }) => piecesIn(textOf(cells[index])));
    if (counts.every((count) => count === sum)) return '';
    const isParts =
      counts.every((count) => count !== undefined) && counts.reduce((all, each) => all + each, 0) === whole;
    if (isParts && (new Set(counts).size > 1 || namedCount(other)?.hasAmount === true || AMOUNT.test(columnKey(other))))
      return `Lines ${first.line.row.line} and ${second.line.row.line} have ${said}, article and quantity, and "${shortened(other)}" has its parts. Map that column to ordered_quantity, or ignore the column "${shortened(name)}" if all of them are picked.`;
  }
  const seen = new Map<string, ReadLine>();
  for (const { line, pieces } of group) {
    if (pace.isDue()) yield* pace.rest();
    const key = JSON.stringify([pieces, placeOf(line)]);
    const before = seen.get(key);
    if (before !== undefined)
      return `Lines ${before.row.line} and ${line.row.line} have ${said}, article and quantity. Remove one of them, or ignore the column "${shortened(name)}" if both are picked.`;
    seen.set(key, line);
  }
  for (const { line } of group.slice(1))
    line.row.message = `${line.row.message} It has ${said} as line ${first.line.row.line}. Both are picked.`.trim();
  return '';
}

/** Parts of column names with quantities, by `columnKey`. */
const AMOUNT = /qty|quantit|menge|anzahl|cantidad|qte|ilosc|aantal/;

/** Returns a whole number of pieces with or without its unit, or undefined for any other text. */
function piecesIn(text: string): number | undefined {
  const [, digits] = /^(\d{1,9})(?:[.,]0+)?(?:\s?\p{L}{1,10}\.?)?$/u.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function placeOf({ row: { item }, shipment }: ReadLine): string {
  return JSON.stringify([item?.warehouse_location ?? '', item?.deviceid ?? '', shipment]);
}
