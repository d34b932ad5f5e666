import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { publishArticle } from './answers.ts';
import { hasStock, inUse } from './changes.ts';
import type { TaskRecords } from './taskRecords.ts';
import type { ArticlesContext } from './types.ts';

type Tables = ArticlesContext['reads'];

/**
 * Keeps the places of articles in sync with renamed aliases and labels. Call these functions inside the transaction that changes the name,
 * after the name is saved.
 */
export function createPlaceNames(tables: Tables, taskRecords: Pick<TaskRecords, 'publish'>) {
  return {
    /**
     * Renames the place in articles, lines, open tasks and the stored sources of picked pieces. `from` and `to` are an alias or a label, or
     * empty if there is none. Does nothing while another alias or label has either name, because then both places exist and only a device
     * moved. Throws `in_use` if articles have stock at a place that would disappear, or already have both places.
     */
    renamed: (tx: Transaction, from: string, to: string): void => renamed(tables, taskRecords, tx, { from, to }),
  };
}

export type ArticlePlaceNames = ReturnType<typeof createPlaceNames>;

function renamed(
  tables: Tables,
  taskRecords: Pick<TaskRecords, 'publish'>,
  tx: Transaction,
  { from, to }: { from: string; to: string },
): void {
  const [before, after] = [nameKey(from), nameKey(to)];
  if (before === '' || from === to) return;
  const places = tables.stock.listAt(before);
  if (places.length === 0) return;
  if (before !== after && (timesNamed(tables, from) > 0 || timesNamed(tables, to) > 1)) return;
  if (after === '') return refuseRemoval(tables, from);
  if (before !== after) refuseMerge(tables, to, new Set(places.map(({ articleId }) => articleId)));
  tables.stock.renamePlace(before, after, to);
  tables.tasks.renamePlace({ from: before, to: after, place: to });
  for (const { articleId } of places) {
    tables.articles.touch(tx.now, articleId);
    publishArticle(tables, tx, articleId);
    for (const task of tables.tasks.listOpenOfArticle(articleId))
      if (task.placeKey === after) taskRecords.publish(tx, task);
  }
}

/** Returns the number of aliases and labels with this name. */
function timesNamed({ aliases, devices }: Tables, name: string): number {
  if (name === '') return 0;
  return devices.listByLabel(name).length + (aliases.findByName(name) === undefined ? 0 : 1);
}

function refuseRemoval(tables: Tables, name: string): void {
  const used = tables.stock.listAt(nameKey(name)).filter(hasStock);
  if (used.length === 0) return;
  const skus = used.slice(0, 5).map(({ articleId, onHand }) => `${skuOf(tables, articleId)} (${onHand ?? 0})`);
  const more = used.length > skus.length ? ` and ${used.length - skus.length} more` : '';
  throw inUse('', `${name} has stock: ${skus.join(', ')}${more}. Transfer or count it first, or rename the place.`);
}

function refuseMerge(tables: Tables, to: string, articleIds: ReadonlySet<number>): void {
  const both = tables.stock.listAt(nameKey(to)).find(({ articleId }) => articleIds.has(articleId));
  if (both === undefined) return;
  const sku = skuOf(tables, both.articleId);
  throw inUse(
    '',
    `Article ${sku} already has the place ${to}. Transfer its stock and remove one of the two places first.`,
  );
}

function skuOf({ articles }: Tables, id: number): string {
  return articles.find(id)?.sku ?? '';
}
