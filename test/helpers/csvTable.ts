import { openCsv } from '#shared/lib/csv.ts';
import type { Table } from '#shared/lib/tables/table.ts';

/** A CSV text as a table, without the questions of encoding. */
export function csvTable(text: string): Table {
  const { delimiter, records } = openCsv(text);
  const rows = [...records]
    .filter((record) => record !== undefined)
    .map(({ line, cells }) => ({ line, cells, isHidden: false, followsGap: false }));
  return { sheet: null, delimiter, rows, hiddenRows: 0, hiddenColumns: 0, notes: [] };
}
