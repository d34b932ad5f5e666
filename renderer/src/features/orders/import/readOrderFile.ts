import type { ImportCounts, ImportRow, OrderImport } from '#shared/api/imports.ts';
import { ApiError } from '../../../station/apiError.ts';
import type { Api } from '../../../station/api.ts';
import type { ImportCells, ImportOptions } from '../../../station/workApi.ts';
import type { RememberedAnswers } from './rememberedAnswers.ts';

/** A question that the station asks before it can read a file. `said`: the text as read with this choice. */
export type FileQuestion = { option: 'encoding' | 'sheet'; choices: readonly { value: string; said: string }[] };

/** Corrected cells by line. */
export type Corrections = Readonly<Record<number, ImportCells>>;

export type ReadFile =
  | { kind: 'preview'; preview: OrderImport; answers: ImportOptions; isRemembered: boolean }
  | { kind: 'question'; question: FileQuestion; answers: ImportOptions };

/** Sends one file with these options. */
export type SendFile = (options: ImportOptions) => Promise<OrderImport>;

/** Reads a file for the first time, with the remembered answers for the same columns, if any. */
export async function readFirst(send: SendFile, remembered: RememberedAnswers): Promise<ReadFile> {
  const first = await attempt(send, {});
  const encoding =
    first.kind === 'question' && first.question.option === 'encoding' ? remembered.encoding() : undefined;
  const known = encoding === undefined ? first : await attempt(send, { encoding }).catch(() => first);
  if (known.kind === 'question') return first;
  const answers = remembered.find(namesOf(known.preview));
  // Use a remembered encoding only for a file with the same columns.
  if (answers === undefined || (encoding !== undefined && answers.encoding === undefined)) return first;
  const again = await attempt(send, answers).catch(() => first);
  return again.kind === 'preview' ? { ...again, isRemembered: true } : first;
}

/** Reads a file with a person's answers, and remembers them once no question is left. */
export async function readAnswered(
  send: SendFile,
  answers: ImportOptions,
  remembered: RememberedAnswers,
): Promise<ReadFile> {
  const read = await attempt(send, answers);
  if (read.kind === 'preview' && read.preview.questions.length === 0) {
    remembered.save(namesOf(read.preview), answers);
  }
  return read;
}

async function attempt(send: SendFile, answers: ImportOptions): Promise<ReadFile> {
  try {
    return { kind: 'preview', preview: await send(answers), answers, isRemembered: false };
  } catch (error) {
    const question = questionOf(error);
    if (question === undefined) throw error;
    return { kind: 'question', question, answers };
  }
}

/** Finds the question in a refusal. Its choices are the fields below `/encoding` or `/sheet`. */
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

function namesOf({ mapping }: OrderImport): string[] {
  return mapping.map(({ name }) => name);
}

type Corrected = { counts: ImportCounts; rows: readonly ImportRow[] };

/** Replaces the changed rows of a preview. */
export function withRows(preview: OrderImport, { counts, rows }: Corrected): OrderImport {
  const changed = new Map(rows.map((row) => [row.line, row]));
  return { ...preview, counts, rows: preview.rows.map((row) => changed.get(row.line) ?? row) };
}

/** Repeats the corrections on a new preview of the same file. Drops those that no longer fit. */
export async function correctAgain(
  api: Pick<Api, 'correctImportRow'>,
  first: OrderImport,
  corrections: Corrections,
): Promise<{ preview: OrderImport; corrections: Corrections }> {
  let preview = first;
  const kept: Record<number, ImportCells> = {};
  for (const [line, cells] of Object.entries(corrections)) {
    if (preview.id === null) break;
    try {
      preview = withRows(preview, await api.correctImportRow(preview.id, Number(line), cells));
      kept[Number(line)] = cells;
    } catch {
      // The preview no longer has this column or line.
    }
  }
  // Without an id there are still questions. Keep the corrections for the preview after the answers.
  return { preview, corrections: preview.id === null ? corrections : kept };
}
