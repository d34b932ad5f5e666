import type { Redone, UndoneArticle } from '../../../db/repositories/importUndone.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';

/** Creates an article again that an undo has removed, or restores what an undo has reverted. */
export function redoArticle(
  { repositories, articles }: Pick<ImportsContext, 'articles' | 'repositories'>,
  tx: Transaction,
  { id, subject, undone, by }: { id: number; subject: number; undone: UndoneArticle; by: By },
): Redone {
  const { articleId, stock, message } = articles.redo(tx, subject, undone, by.name);
  if (articleId !== undefined && articleId !== subject) {
    repositories.importedArticles.renumber(articleId, subject);
    repositories.importUndone.renumber('article', subject, articleId);
  }
  // A second undo reverts the stock that this redo has set.
  const imported = repositories.importedArticles.find(id, articleId ?? subject);
  if (imported !== undefined && !('damaged' in imported) && stock.length > 0) {
    const places = new Map(stock.map((each) => [each.location, each]));
    const next = imported.after.stock.map((each) => places.get(each.location) ?? each);
    repositories.importedArticles.setAfter(id, { ...imported, after: { ...imported.after, stock: next } });
  }
  return { name: undone.sku, message };
}
