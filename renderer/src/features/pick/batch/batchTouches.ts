import { cartPick as words } from '../../../words/cartPick.ts';
import { INERT_AFTER_OWN_MS, isInert, isUnseen, SAME_KEY_MS } from '../session/inertTimes.ts';
import type { PadKey } from '../session/sessionTypes.ts';
import {
  accept,
  andThen,
  askShort,
  book,
  bookOrAsk,
  callFor,
  keep,
  putPieces,
  refuse,
  sayWrong,
  skip,
  stay,
  undoLast,
  withEffects,
} from './batchSteps.ts';
import { acceptScan, askedArticle } from './batchScans.ts';
import { answerMine, answerPress } from './batchPresses.ts';
import { answerWall, onWall } from './wallTouches.ts';
import { othersIn, picksIt } from './batchPeople.ts';
import { answerDiffers, answerPutDiffers, unpick } from './batchTyped.ts';
import type { BatchQuestion, BatchSession, BatchStep, BatchTouch } from './batchTypes.ts';
import {
  askedOf,
  bySlot,
  countOf,
  distribute,
  given,
  inPacks,
  isHolding,
  otherHands,
  partOf,
  putKey,
  restOf,
  withNumber,
} from './batchPart.ts';
import { lineKey, sumOf, viewOf } from './batchView.ts';

const DIGITS = 4;

/**
 * Handles a touch, the Enter key or a printed command. Ignores an input that comes too soon after the page changed.
 * `exactly` is the typed number of found pieces, if any.
 */
export function handleTouch(state: BatchSession, touch: BatchTouch, now: number, exactly?: number): BatchStep {
  if (touch.touch === 'slot') return touchSlot(state, touch.slot, { now });
  if (touch.touch === 'answerPress')
    // Once a notice has been answered, the next one is under the finger.
    return isInert(state.inert, state.at) ? refuse(state, now) : answerPress(state, touch, now);
  // Undo counts only once its message is painted.
  if (touch.touch === 'undo' && state.at < state.offeredAt) return refuse(state, now);
  // Changing a count confirms nothing, so these touches are never ignored.
  const isCount = ['less', 'more', 'found', 'give', 'padKey', 'dismiss', 'keepOpen'].includes(touch.touch);
  const isIgnored = isCount ? isUnseen(state.inert, state.at) : isInert(state.inert, state.at);
  if (isIgnored && touch.touch !== 'dismiss') return refuse(state, now);
  const heard = isCount ? state : accept(state);
  const { question } = state;
  const isAboutPress = question?.kind === 'differs' || question?.kind === 'putDiffers';
  if (touch.touch === 'close' && !isAboutPress) return stay({ ...heard, question: undefined });
  return question === undefined ? onPage(heard, touch, now) : answered({ ...heard }, question, touch, { now, exactly });
}

function onPage(state: BatchSession, touch: BatchTouch, now: number): BatchStep {
  const part = partOf(state);
  const atWall = onWall(state, touch, now);
  if (atWall !== undefined) return atWall;
  switch (touch.touch) {
    case 'picked':
      return part.kind === 'walk'
        ? bookOrAsk(state, part.line, { count: countOf(state, part.line) }, now)
        : stay(state);
    case 'less':
    case 'more': {
      if (part.kind !== 'walk') return stay(state);
      const quantity = Math.max(0, countOf(state, part.line) + (touch.touch === 'more' ? 1 : -1));
      return stay({ ...state, counted: withNumber(state.counted, lineKey(part.line), quantity) });
    }
    case 'short': {
      if (part.kind !== 'walk') return stay(state);
      const count = countOf(state, part.line);
      const found = inPacks(state, part.line) + (count < restOf(state, part.line) ? count : 0);
      return stay({ ...state, question: askShort(part.line, found) });
    }
    case 'pad':
      return part.kind === 'walk'
        ? stay({ ...state, question: { kind: 'pad', line: part.line, text: '' } })
        : stay(state);
    case 'skip':
      return part.kind === 'walk' ? stay(skip(state, part.line)) : stay(state);
    case 'cannotScan':
      return giveUpScan(state, now);
    case 'putAll':
      return part.kind === 'put' ? putPieces(state, part.pieces, now) : stay(state);
    case 'undo':
      return undoLast(state, now);
    case 'others':
      return stay({ ...state, question: { kind: 'more' } });
    case 'slots':
      return stay({ ...state, question: { kind: 'slots' } });
    case 'askHand':
      return stay({ ...state, question: { kind: 'hand', by: touch.by } });
    case 'undoFree':
      return callFor(state, { call: 'undoFree', freed: touch.freed });
    case 'askStopped':
      return stay({ ...state, question: { kind: 'stopped', slot: touch.slot } });
    case 'dismiss':
      return stay({
        ...state,
        last: state.last?.kind === 'wrong' ? undefined : state.last,
        scanned: undefined,
        answer: undefined,
        stack: undefined,
      });
    case 'full':
      return callFor(state, { call: 'full', slot: touch.slot });
    case 'go':
      return callFor(state, { call: 'launch' });
    case 'pause':
      return isHolding(state) ? stay({ ...state, question: { kind: 'pauseHolding' } }) : pause(state);
    case 'handOver':
      return callFor({ ...state, seen: state.read?.batch?.id }, { call: 'handOver', to: touch.to });
    case 'takeFrom':
      return callFor(state, { call: 'takeFrom', from: touch.from, me: state.me });
    case 'join':
      return part.kind === 'others' ? callFor(state, { call: 'join' }) : stay(state);
    case 'freeAll':
      return callFor(state, { call: 'freeAll' });
    case 'fill':
      return fill(state);
    case 'leave':
    case 'pack':
      return isHolding(state) ? sayWrong(state, words.hand.fullHands) : withEffects(state, { do: touch.touch });
    default:
      return stay(state);
  }
}

/** Accepts an article without a scan. The station records who decided this. */
function giveUpScan(state: BatchSession, now: number): BatchStep {
  const asked = askedArticle(state);
  return asked === undefined ? stay(state) : acceptScan(state, asked, null, now);
}

/** Pauses the batch. If other people also pick it, only this person leaves, and the others get the places. */
function pause(state: BatchSession): BatchStep {
  const { me, read, carrier } = state;
  const batch = read?.batch;
  if (batch === undefined || batch.state !== 'picking') return callFor(state, { call: 'pause' });
  const others = othersIn(me, batch);
  if (others.length === 0) return callFor(state, { call: 'pause' });
  if (!picksIt(me, batch)) return sayWrong(state, words.people.notIn(others, carrier?.name ?? ''));
  return callFor({ ...state, seen: batch.id }, { call: 'leave' });
}

function fill(state: BatchSession): BatchStep {
  const count = freeSlots(state);
  return count === 0 ? sayWrong(state, words.loading.full) : callFor(state, { call: 'fill', count });
}

/** Returns how many orders the cart can still take. */
export function freeSlots({ read, carrier }: BatchSession): number {
  if (read?.batch === undefined) return carrier?.slots.length ?? 0;
  return read.batch.slots.filter(({ state }) => state === 'free').length;
}

type About = { now: number; exactly: number | undefined };

function answered(state: BatchSession, question: BatchQuestion, touch: BatchTouch, { now, exactly }: About): BatchStep {
  const closed = { ...state, question: undefined };
  switch (question.kind) {
    case 'short':
      return answerShort(state, question, touch, { now, exactly });
    case 'pad':
      return answerPad(state, question, touch, now);
    case 'differs':
      return answerDiffers(state, question, touch, now);
    case 'putDiffers':
      return answerPutDiffers(state, question, touch, now);
    case 'mine':
      return answerMine(state, question, touch, now);
    case 'scan':
      return touch.touch === 'cannotScan' ? giveUpScan(state, now) : stay(state);
    case 'more':
    case 'slots':
    case 'move':
      return onPage(closed, touch, now);
    case 'slot':
    case 'stopped':
    case 'takeOut':
      return answerSlot(closed, question.slot, touch);
    case 'hand':
      return touch.touch === 'hand'
        ? callFor(closed, { call: 'hand', by: question.by, what: touch.what })
        : stay(closed);
    case 'articles':
    case 'noMore':
    case 'notOnCart':
    case 'firstCart':
      return answerWall(state, question, touch);
    case 'join':
      return touch.touch === 'join' ? callFor(closed, { call: 'join' }) : stay(closed);
    case 'pauseHolding':
      return touch.touch === 'pauseAnyway' ? pause(closed) : stay(closed);
    case 'hasty':
      return stay(state);
    case 'addOrder':
      return touch.touch === 'addOrder'
        ? callFor(closed, { call: 'add', orderNumber: question.orderNumber })
        : stay(closed);
  }
}

function answerSlot(closed: BatchSession, slot: string, { touch }: BatchTouch): BatchStep {
  switch (touch) {
    case 'askMove':
      return stay({ ...closed, question: { kind: 'move', slot } });
    case 'askTakeOut':
      return stay({ ...closed, question: { kind: 'takeOut', slot } });
    case 'full':
      return callFor(closed, { call: 'full', slot });
    case 'takeOut':
      return callFor(closed, { call: 'takeOut', slot });
    case 'free':
      return callFor(closed, { call: 'free', slot, keep: false });
    case 'keep':
      return callFor(closed, { call: 'free', slot, keep: true });
    default:
      return stay(closed);
  }
}

type ShortQuestion = Extract<BatchQuestion, { kind: 'short' }>;

function answerShort(
  state: BatchSession,
  question: ShortQuestion,
  touch: BatchTouch,
  { now, exactly }: About,
): BatchStep {
  const { line, shares, isBooked, place, scanned } = question;
  const needs = line.shares ?? [];
  switch (touch.touch) {
    case 'found': {
      if (isBooked) return stay(state);
      const found = exactly ?? Math.min(askedOf(line), Math.max(0, question.found + touch.by));
      return stay({ ...state, question: { ...question, found, shares: distribute(needs, found), isSet: true } });
    }
    case 'give': {
      const changed = given(shares, needs, touch);
      return changed === undefined
        ? refuse(state, now)
        : stay({ ...state, question: { ...question, shares: changed, isSet: true } });
    }
    case 'reason': {
      const { reason } = touch;
      if (!isBooked) {
        const opened = question.unpicks === undefined ? stay(state) : unpick(state, place, question.unpicks);
        return andThen(opened, (next) => book(next, line, { found: sumOf(shares), shares, reason, scanned }, now));
      }
      const act = { does: 'reassign', shares, reason } as const;
      const kept = keep({ ...state, question: undefined }, { place: words.actions.reassign(place), act });
      const undos = kept.state.undos.map((undo, at) =>
        at === kept.state.undos.length - 1 && undo.does === 'pick' ? { ...undo, pieces: shares } : undo,
      );
      return { state: { ...kept.state, undos }, effects: [kept.effect] };
    }
    case 'undo':
      return undoLast({ ...state, question: undefined }, now);
    default:
      return stay(state);
  }
}

type PadQuestion = Extract<BatchQuestion, { kind: 'pad' }>;

function answerPad(state: BatchSession, question: PadQuestion, touch: BatchTouch, now: number): BatchStep {
  if (touch.touch === 'enterPad') {
    const { text, line } = question;
    const closed = { ...state, question: undefined };
    return stay(text === '' ? closed : { ...closed, counted: withNumber(state.counted, lineKey(line), Number(text)) });
  }
  if (touch.touch !== 'padKey') return stay(state);
  const { key } = touch;
  // A bouncing finger must not type the same digit twice.
  if (question.last?.key === key && state.at - question.last.at < SAME_KEY_MS) return refuse(state, now);
  return stay({ ...state, question: { ...question, text: typed(question.text, key), last: { key, at: state.at } } });
}

function typed(text: string, key: PadKey): string {
  if (key === 'delete') return text.slice(0, -1);
  const next = text === '0' ? key : `${text}${key}`;
  return next.length > DIGITS ? text : next;
}

type How = { now: number; quantity?: number | undefined; isScan?: boolean };

/**
 * Handles a touch or a scan of a slot, which puts the pieces that belong there. Afterwards, only this slot ignores
 * touches for a moment, because a touch can bounce.
 */
export function touchSlot(state: BatchSession, name: string, { now, quantity: typed, isScan = false }: How): BatchStep {
  const { question } = state;
  const view = viewOf(state);
  const slot = view?.batch.slots.find((each) => each.slot === name);
  if (question?.kind === 'slots') return stay(accept({ ...state, question: { kind: 'slot', slot: name } }));
  if (question?.kind === 'move') {
    if (slot?.state !== 'free') return refuse(state, now);
    return callFor(accept({ ...state, question: undefined }), { call: 'move', slot: question.slot, to: name });
  }
  const part = partOf(state, view);
  const bounces = state.at < (state.inertSlots.get(name) ?? -Infinity);
  const isIgnored = (state.areSlotsNew ? isInert : isUnseen)(state.inert, state.at);
  if (!isScan && (bounces || isIgnored)) return refuse(state, now);
  if (view === undefined || question !== undefined) return stay(state);
  if (part.kind !== 'put') return askAbout(state, name);
  const there = part.pieces.filter((piece) => piece.slot === name);
  if (there.length === 0) return wrongSlot(state, name, isScan);
  const inertSlots = new Map(state.inertSlots).set(name, state.at + INERT_AFTER_OWN_MS);
  const heard = { ...state, inertSlots };
  const quantity = typed ?? state.counted.get(putKey(part.pieces));
  if (view.batch.put_confirmation === 'once' && quantity === undefined) return putPieces(heard, part.pieces, now);
  const first = state.names.get(there[0]?.item_id ?? 0);
  let rest = quantity ?? Infinity;
  const pieces = there
    .filter(({ item_id: item }) => state.names.get(item) === first)
    .flatMap((piece) => {
      const some = Math.min(rest, piece.quantity);
      rest -= some;
      return some === 0 ? [] : [{ ...piece, quantity: some }];
    });
  return putPieces(heard, pieces, now);
}

function askAbout(state: BatchSession, name: string): BatchStep {
  const slot = viewOf(state)?.batch.slots.find((each) => each.slot === name);
  if (slot === undefined) return stay(state);
  const kind = slot.state === 'stopped' ? 'stopped' : 'slot';
  const asked = accept({ ...state, question: { kind, slot: name } });
  const { order_number: order } = slot;
  if (order === null || state.askedNames.has(order)) return stay(asked);
  return withEffects({ ...asked, askedNames: new Set([...state.askedNames, order]) }, { do: 'names', orders: [order] });
}

/** Reports that a slot is wrong, and how many pieces belong in which slots. */
function wrongSlot(state: BatchSession, name: string, isScan: boolean): BatchStep {
  const view = viewOf(state);
  const slot = view?.batch.slots.find((each) => each.slot === name);
  // The code of a stopped slot must not interrupt the put.
  if (slot?.state === 'stopped' && !isScan) return askAbout(state, name);
  const part = partOf(state, view);
  const pieces = part.kind === 'put' ? part.pieces : [];
  const [other] =
    view === undefined ? [] : otherHands(state, view).filter((hand) => hand.shares.some((each) => each.slot === name));
  const own = sumOf(other?.shares.filter((each) => each.slot === name) ?? []);
  const of = other === undefined ? '' : `${words.put.byOther(other.by, own, name)} `;
  return sayWrong(state, `${of}${words.put.wrong(name, bySlot(pieces))}`);
}
