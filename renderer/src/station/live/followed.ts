import type { Item, Order, OrderProgress, Shipment } from '#shared/api/order.ts';
import type { Sequence, SequenceProgress } from '#shared/api/sequence.ts';
import type { Fact } from '#shared/api/station.ts';
import { isOpen } from '../orderUrgency.ts';

/** The facts from the event stream that are about orders and sequences. */
export type WorkFact = Extract<Fact, { type: `order.${string}` | `sequence.${string}` }>;

/** A fact, or the information that deliveries of callbacks were added or changed, which the stream does not send as a fact. */
export type StreamNews = Fact | { type: 'deliveries' };

export function isWorkFact(fact: StreamNews): fact is WorkFact {
  return fact.type.startsWith('order.') || fact.type.startsWith('sequence.');
}

/** Returns the number of the order that the fact is about, or undefined if it is about a sequence. */
function orderTold(fact: WorkFact): string | undefined {
  if (fact.type === 'order.changed') return fact.order.order_number;
  return 'order_number' in fact ? fact.order_number : undefined;
}

/** Returns the id of the sequence that the fact is about, or undefined if it is about an order. */
function sequenceTold(fact: WorkFact): string | undefined {
  if (fact.type === 'sequence.changed') return fact.sequence.sequenceid;
  return 'sequenceid' in fact ? fact.sequenceid : undefined;
}

/**
 * A value after a fact. `isWhole` tells whether the fact contained everything that changed, so that the value need
 * not be read again.
 */
type Followed<T> = { value: T; isWhole: boolean };

/**
 * Applies a fact to an order. Facts contain neither the state of shipments nor the unassigned items, so the order may
 * have to be read again.
 */
function followOrder(order: Order, fact: WorkFact): Followed<Order> {
  if (fact.type === 'order.item') return withItem(order, fact.item);
  if (fact.type !== 'order.changed') return { value: order, isWhole: false };
  const { id, state, launched_time, fulfilled_time, item_count: items, unassigned_count: unassigned } = fact.order;
  const { attention, pickers, priority, due_time, customer, note, color, scan_required, updated_time } = fact.order;
  const { ordered_at, paid } = fact.order;
  const isWhole =
    id === order.id &&
    state === order.state &&
    launched_time === order.launched_time &&
    unassigned === order.unassigned.length &&
    attention.join() === order.attention.join() &&
    items === order.shipments.reduce((count, shipment) => count + shipment.items.length, 0);
  const told = {
    state,
    launched_time,
    fulfilled_time,
    attention,
    pickers,
    priority,
    due_time,
    customer,
    note,
    ordered_at,
    paid,
    color,
    scan_required,
    updated_time,
  };
  return { value: { ...order, ...told }, isWhole };
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function withItem(order: Order, item: Item): Followed<Order> {
  const replace = (items: readonly Item[]) => items.map((each) => (each.id === item.id ? item : each));
  const at = order.shipments.findIndex(({ items }) => items.some(({ id }) => id === item.id));
  const before = order.shipments[at];
  if (before === undefined) return { value: order, isWhole: false };
  const after = { ...before, items: replace(before.items) };
  // Items without a device do not keep a shipment incomplete.
  const without = new Set(order.unassigned.map(({ id }) => id));
  const value: Order = {
    ...order,
    shipments: order.shipments.with(at, after),
    ...(order.items === undefined ? {} : { items: replace(order.items) }),
    unassigned: replace(order.unassigned),
  };
  const known = before.items.find(({ id }) => id === item.id);
  // Facts do not say whether a shipment needs attention. That can change with `timed_out`, or when an unchanged item is
  // sent because its device became reachable or unreachable.
  const isCalm = known !== undefined && known.timed_out === item.timed_out && !isSame(known, item);
  return { value, isWhole: isCalm && isComplete(before, without) === isComplete(after, without) };
}

/**
 * Whether a shipment is complete, which determines the shipment's state. Facts do not contain this state. `without`
 * contains the ids of items without a device.
 */
function isComplete({ items }: Shipment, without: ReadonlySet<number>): boolean {
  return items.every(
    ({ id, state, awaits_scan: awaits }) => (!awaits && (state === 'done' || state === 'short')) || without.has(id),
  );
}

function followSequence(sequence: Sequence, fact: WorkFact): Followed<Sequence> {
  if (fact.type === 'sequence.step') {
    const step = sequence.steps[fact.index];
    if (step === undefined) return { value: sequence, isWhole: false };
    return { value: { ...sequence, steps: sequence.steps.with(fact.index, { ...step, ...fact.step }) }, isWhole: true };
  }
  if (fact.type !== 'sequence.changed') return { value: sequence, isWhole: false };
  const { sequencenonce, state, created_time, start_time, completed_time } = fact.sequence;
  const value = { ...sequence, sequencenonce, state, created_time, start_time, completed_time };
  return { value, isWhole: !fact.read_anew && fact.sequence.step_count === sequence.steps.length };
}

/** Value that stands for an order or sequence that was not found or was deleted. */
export const MISSING = 'missing';

/** Values that are read once and then updated by facts, by the subject of their query. */
export type FollowedValues = {
  order: Order | typeof MISSING;
  orders: readonly OrderProgress[];
  openOrders: readonly OrderProgress[];
  sequence: Sequence | typeof MISSING;
  sequences: readonly SequenceProgress[];
};
export type FollowedSubject = keyof FollowedValues;

type Followers = {
  [S in FollowedSubject]: (
    value: FollowedValues[S],
    facts: readonly WorkFact[],
    id: string,
  ) => Followed<FollowedValues[S]>;
};

/** Functions that apply facts to each kind of value. They ignore facts about other values. */
export const FOLLOWERS: Followers = {
  order: (order, facts, number) =>
    followOne(
      order,
      facts.filter((fact) => orderTold(fact) === number),
      followOrder,
    ),
  orders: (rows, facts) => followRows(rows, ({ order_number }) => order_number, facts, orderRow),
  openOrders(rows, facts) {
    const { value, isWhole } = followRows(rows, ({ order_number }) => order_number, facts, orderRow);
    return { value: value === rows ? rows : value.filter(isOpen), isWhole };
  },
  sequence: (sequence, facts, id) =>
    followOne(
      sequence,
      facts.filter((fact) => sequenceTold(fact) === id),
      followSequence,
    ),
  sequences: (rows, facts) => followRows(rows, ({ sequenceid }) => sequenceid, facts, sequenceRow),
};

/** A row after a change, or undefined if the row was removed, with the row's key. */
type Change<T> = { key: string; row: T | undefined };

function orderRow(fact: WorkFact): Change<OrderProgress> | undefined {
  if (fact.type === 'order.changed') return { key: fact.order.order_number, row: fact.order };
  return fact.type === 'order.removed' ? { key: fact.order_number, row: undefined } : undefined;
}

function sequenceRow(fact: WorkFact): Change<SequenceProgress> | undefined {
  if (fact.type === 'sequence.changed') return { key: fact.sequence.sequenceid, row: fact.sequence };
  return fact.type === 'sequence.removed' ? { key: fact.sequenceid, row: undefined } : undefined;
}

/** Applies changes to rows. New rows are added at the end. */
function followRows<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  facts: readonly WorkFact[],
  changeOf: (fact: WorkFact) => Change<T> | undefined,
): Followed<readonly T[]> {
  const changes = facts.flatMap((fact) => changeOf(fact) ?? []);
  if (changes.length === 0) return { value: rows, isWhole: true };
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  for (const { key, row } of changes) {
    if (row === undefined) known.delete(key);
    else known.set(key, row);
  }
  return { value: [...known.values()], isWhole: true };
}

function followOne<T>(
  value: T | typeof MISSING,
  facts: readonly WorkFact[],
  follow: (value: T, fact: WorkFact) => Followed<T>,
): Followed<T | typeof MISSING> {
  if (value === MISSING) return { value, isWhole: facts.length === 0 };
  return facts.reduce<Followed<T>>(
    (now, fact) => {
      const next = follow(now.value, fact);
      return { value: next.value, isWhole: now.isWhole && next.isWhole };
    },
    { value, isWhole: true },
  );
}
