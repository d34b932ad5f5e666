import type { ImportRun } from '#shared/api/importDrafts.ts';
import type { AnyImportRow, ImportCorrected, ImportEntry, ImportCounts } from '#shared/api/imports.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { beginImport, checkOwner, checkPreview, type MadeImport, storeRows } from './applySteps.ts';
import type { ImportsContext, Evaluation, KeptPreview, PreviewFile, OpenedFile } from './types.ts';
import { type AssessedFile, assessFile, refuseUnclear } from './assessedFile.ts';
import { correctedRow, correctedTable, noColumn, packPreview, unpackPreview } from './previewFile.ts';
import { mapFile } from './readFile.ts';
import { remember } from './rememberedColumns.ts';

/** Number of rows to compare per step. A step takes about 1 ms. */
const PAGE_ROWS = 200;

/**
 * Maximum size of a packed preview in bytes, because it is written in one commit. Real files of 16 MiB compress to less than half of this.
 */
const MAX_PACKED_BYTES = 4 * 1024 * 1024;
const TOO_LARGE =
  'The file is too large for a preview. Remove columns that are not imported, such as descriptions and links, or split the file.';

/** Stores the cells of a file so that they can be corrected and imported later. Resolves to the id of the preview. */
export async function keepPreview(
  context: ImportsContext,
  file: PreviewFile,
  {
    counts,
    rows,
    name,
    by,
    evaluation,
    fields,
  }: {
    counts: ImportCounts;
    rows: readonly AnyImportRow[];
    name: string;
    by: By;
    evaluation: Evaluation | undefined;
    fields: KeptPreview['fields'];
  },
): Promise<number> {
  const { repositories, writer } = context;
  const bytes = await packPreview(context.foregroundReads, file);
  if (bytes.length > MAX_PACKED_BYTES)
    throw new StationError('invalid', TOO_LARGE, [{ path: '/csv', message: TOO_LARGE }]);
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
  if (evaluation !== undefined)
    context.kept.keep(id, { file, table: file.table, fields, rows: byLine(rows), evaluation });
  return id;
}

/** Changes cells in a row of a preview. Only one correction runs at a time, so that corrections do not overwrite each other. */
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
  const known = kept.find(id);
  const before = known ?? (await openPreview(context, id));
  const { file, fields } = before;
  const index = file.table.rows.findIndex((each) => each.line === line);
  const row = file.table.rows[index];
  if (row === undefined) throw new StationError('not_found', `Import ${id} has no line ${line}.`);
  const cellsOfRow = { ...file.corrections[line] };
  for (const [field, text] of Object.entries(cells) as [TableField, string][]) {
    const column = fields.get(field);
    if (column === undefined) throw noColumn(field, `/cells/${field}`);
    cellsOfRow[column] = text;
  }
  const corrections = { ...file.corrections, [line]: cellsOfRow };
  const table = { ...before.table, rows: before.table.rows.with(index, correctedRow(row, cellsOfRow)) };
  const evaluation = known?.evaluation ?? kept.openFor(table);
  const assessed = await assessPreview(context, { ...file, table }, evaluation);
  const rows = known?.rows ?? byLine(await assessed.rows());
  const changed =
    known === undefined ? await changedRows(context, id, [...rows.values()]) : await assessed.changes(known.rows);
  const counts = await assessed.counts();
  // Return the rows of the first attempt: if the request is repeated, the preview may already contain the correction.
  const corrected = await writer.write((): ImportCorrected => {
    checkPreview(repositories, id, by);
    repositories.imports.save(id, 'preview', counts);
    repositories.imports.setCorrections(id, JSON.stringify(corrections));
    return { counts, rows: changed };
  });
  kept.drop(id);
  await storeRows(context, id, corrected.rows);
  for (const each of changed) rows.set(each.line, each);
  const { mapping } = assessed.reading;
  if (mapping.ok && evaluation !== undefined)
    kept.keep(id, { file: { ...file, corrections }, table, fields: mapping.fields, rows, evaluation });
  return corrected;
}

/** Loads a preview with its column mapping. */
async function openPreview(
  context: ImportsContext,
  id: number,
): Promise<Pick<KeptPreview, 'fields' | 'file' | 'table'>> {
  const file = await loadPreview(context, id);
  const table = correctedTable(file);
  const mapping = await mapFile(context, { ...file, table });
  return { file, table, fields: mapping.ok ? mapping.fields : new Map() };
}

/** Loads the file of a preview. Throws `conflict` if it is damaged. */
async function loadPreview({ reads, foregroundReads }: ImportsContext, id: number): Promise<PreviewFile> {
  const stored = reads.imports.findFile(id);
  try {
    return await unpackPreview(foregroundReads, stored?.bytes ?? new Uint8Array(), stored?.corrections);
  } catch (error) {
    if (error instanceof StationError) throw error;
    throw new StationError('conflict', `The stored file of import ${id} is damaged. Upload the file again.`);
  }
}

function byLine(rows: readonly AnyImportRow[]): Map<number, AnyImportRow> {
  return new Map(rows.map((row) => [row.line, row]));
}

/** Returns the rows that differ from the stored ones. */
async function changedRows(
  { reads, foregroundReads }: ImportsContext,
  id: number,
  rows: readonly AnyImportRow[],
): Promise<AnyImportRow[]> {
  const changed: AnyImportRow[] = [];
  for (let from = 0; from < rows.length; from += PAGE_ROWS) {
    const part = rows.slice(from, from + PAGE_ROWS);
    const after = (part[0]?.line ?? 1) - 1;
    const stored = await foregroundReads.take(() =>
      reads.imports.listRows(id, { outcome: undefined, after, limit: PAGE_ROWS }),
    );
    const known = new Map(stored.map((each) => [each.line, JSON.stringify(each)]));
    changed.push(...part.filter((each) => known.get(each.line) !== JSON.stringify(each)));
  }
  return changed;
}

/** Throws `invalid` if the preview does not contain orders or lacks any of the lines to keep as drafts. */
async function refuseUnknownLines(
  assessed: AssessedFile,
  { id, kind }: { id: number; kind: ImportEntry['kind'] },
  setAside: readonly number[],
): Promise<void> {
  const lines = new Set((await assessed.rows()).map(({ line }) => line));
  const errors = setAside.flatMap((line, index) =>
    lines.has(line) ? [] : [{ path: `/set_aside/${index}`, message: `Import ${id} has no line ${line}.` }],
  );
  if (kind !== 'orders') {
    const message = 'Only orders can be set aside. Leave the field out.';
    throw new StationError('invalid', message, [{ path: '/set_aside', message }]);
  }
  const [first] = errors;
  if (first === undefined) return;
  throw new StationError('invalid', `${first.path}: ${first.message} GET /api/imports/${id}/ lists its rows.`, errors);
}

/** Imports a preview with all its corrections. Throws `not_found`, `invalid` or `conflict`. */
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
      // This throws `conflict`, unless the request repeats one that was interrupted after its last transaction.
      await beginImport(context, 'orders', made);
      return;
    }
    // Check everything again, to compare with the current station rather than with results in memory.
    const file = await loadPreview(context, id);
    const assessed = await assessPreview(context, { ...file, table: correctedTable(file) }, undefined);
    if (setAside.length > 0) await refuseUnknownLines(assessed, { id, kind: file.options.kind ?? 'orders' }, setAside);
    context.kept.drop(id);
    await assessed.apply(made, {
      ...(drafts ? { drafts: { setAside: new Set(setAside) } } : {}),
      end: (tx) => remember(context.repositories, tx, assessed.reading, by),
    });
  });
}

/** Checks a corrected preview. Throws `invalid` if it cannot be read. */
async function assessPreview(
  context: ImportsContext,
  file: OpenedFile,
  evaluation: Evaluation | undefined,
): Promise<AssessedFile> {
  const assessed = await assessFile(context, file, evaluation);
  refuseUnclear(assessed.reading);
  return assessed;
}
