import type { TableFile } from '#shared/lib/tables/table.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import { readFile, readText } from './readFile.ts';
import { writeFile, type WrittenCell } from './writeFile.ts';

export type { WrittenCell } from './writeFile.ts';

/** Tables as people have them in files. They are read and written in parts, between which presses are handled. */
export type TableFiles = {
  /**
   * Reads CSV or .xlsx, by its content. `encoding`: of CSV that is neither UTF-8 nor UTF-16, as a label that TextDecoder
   * knows. Rejects only if the station stops.
   */
  readTable(bytes: Uint8Array, how?: { encoding?: string | null }): Promise<TableFile>;
  /** Reads CSV that was decoded already, such as a text in JSON. */
  readText(text: string): Promise<TableFile>;
  /** An .xlsx file with one sheet. Texts become cells of text, so that a spreadsheet keeps their zeros. */
  writeWorkbook(
    sheetName: string,
    head: readonly string[],
    rows: readonly (readonly WrittenCell[])[],
  ): Promise<Uint8Array>;
};

export function createTableGroup({
  backgroundReads,
}: {
  backgroundReads: Pick<BackgroundReadQueue, 'takeAll'>;
}): TableFiles {
  return {
    readTable: (bytes, { encoding = null } = {}) => backgroundReads.takeAll(readFile(bytes, encoding)),
    readText: (text) => backgroundReads.takeAll(readText(text, 'utf-8')),
    writeWorkbook: (sheetName, head, rows) => backgroundReads.takeAll(writeFile(sheetName, head, rows)),
  };
}
