import type { Item, Order } from '#shared/api/order.ts';
import type { Fact } from '#shared/api/station.ts';
import type { OutboxAction, ActionFailure } from '../../../station/outbox/actions.ts';
import type { SentAction } from '../../../station/outbox/outbox.ts';
import * as texts from '../../../words/texts.ts';
import { isSettledBy } from '../whose/pressNotices.ts';
import { isStillLit, placeOf, whatBecame } from './lines.ts';
import { settleCounts, unconfirmedNumber } from './sessionCount.ts';
import {
  withMessage,
  stay,
  andThen,
  undoOf,
  withBooked,
  withEffects,
  withoutBooked,
  withoutCount,
} from './sessionSteps.ts';
import { askWhatIsLeft } from './sessionLeft.ts';
import type {
  PickCall,
  PickEvent,
  PickLine,
  PickSession,
  PickStep,
  PickMessage,
  PickQuestion,
  ReasonAsked,
} from './sessionTypes.ts';
import { undoOffer } from './sessionTouches.ts';
import { askedOf, currentLine, itemsOf, openLines } from './sessionView.ts';

const words = texts.pick;

/** Sets whether the connection is lost. Discards known counts, because facts may be missed until it is restored. */
export function handleConnection(state: PickSession, { isLost }: Of<'connection'>): PickStep {
  if (isLost === state.isLost) return stay(state);
  return stay({ ...state, isLost, counts: isLost ? new Map() : state.counts });
}

type Of<Kind extends PickEvent['kind']> = Extract<PickEvent, { kind: Kind }>;

/** Applies the person's lines as loaded from the station. */
export function handleWork(state: PickSession, { lines }: Of<'work'>, now: number): PickStep {
  const step = explain(settleCounts({ ...state, lines }), now);
  return andThen(step, (next) => sayNumberChanged(next, currentLine(state), now));
}

/** Shows a message if the number of pieces to pick of the current line has changed. */
function sayNumberChanged(state: PickSession, before: PickLine | undefined, now: number): PickStep {
  const line = currentLine(state);
  const isSame = line?.item_id === before?.item_id && line?.deviceid === before?.deviceid;
  if (line === undefined || !isSame || askedOf(line) === askedOf(before)) return stay(state);
  return withMessage(
    state,
    { kind: 'note', text: words.message.numberChanged(placeOf(line), askedOf(line), askedOf(before)) },
    now,
  );
}

/** Applies the order as loaded from the station or changed by facts. */
export function handleOrder(state: PickSession, { order, isMissing }: Of<'order'>, now: number): PickStep {
  const isAborted = order?.state === 'aborted' && state.order?.state !== 'aborted';
  const counts = new Map(itemsOf(order).map(({ id, quantity_fulfilled: fulfilled }) => [id, fulfilled]));
  const about = isMissing ? withoutLines(state) : { reasons: missingReasons(state, order) };
  const heard = { ...state, order, counts, isMissing, ...about, wasOpen: state.wasOpen || order !== undefined };
  const step = andThen(
    andThen(stay(heard), (next) => explain(next, now)),
    (next) => dropUndo(next, state.order, now),
  );
  return isAborted ? { ...step, effects: [...step.effects, { do: 'play', answer: 'attention' }] } : step;
}

/** Withdraws *Undo* and its message if somebody else has opened that line again, for example by *It was mine*. */
function dropUndo(state: PickSession, before: Order | undefined, now: number): PickStep {
  const offer = undoOffer(state);
  const [was, item] = [before, state.order].map((order) => itemsOf(order).find(({ id }) => id === offer?.itemId));
  if (offer === undefined || item === undefined || !isOver(was) || isOver(item)) return stay(state);
  const open = { ...state, undoable: undefined };
  // A message about another place stays.
  if (state.last !== undefined && state.last.undo === undefined) return stay(open);
  return withMessage({ ...open, last: undefined }, { kind: 'note', text: words.message.undone(offer.place) }, now);
}

/** Returns the reasons to ask for: without those of lines that no longer miss these pieces, because somebody has opened them again. */
function missingReasons(
  { reasons, booked, order: before }: PickSession,
  order: Order | undefined,
): readonly ReasonAsked[] {
  if (reasons.length === 0 || order === undefined) return reasons;
  const isMissedIn = (known: Order | undefined, { line, fulfilled }: ReasonAsked): boolean => {
    const item = itemsOf(known).find(({ id }) => id === line.item_id);
    return item?.state === 'short' && item.quantity_fulfilled === fulfilled;
  };
  // The page may ask before the station reports the short. After a reload, only a line that is under way can still become short.
  const isExpected = (asked: ReasonAsked): boolean =>
    before === undefined ? booked.has(asked.line.item_id ?? 0) : !isMissedIn(before, asked);
  return reasons.filter((asked) => isMissedIn(order, asked) || isExpected(asked));
}

/** Returns no questions about lines, because the order is gone. */
function withoutLines({ question }: PickSession): Pick<PickSession, 'reasons' | 'question'> {
  return { reasons: [], question: question?.kind === 'join' ? question : undefined };
}

/**
 * Applies facts. When an item ends, the fact about its command arrives together with the fact about the item, and shows
 * whether somebody pressed the button. The two are matched by device, because counting may have replaced the command.
 */
export function handleFacts(state: PickSession, facts: readonly Fact[], now: number): PickStep {
  const ended = facts.reduce((next, fact) => withItem(next, fact, facts), withoutSettled(state, facts));
  return facts.reduce<PickStep>((step, fact) => andThen(step, (next) => handlePress(next, fact, now)), stay(ended));
}

/** Closes a question about a press that somebody else has settled meanwhile, or whose line somebody has opened again. */
function withoutSettled(state: PickSession, facts: readonly Fact[]): PickSession {
  const { question, me } = state;
  const isSettled =
    (question?.kind === 'mine' && isSettledBy(question.notice, facts, me)) ||
    (question?.kind === 'differs' && facts.some((fact) => opensAgain(fact, question)));
  return isSettled ? { ...state, question: undefined } : state;
}

const opensAgain = (fact: Fact, { line, fulfilled }: { line: PickLine; fulfilled: number }): boolean =>
  fact.type === 'order.item' &&
  fact.item.id === line.item_id &&
  !isOver(fact.item) &&
  fact.item.quantity_fulfilled < fulfilled;

/**
 * Reports a press that booked nothing, and a line that was moved to another place. Asks how many pieces are left if the
 * station requests it.
 */
function handlePress(state: PickSession, fact: Fact, now: number): PickStep {
  const { me } = state;
  const { message } = words;
  switch (fact.type) {
    case 'press.early':
      if (fact.picker !== me) return stay(state);
      return withMessage(state, { kind: 'wrong', text: message.early(fact.location || fact.deviceid) }, now);
    case 'press.late':
      if (fact.picker !== me) return stay(state);
      return withMessage(
        state,
        { kind: 'wrong', text: message.late(fact.location || fact.deviceid, fact.quantity) },
        now,
      );
    case 'order.line':
      return sayRemoved(state, fact, now);
    case 'line.moved':
      if (fact.picker !== me) return stay(state);
      return withMessage(state, { kind: 'care', text: message.emptied(fact.from, fact.location) }, now, 'attention');
    case 'stock.asked':
      return askWhatIsLeft(state, fact.asked, now);
    default:
      return stay(state);
  }
}

/** Says that a line of this person was removed. Only for the current line may the person already hold pieces. */
function sayRemoved(state: PickSession, fact: Extract<Fact, { type: 'order.line' }>, now: number): PickStep {
  const { item_id: id, picker, location, name, order_number: number } = fact;
  const isOwn = fact.change === 'removed' && fact.was_active && picker === state.me && number === state.orderNumber;
  if (!isOwn) return stay(state);
  const line = state.lit.find((each) => each.item_id === id);
  const place = line === undefined ? location || name : placeOf(line);
  const next = { ...state, ends: new Map(state.ends).set(id, { how: 'removed', before: 0 } as const) };
  return currentLine(state)?.item_id === id
    ? withMessage(next, { kind: 'wrong', text: words.message.notNeeded(place) }, now, 'attention')
    : withMessage(next, { kind: 'note', text: words.message.noLongerNeeded(place) }, now);
}

/** Updates the picked quantity of an item and records how the item ended. */
function withItem(state: PickSession, fact: Fact, facts: readonly Fact[]): PickSession {
  if (fact.type !== 'order.item' || fact.order_number !== state.orderNumber) return state;
  const { id, deviceid, quantity_fulfilled: fulfilled } = fact.item;
  const counts = new Map(state.counts).set(id, fulfilled);
  const ends = new Map(state.ends);
  ends.delete(id);
  if (!isOver(fact.item)) return { ...state, counts, ends };
  const has = (type: 'command.acknowledged' | 'command.killed'): boolean =>
    facts.some((other) => other.type === type && other.deviceid === deviceid);
  const how = has('command.acknowledged') ? 'pressed' : has('command.killed') ? 'withdrawn' : undefined;
  const over = facts.find((other) => other.type === 'press.over' && other.item_id === id);
  const leftOver = over?.type === 'press.over' ? over.left_over : 0;
  if (how !== undefined) ends.set(id, { how, before: state.counts.get(id), leftOver });
  return { ...state, counts, ends };
}

/** Reports once what happened to each line that is no longer lit. */
function explain(state: PickSession, now: number): PickStep {
  const { order, me, lines } = state;
  if (order === undefined || lines === undefined) return stay(state);
  const items = new Map(itemsOf(order).map((item) => [item.id, item]));
  const itemOf = ({ item_id: id }: PickLine) => items.get(id ?? 0);
  const isLit = (line: PickLine): boolean => {
    const item = itemOf(line);
    if (line.command_id !== null) return isStillLit(item, me);
    return item?.state === 'open' || item?.state === 'active';
  };
  const fresh = new Set(lines.map(({ item_id: id }) => id));
  // The work may be read before the fact that explains what happened to a line.
  const known = [...lines, ...state.lit.filter(({ item_id: id }) => !fresh.has(id))];
  const gone = state.lit.filter((line) => !isLit(line));
  const isMine = order.pickers.some(({ name, paused }) => name === me && !paused) || order.state === 'fulfilled';
  const next = { ...state, lit: known.filter(isLit) };
  const isExplained = (line: PickLine): boolean =>
    order.state !== 'aborted' && (isMine || itemOf(line)?.state !== 'open');
  const step = gone
    .filter(isExplained)
    .reduce<PickStep>((done, line) => andThen(done, (after) => explainLine(after, line, now)), stay(next));
  // A finished item can be reopened, so forget that it was booked here.
  const booked = new Set([...state.booked].filter((id) => !isOver(items.get(id))));
  return booked.size === state.booked.size ? step : { ...step, state: { ...step.state, booked } };
}

const isOver = (item: Item | undefined): boolean => item?.state === 'done' || item?.state === 'short';

function explainLine(state: PickSession, line: PickLine, now: number): PickStep {
  const item = itemsOf(state.order).find(({ id }) => id === line.item_id);
  const place = placeOf(line);
  const { message } = words;
  // Say nothing, because this was reported when the person booked the line.
  if (item !== undefined && isOver(item) && state.booked.has(item.id)) return stay(state);
  const end = state.ends.get(line.item_id ?? 0);
  if (item === undefined && end?.how === 'removed') return stay(state);
  switch (whatBecame(item, state.me, end?.how)) {
    case 'picked': {
      const after = item?.quantity_fulfilled ?? 0;
      const before = end?.before ?? line.quantity_fulfilled ?? 0;
      const counted = { ...line, quantity_fulfilled: before };
      const isShort = item?.state === 'short';
      const { leftOver = 0 } = end ?? {};
      const isAsAsked = !isShort && after - before === askedOf(counted) && leftOver === 0;
      const booked = (isShort ? message.short : message.picked)(place, after - before);
      const text = leftOver === 0 ? booked : message.leftOver(booked, leftOver);
      const isPress = end?.how === 'pressed';
      const by = item?.picker ?? null;
      // Somebody else has picked it, for example after this person handed it over and before a reload.
      if (by !== state.me && (by !== null || !isPress)) {
        const says = by === null ? message.corrected(place, after) : message.pickedBy(place, after - before, by);
        return withMessage(withoutCount(state, line.item_id ?? 0), { kind: 'note', text: says }, now);
      }
      const undo = undoOf(line, { before: end?.before, after });
      const heard = withMessage(state, { kind: isAsAsked ? 'right' : 'care', text, undo }, now);
      // What to put back stays until the next message.
      const told =
        leftOver === 0 ? heard : { ...heard, state: { ...heard.state, last: { kind: 'care', text, undo } as const } };
      // After a snapshot or a reload, it is unknown whether a press closed the line or somebody gave a reason.
      const standing = unconfirmedNumber(state, line);
      const isReasonAsked = isShort && isPress;
      const asked = isReasonAsked ? { reasons: [...told.state.reasons, { line: counted, fulfilled: after }] } : {};
      return askWhichNumber(
        { ...told, state: { ...withoutCount(told.state, line.item_id ?? 0), ...asked } },
        { line: counted, booked: after - before, fulfilled: after, typed: standing },
      );
    }
    case 'withdrawn':
      return withMessage(state, { kind: 'note', text: message.corrected(place, item?.quantity_fulfilled ?? 0) }, now);
    case 'moved':
      return withMessage(state, { kind: 'note', text: message.moved(place, item?.picker ?? '') }, now);
    // The line's next place has no light. The list shows where the place is.
    case 'unlit':
      return stay(state);
    // Call for attention: the picker did nothing wrong, and may be looking elsewhere.
    case 'timedOut':
      return withMessage(state, { kind: 'wrong', text: message.timedOut(place) }, now, 'attention');
    case 'gone':
      return withMessage(state, { kind: 'wrong', text: message.gone(place) }, now, 'attention');
  }
}

/**
 * Asks which number counts if a press has booked another number than the one that the person has typed. A question about
 * another line stays.
 */
function askWhichNumber(
  step: PickStep,
  about: Omit<Extract<PickQuestion, { kind: 'differs' }>, 'kind' | 'typed'> & { typed: number | undefined },
): PickStep {
  const { state } = step;
  const { typed, line, booked } = about;
  const { question } = state;
  const isOther = question !== undefined && !('line' in question && question.line.item_id === line.item_id);
  if (typed === undefined || typed === booked || isOther) return step;
  return { ...step, state: { ...state, question: { kind: 'differs', ...about, typed } } };
}

/** Closes a question whose line has ended. */
export function closeStale(state: PickSession): PickSession {
  const { question } = state;
  if (question === undefined || question.kind === 'join' || question.kind === 'reason') return state;
  // These questions are about pieces that are already picked.
  const { kind } = question;
  if (kind === 'empty' || kind === 'left' || kind === 'differs' || kind === 'hasty') return state;
  const open = openLines(state);
  const items = new Set(open.map(({ item_id: id }) => id));
  if (question.kind === 'which') {
    const candidates = question.candidates.filter(({ item_id: id }) => items.has(id));
    if (candidates.length === question.candidates.length) return state;
    return { ...state, question: candidates.length === 0 ? undefined : { ...question, candidates } };
  }
  const line = open.find(({ item_id: id }) => id === question.line.item_id);
  if (line === undefined) return { ...state, question: undefined };
  return line === question.line ? state : { ...state, question: { ...question, line } };
}

/** Takes back what the page showed of "It was mine" before the station refused it. */
function withoutClaim(state: PickSession, { place }: OutboxAction, own: number): PickSession {
  const isSaid = state.last?.text === words.whose.claimed(place);
  return withoutBooking(isSaid ? { ...state, last: undefined } : state, own);
}

/** Handles the result of an action that was sent to the station. */
export function handleSent(state: PickSession, { action, outcome, failure }: SentAction, now: number): PickStep {
  // The notice about the press says why this was refused.
  if (action.kind === 'undo' && action.instead !== undefined)
    return withEffects(outcome === 'refused' ? withoutClaim(state, action, action.instead) : state, { do: 'reread' });
  if (action.order_number !== state.orderNumber) return stay(state);
  const id = action.item_id;
  if (action.kind === 'undo') {
    if (outcome === 'refused') return sayRefused(state, action, failed(words.failed.undo, failure), now);
    const open = withoutBooked(state, id);
    const told = withMessage(open, { kind: 'note', text: words.message.undone(action.place) }, now);
    return outcome === 'taken' ? andThen(told, (next) => withEffects(next, { do: 'reread' })) : told;
  }
  if (outcome !== 'refused') {
    // The rest is now lit at another place.
    const isElsewhere = action.kind === 'short' && action.elsewhere !== undefined;
    return isElsewhere ? withEffects(withoutBooked(state, id), { do: 'reread' }) : stay(state);
  }
  switch (action.kind) {
    // The page has moved on, so the notices list the refused action.
    case 'reason':
    case 'returned':
    case 'cart':
      return stay(state);
    case 'verify': {
      const asked = { ...state, unverifiable: state.unverifiable.filter((each) => each !== id) };
      return sayRefused(asked, action, failed(words.failed.verify, failure), now);
    }
    case 'adjust':
      if (!state.counted.has(id)) return stay(state);
      return withMessage(withoutCount(state, id), { kind: 'wrong', text: whyRefused(action.place, failure) }, now);
    case 'confirm':
    case 'short': {
      if (isBookedAlready(state, action, failure)) return withEffects(state, { do: 'forget', key: action.key });
      const line = state.lines?.find(({ item_id: each }) => each === id);
      const isUndoable = state.undoable?.itemId === id;
      const open = withoutBooking(isUndoable ? { ...state, undoable: undefined } : state, id);
      const isHere = openLines(open).some(({ item_id: each }) => each === id);
      // The notices ask about a confirmation that waited, because the person may have the pieces in hand.
      if (line === undefined || !isHere || failure?.code === 'outdated') return stay(open);
      const text =
        action.kind === 'short' ? failed(words.failed.short, failure).text : whyRefused(action.place, failure);
      return sayRefused(open, action, { kind: 'wrong', text }, now);
    }
  }
}

/** Opens a line again that was not booked, and no longer asks why pieces of it are missing. */
function withoutBooking(state: PickSession, id: number): PickSession {
  return withoutBooked({ ...state, reasons: state.reasons.filter(({ line }) => line.item_id !== id) }, id);
}

/** Whether the station has booked the same pieces before a confirmation, because a scan of them reached it without an answer. */
function isBookedAlready(state: PickSession, action: OutboxAction, failure: ActionFailure | undefined): boolean {
  if (action.kind !== 'confirm' || action.quantity === null || failure?.code !== 'outdated') return false;
  const item = itemsOf(state.order).find(({ id }) => id === action.item_id);
  const sum = (action.seen ?? 0) + action.quantity;
  return item !== undefined && isOver(item) && item.picker === state.me && item.quantity_fulfilled === sum;
}

/** Shows why an action was refused. The page returns to the line, so the refusal is removed from the notices. */
function sayRefused(
  state: PickSession,
  { key }: OutboxAction,
  message: Omit<PickMessage, 'until'>,
  now: number,
): PickStep {
  return andThen(withMessage(state, message, now), (next) => withEffects(next, { do: 'forget', key }));
}

/**
 * Explains a refusal. After a conflict or an unknown command, something else lights the line now, for example on a new
 * device, so the picker has to check the line again.
 */
function whyRefused(place: string, failure: ActionFailure | undefined): string {
  const isOther = failure?.code === 'conflict' || failure?.code === 'not_found';
  return isOther ? words.message.changed(place) : (failure?.message ?? '');
}

export function failed(what: string, failure: ActionFailure | undefined): { kind: 'wrong'; text: string } {
  return { kind: 'wrong', text: `${what} ${failure?.message ?? ''}`.trim() };
}

/** Handles the result of a call. */
export function handleCalled(
  state: PickSession,
  call: PickCall,
  failure: ActionFailure | undefined,
  now: number,
): PickStep {
  if (failure !== undefined) {
    const { question } = state;
    if (call.call === 'join' && question?.kind === 'join' && question.orderNumber === call.orderNumber)
      return stay({
        ...state,
        question: { ...question, failure: failed(words.join.failed, failure).text },
      });
    if (call.call === 'left') return withMessage(state, failed(words.left.failed, failure), now);
    return withMessage(state, failed(call.call === 'launch' ? words.choose.failed : words.failed.order, failure), now);
  }
  if (call.call === 'join') {
    const { orderNumber } = call;
    const closed = { ...state, question: undefined };
    if (orderNumber === state.orderNumber) return stay(closed);
    if (currentLine(state) === undefined) return withEffects(closed, { do: 'open', orderNumber });
    const says = { kind: 'note', text: words.message.switched(orderNumber, state.orderNumber) } as const;
    return withEffects(closed, { do: 'open', orderNumber, says });
  }
  if (call.call === 'leave' || call.call === 'handOver')
    return withEffects(state, { do: 'open', orderNumber: undefined });
  return stay(state);
}

/** Records that a scan has booked a line. */
export function bookedByScan(state: PickSession, itemId: number, quantity: number | null, now: number): PickStep {
  const line =
    state.lines?.find(({ item_id: id }) => id === itemId) ?? state.lit.find(({ item_id: id }) => id === itemId);
  if (line === undefined) return stay(state);
  // The fact about the count may have arrived before the response.
  const end = state.ends.get(itemId);
  const before = end === undefined ? state.counts.get(itemId) : end.before;
  const after = end === undefined ? sumOf(before, quantity) : state.counts.get(itemId);
  const counted = { ...line, quantity_fulfilled: before ?? line.quantity_fulfilled };
  const isAsAsked = quantity === null || quantity === askedOf(counted);
  const isShort = quantity !== null && quantity < askedOf(counted);
  const reasons = isShort
    ? [...state.reasons, { line: counted, fulfilled: (counted.quantity_fulfilled ?? 0) + quantity }]
    : state.reasons;
  const booked = { ...withoutCount(withBooked(state, line), itemId), scanned: undefined, reasons };
  const text = (isShort ? words.message.short : words.message.picked)(placeOf(line), quantity);
  return withMessage(booked, { kind: isAsAsked ? 'right' : 'care', text, undo: undoOf(line, { before, after }) }, now);
}

function sumOf(before: number | undefined, quantity: number | null): number | undefined {
  return before === undefined || quantity === null ? undefined : before + quantity;
}
