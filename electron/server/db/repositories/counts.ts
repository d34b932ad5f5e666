import type { BackupCounts } from '#shared/api/backup.ts';
import { type InParts, whole } from '#shared/lib/station/inParts.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/**
 * Rows to count: all rows of a table, or those that match `where`. `isLong` is true for a table that has ids and may have millions of rows.
 */
type Counted = { table: string; where?: string; isLong?: boolean };

const COUNTED = {
  devices: { table: 'devices' },
  location_aliases: { table: 'location_aliases' },
  open_commands: { table: 'commands' },
  history: { table: 'history', isLong: true },
  users: { table: 'users' },
  api_users: { table: 'api_users' },
  pending_callbacks: { table: 'outbox', where: "state = 'pending'", isLong: true },
} as const satisfies Record<keyof BackupCounts, Counted>;

/** Number of rows of a long table to read per step, which takes about a millisecond. */
const ROWS_AT_ONCE = 1_000;

type Page = { rows: number; counted: number; last: number };

/** Counts rows. Use only for rare requests, because this reads whole tables. */
export function countRows(db: Db) {
  const { find, number } = statements(db);

  function counter({ table, where = 'TRUE', isLong = false }: Counted): () => InParts<number> {
    if (!isLong) {
      const count = number<[]>(`SELECT count(*) FROM ${table} WHERE ${where}`);
      // oxlint-disable-next-line require-yield -- a short count has only one part
      return function* short() {
        return count();
      };
    }
    const page = find<[after: number, limit: number], Page>(
      `SELECT count(*) AS rows, count(*) FILTER (WHERE ${where}) AS counted, max(id) AS last
       FROM (SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT ?)`,
    );
    return function* long() {
      let sum = 0;
      for (let after = 0; ;) {
        const { rows, counted, last } = page(after, ROWS_AT_ONCE) ?? { rows: 0, counted: 0, last: 0 };
        sum += counted;
        if (rows < ROWS_AT_ONCE) return sum;
        after = last;
        yield;
      }
    };
  }

  const counters = Object.entries(COUNTED).map(([name, counted]) => [name, counter(counted)] as const);

  function* inParts(): InParts<BackupCounts> {
    const counts: Record<string, number> = {};
    for (const [name, count] of counters) {
      counts[name] = yield* count();
      yield;
    }
    // Safe cast: the names are the keys of `COUNTED`.
    return counts as BackupCounts;
  }

  return { inParts, all: (): BackupCounts => whole(inParts()) };
}
