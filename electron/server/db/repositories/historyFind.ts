import type { HistoryKind } from '#shared/api/history.ts';
import type { Db } from '../db.ts';
import { fromRow, HISTORY_COLUMNS, type HistoryRow, type Row } from './history.ts';

/** Which rows of history are wanted; of what is left out, any. `work`: as `workOf` says it. */
export type HistoryFilter = {
  deviceId?: string | undefined;
  kinds?: readonly HistoryKind[] | undefined;
  work?: string | undefined;
  location?: string | undefined;
};

/** Rows from the id `from` to below `before`. */
export type HistorySpan = { from: number; before: number };

/** What one step found, the newest first; `next`: below which id the next one looks, undefined where there is no further. */
export type HistoryStep<T> = { rows: T[]; next: number | undefined };

/** What a summary is made of: without the content of commands, which takes longest to read. */
export type BriefRow = {
  id: number;
  at: number;
  kind: HistoryKind;
  qty: number;
  shownAt: number | null;
  /** What the command was addressed to; null of a row about no command. */
  target: string | null;
};

/** The index of devices is in blocks of so many rows (2 to this power), the newest of which are written to: see the schema. */
const BLOCK_BITS = 14;
const BLOCK_ROWS = 2 ** BLOCK_BITS;
/** Rows that one step looks through where no index leads to those that are wanted: less than a millisecond. */
const WINDOW_ROWS = 2_048;

const BRIEF_COLUMNS =
  "history.id, at, kind, qty, detail ->> 'target' AS target, CASE kind WHEN 'acknowledged' THEN detail ->> 'shownAt' END AS shown_at";
type BriefSql = Omit<BriefRow, 'shownAt'> & { shown_at: string | null };

/** How the rows are found: the conditions that lead to them, and how many ids one step may span. */
type Plan = { table: string; conditions: readonly string[]; window: number };

const OF_WORK = {
  table: 'history INDEXED BY history_work',
  conditions: ['work = @work', '(@deviceId IS NULL OR +device_id = @deviceId)'],
  window: Number.MAX_SAFE_INTEGER,
} satisfies Plan;
const OF_DEVICE = {
  table: 'history INDEXED BY history_device',
  conditions: ['(id >> @bits) = @block', 'device_id = @deviceId'],
  window: BLOCK_ROWS,
} satisfies Plan;
// Said twice, so that SQLite sees that the index holds them.
const OF_OTHER_KIND = {
  table: 'history INDEXED BY history_others',
  conditions: ['kind = @kind', "kind <> 'acknowledged'"],
  window: BLOCK_ROWS,
} satisfies Plan;
const OF_ALL = { table: 'history', conditions: [], window: WINDOW_ROWS } satisfies Plan;

/** Finds rows of history a step at a time, none of which takes long however long history is. */
export function historyFindRows(db: Db) {
  const statements = new Map<string, ReturnType<typeof db.prepare<[object]>>>();
  const bounds = db.prepare<[], { oldest: number | null; newest: number | null }>(
    'SELECT (SELECT min(id) FROM history) AS oldest, (SELECT max(id) FROM history) AS newest',
  );
  const atOrAfter = db.prepare<
    [number],
    { id: number; at: number; committed_at: string | null; age_ms: number | null }
  >(
    `SELECT id, at, detail ->> 'committedAt' AS committed_at, detail ->> 'ageMs' AS age_ms
     FROM history WHERE id >= ? ORDER BY id LIMIT 1`,
  );

  function run<T>(columns: string, plan: Plan, filter: HistoryFilter, given: object): T[] {
    const conditions = [
      ...plan.conditions.map((each) => each.replace('@bits', String(BLOCK_BITS))),
      'history.id >= @from',
      'history.id < @before',
      ...(filter.kinds === undefined || plan === OF_OTHER_KIND
        ? []
        : ['+kind IN (SELECT value FROM json_each(@kinds))']),
      ...(filter.location === undefined ? [] : ['location = @location']),
    ];
    const sql = `SELECT ${columns} FROM ${plan.table} WHERE ${conditions.join(' AND ')} ORDER BY history.id DESC LIMIT @limit`;
    const statement = statements.get(sql) ?? db.prepare<[object]>(sql);
    statements.set(sql, statement);
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
    // Windows end where blocks do.
    const windowFrom = Math.max(from, Math.floor((before - 1) / plan.window) * plan.window);
    const given = {
      from: windowFrom,
      before,
      limit,
      block: Math.floor((before - 1) / BLOCK_ROWS),
      deviceId: filter.deviceId ?? null,
      work: filter.work ?? null,
      location: filter.location ?? null,
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
    /** At most `limit` of the rows that are wanted, from the end of the span on. */
    step(filter: HistoryFilter, span: HistorySpan, limit: number): HistoryStep<HistoryRow> {
      const { rows, next } = step<Row>(HISTORY_COLUMNS, filter, span, limit);
      return { rows: rows.map(fromRow), next };
    },
    /** The same, of what a summary needs. */
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
     * The id of the first row that was committed at this time or later; beyond the newest where none was. By halving: ids
     * rise in the order of commits. The time of a press says less, as one that a turbo held is older than its neighbours.
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
    /** When the oldest row was committed; undefined: there is none. */
    oldestAt(): number | undefined {
      const found = atOrAfter.get(0);
      return found === undefined ? undefined : committedAt(found);
    },
  };
}

export type HistoryFindRows = ReturnType<typeof historyFindRows>;

/** The first index that leads to few rows. */
function planOf({ deviceId, kinds, work }: HistoryFilter): Plan {
  if (work !== undefined) return OF_WORK;
  if (deviceId !== undefined) return OF_DEVICE;
  return kinds === undefined || kinds.includes('acknowledged') ? OF_ALL : OF_OTHER_KIND;
}

function newestOf<T extends { id: number }>(lists: readonly T[][]): T[] {
  return lists.length === 1 ? (lists[0] ?? []) : lists.flat().toSorted((a, b) => b.id - a.id);
}

/** Rows about no command were committed when they happened, or as much later as the press was held. */
function committedAt(row: { at: number; committed_at: string | null; age_ms: number | null }): number {
  return row.committed_at === null ? row.at + (row.age_ms ?? 0) : Date.parse(row.committed_at);
}
