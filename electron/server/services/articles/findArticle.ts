import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import { namesOf } from './itemStock.ts';
import type { ArticleTables } from './types.ts';

/** Finds an article by its SKU, a barcode, or a name that no other article has. */
export function findArticle(
  articles: Pick<ArticleTables['articles'], 'find' | 'findBySku' | 'findNamed'>,
  text: string,
): ArticleRow | undefined {
  const bySku = articles.findBySku(nameKey(text));
  if (bySku !== undefined || text === '') return bySku;
  const id = articles.findNamed(namesOf({ articleId: null, sku: text, upc: text, name: text }));
  return id === undefined ? undefined : articles.find(id);
}
