import { createPace, type InParts } from '../station/inParts.ts';
import { columnKey, columnKeySet } from './columnKey.ts';
import { shortened } from './cells/texts.ts';
import type { ReadLine } from './orderLine.ts';
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
  /** Other columns that are not read, and may contain the sum of a line. */
  sums: readonly NamedColumn[];
  /** Those of `sums` that may contain the parts of a line, because the caller does not ignore them. */
  parts: readonly NamedColumn[];
};
type NamedColumn = { index: number; name: string };

/** Finds the columns that tell which rows are the same line of an order. */
export function lineColumnsOf({ head, fields, setAside }: MappedColumns): LineColumns {
  const mapped = new Set(fields.values());
  const unread = head.map((name, index) => ({ name, index })).filter(({ index }) => !mapped.has(index));
  const isNumber = ({ name }: NamedColumn): boolean => NUMBERS.has(columnKey(name));
  const isTaken = ({ index }: NamedColumn): boolean => !setAside.has(index);
  const sums = unread.filter((column) => column.name !== '' && !isNumber(column));
  return {
    numbers: unread.filter((column) => isNumber(column) && isTaken(column)),
    sums,
    parts: sums.filter(isTaken),
  };
}

/** A row of an order with its line. */
type LineRow = { line: ReadLine; cells: SortedRow['row']['cells']; pieces: number };
/** Rows of one line, or of one article if no column numbers the lines. `said` is what they have in common. */
type Group = { rows: LineRow[]; said: string; isNumbered: boolean };

/**
 * Returns why an order is wrong, or an empty text. It is wrong if two rows are the same line with the same pieces and place, or if each row has
 * the pieces of the whole line and another column has its parts. Adds a note to other rows of the same line, unless another column has
 * their sum.
 */
export function* repeatsIn(
  rows: readonly SortedRow[],
  lines: readonly ReadLine[],
  columns: LineColumns,
): InParts<string> {
  const pace = createPace();
  const numbers = columns.numbers.length === 0 ? [undefined] : columns.numbers;
  for (const column of numbers) {
    const groups = new Map<string, Group>();
    for (const [at, line] of lines.entries()) {
      if (pace.isDue()) yield* pace.rest();
      const { item } = line.row;
      const cells = rows[at]?.row.cells ?? [];
      const number = column === undefined ? '' : textOf(cells[column.index]);
      if (item === undefined || (column !== undefined && !/\d/.test(number))) continue;
      const { SKU = '', UPC = '', name: article = '', ordered_quantity: pieces } = item;
      const key = JSON.stringify([number, SKU, UPC, article]);
      const said = column === undefined ? 'the same' : `the same ${shortened(column.name)} ${shortened(number)},`;
      const group = groups.get(key) ?? { rows: [], said, isNumbered: column !== undefined };
      groups.set(key, group);
      group.rows.push({ line, cells, pieces });
    }
    for (const group of groups.values()) {
      if (pace.isDue()) yield* pace.rest();
      if (group.rows.length < 2) continue;
      const hasSum = yield* hasSumIn(group, columns.sums);
      const problem = hasSum ? '' : (yield* partsIn(group, columns.parts)) || (yield* repeatsOf(group, column));
      if (problem !== '') return problem;
    }
  }
  return '';
}

/** Whether a column has the sum of all rows in each row. */
function* hasSumIn({ rows }: Group, columns: readonly NamedColumn[]): InParts<boolean> {
  const pace = createPace();
  const sum = sumOf(rows.map(({ pieces }) => pieces));
  for (const { index, name } of columns) {
    if (pace.isDue()) yield* pace.rest();
    const key = columnKey(name);
    if (MONEY.test(key) || !(SUMS.test(key) || AMOUNT.test(key))) continue;
    const says = (text: string): boolean => piecesIn(text) === sum && !MONEY_TEXT.test(text);
    let isSum = true;
    for (const { cells } of rows) {
      if (pace.isDue()) yield* pace.rest();
      isSum = says(textOf(cells[index]));
      if (!isSum) break;
    }
    if (isSum) return true;
  }
  return false;
}

/** Returns why the rows are wrong if each of them has the same quantity, and a column has its parts. */
function* partsIn({ rows, said, isNumbered }: Group, columns: readonly NamedColumn[]): InParts<string> {
  const pace = createPace();
  const [first, second] = rows;
  if (first === undefined || second === undefined || rows.some(({ pieces }) => pieces !== first.pieces)) return '';
  for (const { index, name } of columns) {
    if (pace.isDue()) yield* pace.rest();
    const parts: number[] = [];
    for (const { cells } of rows) {
      if (pace.isDue()) yield* pace.rest();
      const pieces = piecesIn(textOf(cells[index]));
      if (pieces === undefined) break;
      parts.push(pieces);
    }
    if (parts.length < rows.length || sumOf(parts) !== first.pieces) continue;
    if (mayBeParts(columnKey(name), { isNumbered, differ: new Set(parts).size > 1 }))
      return `Lines ${first.line.row.line} and ${second.line.row.line} have ${said} article and quantity, and "${shortened(name)}" has its parts. Map that column to ordered_quantity, or ignore it if all of these rows are picked.`;
  }
  return '';
}

/** Compares the rows of one line, whose number is in this column. */
function* repeatsOf({ rows, said }: Group, column: NamedColumn | undefined): InParts<string> {
  if (column === undefined) return '';
  const pace = createPace();
  const seen = new Map<string, ReadLine>();
  for (const { line, pieces } of rows) {
    if (pace.isDue()) yield* pace.rest();
    const key = JSON.stringify([pieces, placeOf(line)]);
    const before = seen.get(key);
    if (before !== undefined)
      return `Lines ${before.row.line} and ${line.row.line} have ${said} article and quantity. Remove one of them, or ignore the column "${shortened(column.name)}" if both are picked.`;
    seen.set(key, line);
  }
  const [first] = rows;
  for (const { line } of rows.slice(1)) {
    if (pace.isDue()) yield* pace.rest();
    const note = `It has ${said.replace(/,$/, '')} as line ${first?.line.row.line ?? 0}. Both are picked.`;
    line.row.message = `${line.row.message} ${note}`.trim();
  }
  return '';
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

/** Parts of column names with sums of pieces, and of those with sums of money, by `columnKey`. */
const SUMS = /sum|som|gesamt|total|suma|razem/;
const MONEY =
  /price|preis|amount|betrag|netto|brutto|net$|tax|steuer|vat|mwst|eur|usd|prix|montant|importe|precio|prijs|bedrag|cena|kwota|wert|value/;
/** A sum of money with cents. */
const MONEY_TEXT = /[.,]\d\d$/;

/** Whether numbers in a column can be parts of a line, and not only the pieces in a pack, for example. */
function mayBeParts(key: string, { isNumbered, differ }: { isNumbered: boolean; differ: boolean }): boolean {
  if (isNumbered && differ) return true;
  return AMOUNT.test(key) && (isNumbered || differ || LOTS.test(key));
}

/** Parts of column names with quantities of lots and places, by `columnKey`. */
const LOTS = /lot|charge|batch|serial|alloc|zugeteilt|reserv|partij|partii|bin$|fach$|platz$/;
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
