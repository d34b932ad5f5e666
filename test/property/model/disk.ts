import { join } from 'node:path';
import Database from 'better-sqlite3';

export type DiskHistoryRow = {
  id: number;
  at: number;
  kind: string;
  device_id: string;
  command_id: number | null;
  nonce: string;
  location: string;
  qty: number;
  detail: string;
  /** The sequence or order that the row concerns. */
  work: string | null;
  /** Payloads of the outbox rows that refer to this row, as a JSON array of texts. */
  callbacks: string;
};

/** A callback on disk. `history_id` is the history row that the callback reports, or null. */
export type DiskOutboxRow = {
  id: number;
  run_mark: string;
  history_id: number | null;
  payload: string;
  state: string;
  attempts: number;
};

/** The committed rows that an independent reader of the station's file sees. */
export type Disk = {
  lastHistoryId(): number;
  /** Returns the id of the first command in the device's queue, or 0 if the queue is empty. */
  firstCommand(deviceId: string): number;
  stateOf(commandId: number): string | undefined;
  historySince(id: number): DiskHistoryRow[];
  commitsSince(revision: number): { revision: number; facts: string }[];
  outbox(): DiskOutboxRow[];
  /** Returns the time at which the data folder was created. */
  createdAt(): number;
  close(): void;
};

export function openDisk(dataFolder: string): Disk {
  const db = new Database(join(dataFolder, 'pickstation.sqlite'), { readonly: true });
  const lastHistoryId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM history').pluck();
  const first = db.prepare<[string], number>('SELECT id FROM commands WHERE device_id = ? ORDER BY position LIMIT 1');
  const state = db.prepare<[number], string>('SELECT state FROM commands WHERE id = ?').pluck();
  // The model covers commands; other tests cover alerts.
  const history = db.prepare<[number], DiskHistoryRow>(
    `SELECT id, at, kind, device_id, command_id, nonce, location, qty, detail, work,
       (SELECT json_group_array(payload) FROM outbox WHERE history_id = history.id) AS callbacks
     FROM history WHERE id > ? AND kind NOT IN ('alert_raised', 'alert_ended') ORDER BY id`,
  );
  const commits = db.prepare<[number], { revision: number; facts: string }>(
    'SELECT revision, facts FROM commits WHERE revision > ? ORDER BY revision',
  );
  const outbox = db.prepare<[], DiskOutboxRow>(
    `SELECT id, run_mark, (SELECT id FROM history WHERE id = history_id) AS history_id, payload, state, attempts FROM outbox ORDER BY id`,
  );
  const createdAt = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'created_at'").pluck();
  return {
    lastHistoryId: () => lastHistoryId.get() ?? 0,
    firstCommand: (deviceId) => first.pluck().get(deviceId) ?? 0,
    stateOf: (commandId) => state.get(commandId),
    historySince: (id) => history.all(id),
    commitsSince: (revision) => commits.all(revision),
    outbox: () => outbox.all(),
    createdAt: () => Number(createdAt.get()),
    close: () => void db.close(),
  };
}
