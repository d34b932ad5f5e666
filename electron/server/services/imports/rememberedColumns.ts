import type { RememberedAnswers, RememberedColumns } from '#shared/api/importColumns.ts';
import { columnKey } from '#shared/lib/tables/columnKey.ts';
import { isSameUnit } from '#shared/lib/tables/cells/units.ts';
import { MAX_PLACE_PATHS, MAX_STATES, MAX_UNITS } from '#shared/lib/tables/tableLimits.ts';
import { columnSetOf, possibleColumnSets } from '#shared/lib/tables/columnSet.ts';
import type { TablesOf } from '../../core.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import type { Recall, OpenedFile, MappedFile, ReadingOptions } from './types.ts';

export function recallIn(
  { rememberedColumns }: TablesOf<'imports'>,
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

/** Completes the options of a request with remembered answers. The request takes precedence. */
export function withRemembered(given: ReadingOptions, remembered: RememberedColumns | null): ReadingOptions {
  if (remembered === null) return given;
  const {
    decimal,
    date_order: dateOrder,
    encoding,
    sheet,
    order_prefix: prefix,
    unpaid,
    states,
    units,
    place_paths: paths,
  } = remembered;
  return {
    ...(decimal === null ? {} : { decimal }),
    ...(dateOrder === null ? {} : { date_order: dateOrder }),
    ...(encoding === null ? {} : { encoding }),
    ...(sheet === null ? {} : { sheet }),
    ...(prefix === null ? {} : { order_prefix: prefix }),
    ...(unpaid === null ? {} : { unpaid }),
    ...withoutUndefined(given),
    columns: mergedColumns(given.columns ?? {}, remembered.columns),
    ...(states === null ? {} : { states: merged(given.states, states, { isSame: isSameState, most: MAX_STATES }) }),
    ...(units === null ? {} : { units: merged(given.units, units, { isSame: isSameUnit, most: MAX_UNITS }) }),
    ...(paths === null ? {} : { place_paths: mergedPaths(given.place_paths ?? [], paths) }),
  };
}

/**
 * Merges answers about words. Drops a remembered answer if the request answers the same word in any spelling. Drops the first answers if there
 * are too many.
 */
function merged<Answer>(
  given: Readonly<Record<string, Answer>> = {},
  remembered: Readonly<Record<string, Answer>>,
  { isSame, most }: { isSame(one: string, other: string): boolean; most: number },
): Record<string, Answer> {
  const words = Object.keys(given);
  const kept = Object.entries(remembered).filter(([word]) => !words.some((each) => isSame(each, word)));
  return Object.fromEntries([...kept, ...Object.entries(given)].slice(-most));
}

function isSameState(one: string, other: string): boolean {
  return columnKey(one) === columnKey(other);
}

function mergedPaths(given: readonly string[], remembered: readonly string[]): string[] {
  return [...new Set([...remembered, ...given])].slice(-MAX_PLACE_PATHS);
}

type Columns = RememberedColumns['columns'];

/** Merges the columns. Drops a remembered column if the request maps it, or if the request assigns its field to another column. */
function mergedColumns(given: Columns, remembered: Columns): Columns {
  const keys = new Set(Object.keys(given).map(columnKey));
  const fields = new Set(Object.values(given).filter((field) => field !== null));
  const kept = Object.entries(remembered).filter(
    ([name, field]) => !keys.has(columnKey(name)) && (field === null || !fields.has(field)),
  );
  return Object.fromEntries([...kept, ...Object.entries(given)]);
}

/** Returns the answers to remember: those in the request, completed with earlier ones. Returns null if the request contains none. */
export function answersOf(
  given: ReadingOptions,
  options: ReadingOptions,
  file: Pick<OpenedFile, 'encoding' | 'sheets'>,
): RememberedAnswers | null {
  const needed = neededAnswers(file);
  const { columns, decimal, date_order, order_prefix, unpaid, states, units, place_paths } = given;
  const said = [columns, decimal, date_order, order_prefix, unpaid, states, units, place_paths];
  const hasSaid = said.some((each) => each !== undefined);
  const hasChosen = (needed.encoding && given.encoding !== undefined) || (needed.sheet && given.sheet !== undefined);
  if (!hasSaid && !hasChosen) return null;
  return {
    columns: options.columns ?? {},
    decimal: options.decimal ?? null,
    date_order: options.date_order ?? null,
    encoding: (needed.encoding ? options.encoding : undefined) ?? null,
    sheet: (needed.sheet ? options.sheet : undefined) ?? null,
    order_prefix: options.order_prefix === '' ? null : (options.order_prefix ?? null),
    unpaid: options.unpaid ?? null,
    states: filledOrNull(options.states),
    units: filledOrNull(options.units),
    place_paths: filledOrNull(options.place_paths),
  };
}

/**
 * Returns which answers were needed to read the file: an encoding if the file is neither UTF-8 nor UTF-16, and a sheet if there are
 * several.
 */
function neededAnswers({ encoding, sheets }: Pick<OpenedFile, 'encoding' | 'sheets'>) {
  return { encoding: encoding !== null && !encoding.startsWith('utf'), sheet: sheets.length > 1 };
}

/** Remembers the answers of an import for later files with the same column names. Call inside the import's last transaction. */
export function remember({ rememberedColumns }: TablesOf<'imports'>, tx: Transaction, file: MappedFile, by: By): void {
  const { said, remembered, mapping } = file;
  const { kind = 'orders' } = file.options;
  const names = columnSetOf(mapping.columns.map(({ name }) => name));
  if (names === undefined || (said === null && remembered === null)) return;
  const stored = rememberedColumns.find(kind, names);
  const answers = said === null ? null : withStored(said, stored, file);
  if (answers === null) {
    if (stored !== undefined) rememberedColumns.touch(tx.now, stored.id);
  } else if (!isEmpty(answers)) rememberedColumns.keep({ kind, names, answers, usedAt: tx.now, by: by.name });
  else if (stored !== undefined) rememberedColumns.remove(stored.id);
}

/** Keeps the remembered encoding or sheet if this file needs none, because other files with these column names may need it. */
function withStored(
  said: RememberedAnswers,
  stored: RememberedColumns | undefined,
  file: Pick<OpenedFile, 'encoding' | 'sheets'>,
): RememberedAnswers {
  const needed = neededAnswers(file);
  return {
    ...said,
    encoding: needed.encoding ? said.encoding : (stored?.encoding ?? null),
    sheet: needed.sheet ? said.sheet : (stored?.sheet ?? null),
  };
}

/** Removes the remembered answers with this id. Throws `not_found`. */
export async function forget(
  { repositories, writer }: { repositories: TablesOf<'imports'>; writer: Pick<Writer, 'write'> },
  id: number,
): Promise<void> {
  const removed = await writer.write(() => repositories.rememberedColumns.remove(id));
  if (removed > 0) return;
  throw new StationError('not_found', `No columns are remembered as ${id}. GET /api/import-columns/ lists all.`);
}

function isEmpty({ columns, ...others }: RememberedAnswers): boolean {
  return Object.keys(columns).length === 0 && Object.values(others).every((each) => each === null);
}

function filledOrNull<T extends object>(answer: T | undefined): T | null {
  return answer === undefined || Object.keys(answer).length === 0 ? null : answer;
}

function withoutUndefined(options: ReadingOptions): ReadingOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
