import type { InParts } from '../station/inParts.ts';
import { withoutEntities } from './cells/entities.ts';
import type { TableField } from './fields.ts';
import { type FileCell, type TableRow, textOf } from './table.ts';
import type { MappedColumns } from './types.ts';

const NO_FIELDS: ReadonlySet<TableField> = new Set();

/** Texts in which shops write entities. */
const TEXTS: ReadonlySet<TableField> = new Set([
  'name',
  'description',
  'customer',
  'customer_first_name',
  'customer_last_name',
  'note',
  'title',
  'option_1',
  'option_2',
  'option_3',
]);

/** Fields with codes that tools for data write as numbers with a decimal: `1001.0`. */
const CODES = ['order_number', 'SKU', 'UPC'] as const satisfies readonly TableField[];
const FLOAT = /^\d+\.0$/;
/** Number of rows to test per step. */
const PART_ROWS = 2_000;

/** Returns the fields with codes whose cells all are whole numbers with the decimal 0. */
export function* floatFieldsOf({ fields, body }: Pick<MappedColumns, 'fields' | 'body'>): InParts<Set<TableField>> {
  const floats = new Set<TableField>();
  for (const field of CODES) {
    const index = fields.get(field);
    if (index === undefined) continue;
    let isFloat = false;
    for (const [at, { cells }] of body.entries()) {
      if (at % PART_ROWS === PART_ROWS - 1) yield;
      const text = textOf(cells[index]);
      if (text === '') continue;
      isFloat = FLOAT.test(text);
      if (!isFloat) break;
    }
    if (isFloat) floats.add(field);
  }
  return floats;
}

/** Returns a function that finds the cell of a field in a row, replaces HTML entities in texts, and removes the decimal of the fields in `floats`. */
export function cellsOf(
  { fields, profile }: Pick<MappedColumns, 'fields' | 'profile'>,
  row: TableRow,
  floats: ReadonlySet<TableField> = NO_FIELDS,
): (field: TableField) => FileCell | undefined {
  const hasEntities = profile?.isExport !== true;
  return (field) => {
    const cell = row.cells[fields.get(field) ?? -1];
    if (floats.has(field) && typeof cell === 'string') return cell.replace(/\.0$/, '');
    return hasEntities && typeof cell === 'string' && TEXTS.has(field) ? withoutEntities(cell) : cell;
  };
}
