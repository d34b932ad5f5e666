import { createPace, type InParts } from '../station/inParts.ts';
import { parseNumber } from './cells/numbers.ts';
import { columnKey } from './columnKey.ts';
import { DONE_FIELDS, type TableField } from './fields.ts';
import { type GivenColumns, type HeadColumn, type HeadReading, readValues } from './headColumns.ts';
import { assessRow } from './pickRules.ts';

/**
 * Asks about a column of pieces to ship if it has only zeros, unless other columns say that lines are done and none is open. Otherwise, a
 * column with another meaning would leave out the whole file.
 */
export function* askNothingLeft(reading: HeadReading, { columns: given = {}, states }: GivenColumns): InParts<void> {
  const { columns, fields, profile } = reading;
  const find = (field: TableField) => columns.find(({ index }) => index === fields.get(field));
  const [left, ordered] = [find('quantity_to_ship'), find('ordered_quantity')];
  if (left === undefined || ordered === undefined || profile?.fields.quantity_to_ship !== undefined) return;
  if (Object.keys(given).some((name) => columnKey(name) === columnKey(left.name))) return;
  const done = DONE_FIELDS.flatMap((field) => find(field) ?? []);
  const stated = reading.states.flatMap(({ index, rules }) => {
    const column = columns.find((each) => each.index === index);
    return column === undefined ? [] : [{ column, rules }];
  });
  yield* readValues([left, ordered, ...done, ...stated.map(({ column }) => column)]);
  const pace = createPace();
  let hasRows = false;
  let isProven = false;
  let isOpen = false;
  for (const [row, text] of ordered.values.entries()) {
    if (pace.isDue()) yield* pace.rest();
    const pieces = piecesIn(text);
    if (pieces === 0 || valueIn(left, row) === '') continue;
    if (piecesIn(valueIn(left, row)) !== 0) return;
    const verdicts = stated.map(({ column, rules }) =>
      assessRow(rules, { textOf: () => valueIn(column, row) }, { states }),
    );
    isOpen ||= verdicts.some((verdict) => verdict.outcome === 'pick' && verdict.isOpen === true);
    isProven ||=
      done.reduce((sum, column) => sum + piecesIn(valueIn(column, row)), 0) >= pieces ||
      verdicts.some(({ outcome }) => outcome === 'leave_out');
    hasRows = true;
  }
  if (!hasRows || (isProven && !isOpen)) return;
  fields.delete('quantity_to_ship');
  reading.open.push({ column: left, fields: ['quantity_to_ship'] });
}

const valueIn = ({ values }: HeadColumn, row: number): string => values[row] ?? '';

/** Returns the whole pieces of a quantity without its sign. Texts that are not numbers count as none. */
function piecesIn(text: string): number {
  const read = parseNumber(text);
  return read.kind === 'none' ? 0 : Number(read.whole) || (/[1-9]/.test(read.fraction) ? 1 : 0);
}
