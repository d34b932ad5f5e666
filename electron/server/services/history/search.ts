import { countText } from '#shared/lib/text/locale.ts';
import type { HistoryEntry, HistoryFilterQuery, HistoryQuery } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { shopDaysIn } from '#shared/lib/station/shopDay.ts';
import { historyCells, historyHead, historyLines, historyNames } from './historyCsv.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryRow } from '../../db/repositories/history.ts';
import type { BriefRow, HistoryFilter, HistorySpan } from '../../db/repositories/historyFind.ts';
import { createSummary, wholeBucket } from '../../domain/history/historySummary.ts';
import { StationError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import { isWork } from '../commands/index.ts';
import { MAX_WORKBOOK_LINES } from '../tables/index.ts';
import { batchOf, historyEntry, numberOf } from './entry.ts';

/** Number of rows to read per step. A step takes about 1 ms. */
const BRIEF_ROWS = 256;
const WHOLE_ROWS = 100;

type Wanted = { filter: HistoryFilter; span: HistorySpan; commandId: number | undefined };

/** State shared by the searches. */
type SearchContext = {
  /** Repositories for reading, which return committed rows only. */
  reads: TablesOf<'history'>;
  backgroundReads: StepQueue;
  clock: Clock;
  settings: { current(): { time_zone: string | null } };
};

/**
 * Searches and counts the history. Each search reads in small steps. Rejects with `invalid` if `to` is before `from`, and rejects once
 * `signal` is aborted.
 */
export function createHistorySearch({ reads, backgroundReads, clock, settings }: SearchContext) {
  const context: SearchContext = { reads, backgroundReads, clock, settings };
  return {
    list: (query: HistoryQuery, signal: AbortSignal) => list(context, query, signal),
    summary: (query: HistoryFilterQuery, signal: AbortSignal) => summarize(context, query, signal),
    table: (query: HistoryFilterQuery, signal: AbortSignal) => table(context, query, signal),
    export: (query: HistoryFilterQuery, signal: AbortSignal) => exportCsv(context, query, signal),
  };
}

export type HistorySearch = ReturnType<typeof createHistorySearch>;

/** Lists entries, newest first. */
async function list(
  context: SearchContext,
  { limit, after, ...query }: HistoryQuery,
  signal: AbortSignal,
): Promise<HistoryEntry[]> {
  const wanted = wantedOf(context, query);
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
  const rows: HistoryRow[] = [];
  const narrowed = wanted && {
    ...wanted,
    span: { ...wanted.span, before: Math.min(wanted.span.before, before) },
  };
  // Each step returns at most as many rows as are still needed.
  for await (const page of pagesOf(context, narrowed, () => limit - rows.length, signal)) {
    rows.push(...page);
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit).map(historyEntry);
}

async function summarize(
  context: SearchContext,
  query: HistoryFilterQuery,
  signal: AbortSignal,
): Promise<HistorySummary> {
  const { reads, backgroundReads, clock, settings } = context;
  const wanted = wantedOf(context, query);
  const to = timeOf(query.to) ?? clock.now();
  const asked = timeOf(query.from);
  const days = shopDaysIn(settings.current().time_zone);
  const summary = createSummary({
    from: asked ?? wholeBucket(Math.min(reads.historyFind.oldestAt() ?? to, to), to, days),
    to: Math.max(to, asked ?? to),
    days,
  });
  if (wanted === undefined) return summary.result();
  const { commandId, filter, span } = wanted;
  if (commandId !== undefined) {
    for (const row of ofCommand(context, commandId, wanted)) {
      summary.add({ ...row, shownAt: timeOf(row.detail.shownAt ?? undefined) ?? null });
    }
    return summary.result();
  }
  let before: number | undefined = span.before;
  while (before !== undefined) {
    const end: number = before;
    before = await backgroundReads.take(() => {
      signal.throwIfAborted();
      const { rows, next } = reads.historyFind.brief(filter, { from: span.from, before: end }, BRIEF_ROWS);
      for (const row of rows) if (isCounted(row)) summary.add(row);
      return next;
    });
  }
  return summary.result();
}

/** Whether the row counts as work. Identifying a device does not count, and neither does the timeout of the light on a complete slot. */
function isCounted({ kind, target, work }: BriefRow): boolean {
  return isWork(target) && !(kind === 'timedOut' && batchOf(work) !== null);
}

/** Returns the header and rows of a workbook, newest first. Also rejects with `invalid` if the workbook would have too many rows. */
async function table(context: SearchContext, query: HistoryFilterQuery, signal: AbortSignal) {
  const rows: (string | number)[][] = [];
  for await (const page of pagesOf(context, wantedOf(context, query), () => WHOLE_ROWS, signal)) {
    rows.push(...page.map((row) => historyCells(historyEntry(row))));
    if (rows.length > MAX_WORKBOOK_LINES) {
      throw new StationError(
        'invalid',
        `A workbook has at most ${countText(MAX_WORKBOOK_LINES)} lines. Export the history as CSV (\`format=csv\`), or a shorter period.`,
      );
    }
  }
  return { head: historyNames, rows };
}

/** Yields the parts of a CSV file, newest entries first. */
async function* exportCsv(
  context: SearchContext,
  query: HistoryFilterQuery,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const pages = pagesOf(context, wantedOf(context, query), () => WHOLE_ROWS, signal);
  yield historyHead();
  for await (const page of pages) yield historyLines(page.map(historyEntry));
}

/** Yields pages of rows, newest first. Rejects once `signal` is aborted, even if nothing matches. */
async function* pagesOf(
  context: SearchContext,
  wanted: Wanted | undefined,
  size: () => number,
  signal: AbortSignal,
): AsyncGenerator<HistoryRow[], void, void> {
  if (wanted === undefined) return;
  const { reads, backgroundReads } = context;
  const { filter, span, commandId } = wanted;
  if (commandId !== undefined) {
    yield await backgroundReads.take(() => ofCommand(context, commandId, wanted));
    return;
  }
  let before: number | undefined = span.before;
  while (before !== undefined) {
    const end: number = before;
    const found = await backgroundReads.take(() => {
      signal.throwIfAborted();
      return reads.historyFind.step(filter, { from: span.from, before: end }, size());
    });
    before = found.next;
    if (found.rows.length > 0) yield found.rows;
  }
}

/** Returns the rows of one command. They are few, so a single step reads them all. */
function ofCommand({ reads }: SearchContext, commandId: number, { filter, span }: Wanted): HistoryRow[] {
  return reads.history
    .listByCommand(commandId)
    .filter((row) => row.id >= span.from && row.id < span.before && isWanted(row, filter))
    .toReversed();
}

/** Parses a query. Returns undefined if no row can match. */
function wantedOf(context: SearchContext, query: HistoryFilterQuery): Wanted | undefined {
  const { deviceid, command_id: commandId, kind, location, by } = query;
  const { from, before } = spanOf(context, query);
  const work = workOf(query);
  const number = commandId === undefined ? undefined : numberOf(commandId);
  if (work === null || (commandId !== undefined && number === undefined)) return undefined;
  return {
    filter: { deviceId: deviceid?.toUpperCase(), kinds: kind, location, by, work, batch: query.batch },
    span: { from, before },
    commandId: number,
  };
}

/** Converts the times of a query to row ids. */
function spanOf({ reads }: SearchContext, { from, to }: HistoryFilterQuery): HistorySpan {
  const span = { from: timeOf(from), before: timeOf(to) };
  return {
    from: span.from === undefined ? 0 : reads.historyFind.firstSince(span.from),
    before: span.before === undefined ? Number.MAX_SAFE_INTEGER : reads.historyFind.firstSince(span.before),
  };
}

/**
 * Returns the order or sequence of a query as `work` text, as in history rows. Returns undefined if the query has neither, and null if the
 * filters exclude each other, so that no row matches.
 */
function workOf({ order_number: order, sequenceid, batch }: HistoryFilterQuery): string | undefined | null {
  // An order can be combined with a batch, which is filtered separately; a sequence cannot.
  if (sequenceid !== undefined && batch !== undefined) return null;
  if (order !== undefined && sequenceid !== undefined) return null;
  if (order !== undefined) return `order:${order}`;
  return sequenceid === undefined ? undefined : `sequence:${sequenceid}`;
}

function isWanted(row: HistoryRow, { deviceId, kinds, location, by, work, batch }: HistoryFilter): boolean {
  return (
    (batch === undefined || historyEntry(row).batch?.id === batch) &&
    (deviceId === undefined || row.deviceId === deviceId) &&
    (kinds === undefined || kinds.includes(row.kind)) &&
    (location === undefined || row.location === location) &&
    (by === undefined || row.detail.by === by || row.detail.for === by) &&
    (work === undefined || row.work === work)
  );
}

function timeOf(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso);
}
