import { withoutEntities } from './cells/entities.ts';
import type { TableField } from './fields.ts';
import type { FileCell, TableRow } from './table.ts';
import type { MappedColumns } from './types.ts';

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

/** Returns a function that finds the cell of a field in a row, and replaces HTML entities in texts. */
export function cellsOf(
  { fields, profile }: Pick<MappedColumns, 'fields' | 'profile'>,
  row: TableRow,
): (field: TableField) => FileCell | undefined {
  const hasEntities = profile?.isExport !== true;
  return (field) => {
    const cell = row.cells[fields.get(field) ?? -1];
    return hasEntities && typeof cell === 'string' && TEXTS.has(field) ? withoutEntities(cell) : cell;
  };
}
