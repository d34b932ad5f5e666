import { isTyped } from '../../../scan/entry.ts';
import * as texts from '../../../words/texts.ts';
import { confirmsByEnter, enterPressed, type InputKind, NEXT_BY_ENTER_MS, withConfirmation } from './keyRules.ts';
import { handleCount } from './sessionCount.ts';
import { andThen, refuse, remark, sayWrongScan, stay, takeKey, withEffects, withMessage } from './sessionSteps.ts';
import { handleTouch } from './sessionTouches.ts';
import type { PickEvent, PickSession, PickStep, Touch, UndoOffer } from './sessionTypes.ts';
import { currentLine, partOf, questionOf } from './sessionView.ts';

const words = texts.pick;

type Of<Kind extends PickEvent['kind']> = Extract<PickEvent, { kind: Kind }>;

/** Touches that book. */
const CONFIRMS: ReadonlySet<Touch['touch']> = new Set(['picked', 'bookCount', 'which', 'isEmpty']);

/** Handles an Enter that was pressed on its own. While an error is shown, it only closes the error. */
export function handleEnter(before: PickSession, { madeAt, press }: Of<'enter'>): PickStep {
  const state = enterPressed(before, madeAt);
  const { last, scanned, presses } = state;
  const isRed = presses.some(({ isQuiet }) => !isQuiet);
  if (last?.kind !== 'wrong' && scanned?.kind !== 'wrong' && !isRed) return withEffects(state, { do: 'press', press });
  const closed = {
    ...state,
    last: last?.kind === 'wrong' ? undefined : last,
    scanned: scanned?.kind === 'wrong' ? undefined : scanned,
  };
  // Closing the red message does not answer notices about presses. They only lose their red.
  return isRed ? withEffects(closed, { do: 'calm' }) : stay(closed);
}

/** Reports a scan of which the browser cannot read all characters. */
export function handleUnreadable(state: PickSession, { madeAt }: Of<'unreadable'>): PickStep {
  return sayWrongScan({ ...state, scannedAt: madeAt }, texts.scanner.unreadable);
}

/** Handles a touch, or Enter or Space on the focused button. */
export function handlePress(state: PickSession, touch: Touch, via: InputKind, now: number): PickStep {
  if (touch.touch === 'undoAll') return undoAll(state, now);
  if (via === 'touch') return handleTouch(state, touch, now);
  if (questionOf(state)?.kind === 'hasty') return refuse(state, now);
  if (via === 'enter' && isTooSoon(state, touch)) return refuse(state, now);
  if (via === 'enter' && CONFIRMS.has(touch.touch) && !isEnterOn(state, state.at))
    return refuse(sayEnterIsOff(state, now), now);
  return askIfHasty(state, handleTouch(state, touch, now));
}

export const sayEnterIsOff = (state: PickSession, now: number): PickSession =>
  remark(state, state.enterRule === 'never' ? words.message.enterIsNever : words.message.enterIsOff, now);

/** Whether Enter confirms the line that the page shows. */
export const isEnterOn = (state: PickSession, at: number): boolean =>
  confirmsByEnter(state, { at, line: typedLine(state) });

/** Whether an Enter would take an order that the person may not have noticed yet. */
function isTooSoon({ enterPauseMs, inert, at, ...state }: PickSession, { touch }: Touch): boolean {
  if (touch !== 'choose' && touch !== 'take') return false;
  if (enterPauseMs < NEXT_BY_ENTER_MS) return true;
  return partOf({ enterPauseMs, inert, at, ...state }).kind === 'done' && at - inert.drawnAt < NEXT_BY_ENTER_MS;
}

/** Returns the line whose number Enter would confirm, if it still shows a number. */
function typedLine(state: PickSession): string | undefined {
  const question = questionOf(state);
  const line = question === undefined ? currentLine(state) : 'line' in question ? question.line : undefined;
  const id = line?.item_id;
  const isShown = question !== undefined || state.counted.has(id ?? 0);
  return isShown && typeof id === 'number' ? String(id) : undefined;
}

/** Sets a typed number. Enter confirms its line next, even while people scan. */
export function handleTypedCount(state: PickSession, { count, since, madeAt }: Of<'counted'>, now: number): PickStep {
  const step = handleCount(state, count, now, since);
  const isByHand = isTyped(String(count).length, since ?? now, madeAt ?? now + Infinity);
  const counted = [...step.state.counted.values()].at(-1);
  if (step.state.counted === state.counted || counted?.quantity !== count) return step;
  return { ...step, state: { ...step.state, typedFor: isByHand ? String(counted.itemId) : undefined } };
}

/** Asks about several confirmations by key at different places in quick succession. */
function askIfHasty(before: PickSession, step: PickStep): PickStep {
  const booked = step.effects.find((effect) => effect.do === 'keep' && effect.action.kind === 'confirm');
  const { undoable: undo } = step.state;
  if (booked === undefined || undo === undefined) return step;
  const { hasty, asked } = withConfirmation(before.hasty, { at: before.at, place: undo.place, undo });
  const state = { ...step.state, hasty };
  if (asked === undefined) return { ...step, state };
  return andThen({ ...step, state }, (next) =>
    withEffects({ ...next, question: { kind: 'hasty', asked } }, { do: 'play', answer: 'attention' }),
  );
}

/** Undoes the confirmations that the page asks about, the last one first. */
function undoAll(before: PickSession, now: number): PickStep {
  const { question } = before;
  if (question?.kind !== 'hasty') return stay(before);
  const closed = { ...before, question: undefined, last: undefined, undoable: undefined };
  const places = question.asked.map(({ place }) => place);
  const message = withMessage(closed, { kind: 'note', text: words.message.undoing(places.join(', ')) }, now);
  return question.asked
    .toReversed()
    .reduce((step, { undo }) => andThen(step, (state) => undoOne(state, undo)), message);
}

function undoOne(before: PickSession, { itemId, place, before: fulfilled, after }: UndoOffer): PickStep {
  const { state, key } = takeKey(before);
  const action = {
    kind: 'undo',
    key,
    order_number: state.orderNumber,
    item_id: itemId,
    place,
    ...(fulfilled === undefined ? {} : { quantity_fulfilled: fulfilled }),
    ...(after === undefined ? {} : { seen: after }),
  } as const;
  return withEffects(state, { do: 'keep', action });
}
