import { createPace, type InParts } from '../station/inParts.ts';
import { parseNumber } from './cells/numbers.ts';
import type { CountField } from './fields.ts';
import { namedCount } from './quantityNames.ts';
import { isUnitName } from './unitNames.ts';

/** A column that may count pieces. `ordered` contains the ordered quantity of each row. */
type CountColumn = { name: string; values: readonly string[]; ordered: readonly string[] };

/** Returns the field of a column whose name alone says which pieces it counts, or that it contains units. */
export function countField(name: string): CountField | 'unit' | undefined {
  const named = namedCount(name);
  if (named?.isSure === true) return named.fields[0];
  return named === undefined && isUnitName(name) ? 'unit' : undefined;
}

/**
 * Returns the possible fields of a column whose name may count pieces. Its values must be whole numbers up to the ordered quantity, and at least
 * one must change what is picked. Totals of finished pieces may be larger. If the name can mean money, a column with only zeros has no fields.
 */
export function* askedCounts({ name, values, ordered }: CountColumn): InParts<readonly CountField[]> {
  const pace = createPace();
  const named = namedCount(name);
  if (named === undefined || named.isSure) return [];
  const isLeft = named.fields.includes('quantity_to_ship');
  const mayBeMore = named.isTotal && !isLeft;
  let isMoney = !named.hasAmount;
  let hasPieces = !named.mayBeMoney;
  let changes = false;
  for (const [at, text] of values.entries()) {
    if (pace.isDue()) yield* pace.rest();
    if (text === '') continue;
    const [count, all] = [pieces(text), pieces(ordered[at] ?? '')];
    if (count === undefined || all === undefined || (count > all && !mayBeMore)) return [];
    // Prices have two decimals where quantities have none.
    isMoney &&= /[.,]\d\d$/.test(text) && !/[.,]\d\d$/.test(ordered[at] ?? '');
    changes ||= isLeft ? count !== all : count > 0;
    hasPieces ||= count > 0;
  }
  return changes && hasPieces && !isMoney ? named.fields : [];
}

/** Returns a whole number of pieces without its sign, or undefined if the text is not one. */
function pieces(text: string): number | undefined {
  const read = parseNumber(text);
  if (read.kind === 'none' || !/^0*$/.test(read.fraction)) return undefined;
  return Number(read.whole);
}
