import type { HistoryReport, ReportTable } from '#shared/api/historyReport.ts';
import type { WrittenCell } from '../tables/index.ts';

type Table = { head: readonly string[]; rows(report: HistoryReport): WrittenCell[][] };

/** Tables of a report file. Each row represents a person and day, an article and reason, or a place. */
const TABLES: Readonly<Record<ReportTable, Table>> = {
  days: {
    head: ['day', 'picker', 'lines', 'units', 'shorts'],
    rows: ({ days }) =>
      days.flatMap(({ day, people }) =>
        people.map(({ picker, lines, units, shorts }) => [day, picker, lines, units, shorts]),
      ),
  },
  shorts: {
    head: ['sku', 'name', 'reason', 'lines'],
    rows: ({ shorts }) =>
      shorts.flatMap(({ sku, name, reasons }) => reasons.map(({ reason, lines }) => [sku, name, reason, lines])),
  },
  places: {
    head: ['place', 'lines', 'median_seconds'],
    rows: ({ places }) => places.map(({ place, lines, median_seconds: median }) => [place, lines, median]),
  },
};

/** Returns the header and rows of one table in a report. */
export function reportRows(
  report: HistoryReport,
  table: ReportTable,
): { head: readonly string[]; rows: WrittenCell[][] } {
  const { head, rows } = TABLES[table];
  return { head, rows: rows(report) };
}
