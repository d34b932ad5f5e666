import type { OutboxAction } from '../../../station/outbox/actions.ts';
import * as texts from '../../../words/texts.ts';
import { placeOf } from './lines.ts';
import { stay, takeKey, undoOfOwn, withBooked, withEffects, withMessage, withoutCount } from './sessionSteps.ts';
import type { PickQuestion, PickSession, PickStep, Touch } from './sessionTypes.ts';
import { askedOf } from './sessionView.ts';

const words = texts.pick;

type ShortAsked = Extract<PickQuestion, { kind: 'short' }>;

/** Handles a touch in the Short dialog. */
export function touchShort(state: PickSession, question: ShortAsked, touch: Touch, now: number): PickStep | undefined {
  const { line, found, reason } = question;
  const asked = askedOf(line);
  const ask = (change: Partial<ShortAsked>): PickStep => stay({ ...state, question: { ...question, ...change } });
  if (touch.touch === 'close') return stay({ ...state, question: undefined });
  if (reason !== undefined) {
    if (touch.touch === 'elsewhere') return closeShort(state, question, touch, now);
    if (touch.touch !== 'back') return undefined;
    const { reason: _, ...first } = question;
    return stay({ ...state, question: first });
  }
  if (touch.touch === 'found') return ask({ found: Math.min(asked, Math.max(0, found + touch.by)), isSet: true });
  if (touch.touch !== 'reason') return undefined;
  if (line.elsewhere.length > 0 && found < asked) return ask({ reason: touch.reason });
  return closeShort(state, { ...question, reason: touch.reason }, { touch: 'elsewhere', place: undefined }, now);
}

/** Closes a line with the pieces found, or moves the rest to another place. */
function closeShort(
  state: PickSession,
  { line, found, reason = '' }: ShortAsked,
  { place }: Extract<Touch, { touch: 'elsewhere' }>,
  now: number,
): PickStep {
  const closed = {
    ...withoutCount(withBooked(state, line), line.item_id ?? 0),
    question: undefined,
    scanned: undefined,
  };
  const { state: next, key } = takeKey(closed);
  const before = line.quantity_fulfilled ?? 0;
  const action: OutboxAction = {
    kind: 'short',
    key,
    order_number: state.orderNumber,
    item_id: line.item_id ?? 0,
    place: placeOf(line),
    quantity_fulfilled: before + found,
    reason,
    seen: line.quantity_fulfilled,
    ...(line.ordered_quantity === null ? {} : { asked: line.ordered_quantity }),
    ...(place === undefined ? {} : { elsewhere: place.deviceid }),
  };
  const text =
    place === undefined
      ? words.message.short(placeOf(line), found)
      : words.message.shortElsewhere(placeOf(line), found, placeOf(place));
  // If the rest moves to another place, the line has not ended, so there is nothing to reopen.
  const isOver = place === undefined;
  const message = { kind: 'care', text, ...(isOver ? { undo: undoOfOwn(line, found) } : {}) } as const;
  const step = withMessage(isOver ? next : { ...next, undoable: undefined }, message, now);
  return { state: step.state, effects: [{ do: 'keep', action }, ...step.effects] };
}

/** Handles a touch while the page asks why fewer pieces were confirmed at the shelf. */
export function touchReason(
  state: PickSession,
  question: Extract<PickQuestion, { kind: 'reason' }>,
  touch: Touch,
): PickStep | undefined {
  const { line, fulfilled } = question;
  const rest = { ...state, question: undefined, reasons: state.reasons.filter((each) => each.line !== line) };
  if (touch.touch === 'close') return stay(rest);
  if (touch.touch !== 'reason') return undefined;
  const { state: next, key } = takeKey(rest);
  const { reason } = touch;
  const about = { order_number: state.orderNumber, item_id: line.item_id ?? 0, place: placeOf(line) };
  return withEffects(next, {
    do: 'keep',
    action: { kind: 'reason', key, ...about, quantity_fulfilled: fulfilled, reason },
  });
}
