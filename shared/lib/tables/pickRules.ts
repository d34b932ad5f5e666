import { columnKey } from './columnKey.ts';
import type { TableField } from './fields.ts';
import { pickStateOf, type LeaveOutReason, type WordState } from './states.ts';

/**
 * A condition under which a row is not picked. If the row's cell is blank, a rule for a `line` uses the first filled cell in the order's
 * rows without an article, and a rule for an `order` uses the first filled cell in all rows of the order.
 */
export type PickRule = { field: TableField; of: 'line' | 'order' } & (
  | { when: 'filled' | 'zero' | 'no'; reason: LeaveOutReason }
  /** The cell contains a state. `words`, by `columnKey`, override the general states. An unknown word refuses the order. */
  | { when: 'state'; words?: Readonly<Record<string, LeaveOutReason | 'open' | 'unclear'>> }
  /** The cell contains one of these words, by `columnKey`. Other words are ignored. */
  | { when: 'words'; words: Readonly<Record<string, LeaveOutReason>> }
);

/** Decision about a row. `leave_out` skips the row with a note. `refuse` refuses the whole order, unless all of its rows are left out. */
export type PickVerdict =
  | { outcome: 'pick' }
  | { outcome: 'leave_out'; reason: LeaveOutReason }
  | { outcome: 'refuse'; message: string };

const ZERO = /^[+-]?0+(?:[.,]0*)?$/;
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', 'non', 'faux', 'falso']);

/**
 * Decides whether to pick a row, leave it out or refuse it. `textOf` returns the text of a field, which is empty if the cell is blank or
 * the column is missing.
 */
export function assessRow(
  rules: readonly PickRule[],
  textOf: (field: TableField, of: PickRule['of']) => string,
): PickVerdict {
  let refusal: PickVerdict | undefined;
  for (const rule of rules) {
    const text = textOf(rule.field, rule.of).trim();
    if (text === '') continue;
    const verdict = check(rule, text);
    if (verdict.outcome === 'leave_out') return verdict;
    if (verdict.outcome === 'refuse') refusal ??= verdict;
  }
  return refusal ?? { outcome: 'pick' };
}

/**
 * Returns the number of pieces to pick: the quantity to ship if given, otherwise the ordered pieces minus the shipped, refunded and
 * canceled ones.
 */
export function quantityToPick(pieces: {
  ordered: number | null;
  toShip: number | null;
  shipped: number | null;
  refunded: number | null;
  canceled: number | null;
}): number {
  if (pieces.toShip !== null) return Math.max(0, pieces.toShip);
  // Use absolute values, because some shops write refunds as negative numbers.
  const done = [pieces.shipped, pieces.refunded, pieces.canceled].reduce<number>(
    (sum, each) => sum + Math.abs(each ?? 0),
    0,
  );
  return Math.max(0, (pieces.ordered ?? 0) - done);
}

function check(rule: PickRule, text: string): PickVerdict {
  switch (rule.when) {
    case 'filled':
      return leaveOut(rule.reason);
    case 'zero':
      return ZERO.test(text) ? leaveOut(rule.reason) : PICK;
    case 'no':
      return NO.has(columnKey(text)) ? leaveOut(rule.reason) : PICK;
    case 'words':
      return verdictOf(rule.words[columnKey(text)] ?? 'open', text);
    case 'state':
      return verdictOf(rule.words?.[columnKey(text)] ?? pickStateOf(text), text);
  }
}

const PICK: PickVerdict = { outcome: 'pick' };

function verdictOf(state: WordState | LeaveOutReason | undefined, text: string): PickVerdict {
  if (state === 'open') return PICK;
  if (state === undefined) {
    return {
      outcome: 'refuse',
      message: `"${text}" is not a known state. Remove the rows that are not to be picked, then import the file without this column.`,
    };
  }
  if (state === 'unclear') {
    return {
      outcome: 'refuse',
      message: `Its state is "${text}", and the file does not say how many pieces are left. Enter the order by hand.`,
    };
  }
  return leaveOut(state);
}

function leaveOut(reason: LeaveOutReason): PickVerdict {
  return { outcome: 'leave_out', reason };
}
