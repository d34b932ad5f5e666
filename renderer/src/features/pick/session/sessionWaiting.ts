import { LISTENING, mergeInert } from './inertTimes.ts';
import { commandIn } from './sessionCommands.ts';
import { refuse, stay } from './sessionSteps.ts';
import type { LaterInput, PickEvent, PickQuestion, PickSession, PickStep } from './sessionTypes.ts';
import { questionOf } from './sessionView.ts';

/**
 * Whether an input has to wait. A printed command or letter waits for the scans before it, because they change the line or question that it
 * is meant for. Other inputs wait only for a command that waits.
 */
export function isLater({ asking, later }: PickSession, event: PickEvent): event is LaterInput['event'] {
  switch (event.kind) {
    case 'letter':
      return asking > 0 || later.length > 0;
    case 'scan':
      return later.length > 0 || (asking > 0 && commandIn(event.scan.code) !== undefined);
    case 'counted':
    case 'sign':
      return later.length > 0;
    default:
      return false;
  }
}

/** Keeps an input until the scans before it are answered. */
export function postpone(state: PickSession, event: LaterInput['event']): PickStep {
  return stay({ ...state, later: [...state.later, { event, scanned: state.scanned }] });
}

/** Whether a touch is refused, because it would overtake an input that waits. */
export function isTooEarly({ later }: PickSession, event: PickEvent): boolean {
  return event.kind === 'touch' && event.touch !== 'dismiss' && later.length > 0;
}

/** Applies an event to a session. */
type Apply = (state: PickSession, event: PickEvent, now: number) => PickStep;

/** Applies the inputs that waited, once no scan is unanswered. */
export function applyLater(step: PickStep, apply: Apply, now: number): PickStep {
  const { asking, later } = step.state;
  const [first, ...rest] = later;
  if (asking > 0 || first === undefined) return step;
  const next = applyInput({ ...step.state, later: rest }, first, apply, now);
  return applyLater({ state: next.state, effects: [...step.effects, ...next.effects] }, apply, now);
}

/** Questions that a printed OK answers with a number. Nobody expects them before they are shown. */
const NUMBERS: ReadonlySet<PickQuestion['kind'] | undefined> = new Set(['over', 'number', 'empty', 'left']);

/**
 * Applies an input that waited. Ignores it if the scan before it was wrong or has left this page, because it was meant for the result of
 * that scan. The scan may have changed the page just now, which does not make the input too early.
 */
function applyInput(state: PickSession, { event, scanned }: LaterInput, apply: Apply, now: number): PickStep {
  const isCode = event.kind === 'scan' && commandIn(event.scan.code) === undefined;
  const isWrong = state.scanned?.kind === 'wrong' && state.scanned !== scanned;
  if (!isCode && (isWrong || state.isLeft)) return refuse(state, now);
  const { inert, offers, offeredAt } = state;
  const heard = { ...state, inert: NUMBERS.has(questionOf(state)?.kind) ? inert : LISTENING, offeredAt: -Infinity };
  const step = apply(heard, event, now);
  const painted = step.state.offers === offers ? { offeredAt } : {};
  return { ...step, state: { ...step.state, ...painted, inert: mergeInert(inert, step.state.inert) } };
}
