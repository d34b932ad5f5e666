import * as texts from '../../../words/texts.ts';
import {
  inertAfterChange,
  inertAfterMove,
  inertMsOf,
  inertSinceDrawn,
  JUST_OPENED,
  type ShownPart,
  withNewOffers,
} from './inertTimes.ts';
import type { KeptCounts } from './keptNumbers.ts';
import { type KeyStart, startKeys } from './keyRules.ts';
import { endTyped, handleTyped, withoutDigits } from './sessionCount.ts';
import { andThen } from './sessionSteps.ts';
import { dropLostScan, handleAnswer, handleLetters, handleNoAnswer, handleScan, handleSign } from './sessionEntries.ts';
import {
  closeStale,
  handleCalled,
  handleConnection,
  handleFacts,
  handleOrder,
  handleSent,
  handleWork,
} from './sessionStation.ts';
import { applyLater, isLater, isTooEarly, postpone } from './sessionWaiting.ts';
import { refuse, remark, stay } from './sessionSteps.ts';
import { undoOffer } from './sessionTouches.ts';
import { handleEnter, handlePress, handleTypedCount, handleUnreadable } from './sessionKeys.ts';
import type { PickEvent, PickSession, PickMessage, PickStep } from './sessionTypes.ts';
import { currentLine, partOf, questionOf, shownKey } from './sessionView.ts';

const words = texts.pick;

type Start = {
  orderNumber: string;
  me: string;
  /** Prefix that makes the idempotency keys of this session unique. */
  keyBase: string;
  isLost: boolean;
  /** The first message to show, for example about the order that was paused for this one. */
  message: PickMessage | undefined;
  /** Items booked earlier on this page that the station has not confirmed yet. */
  underWay: ReadonlySet<number>;
  /** What this person typed before a reload. */
  kept?: KeptCounts;
  keys: KeyStart;
};

/** Returns the initial state of one person's session at one order. */
export function startSession({ orderNumber, me, keyBase, isLost, message, underWay, kept, keys }: Start): PickSession {
  return {
    orderNumber,
    me,
    lines: undefined,
    order: undefined,
    isMissing: false,
    wasOpen: false,
    isLost,
    lit: kept?.lit ?? [],
    counts: new Map(),
    ends: new Map(),
    booked: underWay,
    skipped: [],
    waited: [],
    unverifiable: [],
    shortReasons: [],
    digits: undefined,
    counted: kept?.counted ?? new Map(),
    typing: undefined,
    question: kept?.question,
    reasons: kept?.reasons ?? [],
    last: message,
    undoable: message?.undo,
    presses: [],
    scanned: undefined,
    lostScan: undefined,
    asking: 0,
    later: [],
    isLeft: false,
    ...startKeys(keys),
    at: -Infinity,
    ...JUST_OPENED,
    refusedUntil: -Infinity,
    keys: { base: keyBase, used: 0 },
  };
}

/** Returns the session's state after an event, and the effects to run. Events that do not apply change nothing. */
export function next(state: PickSession, event: PickEvent, now: number): PickStep {
  if (isLater(state, event)) return postpone(state, event);
  if (isTooEarly(state, event)) return refuse(state, now);
  return applyLater(apply(state, event, now), apply, now);
}

function apply(before: PickSession, event: PickEvent, now: number): PickStep {
  const at = timeOf(event, now);
  const state = at === undefined ? before : { ...before, at };
  const step = dispatch(state, event, now);
  if (step.state === state && step.effects.length === 0) return stay(before);
  const isLeft = state.isLeft || step.effects.some(({ do: does }) => does === 'open');
  const after = dropLostScan(closeStale(step.state));
  const ended = andThen({ ...step, state: isLeft === after.isLeft ? after : { ...after, isLeft } }, endTyped);
  return settle(state, ended, event);
}

/** Returns when the person made an input, or undefined for other events. */
function timeOf(event: PickEvent, now: number): number | undefined {
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

const answered = (state: PickSession): PickSession => ({ ...state, asking: Math.max(0, state.asking - 1) });

function dispatch(state: PickSession, event: PickEvent, now: number): PickStep {
  switch (event.kind) {
    case 'work':
      return handleWork(state, event, now);
    case 'order':
      return handleOrder(state, event, now);
    case 'told':
      return handleFacts(state, event.facts, now);
    case 'connection':
      return handleConnection(state, event);
    case 'presses':
      return stay({ ...state, presses: event.presses });
    case 'moved':
      return stay(inertAfterMove(state));
    case 'touch':
      return handlePress(withoutDigits(state), event, event.via ?? 'touch', now);
    case 'enter':
      return handleEnter(state, event);
    case 'unreadable':
      return handleUnreadable(state, event);
    case 'enterRule':
      return stay({ ...state, enterRule: event.rule });
    case 'scan':
      return handleScan({ ...state, scannedAt: state.at }, event.scan, now);
    case 'counted':
      return handleTypedCount(state, event, now);
    case 'typed':
      return stay(handleTyped(state, event.count));
    case 'letter':
      return handleLetters(state, event.letter, now);
    case 'reasons':
      return stay({ ...state, shortReasons: event.reasons });
    case 'sign':
      return handleSign(state, event.by, now);
    case 'cleared':
      return stay(remark(state, words.message.noEnter(event.text), now));
    case 'repeated':
      return stay(remark(state, words.message.scannedTwice(event.code), now));
    case 'inertEnter':
      return refuse(state, now);
    case 'answered':
      return handleAnswer(answered(state), event, now);
    case 'unanswered':
      return handleNoAnswer(answered(state), event, now);
    case 'sent':
      return handleSent(state, event.sent, now);
    case 'called':
      return handleCalled(state, event.call, event.failure, now);
    case 'drawn':
      return stay(inertSinceDrawn(state, event, now));
    case 'tick':
      return stay(tick(state, now));
  }
}

/**
 * Ignores touches for a moment after the page has changed, because a finger may still be moving toward a previous
 * button.
 */
function settle(before: PickSession, changed: PickStep, event: PickEvent): PickStep {
  const step = { ...changed, state: withOffers(before, changed.state) };
  if (shownKey(before) === shownKey(step.state)) return step;
  const part = shownPart(step.state);
  const isOwn = event.kind === 'touch' || event.kind === 'letter';
  const isFirst = partOf(before).kind === 'loading';
  const ms = inertMsOf(part, isOwn, isFirst);
  const isSameButton = isOwn && part === 'line' && questionOf(before) === undefined;
  const isSameLine = currentLine(before)?.item_id === currentLine(step.state)?.item_id;
  const typedFor = isSameLine ? step.state.typedFor : undefined;
  const state = inertAfterChange({ ...step.state, typedFor }, { at: before.at, ms, isSameButton });
  return part === 'done' ? { state, effects: [...step.effects, { do: 'play', answer: 'done' }] } : { ...step, state };
}

/** Notes that buttons of messages have changed. A notice that comes or goes moves the buttons below it. */
function withOffers(before: PickSession, state: PickSession): PickSession {
  const offered = undoOffer(before) === undoOffer(state) && before.presses === state.presses;
  const next = offered ? state : withNewOffers(state);
  if (before.presses.length === state.presses.length) return next;
  return inertAfterMove(next);
}

function shownPart(state: PickSession): ShownPart {
  if (questionOf(state) !== undefined) return 'question';
  const { kind } = partOf(state);
  return kind === 'line' || kind === 'done' ? kind : 'other';
}

/** Removes messages and questions that have expired. */
function tick(state: PickSession, now: number): PickSession {
  const isOver = (message: PickMessage | undefined): boolean => message?.until !== undefined && message.until <= now;
  const { question } = state;
  const isAsked = question !== undefined && 'until' in question && question.until <= now;
  return {
    ...state,
    question: isAsked ? undefined : question,
    last: isOver(state.last) ? undefined : state.last,
    scanned: isOver(state.scanned) ? undefined : state.scanned,
  };
}

/** Returns the time of the next `tick` or of the next visible change, or undefined if there is none. */
export function wakeAt({ last, scanned, inert, question, refusedUntil }: PickSession, now: number): number | undefined {
  const asked = question !== undefined && 'until' in question ? question.until : undefined;
  const times = [last?.until, scanned?.until, asked, inert.until, refusedUntil].filter(
    (at): at is number => at !== undefined && at > now,
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
