import { dueAt, type OpenState, type QueuedCommand } from '../../domain/commandQueue.ts';
import type { CommandContent } from '../../domain/deviceRequest.ts';
import type { Db } from '../database.ts';

type Row = {
  id: number;
  device_id: string;
  position: number;
  target: string;
  location: string;
  nonce: string;
  content: string;
  adjusted: number | null;
  state: 'queued' | 'sent' | 'shown';
  sender: string;
  created_at: number;
  first_at: number | null;
  sent_at: number | null;
  shown_at: number | null;
};

/** Ended in one use-case: with more the loop would stand still. */
const MOST_DUE = 500;

export type NewCommand = Omit<QueuedCommand, 'id'>;

export type CommandRows = ReturnType<typeof commandRows>;

/** Open commands, queued by device and position. */
export function commandRows(db: Db) {
  const columns = `id, device_id, position, target, location, nonce, content, adjusted, state, sender,
    created_at, first_at, sent_at, shown_at`;
  // Unsorted on purpose: SQLite plans a statement with a bound value and an order anew at each run, which costs ten
  // times the search. A queue is short.
  const ofDevice = db.prepare<[string], Row>(`SELECT ${columns} FROM commands WHERE device_id = ?`);
  const one = db.prepare<[number], Row>(`SELECT ${columns} FROM commands WHERE id = ?`);
  const all = db.prepare<[], Row>(`SELECT ${columns} FROM commands ORDER BY device_id, position`);
  const due = db.prepare<[number], Row>(
    `SELECT ${columns} FROM commands WHERE due_at <= ? ORDER BY due_at, id LIMIT ${MOST_DUE}`,
  );
  const earliest = db.prepare<[], number | null>('SELECT min(due_at) FROM commands WHERE due_at IS NOT NULL').pluck();
  const insert = db.prepare(
    `INSERT INTO commands (device_id, position, target, location, nonce, content, adjusted, state, sender,
       created_at, first_at, sent_at, shown_at, due_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setState = db.prepare(
    'UPDATE commands SET state = ?, first_at = ?, sent_at = ?, shown_at = ?, due_at = ? WHERE id = ?',
  );
  const setAdjusted = db.prepare('UPDATE commands SET adjusted = ? WHERE id = ?');
  const setDue = db.prepare('UPDATE commands SET due_at = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM commands WHERE id = ?');
  const shift = db.prepare(
    `UPDATE commands SET first_at = first_at + :ms, shown_at = shown_at + :ms, due_at = due_at + :ms`,
  );

  function queueOf(deviceId: string): Row[] {
    const queue = ofDevice.all(deviceId);
    return queue.length < 2 ? queue : queue.sort((a, b) => a.position - b.position);
  }

  return {
    /** The queue of a device, the shown command first. */
    list: (deviceId: string): QueuedCommand[] => queueOf(deviceId).map(fromRow),
    find(id: number): QueuedCommand | undefined {
      const row = one.get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    listAll: (): QueuedCommand[] => all.all().map(fromRow),
    findFirst(deviceId: string): QueuedCommand | undefined {
      const [row] = queueOf(deviceId);
      return row === undefined ? undefined : fromRow(row);
    },
    /** Commands whose deadline has passed, the oldest first; not all where they are very many. */
    listDue: (now: number): QueuedCommand[] => due.all(now).map(fromRow),
    /** The earliest deadline, epoch milliseconds, or null. */
    earliestDue: (): number | null => earliest.get() ?? null,
    /** Answers the new command's id, which is also its token. */
    insert(command: NewCommand): number {
      const times = stateColumns(command.state, command.content.seconds);
      const result = insert.run(
        command.deviceId,
        command.position,
        command.target,
        command.location,
        command.nonce,
        JSON.stringify(command.content),
        command.adjusted,
        command.state.kind,
        command.sender,
        command.createdAt,
        ...times,
      );
      return Number(result.lastInsertRowid);
    },
    setState(id: number, state: OpenState, seconds: number): void {
      setState.run(state.kind, ...stateColumns(state, seconds), id);
    },
    setAdjusted: (id: number, quantity: number): void => void setAdjusted.run(quantity, id),
    setDue: (id: number, at: number): void => void setDue.run(at, id),
    remove: (id: number): void => void remove.run(id),
    /** Moves every open deadline, and what it is counted from, by `ms`. */
    shiftDeadlines: (ms: number): void => void shift.run({ ms }),
  };
}

function stateColumns(state: OpenState, seconds: number): [number | null, number | null, number | null, number | null] {
  const sentAt = state.kind === 'queued' ? null : state.sentAt;
  const shownAt = state.kind === 'shown' ? state.shownAt : null;
  return [state.firstAt, sentAt, shownAt, dueAt(state, seconds)];
}

function fromRow(row: Row): QueuedCommand {
  let content: CommandContent | undefined;
  return {
    id: row.id,
    deviceId: row.device_id,
    position: row.position,
    target: row.target,
    location: row.location,
    nonce: row.nonce,
    // Of a long queue most contents are never looked at.
    get content() {
      content ??= JSON.parse(row.content) as CommandContent;
      return content;
    },
    adjusted: row.adjusted,
    sender: row.sender,
    createdAt: row.created_at,
    state: stateOf(row),
  };
}

function stateOf(row: Row): OpenState {
  const firstAt = row.first_at;
  if (row.state === 'shown' && row.shown_at !== null)
    return { kind: 'shown', firstAt, sentAt: row.sent_at, shownAt: row.shown_at };
  if (row.state === 'sent' && row.sent_at !== null) return { kind: 'sent', firstAt, sentAt: row.sent_at };
  return { kind: 'queued', firstAt };
}
