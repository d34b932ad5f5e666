import { cartPick as words } from '../../../words/cartPick.ts';
import { wallPick } from '../../../words/wallPick.ts';
import * as texts from '../../../words/texts.ts';
import { inertFor, INERT_AFTER_OWN_MS } from '../session/inertTimes.ts';
import { placeOf } from '../session/lines.ts';
import { SAID_MS, SHAKE_MS } from '../session/sessionSteps.ts';
import type { PickLine, PickMessage } from '../session/sessionTypes.ts';
import type {
  BatchAct,
  BatchCall,
  BatchAction,
  BatchEffect,
  BatchPieces,
  BatchQuestion,
  BatchSession,
  BatchStep,
  BatchUndo,
} from './batchTypes.ts';
import { aheadOf, askedOf, bySlot, distribute, inPacks, needsScan, restOf } from './batchPart.ts';
import { unpickOf, withPick } from './batchUndos.ts';
import { type BatchView, lineKey, viewOf } from './batchView.ts';

export const stay = (state: BatchSession): BatchStep => ({ state, effects: [] });

export function withEffects(state: BatchSession, ...effects: readonly BatchEffect[]): BatchStep {
  return { state, effects };
}

/** Applies `more` to the state of a step and combines the effects of both steps. */
export function andThen(step: BatchStep, more: (state: BatchSession) => BatchStep): BatchStep {
  const next = more(step.state);
  return { state: next.state, effects: [...step.effects, ...next.effects] };
}

/** A placeholder that makes a message offer Undo, which then reverts the last entry in `undos`. */
const UNDO = { itemId: 0, place: '' };

/** Shows the result of an action and plays its sound. An error stays until the next result. */
export function withMessage(
  state: BatchSession,
  { kind, text, canUndo = false }: { kind: PickMessage['kind']; text: string; canUndo?: boolean },
  now: number,
): BatchStep {
  const message: PickMessage = { kind, text, ...(canUndo ? { undo: UNDO } : {}) };
  const last = kind === 'wrong' ? message : { ...message, until: now + SAID_MS };
  const answer = kind === 'note' ? undefined : kind === 'care' ? 'right' : kind;
  return { state: { ...state, last }, effects: answer === undefined ? [] : [{ do: 'play', answer }] };
}

/** Reports a wrong scan. The message stays red until the next correct scan. */
export function sayWrong(state: BatchSession, text: string): BatchStep {
  return withEffects({ ...state, scanned: { kind: 'wrong', text } }, { do: 'play', answer: 'wrong' });
}

/** Shows a message about a scan, unless an error is shown. */
export function remark(state: BatchSession, text: string, now: number): BatchSession {
  if (state.scanned?.kind === 'wrong') return state;
  return { ...state, scanned: { kind: 'note', text, until: now + SAID_MS } };
}

/** Shakes the page and plays a tick to show that an input was ignored. */
export function refuse(state: BatchSession, now: number): BatchStep {
  return withEffects({ ...state, refusedUntil: now + SHAKE_MS }, { do: 'play', answer: 'tick' });
}

/** Ignores touches briefly after an accepted one, because the next may be a bounce. */
export function accept(state: BatchSession): BatchSession {
  return { ...state, inert: inertFor(state.inert, state.at, INERT_AFTER_OWN_MS) };
}

/** Starts a call that changes the batch. While another call is in progress, the step is only marked as `busy`. */
export function callFor(state: BatchSession, call: BatchCall): BatchStep {
  return state.isBusy
    ? withEffects(state, { do: 'busy' })
    : withEffects({ ...state, isBusy: true }, { do: 'call', call });
}

/** Whether a call changes which lines this person picks, so that its answer is not enough to show the walk. */
export const hasLines = ({ call }: BatchCall): boolean => call === 'launch' || call === 'join' || call === 'leave';

/** Creates an action, which the page applies immediately and stores until the station has booked it. */
export function keep(
  state: BatchSession,
  { place, act, takesBack }: { place: string; act: BatchAct; takesBack?: string | undefined },
): { state: BatchSession; action: BatchAction; effect: BatchEffect } {
  const used = state.keys.used + 1;
  const action: BatchAction = {
    kind: 'cart',
    key: `${state.keys.base}-${used}`,
    order_number: '',
    item_id: 0,
    place,
    batch: state.read?.batch?.id ?? 0,
    act,
    ...(takesBack === undefined ? {} : { takesBack }),
  };
  const pending = [...state.pending, { action, isTaken: false }];
  return { state: { ...state, keys: { ...state.keys, used }, pending }, action, effect: { do: 'keep', action } };
}

/** `scanned` is the scanned code of the article, or null if the article cannot be scanned. */
type Found = {
  found: number;
  shares: readonly BatchPieces[];
  reason?: string | undefined;
  scanned?: string | null | undefined;
};

/**
 * Books the found pieces of a line with their shares. Books at most the requested sum: surplus pieces return to the
 * place.
 */
export function book(
  state: BatchSession,
  line: PickLine,
  { found, shares, reason, scanned }: Found,
  now: number,
): BatchStep {
  const asked = askedOf(line);
  const quantity = Math.min(found, asked);
  const { deviceid, command_id } = line;
  const place = placeOf(line);
  const act: BatchAct = {
    does: 'pick',
    deviceid,
    command_id,
    quantity,
    shares,
    ...(reason === undefined ? {} : { reason }),
    ...(scanned === undefined ? {} : { scanned }),
  };
  const kept = keep(state, { place, act });
  const view = viewOf(state);
  const ahead = view === undefined ? state.ahead : aheadOf(view, line);
  const undo = { does: 'pick', place, pieces: shares, key: kept.action.key, ahead } as const;
  const { undos, packs } = withoutPacks(state, lineKey(line));
  const booked = {
    ...kept.state,
    counted: withoutKey(state.counted, lineKey(line)),
    packs,
    question: undefined,
    scanned: undefined,
    ahead,
    undos: withPick(undos, undo),
  };
  const over = found > asked ? ` ${words.message.putBack(found - asked)}` : '';
  const message = withMessage(
    booked,
    {
      kind: found === asked ? 'right' : 'care',
      text: `${words.message.picked(place, quantity)}${over}`,
      canUndo: true,
    },
    now,
  );
  return { state: message.state, effects: [kept.effect, ...message.effects] };
}

const withoutKey = (counted: BatchSession['counted'], key: string): BatchSession['counted'] =>
  new Map([...counted].filter(([line]) => line !== key));

/** Returns the scanned packs without those of this line, and the undos without those of its packs. */
function withoutPacks({ undos, packs }: BatchSession, key: string): Pick<BatchSession, 'undos' | 'packs'> {
  return {
    undos: undos.filter((undo) => undo.does !== 'count' || undo.line !== key),
    packs: new Map([...packs].filter(([line]) => line !== key)),
  };
}

/**
 * Books the scanned packs of a line and `count` more pieces if they reach the requested sum; otherwise asks first. Asks
 * for a scan of the article if it is required and `code`, the scanned code of the article, is missing.
 */
export function bookOrAsk(
  state: BatchSession,
  line: PickLine,
  { count, code }: { count: number; code?: string | undefined },
  now: number,
): BatchStep {
  const view = viewOf(state);
  const found = inPacks(state, line) + count;
  const isRequired = view !== undefined && needsScan(view, line);
  const scanned = isRequired ? (code ?? state.packs.get(lineKey(line))?.code) : undefined;
  if (found < askedOf(line)) return stay({ ...state, question: askShort(line, found, scanned), scanned: undefined });
  if (isRequired && scanned === undefined)
    return stay({ ...state, question: { kind: 'scan', line, found }, scanned: undefined });
  return book(state, line, { found, shares: line.shares ?? [], scanned }, now);
}

/**
 * Counts the pieces of a scanned pack. A pack that completes the line books it; a pack with too many pieces is
 * rejected.
 */
export function countPack(
  state: BatchSession,
  line: PickLine,
  { pack, code }: { pack: number; code: string },
  now: number,
): BatchStep {
  const place = placeOf(line);
  const rest = restOf(state, line);
  if (pack > rest) return sayWrong(state, words.message.packTooLarge(place, { pack, rest }));
  if (pack === rest) return bookOrAsk(state, line, { count: pack, code }, now);
  const key = lineKey(line);
  const quantity = inPacks(state, line) + pack;
  const view = viewOf(state);
  const counted: BatchSession = {
    ...state,
    counted: withoutKey(state.counted, key),
    packs: new Map(state.packs).set(key, { quantity, code }),
    scanned: undefined,
    ahead: view === undefined ? state.ahead : aheadOf(view, line),
    skipped: state.skipped.filter((each) => each !== key),
    undos: [...state.undos, { does: 'count', place, line: key, pieces: pack, key: undefined }],
  };
  const text = words.message.counted(place, quantity, askedOf(line));
  return withMessage(counted, { kind: 'right', text, canUndo: true }, now);
}

/** Reverts the last scan of a pack. */
function uncount(
  state: BatchSession,
  { line, pieces, place }: Extract<BatchUndo, { does: 'count' }>,
  now: number,
): BatchStep {
  const counted = state.packs.get(line);
  const quantity = (counted?.quantity ?? 0) - pieces;
  const packs = new Map(state.packs);
  if (counted === undefined || quantity <= 0) packs.delete(line);
  else packs.set(line, { ...counted, quantity });
  const undone = {
    ...state,
    packs,
    counted: withoutKey(state.counted, line),
    undos: state.undos.slice(0, -1),
    scanned: undefined,
  };
  return withMessage(undone, { kind: 'note', text: words.message.uncounted(place, pieces) }, now);
}

export function askShort(line: PickLine, found: number, scanned?: string): Extract<BatchQuestion, { kind: 'short' }> {
  const shares = distribute(line.shares ?? [], found);
  return { kind: 'short', place: placeOf(line), line, found, shares, isBooked: false, scanned };
}

export function putPieces(state: BatchSession, pieces: readonly BatchPieces[], now: number): BatchStep {
  const slots = bySlot(pieces);
  const place = words.listed(slots);
  const kept = keep(state, { place: words.actions.put(place), act: { does: 'put', pieces } });
  const undo = { does: 'put', place, pieces, key: kept.action.key } as const;
  const put = { ...kept.state, scanned: undefined, answer: undefined, undos: [...state.undos, undo] };
  const message = sayPut(put, slots, completedBy(viewOf(state), viewOf(put)), now);
  return { state: message.state, effects: [kept.effect, ...message.effects] };
}

/** Reports the pieces that were put and, at a wall, the orders that they completed. */
export function sayPut(
  state: BatchSession,
  slots: readonly { slot: string; quantity: number }[],
  completed: readonly { slot: string; order: string }[],
  now: number,
): BatchStep {
  const text = words.message.put(slots);
  if (state.kind === 'cart' || completed.length === 0)
    return withMessage(state, { kind: 'right', text, canUndo: true }, now);
  const more = completed.map(({ slot, order }) => wallPick.message.complete(slot, order)).join(' ');
  const message = withMessage(state, { kind: 'right', text: `${text}. ${more}`, canUndo: true }, now);
  return withEffects(message.state, { do: 'play', answer: 'done' });
}

/** Returns the slots that have become complete. */
export function completedBy(
  before: BatchView | undefined,
  after: BatchView | undefined,
): { slot: string; order: string }[] {
  const were = new Set(before?.batch.slots.flatMap(({ slot, state }) => (state === 'complete' ? [slot] : [])));
  return (after?.batch.slots ?? []).flatMap(({ slot, state, order_number: order }) =>
    state === 'complete' && order !== null && !were.has(slot) ? [{ slot, order }] : [],
  );
}

/** Undoes the last pick, put or scan of a pack, or the freeing of a slot. */
export function undoLast(state: BatchSession, now: number): BatchStep {
  const undo = state.undos.at(-1);
  if (undo === undefined) return sayWrong(state, texts.pick.message.nothingToUndo);
  if (undo.does === 'free') {
    return callFor({ ...state, undos: state.undos.slice(0, -1) }, { call: 'undoFree', freed: undo.freed });
  }
  if (undo.does === 'count') return uncount(state, undo, now);
  const { does, pieces, place, key } = undo;
  const isOwn = state.pending.some(({ action, isTaken }) => action.key === key && !isTaken);
  const takesBack = isOwn ? key : undefined;
  const undone: BatchSession = { ...state, undos: state.undos.slice(0, -1), scanned: undefined };
  if (does === 'put') {
    const kept = keep(undone, { place: words.actions.takeOut(place), act: { does: 'takeOut', pieces }, takesBack });
    const slots = bySlot(pieces);
    const text = slots.length === 0 ? wallPick.message.singleUndone(place) : words.message.takenOut(slots);
    const message = withMessage(kept.state, { kind: 'note', text }, now);
    return { state: message.state, effects: [kept.effect, ...message.effects] };
  }
  // After Undo, treat the person as being at this place again.
  const there = { ...undone, ahead: undo.ahead };
  const kept = keep(there, { place: words.actions.unpick(place), act: unpickOf(state, undo), takesBack });
  const message = withMessage(kept.state, { kind: 'note', text: words.message.open(place) }, now);
  return { state: message.state, effects: [kept.effect, ...message.effects] };
}

/** Moves a line to the end of the walk. */
export function skip(state: BatchSession, line: PickLine): BatchSession {
  const key = lineKey(line);
  return { ...state, question: undefined, skipped: [...state.skipped.filter((each) => each !== key), key] };
}
