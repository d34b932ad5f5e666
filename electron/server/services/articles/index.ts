import type { CoreOf } from '../../core.ts';
import { createArticles } from './articles.ts';
import { createItemStock } from './itemStock.ts';
import { createPlaceNames } from './places.ts';
import { createStock } from './stock.ts';
import type { ArticlesContext } from './types.ts';

export type { ArticleElement, Articles } from './articles.ts';
export {
  createItemStock,
  type AvailablePlace,
  type EmptiedPlace,
  type ItemArticle,
  type ItemStock,
} from './itemStock.ts';
export { createPlaceNames, type ArticlePlaceNames } from './places.ts';
export type { MovementElement, StockService } from './stock.ts';

/** Articles, their places and their stock. */
export function createArticleGroup({ repositories, reads, writer }: CoreOf<'articles'>) {
  const context: ArticlesContext = { repositories, reads, writer };
  return {
    articles: createArticles(context),
    stock: createStock(context),
    itemStock: createItemStock(repositories),
    placeNames: createPlaceNames(repositories),
  };
}
