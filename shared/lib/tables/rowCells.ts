import { createPace, type InParts } from '../station/inParts.ts';
import { withoutEntities } from './cells/entities.ts';
import { OPTION_FIELDS, type TableField } from './fields.ts';
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
  'company',
  'address_1',
  'address_2',
  'address_3',
  'city',
  'title',
  ...OPTION_FIELDS,
]);

/** Fields with codes, which some programs write as decimal numbers: `1001.0`. */
const CODES = ['order_number', 'SKU', 'UPC'] as const satisfies readonly TableField[];
const FLOAT = /^\d+\.0$/;

/** Returns the fields with codes in which every filled cell is a whole number with the decimal 0. */
export function* floatFieldsOf({ fields, body }: Pick<MappedColumns, 'fields' | 'body'>): InParts<Set<TableField>> {
  const pace = createPace();
  const floats = new Set<TableField>();
  for (const field of CODES) {
    const index = fields.get(field);
    if (index === undefined) continue;
    let isFloat = false;
    for (const { cells } of body) {
      if (pace.isDue()) yield* pace.rest();
      const text = textOf(cells[index]);
      if (text === '') continue;
      isFloat = FLOAT.test(text);
      if (!isFloat) break;
    }
    if (isFloat) floats.add(field);
  }
  return floats;
}

/**
 * Returns a function that finds the cell of a field in a row. It replaces HTML entities in texts, and removes the decimal from codes of the
 * fields in `floats`.
 */
export function cellsIn(
  { fields, profile }: Pick<MappedColumns, 'fields' | 'profile'>,
  floats: ReadonlySet<TableField> = NO_FIELDS,
): (row: TableRow, field: TableField) => FileCell | undefined {
  const hasEntities = profile?.isExport !== true;
  return ({ cells }, field) => {
    const cell = cells[fields.get(field) ?? -1];
    if (floats.has(field) && typeof cell === 'string') return cell.replace(/\.0$/, '');
    return hasEntities && typeof cell === 'string' && TEXTS.has(field) ? withoutEntities(cell) : cell;
  };
}
