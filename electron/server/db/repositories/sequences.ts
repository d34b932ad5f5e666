import type { NewStep, SequenceState, StepState } from '#shared/api/sequence.ts';
import type { Arrow } from '#shared/screen/content.ts';
import type { Db } from '../db.ts';

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

/** What a step shows, lights and plays, as given. */
export type StoredStepContent = Omit<NewStep, 'order' | 'device' | 'location' | 'stepnonce'>;

/** Where a step is lit, as found at launch. */
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
  /** Null before the first launch. */
  place: StepPlace | null;
  qty: number | null;
  finishedAt: number | null;
  /** Its open command, and the device that has it now. */
  lit: { commandId: number; deviceId: string } | null;
};

/** Progress of a step. */
export type StepAt = Pick<StepRow, 'id' | 'position' | 'order' | 'state'>;

export type StepCounts = { steps: number; acknowledged: number; active: number; halted: number };

type Row = Omit<NewStepRow, 'content'> & {
  id: number;
  sequence: number;
  position: number;
  state: StepState;
  content: string;
  device_id: string | null;
  target: string | null;
  alias: string | null;
  arrow: Arrow | null;
  qty: number | null;
  finished_at: number | null;
  command_id: number | null;
  command_device: string | null;
};

/** No limit in SQLite. */
const NO_LIMIT = -1;

export type SequenceRows = ReturnType<typeof sequenceRows>;

/** Sequences and their steps, from their creation to their removal. */
export function sequenceRows(db: Db) {
  const columns = `sequences.id, sequence_id AS sequenceId, nonce, state, launched_by AS launchedBy,
    created_at AS createdAt, started_at AS startedAt, completed_at AS completedAt`;
  const stepColumns = `steps.id, steps.sequence, steps.position, steps.step_order AS "order", steps.device, steps.location,
    steps.nonce, steps.content, steps.state, steps.device_id, steps.target, steps.alias, steps.arrow, steps.qty,
    steps.finished_at, commands.id AS command_id, commands.device_id AS command_device`;
  const withCommand = `steps LEFT JOIN commands ON commands.owner_kind = 'step' AND commands.owner_id = steps.id`;
  const byName = db.prepare<[string], SequenceRow>(`SELECT ${columns} FROM sequences WHERE sequence_id = ?`);
  const one = db.prepare<[number], SequenceRow>(`SELECT ${columns} FROM sequences WHERE id = ?`);
  const page = db.prepare<[string, number], SequenceRow>(
    `SELECT ${columns} FROM sequences WHERE sequence_id > ? ORDER BY sequence_id LIMIT ?`,
  );
  const pageOfState = db.prepare<[string, string, number], SequenceRow>(
    `SELECT ${columns} FROM sequences WHERE sequence_id > ? AND state = ? ORDER BY sequence_id LIMIT ?`,
  );
  // Unsorted on purpose, as in the queue of a device: sorted in JavaScript.
  const ofSequence = db.prepare<[number], Row>(`SELECT ${stepColumns} FROM ${withCommand} WHERE steps.sequence = ?`);
  const states = db.prepare<[number], StepAt>(
    'SELECT id, position, step_order AS "order", state FROM steps WHERE sequence = ?',
  );
  const oneStep = db.prepare<[number], Row>(`SELECT ${stepColumns} FROM ${withCommand} WHERE steps.id = ?`);
  const counts = db.prepare<[number], StepCounts>(
    `SELECT count(*) AS steps, coalesce(sum(state = 'acknowledged'), 0) AS acknowledged,
       coalesce(sum(state = 'active'), 0) AS active,
       coalesce(sum(state IN ('timed_out', 'cancelled')), 0) AS halted
     FROM steps WHERE sequence = ?`,
  );
  const insert = db.prepare(
    "INSERT INTO sequences (sequence_id, nonce, state, launched_by, created_at) VALUES (?, ?, 'unstarted', '', ?)",
  );
  const insertStep = db.prepare(
    `INSERT INTO steps (sequence, position, step_order, device, location, nonce, content, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')`,
  );
  const update = db.prepare(
    'UPDATE sequences SET nonce = ?, state = ?, launched_by = ?, started_at = ?, completed_at = ? WHERE id = ?',
  );
  const setPlace = db.prepare('UPDATE steps SET device_id = ?, target = ?, alias = ?, arrow = ? WHERE id = ?');
  const setStep = db.prepare('UPDATE steps SET state = ?, qty = ?, finished_at = ? WHERE id = ?');
  const resetSteps = db.prepare(
    "UPDATE steps SET state = 'pending', qty = NULL, finished_at = NULL WHERE sequence = ? AND state <> 'pending'",
  );
  const setDevice = db.prepare('UPDATE steps SET device_id = ? WHERE id = ?');
  const giveGiven = db.prepare('UPDATE steps SET device = ? WHERE device = ?');
  const giveFound = db.prepare("UPDATE steps SET device_id = ? WHERE device_id = ? AND state IN ('pending', 'active')");
  const withDevice = db.prepare<[string, string], SequenceRow>(
    `SELECT ${columns} FROM sequences
     WHERE id IN (SELECT sequence FROM steps WHERE device = ? UNION SELECT sequence FROM steps WHERE device_id = ?)`,
  );
  const removeSteps = db.prepare('DELETE FROM steps WHERE sequence = ?');
  const remove = db.prepare('DELETE FROM sequences WHERE id = ?');

  return {
    find: (sequenceId: string): SequenceRow | undefined => byName.get(sequenceId),
    findById: (id: number): SequenceRow | undefined => one.get(id),
    /** Sorted by sequenceid. */
    list({ state, after = '', limit = NO_LIMIT }: ListQuery): SequenceRow[] {
      return state === undefined ? page.all(after, limit) : pageOfState.all(after, state, limit);
    },
    /** As ordered in the request. */
    listSteps: (sequence: number): StepRow[] => ofSequence.all(sequence).map(fromRow).sort(inOrder),
    /** Only the progress of each step, in the same order. */
    listRun: (sequence: number): StepAt[] => states.all(sequence).sort(inOrder),
    findStep(id: number): StepRow | undefined {
      const row = oneStep.get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    count: (sequence: number): StepCounts =>
      counts.get(sequence) ?? { steps: 0, acknowledged: 0, active: 0, halted: 0 },
    /** Returns the id. */
    insert: ({ sequenceId, nonce, now }: { sequenceId: string; nonce: string; now: number }): number =>
      Number(insert.run(sequenceId, nonce, now).lastInsertRowid),
    /** Replaces all steps. */
    replaceSteps(sequence: number, steps: readonly NewStepRow[]): void {
      removeSteps.run(sequence);
      for (const [position, { order, device, location, nonce, content }] of steps.entries()) {
        insertStep.run(sequence, position, order, device, location, nonce, JSON.stringify(content));
      }
    },
    update: ({ id, nonce, state, launchedBy, startedAt, completedAt }: SequenceRow): void =>
      void update.run(nonce, state, launchedBy, startedAt, completedAt, id),
    setPlace: (id: number, { deviceId, target, alias, arrow }: StepPlace): void =>
      void setPlace.run(deviceId, target, alias, arrow, id),
    setStep: (id: number, { state, qty, finishedAt }: Pick<StepRow, 'state' | 'qty' | 'finishedAt'>): void =>
      void setStep.run(state, qty, finishedAt, id),
    /** Resets all steps to before the first launch. */
    resetSteps: (sequence: number): void => void resetSteps.run(sequence),
    setDevice: (id: number, deviceId: string): void => void setDevice.run(deviceId, id),
    /** Sequences with a step that names this device, or is or was lit there. */
    listWithDevice: (deviceId: string): SequenceRow[] => withDevice.all(deviceId, deviceId),
    /** Moves references from one device to another; where a step was last lit stays. */
    giveDevice(from: string, to: string): void {
      giveGiven.run(to, from);
      giveFound.run(to, from);
    },
    remove(id: number): void {
      removeSteps.run(id);
      remove.run(id);
    },
  };
}

type ListQuery = { state: SequenceState | undefined; after: string | undefined; limit: number | undefined };

function inOrder(a: { position: number }, b: { position: number }): number {
  return a.position - b.position;
}

function fromRow(row: Row): StepRow {
  const { id, sequence, position, order, device, location, nonce, state, qty } = row;
  const { device_id: deviceId, target, alias, arrow, command_id: commandId, command_device: litOn } = row;
  return {
    id,
    sequence,
    position,
    order,
    device,
    location,
    nonce,
    // Only this program writes it.
    content: JSON.parse(row.content) as StoredStepContent,
    state,
    place: deviceId === null ? null : { deviceId, target: target ?? '', alias: alias ?? '', arrow },
    qty,
    finishedAt: row.finished_at,
    lit: commandId === null || litOn === null ? null : { commandId, deviceId: litOn },
  };
}
