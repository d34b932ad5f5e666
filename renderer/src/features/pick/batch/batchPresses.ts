import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { claimOf, newestMine, type PressNotice, returnOf } from '../whose/pressNotices.ts';
import { isSame } from './batchPeople.ts';
import { bySlot, myPieces, openLines, otherHands } from './batchPart.ts';
import { andThen, keep, refuse, remark, sayWrong, stay, withEffects, withMessage } from './batchSteps.ts';
import type { BatchEffect, BatchSession, BatchStep, BatchTouch } from './batchTypes.ts';
import { type BatchView, lineKey, viewOf } from './batchView.ts';

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
  return isOwn ? giveBack(without(state, notice), notice, now) : claim(state, notice, now);
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

/** Gives the press to this person's own line or pieces. If the person had set another number, the page asks for it after the answer. */
function claim(before: BatchSession, notice: PressNotice, now: number): BatchStep {
  const view = viewOf(before);
  const isOwn = ({ shares = [] }: { shares?: readonly { item_id: number }[] }): boolean =>
    shares.some(({ item_id: item }) => item === notice.own);
  const line = view === undefined ? undefined : openLines(before, view).find(isOwn);
  if (line !== undefined && before.counted.has(lineKey(line)) && before.question !== undefined)
    return andThen(refuse(before, now), (next) => stay(remark(next, texts.pick.message.finishFirst, now)));
  const { state, key } = keyOf(without(before, notice));
  const effects: BatchEffect[] = [
    { do: 'answered', press: notice.key, by: key },
    { do: 'keep', action: claimOf(notice, key) },
  ];
  return andThen(withMessage(state, { kind: 'right', text: texts.pick.whose.claimed(notice.place) }, now), (next) =>
    withEffects(next, ...effects),
  );
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
  return withEffects(
    { ...state, presses: state.presses.filter((notice) => !settled.includes(notice)) },
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
