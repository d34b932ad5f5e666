import type { CoreOf } from '../../core.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { createArticles } from './articles.ts';
import { createFollowing } from './following.ts';
import { createItemStock } from './itemStock.ts';
import { createPlaceNames } from './places.ts';
import { createStock } from './stock.ts';
import type { ArticlesContext } from './types.ts';

export type { ArticleElement, Articles } from './articles.ts';
export { createItemStock, type ItemStock } from './itemStock.ts';
export { createPlaceNames, type ArticlePlaceNames } from './places.ts';
export type { MovementElement, StockService } from './stock.ts';

/** Articles, their places and their stock. */
export function createArticleGroup(core: CoreOf<'articles'>, { callbacks }: { callbacks: Callbacks }) {
  const { reads, writer } = core;
  const { aliases, articles, devices, stock } = core.repositories;
  const repositories = { aliases, articles, devices, stock, following: createFollowing({ callbacks }) };
  const context: ArticlesContext = { repositories, reads, writer };
  return {
    articles: createArticles(context),
    stock: createStock(context),
    itemStock: createItemStock(repositories),
    placeNames: createPlaceNames(repositories),
  };
}
