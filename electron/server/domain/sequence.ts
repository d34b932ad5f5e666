import type { SequenceState, StepState } from '#shared/api/sequence.ts';

/** What the machine knows of a step. Steps of equal order are one group: they start together. */
export type RunStep = { order: number; state: StepState };

/** Where a sequence stands. */
export type Run<S extends RunStep = RunStep> = { state: SequenceState; steps: readonly S[] };

/** `cancelled`: somebody took it away, or it could not be lit. */
export type StepEnd = 'acknowledged' | 'timed_out' | 'cancelled';

export type RunEvent =
  /** Begins; goes on where it stalled; begins anew where it was completed. */
  | { kind: 'launched' }
  /** The step at this index is lit no more. */
  | { kind: 'ended'; step: number; as: StepEnd }
  /** As if it had never been launched. What is lit then, the caller has taken back. */
  | { kind: 'reset' };

/**
 * The life of a sequence. A step that becomes `active` is to be lit. Pairs that mean nothing change nothing: a launch of
 * what runs, the end of a step that is not lit.
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
      // Nothing new started since, so what halted it is of one group.
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

/** The pending steps of the lowest order become active; without one it is complete. */
function startNextGroup<S extends RunStep>({ steps }: Run<S>): Run<S> {
  const pending = steps.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return { state: 'completed', steps };
  const order = pending.reduce((lowest, step) => Math.min(lowest, step.order), Number.POSITIVE_INFINITY);
  return {
    state: 'in-progress',
    steps: steps.map((step) => (step.order === order && step.state === 'pending' ? become(step, 'active') : step)),
  };
}

/** It was lit and not acknowledged: this holds the sequence up. */
function isHalted({ state }: Pick<RunStep, 'state'>): boolean {
  return state === 'timed_out' || state === 'cancelled';
}

function become<S extends RunStep>(step: S, state: StepState): S {
  return { ...step, state };
}
