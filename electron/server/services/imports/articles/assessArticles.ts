import type { ImportArticleRow, ImportCounts } from '#shared/api/imports.ts';
import type { ReadArticle, ReadArticleRow } from '#shared/lib/tables/articles.ts';
import { createPace, type InParts, sortedInParts } from '#shared/lib/station/inParts.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../../../errors.ts';
import type { ArticlePlan } from '../../articles/index.ts';
import { createTwinFinder } from '../../base/index.ts';
import { findByLocation } from '../../devices/index.ts';
import type { ArticlesReading, ImportsContext } from '../types.ts';

/** Outcome of an article. `line` is the line of the faulty row, or 0 if the fault is not in a single row. */
export type ArticleAssessment =
  | ({ outcome: 'new' | 'changed' | 'known' } & Pick<ArticlePlan, 'leavesFigures' | 'levels' | 'notes' | 'stock'>)
  | { outcome: 'refused'; line: number; message: string };

/** Article in a file with its outcome. `unknown` lists the keys of its places that do not exist yet. */
export type AssessedArticle = { read: ReadArticle; assessment: ArticleAssessment; unknown: readonly string[] };

/** Checked article file with the outcome of each article. */
export type AssessedArticles = {
  articles: readonly AssessedArticle[];
  leftOut: readonly ReadArticleRow[];
};

/** Number of articles to check, or to convert to API form, per step. A step takes about 1 ms. */
const JUDGED_ARTICLES = 10;

/** Checks each article in a file. Returns no articles while questions about columns are unanswered. */
export async function assessArticles(
  context: ImportsContext,
  { articles: read, options }: ArticlesReading,
): Promise<AssessedArticles> {
  const { foregroundReads } = context;
  if (read === undefined) return { articles: [], leftOut: [] };
  const setsStock = options.stock ?? false;
  const articles: AssessedArticle[] = [];
  const withTwins = createTwinNotes();
  for (let from = 0; from < read.articles.length; from += JUDGED_ARTICLES) {
    const part: readonly ReadArticle[] = read.articles.slice(from, from + JUDGED_ARTICLES);
    articles.push(
      ...(await foregroundReads.take(() => part.map((each) => withTwins(assessArticle(context, each, setsStock))))),
    );
  }
  return { articles, leftOut: read.leftOut };
}

/** Creates a function that adds notes about names that look like names in earlier rows. Call it once for each article. */
function createTwinNotes(): (article: AssessedArticle) => AssessedArticle {
  const findTwin = createTwinFinder();
  return (article) => {
    const { assessment, read } = article;
    if (assessment.outcome === 'refused') return article;
    const line = read.rows[0]?.line ?? 0;
    const twins = [
      findTwin('sku', read.sku, line),
      ...read.places.map(({ location }) => findTwin('place', location, line)),
    ].filter((said) => said !== undefined);
    if (twins.length === 0) return article;
    return { ...article, assessment: { ...assessment, notes: [...assessment.notes, ...twins] } };
  };
}

function assessArticle(context: ImportsContext, read: ReadArticle, setsStock: boolean): AssessedArticle {
  const { articles } = context;
  if (read.problem !== null) return { read, assessment: { outcome: 'refused', ...read.problem }, unknown: [] };
  try {
    const assessment = assessmentOf(articles.plan(read, { setsStock }));
    return { read, assessment, unknown: unknownPlaces(context, read) };
  } catch (error) {
    if (error instanceof StationError)
      return { read, assessment: { outcome: 'refused', line: 0, message: error.message }, unknown: [] };
    throw error;
  }
}

/** Returns the keys of places that do not exist yet as a device label, an alias or a place of an article. */
export function unknownPlaces({ reads }: Pick<ImportsContext, 'reads'>, { places }: ReadArticle): string[] {
  return places
    .map(({ location }) => location)
    .filter((place) => findByLocation(reads, place) === undefined && reads.stock.listAt(nameKey(place)).length === 0)
    .map(nameKey);
}

/** Returns the outcome of applying a plan. */
export function assessmentOf({ before, change, stock, levels, leavesFigures, notes }: ArticlePlan): ArticleAssessment {
  const isKnown = Object.keys(change).length === 0 && stock.length === 0;
  const outcome = before === undefined ? 'new' : isKnown ? 'known' : 'changed';
  return { outcome, notes, stock, levels, leavesFigures };
}

/** Rows of the API response in file order, the number of rows by outcome, and the number of created articles. */
export type AnsweredArticles = { rows: ImportArticleRow[]; counts: ImportCounts };

/** Creates the rows of the API response, in steps of about 1 ms. */
export function answeredArticles(
  { foregroundReads }: Pick<ImportsContext, 'foregroundReads'>,
  assessed: AssessedArticles,
): Promise<AnsweredArticles> {
  return foregroundReads.takeAll(answersIn(assessed));
}

function* answersIn({ articles, leftOut }: AssessedArticles): InParts<AnsweredArticles> {
  const counts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };
  const rows: ImportArticleRow[] = leftOut.map((row) => ({ ...textsOf(row), outcome: fateOfLeftOut(row) }));
  const pace = createPace();
  for (const article of articles) {
    if (article.assessment.outcome === 'new') counts.orders += 1;
    for (const row of article.read.rows) {
      rows.push(rowOf(article, row));
      if (pace.isDue()) yield* pace.rest();
    }
  }
  for (const { outcome } of rows) counts[outcome] += 1;
  return { rows: yield* sortedInParts(rows, (a, b) => a.line - b.line), counts };
}

function fateOfLeftOut({ isWrong }: ReadArticleRow): 'left_out' | 'refused' {
  return isWrong ? 'refused' : 'left_out';
}

type Fate = Pick<ImportArticleRow, 'conflict' | 'message' | 'outcome' | 'stock_left_out'>;

function fateOf({ assessment, read }: AssessedArticle, row: ReadArticleRow): Fate {
  const { message } = row;
  if (assessment.outcome === 'refused') return refusalOf(assessment, row);
  const leavesStock = isStockLeftOut(assessment, read, row);
  const fate = { message, conflict: false, stock_left_out: leavesStock };
  // The first row of a new article is never left out, because it creates the article.
  const isAll = assessment.outcome !== 'new' || row !== read.rows[0];
  return { ...fate, outcome: leavesStock && isAll && hasOnlyStock(row) ? 'left_out' : assessment.outcome };
}

function refusalOf({ line, message }: Extract<ArticleAssessment, { outcome: 'refused' }>, row: ReadArticleRow): Fate {
  const fate = { message, conflict: false, stock_left_out: false };
  if (row.isWrong) return { ...fate, outcome: 'refused', message: row.message };
  if (line === 0 || line === row.line) return { ...fate, outcome: 'refused', conflict: line === 0 };
  return { ...fate, outcome: 'held', message: `Line ${line} of this article is wrong: ${message}` };
}

/** Whether the import ignores the stock in this row, because it is not a number or does not belong to a place. */
function isStockLeftOut(
  { leavesFigures }: Pick<ArticlePlan, 'leavesFigures'>,
  { places, anywhere }: ReadArticle,
  { said }: ReadArticleRow,
): boolean {
  if (said.on_hand === undefined) return false;
  if (said.location === undefined) return leavesFigures || anywhere.onHand === undefined;
  const key = nameKey(said.location);
  return places.find(({ location }) => nameKey(location) === key)?.onHand === undefined;
}

const STOCK_CELLS: ReadonlySet<string> = new Set(['SKU', 'on_hand', 'sku_and_name']);

function hasOnlyStock({ said }: ReadArticleRow): boolean {
  return Object.keys(said).every((field) => STOCK_CELLS.has(field));
}

/** Warning for rows with `without_light`. */
export const NO_LIGHT = 'No device or alias has the name of this place: it has no light.';

function rowOf(article: AssessedArticle, row: ReadArticleRow): ImportArticleRow {
  const { assessment, read, unknown } = article;
  const texts = { ...textsOf(row), ...fateOf(article, row) };
  if (assessment.outcome === 'refused') return texts;
  const key = nameKey(row.said.location ?? '');
  /** Returns the figures for the row's place. A row without a place shows the figures for the article's first place. */
  const atPlace = <Figure extends { location: string }>(figures: readonly Figure[]): Figure | undefined =>
    figures.find(({ location }) => nameKey(location) === key) ?? (key === '' ? figures[0] : undefined);
  const stock = atPlace(assessment.stock);
  const level = row.said.minimum === undefined ? undefined : atPlace(assessment.levels);
  const message = [row.message, ...(row === read.rows[0] ? assessment.notes : [])];
  return {
    ...texts,
    message: message.filter((text) => text !== '').join(' '),
    stock: stock?.to ?? null,
    stock_before: stock?.from ?? null,
    level: level?.to ?? null,
    level_before: level?.from ?? null,
    without_light: unknown.includes(key),
  };
}

function textsOf({ line, said, sku, name, message }: ReadArticleRow): ImportArticleRow {
  const { SKU = sku, UPC = '', location = '', minimum = '', on_hand = '' } = said;
  const texts = { line, message, SKU, name, UPC, location, minimum, on_hand };
  const figures = { stock: null, stock_before: null, level: null, level_before: null };
  return { ...texts, ...figures, outcome: 'left_out', conflict: false, stock_left_out: false, without_light: false };
}
