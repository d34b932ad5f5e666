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
    ligne; n° ligne; numéro de ligne; numéro de ligne de commande; línea; nº línea; número de línea; regel; regelnummer; bestelitem id`,
);

/** A column that numbers the lines of an order. */
export type LineNumbers = { index: number; name: string };

/** Finds the columns that number the lines of an order. */
export function lineNumbersOf({ head, fields }: MappedColumns): readonly LineNumbers[] {
  const mapped = new Set(fields.values());
  return head.flatMap((name, index) => (!mapped.has(index) && NUMBERS.has(columnKey(name)) ? [{ index, name }] : []));
}

/**
 * Returns why an order is wrong in which two lines have the same number, article, pieces and place, or an empty text. Adds a note to lines that
 * differ only in their places.
 */
export function* repeatsIn(
  rows: readonly SortedRow[],
  lines: readonly ReadLine[],
  columns: readonly LineNumbers[],
): InParts<string> {
  const pace = createPace();
  for (const { index: column, name } of columns) {
    const seen = new Map<string, ReadLine>();
    for (const [at, line] of lines.entries()) {
      if (pace.isDue()) yield* pace.rest();
      const { item } = line.row;
      const number = textOf(rows[at]?.row.cells[column]);
      if (item === undefined || !/\d/.test(number)) continue;
      const { SKU = '', UPC = '', name: article = '', ordered_quantity: pieces } = item;
      const key = JSON.stringify([number, SKU, UPC, article, pieces]);
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, line);
        continue;
      }
      const said = `the same ${shortened(name)} ${shortened(number)}`;
      if (placeOf(first) === placeOf(line))
        return `Lines ${first.row.line} and ${line.row.line} have ${said}, article and quantity. Remove one of them, or ignore that column if both are picked.`;
      line.row.message = `${line.row.message} It has ${said} as line ${first.row.line}. Both are picked.`.trim();
    }
  }
  return '';
}

function placeOf({ row: { item }, shipment }: ReadLine): string {
  return JSON.stringify([item?.warehouse_location ?? '', item?.deviceid ?? '', shipment]);
}
