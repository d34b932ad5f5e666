import type { Alert } from '#shared/api/alert.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import type { Db } from '../db.ts';

/** Timeline details beside the columns, depending on the kind. Times are ISO 8601. */
export type HistoryDetail = {
  sender?: string;
  target?: string;
  content?: CommandContent;
  createdAt?: string | null;
  firstAt?: string | null;
  sentAt?: string | null;
  shownAt?: string | null;
  /** Start and end of an offline time; end null: it lasted until the command ended. */
  unreachableAt?: string | null;
  reachedAt?: string | null;
  /** The quantity that the worker or a caller set last. */
  adjusted?: number | null;
  adjustedAt?: string | null;
  adjustedBy?: string | null;
  /** Time of the commit. */
  committedAt?: string;
  /** Who ended it. */
  by?: string;
  reason?: string;
  button?: string;
  /** Milliseconds between the press and its commit. */
  ageMs?: number;
  replacedBy?: number;
  sameContent?: boolean;
  /** The other device of a replacement. */
  otherDevice?: string;
  /** The corrected item of an order, and its fulfilled quantity before. */
  item?: { id: number; name: string; before: number };
  /** The alert that was raised or that ended. */
  alert?: Pick<Alert, 'id' | 'kind' | 'turbo' | 'value' | 'threshold'> & Partial<Pick<Alert, 'about'>>;
};

/** A finished event. `detail`: what its timeline shows, such as sender, content and times. */
export type HistoryEvent = {
  at: number;
  kind: HistoryKind;
  deviceId: string;
  commandId: number | null;
  nonce: string;
  location: string;
  qty: number;
  detail: HistoryDetail;
  /** The sequence or order, in the form of `workOf`; undefined: none. */
  work?: string | null;
};

export type HistoryRow = HistoryEvent & { id: number };

/** A row as stored. */
export type Row = {
  id: number;
  at: number;
  kind: HistoryKind;
  device_id: string;
  command_id: number | null;
  nonce: string;
  location: string;
  qty: number;
  detail: string;
  work: string | null;
};

/** Columns that `fromRow` needs. */
export const HISTORY_COLUMNS =
  'history.id, at, kind, device_id, history.command_id, nonce, location, qty, detail, work';

export type HistoryRows = ReturnType<typeof historyRows>;

export function historyRows(db: Db) {
  const insert = db.prepare(
    `INSERT INTO history (at, kind, device_id, command_id, nonce, location, qty, detail, work) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const successor = db
    .prepare<[number], number | null>(
      "SELECT detail ->> 'replacedBy' FROM history WHERE command_id = ? AND kind = 'replaced' AND detail ->> 'sameContent'",
    )
    .pluck();
  const indexed = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'history_indexed'").pluck();
  const setIndexed = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('history_indexed', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  const newest = db.prepare<[], number | null>('SELECT max(id) FROM history').pluck();
  const addToIndex = db.prepare(
    `INSERT INTO history_commands (command_id, history_id)
     SELECT command_id, id FROM history WHERE id > ? AND id <= ? AND command_id IS NOT NULL`,
  );
  const one = db.prepare<[number], Row>(`SELECT ${HISTORY_COLUMNS} FROM history WHERE id = ?`);
  const ofCommand = db.prepare<[number], Row>(
    `SELECT ${HISTORY_COLUMNS} FROM history_commands JOIN history ON history.id = history_id
     WHERE history_commands.command_id = ? ORDER BY history_id`,
  );
  const ofCommandAfter = db.prepare<[number, number], Row>(
    `SELECT ${HISTORY_COLUMNS} FROM history WHERE id > ? AND +command_id = ? ORDER BY id`,
  );

  const oldestRows = db.prepare<[number, number], { id: number; at: number; command_id: number | null }>(
    'SELECT id, at, command_id FROM history WHERE id < ? ORDER BY id LIMIT ?',
  );
  const newestAt = db.prepare<[], number>('SELECT at FROM history ORDER BY id DESC LIMIT 1').pluck();
  const removeUpTo = db.prepare('DELETE FROM history WHERE id <= ?');
  const removeIndexed = db.prepare('DELETE FROM history_commands WHERE command_id = ? AND history_id = ?');

  function oldOnes(before: number, limit: number) {
    const found = oldestRows.all(newest.get() ?? 0, limit);
    const kept = found.findIndex(({ at }) => at >= before);
    return kept < 0 ? found : found.slice(0, kept);
  }

  function indexedUpTo(): number {
    return Number(indexed.get() ?? 0);
  }

  return {
    /** The command that replaced this one with the same content, or undefined. */
    findSuccessor: (commandId: number): number | undefined => successor.get(commandId) ?? undefined,
    /** Returns the id of the row. */
    insert(entry: HistoryEvent): number {
      const { at, kind, deviceId, commandId, nonce, location, qty, detail, work = null } = entry;
      return Number(
        insert.run(at, kind, deviceId, commandId, nonce, location, qty, JSON.stringify(detail), work).lastInsertRowid,
      );
    },
    find(id: number): HistoryRow | undefined {
      const row = one.get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    /** All entries of one command, oldest first. */
    listByCommand: (commandId: number): HistoryRow[] =>
      [...ofCommand.all(commandId), ...ofCommandAfter.all(indexedUpTo(), commandId)].map(fromRow),
    /** Time of the newest entry, epoch milliseconds; 0: none. */
    newestAt: (): number => newestAt.get() ?? 0,
    /** Number of entries older than `before`, up to `limit`. Never the newest, so that ids are not reused. */
    countOld: (before: number, limit: number): number => oldOnes(before, limit).length,
    /** Deletes the entries that `countOld` counts. */
    removeOld(before: number, limit: number): void {
      const old = oldOnes(before, limit);
      for (const { id, command_id: commandId } of old) if (commandId !== null) removeIndexed.run(commandId, id);
      removeUpTo.run(old.at(-1)?.id ?? 0);
    },
    /** Number of rows not yet in the index of commands. */
    countUnindexed: (): number => (newest.get() ?? 0) - indexedUpTo(),
    /** Indexes up to `limit` more rows. Runs inside a use-case. */
    indexCommands(limit: number): void {
      const from = indexedUpTo();
      const to = Math.min(newest.get() ?? 0, from + limit);
      addToIndex.run(from, to);
      setIndexed.run(String(to));
    },
  };
}

export function fromRow(row: Row): HistoryRow {
  const { id, at, kind, device_id: deviceId, command_id: commandId, nonce, location, qty, work } = row;
  // Only this program writes it.
  return {
    id,
    at,
    kind,
    deviceId,
    commandId,
    nonce,
    location,
    qty,
    detail: JSON.parse(row.detail) as HistoryDetail,
    work,
  };
}
