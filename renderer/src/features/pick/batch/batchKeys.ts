import { isTyped } from '../../../scan/entry.ts';
import * as texts from '../../../words/texts.ts';
import {
  confirmsByEnter,
  enterPressed,
  type InputKind,
  NEXT_BY_ENTER_MS,
  withConfirmation,
} from '../session/keyRules.ts';
import { partOf, putKey } from './batchPart.ts';
import { handleCount } from './batchEntries.ts';
import { andThen, refuse, remark, sayWrong, stay, undoLast, withEffects } from './batchSteps.ts';
import { handleTouch } from './batchTouches.ts';
import type { BatchInput, BatchSession, BatchStep, BatchTouch } from './batchTypes.ts';
import { isSameUndo } from './batchUndos.ts';
import { lineKey } from './batchView.ts';

const words = texts.pick;

type Of<Kind extends BatchInput['kind']> = Extract<BatchInput, { kind: Kind }>;

/** Touches that book, or free slots. */
const CONFIRMS: ReadonlySet<BatchTouch['touch']> = new Set(['picked', 'putAll', 'slot', 'article', 'freeAll']);
/** Touches that light the next work. */
const BEGINS: ReadonlySet<BatchTouch['touch']> = new Set(['go', 'fill', 'join', 'leave']);

/** Handles an Enter that was pressed on its own. While an error is shown, it only closes the error. */
export function handleEnter(before: BatchSession, { madeAt, press }: Of<'enter'>): BatchStep {
  const state = enterPressed(before, madeAt);
  const { last, scanned, answer, presses } = state;
  const isRed = presses.some(({ isQuiet }) => !isQuiet);
  const isWrong = [last, scanned, answer].some((message) => message?.kind === 'wrong');
  if (!isWrong && !isRed) return withEffects(state, { do: 'press', press });
  const closed = {
    ...state,
    last: last?.kind === 'wrong' ? undefined : last,
    scanned: scanned?.kind === 'wrong' ? undefined : scanned,
    answer: answer?.kind === 'wrong' ? undefined : answer,
  };
  // Closing the red message does not answer notices about presses. They only lose their red.
  return isRed ? withEffects(closed, { do: 'calm' }) : stay(closed);
}

/** Reports a scan of which the browser cannot read all characters. */
export function handleUnreadable(state: BatchSession, { madeAt }: Of<'unreadable'>): BatchStep {
  return sayWrong({ ...state, scannedAt: madeAt }, texts.scanner.unreadable);
}

/** Handles a touch, or Enter or Space on the focused button. */
export function handlePress(state: BatchSession, touch: BatchTouch, via: InputKind, now: number): BatchStep {
  if (touch.touch === 'undoAll') return undoAll(state, now);
  if (via === 'touch') return handleTouch(state, touch, now);
  if (state.question?.kind === 'hasty') return refuse(state, now);
  if (via === 'enter' && BEGINS.has(touch.touch) && state.enterPauseMs < NEXT_BY_ENTER_MS) return refuse(state, now);
  if (via === 'enter' && CONFIRMS.has(touch.touch) && !isEnterOn(state, state.at))
    return refuse(sayEnterIsOff(state, now), now);
  return askIfHasty(state, handleTouch(state, touch, now));
}

/** Whether Enter confirms what the page shows. */
export const isEnterOn = (state: BatchSession, at: number): boolean =>
  confirmsByEnter(state, { at, line: typedLine(state) });

const sayEnterIsOff = (state: BatchSession, now: number): BatchSession =>
  remark(state, state.enterRule === 'never' ? words.message.enterIsNever : words.message.enterIsOff, now);

/** Returns the line or the pieces whose number Enter would confirm, if the page still shows that number. */
function typedLine(state: BatchSession): string | undefined {
  const part = partOf(state);
  const line = part.kind === 'walk' ? lineKey(part.line) : part.kind === 'put' ? putKey(part.pieces) : undefined;
  return line !== undefined && state.counted.has(line) ? line : undefined;
}

/** Sets a typed number. Enter confirms its line next, even while people scan. */
export function handleTypedCount(state: BatchSession, event: Of<'counted'>, now: number): BatchStep {
  const step = handleCount(state, event, now);
  const { count, since = now, madeAt = Infinity } = event;
  const [line, counted] = [...step.state.counted].at(-1) ?? [];
  if (step.state.counted === state.counted || counted !== count) return step;
  return {
    ...step,
    state: { ...step.state, typedFor: isTyped(String(count).length, since, madeAt) ? line : undefined },
  };
}

/** Asks about several confirmations by key at different places in quick succession. */
function askIfHasty(before: BatchSession, step: BatchStep): BatchStep {
  const undo = step.state.undos.at(-1);
  const isBooked = step.effects.some(({ do: does }) => does === 'keep') && undo !== before.undos.at(-1);
  if (!isBooked || undo === undefined) return step;
  const { hasty, asked } = withConfirmation(before.hasty, { at: before.at, place: undo.place, undo });
  const state = { ...step.state, hasty };
  if (asked === undefined) return { ...step, state };
  return andThen({ ...step, state }, (next) =>
    withEffects({ ...next, question: { kind: 'hasty', asked } }, { do: 'play', answer: 'attention' }),
  );
}

/** Undoes the confirmations that the page asks about, the last one first, unless the person has undone them already. */
function undoAll(before: BatchSession, now: number): BatchStep {
  const { question } = before;
  if (question?.kind !== 'hasty') return stay(before);
  return question.asked
    .toReversed()
    .reduce(
      (step, { undo }) =>
        isSameUndo(step.state.undos.at(-1), undo) ? andThen(step, (state) => undoLast(state, now)) : step,
      stay({ ...before, question: undefined }),
    );
}
