import * as texts from '../../../words/texts.ts';
import { claimOf, newestMine, type PressNotice, returnOf } from '../whose/pressNotices.ts';
import { unconfirmedNumber } from './sessionCount.ts';
import {
  andThen,
  refuse,
  remark,
  sayWrongScan,
  stay,
  takeKey,
  withBooked,
  withEffects,
  withMessage,
  withoutCount,
} from './sessionSteps.ts';
import type { PickLine, PickSession, PickStep, Touch } from './sessionTypes.ts';
import { askedOf, countOf, openLines, questionOf } from './sessionView.ts';

const words = texts.pick.whose;

/** Handles the answer to whose a press was. */
export function answerPress(
  state: PickSession,
  { press, how }: Extract<Touch, { touch: 'answerPress' }>,
  now: number,
): PickStep {
  const notice = state.presses.find(({ key }) => key === press);
  if (notice === undefined) return refuse(state, now);
  const isOwn = notice.own === undefined;
  if (how === 'read') return withEffects(without(state, notice), { do: 'answered', press });
  // Each of the two answers is offered to one of the people only.
  if (notice.refused !== undefined || isOwn !== (how === 'notMine')) return refuse(state, now);
  return isOwn ? giveBack(state, notice, now) : claimOrAsk(state, notice, now);
}

const without = (state: PickSession, notice: PressNotice): PickSession => ({
  ...state,
  presses: state.presses.filter(({ key }) => key !== notice.key),
});

/** Opens this person's line again, which a press of somebody else has booked. */
function giveBack(before: PickSession, notice: PressNotice, now: number): PickStep {
  const { itemId, orderNumber, place } = notice;
  const { state, key } = takeKey(without(before, notice));
  const isUndone = state.undoable?.itemId === itemId;
  const reasons = state.reasons.filter(({ line }) => line.item_id !== itemId);
  const open = { ...state, reasons, ...(isUndone ? { last: undefined, undoable: undefined } : {}) };
  // The session of this order reports a refusal itself.
  const by = orderNumber === state.orderNumber ? undefined : key;
  return andThen(withMessage(open, { kind: 'note', text: words.returned(place) }, now), (next) =>
    withEffects(next, { do: 'answered', press: notice.key, by }, { do: 'keep', action: returnOf(notice, key) }),
  );
}

/** Gives the press to this person's own line. If the person had set another number for that line, asks first which one counts. */
function claimOrAsk(state: PickSession, notice: PressNotice, now: number): PickStep {
  const line = openLines(state).find(({ item_id: id }) => id === notice.own);
  const shown = countOf(state, line);
  if (line === undefined || shown === null) return claim(state, notice, now);
  // A number in the entry or in a dialog counts as well, although nobody has confirmed it.
  const typed = unconfirmedNumber(state, line) ?? shown;
  if (typed === askedOf(line)) return claim(state, notice, now, { line });
  // The answer to the open question would get lost.
  if (questionOf(state) !== undefined)
    return andThen(refuse(state, now), (next) => stay(remark(next, texts.pick.message.finishFirst, now)));
  return stay({ ...state, question: { kind: 'mine', line, notice, typed } });
}

/**
 * Gives the press to this person's own line, `line`, in one commit: it is booked with `typed` pieces, by default with its own rest. If these
 * are too few, the page then asks for the reason, as after a press.
 */
export function claim(
  before: PickSession,
  notice: PressNotice,
  now: number,
  { line, typed }: { line?: PickLine; typed?: number } = {},
): PickStep {
  const { state, key } = takeKey(without(before, notice));
  const booked = line === undefined ? state : withoutCount(withBooked(state, line), line.item_id ?? 0);
  const isShort = line !== undefined && typed !== undefined && typed < askedOf(line);
  const fulfilled = (line?.quantity_fulfilled ?? 0) + (typed ?? 0);
  const asked = isShort ? { ...booked, reasons: [...booked.reasons, { line, fulfilled }] } : booked;
  return andThen(withMessage(asked, { kind: 'right', text: words.claimed(notice.place) }, now), (next) =>
    withEffects(
      next,
      { do: 'answered', press: notice.key, by: key },
      { do: 'keep', action: claimOf(notice, key, typed) },
    ),
  );
}

/** Handles the printed command *It was mine*, which answers the newest notice. */
export function claimNewest(state: PickSession, now: number): PickStep {
  const notice = newestMine(state.presses);
  if (state.at < state.offeredAt) return refuse(state, now);
  if (notice === undefined) return sayWrongScan(state, words.nothing);
  return answerPress(state, { touch: 'answerPress', press: notice.key, how: 'mine' }, now);
}
