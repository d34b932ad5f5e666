import { cartPick as words } from '../../../words/cartPick.ts';
import { andThen, askShort, book, keep, putPieces, stay, undoLast, withEffects, withMessage } from './batchSteps.ts';
import type { BatchPieces, BatchQuestion, BatchSession, BatchStep, BatchTouch } from './batchTypes.ts';
import { askedOf, bySlot, inPacks, myPieces, openLines, partOf, putKey, withNumber } from './batchPart.ts';
import { unpickOf } from './batchUndos.ts';
import { lineKey, sumOf, viewOf } from './batchView.ts';
import type { PickLine } from '../session/sessionTypes.ts';

type Differs = Extract<BatchQuestion, { kind: 'differs' }>;

/** Returns the key of the line, or of the pieces to put, for which a number is typed now. */
export function typedFor(state: BatchSession): string | undefined {
  const { question } = state;
  if (question !== undefined) return 'line' in question ? lineKey(question.line) : undefined;
  const part = partOf(state);
  if (part.kind === 'walk') return lineKey(part.line);
  return part.kind === 'put' && state.kind === 'cart' ? putKey(part.pieces) : undefined;
}

/** Stores the number that is typed without Enter. It belongs to what was shown at its first digit. */
export function handleTyped(state: BatchSession, count: number | undefined): BatchSession {
  if (count === undefined) return state.typing === undefined ? state : { ...state, typing: undefined };
  const line = state.typing?.line ?? typedFor(state);
  return line === undefined ? state : { ...state, typing: { line, count } };
}

/** Discards the number that is typed without Enter once its line has ended, so that it cannot become the next line's. */
export function endTyped(state: BatchSession): BatchStep {
  const { typing } = state;
  const view = viewOf(state);
  if (typing === undefined || view === undefined) return stay(state);
  const part = partOf(state, view);
  const isOpen = openLines(state, view).some((line) => lineKey(line) === typing.line);
  if (isOpen || (part.kind === 'put' && putKey(part.pieces) === typing.line)) return stay(state);
  return withEffects({ ...state, typing: undefined }, { do: 'clearTyped' });
}

/** Discards the numbers of lines that are no longer open, and of pieces that are no longer in hand. */
export function withoutEnded(state: BatchSession): BatchSession {
  const view = viewOf(state);
  if (view === undefined || state.counted.size === 0) return state;
  const part = partOf(state, view);
  const open = new Set(view.lines.map(lineKey));
  if (part.kind === 'put') open.add(putKey(part.pieces));
  return { ...state, counted: new Map([...state.counted].filter(([line]) => open.has(line))) };
}

/** Returns the number in the entry or in an open question that nobody has confirmed, with its line. */
export function standingNumber(state: BatchSession): BatchSession['typing'] {
  const { question, typing } = state;
  if (question?.kind === 'pad' && question.text !== '')
    return { line: lineKey(question.line), count: Number(question.text) };
  const isPressed = question?.kind === 'short' && (question.isBooked || question.unpicks !== undefined);
  if (isPressed) return undefined;
  if (question?.kind === 'short' && typing === undefined && holdsNumber(question))
    return { line: lineKey(question.line), count: Math.max(0, question.found - inPacks(state, question.line)) };
  return typing;
}

/** Whether a question holds a number or a reason, so that a scan must not close it. */
export function holdsNumber(question: BatchQuestion): boolean {
  switch (question.kind) {
    case 'short':
      return question.isSet === true || question.isBooked || question.found > 0;
    case 'pad':
      return question.text !== '';
    case 'differs':
    case 'putDiffers':
    case 'mine':
    // The page stops until it is answered.
    case 'hasty':
      return true;
    default:
      return false;
  }
}

/** Returns the number that the person has typed or set for a line, with its scanned packs, but not confirmed. */
export function unconfirmedNumber(state: BatchSession, line: PickLine): number | undefined {
  const { question, typing, counted } = state;
  const key = lineKey(line);
  if (question?.kind === 'short' && !question.isBooked && holdsNumber(question) && lineKey(question.line) === key)
    return typing?.line === key ? typing.count : question.found;
  const pad = question?.kind === 'pad' && question.text !== '' && lineKey(question.line) === key;
  const typed = pad ? Number(question.text) : typing?.line === key ? typing.count : undefined;
  const set = typed ?? counted.get(key);
  return set === undefined ? undefined : inPacks(state, line) + set;
}

/**
 * Asks what remains to be said about a line that a press has booked: which number counts, if the person has typed
 * another one, or why pieces are missing. `before` is the session before the press.
 */
export function askAfterPress(
  step: BatchStep,
  before: BatchSession,
  { line, place, shares, found }: { line: PickLine; place: string; shares: readonly BatchPieces[]; found: number },
): BatchStep {
  const { state } = step;
  const { question: open } = state;
  // The pick has answered an open question about this line.
  const isOther = open !== undefined && !('line' in open && lineKey(open.line) === lineKey(line));
  if (isOther) return step;
  const typed = unconfirmedNumber(before, line);
  const differs: Differs | undefined =
    typed === undefined || typed === found ? undefined : { kind: 'differs', line, place, shares, booked: found, typed };
  const question = differs ?? (found < askedOf(line) ? whyLess({ line, place, shares, booked: found }) : undefined);
  return question === undefined ? step : { ...step, state: { ...state, question } };
}

/** Returns the number that the person has typed or set for the next slot while these pieces are in hand. */
export function numberToPut({ typing, counted }: BatchSession, mine: readonly BatchPieces[]): number | undefined {
  const key = putKey(mine);
  return typing?.line === key ? typing.count : counted.get(key);
}

/** Discards the number of a line or of the next slot, because it has been used. */
export function withoutNumber(state: BatchSession, key: string): BatchStep {
  const counted = new Map([...state.counted].filter(([line]) => line !== key));
  if (state.typing?.line !== key) return stay({ ...state, counted });
  return withEffects({ ...state, counted, typing: undefined }, { do: 'clearTyped' });
}

const whyLess = ({ line, place, shares, booked }: Omit<Differs, 'kind' | 'typed'>): BatchQuestion => ({
  kind: 'short',
  place,
  line,
  found: booked,
  shares,
  isBooked: true,
});

/** Handles the answer to which number counts: the one that a press has booked, or the one that the person typed. */
export function answerDiffers(state: BatchSession, question: Differs, { touch }: BatchTouch, now: number): BatchStep {
  const { line, shares, booked, typed, place } = question;
  const closed = { ...state, question: undefined };
  if (touch === 'takeBooked' || touch === 'close')
    return stay(booked < askedOf(line) ? { ...closed, question: whyLess(question) } : closed);
  if (touch !== 'bookTyped') return stay(state);
  if (typed < askedOf(line))
    return stay({ ...closed, question: { ...askShort(line, typed), isSet: true, unpicks: shares } });
  if (booked < askedOf(line))
    return andThen(unpick(closed, place, shares), (next) =>
      book(next, line, { found: typed, shares: line.shares ?? [] }, now),
    );
  const text = `${words.message.picked(place, booked)} ${words.message.putBack(typed - booked)}`;
  return withMessage(closed, { kind: 'care', text, canUndo: true }, now);
}

/**
 * Asks which number counts if a press at a slot has put another number of pieces than the person has typed for the next
 * slot. `mine` are the pieces that the person held before.
 */
export function askAfterPut(
  step: BatchStep,
  { put, mine }: { put: readonly BatchPieces[]; mine: readonly BatchPieces[] },
): BatchStep {
  const { state } = step;
  const typed = numberToPut(state, mine);
  const booked = sumOf(put);
  if (typed === undefined || typed === booked || state.question !== undefined) return step;
  return { ...step, state: { ...state, question: { kind: 'putDiffers', booked, typed, pieces: put } } };
}

/**
 * Handles the answer to how many pieces are in the slot. If a press has put pieces into several slots, all of them
 * return to the hand, where the typed number applies to the next slot.
 */
export function answerPutDiffers(
  state: BatchSession,
  { pieces, booked, typed }: Extract<BatchQuestion, { kind: 'putDiffers' }>,
  { touch }: BatchTouch,
  now: number,
): BatchStep {
  const closed = { ...state, question: undefined };
  if (touch === 'takeBooked' || touch === 'close') return stay(closed);
  if (touch !== 'bookTyped') return stay(state);
  if (typed > booked) return putMore(closed, pieces, typed - booked, now);
  if (bySlot(pieces).length > 1) {
    return andThen(undoLast(closed, now), (next) => {
      const view = viewOf(next);
      const key = view === undefined ? '' : putKey(myPieces(next, view));
      return stay({ ...next, counted: withNumber(next.counted, key, typed) });
    });
  }
  let rest = booked - typed;
  const taken = pieces.toReversed().flatMap((piece) => {
    const quantity = Math.min(rest, piece.quantity);
    rest -= quantity;
    return quantity === 0 ? [] : [{ ...piece, quantity }];
  });
  const slots = bySlot(taken);
  const kept = keep(closed, {
    place: words.actions.takeOut(words.listed(slots)),
    act: { does: 'takeOut', pieces: taken },
  });
  const message = withMessage(kept.state, { kind: 'note', text: words.message.takenOut(slots) }, now);
  return { state: message.state, effects: [kept.effect, ...message.effects] };
}

/**
 * Puts `more` pieces into the slot that a press has just filled. What the slot does not take has to leave it again, because a
 * batch never books more than its slots need.
 */
function putMore(state: BatchSession, pieces: readonly BatchPieces[], more: number, now: number): BatchStep {
  const slots = bySlot(pieces);
  const view = viewOf(state);
  const held = view === undefined ? [] : myPieces(state, view);
  let rest = more;
  const added = held
    .filter(({ slot }) => slots.length === 1 && slot === slots[0]?.slot)
    .flatMap((piece) => {
      const quantity = Math.min(rest, piece.quantity);
      rest -= quantity;
      return quantity === 0 ? [] : [{ ...piece, quantity }];
    });
  const put = added.length === 0 ? stay(state) : putPieces(state, added, now);
  if (rest === 0) return put;
  const text = words.message.tooMany(bySlot([...pieces, ...added]), rest);
  return andThen(put, (next) => withMessage(next, { kind: 'care', text, canUndo: true }, now));
}

/** Takes back the pieces that a press at a light has booked. */
export function unpick(state: BatchSession, place: string, pieces: readonly BatchPieces[]): BatchStep {
  const undos = state.undos.filter((undo) => undo.does !== 'pick' || undo.place !== place || undo.key !== undefined);
  const act = unpickOf(state, { pieces });
  const kept = keep({ ...state, undos }, { place: words.actions.unpick(place), act });
  return withEffects(kept.state, kept.effect);
}
