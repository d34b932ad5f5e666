import type { OutboxAction } from '../../../station/outbox/actions.ts';
import { isInert, isUnseen, SAME_KEY_MS } from './inertTimes.ts';
import { answerCount } from './sessionLeft.ts';
import { placeOf } from './lines.ts';
import { refuse, stay, takeKey, withEffects } from './sessionSteps.ts';
import type { Counted, PickLine, PickQuestion, PickSession, PickStep, Touch } from './sessionTypes.ts';
import { askedOf, countOf, currentLine, openLines, questionOf } from './sessionView.ts';

const MAX_QUANTITY = 99_999;

/**
 * Sets the quantity of the current line on the page and at the device, so that the device's button and a scan book the same quantity. The
 * device gets at most the requested quantity: a larger one has to be confirmed on the page.
 */
export function setCount(state: PickSession, line: PickLine, quantity: number): PickStep {
  const { item_id: id, quantity: listed } = line;
  if (id === null || listed === null) return stay(state);
  const own = state.counted.get(id);
  const asked = askedOf(line);
  const before = [...(own === undefined ? [] : [...own.before, own.quantity]), listed, asked];
  const count = { itemId: id, quantity: Math.max(0, quantity), isRepeated: false, before };
  const counted = withCount(state, count);
  if (line.deviceid === null || line.command_id === null) return stay(counted);
  const { state: next, key } = takeKey(counted);
  const action: OutboxAction = {
    kind: 'adjust',
    key,
    order_number: state.orderNumber,
    item_id: id,
    place: placeOf(line),
    deviceid: line.deviceid,
    command_id: line.command_id,
    quantity: Math.min(count.quantity, asked),
  };
  return withEffects(next, { do: 'keep', action });
}

/** Adds or subtracts one piece when plus or minus is pressed on the page. */
export function countBy(state: PickSession, by: 1 | -1, now: number): PickStep {
  const line = currentLine(state);
  const count = countOf(state, line);
  if (line === undefined || count === null) return refuse(state, now);
  return setCount(state, line, Math.min(MAX_QUANTITY, count + by));
}

type PadAsked = Extract<PickQuestion, { kind: 'pad' }>;

/** Handles a touch in the number pad. Only OK (`enterPad`) sets the count. */
export function touchPad(state: PickSession, pad: PadAsked, touch: Touch, now: number): PickStep | undefined {
  const closed = { ...state, question: undefined };
  if (touch.touch === 'close') return stay(closed);
  if (touch.touch === 'enterPad') return pad.text === '' ? stay(closed) : setCount(closed, pad.line, Number(pad.text));
  if (touch.touch !== 'padKey') return undefined;
  const { key } = touch;
  const isBounce = pad.last?.key === key && state.at < pad.last.at + SAME_KEY_MS;
  const text = key === 'delete' ? pad.text.slice(0, -1) : String(Number(`${pad.text}${key}`));
  if (isBounce || Number(text) > MAX_QUANTITY) return refuse(state, now);
  return stay({ ...state, question: { ...pad, text, last: { key, at: state.at } } });
}

/**
 * Sets the count of the line, or the number of pieces that were found or are left if the page asks for it. A typed
 * number closes the number pad. A number whose first key was typed at the time `since`, before a person can have noticed the question how
 * many are left, is meant for the line.
 */
export function handleCount(state: PickSession, count: number, now: number, since = now): PickStep {
  const { question } = state;
  if (isUnseen(state.inert, since)) return refuse(state, now);
  if (question?.kind === 'short' && question.reason === undefined) {
    if (count > askedOf(question.line)) return refuse(state, now);
    return stay({ ...state, question: { ...question, found: count, isSet: true } });
  }
  if (question?.kind === 'left') {
    return isInert(state.inert, since) ? refuse(state, now) : answerCount(state, question, count, now);
  }
  if (question?.kind === 'pad') return setCount({ ...state, question: undefined }, question.line, count);
  const line = typedLine(state) ?? currentLine(state);
  if (questionOf(state) !== undefined || line === undefined) return refuse(state, now);
  return setCount(state, line, count);
}

/** Returns the open line for which the number in the entry was typed. */
function typedLine(state: PickSession): PickLine | undefined {
  return openLines(state).find(({ item_id: id }) => id === state.typing?.itemId);
}

/** Stores the number that is typed without Enter. It belongs to the line that was shown at its first digit. */
export function handleTyped(state: PickSession, count: number | undefined): PickSession {
  if (count === undefined) return state.typing === undefined ? state : { ...state, typing: undefined };
  const question = questionOf(state);
  const about = question?.kind === 'short' || question?.kind === 'pad' ? question.line : currentLine(state);
  const itemId = state.typing?.itemId ?? about?.item_id ?? undefined;
  return itemId === undefined ? state : { ...state, typing: { itemId, count } };
}

/** Sets the number that is typed without Enter, before a touch that would otherwise use another number. */
export function takeTyped(state: PickSession, now: number): PickStep {
  const { typing } = state;
  const question = questionOf(state);
  const about = question === undefined ? currentLine(state) : 'line' in question ? question.line : undefined;
  if (typing === undefined || about?.item_id !== typing.itemId) return stay(state);
  const step = handleCount({ ...state, typing: undefined }, typing.count, now, state.at);
  return { ...step, effects: [...step.effects, { do: 'clearTyped' }] };
}

/** Discards the number that is typed without Enter once its line has ended, so that it cannot become the next line's. */
export function endTyped(state: PickSession): PickStep {
  if (state.typing === undefined || state.lines === undefined || typedLine(state) !== undefined) return stay(state);
  return withEffects({ ...state, typing: undefined }, { do: 'clearTyped' });
}

/** Returns the number that the person has typed or set for a line, but not confirmed. */
export function unconfirmedNumber(state: PickSession, line: PickLine): number | undefined {
  const { question, typing, counted } = state;
  const { item_id: id } = line;
  if (typing?.itemId === id) return typing.count;
  if (question !== undefined && 'line' in question && question.line.item_id === id) {
    if (question.kind === 'over' || question.kind === 'number') return question.count;
    if (question.kind === 'pad' && question.text !== '') return Number(question.text);
    if (question.kind === 'short' && holdsNumber(question)) return question.found;
  }
  return counted.get(id ?? 0)?.quantity;
}

/** Returns the number in the entry or in an open question that nobody has confirmed, as a count of its line. */
export function standingNumber(state: PickSession): Counted | undefined {
  const { question, typing, counted } = state;
  const about = question?.kind === 'pad' || question?.kind === 'short' ? question.line : typedLine(state);
  if (about === undefined || (question === undefined && typing === undefined)) return undefined;
  const quantity = unconfirmedNumber(state, about);
  const itemId = about.item_id ?? 0;
  const own = counted.get(itemId);
  if (quantity === undefined || quantity === own?.quantity) return undefined;
  const before = [...(own === undefined ? [] : [...own.before, own.quantity]), about.quantity, askedOf(about)];
  return { itemId, quantity, isRepeated: false, before };
}

/** Whether a question holds a number or a reason, so that a scan must not close it. */
export function holdsNumber(question: PickQuestion): boolean {
  switch (question.kind) {
    case 'short':
      return question.isSet === true || question.found > 0 || question.reason !== undefined;
    case 'pad':
    case 'left':
      return question.text !== '';
    case 'which':
      return question.count !== undefined;
    case 'over':
    case 'number':
    case 'differs':
    case 'mine':
    case 'reason':
    // The page stops until it is answered.
    case 'hasty':
      return true;
    case 'more':
    case 'join':
    case 'empty':
      return false;
  }
}

/** Stores the number that was counted for a line, as the newest one. */
export function withCount(state: PickSession, count: Counted): PickSession {
  const others = [...state.counted].filter(([id]) => id !== count.itemId);
  return { ...state, counted: new Map([...others, [count.itemId, count]]) };
}

/** Discards the counts for which the device has a newer one, and those of lines that are no longer listed. */
export function settleCounts(state: PickSession): PickSession {
  const settled = new Map(
    [...state.counted].flatMap(([id, count]) => {
      const next = settleCount(state, count);
      return next === undefined ? [] : [[id, next] as const];
    }),
  );
  return { ...state, counted: settled };
}

function settleCount({ lines = [], lit }: PickSession, count: Counted): Counted | undefined {
  const isCounted = ({ item_id: id }: PickLine): boolean => id === count.itemId;
  const line = lines.find(isCounted);
  // Keep the count until the page explains how its line ended.
  if (line === undefined) return lit.some(isCounted) ? count : undefined;
  const listed = line.quantity;
  if (listed === Math.min(count.quantity, askedOf(line))) return { ...count, isRepeated: true };
  return count.isRepeated || !count.before.includes(listed) ? undefined : count;
}

/** Printed digits form one number if each is scanned within this time of the previous one. */
const DIGITS_MS = 5_000;

export function handleDigit(state: PickSession, digit: string, now: number): PickStep {
  return setDigits(state, `${digitsOf(state, now)}${digit}`, now);
}

/** Deletes the last printed digit. Returns undefined if there are none. */
export function deleteDigit(state: PickSession, now: number): PickStep | undefined {
  const digits = digitsOf(state, now);
  return digits === '' ? undefined : setDigits(state, digits.slice(0, -1), now);
}

/** Makes the next digit begin a new number. Call this after every other action. */
export function withoutDigits(state: PickSession): PickSession {
  return state.digits === undefined ? state : { ...state, digits: undefined };
}

/**
 * Sets the count to these digits. If no digits are left, resets it to the requested quantity, or to 0 in the Short
 * dialog.
 */
function setDigits(state: PickSession, text: string, now: number): PickStep {
  const line = countedLine(state);
  const none = state.question?.kind === 'short' ? 0 : askedOf(line);
  const step = handleCount(state, text === '' ? none : Number(text), now);
  if (line === undefined || step.state === state || numberOf(step.state) !== Number(text || none)) return step;
  return { ...step, state: { ...step.state, digits: { itemId: line.item_id ?? 0, text, until: now + DIGITS_MS } } };
}

/** Returns the digits scanned so far. They are empty if they have expired or the count has changed since. */
function digitsOf(state: PickSession, now: number): string {
  const { digits } = state;
  const isSame = digits !== undefined && digits.itemId === countedLine(state)?.item_id && now < digits.until;
  return isSame && numberOf(state) === Number(digits.text) ? digits.text : '';
}

function countedLine(state: PickSession): PickLine | undefined {
  return state.question?.kind === 'short' ? state.question.line : currentLine(state);
}

function numberOf(state: PickSession): number | null {
  return state.question?.kind === 'short' ? state.question.found : countOf(state, currentLine(state));
}
