import { countText } from '../../text/locale.ts';
import { MAX_ORDERED } from '../../orders/orderLimits.ts';
import { type DecimalMark, parseNumber, type ReadValue } from './numbers.ts';
import { plainText, refused, shortened } from './texts.ts';
import { NO_UNITS, type PiecesOfUnit, piecesOfUnit, type UnitsOfRow } from './units.ts';
import type { FileCell } from '../table.ts';

/** A number of pieces, with a note if a unit multiplies it, or a sentence about why it cannot be read. */
export type ReadPieces<T = number> =
  | { ok: true; value: T; note: string }
  | ({ ok: false; message: string } & UnknownUnit);

/** The unit of a number that nobody can convert to pieces, for a question about it. */
export type UnknownUnit = { unit?: string };

/** A number in the short form that spreadsheets use: `1E+02`. */
const SHORTENED = /^\d+(?:[.,]\d+)?e[+-]?\d{1,3}$/i;
/** A pack of so many pieces in German: `6er`. */
const PACK = /^\d+\s?-?er(?!\p{L})/iu;

/**
 * Reads a whole number of pieces: `2`, `2.0`, `2,00`, `1 200`, `2 Stk`, `2 dozen`. `decimal` is the decimal separator given by the caller
 * or found in the column. If a unit multiplies the number, `note` says so; otherwise it is empty.
 */
export function readPieces(cell: FileCell, decimal: DecimalMark | undefined, units: UnitsOfRow = NO_UNITS): ReadPieces {
  const read = readNumber(cell, decimal);
  if (!read.ok) return read;
  const { said, unit } = read.value;
  const per = piecesOfUnit(unit, units);
  if (!per.ok) return withUnit(per);
  // Rounded, because a product such as 1.1 × 10 is not exact.
  const value = Number((read.value.value * per.pieces).toPrecision(12));
  if (!Number.isInteger(value))
    return refused(`"${said}" is not a whole number of pieces. Give a whole number from 0 up.`);
  if (value < 0 || value > MAX_ORDERED) {
    return refused(`"${said}" is not a quantity. Give a whole number from 0 to ${countText(MAX_ORDERED)}.`);
  }
  const words = unit === '' ? `${said} ${units.column}`.trim() : said;
  return { ok: true, value, note: per.pieces === 1 ? '' : `"${words}" is read as ${countText(value)} pieces.` };
}

function withUnit({
  message,
  unit,
}: Extract<PiecesOfUnit, { ok: false }>): { ok: false; message: string } & UnknownUnit {
  return { ...refused(message), ...(unit === null ? {} : { unit }) };
}

function readNumber(
  cell: FileCell,
  decimal: DecimalMark | undefined,
): ReadValue<{ value: number; said: string; unit: string }> {
  const text = plainText(cell);
  if (!text.ok) return text;
  const said = text.value;
  if (typeof cell !== 'string' && cell.kind === 'number') {
    const { value, unit = '' } = cell;
    return { ok: true, value: { value, said: `${said} ${unit}`.trim(), unit } };
  }
  if (typeof cell !== 'string') return refused(`"${said}" is not a quantity. Give a whole number from 0 up.`);
  if (SHORTENED.test(said)) {
    return refused(`"${said}" was shortened by a spreadsheet. Format the column as a number, and save the file again.`);
  }
  if (PACK.test(said)) {
    return refused(`"${shortened(said)}" is the size of a pack, and not a quantity. Give the number of pieces.`);
  }
  const parsed = parseNumber(said);
  if (parsed.kind === 'none') return refused(`"${said}" is not a quantity. Give a whole number from 0 up.`);
  const { negative, whole, fraction, unit } = parsed;
  if (parsed.kind === 'unclear' && decimal === undefined) {
    return refused(
      `"${said}" can be ${Number(whole + fraction)} or ${Number(`${whole}.${fraction}`)} pieces. Write it without a sign between the digits, or say which one is the decimal sign (decimal: "." or ",").`,
    );
  }
  const isThousands = parsed.kind === 'unclear' && !said.includes(decimal ?? '');
  const value = Number(isThousands ? whole + fraction : `${whole}.${fraction === '' ? '0' : fraction}`);
  return { ok: true, value: { value: negative ? -value : value, said, unit } };
}
