import type { Item } from '#shared/api/order.ts';
import type { OutboxAction } from '../../../station/outbox/actions.ts';
import { plainSentence } from '../../../words/plainSentence.ts';
import * as texts from '../../../words/texts.ts';
import { isInert, isUnseen } from './inertTimes.ts';
import { placeOf } from './lines.ts';
import { countBy, setCount, takeTyped, touchPad } from './sessionCount.ts';
import { touchLeft } from './sessionLeft.ts';
import { answerPress, claim } from './sessionPresses.ts';
import { touchReason, touchShort } from './sessionShort.ts';
import {
  accept,
  book,
  bookOrAsk,
  foundSoFar,
  refuse,
  withMessage,
  sayWrongScan,
  stay,
  takeKey,
  andThen,
  withEffects,
} from './sessionSteps.ts';
import {
  nameOfItem,
  type PickCall,
  type PickLine,
  type PickQuestion,
  type PickSession,
  type PickStep,
  type Touch,
  type UndoOffer,
} from './sessionTypes.ts';
import { askedOf, countOf, currentLine, openLines, partOf, questionOf } from './sessionView.ts';

const words = texts.pick;

/** Touches that count as soon as their line is painted. */
const COUNTS: ReadonlySet<Touch['touch']> = new Set(['less', 'more', 'found']);
/** Touches that use the number of a line, so that they take a number that is typed without Enter. */
const TAKES_TYPED: ReadonlySet<Touch['touch']> = new Set([
  'picked',
  'less',
  'more',
  'short',
  'pad',
  'others',
  'skip',
  'found',
  'reason',
  'enterPad',
]);
/** Touches of buttons in messages, which never replace another button. They count as soon as their message is painted. */
const IN_MESSAGES: ReadonlySet<Touch['touch']> = new Set(['undo', 'answerPress', 'dismiss']);

/** Handles a touch, or Enter on the focused button. */
export function handleTouch(state: PickSession, touch: Touch, now: number): PickStep {
  const isCount = COUNTS.has(touch.touch);
  const isInMessage = IN_MESSAGES.has(touch.touch);
  const isIgnored = isInMessage
    ? touch.touch !== 'dismiss' && state.at < state.offeredAt
    : (isCount ? isUnseen : isInert)(state.inert, state.at);
  // Once a notice has been answered, the next one is under the finger.
  const isBounce = touch.touch === 'answerPress' && isInert(state.inert, state.at);
  if (isIgnored || isBounce) return refuse(state, now);
  // Do not debounce the number pad, because quick touches in a row all count.
  const isRepeatable = isCount || isInMessage || touch.touch === 'padKey';
  const taken = TAKES_TYPED.has(touch.touch) ? takeTyped(state, now) : stay(state);
  return andThen(taken, (next) => {
    const question = questionOf(next);
    const step = question === undefined ? touchPage(next, touch, now) : touchQuestion(next, question, touch, now);
    if (step === undefined) return stay(next);
    return isRepeatable ? step : { ...step, state: accept(step.state) };
  });
}

/** Handles a touch while no question is open. Returns undefined if the page has no such button now. */
function touchPage(state: PickSession, touch: Touch, now: number): PickStep | undefined {
  switch (touch.touch) {
    case 'undo':
      return undo(state, now);
    case 'answerPress':
      return answerPress(state, touch, now);
    case 'dismiss':
      return stay({ ...state, last: undefined, scanned: undefined });
    case 'takeHere':
      return takeHere(state, now);
    default:
      break;
  }
  const part = partOf(state);
  if (part.kind === 'line') return touchLine(state, touch, now);
  if (part.kind === 'verify') {
    return touch.touch === 'cannotScan' ? giveUpScan(state, part.item) : undefined;
  }
  return touchOther(state, touch);
}

/** Books the pieces of a line at the scanned place, which is another place of its article. */
function takeHere(state: PickSession, now: number): PickStep | undefined {
  const here = state.scanned?.here;
  const line = openLines(state).find(({ item_id: id }) => id === here?.line.item_id);
  if (here === undefined || line === undefined) return undefined;
  return book(state, line, countOf(state, line), now, { location: here.location });
}

/** Completes an item without a scan. The station records who decided this. */
function giveUpScan(state: PickSession, item: Item): PickStep {
  const { state: next, key } = takeKey({
    ...state,
    unverifiable: [...state.unverifiable, item.id],
    scanned: undefined,
  });
  const place = item.warehouse_location ?? nameOfItem(item);
  return withEffects(next, {
    do: 'keep',
    action: {
      kind: 'verify',
      key,
      order_number: state.orderNumber,
      item_id: item.id,
      place,
      seen: item.quantity_fulfilled,
    },
  });
}

/** Relaunches the order, in case a device serves the place now. */
function lightAgain(state: PickSession, line: PickLine, now: number): PickStep {
  const message = withMessage(state, { kind: 'note', text: words.message.relighting(placeOf(line)) }, now);
  return andThen(message, (next) => called(next, { call: 'launch', orderNumber: state.orderNumber }));
}

function touchLine(state: PickSession, touch: Touch, now: number): PickStep | undefined {
  const line = currentLine(state);
  if (line === undefined) return undefined;
  switch (touch.touch) {
    case 'picked':
      return bookOrAsk(state, line, countOf(state, line), now);
    case 'more':
      return countBy(state, 1, now);
    case 'less':
      return countBy(state, -1, now);
    case 'short':
      return stay({ ...state, question: { kind: 'short', line, found: foundSoFar(state, line) } });
    case 'pad':
      return countOf(state, line) === null ? undefined : stay({ ...state, question: { kind: 'pad', line, text: '' } });
    case 'others':
      return stay({ ...state, question: { kind: 'more', line } });
    case 'skip':
      return stay(skip(state));
    case 'wait':
      return stay({ ...state, waited: [...state.waited, line.item_id ?? 0] });
    default:
      return undefined;
  }
}

/** Handles the buttons that are shown when there is no line to pick. */
function touchOther(state: PickSession, { touch }: Touch): PickStep | undefined {
  const { order, me, orderNumber } = state;
  const part = partOf(state).kind;
  switch (touch) {
    case 'choose':
      return withEffects(state, { do: 'open', orderNumber: undefined, ...(part === 'done' && { takesNext: true }) });
    case 'print':
      return part === 'done' ? withEffects(state, { do: 'print' }) : undefined;
    case 'relight':
      return part === 'nothing' ? called(state, { call: 'launch', orderNumber }) : undefined;
    case 'take': {
      if (part !== 'take' && part !== 'paused') return undefined;
      const others = order?.pickers.filter(({ name }) => name !== me).map(({ name }) => name) ?? [];
      if (others.length === 0 || part === 'paused') return called(state, { call: 'launch', orderNumber });
      return stay({ ...state, question: askJoin(orderNumber, words.done.helped(others.join(', '))) });
    }
    default:
      return undefined;
  }
}

export function askJoin(orderNumber: string, says: string): Extract<PickQuestion, { kind: 'join' }> {
  return { kind: 'join', orderNumber, says: plainSentence(says), failure: '' };
}

function called(state: PickSession, call: PickCall): PickStep {
  return withEffects(state, { do: 'call', call });
}

/** Moves the current line to the end of the list. */
export function skip(state: PickSession): PickSession {
  const id = currentLine(state)?.item_id;
  if (id === null || id === undefined) return state;
  return { ...state, skipped: [...state.skipped.filter((each) => each !== id), id] };
}

/** Returns the last action that can be undone, if any. */
export function undoOffer({ last, undoable }: PickSession): UndoOffer | undefined {
  return last?.undo ?? undoable;
}

/** Undoes the last action. */
export function undo(state: PickSession, now: number): PickStep {
  const wanted = undoOffer(state);
  if (wanted === undefined) return stay(state);
  const { state: next, key } = takeKey({ ...state, last: undefined, undoable: undefined });
  const action: OutboxAction = {
    kind: 'undo',
    key,
    order_number: state.orderNumber,
    item_id: wanted.itemId,
    place: wanted.place,
    ...(wanted.before === undefined ? {} : { quantity_fulfilled: wanted.before }),
    ...(wanted.after === undefined ? {} : { seen: wanted.after }),
  };
  const reasons = next.reasons.filter(({ line }) => line.item_id !== wanted.itemId);
  return andThen(
    withMessage({ ...next, reasons }, { kind: 'note', text: words.message.undoing(wanted.place) }, now),
    (after) => withEffects(after, { do: 'keep', action }),
  );
}

/** Handles a touch on an open question. Only the question's buttons are visible. */
function touchQuestion(state: PickSession, question: PickQuestion, touch: Touch, now: number): PickStep | undefined {
  const closed: PickSession = { ...state, question: undefined };
  if (touch.touch === 'undo') return undo(question.kind === 'more' ? closed : state, now);
  if (touch.touch === 'answerPress') return answerPress(state, touch, now);
  switch (question.kind) {
    case 'over':
      if (touch.touch === 'bookCount') return book(closed, question.line, question.count, now);
      if (touch.touch === 'takeAsked') return setCount(closed, question.line, askedOf(question.line));
      break;
    case 'number':
      if (touch.touch === 'bookCount')
        return setCount({ ...closed, scanned: undefined }, question.line, question.count);
      break;
    case 'pad':
      return touchPad(state, question, touch, now);
    case 'empty':
    case 'left':
      return touchLeft(state, question, touch, now);
    case 'short':
      return touchShort(state, question, touch, now);
    case 'differs':
      return touchDiffers(closed, question, touch, now);
    case 'mine':
      if (touch.touch === 'bookCount') return claim(closed, question.notice, now, question);
      if (touch.touch === 'takeAsked') return claim(closed, question.notice, now, { line: question.line });
      break;
    case 'reason':
      return touchReason(state, question, touch);
    case 'which': {
      if (touch.touch !== 'which') break;
      const { item_id: itemId } = touch.candidate;
      const line = openLines(state).find(({ item_id: id }) => id === itemId);
      return line === undefined ? stay(closed) : bookOrAsk(closed, line, question.count ?? countOf(state, line), now);
    }
    case 'join':
      if (touch.touch === 'join') return called(state, { call: 'join', orderNumber: question.orderNumber });
      break;
    case 'more':
      return touchMore(closed, question, touch, now);
  }
  return touch.touch === 'close' ? stay(closed) : undefined;
}

function touchMore(
  closed: PickSession,
  { line }: { line: Extract<PickQuestion, { kind: 'more' }>['line'] },
  touch: Touch,
  now: number,
): PickStep | undefined {
  const { orderNumber } = closed;
  switch (touch.touch) {
    case 'skip':
      return stay(skip(closed));
    case 'identify':
      return line.deviceid === null ? stay(closed) : called(closed, { call: 'identify', deviceid: line.deviceid });
    case 'short':
      return stay({ ...closed, question: { kind: 'short', line, found: foundSoFar(closed, line) } });
    case 'relight':
      return line.deviceid === null ? lightAgain(closed, line, now) : undefined;
    case 'pause':
      return called(closed, { call: 'pause', orderNumber });
    case 'leave':
      return called(closed, { call: 'leave', orderNumber });
    case 'handOver':
      return called(closed, { call: 'handOver', orderNumber, picker: touch.picker });
    case 'close':
      return stay(closed);
    default:
      return undefined;
  }
}

/**
 * Handles the answer to which number counts: the one that a press has booked, or the one that the person typed, which replaces it in one step.
 * If that one is less than requested, the page then asks for the reason, as after a press.
 */
function touchDiffers(
  closed: PickSession,
  { line, typed, fulfilled }: Extract<PickQuestion, { kind: 'differs' }>,
  { touch }: Touch,
  now: number,
): PickStep | undefined {
  if (touch === 'takeAsked' || touch === 'close') return stay(closed);
  if (touch !== 'bookCount') return undefined;
  const others = closed.reasons.filter((each) => each.line.item_id !== line.item_id);
  const short = { line, fulfilled: (line.quantity_fulfilled ?? 0) + typed };
  const reasons = typed < askedOf(line) ? [...others, short] : others;
  return book({ ...closed, reasons }, line, typed, now, { instead: fulfilled });
}

/**
 * Handles a typed letter that is a command: S opens the Short dialog, U undoes, N skips. Returns undefined if the
 * letter has no effect now.
 */
export function handleLetter(state: PickSession, letter: string, now: number): PickStep | undefined {
  if (questionOf(state) !== undefined) return undefined;
  if (letter === 'u') {
    if (state.at < state.offeredAt) return refuse(state, now);
    return undoOffer(state) === undefined ? sayWrongScan(state, words.message.nothingToUndo) : undo(state, now);
  }
  const line = currentLine(state);
  if (line === undefined) return undefined;
  if (letter === 's') return stay({ ...state, question: { kind: 'short', line, found: foundSoFar(state, line) } });
  return letter === 'n' ? stay(skip(state)) : undefined;
}
