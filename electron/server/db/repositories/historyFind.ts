import type { HistoryKind } from '#shared/api/history.ts';
import type { Db } from '../db.ts';
import { DETAIL, fromRow, HISTORY_COLUMNS, type HistoryRow, type Row } from './history.ts';

/** Selects rows of history. An omitted field matches any row. `work` has the form that `workOf` returns. */
export type HistoryFilter = {
  deviceId?: string | undefined;
  kinds?: readonly HistoryKind[] | undefined;
  work?: string | undefined;
  /** Rows of the batch with this id, and those of its orders while they were in it. */
  batch?: number | undefined;
  location?: string | undefined;
  /** Rows of actions by this person or API user, or on behalf of this person. Compared exactly. */
  by?: string | undefined;
};

/** Rows with ids from `from` to below `before`. */
export type HistorySpan = { from: number; before: number };

/** Result of one step, newest first. `next` is the id below which the next step continues, or undefined at the end. */
export type HistoryStep<T> = { rows: T[]; next: number | undefined };

/** Columns for summaries, without the content of commands, which takes longest to read. */
export type BriefRow = {
  id: number;
  at: number;
  kind: HistoryKind;
  qty: number;
  shownAt: number | null;
  /** Number of presses in a row of late presses; 1 for other rows. */
  presses: number;
  /** The target of the command; null for rows without a command. */
  target: string | null;
  /** The work in the form that `workOf` returns; null if there is none. */
  work: string | null;
};

/** Number of rows to scan per step if no index helps, which takes less than a millisecond. */
const WINDOW_ROWS = 2_048;
/** Number of ids to cover per step with an index. It is larger, because few of these rows match. */
const INDEXED_WINDOW_ROWS = 16_384;
/** Number of rows per step whose JSON is searched for a name, which takes about a millisecond. */
const NAMED_WINDOW_ROWS = 512;

const BRIEF_COLUMNS = `id, at, kind, qty, work, ${DETAIL} ->> 'target' AS target, CASE kind WHEN 'acknowledged' THEN ${DETAIL} ->> 'shownAt' END AS shown_at, CASE kind WHEN 'late' THEN coalesce(${DETAIL} ->> 'presses', 1) ELSE 1 END AS presses`;
type BriefSql = Omit<BriefRow, 'shownAt'> & { shown_at: string | null };

/** How to search: the table and index, their conditions, and the number of ids to cover per step. */
type Plan = { table: string; conditions: readonly string[]; window: number };

const OF_WORK = {
  table: 'history INDEXED BY history_work',
  conditions: ['work = @work', '(@deviceId IS NULL OR +device_id = @deviceId)'],
  window: Number.MAX_SAFE_INTEGER,
} satisfies Plan;
const OF_BATCH = {
  table: 'history INDEXED BY history_work',
  conditions: [
    "work IN (SELECT @lights UNION SELECT 'order:' || order_number FROM batch_shares WHERE batch_id = @batch)",
    `(work = @lights OR ${DETAIL} ->> '$.batch.id' = @batch)`,
    '(@work IS NULL OR work = @work)',
    '(@deviceId IS NULL OR +device_id = @deviceId)',
  ],
  window: Number.MAX_SAFE_INTEGER,
} satisfies Plan;
const OF_DEVICE = {
  table: 'history INDEXED BY history_device',
  conditions: ['device_id = @deviceId'],
  window: INDEXED_WINDOW_ROWS,
} satisfies Plan;
// The condition on 'acknowledged' makes SQLite use the partial index.
const OF_OTHER_KIND = {
  table: 'history INDEXED BY history_others',
  conditions: ['kind = @kind', "kind <> 'acknowledged'"],
  window: INDEXED_WINDOW_ROWS,
} satisfies Plan;
const OF_ALL = { table: 'history', conditions: [], window: WINDOW_ROWS } satisfies Plan;

/** SQL condition for `by`. Without an index, SQLite parses the JSON of each row in the window. */
const BY = `(${DETAIL} ->> 'by' = @by OR ${DETAIL} ->> 'for' = @by)`;

/** Finds rows of history in steps, each fast even in a long history. */
export function historyFindRows(db: Db) {
  const prepared = new Map<string, ReturnType<typeof db.prepare<[object]>>>();
  const bounds = db.prepare<[], { oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(id) FROM history) AS oldest, (SELECT max(id) FROM history) AS newest',
  );
  const atOrAfter = db.prepare<
    [number],
    { id: number; at: number; committed_at: string | null; age_ms: number | null }
  >(
    `SELECT id, at, ${DETAIL} ->> 'committedAt' AS committed_at, ${DETAIL} ->> 'ageMs' AS age_ms
     FROM history WHERE id >= ? ORDER BY id LIMIT 1`,
  );

  function run<T>(columns: string, plan: Plan, filter: HistoryFilter, given: object): T[] {
    const conditions = [
      ...plan.conditions,
      'id >= @from',
      'id < @before',
      ...(filter.kinds === undefined || plan === OF_OTHER_KIND
        ? []
        : ['+kind IN (SELECT value FROM json_each(@kinds))']),
      ...(filter.location === undefined ? [] : ['location = @location']),
      ...(filter.by === undefined ? [] : [BY]),
    ];
    const sql = `SELECT ${columns} FROM ${plan.table} WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT @limit`;
    const statement = prepared.get(sql) ?? db.prepare<[object]>(sql);
    prepared.set(sql, statement);
    return statement.all(given) as T[];
  }

  function step<T extends { id: number }>(
    columns: string,
    filter: HistoryFilter,
    span: HistorySpan,
    limit: number,
  ): HistoryStep<T> {
    const { oldest, newest } = bounds.get() ?? { oldest: null, newest: null };
    const before = Math.min(span.before, (newest ?? 0) + 1);
    const from = Math.max(span.from, oldest ?? 1);
    if (before <= from) return { rows: [], next: undefined };
    const { kinds } = filter;
    const plan = planOf(filter);
    const windowFrom = Math.max(from, before - windowOf(plan, filter));
    const given = {
      from: windowFrom,
      before,
      limit,
      deviceId: filter.deviceId ?? null,
      work: filter.work ?? null,
      batch: filter.batch ?? null,
      lights: filter.batch === undefined ? null : `batch:${filter.batch}`,
      location: filter.location ?? null,
      by: filter.by ?? null,
      kinds: kinds === undefined ? null : JSON.stringify(kinds),
    };
    const rows =
      plan === OF_OTHER_KIND
        ? newestOf((kinds ?? []).map((kind) => run<T>(columns, plan, filter, { ...given, kind }))).slice(0, limit)
        : run<T>(columns, plan, filter, given);
    if (rows.length === limit) return { rows, next: rows.at(-1)?.id };
    return { rows, next: windowFrom > from ? windowFrom : undefined };
  }

  return {
    /** Returns at most `limit` matching rows, starting at the newest row of the span. */
    step(filter: HistoryFilter, span: HistorySpan, limit: number): HistoryStep<HistoryRow> {
      const { rows, next } = step<Row>(HISTORY_COLUMNS, filter, span, limit);
      return { rows: rows.map(fromRow), next };
    },
    /** Returns the same rows as `step`, with only the columns for summaries. */
    brief(filter: HistoryFilter, span: HistorySpan, limit: number): HistoryStep<BriefRow> {
      const { rows, next } = step<BriefSql>(BRIEF_COLUMNS, filter, span, limit);
      return {
        rows: rows.map(({ shown_at: shownAt, ...row }) => ({
          ...row,
          shownAt: shownAt === null ? null : Date.parse(shownAt),
        })),
        next,
      };
    },
    /**
     * Returns the id of the first row committed at or after this time, or one more than the newest id if there is none. Uses binary search
     * by commit time, which increases with the id. Press times do not, because a turbo can report a press late.
     */
    firstSince(at: number): number {
      const { oldest, newest } = bounds.get() ?? { oldest: null, newest: null };
      let low = oldest ?? 1;
      let high = (newest ?? 0) + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const found = atOrAfter.get(middle);
        if (found === undefined || committedAt(found) >= at) high = middle;
        else low = found.id + 1;
      }
      return low;
    },
    /** Returns the commit time of the oldest row, or undefined if there are no rows. */
    oldestAt(): number | undefined {
      const found = atOrAfter.get(0);
      return found === undefined ? undefined : committedAt(found);
    },
  };
}

/** Chooses the index that narrows the search most. */
function planOf({ deviceId, kinds, work, batch }: HistoryFilter): Plan {
  if (batch !== undefined) return OF_BATCH;
  if (work !== undefined) return OF_WORK;
  if (deviceId !== undefined) return OF_DEVICE;
  return kinds === undefined || kinds.includes('acknowledged') ? OF_ALL : OF_OTHER_KIND;
}

/** Returns the number of ids per step. One step reads all rows of an order or batch, because they are few. */
function windowOf(plan: Plan, { by }: HistoryFilter): number {
  const isAll = plan === OF_WORK || plan === OF_BATCH;
  return by === undefined || isAll ? plan.window : NAMED_WINDOW_ROWS;
}

function newestOf<T extends { id: number }>(lists: readonly T[][]): T[] {
  return lists.length === 1 ? (lists[0] ?? []) : lists.flat().toSorted((a, b) => b.id - a.id);
}

/** Returns the commit time. If the row does not store it, this is the time of the event plus the delay of the press. */
function committedAt(row: { at: number; committed_at: string | null; age_ms: number | null }): number {
  return row.committed_at === null ? row.at + (row.age_ms ?? 0) : Date.parse(row.committed_at);
}
