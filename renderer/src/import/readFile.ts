import type { RememberedColumns } from '#shared/api/importColumns.ts';
import type { AnyImportRow, ImportCounts, OrderImport } from '#shared/api/imports.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import { ApiError } from '../words/apiError.ts';
import type { Api } from '../station/calls/api.ts';
import type { ImportCells, ImportOptions } from '../station/calls/importApi.ts';

/** The station's preview of a file of any kind. */
export type FilePreview = Omit<OrderImport, StateQuestions | 'kind' | 'rows'> &
  Partial<Pick<OrderImport, StateQuestions>> & { kind: TableKind; rows: readonly AnyImportRow[] };
/** Questions that only files of orders have. */
type StateQuestions = 'asks_states' | 'asks_unpaid';

/** A question to answer before a file can be read. `said` is a sample of the file's text, read with this choice. */
export type FileQuestion = { option: 'encoding' | 'sheet'; choices: readonly { value: string; said: string }[] };

/** Corrected cells by line number. */
export type Corrections = Readonly<Record<number, ImportCells>>;

export type ReadFile =
  | { kind: 'preview'; preview: FilePreview; answers: ImportOptions }
  | { kind: 'question'; question: FileQuestion; answers: ImportOptions };

/** Sends a file with these options and returns the station's preview. */
export type SendFile = (options: ImportOptions) => Promise<FilePreview>;

/**
 * Reads a file with a person's answers. `isComplete` tells whether the answers come from a preview, and so already
 * include the remembered ones.
 */
export async function readFile(send: SendFile, answers: ImportOptions, isComplete: boolean): Promise<ReadFile> {
  try {
    const preview = await send(isComplete ? { ...answers, remembered: false } : answers);
    const { remembered } = preview;
    const known = remembered === null ? {} : rememberedOptions(remembered);
    return { kind: 'preview', preview, answers: { ...known, ...answers } };
  } catch (error) {
    const question = questionOf(error);
    if (question === undefined) throw error;
    return { kind: 'question', question, answers };
  }
}

function rememberedOptions(remembered: RememberedColumns): ImportOptions {
  const { id: _id, kind: _kind, names: _names, used_time: _time, by: _by, ...answers } = remembered;
  const options = Object.entries(answers);
  return Object.fromEntries(options.filter(([, value]) => value !== null));
}

/** Finds the question in an error response. Its choices are the error's fields whose path begins with `/encoding/` or `/sheet/`. */
function questionOf(error: unknown): FileQuestion | undefined {
  if (!(error instanceof ApiError)) return undefined;
  for (const option of ['encoding', 'sheet'] as const) {
    const path = `/${option}/`;
    const choices = error.fields.flatMap((field) =>
      field.path.startsWith(path) ? [{ value: field.path.slice(path.length), said: field.message }] : [],
    );
    if (choices.length > 0) return { option, choices };
  }
  return undefined;
}

type Corrected = { counts: ImportCounts; rows: readonly AnyImportRow[] };

/** Returns the preview with its changed rows replaced. */
export function withRows(preview: FilePreview, { counts, rows }: Corrected): FilePreview {
  const changed = new Map(rows.map((row) => [row.line, row]));
  return { ...preview, counts, rows: preview.rows.map((row) => changed.get(row.line) ?? row) };
}

/** Codes of errors that mean that the preview no longer has the column or line of a correction. */
const GONE: ReadonlySet<string> = new Set(['not_found', 'invalid']);

/** Sends the corrections again for a new preview of the same file. Drops corrections that no longer fit the file. */
export async function correctAgain(
  api: Pick<Api, 'correctImportRow'>,
  first: FilePreview,
  corrections: Corrections,
): Promise<{ preview: FilePreview; corrections: Corrections }> {
  let preview = first;
  const kept: Record<number, ImportCells> = {};
  for (const [line, cells] of Object.entries(corrections)) {
    if (preview.id === null) break;
    try {
      preview = withRows(
        preview,
        await api.correctImportRow({ path: { id: preview.id, line: Number(line) }, body: { cells } }),
      );
      kept[Number(line)] = cells;
    } catch (error) {
      // Skip a correction whose column or line the preview no longer has.
      if (!(error instanceof ApiError) || !GONE.has(error.code)) throw error;
    }
  }
  // A preview without an id still has questions. Keep the corrections until they are answered.
  return { preview, corrections: preview.id === null ? corrections : kept };
}
