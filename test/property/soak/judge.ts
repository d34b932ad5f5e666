import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import type { Press } from './floor.ts';
import type { Fingers, TagPress } from './hardware.ts';
import type { SoakReceiver } from './receiver.ts';

type Row = {
  id: number;
  at: number;
  kind: string;
  device_id: string;
  command_id: number | null;
  nonce: string;
  qty: number;
  by: string | null;
  button: string | null;
  replacedBy: number | null;
  /** Number of late presses in this row, and the time of the last one if there are several. */
  presses: number;
  lastAt: number | null;
};
type Callback = { id: number; run_mark: string; history_id: number | null; payload: string; state: string };

/** A command that the station accepted. */
export type Accepted = { commandId: number; deviceId: string; nonce: string };

export type Verdict = {
  presses: number;
  fronts: number;
  calls: number;
  late: number;
  /** Number of commands confirmed on a page, for places that have only lights. */
  confirmed: number;
  /** Number of presses on tags that count. */
  tagPresses: number;
  nacks: number;
  callbacks: number;
  repeated: number;
};

/** Tolerance for the time of a row. The age of a report is computed when the report is sent, and transmission takes a moment. */
const MAX_ON_ITS_WAY_MS = 20;
/** Resolution of the times at which access points report presses. */
const SECOND_MS = 1_000;

/**
 * Compares the presses with the rows on disk and with the received callbacks. Throws if a press is lost, duplicated, or has the wrong
 * command, time or number, or if a callback is missing, duplicated or invented.
 */
export function judge(parts: {
  dataFolder: string;
  fingers: Fingers;
  /** Labels by DeviceID. Callbacks name them as locations. */
  labels: ReadonlyMap<string, string>;
  receiver: SoakReceiver;
  accepted: readonly Accepted[];
}): Verdict {
  const { fingers, labels, receiver, accepted } = parts;
  const { rows, callbacks } = read(parts.dataFolder);
  const byDevice = Map.groupBy(rows, (row) => row.device_id);
  let [presses, fronts, calls, late, tagPresses] = [0, 0, 0, 0, 0];
  for (const [deviceId, made] of fingers.presses) {
    const own = byDevice.get(deviceId) ?? [];
    presses += made.length;
    fronts += checkFronts(deviceId, made, own);
    calls += checkCalls(deviceId, made, own);
    late += checkLate(deviceId, made, own);
  }
  checkCommands(rows, accepted);
  for (const [deviceId, made] of fingers.tags) tagPresses += checkTag(deviceId, made, byDevice.get(deviceId) ?? []);
  checkConfirmed(rows, fingers.confirmed);
  const owed = checkCallbacks(rows, callbacks, labels);
  const repeated = checkReceiver(callbacks, receiver);
  return {
    presses,
    fronts,
    calls,
    late,
    confirmed: fingers.confirmed.length,
    tagPresses,
    nacks: rows.filter(({ kind }) => kind === 'timedOut').length,
    callbacks: owed,
    repeated,
  };
}

function read(dataFolder: string): { rows: Row[]; callbacks: Callback[] } {
  const db = new Database(join(dataFolder, DATABASE_FILE), { readonly: true });
  try {
    const rows = db
      .prepare<[], Row>(
        `SELECT id, at, kind, device_id, command_id, nonce, qty, detail ->> 'by' AS by, detail ->> 'button' AS button,
           detail ->> 'replacedBy' AS replacedBy, coalesce(detail ->> 'presses', 1) AS presses,
           unixepoch(detail ->> 'lastAt', 'subsec') * 1000 AS lastAt FROM history ORDER BY id`,
      )
      .all();
    const callbacks = db
      .prepare<[], Callback>('SELECT id, run_mark, history_id, payload, state FROM outbox ORDER BY id')
      .all();
    return { rows, callbacks };
  } finally {
    db.close();
  }
}

/** Checks that each front press on a command has one row, accepted or late, in order. Late presses of a command share its first late row. */
function checkFronts(deviceId: string, made: readonly Press[], rows: readonly Row[]): number {
  const fronts = made.filter(({ button, token }) => button === 'front' && token !== 0);
  const told = rows.filter(({ kind, button }) => kind === 'acknowledged' || (kind === 'late' && button === 'front'));
  const successors = new Map(
    rows.flatMap((row) => (row.replacedBy === null ? [] : [[row.command_id, row.replacedBy] as const])),
  );
  const shared = createShared(rows);
  let at = 0;
  for (const [index, press] of fronts.entries()) {
    const row = told[at];
    const about = `press ${index + 1} of ${fronts.length} of ${deviceId}, ${JSON.stringify(press)}`;
    // The command may have been sent again in the meantime.
    const meant = [press.token, successors.get(press.token)];
    const isRight =
      row !== undefined &&
      meant.includes(row.command_id ?? 0) &&
      isThen(row, press) &&
      (row.kind === 'late' || row.qty === (press.count ?? 0));
    if (!isRight) {
      if (shared.take(press.atMs, press.token)) continue;
      throw new Error(row === undefined ? `Lost: ${about}` : `${about} became ${JSON.stringify(row)}`);
    }
    at += 1;
    if (row.kind === 'late') checkOver(press, row, rows);
    else if (!press.isActive) throw new Error(`${about} acknowledged what was not lit: ${JSON.stringify(row)}`);
  }
  if (at < told.length) throw new Error(`Doubled or invented: ${JSON.stringify(told[at])}`);
  for (const row of rows.filter(({ kind, presses }) => kind === 'late' && presses > 1))
    if (made.filter(({ token }) => token === row.command_id).length < row.presses)
      throw new Error(`Doubled or invented: ${JSON.stringify(row)}`);
  return fronts.length;
}

/** The late presses that the rows of a device count beyond the first one of each row. */
function createShared(rows: readonly Row[]) {
  const counting = rows
    .filter(({ kind, presses }) => kind === 'late' && presses > 1)
    .map((row) => ({ row, left: row.presses - 1 }));
  return {
    /** Takes a press at this time from a row that counts more presses, of this command if given. Returns whether there was one. */
    take(atMs: number, token?: number): boolean {
      const found = counting.find(
        ({ row, left }) =>
          left > 0 &&
          (token === undefined || row.command_id === token) &&
          row.at - SECOND_MS <= atMs &&
          atMs <= (row.lastAt ?? row.at) + SECOND_MS,
      );
      if (found === undefined) return false;
      found.left -= 1;
      return true;
    },
  };
}

/** Checks that a press is late only if the command had already ended on disk. */
function checkOver(press: Press, late: Row, rows: readonly Row[]): void {
  const isOver = rows.some(({ id, kind, command_id }) => id < late.id && command_id === press.token && kind !== 'late');
  if (!isOver) throw new Error(`A press of a command that is open is noted as late: ${JSON.stringify(late)}`);
}

/** Checks that each call by a press on the background has one row, in order. */
function checkCalls(deviceId: string, made: readonly Press[], rows: readonly Row[]): number {
  const KINDS = { front: 'call', plus: 'call_up', minus: 'call_down' } as const;
  const calls = made.filter(({ button, hold, token }) => token === 0 && (button !== 'front' || hold === 'long'));
  const told = rows.filter(({ kind }) => kind.startsWith('call'));
  for (const [index, press] of calls.entries()) {
    const row = told[index];
    if (row === undefined) throw new Error(`Lost: a call of ${deviceId}, ${JSON.stringify(press)}`);
    if (row.kind !== KINDS[press.button] || !isThen(row, press)) {
      throw new Error(`${JSON.stringify(press)} of ${deviceId} became ${JSON.stringify(row)}`);
    }
  }
  if (told.length !== calls.length) throw new Error(`Doubled or invented: ${JSON.stringify(told[calls.length])}`);
  return calls.length;
}

/** Returns the number of late presses. Checks that plus and minus have no more rows of late presses than presses. */
function checkLate(deviceId: string, made: readonly Press[], rows: readonly Row[]): number {
  const late = rows.filter(({ kind }) => kind === 'late');
  const counts = late.filter(({ button }) => button !== 'front');
  for (const { command_id, button } of counts) {
    const told = counts.filter((row) => row.command_id === command_id && row.button === button).length;
    const pressed = made.filter((press) => press.token === command_id && press.button === button).length;
    if (told > pressed)
      throw new Error(
        `${button} of ${deviceId} on ${command_id} was pressed ${pressed} times and is noted ${told} times`,
      );
  }
  return late.length;
}

/** Checks that every accepted command has ended exactly once. */
function checkCommands(rows: readonly Row[], accepted: readonly Accepted[]): void {
  const ends = new Map<number, Row>();
  for (const row of rows) {
    if (row.command_id === null || row.kind === 'late') continue;
    const before = ends.get(row.command_id);
    if (before !== undefined)
      throw new Error(`Command ${row.command_id} ended twice: ${JSON.stringify([before, row])}`);
    ends.set(row.command_id, row);
  }
  for (const command of accepted) {
    const end = ends.get(command.commandId);
    if (end?.nonce !== command.nonce || end.device_id !== command.deviceId) {
      throw new Error(`Lost: command ${JSON.stringify(command)}, of which history says ${JSON.stringify(end)}`);
    }
  }
}

/**
 * Checks that each row is one press, and that each press that the station certainly received has a row. Returns the number of presses that
 * count.
 */
function checkTag(deviceId: string, made: readonly TagPress[], rows: readonly Row[]): number {
  const told = rows.filter(({ kind }) => kind === 'acknowledged' || kind === 'late' || kind.startsWith('call'));
  const shared = createShared(rows);
  let at = 0;
  let presses = 0;
  for (const press of made) {
    const row = told[at];
    const isTold = row !== undefined && Math.abs(row.at - press.atMs) <= SECOND_MS;
    if (isTold) at += 1;
    if (isTold || shared.take(press.atMs)) presses += 1;
    else if (press.sure) throw new Error(`Lost: a press of the tag ${deviceId}, ${JSON.stringify(press)}`);
  }
  if (at < told.length) throw new Error(`Doubled or invented: ${JSON.stringify(told[at])}`);
  return presses;
}

/** Checks that every confirmation that the station acknowledged is on disk. */
function checkConfirmed(rows: readonly Row[], confirmed: readonly number[]): void {
  const taken = new Set(rows.flatMap(({ kind, command_id }) => (kind === 'acknowledged' ? [command_id] : [])));
  for (const id of confirmed) if (!taken.has(id)) throw new Error(`Lost: the confirmation of command ${id}`);
}

/** Checks that each reported end has one callback with the same content. */
function checkCallbacks(
  rows: readonly Row[],
  callbacks: readonly Callback[],
  labels: ReadonlyMap<string, string>,
): number {
  const words: Readonly<Record<string, string>> = {
    acknowledged: 'ack',
    timedOut: 'nack',
    call: 'call',
    call_up: 'call_up',
    call_down: 'call_down',
  };
  const told = Map.groupBy(callbacks, ({ history_id }) => history_id);
  for (const row of rows) {
    const word = words[row.kind];
    const location = labels.get(row.device_id) ?? '';
    const owed =
      word === undefined ? [] : [{ acknack: word, deviceid: row.device_id, location, nonce: row.nonce, qty: row.qty }];
    const found = (told.get(row.id) ?? []).map(({ payload }) => payload);
    if (JSON.stringify(found) !== JSON.stringify(owed.map((payload) => JSON.stringify(payload)))) {
      throw new Error(`${JSON.stringify(row)} has the callbacks ${JSON.stringify(found)}`);
    }
  }
  return callbacks.length;
}

/** Checks that the receiver got each callback and nothing else, each unchanged under one id. Returns the number of repetitions. */
function checkReceiver(callbacks: readonly Callback[], { taken }: SoakReceiver): number {
  for (const { id, run_mark, payload, state } of callbacks) {
    const found = taken.get(`msg_${run_mark}_${id}`);
    if (found?.body !== payload || state !== 'delivered') {
      throw new Error(`Callback ${id} is ${state}, and the receiver was told ${JSON.stringify(found)} for ${payload}`);
    }
  }
  if (taken.size !== callbacks.length)
    throw new Error(`${taken.size} callbacks were taken, ${callbacks.length} were written`);
  return [...taken.values()].filter(({ times }) => times > 1).length;
}

function isThen(row: Row, press: Press): boolean {
  return row.at >= press.atMs && row.at <= (press.latestMs ?? press.atMs) + MAX_ON_ITS_WAY_MS;
}
