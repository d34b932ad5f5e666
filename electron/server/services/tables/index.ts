import type { TableFile } from '#shared/lib/tables/table.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import { readFile, readText } from './readFile.ts';
import { writeFile, type WrittenCell } from './writeFile.ts';

export type { WrittenCell } from './writeFile.ts';

/** Maximum number of lines in a workbook. It is far below the limit of spreadsheets, because the whole workbook is kept in memory. */
export const MAX_WORKBOOK_LINES = 100_000;

/** Reads and writes table files in parts, so that presses are handled in between. */
export type TableFiles = {
  /**
   * Reads a CSV file or .xlsx workbook, which is detected by its content. `encoding` is a label for TextDecoder, for CSV that is neither
   * UTF-8 nor UTF-16. Rejects only if the station stops.
   */
  readTable(bytes: Uint8Array, how?: { encoding?: string | null }): Promise<TableFile>;
  /** Reads CSV that is already decoded, such as a string from JSON. */
  readText(text: string): Promise<TableFile>;
  /** Writes an .xlsx file with one sheet. Strings become text cells, so that spreadsheets keep leading zeros. */
  writeWorkbook(
    sheetName: string,
    head: readonly string[],
    rows: readonly (readonly WrittenCell[])[],
  ): Promise<Uint8Array>;
};

export function createTableGroup({ queue }: { queue: Pick<StepQueue, 'takeAll'> }): TableFiles {
  return {
    readTable: (bytes, { encoding = null } = {}) => queue.takeAll(readFile(bytes, encoding)),
    readText: (text) => queue.takeAll(readText(text, 'utf-8')),
    writeWorkbook: (sheetName, head, rows) => queue.takeAll(writeFile(sheetName, head, rows)),
  };
}
