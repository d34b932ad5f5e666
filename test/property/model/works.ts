import type { Item, Order } from '#shared/api/order.ts';
import type { Sequence } from '#shared/api/sequence.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import { SENDER } from './naming.ts';
import type { Entry, WorkAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { answerOfOrder, checkCounts } from './orderState.ts';
import type { Moment } from './reports.ts';
import { answerOfSequence, checkGroups } from './sequences.ts';
import { same } from './snapshot.ts';

/** Applies a request about sequences and orders, and checks the answer. */
export function answerWork(oracle: Oracle, { ask, answer, wallMs, monoMs }: Extract<Entry, { kind: 'worked' }>): void {
  const body = answer?.status === 201 ? (answer.body as Order) : undefined;
  const status = carryOut(oracle, ask, body, { wallMs, monoMs });
  if (answer?.status === status) return;
  throw new Error(`${JSON.stringify(ask)} was answered ${JSON.stringify(answer)} instead of ${status}`);
}

function carryOut({ sequences, orders }: Oracle, ask: WorkAsk, order: Order | undefined, now: Moment): number {
  switch (ask.what) {
    case 'createSequence':
      return sequences.create(ask.name, ask.body, now);
    case 'changeSequence':
      return sequences.change(ask.name, ask.body, now);
    case 'removeSequence':
      return sequences.remove(ask.name, now);
    case 'launchSequence':
      return sequences.launch(ask.name, ask.restart, now);
    case 'createOrder':
      return orders.create(ask.name, ask.body, order, now);
    case 'launchOrder':
      return orders.launch(ask.name, { by: SENDER }, now);
    case 'abortOrder':
      return orders.abort(ask.name, now);
    case 'removeOrder':
      return orders.remove(ask.name, now);
    case 'correctItem':
      return orders.correct(ask.name, ask.itemId, ask.to, now);
    case 'orderPieces':
      return orders.orderPieces(ask.name, ask.itemId, ask.to, now);
    case 'removeLine':
      return orders.removeLine(ask.name, ask.itemId, now);
  }
}

/** Throws if sequences and orders differ from the oracle, or violate a general rule. */
export function compareWorks(oracle: Oracle, found: { sequences: Sequence[]; orders: Order[] }): void {
  for (const sequence of found.sequences) checkGroups(sequence);
  for (const order of found.orders) checkCounts(order);
  const sequences = [...oracle.sequences.all.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const orders = [...oracle.orders.all.values()].toSorted((a, b) => (a.number < b.number ? -1 : 1));
  compare('Sequences', found.sequences, sequences.map(answerOfSequence));
  compare('Orders', found.orders.map(withoutCircumstances), orders.map(answerOfOrder));
}

/**
 * Returns an order without warnings, the time of the last change, and the fields that depend on reachability, elapsed time or guessed
 * places. Other tests cover these.
 */
export function withoutCircumstances(order: Order & { warnings?: unknown }): Partial<Order> {
  const lasting = (attention: Order['attention']) =>
    attention.filter((reason) => reason === 'timed_out' || reason === 'unassigned');
  const { updated_time: _changed, warnings: _said, shipments, items, unassigned, ...rest } = order;
  return {
    ...rest,
    attention: lasting(order.attention),
    shipments: shipments.map((each) => ({
      ...each,
      attention: lasting(each.attention),
      items: each.items.map(withoutGuess),
    })),
    ...(items === undefined ? {} : { items: items.map(withoutGuess) }),
    unassigned: unassigned.map(withoutGuess),
  };
}

export function withoutGuess(item: Item): Item {
  // The oracle does not model guessed places.
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'guessed')) as Item;
}

function compare(what: string, found: readonly object[], wanted: readonly object[]): void {
  for (const [index, one] of wanted.entries()) same(`${what} ${index}`, found[index], one);
  same(`The number of ${what.toLowerCase()}`, found.length, wanted.length);
}

type Templates = Pick<SettingsChange, 'ordernonce' | 'shipmentnonce' | 'callback_nonce'>;

/** Returns the templates in a settings change. */
export function templatesOf({ ordernonce, shipmentnonce, callback_nonce }: SettingsChange): Templates {
  return JSON.parse(JSON.stringify({ ordernonce, shipmentnonce, callback_nonce })) as Templates;
}
