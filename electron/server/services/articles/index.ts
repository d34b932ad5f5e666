import type { CoreOf } from '../../core.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { createArticles } from './articles.ts';
import type { Copier } from '../../ports.ts';
import { createFollowing } from './following.ts';
import { createImportedArticles } from './imported.ts';
import { createItemStock, findArticleId } from './itemStock.ts';
import { createPictures } from './pictures.ts';
import { createPlaceTasks } from './placeTasks.ts';
import { createPutBacks } from './putBacks.ts';
import { createTaskRecords } from './taskRecords.ts';
import { createPlaceNames } from './places.ts';
import { createStock } from './stock.ts';
import type { ArticlesContext, NamingItem } from './types.ts';

export { type ArticleElement, type Articles, textKey } from './articles.ts';
export { articleAnswers, stockAnswers } from './answers.ts';
export type { ArticlePlan, ImportedArticles, ImportedLevel } from './imported.ts';
export {
  type AvailablePlace,
  type EmptiedPlace,
  type EmptiedReport,
  type ItemArticle,
  type ItemBooking,
  type ItemStock,
} from './itemStock.ts';
export { type ArticlePlaceNames, findGiven, hasAllPlaces, isUsed } from './places.ts';
export type { Pictures } from './pictures.ts';
export { move } from './ledger.ts';
export { findArticle } from './findArticle.ts';
export { findArticleId } from './itemStock.ts';
export { meantSku, previousNotes } from './imported.ts';
export { barcodesOf, stockOfLines } from './lineStock.ts';
export type { PlaceTasks } from './placeTasks.ts';
export { taskAnswer, type TaskRecords } from './taskRecords.ts';
export type { Books } from './types.ts';
export { type MovementElement, refuseOutdated, type StockService } from './stock.ts';

export function createArticleGroup(
  core: Pick<CoreOf<'articles'>, 'reads' | 'repositories' | 'writer' | 'onStop'> & {
    settings: Pick<SettingsService, 'current'>;
  },
  { callbacks, copier }: { callbacks: Callbacks; copier: Pick<Copier, 'convertPicture'> },
) {
  const { reads, settings, writer } = core;
  const stopped = new AbortController();
  core.onStop(() => stopped.abort());
  const tables = core.repositories;
  const taskRecords = createTaskRecords({ tables, callbacks });
  const placeTasks = createPlaceTasks({ tables, records: taskRecords });
  const findOf = (item: NamingItem): number | undefined => findArticleId(tables, item);
  const putBacks = createPutBacks({ tables, records: taskRecords, findArticleId: findOf });
  const { stock } = tables;
  const repositories = { ...tables, following: createFollowing({ callbacks, placeTasks, putBacks, stock, settings }) };
  const context: ArticlesContext = { repositories, reads, writer, taskRecords, copier, signal: stopped.signal };
  return {
    articles: createArticles(context),
    pictures: createPictures(context),
    imported: createImportedArticles(context),
    stock: createStock(context),
    itemStock: createItemStock(repositories, putBacks),
    placeNames: createPlaceNames(repositories, taskRecords),
    taskRecords,
    placeTasks,
    /** Tables for other groups that move stock. */
    books: repositories,
  };
}
