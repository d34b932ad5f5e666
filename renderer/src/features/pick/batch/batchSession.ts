import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import * as texts from '../../../words/texts.ts';
import type { BatchAction } from '../../../station/outbox/actions.ts';
import {
  inertAfterChange,
  inertAfterMove,
  inertMsOf,
  inertSinceDrawn,
  JUST_OPENED,
  type ShownPart,
  withNewOffers,
} from '../session/inertTimes.ts';
import { type KeyStart, startKeys } from '../session/keyRules.ts';
import type { PickMessage } from '../session/sessionTypes.ts';
import { handleCount, handleLetter, handleNoAnswer, handleScan, handleSorted } from './batchEntries.ts';
import { handleEnter, handlePress, handleTypedCount, handleUnreadable } from './batchKeys.ts';
import { handleAnswered, handleFound } from './batchOpening.ts';
import { handleVerified } from './batchScans.ts';
import { handleCalled, handleCarrier, handleFacts, handleRead, handleSent } from './batchStation.ts';
import { askHand } from './leftHands.ts';
import { andThen, refuse, remark, stay, withEffects } from './batchSteps.ts';
import { handleTouch } from './batchTouches.ts';
import { endTyped, handleTyped, typedFor } from './batchTyped.ts';
import type { BatchInput, BatchSession, BatchStep, BatchTouch } from './batchTypes.ts';
import { bySlot, partOf, shownKey } from './batchPart.ts';
import type { KeptNumbers } from './keptNumbers.ts';

type Start = {
  kind: CarrierKind;
  me: string;
  /** Prefix that makes the idempotency keys of this session unique. */
  keyBase: string;
  isLost: boolean;
  /** Actions of this page that the station has not booked yet. */
  unsent: readonly BatchAction[];
  /** What this person typed and scanned before a reload. The first read drops what belongs to closed lines. */
  kept: Partial<KeptNumbers>;
  keys: KeyStart;
};

/** Returns the initial state of one person's session at one cart or wall. */
export function startBatch({ kind, me, keyBase, isLost, unsent, kept, keys }: Start): BatchSession {
  return {
    kind,
    me,
    read: undefined,
    carrier: undefined,
    isLost,
    pending: unsent.map((action) => ({ action, isTaken: false })),
    names: new Map(),
    codes: new Map(),
    askedNames: new Set(),
    skipped: [],
    ahead: new Set(),
    counted: kept.counted ?? new Map(),
    typing: undefined,
    packs: kept.packs ?? new Map(),
    shortReasons: [],
    seen: undefined,
    question: kept.question,
    undos: kept.undos ?? [],
    pressed: [],
    loaded: undefined,
    keptBatch: kept.keptBatch,
    keptLines: kept.keptLines ?? [],
    stack: kept.stack,
    answer: undefined,
    sorting: 0,
    lostScans: [],
    opening: 0,
    isLeft: false,
    asking: 0,
    firstCart: undefined,
    isBusy: false,
    presses: [],
    handsToAsk: [],
    last: undefined,
    scanned: undefined,
    ...startKeys(keys),
    at: -Infinity,
    ...JUST_OPENED,
    inertSlots: new Map(),
    areSlotsNew: false,
    freed: undefined,
    refusedUntil: -Infinity,
    keys: { base: keyBase, used: 0 },
  };
}

/** Returns the session's state after an event, and the effects to run. Events that do not apply change nothing. */
export function next(before: BatchSession, event: BatchInput, now: number): BatchStep {
  const at = timeOf(event, now);
  const state = at === undefined ? before : { ...before, at };
  const handled = dispatch(state, event, now);
  const step = handled.effects.some(({ do: does }) => does === 'busy') ? postpone(state, event, now) : handled;
  if (step.state === state) return step.effects.length === 0 ? stay(before) : step;
  return settle(state, andThen(andThen(step, endTyped), askHand), event);
}

/** Returns when the person made an input, or undefined for other events. */
function timeOf(event: BatchInput, now: number): number | undefined {
  switch (event.kind) {
    case 'touch':
    case 'letter':
    case 'sign':
      return event.madeAt ?? now;
    case 'counted':
      return event.since ?? now;
    case 'scan':
      return event.scan.at ?? now;
    default:
      return undefined;
  }
}

/** Handles an input whose call has to wait for another one: a scan is repeated after it, and a touch is refused. */
function postpone(state: BatchSession, event: BatchInput, now: number): BatchStep {
  switch (event.kind) {
    case 'scan':
      return withEffects(state, { do: 'later', input: event });
    case 'answered':
      return withEffects(answered(state), { do: 'later', input: { kind: 'scan', scan: event.scan } });
    default:
      return refuse(state, now);
  }
}

const answered = (state: BatchSession): BatchSession => ({ ...state, asking: Math.max(0, state.asking - 1) });

function dispatch(state: BatchSession, event: BatchInput, now: number): BatchStep {
  switch (event.kind) {
    case 'read':
      return handleRead(state, event, now);
    case 'carrier':
      return handleCarrier(state, event);
    case 'told':
      return handleFacts(state, event, now);
    case 'names':
      return stay({ ...state, names: new Map([...state.names, ...event.names]) });
    case 'reasons':
      return stay({ ...state, shortReasons: event.reasons });
    case 'connection':
      return stay({ ...state, isLost: event.isLost });
    case 'presses':
      return stay({ ...state, presses: event.presses });
    case 'moved':
      return stay(inertAfterMove(state));
    case 'touch':
      return andThen(takeTyped(state, event, now), (next) => handlePress(next, event, event.via ?? 'touch', now));
    case 'typed':
      return stay(handleTyped(state, event.count));
    case 'enter':
      return handleEnter(state, event);
    case 'unreadable':
      return handleUnreadable(state, event);
    case 'enterRule':
      return stay({ ...state, enterRule: event.rule });
    case 'scan':
      return handleScan({ ...state, scannedAt: state.at }, event, now);
    case 'counted':
      return handleTypedCount(state, event, now);
    case 'letter':
      return handleLetter(state, event, now);
    case 'sign':
      return handleTouch(state, { touch: event.by === 1 ? 'more' : 'less' }, now);
    case 'cleared':
      return stay(remark(state, texts.pick.message.noEnter(event.text), now));
    case 'repeated':
      return stay(remark(state, texts.pick.message.scannedTwice(event.code), now));
    case 'inertEnter':
      return refuse(state, now);
    case 'answered':
      return handleAnswered(answered(state), event, now);
    case 'unanswered':
      return handleNoAnswer(answered(state), event);
    case 'verified':
      return handleVerified(state, event, now);
    case 'sorted':
      return handleSorted(state, event, now);
    case 'found':
      return handleFound(state, event);
    case 'sent':
      return handleSent(state, event, now);
    case 'called':
      return handleCalled(state, event, now);
    case 'drawn':
      return stay(inertSinceDrawn(state, event, now));
    case 'tick':
      return stay(tick(state, now));
  }
}

/** Touches that use the number of a line or of the next slot, so that they take a number that is typed without Enter. */
const TAKES_TYPED: ReadonlySet<BatchTouch['touch']> = new Set([
  'picked',
  'less',
  'more',
  'short',
  'pad',
  'others',
  'skip',
  'found',
  'give',
  'reason',
  'enterPad',
  'slot',
]);

/** Sets the number that is typed without Enter, before a touch that would otherwise use another number. */
function takeTyped(state: BatchSession, { touch }: BatchTouch, now: number): BatchStep {
  const { typing } = state;
  if (typing === undefined || !TAKES_TYPED.has(touch) || typedFor(state) !== typing.line) return stay(state);
  const step = handleCount({ ...state, typing: undefined }, { kind: 'counted', count: typing.count }, now);
  return { ...step, effects: [...step.effects, { do: 'clearTyped' }] };
}

/**
 * Ignores touches for a moment after the page has changed, because a finger may still be moving toward a previous
 * button.
 */
function settle(before: BatchSession, changed: BatchStep, event: BatchInput): BatchStep {
  const step = { ...changed, state: withOffers(before, changed.state) };
  if (shownKey(before) === shownKey(step.state) && !hasMorePieces(before, step.state)) return step;
  const part = shownPart(step.state);
  const isOwn = event.kind === 'touch' || event.kind === 'letter';
  const isFirst = partOf(before).kind === 'loading';
  const ms = inertMsOf(part, isOwn, isFirst);
  const isDone = isDonePart(step.state) && !isDonePart(before) && !isFirst;
  const isSameButton = isOwn && part === 'line' && shownPart(before) === 'line';
  const areSlotsNew = !hasGrid(before);
  const state = inertAfterChange({ ...step.state, areSlotsNew }, { at: before.at, ms, isSameButton });
  return isDone ? { state, effects: [...step.effects, { do: 'play', answer: 'done' }] } : { ...step, state };
}

/** Notes that buttons of messages have changed. A notice that comes or goes moves the slots and buttons below it. */
function withOffers(before: BatchSession, state: BatchSession): BatchSession {
  const isSame = before.undos.at(-1) === state.undos.at(-1) && before.presses === state.presses;
  const next = isSame ? state : withNewOffers(state);
  if (before.presses.length === state.presses.length) return next;
  return inertAfterMove(next);
}

/** Whether this person has nothing more to pick. */
function isDonePart(state: BatchSession): boolean {
  const part = partOf(state);
  return part.kind === 'end' || (part.kind === 'others' && part.isIn);
}

/** Whether the page shows the slots. */
function hasGrid(state: BatchSession): boolean {
  const { kind } = partOf(state);
  return state.question === undefined && kind !== 'loading' && kind !== 'walk' && kind !== 'verify';
}

/** Whether there are pieces to put that the page has not shown yet. */
function hasMorePieces(before: BatchSession, after: BatchSession): boolean {
  const [shown, now] = [partOf(before), partOf(after)];
  if (shown.kind !== 'put' || now.kind !== 'put') return false;
  const quantities = new Map(bySlot(shown.pieces).map(({ slot, quantity }) => [slot, quantity]));
  return bySlot(now.pieces).some(({ slot, quantity }) => quantity > (quantities.get(slot) ?? 0));
}

function shownPart(state: BatchSession): ShownPart {
  if (state.question !== undefined) return 'question';
  const { kind } = partOf(state);
  return kind === 'walk' || kind === 'put' ? 'line' : 'other';
}

/** Removes messages that have expired. */
function tick(state: BatchSession, now: number): BatchSession {
  const isOver = (message: PickMessage | undefined): boolean => message?.until !== undefined && message.until <= now;
  return {
    ...state,
    last: isOver(state.last) ? undefined : state.last,
    scanned: isOver(state.scanned) ? undefined : state.scanned,
  };
}

/** Returns the time of the next `tick`, or undefined if none is needed. */
export function wakeAt({ last, scanned, inert, refusedUntil }: BatchSession, now: number): number | undefined {
  const times = [last?.until, scanned?.until, inert.until, refusedUntil].filter(
    (at): at is number => at !== undefined && at > now,
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
