import type { NewStep, SequenceState, StepState } from '#shared/api/sequence.ts';
import type { Arrow } from '#shared/screen/content.ts';
import type { Db } from '../db.ts';
import { parseObject } from '../parseJson.ts';
import { RowCache } from '../rowCache.ts';
import { mapped, statements } from './statements.ts';

/** Times are epoch milliseconds. */
export type SequenceRow = {
  id: number;
  sequenceId: string;
  nonce: string;
  state: SequenceState;
  launchedBy: string;
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
};

/** Content of a step, as requested. */
export type StoredStepContent = Omit<NewStep, 'order' | 'device' | 'location' | 'stepnonce'>;

/** Where a step is lit, as determined by the launch. */
export type StepPlace = { deviceId: string; target: string; alias: string; arrow: Arrow | null };

export type NewStepRow = {
  order: number;
  device: string | null;
  location: string | null;
  nonce: string;
  content: StoredStepContent;
};

export type StepRow = NewStepRow & {
  id: number;
  sequence: number;
  position: number;
  state: StepState;
  /** The place as determined by the launch; null before the first launch. */
  place: StepPlace | null;
  qty: number | null;
  finishedAt: number | null;
  /** The step's open command, and the device with that command; null if there is none. */
  lit: { commandId: number; deviceId: string } | null;
};

/** Progress of a step. */
export type StepAt = Pick<StepRow, 'id' | 'position' | 'order' | 'state'>;

export type StepCounts = { steps: number; acknowledged: number; active: number; halted: number };

type Row = Omit<StepRow, 'content' | 'place' | 'lit'> & {
  content: string;
  deviceId: string | null;
  target: string | null;
  alias: string | null;
  arrow: Arrow | null;
  commandId: number | null;
  litOn: string | null;
};

/** The count, other than `steps`, that includes a step with this state; undefined if there is none. */
const COUNTED_AS: Readonly<Record<StepState, Exclude<keyof StepCounts, 'steps'> | undefined>> = {
  pending: undefined,
  active: 'active',
  acknowledged: 'acknowledged',
  timed_out: 'halted',
  cancelled: 'halted',
};

/** In SQLite, a negative limit means no limit. */
const NO_LIMIT = -1;

const SEQUENCES = `SELECT sequences.id, sequence_id AS sequenceId, nonce, state, launched_by AS launchedBy,
  created_at AS createdAt, started_at AS startedAt, completed_at AS completedAt FROM sequences`;
const STEPS = `SELECT steps.id, steps.sequence, steps.position, steps.step_order AS "order", steps.device, steps.location,
    steps.nonce, steps.content, steps.state, steps.device_id AS deviceId, steps.target, steps.alias, steps.arrow, steps.qty,
    steps.finished_at AS finishedAt, commands.id AS commandId, commands.device_id AS litOn
  FROM steps LEFT JOIN commands ON commands.owner_kind = 'step' AND commands.owner_id = steps.id`;

/** Reads and writes sequences and their steps. */
export function sequenceRows(db: Db, cache = new RowCache()) {
  const { find, insert, list, run } = statements(db);
  const page = list<[after: string, limit: number], SequenceRow>(
    `${SEQUENCES} WHERE sequence_id > ? ORDER BY sequence_id LIMIT ?`,
  );
  const pageOfState = list<[after: string, state: string, limit: number], SequenceRow>(
    `${SEQUENCES} WHERE sequence_id > ? AND state = ? ORDER BY sequence_id LIMIT ?`,
  );
  // Sort in JavaScript, for the same reason as in commands.ts.
  const ofSequence = list<[sequence: number], Row>(`${STEPS} WHERE steps.sequence = ?`);
  const states = list<[sequence: number], StepAt>(
    'SELECT id, position, step_order AS "order", state FROM steps WHERE sequence = ?',
  );
  const oneStep = find<[id: number], Row>(`${STEPS} WHERE steps.id = ?`);
  const counts = find<[sequence: number], StepCounts>(
    `SELECT count(*) AS steps, coalesce(sum(state = 'acknowledged'), 0) AS acknowledged,
       coalesce(sum(state = 'active'), 0) AS active,
       coalesce(sum(state IN ('timed_out', 'cancelled')), 0) AS halted
     FROM steps WHERE sequence = ?`,
  );
  /** Counts by sequence. They are cached, because they are reported at the end of each step. */
  const known = cache.rows<number, StepCounts>();
  const stateOf = find<[id: number], Pick<StepRow, 'sequence' | 'state'>>(
    'SELECT sequence, state FROM steps WHERE id = ?',
  );
  const insertStep = run(
    `INSERT INTO steps (sequence, position, step_order, device, location, nonce, content, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')`,
  );
  const setPlace = run('UPDATE steps SET device_id = ?, target = ?, alias = ?, arrow = ? WHERE id = ?');
  const setStep = run('UPDATE steps SET state = ?, qty = ?, finished_at = ? WHERE id = ?');
  const setDevice = run('UPDATE steps SET device_id = ? WHERE id = ?');
  const giveGiven = run('UPDATE steps SET device = ? WHERE device = ?');
  const giveFound = run("UPDATE steps SET device_id = ? WHERE device_id = ? AND state IN ('pending', 'active')");
  const withDevice = list<[device: string, found: string], SequenceRow>(
    `${SEQUENCES}
     WHERE id IN (SELECT sequence FROM steps WHERE device = ? UNION SELECT sequence FROM steps WHERE device_id = ?)`,
  );
  const resetSteps = run<[sequence: number]>(
    "UPDATE steps SET state = 'pending', qty = NULL, finished_at = NULL WHERE sequence = ? AND state <> 'pending'",
  );
  const deleteSteps = run<[sequence: number]>('DELETE FROM steps WHERE sequence = ?');
  const remove = run<[id: number]>('DELETE FROM sequences WHERE id = ?');

  function removeSteps(sequence: number): void {
    known.delete(sequence);
    deleteSteps(sequence);
  }

  /** Updates the cached counts for a step's new state. */
  function recount({ sequence, state: before }: Pick<StepRow, 'sequence' | 'state'>, after: StepState): void {
    const counted = known.get(sequence);
    if (counted === undefined) return;
    const fresh = { ...counted };
    const [from, to] = [COUNTED_AS[before], COUNTED_AS[after]];
    if (from !== undefined) fresh[from] -= 1;
    if (to !== undefined) fresh[to] += 1;
    known.keep(sequence, fresh);
  }

  return {
    find: find<[sequenceId: string], SequenceRow>(`${SEQUENCES} WHERE sequence_id = ?`),
    findById: find<[id: number], SequenceRow>(`${SEQUENCES} WHERE id = ?`),
    /** Lists sequences, sorted by sequence id. */
    list({ state, after = '', limit = NO_LIMIT }: ListQuery): SequenceRow[] {
      return state === undefined ? page(after, limit) : pageOfState(after, state, limit);
    },
    /** Lists steps in the order of the request. */
    listSteps: (sequence: number): StepRow[] => ofSequence(sequence).map(fromRow).sort(inOrder),
    /** Returns the progress of each step, in the order of the request. */
    listRun: (sequence: number): StepAt[] => states(sequence).sort(inOrder),
    findStep: (id: number) => mapped(oneStep(id), fromRow),
    count: (sequence: number): StepCounts =>
      known.get(sequence) ??
      known.keep(sequence, counts(sequence) ?? { steps: 0, acknowledged: 0, active: 0, halted: 0 }),
    /** Returns the id. */
    insert: insert<[sequence: { sequenceId: string; nonce: string; now: number }]>(
      `INSERT INTO sequences (sequence_id, nonce, state, launched_by, created_at)
       VALUES (:sequenceId, :nonce, 'unstarted', '', :now)`,
    ),
    /** Replaces all steps of a sequence. */
    replaceSteps(sequence: number, steps: readonly NewStepRow[]): void {
      removeSteps(sequence);
      for (const [position, { order, device, location, nonce, content }] of steps.entries()) {
        insertStep(sequence, position, order, device, location, nonce, JSON.stringify(content));
      }
    },
    update: run<[sequence: SequenceRow]>(
      `UPDATE sequences SET nonce = :nonce, state = :state, launched_by = :launchedBy, started_at = :startedAt,
         completed_at = :completedAt WHERE id = :id`,
    ),
    setPlace: (id: number, { deviceId, target, alias, arrow }: StepPlace) =>
      setPlace(deviceId, target, alias, arrow, id),
    setStep(id: number, { state, qty, finishedAt }: Pick<StepRow, 'state' | 'qty' | 'finishedAt'>): void {
      const before = stateOf(id);
      setStep(state, qty, finishedAt, id);
      if (before !== undefined) recount(before, state);
    },
    /** Resets all steps to their state before the first launch. */
    resetSteps(sequence: number): void {
      known.delete(sequence);
      resetSteps(sequence);
    },
    setDevice: (id: number, deviceId: string) => setDevice(deviceId, id),
    /** Lists sequences with a step that names this device, or that is or was lit on it. */
    listWithDevice: (deviceId: string) => withDevice(deviceId, deviceId),
    /** Changes references from one device to another, except in ended steps that were last lit on the old device. */
    giveDevice(from: string, to: string): void {
      giveGiven(to, from);
      giveFound(to, from);
    },
    remove(id: number): void {
      removeSteps(id);
      remove(id);
    },
  };
}

type ListQuery = { state: SequenceState | undefined; after: string | undefined; limit: number | undefined };

function inOrder(a: { position: number }, b: { position: number }): number {
  return a.position - b.position;
}

function fromRow(row: Row): StepRow {
  const { id, sequence, position, order, device, location, nonce, state, qty, finishedAt } = row;
  const { deviceId, target, alias, arrow, commandId, litOn } = row;
  const content = parseObject(row.content) as StoredStepContent;
  const place = deviceId === null ? null : { deviceId, target: target ?? '', alias: alias ?? '', arrow };
  const lit = commandId === null || litOn === null ? null : { commandId, deviceId: litOn };
  return { id, sequence, position, order, device, location, nonce, content, state, place, qty, finishedAt, lit };
}
