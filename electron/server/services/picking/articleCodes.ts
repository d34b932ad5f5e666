import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { readScan, type ScanMeaning } from '#shared/lib/picking/scanCode.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { NamedItem } from '../../db/repositories/items.ts';
import { isPlaceName } from '../devices/index.ts';
import { type AskedScan, ordersOf, type ScanTables } from './scanLines.ts';

/** Article that a code identifies. `pack` is the number of pieces if it is the code of a pack. */
export type ArticleCode = { article: ArticleRow; pack: number | undefined };

/** Fields by which a code can identify an article or item, in order of precedence. */
export const ARTICLE_FIELDS = ['upc', 'sku', 'name'] as const;
export type ArticleField = (typeof ARTICLE_FIELDS)[number];

type FindCode = (tables: ScanTables, code: string) => ArticleCode | undefined;

const NOT_NAMED = { skuKey: '', skuCode: '', upcKey: '', nameKey: '', spellings: '[]' };

/** Finds an active article by one of its barcodes, by its SKU, or by a name that no other article has. */
export const FIND_CODE: Readonly<Record<ArticleField, FindCode>> = {
  upc(tables, code) {
    const barcode = tables.articles.findBarcode(barcodeKey(code));
    const pack = barcode === undefined || barcode.quantity === 1 ? undefined : barcode.quantity;
    return barcode && withArticle(tables.articles.find(barcode.articleId), pack);
  },
  sku: (tables, code) => withArticle(tables.articles.findBySku(nameKey(code)), undefined),
  name(tables, code) {
    const id = tables.articles.findNamed({ ...NOT_NAMED, nameKey: nameKey(code) });
    return withArticle(id === undefined ? undefined : tables.articles.find(id), undefined);
  },
};

/** Returns the texts by which to search for the article of a scan, in order of precedence. */
export function articleTextsOf(tables: ScanTables, code: string): readonly string[] {
  const meaning = readScan(code);
  return [...meaning.candidates, ...fallbacksOf(tables, meaning)];
}

/** Returns the fallbacks of a scan, which are searched only if no article, place or item has the name of a candidate. */
export function fallbacksOf(
  tables: ScanTables,
  { candidates, fallbacks }: Pick<ScanMeaning, 'candidates' | 'fallbacks'>,
): readonly string[] {
  if (fallbacks.length === 0) return [];
  const isNamed = candidates.some(
    (text) =>
      ARTICLE_FIELDS.some((field) => FIND_CODE[field](tables, text) !== undefined) ||
      isPlaceName(tables, text) ||
      tables.items.knowsArticle(text),
  );
  return isNamed ? [] : fallbacks;
}

/** Returns the article with its pack size, or undefined if the article is missing or inactive. */
function withArticle(article: ArticleRow | undefined, pack: number | undefined): ArticleCode | undefined {
  return article?.isActive === true ? { article, pack } : undefined;
}

/**
 * Returns the items of an article: all items of the order that the scan names or, if it names none, open items and items in the person's
 * own orders. Also finds items that were lit before the article existed, by SKU.
 */
export function itemsOfArticle(tables: ScanTables, { id: articleId, skuKey }: ArticleRow, ask: AskedScan): NamedItem[] {
  const within = ordersOf(tables, ask).flatMap(({ id: orderId }) => [
    ...tables.items.listOfArticle({ orderId, articleId }),
    ...tables.items.listAlike({ orderId, key: skuKey }).filter(({ sku }) => nameKey(sku ?? '') === skuKey),
  ]);
  if (ask.order_number !== undefined) return within;
  const alike = tables.items.listLitAlike({ key: skuKey }).filter(({ sku }) => nameKey(sku ?? '') === skuKey);
  return [...tables.items.listOpenOfArticle(articleId), ...alike, ...within];
}
