import { crc32 } from 'node:zlib';
import {
  dueAt,
  lookOf,
  type OpenState,
  type Owner,
  type QueuedCommand,
  type Adjustment,
} from '../../domain/commands/commandQueue.ts';
import type { Outage } from '../../domain/devices/outage.ts';
import { BARE_CONTENT, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import type { Db } from '../db.ts';
import { type Check, isText, isWhole, listOf, objectOf, oneOf, orNull } from '../checks.ts';
import { parseJson } from '../parseJson.ts';
import { RowCache } from '../rowCache.ts';
import { mapped, statements } from './statements.ts';

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
  owner_name: string | null;
  latency_ms: number;
  base: number | null;
};

/** Maximum number of commands to end per use-case, so that the event loop is not blocked. */
const MAX_DUE = 500;

/** What a command shows, and the place that it is for. */
type Addressed = Pick<QueuedCommand, 'id' | 'target' | 'alias' | 'nonce' | 'content' | 'arrowAdded'>;
export type CommandInsert = Omit<QueuedCommand, 'id'>;
/** The part of a command that determines the screen and the light. */
export type ShownCommand = Pick<QueuedCommand, 'id' | 'alias' | 'content' | 'adjusted' | 'target'> & {
  owner: Pick<Owner, 'kind'> | null;
};

const COMMANDS = `SELECT id, device_id, position, target, alias, nonce, content, arrow_added, adjusted, adjusted_at, adjusted_by,
  state, sender, created_at, first_at, sent_at, shown_at, unreachable_at, reached_at, owner_kind, owner_id, owner_of, latency_ms, base,
  CASE WHEN owner_kind IN ('pick', 'slot')
    THEN (SELECT carrier_name FROM batches WHERE batches.id = owner_of) END AS owner_name
  FROM commands`;

/** Reads and writes open commands, which are queued by device and position. */
export function commandRows(db: Db, cache = new RowCache()) {
  const { find, insert, list, number, run, value, values } = statements(db);
  // Sort in JavaScript: with a bound value and ORDER BY, SQLite plans the statement again at each run, which takes ten times as long as the
  // search.
  const ofDevice = list<[deviceId: string], Row>(`${COMMANDS} WHERE device_id = ?`);
  const ofTarget = list<[deviceId: string, target: string], Row>(`${COMMANDS} WHERE device_id = ? AND target = ?`);
  // Only one command per device has `first_at`, and it comes first in this index. Searching for the lowest position would take longer.
  const first = find<[deviceId: string], Row>(
    `${COMMANDS} INDEXED BY commands_queue WHERE device_id = ? AND first_at IS NOT NULL`,
  );
  const firstShown = find<
    [deviceId: string],
    Pick<Row, 'id' | 'alias' | 'content' | 'adjusted' | 'target' | 'owner_kind'>
  >(
    `SELECT id, alias, target, content, adjusted, owner_kind FROM commands INDEXED BY commands_queue WHERE device_id = ? AND first_at IS NOT NULL`,
  );
  const any = value<[deviceId: string], number>('SELECT 1 FROM commands WHERE device_id = ?');
  const lowest = find<[deviceId: string, same: string], Row>(
    `${COMMANDS} WHERE device_id = ? AND position = (SELECT min(position) FROM commands WHERE device_id = ?)`,
  );
  const lastPosition = value<[deviceId: string], number>('SELECT max(position) FROM commands WHERE device_id = ?');
  const alike = list<[deviceId: string, nonce: string, look: number], Row>(
    `${COMMANDS} WHERE device_id = ? AND nonce = ? AND look = ? AND first_at IS NULL AND owner_kind IS NULL`,
  );
  const withTarget = list<[target: { start: string }], Row>(
    `${COMMANDS} WHERE substr(target, 1, length(:start)) = :start ORDER BY id`,
  );
  const withNonce = list<[deviceId: string, nonce: string], Row>(
    `${COMMANDS} WHERE device_id = ? AND nonce = ? AND first_at IS NULL`,
  );
  const idOfOwner = value<[kind: string, id: number], number>(
    'SELECT id FROM commands WHERE owner_kind = ? AND owner_id = ?',
  );
  const one = find<[id: number], Row>(`${COMMANDS} WHERE id = ?`);
  const known = cache.rows<number, QueuedCommand>();
  /** The first command of each device. An entry is valid only while `known` contains the same object. */
  const heads = cache.rows<string, QueuedCommand>();

  function keep(command: QueuedCommand): QueuedCommand {
    known.keep(command.id, command);
    if (command.state.firstAt !== null) heads.keep(command.deviceId, command);
    return command;
  }
  /** Updates the cache after the row was changed through this object. Other objects for the same command are then outdated. */
  function changed(command: QueuedCommand): void {
    if (command.state.firstAt === null && heads.get(command.deviceId)?.id === command.id)
      heads.delete(command.deviceId);
    if (known.get(command.id) === command) keep(command);
    else known.delete(command.id);
  }
  function knownHead(deviceId: string): QueuedCommand | undefined {
    const head = heads.get(deviceId);
    return head !== undefined && known.get(head.id) === head ? head : undefined;
  }
  const all = list<[], Row>(`${COMMANDS} ORDER BY device_id, position`);
  const between = list<[after: string, last: string], Row>(
    `${COMMANDS} WHERE device_id > ? AND device_id <= ? ORDER BY device_id, position`,
  );
  const page = list<[after: number, limit: number], Row>(`${COMMANDS} WHERE id > ? ORDER BY id LIMIT ?`);
  const oneDue = find<[id: number, now: number], Row>(`${COMMANDS} WHERE id = ? AND due_at <= ?`);
  const earliest = value<[], number>('SELECT min(due_at) FROM commands WHERE due_at IS NOT NULL');
  const add = insert(
    `INSERT INTO commands (device_id, position, target, alias, nonce, look, content, arrow_added, adjusted, adjusted_at,
       adjusted_by, state, sender, created_at, first_at, sent_at, shown_at, due_at,
       unreachable_at, owner_kind, owner_id, owner_of, latency_ms, base)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setState = run(
    'UPDATE commands SET state = ?, first_at = ?, sent_at = ?, shown_at = ?, due_at = ? WHERE id = ?',
  );
  const setAdjusted = run('UPDATE commands SET adjusted = ?, adjusted_at = ?, adjusted_by = ?, base = ? WHERE id = ?');
  const setPosition = run<[position: number, id: number]>('UPDATE commands SET position = ? WHERE id = ?');
  const setOutage = run('UPDATE commands SET unreachable_at = ?, reached_at = ? WHERE id = ?');
  const setDue = run<[at: number, id: number]>('UPDATE commands SET due_at = ? WHERE id = ?');
  const readdress = run(
    'UPDATE commands SET target = ?, alias = ?, content = ?, look = ?, arrow_added = ? WHERE id = ?',
  );
  const remove = run<[id: number]>('DELETE FROM commands WHERE id = ?');
  const setFirstEqual = run<[first: number, id: number]>('UPDATE commands SET first_equal = ? WHERE id = ?');
  const shift = run<[by: { ms: number }]>(
    `UPDATE commands SET first_at = first_at + :ms, shown_at = shown_at + :ms, due_at = due_at + :ms`,
  );

  function findById(id: number): QueuedCommand | undefined {
    return known.get(id) ?? mapped(one(id), (row) => keep(fromRow(row)));
  }

  return {
    /** Lists the queue of a device, beginning with the shown command. */
    list: (deviceId: string): QueuedCommand[] => inOrder(ofDevice(deviceId)),
    /** Lists the queued commands with this target. */
    listOfTarget: (deviceId: string, target: string): QueuedCommand[] => inOrder(ofTarget(deviceId, target)),
    find: findById,
    /** Finds the open command of this step or item. */
    findByOwner: ({ kind, id }: Pick<Owner, 'kind' | 'id'>) => mapped(idOfOwner(kind, id), findById),
    listAll: (): QueuedCommand[] => all().map(fromRow),
    /** Lists commands by id, starting after this id. */
    listAfter: (after: number, limit: number): QueuedCommand[] => page(after, limit).map(fromRow),
    countAll: number<[]>('SELECT count(*) FROM commands'),
    /** Lists the queues of all devices whose DeviceID is above `after`, up to and including `last`. */
    listOf: (after: string, last: string): QueuedCommand[] => between(after, last).map(fromRow),
    /** Finds the first command in a queue, which is the one that has a `firstAt`. */
    findFirst: (deviceId: string) => knownHead(deviceId) ?? mapped(first(deviceId), (row) => keep(fromRow(row))),
    /**
     * Finds the part of the first command that determines what is shown. Called for every command; reading the whole row takes twice as
     * long.
     */
    findFirstShown(deviceId: string): ShownCommand | undefined {
      const head = knownHead(deviceId);
      if (head !== undefined) return head;
      const row = firstShown(deviceId);
      if (row === undefined) return undefined;
      const { owner_kind: kind, content, ...rest } = row;
      return { ...rest, content: commandContent(content), owner: kind === null ? null : { kind } };
    },
    /** Finds the command that becomes first after the first one was removed. */
    findFollower: (deviceId: string) =>
      any(deviceId) === undefined ? undefined : mapped(lowest(deviceId, deviceId), (row) => keep(fromRow(row))),
    /** Lists waiting commands that may equal this one, compared by nonce or, without a nonce, by appearance. */
    listWaitingLike: (deviceId: string, { nonce, content }: Pick<QueuedCommand, 'nonce' | 'content'>) =>
      alike(deviceId, nonce, lookNumber(nonce, content)).map(fromRow),
    /** Lists commands whose target starts with this text. */
    listWithTarget: (start: string): QueuedCommand[] => withTarget({ start }).map(fromRow),
    /** Lists waiting commands with this nonce, in queue order. */
    listWaitingWithNonce: (deviceId: string, nonce: string): QueuedCommand[] => inOrder(withNonce(deviceId, nonce)),
    lastPosition: (deviceId: string): number | null => lastPosition(deviceId) ?? null,
    count: number<[deviceId: string]>('SELECT count(*) FROM commands WHERE device_id = ?'),
    /** Returns the number of devices with at least one command. */
    countDevices: number<[]>('SELECT count(DISTINCT device_id) FROM commands'),
    /** Lists ids of overdue commands, the longest overdue first, at most MAX_DUE. */
    listDue: values<[now: number], number>(
      `SELECT id FROM commands WHERE due_at <= ? ORDER BY due_at, id LIMIT ${MAX_DUE}`,
    ),
    /** Finds this command, if it is overdue. */
    findDue: (id: number, now: number) => mapped(oneDue(id, now), fromRow),
    /** Returns the earliest deadline in epoch milliseconds, or null if there is none. */
    earliestDue: (): number | null => earliest() ?? null,
    /** Returns the id of the new command, which is also its token. */
    insert(command: CommandInsert): number {
      const content = JSON.stringify(command.content);
      const id = add(
        command.deviceId,
        command.position,
        command.target,
        command.alias,
        command.nonce,
        // Only commands without an owner are compared by appearance.
        command.owner === null ? lookNumber(command.nonce, command.content) : 0,
        content,
        command.arrowAdded ? 1 : 0,
        command.adjusted,
        command.adjustment?.at ?? null,
        command.adjustment?.by ?? null,
        command.state.kind,
        command.sender,
        command.createdAt,
        ...stateColumns(command.state, command.content.seconds, command.latencyMs),
        command.outage?.since ?? null,
        command.owner?.kind ?? null,
        command.owner?.id ?? null,
        command.owner?.of ?? null,
        command.latencyMs,
        command.base,
      );
      // Copies the texts of a request, which would otherwise keep the whole request in memory. Texts of commands with an owner come from
      // rows.
      keep(stored({ ...command, id }, content, command.owner === null ? undefined : command.content));
      return id;
    },
    /** Sets the state in the row and in `command`. */
    setState(command: QueuedCommand, state: OpenState): void {
      const { id, content, latencyMs } = command;
      setState(state.kind, ...stateColumns(state, content.seconds, latencyMs), id);
      command.state = state;
      changed(command);
    },
    /** Sets the position in the row and in `command`. */
    setPosition(command: QueuedCommand, position: number): void {
      setPosition(position, command.id);
      command.position = position;
      changed(command);
    },
    setAdjusted(id: number, quantity: number, { at, by, base }: Adjustment & Pick<QueuedCommand, 'base'>): void {
      known.delete(id);
      setAdjusted(quantity, at, by, base, id);
    },
    /** Sets the outage in the row and in `command`. */
    setOutage(command: QueuedCommand, outage: Outage | null): void {
      setOutage(outage?.since ?? null, outage?.until ?? null, command.id);
      command.outage = outage;
      changed(command);
    },
    /** Lists devices whose first command is not shown yet. */
    listUndelivered: values<[], string>(
      "SELECT device_id FROM commands WHERE first_at IS NOT NULL AND state <> 'shown'",
    ),
    setDue: (id: number, at: number) => setDue(at, id),
    /** Updates a command after the light of its place changed. Objects for the command are then outdated. */
    readdress({ id, target, alias, nonce, content, arrowAdded }: Addressed): void {
      known.delete(id);
      readdress(target, alias, JSON.stringify(content), lookNumber(nonce, content), arrowAdded ? 1 : 0, id);
    },
    /** Returns the first of the equal commands that led to this one, each by replacement. Undefined if this one replaced none. */
    findFirstEqual: value<[id: number], number>('SELECT first_equal FROM commands WHERE id = ?'),
    setFirstEqual: (id: number, first: number): void => setFirstEqual(first, id),
    remove(id: number): void {
      known.delete(id);
      remove(id);
    },
    /** Shifts all open deadlines, and the times when they began, by `ms`. */
    shiftDeadlines(ms: number): void {
      known.clear();
      shift({ ms });
    },
  };
}

function inOrder(rows: Row[]): QueuedCommand[] {
  return rows.sort((a, b) => a.position - b.position).map(fromRow);
}

/** Returns a number for comparing appearances, or 0 if the command has a nonce, because nonces are compared instead. */
function lookNumber(nonce: string, content: CommandContent): number {
  return nonce === '' ? crc32(lookOf(content)) : 0;
}

function stateColumns(
  state: OpenState,
  seconds: number,
  latencyMs: number,
): [number | null, number | null, number | null, number | null] {
  const sentAt = state.kind === 'queued' ? null : state.sentAt;
  const shownAt = state.kind === 'shown' ? state.shownAt : null;
  return [state.firstAt, sentAt, shownAt, dueAt(state, seconds, latencyMs)];
}

/**
 * Defers parsing the content until it is accessed, because most contents of a long queue are never read. If `parsed` is set, nothing has to
 * be parsed.
 */
function stored(command: Omit<QueuedCommand, 'content'>, text: string, parsed?: CommandContent): QueuedCommand {
  const { id, deviceId, position, target, alias, nonce, arrowAdded, adjusted, adjustment } = command;
  const { sender, createdAt, base, latencyMs, state, outage, owner } = command;
  let content = parsed;
  return {
    id,
    deviceId,
    position,
    target,
    alias,
    nonce,
    get content() {
      content ??= commandContent(text);
      return content;
    },
    arrowAdded,
    adjusted,
    adjustment,
    sender,
    createdAt,
    base,
    latencyMs,
    state,
    outage,
    owner,
  };
}

function fromRow(row: Row): QueuedCommand {
  const command = {
    id: row.id,
    deviceId: row.device_id,
    position: row.position,
    target: row.target,
    alias: row.alias,
    nonce: row.nonce,
    arrowAdded: row.arrow_added === 1,
    adjusted: row.adjusted,
    adjustment: row.adjusted_at === null ? null : { at: row.adjusted_at, by: row.adjusted_by ?? '' },
    sender: row.sender,
    createdAt: row.created_at,
    base: row.base,
    latencyMs: row.latency_ms,
    state: stateOf(row),
    outage: row.unreachable_at === null ? null : { since: row.unreachable_at, until: row.reached_at },
    owner: ownerOf(row),
  };
  return stored(command, row.content);
}

function ownerOf({ owner_kind: kind, owner_id: id, owner_of: of, owner_name: name }: Row): Owner | null {
  if (kind === null || id === null) return null;
  return { kind, id, of: of ?? '', ...(name === null ? {} : { name }) };
}

function stateOf(row: Row): OpenState {
  const firstAt = row.first_at;
  if (row.state === 'shown' && row.shown_at !== null)
    return { kind: 'shown', firstAt, sentAt: row.sent_at, shownAt: row.shown_at };
  if (row.state === 'sent' && row.sent_at !== null) return { kind: 'sent', firstAt, sentAt: row.sent_at };
  return { kind: 'queued', firstAt };
}

/**
 * Parses the content of a command. For damaged content, returns a placeholder, so that the station can start and nobody picks the wrong
 * pieces.
 */
export function commandContent(text: string): CommandContent {
  const content = parseJson(text);
  return isContent(content) ? (content as CommandContent) : DAMAGED;
}

/** Checks for the remaining fields: each is a text, or null if that is the default. */
const bareChecks = Object.entries(BARE_CONTENT).map(([name, value]): [string, Check] => [
  name,
  value === null ? orNull(isText) : isText,
]);
const isContent = objectOf({
  ...Object.fromEntries(bareChecks),
  command: oneOf(['flash', 'pick']),
  lines: listOf(isText),
  quantity: orNull(isWhole),
  color: isText,
  seconds: Number.isFinite,
});
const DAMAGED: CommandContent = { ...BARE_CONTENT, lines: ['Damaged command'], color: 'ffffff', seconds: 0 };
