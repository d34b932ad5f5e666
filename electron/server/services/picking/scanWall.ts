import type { ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import { readCommandCode } from '#shared/lib/picking/scanCommands.ts';
import { StationError } from '../../errors.ts';
import { pickedArticles, wallArticles, type WallResult } from '../batches/index.ts';
import { ARTICLE_FIELDS, type ArticleField, articleTextsOf, FIND_CODE } from './articleCodes.ts';
import { type CodeMeaning, NOTHING, type ScanTables, unlitCandidate } from './scanLines.ts';

export type AtWall = { batch: number; article: string; quantity: number | undefined };

/** Key that stands for an article that no order in the batch needs. */
const NO_ARTICLE = '';

/**
 * Finds the article of a code in a batch that is being sorted at a wall. Returns undefined if the batch is not being sorted, or if the code
 * does not name exactly one article of this batch. Throws `not_found` for an unknown batch.
 */
export function findAtWall(
  tables: ScanTables,
  { batch, code, item_id: itemId, quantity }: Pick<ScanRequest, 'batch' | 'code' | 'item_id' | 'quantity'>,
): AtWall | undefined {
  if (batch === undefined) return undefined;
  const shares = wallArticles(tables, batch);
  if (shares === undefined || readCommandCode(readScan(code).text) !== undefined) return undefined;
  if (itemId !== undefined) {
    const chosen = shares.find((share) => share.itemId === itemId);
    if (chosen === undefined)
      throw new StationError('conflict', 'No order here has this article any more. Scan it again.');
    return { batch, article: chosen.article, quantity };
  }
  const [found, ...more] = articlesOfCode(tables, shares, code);
  if (found === undefined || more.length > 0) return undefined;
  return { batch, article: found.article, quantity: quantity ?? found.pack };
}

type NamedShare = { itemId: number; article: string };

/**
 * Returns the articles in these shares of a batch that a code names, each with its first item and, for the code of a pack, the number of
 * pieces. Returns several if orders use the same name or code for different articles.
 */
export function articlesOfCode(
  tables: ScanTables,
  shares: readonly NamedShare[],
  code: string,
): (NamedShare & { pack: number | undefined })[] {
  for (const candidate of articleTextsOf(tables, code)) {
    for (const field of ARTICLE_FIELDS) {
      const found = FIND_CODE[field](tables, candidate);
      const key = nameKey(candidate);
      const article = found === undefined ? undefined : `id:${found.article.id}`;
      const named = shares.filter((each) =>
        article === undefined ? isNamed(tables, each.itemId, field, key) : each.article === article,
      );
      const articles = named.filter((each, at) => named.findIndex(({ article }) => article === each.article) === at);
      if (articles.length > 0) return articles.map((each) => ({ ...each, pack: found?.pack }));
    }
  }
  return [];
}

/**
 * Matches a code that names several articles of this batch, so that the person has to choose one by `item_id`. Returns undefined if the
 * code names one article or none.
 */
export function asSeveral(
  tables: ScanTables,
  { batch, code, item_id: itemId }: Pick<ScanRequest, 'batch' | 'code' | 'item_id'>,
): CodeMeaning | undefined {
  if (batch === undefined || itemId !== undefined || readCommandCode(readScan(code).text) !== undefined)
    return undefined;
  const shares = wallArticles(tables, batch) ?? pickedArticles(tables, batch) ?? [];
  const articles = articlesOfCode(tables, shares, code);
  if (articles.length < 2) return undefined;
  const candidates = articles.flatMap(({ itemId }) => {
    const item = tables.items.find(itemId);
    return item === undefined ? [] : [unlitCandidate(tables, item)];
  });
  const says = `This code matches ${articles.length} articles. Scan a code that only one of them has, or choose it from the list.`;
  return { answer: { ...NOTHING, result: 'ambiguous', says, candidates } };
}

function isNamed({ items }: ScanTables, itemId: number, field: ArticleField, key: string): boolean {
  const text = items.find(itemId)?.[field] ?? null;
  return text !== null && nameKey(text) === key;
}

/** Returns the wall scan for an article that no order in this batch needs, or undefined if the code does not mean an article. */
export function asNotNeeded(
  tables: ScanTables,
  { batch, quantity }: Pick<ScanRequest, 'batch' | 'quantity'>,
  meaning: CodeMeaning,
): AtWall | undefined {
  const { result, verified } = meaning.answer;
  const isArticle = verified || (meaning.isWrong === true && result !== 'wrong_place');
  if (batch === undefined || !isArticle) return undefined;
  return wallArticles(tables, batch) === undefined ? undefined : { batch, article: NO_ARTICLE, quantity };
}

/** Converts the result of a scan at a wall to the response. */
export function wallAnswer(result: WallResult): ScanResult {
  return { ...NOTHING, verified: result.result === 'put' || result.result === 'single', ...result };
}
