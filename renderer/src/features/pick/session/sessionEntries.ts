import type { Item } from '#shared/api/order.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { wholeScan } from '../../../scan/entry.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import * as texts from '../../../words/texts.ts';
import { codesOf, placeOf } from './lines.ts';
import { commandIn, handleCommand } from './sessionCommands.ts';
import { countBy, holdsNumber, setCount } from './sessionCount.ts';
import { isUnseen } from './inertTimes.ts';
import { bookedByScan } from './sessionStation.ts';
import {
  bookOrAsk,
  questionAbout,
  refuse,
  remark,
  withMessage,
  sayWrongScan,
  stay,
  takeKey,
  andThen,
  withEffects,
  withoutCount,
} from './sessionSteps.ts';
import {
  nameOfItem,
  type PickEvent,
  type PickLine,
  type PickQuestion,
  type PickSession,
  type ScanAsk,
  type PickStep,
} from './sessionTypes.ts';
import { askJoin, handleLetter } from './sessionTouches.ts';
import { askedOf, countOf, currentLine, openLines, partOf, questionOf, unverifiedItem } from './sessionView.ts';

const words = texts.pick;

/**
 * Milliseconds within which a repeated article code or printed command counts once. The time is short, because people scan several pieces
 * of an article in quick succession.
 */
export const SAME_ARTICLE_MS = 400;
const SAME_PLACE_MS = 1_000;

/** Returns the milliseconds within which a repeated code counts once. */
export function sameCodeMs(code: string, lines: readonly PickLine[]): number {
  const text = code.trim().toLowerCase();
  const isArticle = lines.some((line) => codesOf(line).some((name) => name.toLowerCase() === text));
  return isArticle || commandIn(code) !== undefined ? SAME_ARTICLE_MS : SAME_PLACE_MS;
}

export function handleSign(state: PickSession, by: 1 | -1, now: number): PickStep {
  const isIgnored = questionOf(state) !== undefined || isUnseen(state.inert, state.at);
  return isIgnored ? refuse(state, now) : countBy(state, by, now);
}

export function handleLetters(state: PickSession, letter: string, now: number): PickStep {
  if (isUnseen(state.inert, state.at)) return refuse(state, now);
  return handleLetter(state, letter, now) ?? sayWrongScan(state, words.message.noCommand(letter));
}

/**
 * Handles a scanned code. Only printed commands press buttons and answer questions. The station decides what the code means. If a count is
 * pending that differs from the requested quantity, the page asks before it books.
 */
export function handleScan(before: PickSession, scan: Scan, now: number): PickStep {
  const command = commandIn(scan.code);
  if (command !== undefined) return handleCommand(before, command, now);
  const open = questionOf(before);
  // The scan would lose the number or the reason.
  if (open !== undefined && holdsNumber(open)) return finishFirst(before, now);
  // A number that was typed right before the code is the question's.
  if (scan.count !== undefined && (open?.kind === 'short' || open?.kind === 'pad' || open?.kind === 'left'))
    return andThen(setDialogNumber(before, open, scan.count), (next) => finishFirst(next, now));
  // The answer to the scan of an order replaces the question whether to join one. Any other answer closes it.
  const state = open?.kind === 'join' ? before : { ...before, question: undefined };
  if (unverifiedItem(state) !== undefined) return ask(state, { ...scan, step: 'mean', why: 'verify' });
  const named = linesOf(state, scan.code);
  const line = lineAmong(state, named);
  // Ask the station first: if one of these lines was finished in the meantime, the scan must not book the other line.
  if (line === undefined && named.length > 0) return ask(state, { ...scan, step: 'mean', why: 'shared' });
  if (line !== undefined) {
    const question = questionAbout(line, scan.count ?? countOf(state, line));
    if (question === undefined) return ask(state, { ...scan, step: 'act', ...aimAt(line) });
    return asked(state, line, scan.count, question);
  }
  const current = currentLine(state);
  const isPending =
    scan.count !== undefined ||
    (current !== undefined && questionAbout(current, countOf(state, current)) !== undefined);
  return ask(state, isPending ? { ...scan, step: 'mean', why: 'count' } : { ...scan, step: 'act' });
}

function finishFirst(state: PickSession, now: number): PickStep {
  return andThen(refuse(state, now), (next) => stay(remark(next, words.message.finishFirst, now)));
}

/** Enters a number into a dialog that asks for one. The person still has to confirm it there. */
function setDialogNumber(
  state: PickSession,
  question: Extract<PickQuestion, { kind: 'short' | 'pad' | 'left' }>,
  count: number,
): PickStep {
  if (question.kind !== 'short') return stay({ ...state, question: { ...question, text: String(count) } });
  const isValid = question.reason === undefined && count <= askedOf(question.line);
  return stay(isValid ? { ...state, question: { ...question, found: count, isSet: true } } : state);
}

/** Opens a question about a line. Sets the quantity first if a number was typed before the code. */
function asked(
  state: PickSession,
  line: PickLine,
  typed: number | undefined,
  question: PickSession['question'],
): PickStep {
  const isCurrent = currentLine(state)?.item_id === line.item_id;
  const step = typed === undefined || !isCurrent ? stay(state) : setCount(state, line, typed);
  return andThen(step, (next) => stay({ ...next, question, scanned: undefined }));
}

function ask(before: PickSession, scan: Omit<ScanAsk, 'key'>): PickStep {
  const state = { ...before, asking: before.asking + 1 };
  // The station books the same scan with the same key only once.
  const key = scan.step === 'act' && isSameScan(state.lostScan?.ask, scan) ? state.lostScan?.ask.key : undefined;
  if (key !== undefined) return withEffects(state, { do: 'scan', ask: { ...scan, key } });
  const { state: next, key: fresh } = takeKey(state);
  return withEffects(next, { do: 'scan', ask: { ...scan, key: fresh } });
}

function isSameScan(one: ScanAsk | undefined, { code, count, line }: Omit<ScanAsk, 'key'>): boolean {
  const isSameLine = one?.line?.itemId === line?.itemId && one?.line?.seen === line?.seen;
  return one?.code === code && one.count === count && isSameLine;
}

/** Forgets an unanswered scan once the page asks for another line, where the same code is a new scan. */
export function dropLostScan(state: PickSession): PickSession {
  const { lostScan } = state;
  if (lostScan === undefined || currentLine(state)?.item_id === lostScan.itemId) return state;
  return { ...state, lostScan: undefined };
}

function aimAt({ item_id: itemId, quantity_fulfilled: seen }: PickLine): Pick<ScanAsk, 'line'> {
  return itemId === null || seen === null ? {} : { line: { itemId, seen } };
}

/** Returns the open lines that a code names. */
function linesOf(state: PickSession, code: string): PickLine[] {
  const text = code.trim().toLowerCase();
  const names = (line: PickLine) => [placeOf(line), line.deviceid ?? '', line.SKU, line.UPC];
  const isNamed = (line: PickLine) => names(line).some((name) => name !== '' && name.toLowerCase() === text);
  return openLines(state).filter(isNamed);
}

/**
 * Returns the line for which a scan is intended, or undefined if that is unclear. If several lines share a light,
 * prefers the current line, then the line that the light shows.
 */
function lineAmong(state: PickSession, named: readonly PickLine[]): PickLine | undefined {
  const [first] = named;
  if (named.length < 2) return first;
  const light = first?.deviceid ?? null;
  if (light === null || named.some(({ deviceid }) => deviceid !== light)) return undefined;
  const current = currentLine(state);
  return named.find(({ item_id: id }) => id === current?.item_id) ?? named.find(({ waiting }) => !waiting) ?? first;
}

/** Handles the station's reply to a scan. */
export function handleAnswer(
  before: PickSession,
  { ask: about, result }: { ask: ScanAsk; result: ScanResult },
  now: number,
): PickStep {
  const isJoinAsked = before.question?.kind === 'join' && result.result !== 'order';
  const state = isJoinAsked ? { ...before, question: undefined } : before;
  if (result.result === 'unknown' && about.second !== undefined && about.isSecond !== true) {
    return ask(state, { ...about, code: about.second, isSecond: true });
  }
  const whole = result.result === 'unknown' ? wholeScan(about) : undefined;
  if (whole !== undefined) return handleScan(state, whole, now);
  if (about.step === 'act') {
    const isRepeated = state.lostScan?.ask.key === about.key;
    return acted(isRepeated ? { ...state, lostScan: undefined } : state, about, result, now);
  }
  if (about.why === 'verify') return meantArticle(state, about, result, now);
  if (about.why === 'shared' && result.result === 'lit') return sayChanged(state, about);
  if (about.why === 'shared' && result.result === 'ambiguous') return acted(state, about, result, now);
  const line = openLines(state).find(({ item_id: id }) => id === result.item_id);
  if (result.result !== 'lit' || line === undefined) return ask(state, { ...about, step: 'act' });
  const question = questionAbout(line, about.count ?? countOf(state, line));
  if (question !== undefined) return asked(state, line, about.count, question);
  return ask(state, { ...about, step: 'act', ...aimAt(line) });
}

/**
 * Handles the station's reply about a code that was scanned to verify an article. The article may also be lit
 * elsewhere, so this scan never picks a line, even if somebody else has verified the article in the meantime.
 */
function meantArticle(state: PickSession, about: ScanAsk, { result }: ScanResult, now: number): PickStep {
  const item = unverifiedItem(state);
  if (result === 'lit' || result === 'ambiguous') {
    if (item === undefined) return sayChanged(state, about);
    return sayWrongArticle(state, item, words.verify.wrong(nameOfItem(item)), now);
  }
  const line = item && { line: { itemId: item.id, seen: item.quantity_fulfilled } };
  return ask(state, { ...about, step: 'act', ...line });
}

function sayChanged(state: PickSession, { code }: ScanAsk): PickStep {
  return sayWrongScan(state, words.message.changed(code.trim()));
}

/** Reports a wrong article: books nothing and offers to undo the pick. */
function sayWrongArticle(state: PickSession, item: Item, text: string, now: number): PickStep {
  const place = item.warehouse_location ?? nameOfItem(item);
  return withMessage({ ...state, scanned: undefined }, { kind: 'wrong', text, undo: { itemId: item.id, place } }, now);
}

/** Reports an action that the station has carried out for a scan. */
function acted(state: PickSession, about: ScanAsk, result: ScanResult, now: number): PickStep {
  const { note = '', why } = about;
  const { says } = result;
  const item = why === 'verify' ? unverifiedItem(state) : undefined;
  if (item !== undefined && result.result === 'wrong_item') return sayWrongArticle(state, item, says, now);
  switch (result.result) {
    case 'order':
      return scannedOrder(state, result, now);
    case 'acknowledged': {
      const verified = { ...state, scanned: undefined };
      if (result.item_id !== null && state.lines?.some(({ item_id: id }) => id === result.item_id) === true) {
        return bookedByScan(verified, result.item_id, result.quantity, now);
      }
      return withMessage(verified, { kind: 'right', text: says }, now);
    }
    case 'counted': {
      // The numbers of a repeated answer may be out of date.
      const next = result.repeated ? state : counted(state, result);
      const message = result.repeated
        ? ({ kind: 'care', text: words.message.countedBefore(says) } as const)
        : ({ kind: 'right', text: says } as const);
      return andThen(withMessage({ ...next, scanned: undefined }, message, now), (after) =>
        withEffects(after, { do: 'reread' }),
      );
    }
    case 'ambiguous':
      return stay({
        ...state,
        scanned: undefined,
        question: { kind: 'which', candidates: result.candidates, count: about.count },
      });
    case 'already_done':
      return stay(remark({ ...state, scanned: undefined }, says, now));
    case 'unknown':
      // Mention a wrong layout or Caps Lock only if the code is unknown.
      return andThen(sayWrongScan(state, `${says} ${note}`.trim()), (next) => askNumber(next, about));
    default:
      return sayWrongPlace(state, result);
  }
}

/** Reports a wrong scan. At another place of the article of a line without a light, offers to take the pieces there. */
function sayWrongPlace(state: PickSession, { result, says, item_id: id, location }: ScanResult): PickStep {
  const step = sayWrongScan(state, says);
  const { scanned } = step.state;
  const line = result === 'wrong_place' ? openLines(state).find(({ item_id: each }) => each === id) : undefined;
  const isWhole = line !== undefined && questionAbout(line, countOf(state, line)) === undefined;
  if (!isWhole || line.deviceid !== null || scanned === undefined) return step;
  return { ...step, state: { ...step.state, scanned: { ...scanned, here: { line, location } } } };
}

/**
 * Updates a line after some of its pieces were booked and the rest was lit. Does not add to the count, because lines
 * that include these pieces may have arrived first.
 */
function counted(state: PickSession, { item_id: id, quantity, remaining, command_id }: ScanResult): PickSession {
  const lines = state.lines?.map((line): PickLine => {
    if (line.item_id !== id || quantity === null || remaining === null) return line;
    const { ordered_quantity: ordered } = line;
    return {
      ...line,
      quantity: remaining,
      quantity_fulfilled: ordered === null ? line.quantity_fulfilled : ordered - remaining,
      command_id,
    };
  });
  return id === null ? { ...state, lines } : withoutCount({ ...state, lines }, id);
}

/** Asks whether four or five typed digits that are not a code are a quantity. Longer numbers are article codes. */
function askNumber(state: PickSession, { code, source, count, second }: ScanAsk): PickStep {
  const line = currentLine(state);
  const isTyped = source === 'keyboard' && count === undefined && second === undefined && /^\d{4,5}$/.test(code);
  if (!isTyped || questionOf(state) !== undefined || line === undefined || countOf(state, line) === null)
    return stay(state);
  return stay({ ...state, question: { kind: 'number', line, count: Number(code) } });
}

/** Handles an order that the station assigned to this person, or that others pick. */
function scannedOrder(state: PickSession, result: ScanResult, now: number): PickStep {
  const { order_number: number, taken, pickers, says } = result;
  if (number === null) return stay(state);
  if (!taken && pickers.length > 0) {
    const isAsked = state.question?.kind === 'join' && state.question.orderNumber === number;
    return isAsked ? refuse(state, now) : stay({ ...state, scanned: undefined, question: askJoin(number, says) });
  }
  if (!taken) return sayWrongScan(state, says);
  const isThis = number === state.orderNumber;
  const isLeft = !isThis && currentLine(state) !== undefined;
  const text = isLeft ? words.message.switched(number, state.orderNumber) : says;
  const step = withMessage({ ...state, scanned: undefined }, { kind: 'right', text }, now);
  if (isThis) return step;
  const { last } = step.state;
  return andThen(step, (next) => withEffects(next, { do: 'open', orderNumber: number, ...(last && { says: last }) }));
}

/** Handles a scan that got no reply. While the station is unreachable, the page uses the lines that it knows. */
export function handleNoAnswer(
  state: PickSession,
  { ask: about, failure, place }: Omit<Extract<PickEvent, { kind: 'unanswered' }>, 'kind'>,
  now: number,
): PickStep {
  const line = lineFor(state, about);
  const current = currentLine(state);
  // While the station is away, the page still knows its other places.
  const isElsewhere = place !== undefined && openLines(state).every(({ deviceid }) => deviceid !== place.deviceid);
  if (line === undefined && isElsewhere && current !== undefined)
    return sayWrongScan(state, words.message.wrongPlace(place.name, placeOf(current)));
  if (line === undefined) {
    const isLost = failure.code === 'unreachable' && about.step === 'act';
    const lostScan = isLost ? { ask: about, itemId: currentLine(state)?.item_id } : state.lostScan;
    return sayWrongScan({ ...state, lostScan }, failure.message);
  }
  const isChanged = about.line !== undefined && about.line.seen !== line.quantity_fulfilled;
  if (failure.code === 'outdated' || (failure.code === 'unreachable' && isChanged))
    return sayWrongScan(state, words.message.changed(placeOf(line)));
  const isKnown = failure.code === 'unreachable' && partOf(state).kind === 'line';
  if (isKnown) return bookOrAsk({ ...state, scanned: undefined }, line, about.count ?? countOf(state, line), now);
  return sayWrongScan(state, failure.message);
}

/**
 * Returns the open line for which an unanswered scan was intended. The station may have booked that line already, so
 * another line with the same code is never meant instead.
 */
function lineFor(state: PickSession, { line, why, code }: ScanAsk): PickLine | undefined {
  if (line !== undefined) return openLines(state).find(({ item_id: id }) => id === line.itemId);
  return why === 'verify' || why === 'shared' ? undefined : lineAmong(state, linesOf(state, code));
}
