import { picksIt } from './batchPeople.ts';
import { otherHands } from './batchPart.ts';
import { stay } from './batchSteps.ts';
import type { BatchSession, BatchStep } from './batchTypes.ts';
import { type BatchView, viewOf } from './batchView.ts';

/** Returns the people who hold pieces but no longer pick the batch: they have paused, left, signed out or taken other work. */
export function leftHands(state: BatchSession, view: BatchView): string[] {
  const { batch } = view;
  const isHere = (by: string): boolean => batch.state === 'picking' && picksIt(by, batch);
  return otherHands(state, view).flatMap(({ by }) => (isHere(by) ? [] : [by]));
}

/** Notes whose pieces the page asks about, because the cart or wall was opened. At a wall that is being sorted, all people may be there. */
export function withHandsToAsk(state: BatchSession): BatchSession {
  const view = viewOf(state);
  if (view === undefined || view.batch.state === 'sorting') return state;
  const { hands, pickers, state: now } = view.batch;
  // Without a picker, anybody can act for the batch, so only the station knows who has left it.
  const isEverybodys = now === 'picking' && pickers.length === 0;
  const isGone = (name: string): boolean => !isEverybodys || hands.some(({ by, left }) => by === name && left === true);
  return { ...state, handsToAsk: leftHands(state, view).filter(isGone) };
}

/** Asks about the next of these hands, unless something else is asked or it was settled meanwhile. */
export function askHand(state: BatchSession): BatchStep {
  if (state.handsToAsk.length === 0 || state.question !== undefined || state.isBusy) return stay(state);
  const view = viewOf(state);
  const left = view === undefined ? [] : leftHands(state, view);
  const [by, ...handsToAsk] = state.handsToAsk.filter((name) => left.includes(name));
  return stay({ ...state, handsToAsk, ...(by === undefined ? {} : { question: { kind: 'hand', by } }) });
}
