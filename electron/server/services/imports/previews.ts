import type { AnyImportRow, ImportCorrected, ImportCounts } from '#shared/api/imports.ts';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { countsOf } from './apply.ts';
import { applyFile, type MadeImport, noPreview } from './applyFile.ts';
import { answeredRows, getEntry, type ImportsContext, judgeOpened, storeRows, unclear } from './judgeFile.ts';
import { applyPlaces, clearPlaces, judgePlaceFile, placeCounts, placeRow } from './placeFile.ts';
import { correctedTable, packPreview, type PreviewFile, unpackPreview } from './previewFile.ts';
import { mapFile, type MappedFile } from './readFile.ts';
import { remember } from './rememberedColumns.ts';

/** Rows compared in one step: about a millisecond. */
const PAGE_ROWS = 200;

/** Stores the cells of a file, so that they can be corrected and imported. Returns the id. */
export async function keepPreview(
  context: ImportsContext,
  file: PreviewFile,
  { counts, rows, name, by }: { counts: ImportCounts; rows: readonly AnyImportRow[]; name: string; by: By },
): Promise<number> {
  const { repositories, writer } = context;
  const bytes = await packPreview(file);
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
  const { repositories, writer } = context;
  const file = await getPreview(context, id, by);
  const mapping = await mapFile(context, file.table, file.options);
  const row = file.table.rows.find((each) => each.line === line);
  if (row === undefined) throw new StationError('not_found', `Import ${id} has no line ${line}.`);
  const corrected = { ...file.corrections[line] };
  for (const [field, text] of Object.entries(cells) as [TableField, string][]) {
    const index = mapping.ok ? mapping.fields.get(field) : undefined;
    if (index === undefined) throw noColumn(field);
    corrected[index] = text;
  }
  const next = { ...file, corrections: { ...file.corrections, [line]: corrected } };
  const judged = await judgedPreview(context, next);
  const { counts } = judged;
  const changed = await changedRows(context, id, await judged.rows());
  const bytes = await packPreview(next);
  await writer.write(() => {
    if (repositories.imports.find(id)?.state !== 'preview') throw noPreview(id);
    repositories.imports.save(id, 'preview', counts);
    repositories.imports.setFile(id, bytes);
  });
  await storeRows(context, id, changed);
  return { counts, rows: changed };
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

/** Imports a preview with its corrections. */
export async function runPreview(context: ImportsContext, id: number, by: By): Promise<void> {
  const judged = await judgedPreview(context, await getPreview(context, id, by));
  await judged.apply({ source: 'api', name: '', by, id });
  await remember(context, judged.reading, by);
}

/** A preview belongs to the person who sent the file. */
async function getPreview({ reads }: ImportsContext, id: number, by: By): Promise<PreviewFile> {
  const entry = getEntry(reads, id);
  if (entry.by !== by.name) throw new StationError('not_found', `Import ${id} is the preview of somebody else.`);
  const bytes = reads.imports.findFile(id);
  if (entry.state !== 'preview' || bytes === undefined) throw noPreview(id);
  return unpackPreview(bytes);
}

/** A preview of any kind with its corrections. */
type JudgedPreview = {
  reading: MappedFile;
  counts: ImportCounts;
  rows(): Promise<AnyImportRow[]>;
  apply(made: MadeImport): Promise<unknown>;
};

async function judgedPreview(context: ImportsContext, file: PreviewFile): Promise<JudgedPreview> {
  const { options } = file;
  const opened = { ...file, table: correctedTable(file) };
  if (options.kind === 'locations') {
    const judged = clearPlaces(await judgePlaceFile(context, opened, options));
    return {
      reading: judged.reading,
      counts: placeCounts(judged.places),
      rows: () => Promise.resolve(judged.places.map(placeRow)),
      apply: (made) => applyPlaces(context, judged, made),
    };
  }
  const judged = await judgeOpened(context, opened, options);
  if (judged.reading.orders === undefined) throw unclear(judged.reading);
  return {
    reading: judged.reading,
    counts: countsOf(judged.orders, judged.leftOut.length),
    rows: () => answeredRows(context, judged),
    apply: (made) => applyFile(context, judged, made),
  };
}

function noColumn(field: string): StationError {
  const message = `The file has no column for ${field}. Say in columns which one it is, and send the file again.`;
  return new StationError('invalid', message, [{ path: `/cells/${field}`, message }]);
}
