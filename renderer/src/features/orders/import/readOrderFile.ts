import type { ImportCounts, ImportRow, OrderImport } from '#shared/api/imports.ts';
import { ApiError } from '../../../station/apiError.ts';
import type { Api } from '../../../station/api.ts';
import type { ImportCells, ImportOptions } from '../../../station/workApi.ts';
import type { RememberedAnswers } from './rememberedAnswers.ts';

/** What the station has to know before it can read a file. `said`: what each value would read. */
export type FileQuestion = { option: 'encoding' | 'sheet'; choices: readonly { value: string; said: string }[] };

/** New texts of cells, by line. */
export type Corrections = Readonly<Record<number, ImportCells>>;

export type ReadFile =
  | { kind: 'preview'; preview: OrderImport; answers: ImportOptions; isRemembered: boolean }
  | { kind: 'question'; question: FileQuestion; answers: ImportOptions };

/** A way to send one file with these options. */
export type SendFile = (options: ImportOptions) => Promise<OrderImport>;

/** Reads a file for the first time: with the answers for the same columns, if they are remembered. */
export async function readFirst(send: SendFile, remembered: RememberedAnswers): Promise<ReadFile> {
  const first = await attempt(send, {});
  const encoding =
    first.kind === 'question' && first.question.option === 'encoding' ? remembered.encoding() : undefined;
  const known = encoding === undefined ? first : await attempt(send, { encoding }).catch(() => first);
  if (known.kind === 'question') return first;
  const answers = remembered.find(namesOf(known.preview));
  // Another file in an unknown encoding is asked about again.
  if (answers === undefined || (encoding !== undefined && answers.encoding === undefined)) return first;
  const again = await attempt(send, answers).catch(() => first);
  return again.kind === 'preview' ? { ...again, isRemembered: true } : first;
}

/** Reads a file with answers of a person, which are remembered once they suffice. */
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

/** The question in a refusal: its option, and below it the possible values. */
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

/** A preview in which some rows have changed. */
export function withRows(preview: OrderImport, { counts, rows }: Corrected): OrderImport {
  const changed = new Map(rows.map((row) => [row.line, row]));
  return { ...preview, counts, rows: preview.rows.map((row) => changed.get(row.line) ?? row) };
}

/** Corrects a new preview of the same file as the previous one. Corrections that no longer fit are dropped. */
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
      // Its column or line is not read any more.
    }
  }
  // While the station asks, nothing is read: they are applied after the answers.
  return { preview, corrections: preview.id === null ? corrections : kept };
}
