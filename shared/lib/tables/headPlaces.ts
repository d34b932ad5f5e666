import { columnKey } from './columnKey.ts';
import type { TableField } from './fields.ts';
import { type HeadColumn, type HeadReading, missingOf } from './headColumns.ts';
import { FIELD_BY_KEY } from './profiles/synonyms.ts';
import { type TableRow, textOf } from './table.ts';

export const SKU_KEY = columnKey('SKU');

/**
 * Whether a column `SKU` names the article, because another column names the place. Otherwise, it names the place, because requests
 * address places by SKU.
 */
export function namesArticle({ fields }: HeadReading, free: ReadonlySet<HeadColumn>): boolean {
  const others = [...free].filter(({ key }) => key !== SKU_KEY).map(({ key }) => FIELD_BY_KEY.locations.get(key));
  const has = (field: TableField): boolean => fields.has(field) || others.includes(field);
  return has('name') || (has('label') && !has('deviceIs'));
}

/** Fields of a position. These names mean them only beside the other field and the name of the place. Otherwise, they can name the place. */
const POSITIONS: readonly (readonly [TableField, ReadonlySet<string>])[] = [
  ['rack', new Set(['rack', 'Regal', 'étagère', 'estantería'].map(columnKey))],
  ['shelf', new Set(['shelf', 'estante'].map(columnKey))],
];

/** Maps columns such as `Rack` and `Shelf` to the position of the place, if another column names the place. */
export function takePosition({ fields }: HeadReading, free: Set<HeadColumn>): void {
  const found = POSITIONS.map(([field, keys]) => ({
    field,
    columns: [...free].filter(({ key }) => keys.has(key) || FIELD_BY_KEY.locations.get(key) === field),
  }));
  if (!found.every(({ field, columns }) => fields.has(field) !== (columns.length === 1))) return;
  const positions = new Set(found.flatMap(({ columns }) => columns));
  const others = [...free].filter((column) => !positions.has(column)).map(({ key }) => FIELD_BY_KEY.locations.get(key));
  const isNamed = NAMES.some((field) => fields.has(field) || others.includes(field));
  if (!isNamed) return;
  for (const { field, columns } of found) {
    for (const column of columns) {
      fields.set(field, column.index);
      free.delete(column);
    }
  }
}

const NAMES: readonly TableField[] = ['name', 'label'];

/**
 * Whether every column of the file is known, or can only be that of the articles. A title above the column names has fewer cells than the row
 * below it.
 */
export function isExplained(
  { head, open }: HeadReading,
  free: ReadonlySet<HeadColumn>,
  body: readonly TableRow[],
): boolean {
  const asked = new Set(open.map(({ column }) => column));
  const isAsked = open.every(({ fields }) => fields.every((field) => field === 'article'));
  return isAsked && [...free].every((column) => asked.has(column)) && filledIn(body[0]) <= filledIn(head);
}

const filledIn = (row: TableRow | undefined): number => row?.cells.filter((cell) => textOf(cell) !== '').length ?? 0;

/** Whether the file names places, but no devices. */
export function isNamesOnly({ fields }: HeadReading): boolean {
  return fields.has('name') !== fields.has('label') && !fields.has('deviceid') && !fields.has('deviceIs');
}

/**
 * Maps the column of names to device labels if the file contains only names and devices. Does nothing while another column is unexplained,
 * because it may be the direction of aliases, or if the column has Pickstation's own name `name`, which means aliases unless the file has
 * positions, which are those of devices.
 */
export function labelByName(reading: HeadReading, free: ReadonlySet<HeadColumn>): void {
  const { fields } = reading;
  const name = fields.get('name');
  if (name === undefined || !fields.has('deviceid') || fields.has('deviceIs') || fields.has('label')) return;
  const isOwnName = reading.columns.some(({ index, key }) => index === name && key === 'name');
  const hasPositions = fields.has('rack') && fields.has('shelf') && fields.has('column');
  if ((isOwnName && !hasPositions) || free.size > 0 || reading.open.length > 0) return;
  fields.delete('name');
  fields.set('label', name);
  reading.missing = missingOf('locations', fields);
}
