import type { OutboxAction } from '../../../station/outbox/actions.ts';
import * as texts from '../../../words/texts.ts';
import { inertFor, INERT_AFTER_OWN_MS } from './inertTimes.ts';
import { placeOf } from './lines.ts';
import type {
  PickEffect,
  PickLine,
  PickSession,
  PickQuestion,
  PickMessage,
  PickStep,
  UndoOffer,
} from './sessionTypes.ts';
import { askedOf, countOf } from './sessionView.ts';

const words = texts.pick;

/** How long a message and its Undo button are shown, in milliseconds. */
export const SAID_MS = 6_000;
/** How long the page shakes after an ignored input, in milliseconds. */
export const SHAKE_MS = 300;

export const stay = (state: PickSession): PickStep => ({ state, effects: [] });

/** Applies `more` to the state of a step and combines the effects of both steps. */
export function andThen(step: PickStep, more: (state: PickSession) => PickStep): PickStep {
  const next = more(step.state);
  return { state: next.state, effects: [...step.effects, ...next.effects] };
}

export function withEffects(state: PickSession, ...effects: readonly PickEffect[]): PickStep {
  return { state, effects };
}

/** Shows the result of an action and plays its sound. An error stays until the next result. */
export function withMessage(
  state: PickSession,
  message: Omit<PickMessage, 'until'>,
  now: number,
  call?: 'attention',
): PickStep {
  const last = message.kind === 'wrong' ? message : { ...message, until: now + SAID_MS };
  const heard = call ?? (message.kind === 'note' ? undefined : message.kind === 'care' ? 'right' : message.kind);
  const undoable = message.undo ?? state.undoable;
  return { state: { ...state, last, undoable }, effects: heard === undefined ? [] : [{ do: 'play', answer: heard }] };
}

/** Reports a wrong scan. The message stays red until the next correct scan. */
export function sayWrongScan(state: PickSession, text: string): PickStep {
  return withEffects({ ...state, scanned: { kind: 'wrong', text } }, { do: 'play', answer: 'wrong' });
}

/** Shows a message about a scan, unless an error is shown. */
export function remark(state: PickSession, text: string, now: number): PickSession {
  if (state.scanned?.kind === 'wrong') return state;
  return { ...state, scanned: { kind: 'note', text, until: now + SAID_MS } };
}

/** Shakes the page and plays a tick to show that an input was ignored. */
export function refuse(state: PickSession, now: number): PickStep {
  return withEffects({ ...state, refusedUntil: now + SHAKE_MS }, { do: 'play', answer: 'tick' });
}

/** Ignores touches briefly after an accepted one, because the next may be a bounce. */
export function accept(state: PickSession): PickSession {
  return { ...state, inert: inertFor(state.inert, state.at, INERT_AFTER_OWN_MS) };
}

/** Creates a new idempotency key, so that the station applies a repeated request only once. */
export function takeKey(state: PickSession): { state: PickSession; key: string } {
  const used = state.keys.used + 1;
  return { state: { ...state, keys: { ...state.keys, used } }, key: `${state.keys.base}-${used}` };
}

export function undoOf(line: PickLine, { before, after }: Pick<UndoOffer, 'before' | 'after'>): UndoOffer {
  return { itemId: line.item_id ?? 0, before, after, place: placeOf(line) };
}

/**
 * Returns the offer to undo a booking made on this page. The station refuses to undo it if the line's picked quantity
 * differs from the one that the page showed.
 */
export function undoOfOwn(line: PickLine, quantity: number | null): UndoOffer {
  const before = line.quantity_fulfilled ?? 0;
  return undoOf(line, { before, after: quantity === null ? undefined : before + quantity });
}

/**
 * Books this quantity for a line and shows the next line. `location` is another place of the article, where the pieces
 * were taken, and `instead` the picked quantity after a press that this replaces.
 */
export function book(
  state: PickSession,
  line: PickLine,
  quantity: number | null,
  now: number,
  { location, instead }: { location?: string; instead?: number } = {},
): PickStep {
  const { item_id: id } = line;
  if (id === null) return stay(state);
  const { state: counted, key } = takeKey(state);
  const booked = { ...withoutCount(withBooked(counted, line), id), question: undefined, scanned: undefined };
  const isAsAsked = quantity === null || quantity === askedOf(line);
  const isShort = quantity !== null && quantity < askedOf(line);
  const message = withMessage(
    booked,
    {
      kind: isAsAsked ? 'right' : 'care',
      text: (isShort ? words.message.short : words.message.picked)(location || placeOf(line), quantity),
      undo: undoOfOwn(line, quantity),
    },
    now,
  );
  const action: OutboxAction = {
    kind: 'confirm',
    key,
    order_number: state.orderNumber,
    item_id: id,
    place: location || placeOf(line),
    deviceid: line.deviceid,
    command_id: line.command_id,
    quantity,
    seen: line.quantity_fulfilled,
    ...(line.ordered_quantity === null ? {} : { asked: line.ordered_quantity }),
    ...(location === undefined ? {} : { location }),
    ...(instead === undefined ? {} : { instead }),
  };
  return { state: message.state, effects: [{ do: 'keep', action }, ...message.effects] };
}

export function withBooked(state: PickSession, line: PickLine): PickSession {
  return { ...state, booked: new Set(state.booked).add(line.item_id ?? 0) };
}

/** Discards the count of this item. A count of another line stays, because its person has not confirmed it yet. */
export function withoutCount(state: PickSession, id: number): PickSession {
  const counted = new Map(state.counted);
  return counted.delete(id) ? { ...state, counted } : state;
}

export function withoutBooked(state: PickSession, id: number): PickSession {
  const booked = new Set(state.booked);
  return booked.delete(id) ? { ...state, booked } : state;
}

/** Books a quantity. Asks first if it differs from the requested quantity. */
export function bookOrAsk(state: PickSession, line: PickLine, quantity: number | null, now: number): PickStep {
  const question = questionAbout(line, quantity);
  return question === undefined ? book(state, line, quantity, now) : stay({ ...state, question });
}

/** Returns the question to ask before this quantity is booked, or undefined if it can be booked directly. */
export function questionAbout(line: PickLine, quantity: number | null): PickQuestion | undefined {
  const asked = askedOf(line);
  if (quantity === null || line.ordered_quantity === null || quantity === asked) return undefined;
  return quantity > asked ? { kind: 'over', line, count: quantity } : { kind: 'short', line, found: quantity };
}

/** Returns the initial number in the Short dialog: the count, if it is below the requested quantity. */
export function foundSoFar(state: PickSession, line: PickLine): number {
  const count = countOf(state, line);
  return count !== null && count < askedOf(line) ? count : 0;
}
