import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { FileTable, TableRow } from '#shared/lib/tables/table.ts';
import type { OpenedFile } from './readFile.ts';

/** The stored file of a preview. `corrections`: new texts of cells, by line and column index. */
export type PreviewFile = OpenedFile & { corrections: Record<string, Record<string, string>> };

/** Far more than the largest file needs. */
const MAX_BYTES = 256 * 1024 * 1024;

const pack = promisify(deflate);
const unpack = promisify(inflate);

export async function packPreview(file: PreviewFile): Promise<Uint8Array> {
  return pack(JSON.stringify(file));
}

export async function unpackPreview(bytes: Uint8Array): Promise<PreviewFile> {
  // Only this program writes it; the limit guards against crafted backups.
  const file = JSON.parse((await unpack(bytes, { maxOutputLength: MAX_BYTES })).toString('utf8')) as PreviewFile;
  // Older previews lack both fields.
  return { ...file, remembered: file.remembered ?? null, said: file.said ?? null };
}

/** Applies the corrections. */
export function correctedTable({ table, corrections }: PreviewFile): FileTable {
  return { ...table, rows: table.rows.map((row) => correctedRow(row, corrections[row.line])) };
}

function correctedRow(row: TableRow, cells: Record<string, string> | undefined): TableRow {
  if (cells === undefined) return row;
  const corrected = [...row.cells];
  for (const [index, text] of Object.entries(cells)) {
    while (corrected.length <= Number(index)) corrected.push('');
    corrected[Number(index)] = text;
  }
  return { ...row, cells: corrected };
}
