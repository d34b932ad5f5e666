import type { TableFile } from '#shared/lib/tables/table.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import type { Copier } from '../../ports.ts';
import { isArchive, readFile } from './readFile.ts';
import { writeFile, type WrittenCell } from './writeFile.ts';

export { readFile } from './readFile.ts';
export type { WrittenCell } from './writeFile.ts';

/** Maximum number of lines in a workbook. It is far below the limit of spreadsheets, because the whole workbook is kept in memory. */
export const MAX_WORKBOOK_LINES = 100_000;

/**
 * Maximum size of text that is read in the station itself. Its cells take at most 30 MiB, in parts of a millisecond. Workbooks and longer
 * texts are read in a side process, which has limits of memory and time.
 */
const MAX_TEXT_BYTES = 1_048_576;

/** Reads and writes table files in parts or beside the station, so that presses are handled in between. */
export type TableFiles = {
  /**
   * Reads a CSV file or .xlsx workbook, which is detected by its content. `encoding` is a label for TextDecoder, for CSV that is neither
   * UTF-8 nor UTF-16. Rejects with `invalid` if the file needs more memory or time than a file may take, with `internal` if it cannot be read
   * now, and with `stopping`.
   */
  readTable(bytes: Uint8Array, how?: { encoding?: string | null }): Promise<TableFile>;
  /** Writes an .xlsx file with one sheet. Strings become text cells, so that spreadsheets keep leading zeros. */
  writeWorkbook(
    sheetName: string,
    head: readonly string[],
    rows: readonly (readonly WrittenCell[])[],
  ): Promise<Uint8Array>;
};

type Queue = Pick<StepQueue, 'takeAll'>;

/** Creates the reader and writer of table files. `signal` ends side processes. */
export function createTableGroup({
  queue,
  copier,
  signal,
}: {
  queue: Queue;
  copier: Pick<Copier, 'readTable'>;
  signal: AbortSignal;
}): TableFiles {
  return {
    readTable: (bytes, { encoding = null } = {}) =>
      isShortText(bytes) ? queue.takeAll(readFile(bytes, encoding)) : copier.readTable(bytes, encoding, signal),
    writeWorkbook: createWorkbookWriter(queue),
  };
}

export function createWorkbookWriter(queue: Queue): TableFiles['writeWorkbook'] {
  return (sheetName, head, rows) => queue.takeAll(writeFile(sheetName, head, rows));
}

function isShortText(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_TEXT_BYTES && !isArchive(bytes);
}
