import type { HistoryKind } from '#shared/api/history.ts';
import type { HistoryDetail } from '../db/repositories/history.ts';
import type { SequenceRow, StepAt, StepRow } from '../db/repositories/sequences.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction } from '../db/writer.ts';
import { workOf, type Owner } from '../domain/commandQueue.ts';
import { next, type Run, type StepEnd } from '../domain/sequence.ts';
import { StationError } from '../errors.ts';
import { pointed } from './aliasArrow.ts';
import type { Callbacks } from './callbacks.ts';
import type { Commands, OwnedEnd } from './commands.ts';
import { darkWarnings } from './display.ts';
import type { RequestDefaults } from './requests.ts';
import { progressEntry, stepChange } from './sequenceEntry.ts';
import { readContent } from './sequenceSteps.ts';
import { findAgain } from './targets.ts';

/** Where a sequence stands, with the rows of its steps. */
export type SequenceRun = Run<StepAt>;

/** A step that could not be lit, and why: a sentence. */
export type Unlit = { position: number; problem: string };

/** What follows one event while a sequence runs. Every function runs inside a use-case. */
export type SequenceRuns = {
  load(row: SequenceRow): SequenceRun;
  /** Lights every step that has become active, and puts back every other that has become pending. */
  light(unit: Transaction, row: SequenceRow, run: { before: SequenceRun; after: SequenceRun }): Lit;
  /** What is lit goes out, and all of it is as if it had never been launched. Answers the row as it is then. */
  takeBack(unit: Transaction, row: SequenceRow, by: string): SequenceRow;
  /** The command of a step is over. */
  ended(unit: Transaction, ended: OwnedEnd): void;
  /** Another command stands in the place of the one that this step lit. */
  stepMoved(unit: Transaction, stepId: number): void;
  /** Writes a turn of the whole sequence into history. Answers the row's id. */
  record(row: SequenceRow, kind: HistoryKind, turn: Turn): number;
  /** Tells how far it is. `anew`: its steps were given or begun anew. */
  tell(unit: Transaction, row: SequenceRow, anew: boolean): void;
};

export type Lit = { unlit: Unlit[]; warnings: string[] };

/** When it was (epoch milliseconds), by whom, and where: empty where it is about no step. */
export type Turn = { at: number; deviceId: string; location: string; detail: Pick<HistoryDetail, 'by' | 'reason'> };

const STEP_ENDS = {
  acknowledged: 'acknowledged',
  timedOut: 'timed_out',
  killed: 'cancelled',
} as const satisfies Record<OwnedEnd['end']['kind'], StepEnd>;

const WORDS: Readonly<Record<StepEnd, string>> = {
  acknowledged: 'was acknowledged.',
  timed_out: 'timed out.',
  cancelled: 'was taken away.',
};

export function createSequenceRuns(parts: {
  rows: Repositories;
  commands: Pick<Commands, 'send' | 'withdraw'>;
  callbacks: Callbacks;
  settings: { current(): RequestDefaults };
}): SequenceRuns {
  const { rows, commands, callbacks, settings } = parts;

  function load({ id, state }: SequenceRow): SequenceRun {
    return { state, steps: rows.sequences.listRun(id) };
  }

  function light(
    unit: Transaction,
    row: SequenceRow,
    { before, after }: { before: SequenceRun; after: SequenceRun },
  ): Lit {
    const lit: Lit = { unlit: [], warnings: [] };
    for (const { id, position, state } of after.steps) {
      const isNew = state !== before.steps[position]?.state;
      if (!isNew || (state !== 'active' && state !== 'pending')) continue;
      rows.sequences.setStep(id, { state, qty: null, finishedAt: null });
      if (state === 'active') {
        const result = lightStep(unit, row, getStep(id));
        if ('problem' in result) lit.unlit.push({ position, problem: result.problem });
        else lit.warnings.push(...result.warnings.map((warning) => `/steps/${position}: ${warning}`));
      }
      tellStep(unit, row, id);
    }
    return lit;
  }

  /** What stands in its way is said and not thrown: the press whose turn this is must count. */
  function lightStep(unit: Transaction, row: SequenceRow, step: StepRow): { warnings: string[] } | { problem: string } {
    const { id, place, nonce } = step;
    const target = place === null ? undefined : findAgain(rows, place);
    if (target === undefined) return { problem: `The device ${place?.deviceId ?? ''} was taken away.` };
    const read = readContent(step.content, settings.current());
    if (!read.ok) return { problem: read.errors[0]?.message ?? 'It cannot be shown.' };
    const { content, arrowAdded, warnings } = pointed(read.content, target);
    const { deviceId, alias, label } = target;
    const owner: Owner = { kind: 'step', id, of: row.sequenceId };
    const what = { content, arrowAdded, nonce, sender: row.launchedBy, owner };
    try {
      commands.send(unit, { deviceId, target: target.target, alias, label, ...what });
    } catch (error) {
      // The queue of its device is full.
      if (error instanceof StationError && error.code === 'invalid') return { problem: error.message };
      throw error;
    }
    return { warnings: [...warnings, ...darkWarnings(content, target)] };
  }

  function takeBack(unit: Transaction, row: SequenceRow, by: string): SequenceRow {
    // The last first: what stands behind it in its queue is not lit for a moment.
    for (const { id, state } of rows.sequences.listRun(row.id).toReversed()) {
      if (state === 'active') commands.withdraw(unit, { kind: 'step', id }, by);
    }
    if (row.state === 'in-progress' || row.state === 'stalled') {
      record(row, 'sequence_cancelled', { at: unit.now, deviceId: '', location: '', detail: { by } });
    }
    rows.sequences.resetSteps(row.id);
    const fresh: SequenceRow = { ...row, state: 'unstarted', startedAt: null, completedAt: null };
    rows.sequences.update(fresh);
    return fresh;
  }

  function ended(unit: Transaction, { command, end, recorded, by, owner, told }: OwnedEnd): void {
    const step = rows.sequences.findStep(owner.id);
    const row = step && rows.sequences.findById(step.sequence);
    if (step?.state !== 'active' || row === undefined) return;
    const { deviceId } = command;
    const { historyId, location } = recorded;
    const as = STEP_ENDS[end.kind];
    const qty = 'qty' in end ? end.qty : null;
    const before = load(row);
    const after = next(before, { kind: 'ended', step: step.position, as });
    rows.sequences.setStep(step.id, { state: as, qty, finishedAt: end.at });
    if (step.place?.deviceId !== deviceId) rows.sequences.setDevice(step.id, deviceId);
    if (as !== 'cancelled' && told) {
      const acknack = as === 'acknowledged' ? 'ack' : 'nack';
      const payload = { acknack, deviceid: deviceId, location, nonce: step.nonce, qty: qty ?? 0 } as const;
      callbacks.add(unit, { family: 'sequence', historyId, payload });
    }
    tellStep(unit, row, step.id);
    const reason = `${nameOf(step)} ${WORDS[as]}`;
    goOn(unit, row, { before, after }, { at: end.at, deviceId, location, detail: { by, reason } });
  }

  /** Lights what comes next, and writes down where that leaves the sequence. */
  function goOn(
    unit: Transaction,
    row: SequenceRow,
    run: { before: SequenceRun; after: SequenceRun },
    turn: Turn,
  ): void {
    const { unlit } = light(unit, row, run);
    let { after } = run;
    for (const { position } of unlit) after = cancelled(unit, row, after, position);
    const [first] = unlit;
    const { state } = after;
    const later: SequenceRow = { ...row, state, completedAt: state === 'completed' ? turn.at : row.completedAt };
    if (state !== row.state) rows.sequences.update(later);
    if (state === 'stalled' && row.state !== 'stalled') {
      record(later, 'sequence_stalled', first === undefined ? turn : unlitTurn(unit, first));
    }
    if (state === 'completed') complete(unit, later, turn);
    tell(unit, later, false);
  }

  function cancelled(unit: Transaction, row: SequenceRow, run: SequenceRun, position: number): SequenceRun {
    const step = run.steps[position];
    if (step === undefined) return run;
    rows.sequences.setStep(step.id, { state: 'cancelled', qty: null, finishedAt: unit.now });
    tellStep(unit, row, step.id);
    return next(run, { kind: 'ended', step: position, as: 'cancelled' });
  }

  function complete(unit: Transaction, row: SequenceRow, { at, detail: { by } }: Turn): void {
    const detail = by === undefined ? {} : { by };
    const historyId = record(row, 'sequence_completed', { at, deviceId: '', location: '', detail });
    if (row.nonce === '') return;
    const payload = { acknack: 'ack', deviceid: row.sequenceId, location: '', nonce: row.nonce, qty: 0 } as const;
    callbacks.add(unit, { family: 'sequence', historyId, payload });
  }

  function record({ sequenceId, nonce }: SequenceRow, kind: HistoryKind, turn: Turn): number {
    const work = workOf({ kind: 'step', id: 0, of: sequenceId });
    return rows.history.insert({ ...turn, kind, commandId: null, nonce, qty: 0, work });
  }

  function tell(unit: Transaction, row: SequenceRow, anew: boolean): void {
    const sequence = progressEntry(row, rows.sequences.count(row.id));
    unit.emit({ type: 'sequence.changed', sequence, read_anew: anew });
  }

  function tellStep(unit: Transaction, row: SequenceRow, id: number): void {
    const step = getStep(id);
    unit.emit({ type: 'sequence.step', sequenceid: row.sequenceId, index: step.position, step: stepChange(step) });
  }

  function getStep(id: number): StepRow {
    const step = rows.sequences.findStep(id);
    if (step === undefined) throw new Error(`Step ${id} is on no disk.`);
    return step;
  }

  function stepMoved(unit: Transaction, stepId: number): void {
    const step = rows.sequences.findStep(stepId);
    const row = step && rows.sequences.findById(step.sequence);
    if (row !== undefined) tellStep(unit, row, stepId);
  }

  return { load, light, takeBack, ended, stepMoved, record, tell };
}

function unlitTurn({ now }: Transaction, { position, problem }: Unlit): Turn {
  const reason = `${nameOf({ position })} could not be lit. ${problem}`;
  return { at: now, deviceId: '', location: '', detail: { reason } };
}

/** As people count. */
function nameOf({ position }: Pick<StepRow, 'position'>): string {
  return `Step ${position + 1}`;
}
