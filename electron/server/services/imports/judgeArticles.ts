import type { ImportArticleRow, ImportCounts } from '#shared/api/imports.ts';
import type { ReadArticle, ReadArticleRow } from '#shared/lib/tables/articles.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../../errors.ts';
import type { ArticlePlan, ImportedStock } from '../articles/index.ts';
import { findByLocation } from '../devices/index.ts';
import type { ArticlesReading, ImportsContext } from './types.ts';

/** The outcome of an article. `line`: of the faulty row; 0: all of its rows. */
export type ArticleJudgment =
  | { outcome: 'new' | 'changed' | 'known'; notes: string[]; stock: ImportedStock[] }
  | { outcome: 'refused'; line: number; message: string };

/** An article of a file with its outcome. `unknown`: keys of its places that do not exist yet. */
export type JudgedArticle = { read: ReadArticle; judgment: ArticleJudgment; unknown: readonly string[] };

/** A file of articles with the outcome of each. */
export type JudgedArticles = {
  articles: readonly JudgedArticle[];
  leftOut: readonly ReadArticleRow[];
};

/** Articles to judge per step, which takes about a millisecond. */
const JUDGED_ARTICLES = 10;

/** Judges a file of articles. Returns none while questions about columns are open. */
export async function judgeArticles(
  context: ImportsContext,
  { articles: read, options }: ArticlesReading,
): Promise<JudgedArticles> {
  const { foregroundReads } = context;
  if (read === undefined) return { articles: [], leftOut: [] };
  const setsStock = options.stock ?? false;
  const articles: JudgedArticle[] = [];
  for (let from = 0; from < read.articles.length; from += JUDGED_ARTICLES) {
    const part: readonly ReadArticle[] = read.articles.slice(from, from + JUDGED_ARTICLES);
    articles.push(...(await foregroundReads.take(() => part.map((each) => judgeArticle(context, each, setsStock)))));
  }
  return { articles, leftOut: read.leftOut };
}

function judgeArticle(context: ImportsContext, read: ReadArticle, setsStock: boolean): JudgedArticle {
  const { articles } = context;
  if (read.problem !== null) return { read, judgment: { outcome: 'refused', ...read.problem }, unknown: [] };
  try {
    const judgment = judgmentOf(articles.plan(read, { setsStock }));
    return { read, judgment, unknown: unknownPlaces(context, read) };
  } catch (error) {
    if (error instanceof StationError)
      return { read, judgment: { outcome: 'refused', line: 0, message: error.message }, unknown: [] };
    throw error;
  }
}

/** Keys of places that are not yet a device label, an alias or a place of an article. */
export function unknownPlaces({ reads }: Pick<ImportsContext, 'reads'>, { places }: ReadArticle): string[] {
  return places
    .map(({ location }) => location)
    .filter((place) => findByLocation(reads, place) === undefined && reads.stock.listAt(nameKey(place)).length === 0)
    .map(nameKey);
}

/** The outcome of a plan if it is applied. */
export function judgmentOf({ before, change, stock, notes }: ArticlePlan): ArticleJudgment {
  const isKnown = Object.keys(change).length === 0 && stock.length === 0;
  return { outcome: before === undefined ? 'new' : isKnown ? 'known' : 'changed', notes, stock };
}

/** Counts rows and created articles. */
export function articleCounts({ articles, leftOut }: JudgedArticles): ImportCounts {
  const counts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: leftOut.length };
  for (const article of articles) {
    if (article.judgment.outcome === 'new') counts.orders += 1;
    for (const row of article.read.rows) counts[fateOf(article, row).outcome] += 1;
  }
  return counts;
}

/** Rows of the API answer, in the order of the file. */
export function articleRows({ articles, leftOut }: JudgedArticles): ImportArticleRow[] {
  const rows = [
    ...articles.flatMap((article) => article.read.rows.map((row) => rowOf(article, row))),
    ...leftOut.map((row) => ({ ...textsOf(row), outcome: row.isWrong ? ('refused' as const) : ('left_out' as const) })),
  ];
  return rows.toSorted((a, b) => a.line - b.line);
}

type Fate = Pick<ImportArticleRow, 'message' | 'outcome'>;

function fateOf({ judgment }: JudgedArticle, row: ReadArticleRow): Fate {
  if (judgment.outcome !== 'refused') return { outcome: judgment.outcome, message: row.message };
  const { line, message } = judgment;
  if (row.isWrong) return { outcome: 'refused', message: row.message };
  if (line === 0 || line === row.line) return { outcome: 'refused', message };
  return { outcome: 'held', message: `Line ${line} of this article is wrong: ${message}` };
}

function rowOf(article: JudgedArticle, row: ReadArticleRow): ImportArticleRow {
  const { judgment, read, unknown } = article;
  const fate = fateOf(article, row);
  const texts = { ...textsOf(row), ...fate };
  if (judgment.outcome === 'refused') return texts;
  const key = nameKey(row.said.location ?? '');
  const isFirst = row === read.rows[0];
  // A row without a place shows the stock of the only place.
  const stock =
    judgment.stock.find(({ location }) => nameKey(location) === key) ?? (key === '' ? judgment.stock[0] : undefined);
  const message = [
    row.message,
    ...(isFirst ? judgment.notes : []),
    ...(unknown.includes(key) ? ['No device or alias has the name of this place: it has no light.'] : []),
    ...(stock === undefined || judgment.outcome === 'new'
      ? []
      : [`The stock there was ${stock.from ?? 'not counted'}.`]),
  ];
  return {
    ...texts,
    message: message.filter((text) => text !== '').join(' '),
    stock: stock?.to ?? null,
    stock_before: stock?.from ?? null,
  };
}

function textsOf({ line, said, sku, name, message }: ReadArticleRow): ImportArticleRow {
  const { SKU = sku, UPC = '', location = '', on_hand = '' } = said;
  return { line, outcome: 'left_out', message, SKU, name, UPC, location, on_hand, stock: null, stock_before: null };
}
