import type { AlertKind } from '#shared/api/alert.ts';
import type { Db } from '../db.ts';

/**
 * `subject`: DeviceID, serial number of a turbo, or subject of an alert about the station, depending on the kind. Times
 * are epoch milliseconds.
 */
export type AlertRow = {
  id: number;
  kind: AlertKind;
  subject: string;
  since: number;
  value: number | null;
  threshold: number | null;
  problem: string | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  ended_at: number | null;
};

export type NewAlert = Pick<AlertRow, 'kind' | 'subject' | 'since' | 'value' | 'threshold' | 'problem'>;

/** Number of ended alerts to keep. */
const KEPT_ENDED = 10_000;
const PRUNE_EVERY = 100;

export type AlertRows = ReturnType<typeof alertRows>;

export function alertRows(db: Db) {
  const columns = 'id, kind, subject, since, value, threshold, problem, acknowledged_at, acknowledged_by, ended_at';
  const insert = db.prepare<[string, string, number, number | null, number | null, string | null], AlertRow>(
    `INSERT INTO alerts (kind, subject, since, value, threshold, problem) VALUES (?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const one = db.prepare<[number], AlertRow>(`SELECT ${columns} FROM alerts WHERE id = ?`);
  const open = db.prepare<[string, string], AlertRow>(
    `SELECT ${columns} FROM alerts WHERE kind = ? AND subject = ? AND ended_at IS NULL`,
  );
  const allOpen = db.prepare<[], AlertRow>(`SELECT ${columns} FROM alerts WHERE ended_at IS NULL ORDER BY id`);
  const pageOfOpen = db.prepare<[number, number], AlertRow>(
    `SELECT ${columns} FROM alerts WHERE ended_at IS NULL AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const pageOfEnded = db.prepare<[number, number], AlertRow>(
    `SELECT ${columns} FROM alerts WHERE ended_at IS NOT NULL AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const end = db.prepare('UPDATE alerts SET ended_at = ? WHERE id = ?');
  const acknowledge = db.prepare('UPDATE alerts SET acknowledged_at = ?, acknowledged_by = ? WHERE id = ?');
  const prune = db.prepare(
    `DELETE FROM alerts WHERE ended_at IS NOT NULL
       AND id <= (SELECT id FROM alerts WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_ENDED})`,
  );
  const expected = db.prepare<[], string>('SELECT serial_number FROM expected_turbos ORDER BY serial_number').pluck();
  const expect = db.prepare('INSERT OR IGNORE INTO expected_turbos (serial_number) VALUES (?)');
  const unexpect = db.prepare('DELETE FROM expected_turbos WHERE serial_number = ?');

  return {
    insert({ kind, subject, since, value, threshold, problem }: NewAlert): AlertRow {
      const row = insert.get(kind, subject, since, value, threshold, problem);
      if (row === undefined) throw new Error('An alert was written and is not there.');
      return row;
    },
    find: (id: number): AlertRow | undefined => one.get(id),
    findOpen: (kind: AlertKind, subject: string): AlertRow | undefined => open.get(kind, subject),
    /** Open alerts, oldest first. */
    listOpen: (): AlertRow[] => allOpen.all(),
    /** Newest first; `after` is the last id of the previous page. */
    list({ isOpen, after, limit }: { isOpen: boolean; after: number | undefined; limit: number }): AlertRow[] {
      return (isOpen ? pageOfOpen : pageOfEnded).all(after ?? Number.MAX_SAFE_INTEGER, limit);
    },
    end(id: number, at: number): void {
      end.run(at, id);
      if (id % PRUNE_EVERY === 0) prune.run();
    },
    acknowledge: (id: number, at: number, by: string): void => void acknowledge.run(at, by, id),
    listExpectedTurbos: (): string[] => expected.all(),
    expectTurbo: (serialNumber: string): void => void expect.run(serialNumber),
    unexpectTurbo: (serialNumber: string): void => void unexpect.run(serialNumber),
  };
}
