import type { ImportRun } from '#shared/api/importDrafts.ts';
import type { AnyImportRow, ImportCorrected, ImportCounts } from '#shared/api/imports.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { beginImport, checkOwner, checkPreview, type MadeImport, storeRows } from './applySteps.ts';
import type { ImportsContext } from './context.ts';
import { type JudgedFile, judgeFile, refuseUnclear } from './judgedFile.ts';
import type { Evaluations } from './judgeOrders.ts';
import type { Evaluation } from './keptPreviews.ts';
import { correctedTable, noColumn, packPreview, type PreviewFile, unpackPreview } from './previewFile.ts';
import { mapFile } from './readFile.ts';
import { remember } from './rememberedColumns.ts';

/** Rows compared in one step: about a millisecond. */
const PAGE_ROWS = 200;

/** Stores the cells of a file, so that they can be corrected and imported. Returns the id. */
export async function keepPreview(
  context: ImportsContext,
  file: PreviewFile,
  {
    counts,
    rows,
    name,
    by,
    evaluation,
  }: { counts: ImportCounts; rows: readonly AnyImportRow[]; name: string; by: By; evaluation: Evaluation },
): Promise<number> {
  const { repositories, writer } = context;
  const bytes = await packPreview(context.backgroundReads, file);
  const { kind = 'orders' } = file.options;
  const id = await writer.write((tx) => {
    const made = repositories.imports.add({
      kind,
      source: 'api',
      name,
      state: 'preview',
      by: by.name,
      counts,
      at: tx.now,
    });
    repositories.imports.setFile(made, bytes);
    return made;
  });
  await storeRows(context, id, rows);
  context.kept.keep(id, { file, rows: byLine(rows), evaluation });
  return id;
}

/** Changes cells of a row. Corrections run one after another, so that none overwrites another. */
export function correctRow(
  context: ImportsContext,
  id: number,
  correction: { line: number; cells: Partial<Record<TableField, string>>; by: By },
): Promise<ImportCorrected> {
  return context.alone(() => correctAlone(context, id, correction));
}

async function correctAlone(
  context: ImportsContext,
  id: number,
  { line, cells, by }: { line: number; cells: Partial<Record<TableField, string>>; by: By },
): Promise<ImportCorrected> {
  const { repositories, writer, kept } = context;
  checkPreview(context.reads, id, by);
  const { file, ...before } = kept.find(id) ?? {
    file: await loadPreview(context, id),
    rows: undefined,
    evaluation: undefined,
  };
  const mapping = await mapFile(context, file);
  const row = file.table.rows.find((each) => each.line === line);
  if (row === undefined) throw new StationError('not_found', `Import ${id} has no line ${line}.`);
  const cellsOfRow = { ...file.corrections[line] };
  for (const [field, text] of Object.entries(cells) as [TableField, string][]) {
    const index = mapping.ok ? mapping.fields.get(field) : undefined;
    if (index === undefined) throw noColumn(field, `/cells/${field}`);
    cellsOfRow[index] = text;
  }
  const next = { ...file, corrections: { ...file.corrections, [line]: cellsOfRow } };
  const evaluation = kept.open();
  const judged = await judgePreview(context, next, { before: before.evaluation, now: evaluation });
  const rows = await judged.rows();
  const changed = before.rows === undefined ? await changedRows(context, id, rows) : changedSince(before.rows, rows);
  // A repeated request gets these rows from its first attempt: by now, the preview can have them.
  const corrected = await writer.write((): ImportCorrected => {
    checkPreview(repositories, id, by);
    repositories.imports.save(id, 'preview', judged.counts);
    repositories.imports.setCorrections(id, JSON.stringify(next.corrections));
    return { counts: judged.counts, rows: changed };
  });
  kept.drop(id);
  await storeRows(context, id, corrected.rows);
  kept.keep(id, { file: next, rows: byLine(rows), evaluation });
  return corrected;
}

async function loadPreview({ reads, backgroundReads }: ImportsContext, id: number): Promise<PreviewFile> {
  const stored = reads.imports.findFile(id);
  const file = await unpackPreview(backgroundReads, stored?.bytes ?? new Uint8Array());
  // Only this program writes them. Older previews have them in the file.
  return stored?.corrections === undefined
    ? file
    : { ...file, corrections: JSON.parse(stored.corrections) as PreviewFile['corrections'] };
}

function byLine(rows: readonly AnyImportRow[]): Map<number, AnyImportRow> {
  return new Map(rows.map((row) => [row.line, row]));
}

/** Rows that differ from the earlier ones. */
function changedSince(before: ReadonlyMap<number, AnyImportRow>, rows: readonly AnyImportRow[]): AnyImportRow[] {
  return rows.filter((row) => {
    const known = before.get(row.line);
    return known !== row && JSON.stringify(known) !== JSON.stringify(row);
  });
}

/** Rows that differ from the stored ones. */
async function changedRows(
  { reads, backgroundReads }: ImportsContext,
  id: number,
  rows: readonly AnyImportRow[],
): Promise<AnyImportRow[]> {
  const changed: AnyImportRow[] = [];
  for (let from = 0; from < rows.length; from += PAGE_ROWS) {
    const part = rows.slice(from, from + PAGE_ROWS);
    const after = (part[0]?.line ?? 1) - 1;
    const stored = await backgroundReads.take(() =>
      reads.imports.listRows(id, { outcome: undefined, after, limit: PAGE_ROWS }),
    );
    const known = new Map(stored.map((each) => [each.line, JSON.stringify(each)]));
    changed.push(...part.filter((each) => known.get(each.line) !== JSON.stringify(each)));
  }
  return changed;
}

/** Imports a preview, with all corrections that were sent before. Throws `not_found` or `conflict`. */
export function runPreview(
  context: ImportsContext,
  id: number,
  by: By,
  { drafts, set_aside: setAside }: ImportRun,
): Promise<void> {
  return context.alone(async () => {
    checkOwner(context.reads, id, by);
    const made: MadeImport = { source: 'api', name: '', by, id };
    if (context.reads.imports.findFile(id) === undefined) {
      // Throws, unless the request is repeated and was cut off after its last use-case.
      await beginImport(context, 'orders', made);
      return;
    }
    // Not from the evaluation in memory: what is imported is compared with the station as it is.
    const judged = await judgePreview(context, await loadPreview(context, id), undefined);
    context.kept.drop(id);
    await judged.apply(made, {
      ...(drafts ? { drafts: { setAside: new Set(setAside) } } : {}),
      end: (tx) => remember(context.repositories, tx, judged.reading, by),
    });
  });
}

/** Judges a preview with its corrections. Throws `invalid`. */
async function judgePreview(
  context: ImportsContext,
  file: PreviewFile,
  evaluations: Evaluations | undefined,
): Promise<JudgedFile> {
  const judged = await judgeFile(context, { ...file, table: correctedTable(file) }, evaluations);
  refuseUnclear(judged.reading);
  return judged;
}
