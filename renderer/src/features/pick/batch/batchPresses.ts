import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { claimOf, newestMine, type PressNotice, returnOf } from '../whose/pressNotices.ts';
import { isSame } from './batchPeople.ts';
import { askedOf, bySlot, myPieces, openLines, otherHands, putKey } from './batchPart.ts';
import { andThen, keep, refuse, remark, sayWrong, stay, withEffects, withMessage } from './batchSteps.ts';
import { numberToPut, unconfirmedNumber, withoutNumber } from './batchTyped.ts';
import type { BatchEffect, BatchQuestion, BatchSession, BatchStep, BatchTouch, OwnNumber } from './batchTypes.ts';
import { type BatchView, lineKey, sumOf, viewOf } from './batchView.ts';

type MineQuestion = Extract<BatchQuestion, { kind: 'mine' }>;

/** Handles the answer to whose a press was. */
export function answerPress(
  state: BatchSession,
  { press, how }: Extract<BatchTouch, { touch: 'answerPress' }>,
  now: number,
): BatchStep {
  const notice = state.presses.find(({ key }) => key === press);
  if (notice === undefined || state.at < state.offeredAt) return refuse(state, now);
  const isOwn = notice.own === undefined;
  if (how === 'read') return withEffects(without(state, notice), { do: 'answered', press });
  // Each of the two answers is offered to one of the people only.
  if (notice.refused !== undefined || isOwn !== (how === 'notMine')) return refuse(state, now);
  return isOwn ? giveBack(without(state, notice), notice, now) : claimOrAsk(state, notice, now);
}

const without = (state: BatchSession, notice: PressNotice): BatchSession => ({
  ...state,
  presses: state.presses.filter((each) => each !== notice),
});

const keyOf = (state: BatchSession): { state: BatchSession; key: string } => {
  const used = state.keys.used + 1;
  return { state: { ...state, keys: { ...state.keys, used } }, key: `${state.keys.base}-${used}` };
};

/** Removes the Undo of the pick that a press made. */
const withoutPick = (state: BatchSession, { place, batch }: PressNotice): BatchSession => ({
  ...state,
  undos: state.undos.filter(
    (undo) => batch === undefined || undo.does !== 'pick' || undo.place !== place || undo.key !== undefined,
  ),
});

/** Takes the pieces back that a press of somebody else has picked or put for this person. */
function giveBack(state: BatchSession, notice: PressNotice, now: number): BatchStep {
  const { key: press, batch, slot, place, pieces } = notice;
  const answered = { do: 'answered', press } as const;
  const told = withMessage(state, { kind: 'note', text: texts.pick.whose.returned(place) }, now);
  if (batch === undefined || slot === undefined || batch !== state.read?.batch?.id) {
    const { state: next, key } = keyOf(withoutPick(told.state, notice));
    const action = returnOf(notice, key);
    return { state: next, effects: [...told.effects, { ...answered, by: key }, { do: 'keep', action }] };
  }
  const isOfPress = (undo: BatchSession['undos'][number]): boolean =>
    undo.does === 'put' && undo.key === undefined && undo.pieces.some((piece) => piece.slot === slot);
  const undos = told.state.undos.filter((undo) => !isOfPress(undo));
  const taken = {
    place: words.actions.takeOut(words.listed(bySlot(pieces))),
    act: { does: 'takeOut', pieces } as const,
  };
  return andThen(told, (next) => {
    const kept = keep({ ...next, undos }, taken);
    return withEffects(kept.state, answered, kept.effect);
  });
}

/** Gives the press to this person's own line or pieces. If the person had set another number for them, asks first which one counts. */
function claimOrAsk(state: BatchSession, notice: PressNotice, now: number): BatchStep {
  const own = ownNumber(state, notice);
  if (own === undefined || own.typed === undefined || own.typed === own.asked) return claim(state, notice, now, own);
  // The answer to the open question would get lost.
  if (state.question !== undefined)
    return andThen(refuse(state, now), (next) => stay(remark(next, texts.pick.message.finishFirst, now)));
  return stay({ ...state, question: { kind: 'mine', notice, own: { ...own, typed: own.typed } } });
}

/** Returns the numbers of the line or the pieces for which the person waited, or undefined if this page does not show them. */
function ownNumber(state: BatchSession, { own, batch, slot }: PressNotice): OwnNumber | undefined {
  const view = viewOf(state);
  if (view === undefined) return undefined;
  if (slot === undefined) {
    const line = openLines(state, view).find(({ shares = [] }) => shares.some(({ item_id: item }) => item === own));
    return line && { key: lineKey(line), asked: askedOf(line), typed: unconfirmedNumber(state, line), line };
  }
  if (batch !== view.batch.id) return undefined;
  const mine = myPieces(state, view);
  const there = sumOf(mine.filter((piece) => piece.slot === slot));
  const typed = numberToPut(state, mine);
  // The slot takes no more than these. The page says what belongs elsewhere once they are put.
  const isLess = typed !== undefined && typed > 0 && typed < there;
  const asked = view.batch.put_confirmation === 'once' ? sumOf(mine) : there;
  return { key: putKey(mine), asked, typed: isLess ? typed : undefined };
}

/** Handles the answer to how many pieces the person took. */
export function answerMine(state: BatchSession, question: MineQuestion, { touch }: BatchTouch, now: number): BatchStep {
  const { notice, own } = question;
  const closed = { ...state, question: undefined };
  if (touch === 'bookTyped') return claim(closed, notice, now, own);
  return touch === 'takeBooked' ? claim(closed, notice, now, { ...own, typed: undefined }) : stay(state);
}

/** Whether the question how many pieces the person took no longer fits the line or the pieces. */
export function isMineOutdated(state: BatchSession, { notice, own }: MineQuestion): boolean {
  const now = ownNumber(state, notice);
  return now?.key !== own.key || now.asked !== own.asked;
}

/** Gives the press to this person's own line or pieces in one commit: all of them, or the number that the person set. */
function claim(before: BatchSession, notice: PressNotice, now: number, own?: OwnNumber): BatchStep {
  const { state, key } = keyOf(without(before, notice));
  // The station books at most the sum of a place.
  const taken = own?.typed === undefined || own.typed >= own.asked ? undefined : own.typed;
  const effects: BatchEffect[] = [
    { do: 'answered', press: notice.key, by: key },
    { do: 'keep', action: claimOf(notice, key, taken) },
  ];
  const message = withMessage(state, { kind: 'right', text: texts.pick.whose.claimed(notice.place) }, now);
  const told = andThen(message, (next) => withEffects(next, ...effects));
  return own === undefined ? told : andThen(told, (next) => withoutNumber(withSurplus(next, own), own.key));
}

/** Notes pieces that nobody needs, so that the page says to put them back once the line is booked. */
function withSurplus(state: BatchSession, { typed = 0, asked, line }: OwnNumber): BatchSession {
  const batch = state.read?.batch?.id;
  if (line === undefined || batch === undefined || typed <= asked) return state;
  const { deviceid, location } = line;
  const press = { deviceid: deviceid ?? '', location, quantity: asked, left_over: typed - asked, picker: null };
  return { ...state, pressed: [...state.pressed, { type: 'batch.picked', batch_id: batch, ...press }] };
}

/** Handles the printed command *It was mine*, which answers the newest notice. */
export function claimNewest(state: BatchSession, now: number): BatchStep {
  const notice = newestMine(state.presses);
  if (notice === undefined) return sayWrong(state, texts.pick.whose.nothing);
  return answerPress(state, { touch: 'answerPress', press: notice.key, how: 'mine' }, now);
}

/** Removes notices about slots that are settled: all who were asked have put their pieces, or the pieces were taken out again. */
export function settleSlots(state: BatchSession, before: BatchView | undefined, after: BatchView): BatchStep {
  const settled = state.presses.filter(
    (notice) => notice.batch === after.batch.id && isSettled(state, notice, { before, after }),
  );
  if (settled.length === 0) return stay(state);
  const { question } = state;
  const isOpen = question?.kind !== 'mine' || !settled.some(({ key }) => key === question.notice.key);
  const presses = state.presses.filter((notice) => !settled.includes(notice));
  return withEffects(
    { ...state, presses, question: isOpen ? question : undefined },
    ...settled.map(({ key: press }) => ({ do: 'answered', press }) as const),
  );
}

function isSettled(
  state: BatchSession,
  { slot, own, itemId, others }: PressNotice,
  { before, after }: { before: BatchView | undefined; after: BatchView },
): boolean {
  if (slot === undefined) return false;
  const isHere = (piece: { slot: string | null }): boolean => piece.slot === slot;
  if (own !== undefined) return !myPieces(state, after).some(isHere);
  const holds = (view: BatchView): boolean =>
    myPieces(state, view).some((piece) => isHere(piece) && piece.item_id === itemId);
  if (before !== undefined && !holds(before) && holds(after)) return true;
  const hands = otherHands(state, after);
  return !others.some(({ picker }) => hands.some(({ by, shares }) => isSame(by, picker) && shares.some(isHere)));
}
