import type {
  AnyImport,
  ArticleImport,
  AnyImportRow,
  ImportCounts,
  LocationFileImport,
  OrderImport,
} from '#shared/api/imports.ts';
import { valueAt } from '#shared/lib/station/valueAt.ts';
import { StationError } from '../../errors.ts';
import { applyArticles } from './articles/applyArticles.ts';
import { applyLocations } from './locations/applyLocations.ts';
import { applyOrders } from './orders/applyOrders.ts';
import type { BegunLocations } from './locations/begunLocations.ts';
import type { AppliedFile, AroundImport, MadeImport } from './applySteps.ts';
import type { ImportsContext, Evaluation, MappedFile, OpenedFile } from './types.ts';
import { type AnsweredArticles, answeredArticles, assessArticles } from './articles/assessArticles.ts';
import { readArticles } from './readFile.ts';
import { assessLocations } from './locations/assessLocations.ts';
import { assessOrders } from './orders/assessOrders.ts';
import { locationCounts, locationRow } from './locations/locationRows.ts';
import { answeredRows, changedAnswers, isChanged, orderCounts } from './orders/orderRows.ts';

/** File of any kind with the outcome of each row. There are no rows while questions about columns are unanswered. */
export type AssessedFile<Answer extends AnyImport = AnyImport> = {
  reading: MappedFile;
  counts(): Promise<ImportCounts>;
  rows(): Promise<Answer['rows']>;
  /** Returns the rows that differ from the earlier rows in `before`, which are stored by line. */
  changes(before: ReadonlyMap<number, AnyImportRow>): Promise<Answer['rows']>;
  /** Imports the file. Call only inside `alone`. */
  apply(made: MadeImport, around: AroundImport): Promise<AppliedFile<Answer['rows']>>;
  answer(
    import_: { id: number | null; dryRun: boolean },
    outcome: { counts: ImportCounts; rows: Answer['rows'] },
  ): Answer;
};

/** Reads a file of the kind that its options name, and checks each row. Throws `invalid` if the file cannot be read. */
export function assessFile(
  context: ImportsContext,
  opened: OpenedFile,
  evaluation: Evaluation | undefined,
): Promise<AssessedFile<LocationFileImport> | AssessedFile<ArticleImport> | AssessedFile<OrderImport>> {
  return {
    orders: () => assessOrderFile(context, opened, evaluation),
    articles: () => assessArticleFile(context, opened),
    locations: () => assessLocationFile(context, opened),
  }[opened.options.kind ?? 'orders']();
}

/**
 * Reads an order file and checks each order. With the results of an earlier version in `evaluation`, checks only orders that changed.
 * Throws `invalid` if the file cannot be read.
 */
export async function assessOrderFile(
  context: ImportsContext,
  opened: OpenedFile,
  evaluation?: Evaluation,
): Promise<AssessedFile<OrderImport>> {
  const assessed = await assessOrders(context, opened, evaluation);
  const { reading } = assessed;
  return {
    reading,
    counts: () => Promise.resolve(orderCounts(assessed)),
    rows: () => answeredRows(context, assessed, evaluation),
    changes: (before) => changedAnswers(context, assessed, { evaluation, before }),
    apply: (made, around) => applyOrders(context, assessed, made, around),
    answer: (made, { counts, rows }) => ({
      kind: 'orders',
      ...readAnswer(reading, made),
      asks_date_order: reading.orders?.asksDateOrder ?? false,
      asks_unpaid: reading.orders?.asksUnpaid ?? false,
      asks_states: [...(reading.orders?.unknownStates ?? [])].map(([word, line]) => ({ word, line })),
      asks_units: [...(reading.orders?.asksUnits ?? [])],
      asks_place_paths: [...(reading.orders?.sharedPlaces.paths ?? [])],
      counts,
      rows,
    }),
  };
}

/** Reads an article file and checks each article. Throws `invalid` if the file cannot be read. */
export async function assessArticleFile(
  context: ImportsContext,
  opened: OpenedFile,
): Promise<AssessedFile<ArticleImport>> {
  const reading = await readArticles(context, opened);
  // Check the articles only if needed, because an import checks each article again when it writes it.
  let answering: Promise<AnsweredArticles> | undefined;
  const answered = (): Promise<AnsweredArticles> =>
    (answering ??= assessArticles(context, reading).then((assessed) => answeredArticles(context, assessed)));
  return {
    reading,
    counts: async () => (await answered()).counts,
    rows: async () => (await answered()).rows,
    changes: async (before) => (await answered()).rows.filter((row) => isChanged(before.get(row.line), row)),
    apply: (made, around) => applyArticles(context, reading, made, around),
    answer: (made, { counts, rows }) => ({
      kind: 'articles',
      ...readAnswer(reading, made),
      asks_place_paths: [...(reading.articles?.sharedPlaces.paths ?? [])],
      counts,
      rows,
    }),
  };
}

/** Reads a location file and checks each row. Throws `invalid` if the file cannot be read. */
export async function assessLocationFile(
  context: ImportsContext,
  opened: OpenedFile,
  begun?: BegunLocations,
): Promise<AssessedFile<LocationFileImport>> {
  const { reading, places } = await assessLocations(context, opened, begun);
  return {
    reading,
    counts: () => Promise.resolve(locationCounts(places)),
    rows: () => Promise.resolve(places.map(locationRow)),
    changes: (before) => Promise.resolve(places.map(locationRow).filter((row) => isChanged(before.get(row.line), row))),
    apply: (made, around) => applyLocations(context, places, made, around),
    answer: (made, { counts, rows }) => ({ kind: 'locations', ...readAnswer(reading, made), counts, rows }),
  };
}

/** Returns the part of the response that describes how the file was read. */
function readAnswer(
  { table, encoding, sheets, mapping, remembered }: MappedFile,
  { id, dryRun }: { id: number | null; dryRun: boolean },
): Omit<OrderImport, 'asks_states' | 'asks_unpaid' | 'counts' | 'kind' | 'rows'> {
  const profile = mapping.ok ? mapping.profile : null;
  const ignored = mapping.columns.filter(({ field }) => field === null).map(({ name }) => name);
  const fieldNames = mapping.columns.filter(({ field }) => field !== null).map(({ name }) => name);
  return {
    id,
    dry_run: dryRun,
    delimiter: table.delimiter,
    encoding,
    sheet: table.sheet,
    sheets: [...sheets],
    profile: profile?.title ?? null,
    columns: fieldNames,
    ignored,
    mapping: [...mapping.columns],
    questions: mapping.ok ? [] : mapping.questions,
    remembered,
    asks_date_order: false,
    asks_units: [],
    asks_place_paths: [],
    skipped: { hidden_rows: table.hiddenRows, hidden_columns: table.hiddenColumns },
    notes: [
      ...table.notes,
      ...ignored.flatMap((name) => {
        const why = valueAt(profile?.unread, name);
        return why === undefined ? [] : [`"${name}" ${why}`];
      }),
    ],
  };
}

/** Throws `invalid` if questions about columns are unanswered. */
export function refuseUnclear({ mapping }: Pick<MappedFile, 'mapping'>): void {
  if (mapping.ok) return;
  const { message } = mapping;
  throw new StationError('invalid', message, [{ path: '/columns', message }]);
}
