import type { HistoryKind } from '#shared/api/history.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { SequenceRow, StepAt, StepRow } from '../../db/repositories/sequences.ts';
import type { Transaction } from '../../db/writer.ts';
import { workOf, type Owner } from '../../domain/commands/commandQueue.ts';
import { next, type Run, type StepEnd } from '../../domain/orders/sequence.ts';
import { StationError } from '../../errors.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { Commands, OwnedEnd, RequestDefaults } from '../commands/index.ts';
import { unseenWarnings, findAgain, pointed } from '../devices/index.ts';
import { progressEntry, stepChange } from './entry.ts';
import { readContent } from './steps.ts';

/** Sequence in the form of the state machine, with the rows of its steps. */
export type SequenceRun = Run<StepAt>;

/** Step that could not be lit, with the reason. */
export type Unlit = { position: number; problem: string };

export type LitSteps = { unlit: Unlit[]; warnings: string[] };

/**
 * Time (epoch milliseconds), place and author of a change to a sequence. Device and location are '' if the change does not affect a step.
 */
export type Turn = { at: number; deviceId: string; location: string; detail: Pick<HistoryDetail, 'by' | 'reason'> };

const STEP_ENDS = {
  acknowledged: 'acknowledged',
  timedOut: 'timed_out',
  killed: 'cancelled',
} as const satisfies Record<OwnedEnd['end']['kind'], StepEnd>;

const WORDS: Readonly<Record<StepEnd, string>> = {
  acknowledged: 'was acknowledged.',
  timed_out: 'timed out.',
  cancelled: 'was removed.',
};

type SequenceRunsParts = {
  repositories: TablesOf<'sequences'>;
  commands: Pick<Commands, 'send' | 'withdraw'>;
  callbacks: Callbacks;
  settings: { current(): RequestDefaults };
};

/** State shared by the functions that run sequences. */
type SequenceRunsContext = SequenceRunsParts;

/** Creates the functions that handle events of running sequences. Call these functions inside a transaction. */
export function createSequenceRuns(parts: SequenceRunsParts) {
  const { repositories, commands, callbacks, settings } = parts;
  const context: SequenceRunsContext = { repositories, commands, callbacks, settings };
  return {
    load: (sequenceRow: SequenceRow) => load(context, sequenceRow),
    light: (tx: Transaction, row: SequenceRow, asked: { before: SequenceRun; after: SequenceRun }) =>
      light(context, tx, row, asked),
    takeBack: (tx: Transaction, row: SequenceRow, by: string) => takeBack(context, tx, row, by),
    ended: (tx: Transaction, ownedEnd: OwnedEnd) => ended(context, tx, ownedEnd),
    stepMoved: (tx: Transaction, stepId: number) => stepMoved(context, tx, stepId),
    record: (sequenceRow: SequenceRow, kind: HistoryKind, turn: Turn) => record(context, sequenceRow, kind, turn),
    publish: (tx: Transaction, row: SequenceRow, anew: boolean) => publish(context, tx, row, anew),
  };
}

function load({ repositories }: SequenceRunsContext, { id, state }: SequenceRow): SequenceRun {
  return { state, steps: repositories.sequences.listRun(id) };
}

/** Loads the steps of a sequence that the end of this step can change. Only an acknowledgement affects other steps. */
function loadFor(
  context: SequenceRunsContext,
  row: SequenceRow,
  step: StepRow,
  as: StepEnd,
): { before: SequenceRun; index: number } {
  if (as === 'acknowledged') return { before: load(context, row), index: step.position };
  return { before: { state: row.state, steps: [step] }, index: 0 };
}

/** Lights each step that has become active, and resets each step that is pending again. */
function light(
  context: SequenceRunsContext,
  tx: Transaction,
  row: SequenceRow,
  { before, after }: { before: SequenceRun; after: SequenceRun },
): LitSteps {
  const { repositories } = context;
  const lit: LitSteps = { unlit: [], warnings: [] };
  for (const [index, { id, position, state }] of after.steps.entries()) {
    const isNew = state !== before.steps[index]?.state;
    if (!isNew || (state !== 'active' && state !== 'pending')) continue;
    repositories.sequences.setStep(id, { state, qty: null, finishedAt: null });
    if (state === 'active') {
      const result = lightStep(context, tx, row, getStep(context, id));
      if ('problem' in result) lit.unlit.push({ position, problem: result.problem });
      else lit.warnings.push(...result.warnings.map((warning) => `/steps/${position}: ${warning}`));
    }
    publishStep(context, tx, row, id);
  }
  return lit;
}

/** Lights a step. Returns a problem instead of throwing, because the press that activated this step must count anyway. */
function lightStep(
  { repositories, settings, commands }: SequenceRunsContext,
  tx: Transaction,
  row: SequenceRow,
  step: StepRow,
): { warnings: string[] } | { problem: string } {
  const { id, place, nonce } = step;
  const target = place === null ? undefined : findAgain(repositories, place);
  if (target === undefined) return { problem: `The device ${place?.deviceId ?? ''} was removed.` };
  const read = readContent(step.content, settings.current());
  if (!read.ok) return { problem: read.errors[0]?.message ?? 'It cannot be shown.' };
  const { content, arrowAdded, warnings } = pointed(read.content, target);
  const { deviceId, alias, label } = target;
  const owner: Owner = { kind: 'step', id, of: row.sequenceId };
  const what = { content, arrowAdded, nonce, sender: row.launchedBy, owner };
  try {
    commands.send(tx, { deviceId, target: target.target, alias, label, ...what });
  } catch (error) {
    // The device's queue is full.
    if (error instanceof StationError && error.code === 'invalid') return { problem: error.message };
    throw error;
  }
  return { warnings: [...warnings, ...unseenWarnings(content, target)] };
}

/** Turns off all lit steps and resets the sequence as if it had never been launched. Returns the new row. */
function takeBack(context: SequenceRunsContext, tx: Transaction, row: SequenceRow, by: string): SequenceRow {
  const { repositories, commands } = context;
  // Start with the last step, so that later steps on the same device do not light up briefly.
  for (const { id, state } of repositories.sequences.listRun(row.id).toReversed()) {
    if (state === 'active') commands.withdraw(tx, { kind: 'step', id }, by);
  }
  if (row.state === 'in-progress' || row.state === 'stalled') {
    record(context, row, 'sequence_cancelled', { at: tx.now, deviceId: '', location: '', detail: { by } });
  }
  repositories.sequences.resetSteps(row.id);
  const fresh: SequenceRow = { ...row, state: 'unstarted', startedAt: null, completedAt: null };
  repositories.sequences.update(fresh);
  return fresh;
}

/** Updates a step whose command ended, and lights the next steps. */
function ended(
  context: SequenceRunsContext,
  tx: Transaction,
  { command, end, recorded, by, owner, isReported }: OwnedEnd,
): void {
  const { repositories, callbacks } = context;
  const step = repositories.sequences.findStep(owner.id);
  const row = step && repositories.sequences.findById(step.sequence);
  if (step?.state !== 'active' || row === undefined) return;
  const { deviceId } = command;
  const { historyId, location } = recorded;
  const as = STEP_ENDS[end.kind];
  const qty = 'qty' in end ? end.qty : null;
  const { before, index } = loadFor(context, row, step, as);
  const after = next(before, { kind: 'ended', step: index, as });
  repositories.sequences.setStep(step.id, { state: as, qty, finishedAt: end.at });
  if (step.place?.deviceId !== deviceId) repositories.sequences.setDevice(step.id, deviceId);
  if (as !== 'cancelled' && isReported) {
    const acknack = as === 'acknowledged' ? 'ack' : 'nack';
    const payload = { acknack, deviceid: deviceId, location, nonce: step.nonce, qty: qty ?? 0 } as const;
    callbacks.add(tx, { family: 'sequence', historyId, at: end.at, payload });
  }
  publishStep(context, tx, row, step.id);
  const reason = `${nameOf(step)} ${WORDS[as]}`;
  lightNext(context, tx, row, { before, after }, { at: end.at, deviceId, location, detail: { by, reason } });
}

/** Lights the next steps and saves the new state of the sequence. */
function lightNext(
  context: SequenceRunsContext,
  tx: Transaction,
  row: SequenceRow,
  run: { before: SequenceRun; after: SequenceRun },
  turn: Turn,
): void {
  const { repositories } = context;
  const { unlit } = light(context, tx, row, run);
  let { after } = run;
  for (const { position } of unlit) after = cancelled(context, tx, row, after, position);
  const [first] = unlit;
  const { state } = after;
  const later: SequenceRow = { ...row, state, completedAt: state === 'completed' ? turn.at : row.completedAt };
  if (state !== row.state) repositories.sequences.update(later);
  if (state === 'stalled' && row.state !== 'stalled') {
    record(context, later, 'sequence_stalled', first === undefined ? turn : unlitTurn(tx, first));
  }
  if (state === 'completed') complete(context, tx, later, turn);
  publish(context, tx, later, false);
}

function cancelled(
  context: SequenceRunsContext,
  tx: Transaction,
  row: SequenceRow,
  run: SequenceRun,
  position: number,
): SequenceRun {
  const { repositories } = context;
  const step = run.steps[position];
  if (step === undefined) return run;
  repositories.sequences.setStep(step.id, { state: 'cancelled', qty: null, finishedAt: tx.now });
  publishStep(context, tx, row, step.id);
  return next(run, { kind: 'ended', step: position, as: 'cancelled' });
}

function complete(context: SequenceRunsContext, tx: Transaction, row: SequenceRow, { at, detail: { by } }: Turn): void {
  const { callbacks } = context;
  const detail = by === undefined ? {} : { by };
  const historyId = record(context, row, 'sequence_completed', { at, deviceId: '', location: '', detail });
  if (row.nonce === '') return;
  const payload = { acknack: 'ack', deviceid: row.sequenceId, location: '', nonce: row.nonce, qty: 0 } as const;
  callbacks.add(tx, { family: 'sequence', historyId, at, payload });
}

/** Adds a change to the whole sequence to the history. Returns the id of the history row. */
function record(
  { repositories }: SequenceRunsContext,
  { sequenceId, nonce }: SequenceRow,
  kind: HistoryKind,
  turn: Turn,
): number {
  const work = workOf({ kind: 'step', id: 0, of: sequenceId });
  return repositories.history.insert({ ...turn, kind, commandId: null, nonce, qty: 0, work });
}

/** Publishes the progress of a sequence. `anew` tells clients to load the steps again. */
function publish({ repositories }: SequenceRunsContext, tx: Transaction, row: SequenceRow, anew: boolean): void {
  const sequence = progressEntry(row, repositories.sequences.count(row.id));
  tx.emit({ type: 'sequence.changed', sequence, read_anew: anew });
}

function publishStep(context: SequenceRunsContext, tx: Transaction, row: SequenceRow, id: number): void {
  const step = getStep(context, id);
  tx.emit({ type: 'sequence.step', sequenceid: row.sequenceId, index: step.position, step: stepChange(step) });
}

function getStep({ repositories }: SequenceRunsContext, id: number): StepRow {
  const step = repositories.sequences.findStep(id);
  if (step === undefined) throw new Error(`Step ${id} is on no disk.`);
  return step;
}

/** Publishes a step that got a new command. */
function stepMoved(context: SequenceRunsContext, tx: Transaction, stepId: number): void {
  const { repositories } = context;
  const step = repositories.sequences.findStep(stepId);
  const row = step && repositories.sequences.findById(step.sequence);
  if (row !== undefined) publishStep(context, tx, row, stepId);
}

function unlitTurn({ now }: Transaction, { position, problem }: Unlit): Turn {
  const reason = `${nameOf({ position })} could not be lit. ${problem}`;
  return { at: now, deviceId: '', location: '', detail: { reason } };
}

/** Returns the name of a step for display, counting from 1. */
function nameOf({ position }: Pick<StepRow, 'position'>): string {
  return `Step ${position + 1}`;
}
