import { valueAt } from '../station/valueAt.ts';
import { columnKey } from './columnKey.ts';
import type { TableField } from './fields.ts';
import type { WhenIs } from './cells/whenIs.ts';
import { isDate, isFlag, isNo, isYes } from './cells/flags.ts';
import { pickStateOf, remarkStateOf, type LeaveOutReason, type StateAspect, type StateMeaning } from './states.ts';
import type { WordState } from './statePhrases.ts';

/**
 * A condition under which a row is not picked. If the row's cell is blank, a rule for a `line` uses the first filled cell in the order's
 * rows without an article, a rule for a `block` before that the cell of the row above with the order's number, a rule for the `first` row also
 * the cell of the order's first row, and a rule for an `order` the first filled cell in all rows of the order. A rule for the `head` always
 * uses the cell of the order's first row.
 */
export type PickRule = { field: TableField; of: 'line' | 'block' | 'first' | 'order' | 'head' } & (
  | { when: 'zero' | 'no' | 'blank'; reason: LeaveOutReason }
  | FilledRule
  /**
   * The cell contains a state. `words`, by `columnKey`, override the general states. An unknown word refuses the order. A column that
   * `takesFlags` may also say yes or contain a date.
   */
  | StateRule
  /** The cell is a remark that consists of a state. With `holds`, only a hold or a request to cancel counts. */
  | { when: 'remark'; holds?: boolean }
  /** The cell contains one of these words, by `columnKey`. Other words are ignored. */
  | { when: 'words'; words: Readonly<Record<string, LeaveOutReason>> }
);

/**
 * The cell says yes or contains a date. A state in it has its own meaning. Any other text refuses the order, unless the column `takesText`, as
 * a column of reasons does. With `until`, a date counts until its day begins or ends. With `tellsWhen`, a date after today means no.
 */
type FilledRule = {
  when: 'filled';
  reason: LeaveOutReason;
  aspect?: StateAspect;
  takesText?: boolean;
  until?: 'begin' | 'end';
  tellsWhen?: boolean;
};

type StateRule = {
  when: 'state';
  words?: Readonly<Record<string, LeaveOutReason | 'open' | 'unclear'>>;
  aspect?: StateAspect;
  takesFlags?: boolean;
  /** Field of more exact states. For a row that has one, only a hold or a cancellation in this cell counts. */
  behind?: TableField;
};

/** A question about a row: whether to pick unpaid orders, what a state means, or how to read a date. */
export type StateQuestion = { unpaid: true } | { word: string } | { dateOrder: true };

/**
 * Answers about states. `states` contains the meaning of unknown words, by `columnKey`. Without `whenIs`, dates are neither past nor later.
 */
export type StateAnswers = {
  unpaid?: UnpaidAnswer | undefined;
  states?: ReadonlyMap<string, StateMeaning> | undefined;
  whenIs?: WhenIs;
};

/**
 * Decision about a row. `isOpen` tells whether a state says that the row is open. `leave_out` skips the row with a note. `refuse` refuses the
 * whole order, unless all of its rows are left out.
 */
export type PickVerdict =
  | { outcome: 'pick'; isOpen?: boolean }
  | { outcome: 'leave_out'; reason: LeaveOutReason }
  | { outcome: 'refuse'; message: string; asks?: StateQuestion };

/** No pieces, with or without their unit. */
const ZERO = /^[+-]?0+(?:[.,]0*)?(?:\s?\p{L}+\.?)?$/u;

export const UNPAID_ANSWERS = ['pick', 'leave_out'] as const;
export type UnpaidAnswer = (typeof UNPAID_ANSWERS)[number];

/** A row to decide about. `isCounted` tells whether the row says how many pieces are left, so that partial states are not asked about. */
export type RuledRow<Rule extends PickRule> = { textOf(rule: Rule): string; isCounted?: boolean };

/** Decides whether to pick a row, leave it out or refuse it. `textOf` returns the text to which a rule applies, empty if there is none. */
export function assessRow<Rule extends PickRule>(
  rules: readonly Rule[],
  { textOf, isCounted = false }: RuledRow<Rule>,
  answers: StateAnswers = {},
): PickVerdict {
  let refusal: PickVerdict | undefined;
  let left: PickVerdict | undefined;
  let picked: PickVerdict = PICK;
  for (const rule of rules) {
    const text = textOf(rule).trim();
    if (text === '' && rule.when !== 'blank') continue;
    const verdict = check(rule, text, { isCounted, answers });
    if (isBehind(rule, verdict, rules, textOf)) continue;
    // Another column may say why nothing is left.
    if (verdict.outcome === 'leave_out' && verdict.reason !== 'none_left') return verdict;
    if (verdict.outcome === 'leave_out') left ??= verdict;
    else if (verdict.outcome === 'refuse') refusal ??= verdict;
    else if (verdict.isOpen === true) picked = verdict;
  }
  return left ?? refusal ?? picked;
}

/** Whether a more exact state in another column of the row decides instead of this one. */
function isBehind<Rule extends PickRule>(
  rule: Rule,
  verdict: PickVerdict,
  rules: readonly Rule[],
  textOf: (rule: Rule) => string,
): boolean {
  if (rule.when !== 'state' || rule.behind === undefined) return false;
  if (verdict.outcome === 'leave_out' && STOPS.has(verdict.reason)) return false;
  return rules.some((each) => each.field === rule.behind && textOf(each).trim() !== '');
}

/** States that stop a whole order, even if its lines have other states. */
const STOPS: ReadonlySet<LeaveOutReason> = new Set(['canceled', 'cancel_requested', 'on_hold']);

type How = { isCounted: boolean; answers: StateAnswers };

function check(rule: PickRule, text: string, how: How): PickVerdict {
  switch (rule.when) {
    case 'filled':
      return isNo(text) ? PICK : checkFilled(rule, text, how);
    case 'blank':
      return text === '' ? verdictOf(rule.reason, text, how) : PICK;
    case 'zero':
      return ZERO.test(text) ? leaveOut(rule.reason) : PICK;
    case 'no':
      return isNo(text) ? verdictOf(rule.reason, text, how) : PICK;
    case 'remark':
      return verdictOf(remarkIn(text, rule.holds), text, how);
    case 'words':
      return verdictOf(valueAt(rule.words, columnKey(text)) ?? 'open', text, how);
    case 'state': {
      const key = columnKey(text);
      const state = how.answers.states?.get(key) ?? valueAt(rule.words, key) ?? pickStateOf(text, rule.aspect);
      if (rule.takesFlags === true && state === undefined && isFlag(text)) return PICK;
      const verdict = verdictOf(state, text, how);
      // A payment says nothing about the work.
      return verdict === PICK && rule.aspect !== 'payment' ? OPEN : verdict;
    }
  }
}

function remarkIn(text: string, holds = false): WordState {
  const state = remarkStateOf(text) ?? 'open';
  return !holds || state === 'on_hold' || state === 'cancel_requested' ? state : 'open';
}

function checkFilled({ reason, aspect, takesText, until, tellsWhen }: FilledRule, text: string, how: How): PickVerdict {
  if (isYes(text)) return leaveOut(reason);
  if (tellsWhen === true && isDate(text) && how.answers.whenIs?.(text) === 'later') return PICK;
  if (until !== undefined && isDate(text)) {
    const day = until === 'begin' && !text.includes(':') ? `${text} 00:00` : text;
    const when = how.answers.whenIs?.(day);
    if (when === 'unclear') return { outcome: 'refuse', message: unclearDate(text), asks: { dateOrder: true } };
    return when === 'past' ? PICK : leaveOut(reason);
  }
  const state = how.answers.states?.get(columnKey(text)) ?? pickStateOf(text, aspect);
  return verdictOf(state ?? (isDate(text) || takesText === true ? reason : undefined), text, how);
}

function unclearDate(text: string): string {
  return `It is on hold until "${text}", which can be several days. Give date_order, or write it like 2026-11-26.`;
}

const PICK: PickVerdict = { outcome: 'pick' };
const OPEN: PickVerdict = { outcome: 'pick', isOpen: true };

function verdictOf(
  state: WordState | LeaveOutReason | undefined,
  text: string,
  { isCounted, answers }: How,
): PickVerdict {
  if (state === 'open' || (state === 'unclear' && isCounted)) return PICK;
  if (state === undefined) {
    return {
      outcome: 'refuse',
      message: `"${text}" is not a known state. Answer the question in the preview once, or say in states what it means.`,
      asks: { word: text },
    };
  }
  if (state === 'unclear') {
    return {
      outcome: 'refuse',
      message: `Its state is "${text}", and the file does not say how many pieces are left. Enter the order by hand.`,
    };
  }
  if (state !== 'unpaid') return leaveOut(state);
  if (answers.unpaid === 'pick') return PICK;
  if (answers.unpaid === 'leave_out') return leaveOut('unpaid');
  return {
    outcome: 'refuse',
    message:
      'It is not paid. Answer the question in the preview once, or say in unpaid whether such orders are picked.',
    asks: { unpaid: true },
  };
}

function leaveOut(reason: LeaveOutReason): PickVerdict {
  return { outcome: 'leave_out', reason };
}
