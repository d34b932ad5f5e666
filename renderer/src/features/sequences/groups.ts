import type { Sequence, Step, StepState } from '#shared/api/sequence.ts';
import type { Tone } from '../../kit/feedback/StateTag.tsx';

export type GroupState = 'done' | 'lit' | 'halted' | 'partly' | 'pending';

/** A step with its index in the request, starting at 0. */
export type PlacedStep = { index: number; step: Step };

/** Steps that start together. */
export type StepGroup = { order: number; steps: readonly PlacedStep[]; state: GroupState };

export const STEP_TONES: Readonly<Record<StepState, Tone>> = {
  pending: 'open',
  active: 'lit',
  acknowledged: 'done',
  timed_out: 'halted',
  cancelled: 'halted',
};

export const GROUP_TONES: Readonly<Record<GroupState, Tone>> = {
  done: 'done',
  lit: 'lit',
  halted: 'halted',
  partly: 'open',
  pending: 'open',
};

/** Returns the groups of steps, in the order in which they start. */
export function groupsOf({ steps, state }: Pick<Sequence, 'steps' | 'state'>): readonly StepGroup[] {
  const orders = [...new Set(steps.map(({ order }) => order))].toSorted((a, b) => a - b);
  const placed = steps.map((step, index) => ({ index, step }));
  return orders.map((order) => {
    const own = placed.filter(({ step }) => step.order === order);
    return { order, steps: own, state: groupState(own, state === 'stalled') };
  });
}

function groupState(steps: readonly PlacedStep[], isStalled: boolean): GroupState {
  const has = (state: StepState) => steps.some(({ step }) => step.state === state);
  if (isStalled && (has('timed_out') || has('cancelled'))) return 'halted';
  if (has('active')) return 'lit';
  if (steps.every(({ step }) => step.state === 'acknowledged')) return 'done';
  return has('acknowledged') ? 'partly' : 'pending';
}

/**
 * Returns the steps that stall a sequence, and the steps that are still lit. Returns undefined if the sequence is not
 * stalled.
 */
export function haltOf({ steps, state }: Pick<Sequence, 'steps' | 'state'>) {
  if (state !== 'stalled') return undefined;
  const of = (wanted: StepState) => steps.filter((step) => step.state === wanted);
  return { timedOut: of('timed_out'), takenAway: of('cancelled'), stillLit: of('active') };
}

/** Counts the steps of an open sequence by state. The fields have the same names as in the list. */
export function sequenceCounts({ steps }: Pick<Sequence, 'steps'>) {
  const of = (...states: StepState[]) => steps.filter(({ state }) => states.includes(state)).length;
  return {
    step_count: steps.length,
    acknowledged_count: of('acknowledged'),
    active_count: of('active'),
    halted_count: of('timed_out', 'cancelled'),
  };
}
