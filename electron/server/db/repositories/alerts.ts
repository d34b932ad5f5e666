import type { AlertKind } from '#shared/api/alert.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/**
 * Depending on the kind, `subject` is a DeviceID, the serial number of a turbo, an order number with a reason, or the subject of an alert
 * about the station. Times are epoch milliseconds.
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

export function alertRows(db: Db) {
  const { find, list, run, values } = statements(db);
  const columns = 'id, kind, subject, since, value, threshold, problem, acknowledged_at, acknowledged_by, ended_at';
  const alerts = `SELECT ${columns} FROM alerts`;
  const insert = find<[alert: NewAlert], AlertRow>(
    `INSERT INTO alerts (kind, subject, since, value, threshold, problem)
     VALUES (:kind, :subject, :since, :value, :threshold, :problem) RETURNING ${columns}`,
  );
  const pageOfOpen = list<[before: number, limit: number], AlertRow>(
    `${alerts} WHERE ended_at IS NULL AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const pageOfEnded = list<[before: number, limit: number], AlertRow>(
    `${alerts} WHERE ended_at IS NOT NULL AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const end = run<[at: number, id: number]>('UPDATE alerts SET ended_at = ? WHERE id = ?');
  const acknowledge = run<[at: number, by: string, id: number]>(
    'UPDATE alerts SET acknowledged_at = ?, acknowledged_by = ? WHERE id = ?',
  );
  const setProblem = run<[problem: string | null, id: number]>('UPDATE alerts SET problem = ? WHERE id = ?');
  const prune = run<[]>(
    `DELETE FROM alerts WHERE ended_at IS NOT NULL
       AND id <= (SELECT id FROM alerts WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_ENDED})`,
  );

  return {
    insert(alert: NewAlert): AlertRow {
      const row = insert(alert);
      if (row === undefined) throw new Error('An alert was written and is not there.');
      return row;
    },
    find: find<[id: number], AlertRow>(`${alerts} WHERE id = ?`),
    findOpen: find<[kind: AlertKind, subject: string], AlertRow>(
      `${alerts} WHERE kind = ? AND subject = ? AND ended_at IS NULL`,
    ),
    /** Lists open alerts, oldest first. */
    listOpen: list<[], AlertRow>(`${alerts} WHERE ended_at IS NULL ORDER BY id`),
    /** Lists alerts, newest first. `after` is the last id of the previous page. */
    list({ isOpen, after, limit }: { isOpen: boolean; after: number | undefined; limit: number }): AlertRow[] {
      return (isOpen ? pageOfOpen : pageOfEnded)(after ?? Number.MAX_SAFE_INTEGER, limit);
    },
    end(id: number, at: number): void {
      end(at, id);
      if (id % PRUNE_EVERY === 0) prune();
    },
    acknowledge: (id: number, at: number, by: string) => acknowledge(at, by, id),
    setProblem: (id: number, problem: string | null) => setProblem(problem, id),
    listExpectedTurbos: values<[], string>('SELECT serial_number FROM expected_turbos ORDER BY serial_number'),
    expectTurbo: run<[serialNumber: string]>('INSERT OR IGNORE INTO expected_turbos (serial_number) VALUES (?)'),
    unexpectTurbo: run<[serialNumber: string]>('DELETE FROM expected_turbos WHERE serial_number = ?'),
  };
}
