import type { WhenIs } from './cells/whenIs.ts';
import { isDate, isFlag, isNo, isYes, isZeroDate } from './cells/flags.ts';
import { columnKey, columnKeySet } from './columnKey.ts';
import {
  doneName,
  isDeliveryDate,
  isEventDate,
  namesOtherDocuments,
  namesWaiting,
  saysReleased,
  saysWaits,
  type DoneName,
} from './doneNames.ts';
import type { TableField } from './fields.ts';
import type { PickRule } from './pickRules.ts';
import { kindRules } from './rowKinds.ts';
import { heldUntil, isAboutOther, isStateField, mayBeDeadline, namedState, type StateField } from './stateNames.ts';
import { type FirstRows, type RepeatedOrder, saysInFirstRows, saysMore } from './stateScopes.ts';
import { aspectOf, isWeakState, pickStateOf, remarkStateOf, type StateAspect, type StateMeaning } from './states.ts';
import type { WordState } from './statePhrases.ts';

/** A column that says whether rows are picked, with what it means. */
export type StateColumn = { index: number; field: StateField; rules: readonly PickRule[] };

/** The meaning of a column according to its values, a question about it, or undefined if it has no states. */
export type StateReading =
  | { field: StateField; rules: readonly PickRule[] }
  | { asks: TableField[]; unknown?: readonly string[] }
  | undefined;

/** A column to read. `quantities` contains the quantity of each row, if the file has it. */
export type StateValues = {
  name: string;
  /** The field that the name or the caller gives to the column. */
  field: StateField | undefined;
  values: readonly string[];
  /** The first different values, apart from blanks, with their numbers of rows. */
  counts: ReadonlyMap<string, number>;
  /** Whether the column has more different values than `counts`. */
  hasMore: boolean;
  /** Whether every order has a value, so that a blank cell below one means the same. Otherwise a blank says nothing. */
  fillsOrders: boolean;
  quantities: readonly string[] | null;
  /** The orders that repeat their number. `firstRows` tells whether the file has data of an order only in its first row. */
  repeated: readonly RepeatedOrder[];
  firstRows: FirstRows;
  /** Whether the caller gives the field. */
  isSaid: boolean;
  /** Meaning of states that are not understood, by `columnKey`. */
  known: ReadonlyMap<string, StateMeaning>;
  whenIs: WhenIs;
};

/** Maximum number of different values to read, to limit the time per column. Later values are checked row by row. */
export const MOST_VALUES = 500;
/** Maximum number of different values that look like states. */
const MOST_STATES = 20;

const FLAGS = {
  canceled_at: { reason: 'canceled', aspect: 'cancellation', counted: 'canceled_quantity' },
  cancel_requested: { reason: 'cancel_requested', aspect: 'cancellation', counted: undefined },
  on_hold: { reason: 'on_hold', aspect: 'work', counted: undefined },
  shipped_at: { reason: 'shipped', aspect: 'work', counted: 'shipped_quantity' },
  refunded_at: { reason: 'refunded', aspect: 'work', counted: 'refunded_quantity' },
} as const satisfies Partial<
  Record<StateField, { reason: WordState; aspect: StateAspect; counted: TableField | undefined }>
>;
type FlagField = keyof typeof FLAGS;

const isFlagField = (field: StateField): field is FlagField => field in FLAGS;

/** Reads a column that may contain states. */
export function readStates(column: StateValues): StateReading {
  if (column.field === undefined || column.field === 'line_status') {
    const rules = kindRules(column.name, [...column.counts.keys()]);
    if (rules !== undefined) return { field: 'line_status', rules };
  }
  if (column.isSaid && column.field === 'line_status') {
    const flag = namedState(column.name) ?? doneName(column.name)?.field;
    if (isStateField(flag) && isFlagField(flag))
      return {
        field: 'line_status',
        rules: flagRules(flag, column.name).map((rule) => ({ ...rule, field: 'line_status', of: 'line' })),
      };
  }
  const read = readColumn(column);
  if (read !== undefined && !('asks' in read) && isDoubtful(column, read.field)) return { asks: [read.field] };
  if (read === undefined || 'asks' in read || read.rules.every(({ of, when }) => of !== 'block' || when === 'remark'))
    return read;
  if (read.field === 'line_status' || !saysInFirstRows(column.name, column.values, column.repeated)) return read;
  const isPayment = read.field === 'payment_status' || read.field === 'is_paid';
  const firstRows = column.isSaid || isPayment ? 'order' : column.firstRows;
  if (firstRows === undefined) return { asks: [read.field, 'line_status'] };
  return firstRows === 'line' ? read : { ...read, rules: read.rules.map((rule) => ({ ...rule, of: 'first' })) };
}

/** Fields that end no order. */
const ENDS_NONE: ReadonlySet<StateField> = new Set(['payment_status', 'is_paid', 'on_hold']);

/** Whether the name of the column suggests that its state is not that of the order. */
function isDoubtful({ field, name, counts }: StateValues, read: StateField): boolean {
  if (field !== undefined || ENDS_NONE.has(read) || namedState(name) === 'remark') return false;
  return isAboutOther(name) && saysMore([...counts.keys()]);
}

function readColumn(column: StateValues): StateReading {
  const named = column.field ?? namedState(column.name);
  if (named === 'other') return undefined;
  const distinct = [...column.counts.keys()];
  if (distinct.length === 0) return undefined;
  if ((column.field === undefined || named === 'on_hold') && saysReleased(column.name) && distinct.every(isFlag)) {
    if (column.isSaid) return { field: 'on_hold', rules: NOT_RELEASED };
    return distinct.some(isNo) ? { asks: ['on_hold'] } : undefined;
  }
  if (column.field === undefined && saysWaits(column.name) && distinct.every(isFlag))
    return distinct.some(isYes) ? { asks: ['on_hold'] } : undefined;
  if (named === 'remark') return readRemarks(column, distinct);
  if (column.field === undefined && namesOtherDocuments(column.name, distinct)) {
    const unknown = distinct.filter((text) => !isWord(text, column, 'work'));
    return { asks: ['order_status'], unknown };
  }
  if (named === undefined && isEventDate(column.name)) return readEventDates(column, distinct);
  const done = named === undefined ? doneName(column.name) : undefined;
  const read = done && readDone(column, done, distinct);
  if (read !== undefined) return read;
  if (named === undefined || named === 'unnamed') return readUnnamed(column, distinct);
  if (named === 'is_paid') return readPaid(column, distinct);
  if (named === 'payment') return readPayments(column, distinct);
  if (named === 'invoice') return aspectOf(distinct) === 'payment' ? wordsOf('payment_status', column) : undefined;
  return isFlagField(named) ? readFlags(named, column, distinct) : readWords(named, column, distinct);
}

const NOT_RELEASED: readonly PickRule[] = [{ field: 'on_hold', of: 'block', when: 'no', reason: 'on_hold' }];

/** Columns in which a date after today means that it has not happened yet. */
const TELLS_WHEN: ReadonlySet<StateField> = new Set(['shipped_at', 'refunded_at']);

/** Rules of a column that says yes, no or when. */
export function flagRules(field: FlagField, name = ''): readonly PickRule[] {
  const { reason, aspect: of } = FLAGS[field];
  // In a column of requests, words such as `completed` do not mean canceled.
  const aspect = field === 'cancel_requested' ? 'work' : of;
  const until = field === 'on_hold' ? heldUntil(name) : undefined;
  const extra = {
    ...(takesText(name) ? { takesText: true } : {}),
    ...(until === undefined ? {} : { until }),
    ...(TELLS_WHEN.has(field) ? { tellsWhen: true } : {}),
  };
  return [{ field, of: 'block', when: 'filled', reason, aspect, ...extra }];
}

/** Whether the column has reasons or names of people, in any words. */
function takesText(name: string): boolean {
  return /reason|grund|motif|motiv|raison|powod|reden|edby$/.test(columnKey(name));
}

function readFlags(field: FlagField, column: StateValues, distinct: readonly string[]): StateReading {
  const { counted, aspect } = FLAGS[field];
  const isKnown = (text: string) => isFlag(text) || isWord(text, column, aspect);
  const numbers = distinct.filter((text) => /^\d+(?:[.,]0*)?$/.test(text) && !isDate(text));
  if (numbers.some((text) => Number.parseFloat(text) > 0) && numbers.length === distinct.length) {
    if (counted === undefined) return column.field === undefined ? undefined : taken(field, column);
    // 1 says yes, or is the number of pieces, which is the same for one piece.
    const isYesOrNo = distinct.every((text) => /^[01]$/.test(text)) && isSamePiece(column);
    return isYesOrNo || column.field !== undefined ? taken(field, column) : { asks: [field, counted] };
  }
  if (column.field === undefined && distinct.some(isDate) && mayBeDeadline(field, column.name, column.fillsOrders))
    return { asks: [field] };
  if (isPlanned(field, column, distinct)) return { asks: [field, 'due_time'] };
  if (distinct.every(isKnown) || takesText(column.name) || column.field !== undefined) return taken(field, column);
  // A name such as `Livré` or `Sent` also means other things, unlike those that tell of a cancellation or a hold.
  if ((field === 'shipped_at' || field === 'refunded_at') && !distinct.some(isKnown)) return undefined;
  return { asks: [field], unknown: distinct.filter((text) => !isKnown(text)) };
}

/** Whether the column has dates after today, so that it may contain plans. */
function isPlanned(field: StateField, { isSaid, whenIs }: StateValues, distinct: readonly string[]): boolean {
  return !isSaid && TELLS_WHEN.has(field) && distinct.some((text) => isDate(text) && whenIs(text) === 'later');
}

/** Reads a column whose name consists of a state, if its values say yes, no or when, or are states themselves. */
function readDone(column: StateValues, { field, isWeak }: DoneName, distinct: readonly string[]): StateReading {
  const { aspect } = FLAGS[field];
  const isNumber = (text: string) => /^[-\d.,]+$/.test(text) && !isDate(text);
  const says = distinct.filter((text) => !isNo(text));
  if (says.length === 0 || (says.every(isNumber) && !distinct.every((text) => /^[01]$/.test(text)))) return undefined;
  const isKnown = (text: string) => isFlag(text) || isWord(text, column, aspect);
  if (!distinct.every(isKnown)) {
    const isFlagged = distinct.some((text) => isDate(text) || (isYes(text) && !isNumber(text)));
    return isFlagged ? { asks: [field], unknown: distinct.filter((text) => !isKnown(text)) } : undefined;
  }
  // Columns with only words are read by their values.
  if (!says.some(isFlag)) return undefined;
  if (isPlanned(field, column, distinct)) return { asks: [field, 'due_time'] };
  return isWeak ? { asks: [field] } : taken(field, column);
}

/**
 * Reads dates on which goods leave. They are due times. Asks about past dates if other orders have no date, or no date is today or later. Does
 * not ask if every order has a delivery date, because all of them may be overdue, or if the others have the date 0000-00-00, with which
 * databases say that the goods have not left.
 */
function readEventDates(column: StateValues, distinct: readonly string[]): StateReading {
  const dates = distinct.filter((text) => !isNo(text));
  if (!dates.every(isDate) || !dates.some((text) => column.whenIs(text) === 'past')) return undefined;
  const isToCome = dates.some((text) => column.whenIs(text) === 'soon' || column.whenIs(text) === 'later');
  if (distinct.some(isZeroDate) && !isToCome && !isDeliveryDate(column.name)) return taken('shipped_at', column);
  return column.fillsOrders && (isToCome || isDeliveryDate(column.name))
    ? undefined
    : { asks: ['shipped_at', 'due_time'] };
}

function isSamePiece({ values, quantities }: StateValues): boolean {
  return (
    quantities !== null && values.every((value, at) => value !== '1' || /^1(?:[.,]0*)?$/.test(quantities[at] ?? ''))
  );
}

function taken(field: FlagField, { name }: StateValues): StateReading {
  return { field, rules: flagRules(field, name) };
}

/** Reads a column that says whether or when something was paid. Numbers are amounts. */
function readPaid(column: StateValues, distinct: readonly string[]): StateReading {
  const isKnown = (text: string) => isFlag(text) || isWord(text, column, 'payment');
  if (distinct.every(isKnown) || column.field !== undefined) return { field: 'is_paid', rules: PAID_RULES };
  if (!distinct.every((text) => isKnown(text) || isAmount(text))) return askingWords('is_paid', column, isKnown);
  return undefined;
}

function isAmount(text: string): boolean {
  return /\d/.test(text) && !/\p{L}{4}/u.test(text);
}

/** Rules of a column that says whether or when something was paid. */
export const PAID_RULES: readonly PickRule[] = [
  { field: 'is_paid', of: 'block', when: 'no', reason: 'unpaid' },
  { field: 'is_paid', of: 'block', when: 'state', aspect: 'payment', takesFlags: true },
];

type WordField = Exclude<StateField, FlagField | 'is_paid'>;

/** Reads a column that contains states in words according to its name. */
function readWords(field: WordField, column: StateValues, distinct: readonly string[]): StateReading {
  const aspect = field === 'payment_status' ? 'payment' : aspectOf(distinct);
  const unknown = distinct.filter((text) => !isWord(text, column, aspect));
  if (column.field !== undefined || unknown.length === 0) return wordsOf(field, column, aspect);
  return { asks: [field], unknown };
}

function isWord(text: string, column: StateValues, aspect: StateAspect): boolean {
  return answerTo(text, column) !== undefined || pickStateOf(text, aspect) !== undefined;
}

function wordsOf(field: WordField, column: StateValues, aspect: StateAspect = 'payment'): StateReading {
  const of = column.fillsOrders ? 'order' : 'block';
  return { field, rules: [{ field, of, when: 'state', aspect }] };
}

/** Payments that are not made in advance, and ways to pay, by `columnKey`: words that columns of payment methods also have. */
const METHODS = columnKeySet(
  'cod; cash on delivery; free; none; not required; credit; Nachnahme; contra reembolso; rembours; pobranie; za pobraniem',
);

/** Reads a column such as `Payment`, which says whether the order is paid, or how. */
function readPayments(column: StateValues, distinct: readonly string[]): StateReading {
  const isKnown = (text: string) => isWord(text, column, 'payment');
  const isPaid = (text: string) => (answerTo(text, column) ?? pickStateOf(text, 'payment')) === 'open';
  if (distinct.every(isKnown)) return distinct.every(isPaid) ? undefined : wordsOf('payment_status', column);
  if (distinct.every((text) => isAmount(text) && !isDate(text))) return undefined;
  if (distinct.every((text) => isFlag(text) || isKnown(text))) return { field: 'is_paid', rules: PAID_RULES };
  const says = distinct.some((text) => isKnown(text) && !METHODS.has(columnKey(text)));
  return says ? askingWords('payment_status', column, isKnown) : undefined;
}

function answerTo(text: string, { known }: StateValues): StateMeaning | undefined {
  return known.get(columnKey(text));
}

/** Asks about a column with few different values, if most cells have a known one. */
function askingWords(
  field: StateField,
  { counts }: Pick<StateValues, 'counts'>,
  isKnown: (text: string) => boolean,
): StateReading {
  if (counts.size > MOST_STATES) return undefined;
  const unknown = [...counts].filter(([text]) => !isKnown(text));
  const rowsOf = (some: Iterable<readonly [string, number]>) => [...some].reduce((sum, [, count]) => sum + count, 0);
  if (rowsOf(unknown) * 2 > rowsOf(counts)) return undefined;
  return { asks: [field], unknown: unknown.map(([text]) => text) };
}

/** Reads a column only by its values. */
function readUnnamed(column: StateValues, distinct: readonly string[]): StateReading {
  // Most columns contain no states, and this is faster than reading all of their values.
  const isAnyWord = (text: string) => isWord(text, column, 'work') || isWord(text, column, 'payment');
  if (distinct.length > MOST_STATES && !distinct.every(isAnyWord)) return undefined;
  const aspect = aspectOf(distinct);
  const isKnown = (text: string) => isWord(text, column, aspect);
  const strong = distinct.filter((text) => (pickStateOf(text, aspect) ?? 'open') !== 'open');
  const field = aspect === 'payment' ? 'payment_status' : 'order_status';
  const isState = (text: string) => (answerTo(text, column) ?? 'open') !== 'open' && !isYes(text) && !isNo(text);
  const saysStates = strong.some((text) => !isWeakState(text)) || distinct.some(isState);
  if (saysStates && distinct.every(isKnown)) return wordsOf(field, column, aspect);
  if (distinct.length <= MOST_STATES && distinct.some((text) => namesWaiting(column.name, text) && !isKnown(text)))
    return { asks: [field], unknown: distinct.filter((text) => !isKnown(text)) };
  return strong.length === 0 ? undefined : askingWords(field, column, isKnown);
}

/**
 * Reads free text, in which only remarks that consist of a state count. A hold in the first row of an order applies to the order, like any note
 * there. Other states there apply to the line, unless only first rows have data of orders.
 */
function readRemarks({ hasMore, firstRows }: StateValues, distinct: readonly string[]): StateReading {
  if (!hasMore && distinct.every((text) => (remarkStateOf(text) ?? 'open') === 'open')) return undefined;
  const rule = { field: 'order_status', when: 'remark' } as const;
  return {
    field: 'order_status',
    rules: [
      { ...rule, of: 'block' },
      { ...rule, of: 'head', holds: firstRows !== 'order' },
    ],
  };
}

/** Returns the columns of states of a file when only their fields are known. */
export function statesWithoutValues(fields: ReadonlyMap<TableField, number>): StateColumn[] {
  return [...fields].flatMap(([field, index]): StateColumn[] => {
    if (!isStateField(field)) return [];
    if (field === 'is_paid') return [{ index, field, rules: PAID_RULES }];
    if (isFlagField(field)) return [{ index, field, rules: flagRules(field) }];
    const aspect = field === 'payment_status' ? 'payment' : 'work';
    return [{ index, field, rules: [{ field, of: 'order', when: 'state', aspect }] }];
  });
}
