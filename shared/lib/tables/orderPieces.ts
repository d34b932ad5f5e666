import { listText } from '../text/locale.ts';
import { type DecimalMark, isUnclearNumber } from './cells/numbers.ts';
import { readPieces, type ReadPieces } from './cells/pieces.ts';
import { refused, shortened } from './cells/texts.ts';
import { NO_UNITS, type UnitsOfRow } from './cells/units.ts';
import { DONE_FIELDS, type TableField } from './fields.ts';
import { END_REASONS, type EndReason } from './states.ts';
import { type FileCell, textOf } from './table.ts';
import type { SortedRow } from './types.ts';

/**
 * Fields that determine the number of pieces to pick. `stock_quantity` is the ordered quantity in pieces. `quantity_to_ship` overrides the
 * ordered quantity. Otherwise, finished pieces are subtracted from the ordered quantity.
 */
export const QUANTITIES = [
  'stock_quantity',
  'quantity_to_ship',
  'ordered_quantity',
  ...DONE_FIELDS,
] as const satisfies readonly TableField[];

type How = {
  decimal: DecimalMark | undefined;
  /** Whether another column says that nothing is left. Then more pieces than ordered may be done. */
  isGone?: boolean;
} & Pick<UnitsOfRow, 'article' | 'given'>;
type Pieces = ReadPieces<number | undefined>;

/** Returns the number of pieces left to pick, or undefined if all are shipped, refunded or canceled. */
export function piecesOf(cellOf: SortedRow['cellOf'], how: How): Pieces {
  const read = piecesBy(cellOf, how, how.decimal);
  if (read.ok || how.decimal !== undefined || !isUnclearNumber(textOf(cellOf('unit_pieces')))) return read;
  // Read a factor of 1.000 as one if the row contradicts a thousand.
  const [one, other] = MARKS.map((mark) => ({ mark, factor: readFactor(cellOf('unit_pieces'), mark) })).toSorted(
    (a, b) => Number(isOne(b.factor)) - Number(isOne(a.factor)),
  );
  if (one === undefined || other === undefined || !isOne(one.factor)) return read;
  const isDoubtful = piecesBy(cellOf, how, other.mark).ok;
  const asOne = piecesBy(cellOf, how, one.mark);
  return asOne.ok && !isDoubtful ? asOne : read;
}

const MARKS = ['.', ','] as const satisfies readonly DecimalMark[];

function isOne(read: ReadPieces): boolean {
  return read.ok && read.value === 1;
}

/** Returns the number of pieces. `factorDecimal` is the decimal separator of the number of pieces in one unit. */
function piecesBy(
  cellOf: SortedRow['cellOf'],
  { decimal, isGone = false, ...known }: How,
  factorDecimal: DecimalMark | undefined,
): Pieces {
  const [inStock, toShip, ordered, ...done] = QUANTITIES.map((field) => filled(cellOf(field)));
  // Programs write 0 if they do not know the quantity in stock units.
  const stock = ordered !== undefined && isZero(inStock, decimal) && !isZero(ordered, decimal) ? undefined : inStock;
  const given: UnitsOfRow = { ...known, column: textOf(cellOf('unit')), per: null };
  const per = perUnit({ stock, ordered, pieces: filled(cellOf('unit_pieces')) }, decimal, factorDecimal);
  if (!per.ok) return per;
  if (stock !== undefined && toShip === undefined && done.every((cell) => cell === undefined)) {
    const read = readPieces(stock, decimal);
    if (!read.ok || ordered === undefined || textOf(ordered) === textOf(stock)) return read;
    // The ordered quantity may be in the unit of the article, which contradicts another quantity in stock units.
    const converted = per.value === null ? read : readPieces(ordered, decimal, { ...given, per: per.value });
    if (!converted.ok) return converted;
    const said = `${textOf(ordered)} ${given.column}`.trim();
    return {
      ...read,
      note: per.value?.pieces === 1 ? '' : `"${said}" is read as ${String(read.value)}, the quantity in stock units.`,
    };
  }
  const units = { ...given, per: per.value };
  if (toShip !== undefined) {
    const left = readPieces(toShip, decimal, units);
    const all = ordered === undefined ? left : readPieces(ordered, decimal, units);
    return left.ok && all.ok && left.value > all.value
      ? more([{ field: 'quantity_to_ship', cell: toShip }], ordered)
      : left;
  }
  if (ordered === undefined) return refused('The quantity is missing. Give the number of pieces.');
  const pieces = readPieces(ordered, decimal, units);
  if (!pieces.ok) return pieces;
  const counts: Count[] = [];
  for (const [at, field] of DONE_FIELDS.entries()) {
    const cell = done[at];
    if (cell === undefined) continue;
    const read = readPieces(unsigned(cell), decimal, units);
    if (!read.ok) return read;
    counts.push({ field, cell, pieces: read.value });
  }
  const wrong = isGone ? [] : wrongCounts(counts, pieces.value);
  if (wrong.length > 0) return more(wrong, ordered);
  const left = Math.max(0, pieces.value - sumOf(counts));
  return { ...pieces, value: left === 0 && pieces.value > 0 ? undefined : left };
}

/** A number of pieces in a cell. */
type Count = { field: TableField; cell: FileCell; pieces: number };

const sumOf = (counts: readonly Count[]): number => counts.reduce((sum, { pieces }) => sum + pieces, 0);

/** Returns the numbers of pieces that are done, and contradict the number of ordered pieces. */
function wrongCounts(counts: readonly Count[], ordered: number): readonly Count[] {
  // More may be shipped than was ordered, but not returned or canceled.
  const large = counts.find(({ field, pieces }) => field !== 'shipped_quantity' && ordered > 0 && pieces > ordered);
  if (large !== undefined) return [large];
  // If pieces are shipped and returned, nobody knows how many are left, unless all are.
  const isUnclear = sumOf(counts) > ordered && counts.every(({ pieces }) => pieces < ordered);
  return isUnclear ? counts.filter(({ pieces }) => pieces > 0) : [];
}

/** Refuses numbers of pieces that cannot be parts of the ordered quantity. */
function more(counts: readonly Pick<Count, 'cell' | 'field'>[], ordered: FileCell | undefined): Pieces {
  const quoted = (cell: FileCell | undefined) => `"${shortened(textOf(cell))}"`;
  const said = listText(counts.map(({ field, cell }) => `${field} ${quoted(cell)}`));
  const are = counts.length === 1 ? 'is' : 'are';
  return refused(
    `Its ${said} ${are} more than its ordered_quantity ${quoted(ordered)}. Correct one of them, or ignore the column.`,
  );
}

/** Returns how most pieces of a line without open pieces ended. */
export function endOfPieces(cellOf: SortedRow['cellOf'], decimal: DecimalMark | undefined): EndReason {
  const counts = END_REASONS.map((reason) => {
    const cell = filled(cellOf(`${reason}_quantity`));
    const read = readPieces(unsigned(cell ?? '0'), decimal);
    return { reason, pieces: read.ok ? read.value : 0 };
  });
  return counts.toSorted((a, b) => b.pieces - a.pieces)[0]?.reason ?? 'shipped';
}

/** Removes the sign before a number, because some shops write refunds as negative numbers. */
function unsigned(cell: FileCell): FileCell {
  const plain = (text: string): string => text.trim().replace(/^[-\u2212]/, '');
  if (typeof cell === 'string') return plain(cell);
  return cell.kind === 'number' ? { ...cell, value: Math.abs(cell.value), text: plain(cell.text) } : cell;
}

function filled(cell: FileCell | undefined): FileCell | undefined {
  return cell !== undefined && textOf(cell) !== '' ? cell : undefined;
}

type Told = Record<'stock' | 'ordered' | 'pieces', FileCell | undefined>;

const NO_CONVERSION: UnitsOfRow = { ...NO_UNITS, per: { pieces: 1, isSure: true } };

/** Reads a number of pieces, ignoring its unit. */
function readFactor(cell: FileCell | undefined, decimal: DecimalMark | undefined): ReadPieces {
  return readPieces(cell ?? '', decimal, NO_CONVERSION);
}

function isZero(cell: FileCell | undefined, decimal: DecimalMark | undefined): boolean {
  if (cell === undefined) return false;
  const read = readFactor(cell, decimal);
  return read.ok && read.value === 0;
}

/** Returns how many pieces one unit has according to the row, or null if the row does not say. */
function perUnit(
  { stock, ordered, pieces }: Told,
  decimal: DecimalMark | undefined,
  factorDecimal: DecimalMark | undefined,
): ReadPieces<UnitsOfRow['per']> {
  if (stock === undefined) {
    // Programs write 0 if they do not know the number of pieces in a unit.
    if (pieces === undefined || isZero(pieces, factorDecimal)) return { ok: true, value: null, note: '' };
    const read = readFactor(pieces, factorDecimal);
    return read.ok ? { ...read, value: { pieces: read.value, isSure: false } } : read;
  }
  if (ordered === undefined) return { ok: true, value: null, note: '' };
  const [all, some] = [readFactor(stock, decimal), readFactor(ordered, decimal)];
  if (!all.ok) return all;
  // The quantity itself may be 1.5 boxes. It counts only if other quantities have to be converted too.
  const per = some.ok && some.value > 0 ? { pieces: all.value / some.value, isSure: true } : null;
  return { ok: true, value: per, note: '' };
}
