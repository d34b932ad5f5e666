import type { GivenArticle } from '../../db/repositories/articles.ts';
import type { ArticlePlaceRow, RenamedKey } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { MAX_ARTICLE_PLACES } from '#shared/lib/articles/articleLimits.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../../errors.ts';
import { publishArticle } from './answers.ts';
import { hasStock, inUse } from './changes.ts';
import type { TaskRecords } from './taskRecords.ts';
import type { ArticlesContext } from './types.ts';

type Tables = ArticlesContext['repositories'];

/** The goods at a renamed place: the SKUs of its articles, and the number of its open tasks. */
export type RenamedGoods = { skus: string[]; tasks: number };

/** Renames places in articles, stock, tasks, lines and the stored sources of picked pieces. Call inside a transaction. */
export function createPlaceNames(tables: Tables, taskRecords: Pick<TaskRecords, 'publish'>) {
  return {
    /** Whether articles have this place. */
    hasGoods: (key: string): boolean => tables.stock.listAt(key).length > 0,
    /** Renames several places at once, so that names can be exchanged. Returns what each of them has. */
    rename: (tx: Transaction, renamed: readonly RenamedKey[]): RenamedGoods[] =>
      rename(tables, taskRecords, tx, renamed),
    /** Removes a place from its articles, and ends its tasks. Throws `in_use` if one of them has stock there. */
    remove: (tx: Transaction, name: string, by: string): void => remove(tables, tx, name, by),
    /**
     * Gives an article a place. Returns whether it did not have the place yet. Throws `not_found` if the article was removed, and `conflict`
     * if it has too many places.
     */
    give: (tx: Transaction, given: GivenArticle): boolean => give(tables, tx, given),
    /** Takes a place without stock or limits from an article. Returns whether it did. */
    take: (tx: Transaction, given: GivenArticle, by: string): boolean => take(tables, tx, given, by),
  };
}

export type ArticlePlaceNames = ReturnType<typeof createPlaceNames>;

function remove({ articles, stock, following }: Tables, tx: Transaction, name: string, by: string): void {
  const places = stock.listAt(nameKey(name));
  const used = places.filter(hasStock);
  if (used.length > 0) {
    const skus = used.map(({ articleId, onHand }) => `${articles.find(articleId)?.sku ?? ''} (${onHand ?? 0})`);
    throw inUse('', `${name} has stock: ${skus.slice(0, 5).join(', ')}. Transfer it or count it as 0 first.`);
  }
  for (const place of places) {
    stock.removePlace(place.articleId, place.placeKey);
    following.limited(tx, { before: place, after: undefined, by });
    articles.touch(tx, place.articleId);
    publishArticle({ articles, stock }, tx, place.articleId);
  }
}

/** Finds an article that got a place. It has another id if a redo has created it again since. */
export function findGiven(
  articles: Pick<Tables['articles'], 'find' | 'findBySku'>,
  { id, sku }: Pick<GivenArticle, 'id' | 'sku'>,
): ReturnType<Tables['articles']['find']> {
  return articles.find(id) ?? articles.findBySku(nameKey(sku));
}

/** Explains why an article gets no other place. */
export function hasAllPlaces(sku: string): string {
  return `Article ${sku} has ${MAX_ARTICLE_PLACES} places, and cannot have more.`;
}

function give({ articles, stock }: Tables, tx: Transaction, given: GivenArticle): boolean {
  const { sku, place } = given;
  const id = findGiven(articles, given)?.id;
  if (id === undefined) throw new StationError('not_found', `The article ${sku} was removed.`);
  const placeKey = nameKey(place);
  const own = stock.listPlaces(JSON.stringify([id]));
  if (own.some((each) => each.placeKey === placeKey)) return false;
  if (own.length >= MAX_ARTICLE_PLACES) throw new StationError('conflict', hasAllPlaces(sku));
  const position = Math.max(-1, ...own.map((each) => each.position)) + 1;
  stock.savePlace({ articleId: id, placeKey, place, position, priority: null, minimum: null, maximum: null });
  articles.touch(tx, id);
  publishArticle({ articles, stock }, tx, id);
  return true;
}

function take({ articles, stock, following }: Tables, tx: Transaction, given: GivenArticle, by: string): boolean {
  const id = findGiven(articles, given)?.id;
  const before = stock.listAt(nameKey(given.place)).find(({ articleId }) => articleId === id);
  if (id === undefined || before === undefined || isUsed(before)) return false;
  stock.removePlace(id, before.placeKey);
  following.limited(tx, { before, after: undefined, by });
  articles.touch(tx, id);
  publishArticle({ articles, stock }, tx, id);
  return true;
}

/** Whether the place has stock or limits, so that it is more than a name. */
export function isUsed({ onHand, isEmpty, priority, minimum, maximum }: ArticlePlaceRow): boolean {
  return isEmpty || [onHand, priority, minimum, maximum].some((figure) => figure !== null);
}

function rename(
  { articles, stock, tasks }: Tables,
  taskRecords: Pick<TaskRecords, 'publish'>,
  tx: Transaction,
  renamed: readonly RenamedKey[],
): RenamedGoods[] {
  const text = JSON.stringify(renamed);
  const articleIds = renamed.map(({ from }) => stock.listAt(from).map(({ articleId }) => articleId));
  stock.renamePlaces(text);
  tasks.renamePlaces(renamed);
  for (const id of new Set(articleIds.flat())) {
    articles.touch(tx, id);
    publishArticle({ articles, stock }, tx, id);
  }
  return renamed.map(({ to }, index) => {
    const open = tasks.listOpenAt(to);
    for (const task of open) taskRecords.publish(tx, task);
    const skus = (articleIds[index] ?? []).flatMap((id) => articles.find(id)?.sku ?? []);
    return { skus, tasks: open.length };
  });
}
