import { nameKey } from '#shared/lib/text/nameKey.ts';
import { listText } from '#shared/lib/text/locale.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticleFields, ImportedArticle } from '../../db/repositories/importedArticles.ts';
import type { UndoneArticle } from '../../db/repositories/importUndone.ts';
import type { Transaction } from '../../db/writer.ts';
import { articleAnswer } from './answers.ts';
import { saveArticle } from './changes.ts';
import { move } from './ledger.ts';
import type { ArticlesContext } from './types.ts';
import { fieldsOf, isSame, stockUndoOf } from './undoImported.ts';

const REDONE = 'import redone';

/**
 * Result of a redo. `articleId` is new if the article was created again, and undefined if nothing was restored. `stock` is what the redo
 * set. `message` has the reasons why changes were not restored, or is empty.
 */
export type RedoneArticle = {
  articleId: number | undefined;
  stock: ImportedArticle['after']['stock'];
  message: string;
};

type Asked = { articleId: number; undone: UndoneArticle; by: string };

/** Restores what the undo of an import has removed or reverted in an article. */
export function redoImported(context: ArticlesContext, tx: Transaction, asked: Asked): RedoneArticle {
  const { repositories } = context;
  const { articleId, undone, by } = asked;
  const { sku, before, after, stock } = undone;
  if (after === null) {
    if (repositories.articles.findBySku(nameKey(sku)) !== undefined)
      return { articleId: undefined, stock: [], message: 'An article with this SKU was created again.' };
    const { article } = saveArticle(context, tx, {
      before: undefined,
      sku,
      wanted: before,
      isWhole: true,
      by,
      isImported: true,
    });
    return {
      articleId: article.id,
      stock: restoreStock(context, tx, { ...asked, articleId: article.id }, stock),
      message: '',
    };
  }
  const article = repositories.articles.find(articleId);
  if (article === undefined) return { articleId: undefined, stock: [], message: 'It was removed since.' };
  const now = fieldsOf(articleAnswer(repositories, article));
  const all = Object.keys(before) as (keyof ArticleFields)[];
  const fields = all.filter((field) => isSame(now[field], after[field]));
  const changed = all.filter((field) => !fields.includes(field));
  const kept = changed.length === 0 ? [] : [`${listText(changed)} was changed since.`];
  const known = new Set(stock.map(({ location }) => location).filter((each) => hasPlace(context, articleId, each)));
  if (fields.length > 0) {
    const wanted = Object.fromEntries(fields.map((field) => [field, before[field]]));
    saveArticle(context, tx, { before: article, sku: article.sku, wanted, isWhole: false, by, isImported: true });
  }
  const moves = stock.flatMap((each) => {
    // A place that the undo removed, and that is back, gets its earlier stock.
    if (!known.has(each.location) && hasPlace(context, articleId, each.location)) return [each];
    const change = stockUndoOf(repositories, article, each);
    if (typeof change !== 'string') return [{ ...each, change: change.change }];
    kept.push(change);
    return [];
  });
  return { articleId, stock: restoreStock(context, tx, asked, moves), message: kept.join(' ') };
}

function hasPlace({ repositories }: ArticlesContext, articleId: number, location: string): boolean {
  return repositories.stock.findPlace(articleId, nameKey(location)) !== undefined;
}

type Move = UndoneArticle['stock'][number] & { change?: { delta: number } | { to: number | null; isEmpty: boolean } };

/** Sets the earlier stock, or moves the difference if `change` says so. Returns the movements. */
function restoreStock(
  { repositories }: ArticlesContext,
  tx: Transaction,
  { articleId, by }: Asked,
  moves: readonly Move[],
): RedoneArticle['stock'] {
  const article: ArticleRow | undefined = repositories.articles.find(articleId);
  if (article === undefined) return [];
  return moves.flatMap(({ location, from: to, change = { to, isEmpty: false } }) => {
    const from = repositories.stock.findPlace(articleId, nameKey(location))?.onHand ?? null;
    const moved = move(repositories, tx, { article, place: location, kind: 'import', change }, { by, reason: REDONE });
    return moved.onHand === null ? [] : [{ location, from, to: moved.onHand, movementId: moved.id }];
  });
}
