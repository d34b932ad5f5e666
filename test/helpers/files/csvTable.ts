import { whole } from '#shared/lib/station/inParts.ts';
import { csvTable as readCsvTable } from '#shared/lib/tables/cells/csvTable.ts';
import type { FileTable } from '#shared/lib/tables/table.ts';

/** Reads CSV text as a table. */
export function csvTable(text: string): FileTable {
  const read = whole(readCsvTable(text));
  if (!read.ok) throw new Error(read.message);
  return read.table;
}
