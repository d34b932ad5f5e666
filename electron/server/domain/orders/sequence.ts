import type { SequenceState, StepState } from '#shared/api/sequence.ts';

/** A step as the state machine sees it. Steps with equal `order` form a group and start together. */
export type RunStep = { order: number; state: StepState };

export type Run<S extends RunStep = RunStep> = { state: SequenceState; steps: readonly S[] };

/** How a step ended. It is `cancelled` if it was removed or could not be lit. */
export type StepEnd = 'acknowledged' | 'timed_out' | 'cancelled';

export type RunEvent =
  /** Starts the sequence, continues it where it stalled, or restarts it after completion. */
  | { kind: 'launched' }
  /** The step at this index is no longer lit. */
  | { kind: 'ended'; step: number; as: StepEnd }
  /** Resets the sequence as if it had never been launched. The caller turns off lit steps. */
  | { kind: 'reset' };

/**
 * Returns the sequence as it is after an event. The caller lights each step that becomes `active`. Events that do not apply change nothing,
 * such as launching a running sequence or ending an unlit step.
 */
export function next<S extends RunStep>(run: Run<S>, event: RunEvent): Run<S> {
  switch (event.kind) {
    case 'launched':
      return launched(run);
    case 'ended':
      return ended(run, event.step, event.as);
    case 'reset':
      return reset(run);
  }
}

function launched<S extends RunStep>(run: Run<S>): Run<S> {
  switch (run.state) {
    case 'unstarted':
      return startNextGroup(run);
    case 'in-progress':
      return run;
    case 'stalled':
      // No group has started since the halt, so all halted steps are in the same group.
      return { state: 'in-progress', steps: run.steps.map((step) => (isHalted(step) ? become(step, 'active') : step)) };
    case 'completed':
      return startNextGroup(reset(run));
  }
}

function ended<S extends RunStep>(run: Run<S>, index: number, as: StepEnd): Run<S> {
  const step = run.steps[index];
  if (step?.state !== 'active') return run;
  const steps = run.steps.with(index, become(step, as));
  if (as !== 'acknowledged') return { state: 'stalled', steps };
  const isGroupDone = steps.every(({ order, state }) => order !== step.order || state === 'acknowledged');
  return run.state === 'in-progress' && isGroupDone ? startNextGroup({ state: run.state, steps }) : { ...run, steps };
}

function reset<S extends RunStep>(run: Run<S>): Run<S> {
  if (run.state === 'unstarted') return run;
  return { state: 'unstarted', steps: run.steps.map((step) => become(step, 'pending')) };
}

/** Activates the pending steps with the lowest order. If none are pending, the sequence is complete. */
function startNextGroup<S extends RunStep>({ steps }: Run<S>): Run<S> {
  const pending = steps.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return { state: 'completed', steps };
  const order = pending.reduce((lowest, step) => Math.min(lowest, step.order), Number.POSITIVE_INFINITY);
  return {
    state: 'in-progress',
    steps: steps.map((step) => (step.order === order && step.state === 'pending' ? become(step, 'active') : step)),
  };
}

/** Whether the step was lit but not acknowledged, which halts the sequence. */
function isHalted({ state }: Pick<RunStep, 'state'>): boolean {
  return state === 'timed_out' || state === 'cancelled';
}

function become<S extends RunStep>(step: S, state: StepState): S {
  return { ...step, state };
}
