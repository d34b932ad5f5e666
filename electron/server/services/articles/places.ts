import type { RenamedKey } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
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
    articles.touch(tx.now, place.articleId);
    publishArticle({ articles, stock }, tx, place.articleId);
  }
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
    articles.touch(tx.now, id);
    publishArticle({ articles, stock }, tx, id);
  }
  return renamed.map(({ to }, index) => {
    const open = tasks.listOpenAt(to);
    for (const task of open) taskRecords.publish(tx, task);
    const skus = (articleIds[index] ?? []).flatMap((id) => articles.find(id)?.sku ?? []);
    return { skus, tasks: open.length };
  });
}
