import type { ChangedSequence, NewSequence, Sequence, SequenceResult } from '#shared/api/sequence.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { TablesOf } from '../../core.ts';
import type { SequenceRow, StoredStepContent } from '../../db/repositories/sequences.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { next } from '../../domain/orders/sequence.ts';
import { StationError } from '../../errors.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { type Commands, type RequestDefaults, inWords, refuseFaults } from '../commands/index.ts';
import { sequenceEntry } from './entry.ts';
import { type SequenceRun, type Turn, type Unlit, createSequenceRuns } from './runs.ts';
import { type CheckedSteps, atMost, checkSteps, contentFaults, findPlaces } from './steps.ts';

/** Sequence in canonical form, with the unknown fields of its request. `strict` rejects content that devices cannot show. */
export type GivenSequence<T> = { sequence: T; unknown: readonly FieldError[]; strict: boolean };

type SequencesParts = {
  repositories: TablesOf<'sequences'>;
  reads: TablesOf<'sequences'>;
  writer: Pick<Writer, 'writeLarge'>;
  commands: Pick<Commands, 'send' | 'withdraw'>;
  callbacks: Callbacks;
  settings: { current(): RequestDefaults };
};

/** State shared by the functions that manage sequences. */
type SequencesContext = SequencesParts & {
  runs: ReturnType<typeof createSequenceRuns>;
};

/** Manages sequences, which are lists of steps on several devices that advance with each acknowledgement. Contract, section 7. */
export function createSequences(parts: SequencesParts) {
  const { repositories, reads, writer, commands, callbacks, settings } = parts;
  const context: SequencesContext = {
    repositories,
    reads,
    writer,
    commands,
    callbacks,
    settings,
    runs: createSequenceRuns({ repositories, commands, callbacks, settings }),
  };
  return {
    get: (sequenceId: string) => get(context, sequenceId),
    /** Returns the errors in the content of steps that are rejected anyway, so that one response lists all errors. */
    contentFaults: (contents: readonly (StoredStepContent | undefined)[]): FieldError[] =>
      contentFaults(contents, settings.current()),
    add: (given: GivenSequence<NewSequence>) => add(context, given),
    replace: (sequenceId: string, given: GivenSequence<ChangedSequence>, by: string) =>
      replace(context, sequenceId, given, by),
    remove: (sequenceId: string, by: string) => remove(context, sequenceId, by),
    /** Deletes a sequence inside a transaction. */
    removeWithin: (tx: Transaction, row: SequenceRow, by: string) => removeWithin(context, tx, row, by),
    /**
     * Lights the first group of steps, or continues a stalled sequence. `restart` starts from the beginning. Throws `not_found`, or
     * `conflict`, without changing anything, if a step has no device or the queue of its device is full.
     */
    launch: (sequenceId: string, how: { restart: boolean; by: string }): Promise<SequenceResult> =>
      writeWhole(context, sequenceId, (tx, found) => launch(context, tx, found, how)),
    /** Updates a step whose command ended, inside the transaction that ends the command. */
    ended: context.runs.ended,
    /** Publishes a step that got a new command, inside the transaction that creates the command. */
    stepMoved: context.runs.stepMoved,
    giveDevice: (tx: Transaction, from: string, to: string) => giveDevice(context, tx, from, to),
  };
}

export type Sequences = ReturnType<typeof createSequences>;

/** Returns a sequence with its steps. Throws `not_found`. */
function get({ reads }: SequencesContext, sequenceId: string): Sequence {
  const row = find(reads, sequenceId);
  return sequenceEntry(row, reads.sequences.listSteps(row.id));
}

/** Adds a sequence. Throws `invalid`, or `conflict` if the sequenceid already exists. */
async function add(context: SequencesContext, given: GivenSequence<NewSequence>): Promise<SequenceResult> {
  const { repositories, runs, writer } = context;
  const { steps, warnings } = check(context, given);
  const { sequenceid: sequenceId, sequencenonce: nonce = '' } = given.sequence;
  if (/^\.{1,2}$/.test(sequenceId)) {
    const message = `"${sequenceId}" cannot be the last part of an address. Choose another sequenceid.`;
    throw new StationError('invalid', message, [{ path: '/sequenceid', message }]);
  }
  const insert = (tx: Transaction): SequenceResult => {
    if (repositories.sequences.find(sequenceId) !== undefined) {
      throw new StationError(
        'conflict',
        `There is already a sequence "${sequenceId}". Change it with PUT, or choose another sequenceid.`,
      );
    }
    const id = repositories.sequences.insert({ sequenceId, nonce, now: tx.now });
    repositories.sequences.replaceSteps(id, steps);
    const row = find(repositories, sequenceId);
    runs.publish(tx, row, true);
    return result(context, row, warnings);
  };
  return writer.writeLarge(insert);
}

/** Turns off a sequence and replaces everything except its id. Throws the same errors as `add`, or `not_found`. */
async function replace(
  context: SequencesContext,
  sequenceId: string,
  given: GivenSequence<ChangedSequence>,
  by: string,
): Promise<SequenceResult> {
  const { runs, repositories } = context;
  const { steps, warnings } = check(context, given);
  const { sequenceid: named = sequenceId, sequencenonce: nonce = '' } = given.sequence;
  if (named !== sequenceId) {
    const message = `The path names "${sequenceId}": a sequence keeps its name. Leave this out.`;
    throw new StationError('invalid', message, [{ path: '/sequenceid', message }]);
  }
  const replaceSteps = (tx: Transaction, found: SequenceRow): SequenceResult => {
    const row = { ...runs.takeBack(tx, found, by), nonce };
    repositories.sequences.replaceSteps(row.id, steps);
    repositories.sequences.update(row);
    runs.publish(tx, row, true);
    return result(context, row, warnings);
  };
  return writeWhole(context, sequenceId, replaceSteps);
}

/** Turns off the sequence and deletes it. Throws `not_found`. */
function remove(context: SequencesContext, sequenceId: string, by: string): Promise<void> {
  return writeWhole(context, sequenceId, (tx, found) => removeWithin(context, tx, found, by));
}

function removeWithin(context: SequencesContext, tx: Transaction, found: SequenceRow, by: string): void {
  const row = context.runs.takeBack(tx, found, by);
  context.repositories.sequences.remove(row.id);
  tx.emit({ type: 'sequence.removed', sequenceid: row.sequenceId });
}

/** Moves steps from a device to its replacement, inside a transaction. The caller moves the device's commands. */
function giveDevice({ repositories, runs }: SequencesContext, tx: Transaction, from: string, to: string): void {
  const changed = repositories.sequences.listWithDevice(from);
  repositories.sequences.giveDevice(from, to);
  for (const row of changed) runs.publish(tx, row, true);
}

function find(from: TablesOf<'sequences'>, sequenceId: string): SequenceRow {
  const row = from.sequences.find(sequenceId);
  if (row !== undefined) return row;
  throw new StationError('not_found', `There is no sequence "${sequenceId}". GET /api/sequence/ lists them.`);
}

/** Runs a transaction that may read all steps of a sequence. Throws `not_found`. */
function writeWhole<T>(
  { writer, repositories }: SequencesContext,
  sequenceId: string,
  useCase: (tx: Transaction, row: SequenceRow) => T,
): Promise<T> {
  return writer.writeLarge((tx) => useCase(tx, find(repositories, sequenceId)));
}

function check(
  { reads, settings }: SequencesContext,
  { sequence, unknown, strict }: GivenSequence<ChangedSequence>,
): CheckedSteps {
  if (strict) refuseFaults(unknown);
  const { steps, warnings } = checkSteps(sequence.steps, { tables: reads, defaults: settings.current(), strict });
  return { steps, warnings: [...warnings, ...unknown.map(inWords)] };
}

/** Returns the current sequence with these warnings. Call inside a transaction. */
function result({ repositories }: SequencesContext, row: SequenceRow, warnings: readonly string[]): SequenceResult {
  return { ...sequenceEntry(row, repositories.sequences.listSteps(row.id)), warnings: [...warnings] };
}

/** Finds and saves the places of all steps that still have to be lit. Returns the warnings. */
function findAll({ repositories }: SequencesContext, run: SequenceRun, row: SequenceRow): string[] {
  const steps = repositories.sequences
    .listSteps(row.id)
    .filter(({ position, lit }) => lit === null && run.steps[position]?.state !== 'acknowledged');
  const { places, warnings } = findPlaces(repositories, steps);
  for (const [index, place] of places.entries()) {
    const step = steps[index];
    if (step !== undefined) repositories.sequences.setPlace(step.id, place);
  }
  return warnings;
}

function launch(
  context: SequencesContext,
  tx: Transaction,
  found: SequenceRow,
  { restart, by }: { restart: boolean; by: string },
): SequenceResult {
  const { runs, repositories } = context;
  const begun = restart ? runs.takeBack(tx, found, by) : found;
  const before = runs.load(begun);
  const after = next(before, { kind: 'launched' });
  if (after === before) return result(context, begun, [UNDER_WAY]);
  const warnings = findAll(context, after, begun);
  const goesOn = before.state === 'stalled';
  const row: SequenceRow = {
    ...begun,
    state: after.state,
    launchedBy: by,
    startedAt: goesOn ? begun.startedAt : tx.now,
    completedAt: null,
  };
  const turn: Turn = { at: tx.now, deviceId: '', location: '', detail: { by } };
  runs.record(row, goesOn ? 'sequence_relaunched' : 'sequence_launched', turn);
  const lit = runs.light(tx, row, { before, after });
  refuseUnlit(lit.unlit);
  repositories.sequences.update(row);
  runs.publish(tx, row, restart);
  return result(context, row, atMost([...warnings, ...lit.warnings]));
}

const UNDER_WAY =
  'The sequence is already in progress. Nothing was done. To start it from the beginning, add ?restart=1.';

/**
 * Throws `conflict` if any step could not be lit. At launch, nobody has pressed anything yet, so lighting nothing is better than lighting
 * only some steps.
 */
function refuseUnlit(unlit: readonly Unlit[]): void {
  const [first] = unlit;
  if (first === undefined) return;
  const errors = unlit.map(({ position, problem }) => ({ path: `/steps/${position}`, message: problem }));
  throw new StationError('conflict', `Nothing was lit. /steps/${first.position}: ${first.problem}`, errors);
}
