import type { Batch } from '#shared/api/batch.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { wallPick } from '../../../words/wallPick.ts';
import { codesOf, placeOf } from '../session/lines.ts';
import type { PickLine } from '../session/sessionTypes.ts';
import { andThen, completedBy, hasLines, withMessage, sayPut, sayWrong, stay, withEffects } from './batchSteps.ts';
import type {
  BatchShare,
  BatchAction,
  BatchInput,
  BatchPieces,
  BatchSession,
  BatchStep,
  FreedSlots,
} from './batchTypes.ts';
import { isMine, isSame, othersIn, picksIt } from './batchPeople.ts';
import { askAfterPress, askAfterPut, withoutEnded } from './batchTyped.ts';
import { isMineOutdated, settleSlots } from './batchPresses.ts';
import { isSettledBy } from '../whose/pressNotices.ts';
import { freedIn } from './freedSlots.ts';
import { withPick, withPickedAgain } from './batchUndos.ts';
import { withHandsToAsk } from './leftHands.ts';
import { aheadOf, askedOf, bySlot, inPacks, myPieces, openLines, partOf } from './batchPart.ts';
import { asideOf, type BatchView, lineKey, pickedKey, sumOf, viewOf } from './batchView.ts';

type Of<Kind extends BatchInput['kind']> = Extract<BatchInput, { kind: Kind }>;

/** What ends when another batch begins at the cart or wall. */
const OF_BATCH = {
  undos: [],
  packs: new Map(),
  counted: new Map(),
  stack: undefined,
  question: undefined,
  skipped: [],
  loaded: undefined,
} satisfies Partial<BatchSession>;

/**
 * Applies new data loaded from the station: reports presses, and asks for a reason if a press booked too few pieces.
 */
export function handleRead(state: BatchSession, { read }: Of<'read'>, now: number): BatchStep {
  const before = viewOf(state);
  const known = state.read === undefined ? state.keptBatch : state.read.batch?.id;
  const isOther = known !== undefined && read.batch?.id !== known;
  const names = new Map(state.names);
  const codes = new Map(state.codes);
  for (const line of read.lines) {
    const { text, shares = [] } = line;
    for (const { item_id: item } of shares) {
      names.set(item, text);
      codes.set(item, codesOf(line));
    }
  }
  const packs = new Map([...state.packs].filter(([key]) => read.lines.some((line) => lineKey(line) === key)));
  const heard: BatchSession = {
    ...state,
    read,
    names,
    codes,
    pending: state.pending.filter(({ action }) => !read.settled.has(action.key) && action.batch === read.batch?.id),
    packs,
    undos: state.undos.filter((undo) => undo.does !== 'count' || packs.has(undo.line)),
    // A person who sorts at the wall has left the picking walk.
    ahead: isOther || read.batch?.state === 'sorting' ? new Set() : state.ahead,
    ...(isOther ? OF_BATCH : {}),
  };
  const after = viewOf(heard);
  if (before === undefined || after === undefined || isOther) {
    const isDone = before !== undefined && read.batch === undefined;
    const freed = state.kind === 'wall' ? wallPick.end.freed : words.end.freed;
    const step = isDone
      ? withMessage({ ...heard, freed: freedLast(state, before.batch) }, { kind: 'note', text: freed }, now)
      : remindOfPacks(read.batch === undefined ? heard : { ...heard, freed: undefined }, now);
    const isOpened = before === undefined && after !== undefined;
    const told = isOpened ? andThen(step, (next) => announceMeanwhile(next, after, now)) : step;
    const kept = withoutEnded(told.state);
    return andThen(andThen({ ...told, state: isOpened ? withHandsToAsk(kept) : kept }, askNames), askJoin);
  }
  // During sorting at a wall, do not announce people and picks, because articles are not picked at their places.
  const told =
    before.batch.state === 'sorting'
      ? stay(heard)
      : andThen(announcePeople(heard, before, after, now), (next) => announcePicks(next, before, after, now));
  const settled = andThen(told, (next) => settleSlots(next, before, after));
  return andThen(
    andThen(settled, (next) => announcePuts(next, { before, after, mine: myPieces(state, before) }, now)),
    (next) =>
      andThen(
        askNames(
          withoutEnded(closeStale({ ...next, pressed: next.pressed.filter((press) => isOpenAt(after, press)) }, after)),
        ),
        askJoin,
      ),
  );
}

/** Returns the slots that were freed last before the batch was done. If an answer did not list them, they are all that held something. */
function freedLast({ freed }: BatchSession, { id, slots }: Batch): FreedSlots | undefined {
  if (freed?.batch === id) return freed;
  const held = slots.filter(({ state }) => state === 'complete' || state === 'stopped').map(({ slot }) => slot);
  return held.length === 0 ? undefined : { batch: id, slots: held, by: '' };
}

/** After a reload, tells how many pieces in packs are still counted at the place of the last pack. */
function remindOfPacks(state: BatchSession, now: number): BatchStep {
  const last = state.undos.at(-1);
  const line = state.read?.lines.find((each) => last?.does === 'count' && lineKey(each) === last.line);
  if (line === undefined) return stay(state);
  const text = words.message.counted(placeOf(line), inPacks(state, line), askedOf(line));
  return withMessage(state, { kind: 'note', text, canUndo: true }, now);
}

/** Stores the cart or wall, which a separate request loads, so it may arrive before or after the batch. */
export function handleCarrier(state: BatchSession, { carrier }: Of<'carrier'>): BatchStep {
  return askJoin({ ...state, carrier });
}

/** Asks once whether to join the people who pick the batch, unless this person has just left it. */
function askJoin(state: BatchSession): BatchStep {
  const view = viewOf(state);
  if (view === undefined || state.question !== undefined) return stay(state);
  const { id } = view.batch;
  const isIn = picksIt(state.me, view.batch);
  const part = partOf(state, view);
  if (!isIn && (part.kind !== 'others' || state.seen === id)) return stay(state);
  return stay(isIn ? { ...state, seen: id } : { ...state, seen: id, question: { kind: 'join' } });
}

/** Reports who joined, left or took over, and how many places this adds to or takes from this person. */
function announcePeople(state: BatchSession, before: BatchView, after: BatchView, now: number): BatchStep {
  const { me } = state;
  if (before.batch.state !== 'picking' || after.batch.state !== 'picking' || !picksIt(me, before.batch))
    return stay(state);
  const were = othersIn(me, before.batch);
  const are = othersIn(me, after.batch);
  const joined = are.filter((name) => !were.includes(name));
  const left = were.filter((name) => !are.includes(name));
  const mine = new Set(openLines(state, before).map(lineKey));
  const isOther = (line: PickLine): boolean => isMine(me, line) !== mine.has(lineKey(line));
  const count = after.lines.filter(isOther).length;
  const note = (text: string): BatchStep => withMessage(state, { kind: 'note', text }, now);
  if (!picksIt(me, after.batch)) return joined.length > 0 ? note(words.people.tookOver(joined)) : stay(state);
  if (joined.length > 0) return note(words.people.joined(joined, count));
  return left.length > 0 ? note(words.people.left(left, count)) : stay(state);
}

/**
 * Closes a question that no longer applies because its line was picked or reassigned, the hand is empty, or the people
 * to join have left.
 */
function closeStale(state: BatchSession, view: BatchView): BatchSession {
  const { question } = state;
  const { batch } = view;
  const lines = openLines(state, view);
  const part = partOf(state, view);
  // The pieces of these questions are already picked, unless somebody has opened the line again.
  if (
    question?.kind === 'differs' ||
    (question?.kind === 'short' && (question.isBooked || question.unpicks !== undefined))
  )
    return view.lines.some((line) => lineKey(line) === lineKey(question.line))
      ? { ...state, question: undefined }
      : state;
  if (question?.kind === 'pad' || question?.kind === 'scan' || (question?.kind === 'short' && !question.isBooked)) {
    const line = lines.find((each) => lineKey(each) === lineKey(question.line));
    // Close the question if the requested quantity has changed, because the answer would be wrong.
    const isSame = line !== undefined && askedOf(line) === askedOf(question.line);
    return { ...state, question: isSame ? { ...question, line } : undefined };
  }
  const isStale =
    (question?.kind === 'mine' && isMineOutdated(state, question)) ||
    (question?.kind === 'hand' && ![...batch.hands, ...asideOf(batch)].some(({ by }) => by === question.by)) ||
    (question?.kind === 'join' && (part.kind !== 'others' || part.isIn));
  return isStale ? { ...state, question: undefined } : state;
}

type Press = BatchSession['pressed'][number];

const isOpenAt = ({ lines }: BatchView, press: Press): boolean => lines.some((line) => isAt(line, press));

const isAt = (line: PickLine, { deviceid, location }: Press): boolean =>
  line.deviceid === deviceid && line.location === location;

const sharesOf = ({ slots }: Batch): readonly BatchShare[] => slots.flatMap(({ shares }) => shares);

function grown(before: BatchView, after: BatchView, of: (share: BatchShare) => number): BatchPieces[] {
  const were = new Map(sharesOf(before.batch).map((share) => [`${share.slot} ${share.item_id}`, of(share)]));
  return sharesOf(after.batch).flatMap((share) => {
    const quantity = of(share) - (were.get(`${share.slot} ${share.item_id}`) ?? of(share));
    const { slot, order_number, item_id } = share;
    return quantity > 0 ? [{ slot, order_number, item_id, quantity }] : [];
  });
}

/** Returns a line without the pieces of orders that left the batch, because nobody misses these pieces. */
function withoutStopped(line: PickLine, { batch }: BatchView): PickLine {
  const there = [...sharesOf(batch), ...batch.waiting].filter(({ state }) => state !== 'stopped');
  const items = new Set(there.map(({ item_id: item }) => item));
  const { shares: asked = [] } = line;
  const shares = asked.filter(({ item_id: item }) => items.has(item));
  const gone = sumOf(asked) - sumOf(shares);
  return gone === 0 ? line : { ...line, shares, quantity: askedOf(line) - gone };
}

/** Reports lines that somebody picked, at the shelf or on another page. */
function announcePicks(state: BatchSession, before: BatchView, after: BatchView, now: number): BatchStep {
  const open = new Set(after.lines.map(lineKey));
  const more = grown(before, after, ({ picked }) => picked);
  let step = stay(state);
  for (const line of before.lines) {
    const press = state.pressed.find((each) => isAt(line, each));
    const asked = line.shares ?? [];
    const shares = asked.map((share): BatchPieces => {
      const found = more.find(({ item_id: item, slot }) => item === share.item_id && slot === share.slot);
      return { ...share, quantity: found?.quantity ?? 0 };
    });
    const found = sumOf(shares);
    // Skip a line whose light was only turned off, or was lit again.
    if (open.has(lineKey(line)) || (press === undefined && found === 0)) continue;
    const picked = { line: withoutStopped(line, after), shares, found, press, before, after };
    step = andThen(step, (next) => announcePick(next, picked, now));
  }
  return step;
}

/** Reports lines with a number of this person that were picked before this page was opened again. */
function announceMeanwhile(state: BatchSession, after: BatchView, now: number): BatchStep {
  const open = new Set(after.lines.map(lineKey));
  const were = { batch: after.batch, lines: state.keptLines };
  const gone = state.keptLines.filter((line) => state.counted.has(lineKey(line)) && !open.has(lineKey(line)));
  return gone.reduce((step, line) => {
    const shares = (line.shares ?? []).map((asked): BatchPieces => {
      const share = sharesOf(after.batch).find((each) => each.item_id === asked.item_id && each.slot === asked.slot);
      const before = (share?.quantity ?? 0) - asked.quantity;
      return { ...asked, quantity: Math.max(0, (share?.picked ?? 0) - before) };
    });
    const found = sumOf(shares);
    if (found === 0) return step;
    const picked = { line: withoutStopped(line, after), shares, found, press: undefined, before: were, after };
    return andThen(step, (next) => announcePick(next, picked, now));
  }, stay(state));
}

type Picked = {
  line: PickLine;
  shares: BatchPieces[];
  found: number;
  press: Press | undefined;
  before: BatchView;
  after: BatchView;
};

function announcePick(
  state: BatchSession,
  { line, shares, found, press, before, after }: Picked,
  now: number,
): BatchStep {
  const place = placeOf(line);
  const by = press?.picker ?? holderOf(after.batch, shares);
  if (by !== '' && !isSame(by, state.me)) {
    const told = { ...state, undos: withPickedAgain(state.undos, shares) };
    return withMessage(told, { kind: 'note', text: words.message.otherPicked(by, place, found) }, now);
  }
  const ahead = aheadOf(before, line);
  const undo = { does: 'pick', place, pieces: shares, key: undefined, ahead } as const;
  const left = press?.left_over ?? 0;
  const text = `${words.message.picked(place, found)}${left === 0 ? '' : ` ${words.message.putBack(left)}`}`;
  const isLess = found < askedOf(line);
  const told = { ...state, ahead, undos: withPick(state.undos, undo), scanned: undefined };
  const message = withMessage(told, { kind: isLess || left > 0 ? 'care' : 'right', text, canUndo: true }, now);
  return askAfterPress(message, state, { line, place, shares, found });
}

function holderOf({ hands }: Batch, pieces: readonly BatchPieces[]): string {
  const items = new Set(pieces.flatMap(({ item_id: item, quantity }) => (quantity > 0 ? [item] : [])));
  return hands.find(({ shares }) => shares.some(({ item_id: item }) => items.has(item)))?.by ?? '';
}

/** Reports this person's pieces that were put by a press at a slot. */
function announcePuts(
  state: BatchSession,
  { before, after, mine }: { before: BatchView; after: BatchView; mine: readonly BatchPieces[] },
  now: number,
): BatchStep {
  const put = grown(before, after, (share) => share.put).filter(({ item_id: item, slot }) =>
    mine.some((piece) => piece.item_id === item && piece.slot === slot),
  );
  if (put.length === 0) return stay(state);
  const slots = bySlot(put);
  const undo = { does: 'put', place: words.listed(slots), pieces: put, key: undefined } as const;
  const told = { ...state, undos: [...state.undos, undo], scanned: undefined, answer: undefined };
  return askAfterPut(sayPut(told, slots, completedBy(before, after), now), { put, mine });
}

/** Requests the names of articles in hand that this page does not know. */
function askNames(state: BatchSession): BatchStep {
  const { batch } = state.read ?? {};
  const held = [...(batch?.hands.flatMap(({ shares }) => shares) ?? []), ...(batch?.scanned ?? [])];
  const unknown = held.filter(
    ({ item_id: item, order_number: order }) => !state.names.has(item) && !state.askedNames.has(order),
  );
  if (unknown.length === 0) return stay(state);
  const orders = [...new Set(unknown.map(({ order_number: order }) => order))];
  const askedNames = new Set([...state.askedNames, ...orders]);
  return withEffects({ ...state, askedNames }, { do: 'names', orders });
}

export function handleFacts(state: BatchSession, { facts }: Of<'told'>, now: number): BatchStep {
  const id = state.read?.batch?.id;
  const { question } = state;
  const isSettled = question?.kind === 'mine' && isSettledBy(question.notice, facts, state.me);
  let step = stay(isSettled ? { ...state, question: undefined } : state);
  for (const fact of facts) {
    if (fact.type === 'batch.picked' && fact.batch_id === id) {
      step = { ...step, state: { ...step.state, pressed: [...step.state.pressed, fact] } };
    }
    // An early press at a line of an order has no batch.
    const isEarly = fact.type === 'press.early' && id !== undefined && fact.batch_id === id;
    if ((isEarly || fact.type === 'press.late') && isSame(fact.picker ?? '', state.me)) {
      const place = fact.location || fact.deviceid;
      const text =
        fact.type === 'press.late' ? texts.pick.message.late(place, fact.quantity) : texts.pick.message.early(place);
      step = andThen(step, (next) => withMessage(next, { kind: 'wrong', text }, now));
    }
    if (fact.type === 'batch.wrong_slot' && fact.batch_id === id) {
      const view = viewOf(step.state);
      const pieces = view === undefined ? [] : myPieces(step.state, view);
      const own = fact.already?.find(({ picker }) => isSame(picker, state.me));
      if (own !== undefined) {
        const text = words.put.already(own.quantity, fact.slot);
        step = andThen(step, (next) => withMessage(next, { kind: 'care', text }, now));
      } else if (pieces.length > 0) {
        step = andThen(step, (next) => sayWrong(next, words.put.wrong(fact.slot, bySlot(pieces))));
      }
    }
  }
  return step;
}

export function handleSent(state: BatchSession, { sent }: Of<'sent'>, now: number): BatchStep {
  const { action, outcome, failure } = sent;
  if (action.kind !== 'cart' || !state.pending.some(({ action: { key } }) => key === action.key)) return stay(state);
  if (outcome === 'taken') {
    const pending = state.pending.map((each) => (each.action.key === action.key ? { ...each, isTaken: true } : each));
    return stay({ ...state, pending });
  }
  // The outbox sends neither an action that was undone in time, nor the Undo of a refused action.
  const undone = outcome === 'cancelled' ? [action.takesBack ?? action.key] : undosOf(state, action.key);
  const gone = new Set([action.key, ...undone]);
  const without = {
    ...state,
    pending: state.pending.filter(({ action: { key } }) => !gone.has(key)),
    undos: state.undos.filter(({ key }) => key === undefined || !gone.has(key)),
  };
  if (outcome === 'cancelled') return stay(without);
  // The notices ask about an action that waited, because the person has already done it. They do not list one whose Undo waited, too.
  const isAskedAbout = undone.length === 0 && (sent.hasWaited === true || failure?.code === 'outdated');
  if (isAskedAbout) return withEffects(without, { do: 'play', answer: 'wrong' });
  const message = withMessage(without, { kind: 'wrong', text: failure?.message ?? words.failed }, now);
  // They also list a refused pick whose line is gone, because the person cannot repeat that pick here.
  const isListed = action.act.does === 'pick' && !isOpenAgain(without, action);
  return isListed ? message : andThen(message, (next) => withEffects(next, { do: 'forget', key: action.key }));
}

/** Returns the keys of the pending actions that undo this action. */
const undosOf = ({ pending }: BatchSession, key: string): string[] =>
  pending.flatMap(({ action }) => (action.takesBack === key ? [action.key] : []));

function isOpenAgain(state: BatchSession, { act, place }: BatchAction): boolean {
  if (act.does !== 'pick') return true;
  return viewOf(state)?.lines.some((line) => lineKey(line) === pickedKey(act, place)) ?? false;
}

const NOBODY = { pickers: [] };
const NOTHING_READ = { lines: [], settled: new Set<string>() };

export function handleCalled(
  state: BatchSession,
  { call, batch, says, failure }: Of<'called'>,
  now: number,
): BatchStep {
  // Keep the batch of the answer, because the next scan may come before the next read. If the call changes the lines,
  // wait for that read instead.
  const isKnown = batch !== undefined && batch.state !== 'done' && !hasLines(call);
  const read = isKnown ? { ...(state.read ?? NOTHING_READ), batch } : state.read;
  const freed = batch?.state === 'done' ? freedIn(batch) : undefined;
  const idle = { ...state, read, isBusy: false, freed: freed ?? state.freed };
  if (failure !== undefined) {
    // A slot or tote scanned next must not change the order before.
    const isOrder = call.call === 'add' && call.tote === undefined;
    const failed = isOrder ? { ...idle, loaded: undefined } : idle;
    return withMessage(failed, { kind: 'wrong', text: failure.message }, now);
  }
  const slotsOf = (order: string): string =>
    batch?.slots.flatMap(({ slot, order_number: number }) => (number === order ? [slot] : [])).join(', ') ?? '';
  const note = (text: string) => withMessage(idle, { kind: 'right', text }, now);
  const isWall = state.kind === 'wall';
  switch (call.call) {
    case 'add': {
      const slot = slotsOf(call.orderNumber);
      const loaded = slot === '' ? undefined : { orderNumber: call.orderNumber, slot };
      const isLoading = batch?.state === 'loading';
      const text =
        call.tote !== undefined
          ? words.loading.tote(call.tote, slot)
          : isLoading
            ? slot === ''
              ? wallPick.loading.waits(call.orderNumber)
              : words.loading.added(call.orderNumber, slot)
            : isWall
              ? wallPick.message.added(call.orderNumber)
              : words.message.added(call.orderNumber);
      return andThen(note(text), (next) => stay({ ...next, loaded }));
    }
    case 'fill':
      return note(says ?? words.loading.nothing);
    case 'move': {
      const { loaded } = state;
      if (loaded?.slot !== call.slot) return note(words.message.moved(call.slot, call.to));
      const moved = { ...loaded, slot: call.to };
      return andThen(note(words.loading.moved(loaded.orderNumber, call.to)), (next) =>
        stay({ ...next, loaded: moved }),
      );
    }
    case 'full':
      return note(words.message.full(call.slot));
    case 'free': {
      const own = { batch: batch?.id ?? state.read?.batch?.id ?? 0, slots: [call.slot], by: state.me };
      const undo = { does: 'free', place: call.slot, freed: own, key: undefined } as const;
      return withMessage(
        { ...idle, undos: [...idle.undos, undo] },
        { kind: 'right', text: words.message.freed(call.slot), canUndo: true },
        now,
      );
    }
    case 'undoFree':
      return note(wallPick.message.notFreed(call.freed.slots.join(', ')));
    case 'short':
      return note(wallPick.message.short(call.items.length));
    case 'takeOut':
      return note(isWall ? wallPick.message.gone : words.message.gone);
    case 'hand':
    case 'notOnCart':
      return note(
        call.call === 'hand' && call.what === 'set_aside' ? wallPick.message.setAside : words.message.settled,
      );
    case 'join':
      return withMessage(
        idle,
        says === undefined
          ? { kind: 'right', text: words.people.youJoined(othersIn(state.me, batch ?? NOBODY)) }
          : { kind: 'care', text: says },
        now,
      );
    case 'handOver':
      return note(words.people.youHandedOver(call.to));
    case 'takeFrom':
      return note(words.people.youTook(call.from));
    case 'leave':
      return note(words.people.youLeft(state.carrier?.name ?? '', othersIn(state.me, batch ?? NOBODY)));
    case 'freeAll':
    case 'pause':
    case 'launch':
      return stay(idle);
  }
}
