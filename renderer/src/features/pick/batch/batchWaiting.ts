import { cartPick as words } from '../../../words/cartPick.ts';
import { LISTENING, mergeInert } from '../session/inertTimes.ts';
import { withEffects } from './batchSteps.ts';
import { handleTouch } from './batchTouches.ts';
import { bySlot, partOf, shownKey } from './batchPart.ts';
import { isSameUndo } from './batchUndos.ts';
import type { BatchInput, BatchSession, BatchStep, BatchTouch, BeforeWait } from './batchTypes.ts';

/** Whether an answer of the station can still change what a printed command or a letter means. */
export const isWaiting = (state: BatchSession): boolean => isAsking(state) || state.isBusy;

const isAsking = ({ sorting, asking, opening }: BatchSession): boolean => sorting > 0 || asking > 0 || opening > 0;

/** Lets a printed command or a letter wait for the station's answers, with what the page shows now. */
export function waitWith(state: BatchSession, input: Extract<BatchInput, { kind: 'scan' | 'letter' }>): BatchStep {
  const isAfterScan = isAsking(state);
  const { last, scanned, answer } = state;
  const now = { shown: shownBy(state), undo: state.undos.at(-1), isAfterScan, messages: { last, scanned, answer } };
  const first = input.waited ?? now;
  const waited = { ...first, isAfterScan: first.isAfterScan || isAfterScan };
  return withEffects(state, { do: 'later', input: { ...input, waited } });
}

/** Whether a printed command or a letter that waited could now do something that the person did not mean. */
export function isOutdated(state: BatchSession, { touch }: BatchTouch, waited: BeforeWait | undefined): boolean {
  if (waited === undefined || touch === 'close') return false;
  const { shown, undo, isAfterScan, messages } = waited;
  if (shown === 'load' && partOf(state).kind !== 'load') return true;
  // The scan or call before it was rejected, so the person does not know yet what the command would do.
  const isNew = (message: 'last' | 'scanned' | 'answer'): boolean =>
    state[message]?.kind === 'wrong' && state[message] !== messages[message];
  if (isNew('last') || isNew('scanned') || isNew('answer')) return true;
  const isSame = shown === shownBy(state);
  if (!isAfterScan) return !isSame;
  switch (touch) {
    case 'picked':
    case 'skip':
    case 'short':
      return true;
    case 'undo':
      return undo === undefined ? state.undos.length === 0 : isSameUndo(state.undos.at(-1), undo);
    case 'putAll':
    case 'full':
      // At a wall, the scan has lit these slots.
      return !isSame && state.kind === 'cart';
    default:
      return false;
  }
}

/** Returns a key for what the page shows, including the pieces to put. */
function shownBy(state: BatchSession): string {
  const part = partOf(state);
  const pieces = part.kind === 'put' ? words.listed(bySlot(part.pieces)) : '';
  return `${shownKey(state)} ${pieces}`.trim();
}

/**
 * Handles the touch of a printed command or a letter. If it waited, it is not ignored because the page has just
 * changed: the answer for which it waited has changed the page.
 */
export function pressAfter(
  waited: BeforeWait | undefined,
  state: BatchSession,
  touch: BatchTouch,
  now: number,
): BatchStep {
  if (waited === undefined) return handleTouch(state, touch, now);
  const { inert, offers, offeredAt } = state;
  const step = handleTouch({ ...state, inert: LISTENING, offeredAt: -Infinity }, touch, now);
  const painted = step.state.offers === offers ? { offeredAt } : {};
  return { ...step, state: { ...step.state, ...painted, inert: mergeInert(inert, step.state.inert) } };
}
