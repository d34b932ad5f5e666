import type { CoreOf } from '../../core.ts';
import { createArticles } from './articles.ts';
import type { Copier } from '../../ports.ts';
import { createImportedArticles } from './imported.ts';
import { createItemStock } from './itemStock.ts';
import { createPictures } from './pictures.ts';
import { createPlaceNames } from './places.ts';
import { createStock } from './stock.ts';
import type { ArticlesContext } from './types.ts';

export type { ArticleElement, Articles } from './articles.ts';
export { articleAnswers } from './answers.ts';
export type { ArticlePlan, ImportedArticles, ImportedStock } from './imported.ts';
export { createItemStock, type ItemStock } from './itemStock.ts';
export { createPlaceNames, type ArticlePlaceNames } from './places.ts';
export type { Pictures } from './pictures.ts';
export type { MovementElement, StockService } from './stock.ts';

/** Articles, their places and their stock. */
export function createArticleGroup(
  { repositories, reads, writer, onStop }: CoreOf<'articles'>,
  { copier }: { copier: Pick<Copier, 'convertPicture'> },
) {
  const stopped = new AbortController();
  onStop(() => stopped.abort());
  const context: ArticlesContext = { repositories, reads, writer, copier, signal: stopped.signal };
  return {
    articles: createArticles(context),
    pictures: createPictures(context),
    imported: createImportedArticles(context),
    stock: createStock(context),
    itemStock: createItemStock(repositories),
    placeNames: createPlaceNames(repositories),
  };
}
