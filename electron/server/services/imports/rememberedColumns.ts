import type { RememberedAnswers, RememberedColumns } from '#shared/api/imports.ts';
import { columnKey } from '#shared/lib/tables/columnKey.ts';
import { columnSetOf, possibleColumnSets } from '#shared/lib/tables/columnSet.ts';
import type { FileTable } from '#shared/lib/tables/table.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import type { OpenedFile, MappedFile, ReadingOptions } from './readFile.ts';

type Tables = Pick<Repositories, 'rememberedColumns'>;

/** Finds the remembered answers for the column names of a table. */
export type Recall = (table: FileTable) => RememberedColumns | undefined;

export function recallIn(
  { rememberedColumns }: Tables,
  { kind = 'orders', remembered = true }: ReadingOptions,
): Recall {
  if (!remembered) return () => undefined;
  return (table) => {
    for (const names of possibleColumnSets(table)) {
      const found = rememberedColumns.find(kind, names);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Adds remembered answers to the options of a request. The request's options take precedence. */
export function withRemembered(given: ReadingOptions, remembered: RememberedColumns | null): ReadingOptions {
  if (remembered === null) return given;
  const { decimal, date_order: dateOrder, encoding, sheet, order_prefix: prefix } = remembered;
  return {
    ...(decimal === null ? {} : { decimal }),
    ...(dateOrder === null ? {} : { date_order: dateOrder }),
    ...(encoding === null ? {} : { encoding }),
    ...(sheet === null ? {} : { sheet }),
    ...(prefix === null ? {} : { order_prefix: prefix }),
    ...withoutUndefined(given),
    columns: mergedColumns(given.columns ?? {}, remembered.columns),
  };
}

type Columns = RememberedColumns['columns'];

/** Merges the columns. Drops a remembered column if the request maps it, or assigns its field to another column. */
function mergedColumns(given: Columns, remembered: Columns): Columns {
  const keys = new Set(Object.keys(given).map(columnKey));
  const fields = new Set(Object.values(given).filter((field) => field !== null));
  const kept = Object.entries(remembered).filter(
    ([name, field]) => !keys.has(columnKey(name)) && (field === null || !fields.has(field)),
  );
  return Object.fromEntries([...kept, ...Object.entries(given)]);
}

/** The answers to store: those of the request, completed by remembered ones. Null if the request has none. */
export function answersOf(
  given: ReadingOptions,
  options: ReadingOptions,
  { encoding, sheets }: Pick<OpenedFile, 'encoding' | 'sheets'>,
): RememberedAnswers | null {
  const isNamed = encoding !== null && !encoding.startsWith('utf');
  const said = [given.columns, given.decimal, given.date_order, given.order_prefix];
  const hasSaid = said.some((each) => each !== undefined);
  const hasChosen = (isNamed && given.encoding !== undefined) || (sheets.length > 1 && given.sheet !== undefined);
  if (!hasSaid && !hasChosen) return null;
  return {
    columns: options.columns ?? {},
    decimal: options.decimal ?? null,
    date_order: options.date_order ?? null,
    encoding: (isNamed ? options.encoding : undefined) ?? null,
    sheet: (sheets.length > 1 ? options.sheet : undefined) ?? null,
    order_prefix: options.order_prefix === '' ? null : (options.order_prefix ?? null),
  };
}

/** After an import, stores its answers for later files with the same column names. */
export async function remember(
  { repositories, writer }: { repositories: Tables; writer: Pick<Writer, 'write'> },
  { said, remembered, options: { kind = 'orders' }, mapping }: MappedFile,
  by: By,
): Promise<void> {
  const set = columnSetOf(mapping.columns.map(({ name }) => name));
  if (set === undefined || (said === null && remembered === null)) return;
  await writer.write((tx) => {
    const stored = repositories.rememberedColumns.find(kind, set);
    if (said === null) {
      if (stored !== undefined) repositories.rememberedColumns.touch(tx.now, stored.id);
    } else if (isEmpty(said)) {
      if (stored !== undefined) repositories.rememberedColumns.remove(stored.id);
    } else {
      repositories.rememberedColumns.keep({ kind, names: set, answers: said, usedAt: tx.now, by: by.name });
    }
  });
}

/** Throws `not_found`. */
export async function forget(
  { repositories, writer }: { repositories: Tables; writer: Pick<Writer, 'write'> },
  id: number,
): Promise<void> {
  const removed = await writer.write(() => repositories.rememberedColumns.remove(id));
  if (removed > 0) return;
  throw new StationError('not_found', `No columns are remembered as ${id}. GET /api/import-columns/ lists all.`);
}

function isEmpty({ columns, ...others }: RememberedAnswers): boolean {
  return Object.keys(columns).length === 0 && Object.values(others).every((each) => each === null);
}

function withoutUndefined(options: ReadingOptions): ReadingOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
