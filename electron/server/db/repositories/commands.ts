import { crc32 } from 'node:zlib';
import {
  dueAt,
  lookOf,
  type OpenState,
  type Owner,
  type QueuedCommand,
  type Adjustment,
} from '../../domain/commandQueue.ts';
import type { Outage } from '../../domain/outage.ts';
import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import type { Db } from '../db.ts';

type Row = {
  id: number;
  device_id: string;
  position: number;
  target: string;
  alias: string;
  nonce: string;
  content: string;
  arrow_added: 0 | 1;
  adjusted: number | null;
  adjusted_at: number | null;
  adjusted_by: string | null;
  state: 'queued' | 'sent' | 'shown';
  sender: string;
  created_at: number;
  first_at: number | null;
  sent_at: number | null;
  shown_at: number | null;
  unreachable_at: number | null;
  reached_at: number | null;
  owner_kind: Owner['kind'] | null;
  owner_id: number | null;
  owner_of: string | null;
};

/** Maximum commands ended in one use-case, so that the event loop stays free. */
const MAX_DUE = 500;

export type CommandInsert = Omit<QueuedCommand, 'id'>;
/** The part of a command that determines screen and light. */
export type ShownCommand = Pick<QueuedCommand, 'id' | 'alias' | 'content' | 'adjusted'>;

export type CommandRows = ReturnType<typeof commandRows>;

/** Open commands, queued by device and position. */
export function commandRows(db: Db) {
  const columns = `id, device_id, position, target, alias, nonce, content, arrow_added, adjusted, adjusted_at, adjusted_by,
    state, sender, created_at, first_at, sent_at, shown_at, unreachable_at, reached_at, owner_kind, owner_id, owner_of`;
  // Unsorted on purpose: SQLite replans a statement with a bound value and ORDER BY at each run, which costs ten times
  // the search.
  const ofDevice = db.prepare<[string], Row>(`SELECT ${columns} FROM commands WHERE device_id = ?`);
  // This index returns the only matching row first; asking for the lowest position costs more.
  const first = db.prepare<[string], Row>(
    `SELECT ${columns} FROM commands INDEXED BY commands_queue WHERE device_id = ? AND first_at IS NOT NULL`,
  );
  const firstShown = db.prepare<[string], Pick<Row, 'id' | 'alias' | 'content' | 'adjusted'>>(
    `SELECT id, alias, content, adjusted FROM commands INDEXED BY commands_queue WHERE device_id = ? AND first_at IS NOT NULL`,
  );
  const any = db.prepare<[string], number>('SELECT 1 FROM commands WHERE device_id = ?').pluck();
  const lowest = db.prepare<[string, string], Row>(
    `SELECT ${columns} FROM commands
     WHERE device_id = ? AND position = (SELECT min(position) FROM commands WHERE device_id = ?)`,
  );
  const lastPosition = db
    .prepare<[string], number | null>('SELECT max(position) FROM commands WHERE device_id = ?')
    .pluck();
  const count = db.prepare<[string], number>('SELECT count(*) FROM commands WHERE device_id = ?').pluck();
  const alike = db.prepare<[string, string, number], Row>(
    `SELECT ${columns} FROM commands WHERE device_id = ? AND nonce = ? AND look = ? AND first_at IS NULL AND owner_kind IS NULL`,
  );
  const withNonce = db.prepare<[string, string], Row>(
    `SELECT ${columns} FROM commands WHERE device_id = ? AND nonce = ? AND first_at IS NULL`,
  );
  const ofOwner = db.prepare<[string, number], Row>(
    `SELECT ${columns} FROM commands WHERE owner_kind = ? AND owner_id = ?`,
  );
  const one = db.prepare<[number], Row>(`SELECT ${columns} FROM commands WHERE id = ?`);
  const all = db.prepare<[], Row>(`SELECT ${columns} FROM commands ORDER BY device_id, position`);
  const due = db
    .prepare<[number], number>(`SELECT id FROM commands WHERE due_at <= ? ORDER BY due_at, id LIMIT ${MAX_DUE}`)
    .pluck();
  const oneDue = db.prepare<[number, number], Row>(`SELECT ${columns} FROM commands WHERE id = ? AND due_at <= ?`);
  const earliest = db.prepare<[], number | null>('SELECT min(due_at) FROM commands WHERE due_at IS NOT NULL').pluck();
  const insert = db.prepare(
    `INSERT INTO commands (device_id, position, target, alias, nonce, look, content, arrow_added, adjusted, adjusted_at,
       adjusted_by, state, sender, created_at, first_at, sent_at, shown_at, due_at,
       unreachable_at, owner_kind, owner_id, owner_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setState = db.prepare(
    'UPDATE commands SET state = ?, first_at = ?, sent_at = ?, shown_at = ?, due_at = ? WHERE id = ?',
  );
  const setAdjusted = db.prepare('UPDATE commands SET adjusted = ?, adjusted_at = ?, adjusted_by = ? WHERE id = ?');
  const setOutage = db.prepare('UPDATE commands SET unreachable_at = ?, reached_at = ? WHERE id = ?');
  const undelivered = db
    .prepare<[], string>("SELECT device_id FROM commands WHERE first_at IS NOT NULL AND state <> 'shown'")
    .pluck();
  const setDue = db.prepare('UPDATE commands SET due_at = ? WHERE id = ?');
  const readdress = db.prepare('UPDATE commands SET alias = ?, content = ?, look = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM commands WHERE id = ?');
  const shift = db.prepare(
    `UPDATE commands SET first_at = first_at + :ms, shown_at = shown_at + :ms, due_at = due_at + :ms`,
  );

  return {
    /** The queue of a device, the shown command first. */
    list: (deviceId: string): QueuedCommand[] => inOrder(ofDevice.all(deviceId)),
    find(id: number): QueuedCommand | undefined {
      const row = one.get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    /** The open command that this step or item lit. */
    findByOwner({ kind, id }: Pick<Owner, 'kind' | 'id'>): QueuedCommand | undefined {
      const row = ofOwner.get(kind, id);
      return row === undefined ? undefined : fromRow(row);
    },
    listAll: (): QueuedCommand[] => all.all().map(fromRow),
    /** The first command of a queue, with its `firstAt`. */
    findFirst(deviceId: string): QueuedCommand | undefined {
      const row = first.get(deviceId);
      return row === undefined ? undefined : fromRow(row);
    },
    /**
     * The part of the first command that is needed to show it: asked for every command, and reading all of it takes
     * twice as long.
     */
    findFirstShown(deviceId: string): ShownCommand | undefined {
      const row = firstShown.get(deviceId);
      return row && { ...row, content: JSON.parse(row.content) as CommandContent };
    },
    /** The next command once the first is gone. */
    findFollower(deviceId: string): QueuedCommand | undefined {
      const row = any.get(deviceId) === undefined ? undefined : lowest.get(deviceId, deviceId);
      return row === undefined ? undefined : fromRow(row);
    },
    /** Waiting commands that may equal this one: by nonce or, without one, by their look. */
    listWaitingLike: (
      deviceId: string,
      { nonce, content }: Pick<QueuedCommand, 'nonce' | 'content'>,
    ): QueuedCommand[] => alike.all(deviceId, nonce, lookNumber(nonce, content)).map(fromRow),
    /** Waiting commands in order. */
    listWaitingWithNonce: (deviceId: string, nonce: string): QueuedCommand[] => inOrder(withNonce.all(deviceId, nonce)),
    lastPosition: (deviceId: string): number | null => lastPosition.get(deviceId) ?? null,
    count: (deviceId: string): number => count.get(deviceId) ?? 0,
    /** Ids of overdue commands, oldest first, up to a limit. */
    listDue: (now: number): number[] => due.all(now),
    /** This command, if it is overdue. */
    findDue(id: number, now: number): QueuedCommand | undefined {
      const row = oneDue.get(id, now);
      return row === undefined ? undefined : fromRow(row);
    },
    /** The earliest deadline, epoch milliseconds, or null. */
    earliestDue: (): number | null => earliest.get() ?? null,
    /** Returns the id of the new command, which is also its token. */
    insert(command: CommandInsert): number {
      const times = stateColumns(command.state, command.content.seconds);
      const result = insert.run(
        command.deviceId,
        command.position,
        command.target,
        command.alias,
        command.nonce,
        lookNumber(command.nonce, command.content),
        JSON.stringify(command.content),
        command.arrowAdded ? 1 : 0,
        command.adjusted,
        command.adjustment?.at ?? null,
        command.adjustment?.by ?? null,
        command.state.kind,
        command.sender,
        command.createdAt,
        ...times,
        command.outage?.since ?? null,
        command.owner?.kind ?? null,
        command.owner?.id ?? null,
        command.owner?.of ?? null,
      );
      return Number(result.lastInsertRowid);
    },
    setState(id: number, state: OpenState, seconds: number): void {
      setState.run(state.kind, ...stateColumns(state, seconds), id);
    },
    setAdjusted: (id: number, quantity: number, { at, by }: Adjustment): void =>
      void setAdjusted.run(quantity, at, by, id),
    setOutage: (id: number, outage: Outage | null): void =>
      void setOutage.run(outage?.since ?? null, outage?.until ?? null, id),
    /** Devices whose first command is not shown. */
    listUndelivered: (): string[] => undelivered.all(),
    setDue: (id: number, at: number): void => void setDue.run(at, id),
    /** The alias of the command has a new name or direction. */
    readdress(id: number, { alias, nonce, content }: Pick<QueuedCommand, 'alias' | 'nonce' | 'content'>): void {
      readdress.run(alias, JSON.stringify(content), lookNumber(nonce, content), id);
    },
    remove: (id: number): void => void remove.run(id),
    /** Shifts every open deadline and its start by `ms`. */
    shiftDeadlines: (ms: number): void => void shift.run({ ms }),
  };
}

function inOrder(rows: Row[]): QueuedCommand[] {
  return rows.sort((a, b) => a.position - b.position).map(fromRow);
}

/** With a nonce the content is irrelevant and is not computed. */
function lookNumber(nonce: string, content: CommandContent): number {
  return nonce === '' ? crc32(lookOf(content)) : 0;
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
    alias: row.alias,
    nonce: row.nonce,
    // Parsed on access: most contents of a long queue are never read.
    get content() {
      content ??= JSON.parse(row.content) as CommandContent;
      return content;
    },
    arrowAdded: row.arrow_added === 1,
    adjusted: row.adjusted,
    adjustment: row.adjusted_at === null ? null : { at: row.adjusted_at, by: row.adjusted_by ?? '' },
    sender: row.sender,
    createdAt: row.created_at,
    state: stateOf(row),
    outage: row.unreachable_at === null ? null : { since: row.unreachable_at, until: row.reached_at },
    owner: ownerOf(row),
  };
}

function ownerOf({ owner_kind: kind, owner_id: id, owner_of: of }: Row): Owner | null {
  return kind === null || id === null ? null : { kind, id, of: of ?? '' };
}

function stateOf(row: Row): OpenState {
  const firstAt = row.first_at;
  if (row.state === 'shown' && row.shown_at !== null)
    return { kind: 'shown', firstAt, sentAt: row.sent_at, shownAt: row.shown_at };
  if (row.state === 'sent' && row.sent_at !== null) return { kind: 'sent', firstAt, sentAt: row.sent_at };
  return { kind: 'queued', firstAt };
}
