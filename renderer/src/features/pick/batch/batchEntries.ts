import type { ScanResult } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { wholeScan } from '../../../scan/entry.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import { wallPick } from '../../../words/wallPick.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { isUnseen } from '../session/inertTimes.ts';
import { codesOf, placeOf } from '../session/lines.ts';
import { commandIn } from '../session/sessionCommands.ts';
import { PAD_KEYS, type PickLine } from '../session/sessionTypes.ts';
import {
  andThen,
  bookOrAsk,
  callFor,
  countPack,
  refuse,
  remark,
  withMessage,
  sayWrong,
  stay,
  withEffects,
} from './batchSteps.ts';
import { askedArticle, nameOf, packIn, scanArticle, scanHeld, spellingsOf } from './batchScans.ts';
import { handleTouch, touchSlot } from './batchTouches.ts';
import { handleArticle, sayAnswer, sayUnsorted } from './wallEntries.ts';
import { holdsNumber } from './batchTyped.ts';
import type { BatchInput, BatchQuestion, BatchSession, BatchStep, BatchTouch, BeforeWait } from './batchTypes.ts';
import { isOutdated, isWaiting, pressAfter, waitWith } from './batchWaiting.ts';
import {
  askedOf,
  bySlot,
  countOf,
  distribute,
  isHolding,
  linesOfOthers,
  myPieces,
  openLines,
  partOf,
  putKey,
  restOf,
  withNumber,
} from './batchPart.ts';
import { lineKey, viewOf } from './batchView.ts';
import { claimNewest } from './batchPresses.ts';
import { leftHands } from './leftHands.ts';

type Of<Kind extends BatchInput['kind']> = Extract<BatchInput, { kind: Kind }>;

/** Applies codes that the page knows immediately, even offline. Asks the station about all other codes. */
export function handleScan(before: BatchSession, event: Of<'scan'>, now: number): BatchStep {
  const { scan } = event;
  if (before.isLeft) return sayWrong(before, words.verify.changed(scan.code));
  const command = commandIn(scan.code);
  if (command === 'mine') return claimNewest(before, now);
  if (command !== undefined)
    return isWaiting(before) ? waitWith(before, event) : handleCommand(before, command, event.waited, now);
  const { question } = before;
  // The scan would lose the number or the reason.
  if (question !== undefined && holdsNumber(question)) return finishFirst(before, now);
  // A number that was typed right before the code is the question's.
  if (scan.count !== undefined && (question?.kind === 'short' || question?.kind === 'pad'))
    return andThen(setDialogNumber(before, question, scan.count), (next) => finishFirst(next, now));
  const state = question === undefined || TAKES_SCANS.has(question.kind) ? before : { ...before, question: undefined };
  // The code may belong to a slot that an earlier scan lights, to the order that is being loaded, or to another cart.
  const isLoading = (state.isBusy || state.asking > 0) && partOf(state).kind === 'load';
  if (state.sorting > 0 || state.opening > 0 || isLoading) return withEffects(state, { do: 'later', input: event });
  const codes = spellingsOf(scan);
  const isScanned = (name: string | null): boolean => name !== null && name !== '' && codes.has(nameKey(name));
  const { carrier } = state;
  if (carrier !== undefined && isScanned(carrier.code)) return scanCart(state, now);
  const slot =
    carrier?.slots.find(({ code }) => isScanned(code)) ?? state.read?.batch?.slots.find(({ tote }) => isScanned(tote));
  if (slot !== undefined) return scanSlot(state, slot.slot, scan.count, now);
  const asked = state.question === undefined || state.question.kind === 'scan' ? askedArticle(state) : undefined;
  if (asked !== undefined) return scanArticle(state, asked, scan, now);
  const view = viewOf(state);
  const lines = view === undefined || view.batch.state !== 'picking' ? [] : openLines(state, view);
  const isOf = (each: PickLine): boolean => codesOf(each).some(isScanned);
  const isNamed = (line: PickLine): boolean => isScanned(line.location) || isScanned(line.deviceid) || isOf(line);
  const line = lines.find(isNamed);
  const held = line === undefined || isOf(line) ? scanHeld(state, { scan, line }, now) : undefined;
  if (held !== undefined) return held;
  if (line !== undefined) {
    return scanLine(state, line, { scan, pack: packIn(line, codes), isArticle: isOf(line) }, now);
  }
  const theirs = view === undefined ? undefined : linesOfOthers(state, view).find(isNamed);
  if (theirs !== undefined) return sayWhose(state, theirs);
  if (view?.batch.state === 'sorting') return handleArticle(state, scan);
  return withEffects({ ...state, asking: state.asking + 1 }, { do: 'scan', scan });
}

function finishFirst(state: BatchSession, now: number): BatchStep {
  return andThen(refuse(state, now), (next) => stay(remark(next, texts.pick.message.finishFirst, now)));
}

/** Enters a number into a dialog that asks for one. The person still has to confirm it there. */
function setDialogNumber(
  state: BatchSession,
  question: Extract<BatchQuestion, { kind: 'short' | 'pad' }>,
  count: number,
): BatchStep {
  if (question.kind === 'pad') return stay({ ...state, question: { ...question, text: String(count) } });
  if (count > askedOf(question.line)) return stay(state);
  const shares = distribute(question.line.shares ?? [], count);
  return stay({ ...state, question: { ...question, found: count, shares, isSet: true } });
}

/** Questions that a scan answers. It closes all others that hold no number. */
const TAKES_SCANS: ReadonlySet<BatchQuestion['kind']> = new Set(['scan', 'slots', 'move']);

/** Handles the station's reply to a scan at a wall. Codes that are not articles have their usual meaning. */
export function handleSorted(state: BatchSession, event: Of<'sorted'>, now: number): BatchStep {
  const { scan, result, failure, lost } = event;
  const lostScans = lost === undefined ? state.lostScans : [...state.lostScans, lost];
  const idle = { ...state, lostScans, sorting: Math.max(0, state.sorting - 1) };
  if (failure !== undefined) return sayUnsorted(idle, failure);
  if (result === undefined) return stay(idle);
  return sayAnswer(idle, result, now) ?? handleAnswer(idle, { kind: 'answered', scan, result }, now);
}

/**
 * Handles a scan of the cart or wall: asks about pieces that somebody left, or whether to join the current pickers.
 * Otherwise lists this person's pieces.
 */
function scanCart(state: BatchSession, now: number): BatchStep {
  const view = viewOf(state);
  const [left, ...handsToAsk] = view === undefined ? [] : leftHands(state, view);
  if (left !== undefined)
    return stay({ ...state, handsToAsk, question: { kind: 'hand', by: left }, scanned: undefined });
  const part = partOf(state);
  if (part.kind === 'others' && !part.isIn) return stay({ ...state, question: { kind: 'join' }, scanned: undefined });
  const mine = view === undefined ? [] : myPieces(state, view);
  const text =
    mine.length === 0
      ? (state.kind === 'wall' ? wallPick : words).hand.nothing(state.carrier?.name ?? '')
      : words.hand.mine(words.listed(bySlot(mine)));
  return withMessage({ ...state, scanned: undefined }, { kind: 'note', text }, now);
}

function scanSlot(state: BatchSession, name: string, count: number | undefined, now: number): BatchStep {
  const { question } = state;
  const slot = state.read?.batch?.slots.find((each) => each.slot === name);
  if (question?.kind === 'slots' || question?.kind === 'move') return touchSlot(state, name, { now });
  if (question !== undefined) return sayWrong(state, texts.pick.message.noCommand(name));
  const part = partOf(state);
  if (part.kind === 'put') return touchSlot(state, name, { now, quantity: count, isScan: true });
  if (part.kind === 'verify') return sayWrong(state, words.verify.first(nameOf(state, part.pieces)));
  if (part.kind === 'load') {
    const loaded = loadedOf(state);
    if (slot === undefined) return sayWrong(state, words.loading.scanOrder(name));
    if (loaded === undefined) {
      const { order_number: order } = slot;
      return sayWrong(state, order === null ? words.loading.scanOrder(name) : words.loading.scanFirst(name, order));
    }
    if (slot.slot === loaded.slot)
      return withMessage(state, { kind: 'right', text: words.loading.moved(loaded.orderNumber, name) }, now);
    if (slot.state !== 'free') return sayWrong(state, words.loading.taken(name, slot.order_number ?? ''));
    return callFor({ ...state, scanned: undefined }, { call: 'move', slot: loaded.slot, to: name });
  }
  return withMessage({ ...state, scanned: undefined }, { kind: 'note', text: contentsOf(state, name) }, now);
}

function contentsOf(state: BatchSession, name: string): string {
  const slot = viewOf(state)?.batch.slots.find((each) => each.slot === name);
  if (slot === undefined || slot.order_number === null) return words.free(name);
  const put = slot.shares.reduce((sum, share) => sum + share.put, 0);
  const all = slot.shares.reduce((sum, share) => sum + share.quantity, 0);
  return words.contents(name, slot.order_number, put, all);
}

/**
 * Picks an open line whose place or article was scanned. The code of a pack counts its pieces, unless a number was
 * typed first. `isArticle` tells whether the article was scanned instead of the place. `pack` is the number of pieces
 * in the scanned pack.
 */
function scanLine(
  state: BatchSession,
  line: PickLine,
  { scan, pack, isArticle }: { scan: Scan; pack: number | undefined; isArticle: boolean },
  now: number,
): BatchStep {
  const { code, count } = scan;
  if (state.question !== undefined) return sayWrong(state, texts.pick.message.noCommand(placeOf(line)));
  if (count === undefined && pack !== undefined) return countPack(state, line, { pack, code }, now);
  const part = partOf(state);
  const isCurrent = part.kind === 'walk' && lineKey(part.line) === lineKey(line);
  const set = isCurrent ? countOf(state, line) : restOf(state, line);
  return bookOrAsk(state, line, { count: count ?? set, code: isArticle ? code : undefined }, now);
}

/** Rejects a place or article that only others pick, and names the picker. */
function sayWhose(state: BatchSession, line: PickLine): BatchStep {
  if (state.question !== undefined) return sayWrong(state, texts.pick.message.noCommand(placeOf(line)));
  const part = partOf(state);
  const mine = part.kind === 'walk' ? placeOf(part.line) : undefined;
  return sayWrong(state, words.people.whose(placeOf(line), line.picker ?? '', mine));
}

/**
 * Returns the order that was loaded last, with its slot. Returns undefined if the slot no longer holds it, for example
 * because somebody else has moved it, or if the order has several slots.
 */
function loadedOf({ loaded, read }: BatchSession): BatchSession['loaded'] {
  const slot = read?.batch?.slots.find((each) => each.slot === loaded?.slot);
  return slot?.order_number === loaded?.orderNumber ? loaded : undefined;
}

/** Ends the scan of slots and totes for the last order, because another code was scanned since. */
const withoutLoaded = (state: BatchSession): BatchSession => ({ ...state, loaded: undefined });

/** Handles the station's reply about a code that the page does not know. */
export function handleAnswer(state: BatchSession, { scan, result }: Of<'answered'>, now: number): BatchStep {
  const { batch, order_number: order, says, deviceid, location } = result;
  const isHere = batch !== undefined && batch === state.read?.batch?.id;
  switch (result.result) {
    case 'cart':
    case 'wall':
    case 'slot': {
      if (isHere && result.slot !== undefined) return scanSlot(state, result.slot, scan.count, now);
      if (isHere) return scanCart(state, now);
      if (batch === undefined) return sayWrong(withoutLoaded(state), says);
      if (isHolding(state)) return sayWrong(state, words.hand.fullHands);
      return withEffects({ ...withoutLoaded(state), opening: state.opening + 1 }, { do: 'find', batch, scan });
    }
    case 'order':
      return order === null ? sayWrong(withoutLoaded(state), says) : scanOrder(state, order, now);
    case 'unknown': {
      const whole = wholeScan(scan);
      if (whole !== undefined) return handleScan(state, { kind: 'scan', scan: whole }, now);
      return scanTote(state, scan.code) ?? sayWrong(withoutLoaded(state), `${says} ${scan.note ?? ''}`.trim());
    }
    default:
      return handlePlace(withoutLoaded(state), { deviceid, location, says, scan, result }, now);
  }
}

function handlePlace(
  state: BatchSession,
  {
    deviceid,
    location,
    says,
    scan,
    result,
  }: Pick<ScanResult, 'deviceid' | 'location' | 'says'> & Pick<Of<'answered'>, 'scan' | 'result'>,
  now: number,
): BatchStep {
  const view = viewOf(state);
  const lines = view === undefined ? [] : openLines(state, view);
  const item = result.item_id;
  const isMeant = (each: PickLine): boolean =>
    (deviceid !== null && each.deviceid === deviceid) || (each.shares ?? []).some(({ item_id: id }) => id === item);
  const line = lines.find(isMeant);
  const held = result.verified ? scanHeld(state, { scan, line }, now) : undefined;
  if (held !== undefined) return held;
  if (line !== undefined) {
    const { pack, verified: isArticle } = result;
    return scanLine(state, line, { scan, pack: pack ?? undefined, isArticle }, now);
  }
  const theirs = view === undefined ? undefined : linesOfOthers(state, view).find(isMeant);
  if (theirs !== undefined) return sayWhose(state, theirs);
  const part = partOf(state);
  const name = location === '' ? (deviceid ?? '') : location;
  if (part.kind !== 'walk' || name === '') return sayWrong(state, says);
  return sayWrong(state, texts.pick.message.wrongPlace(name, placeOf(part.line)));
}

function scanOrder(state: BatchSession, order: string, now: number): BatchStep {
  if (state.question !== undefined) return sayWrong(withoutLoaded(state), texts.pick.message.noCommand(order));
  const there = state.read?.batch?.slots.filter(({ order_number: number }) => number === order) ?? [];
  if (there.length > 0) {
    const slots = there.map(({ slot }) => slot).join(', ');
    const [first] = there;
    const loaded = first === undefined ? undefined : { orderNumber: order, slot: first.slot };
    return withMessage(
      { ...state, loaded, scanned: undefined },
      { kind: 'note', text: words.loading.there(order, slots) },
      now,
    );
  }
  if (partOf(state).kind === 'load')
    return callFor({ ...state, scanned: undefined }, { call: 'add', orderNumber: order });
  return stay({ ...state, question: { kind: 'addOrder', orderNumber: order }, scanned: undefined });
}

/** Assigns an unknown code, scanned after an order, to that order as its tote. Returns undefined if the code cannot be a tote. */
function scanTote(state: BatchSession, tote: string): BatchStep | undefined {
  const loaded = loadedOf(state);
  if (loaded === undefined || partOf(state).kind !== 'load' || state.question !== undefined) return undefined;
  const { orderNumber, slot } = loaded;
  return callFor({ ...state, scanned: undefined }, { call: 'add', orderNumber, slot, tote, instead: slot });
}

export function handleNoAnswer(state: BatchSession, { failure, place }: Of<'unanswered'>): BatchStep {
  const part = partOf(state);
  const view = viewOf(state);
  const lines = view === undefined ? [] : openLines(state, view);
  // While the station is away, the page still knows its other places.
  const isElsewhere = place !== undefined && lines.every(({ deviceid }) => deviceid !== place.deviceid);
  if (part.kind !== 'walk' || !isElsewhere) return sayWrong(withoutLoaded(state), failure.message);
  return sayWrong(state, texts.pick.message.wrongPlace(place.name, placeOf(part.line)));
}

const BUTTONS = new Map(
  Object.entries<BatchTouch>({
    undo: { touch: 'undo' },
    pause: { touch: 'pause' },
    skip: { touch: 'skip' },
    next: { touch: 'skip' },
    short: { touch: 'short' },
    all: { touch: 'putAll' },
  }),
);

/** Handles a printed command, which presses a button. */
function handleCommand(state: BatchSession, command: string, waited: BeforeWait | undefined, now: number): BatchStep {
  const touch = touchFor(state, command);
  if (touch === undefined) return sayWrong(state, texts.pick.message.noCommand(command));
  if (isOutdated(state, touch, waited)) return refuse(state, now);
  return pressAfter(waited, { ...state, scanned: undefined }, touch, now);
}

function touchFor(state: BatchSession, command: string): BatchTouch | undefined {
  const { question } = state;
  if (question === undefined) {
    if (command === 'ok') return mainOf(state);
    if (command === 'full') return fullOf(state);
    if (/^\d$/.test(command)) return undefined;
    return BUTTONS.get(command);
  }
  if (command === 'back') return { touch: 'close' };
  if (question.kind === 'pad') {
    const key = PAD_KEYS.find((each) => each === command);
    if (key !== undefined) return { touch: 'padKey', key };
    return command === 'ok' ? { touch: 'enterPad' } : undefined;
  }
  if ((question.kind === 'addOrder' || question.kind === 'join') && command === 'ok') return { touch: question.kind };
  const [, which] = /^reason(\d)$/.exec(command) ?? [];
  const reason = which === undefined ? undefined : state.shortReasons[Number(which) - 1];
  return (question.kind === 'short' || question.kind === 'noMore') && reason !== undefined
    ? { touch: 'reason', reason }
    : undefined;
}

function mainOf(state: BatchSession): BatchTouch | undefined {
  switch (partOf(state).kind) {
    case 'walk':
      return { touch: 'picked' };
    case 'put':
      return { touch: 'putAll' };
    case 'load':
    case 'paused':
      return { touch: 'go' };
    case 'others':
      return { touch: 'join' };
    default:
      return undefined;
  }
}

/** Returns the touch that marks the only lit slot as full, or undefined if none or several are lit. */
function fullOf(state: BatchSession): BatchTouch | undefined {
  const part = partOf(state);
  const [first, ...more] = part.kind === 'put' ? bySlot(part.pieces) : [];
  return first === undefined || more.length > 0 ? undefined : { touch: 'full', slot: first.slot };
}

/**
 * Handles a typed number of pieces: of the current line, of the open question, of the next slot of a cart, or of the
 * next article at a wall.
 */
export function handleCount(state: BatchSession, event: Of<'counted'>, now: number): BatchStep {
  const { count } = event;
  // An article that was scanned before the number must not take it.
  if (state.sorting > 0 || state.opening > 0)
    return withEffects(state, { do: 'later', input: { ...event, waited: true } });
  const { question } = state;
  const isIgnored = event.waited !== true && isUnseen(state.inert, state.at);
  if (state.isLeft || isIgnored) return refuse(state, now);
  if (question?.kind === 'short' && !question.isBooked && count <= askedOf(question.line))
    return handleTouch(state, { touch: 'found', by: 1 }, now, count);
  if (question?.kind === 'pad')
    return stay({ ...state, question: undefined, counted: withNumber(state.counted, lineKey(question.line), count) });
  if (question !== undefined) return refuse(state, now);
  if (viewOf(state)?.batch.state === 'sorting') return stay({ ...state, stack: count === 0 ? undefined : count });
  const part = partOf(state);
  if (part.kind === 'walk') return stay({ ...state, counted: withNumber(state.counted, lineKey(part.line), count) });
  if (part.kind !== 'put' || state.kind === 'wall' || count === 0) return refuse(state, now);
  const numbers = withNumber(state.counted, putKey(part.pieces), count);
  const counted = { ...state, counted: numbers, scanned: undefined };
  return stay(remark(counted, words.put.some(count), now));
}

const LETTERS = new Map(
  Object.entries<BatchTouch>({
    s: { touch: 'short' },
    u: { touch: 'undo' },
    n: { touch: 'skip' },
  }),
);

export function handleLetter(state: BatchSession, event: Of<'letter'>, now: number): BatchStep {
  if (isWaiting(state)) return waitWith(state, event);
  if (state.isLeft) return refuse(state, now);
  const { letter, waited } = event;
  const touch = state.question === undefined ? LETTERS.get(letter) : undefined;
  if (touch === undefined) return stay(remark(state, texts.pick.message.noCommand(letter), now));
  return isOutdated(state, touch, waited) ? refuse(state, now) : pressAfter(waited, state, touch, now);
}
