import type { Item, Order } from '#shared/api/order.ts';
import { isStillLit, toPick } from './lines.ts';
import type { PickLine, PickSession, PickQuestion } from './sessionTypes.ts';

const NONE: readonly PickLine[] = [];

/** What the page shows below an open question. */
export type PickPart =
  | { kind: 'loading' | 'missing' | 'removed' | 'aborted' | 'done' | 'paused' | 'take' | 'nothing' | 'sending' }
  | { kind: 'verify'; item: Item }
  | { kind: 'line'; line: PickLine };

export function itemsOf(order: Order | undefined): readonly Item[] {
  return order?.shipments.flatMap(({ items }) => items) ?? [];
}

/** Returns the lines to pick, starting with the current one. */
export function openLines({ lines, order, me, skipped, booked }: PickSession): readonly PickLine[] {
  if (lines === undefined) return NONE;
  const isBooked = ({ item_id: id }: PickLine): boolean => booked.has(id ?? 0);
  return toPick(lines, { isBooked, skipped, order, me });
}

/** Returns the line that the page asks the person to pick. */
export function currentLine(state: PickSession): PickLine | undefined {
  const part = partOf(state);
  return part.kind === 'line' ? part.line : undefined;
}

/** Returns how many pieces of a line are still to be picked. */
export function askedOf(line: PickLine | undefined): number {
  return (line?.ordered_quantity ?? 0) - (line?.quantity_fulfilled ?? 0);
}

/** Returns the quantity to pick, as counted on this page or at the device. */
export function countOf({ counted }: PickSession, line: PickLine | undefined): number | null {
  return counted.get(line?.item_id ?? 0)?.quantity ?? line?.quantity ?? null;
}

/**
 * Returns the next item that waits for a scan by this person. Excludes items that other current pickers of the order
 * have picked.
 */
export function unverifiedItem({ order, me, unverifiable }: PickSession): Item | undefined {
  const others = new Set(order?.pickers.map(({ name }) => name).filter((name) => name !== me));
  return itemsOf(order).find(
    ({ id, picker, awaits_scan: awaits }) => awaits && !others.has(picker ?? '') && !unverifiable.includes(id),
  );
}

/** Returns the question to show. An open question comes before questions about missing reasons. */
export function questionOf({ question, reasons }: PickSession): PickQuestion | undefined {
  if (question !== undefined) return question;
  const [first] = reasons;
  return first === undefined ? undefined : { kind: 'reason', ...first };
}

export function partOf(state: PickSession): PickPart {
  const { order, me, lines } = state;
  if (state.isMissing) return { kind: state.wasOpen ? 'removed' : 'missing' };
  if (order === undefined || lines === undefined) return { kind: 'loading' };
  if (order.state === 'aborted') return { kind: 'aborted' };
  const item = unverifiedItem(state);
  if (item !== undefined) return { kind: 'verify', item };
  const [line] = openLines(state);
  if (line !== undefined) return { kind: 'line', line };
  if (order.state === 'fulfilled') return { kind: 'done' };
  if (isUnderWay(state)) return { kind: 'sending' };
  const mine = order.pickers.find(({ name }) => name === me);
  if (mine === undefined) return { kind: 'take' };
  return { kind: mine.paused ? 'paused' : 'nothing' };
}

/** Whether the page waits until the station reports what happened to a line, or where it is lit. */
function isUnderWay({ order, me, booked, unverifiable }: PickSession): boolean {
  const items = itemsOf(order);
  const isOver = ({ id, state, awaits_scan: awaits }: Item): boolean =>
    (state === 'done' || state === 'short') && (!awaits || unverifiable.includes(id));
  return (
    (items.length > 0 && items.every(isOver)) ||
    items.some((item) => isStillLit(item, me)) ||
    items.some((item) => item.state === 'active' && item.picker === me && booked.has(item.id))
  );
}

/** Returns a key that identifies the content of the page. It changes whenever the buttons change. */
export function shownKey(state: PickSession): string {
  const question = questionOf(state);
  if (question !== undefined) return questionKey(question);
  const part = partOf(state);
  // Include the quantity: if it changes, the picker may be about to confirm the previous one.
  if (part.kind === 'line') return `line ${part.line.item_id} ${askedOf(part.line)}`;
  return part.kind === 'verify' ? `verify ${part.item.id}` : part.kind;
}

export function questionKey(question: PickQuestion): string {
  const { kind } = question;
  if (kind === 'which' || kind === 'hasty') return kind;
  if (kind === 'empty' || kind === 'left') return `${kind} ${question.asked.movement_id}`;
  if (kind === 'join') return `join ${question.orderNumber}`;
  const step = kind === 'short' ? (question.reason ?? '') : '';
  return `${kind} ${question.line.item_id} ${step}`;
}
