import type { Article, NewArticlePlace } from '#shared/api/article.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticleFields, ImportedArticle } from '../../db/repositories/importedArticles.ts';
import type { UndoneArticle } from '../../db/repositories/importUndone.ts';
import type { Transaction } from '../../db/writer.ts';
import { articleAnswer } from './answers.ts';
import { saveArticle } from './changes.ts';
import { move } from './ledger.ts';
import type { ArticlesContext, ArticleTables } from './types.ts';

const UNDONE = 'import undone';

/** Returns the fields of an article that can be changed, without its stock. */
export function fieldsOf({
  sku,
  name,
  description,
  unit,
  note,
  active,
  barcodes,
  places,
}: Article): Required<ArticleFields> {
  return { sku, name, description, unit, note, active, barcodes, places: places.map(limitsOf) };
}

/** Returns the limits of a place, without its stock. */
export function limitsOf({ location, priority = null, minimum = null, maximum = null }: NewArticlePlace) {
  return { location, priority, minimum, maximum };
}

/** Stock to set or to move at a place. */
type StockUndo = { location: string; change: { to: number | null; isEmpty: boolean } | { delta: number } };

/**
 * What an undo would do with an article now: remove it, or restore `fields` and `stock`. `kept` lists why changes would be kept. `article` is
 * undefined if nothing can be undone.
 */
export type ArticleUndo = {
  article: ArticleRow | undefined;
  isRemoved: boolean;
  fields: readonly (keyof ArticleFields)[];
  stock: readonly StockUndo[];
  kept: readonly string[];
};

/** Plans the undo of what an import changed in an article, without changing anything. */
export function undoPlanOf(tables: ArticleTables, { articleId, before, after }: ImportedArticle): ArticleUndo {
  const article = tables.articles.find(articleId);
  if (article === undefined) return keeps('It was removed since.');
  const now = fieldsOf(articleAnswer(tables, article));
  if (before === null) {
    const kept = keptCreated(tables, article, { now, after });
    if (kept !== '') return keeps(kept);
    // Reverse the movements of the import by the same number of pieces.
    const stock = after.stock.map(({ location, to }) => ({ location, change: { delta: -to } }));
    return { article, isRemoved: true, fields: [], stock, kept: [] };
  }
  const places = after.stock.map((each) => stockUndoOf(tables, article, each));
  const stock = places.filter((each) => typeof each !== 'string');
  const kept = places.filter((each) => typeof each === 'string');
  const imported = Object.keys(after.fields) as (keyof ArticleFields)[];
  const fields = imported.filter((field) => isSame(now[field], after.fields[field]));
  const changed = imported.filter((field) => !fields.includes(field));
  if (changed.length > 0) kept.push(`${changed.join(', ')} was changed since.`);
  return { article, isRemoved: false, fields, stock, kept };
}

function keeps(message: string): ArticleUndo {
  return { article: undefined, isRemoved: false, fields: [], stock: [], kept: [message] };
}

/** Result of an undo: the reasons why changes were kept, or an empty string, and what it changed, if anything. */
export type UndoneImport = { message: string; undone: UndoneArticle | undefined };

/** Reverts what an import changed in an article. */
export function undoImported(
  context: ArticlesContext,
  tx: Transaction,
  imported: ImportedArticle,
  by: string,
): UndoneImport {
  const { repositories } = context;
  const { article, isRemoved, fields, stock: moves, kept } = undoPlanOf(repositories, imported);
  const message = kept.join(' ');
  if (article === undefined) return { message, undone: undefined };
  const now = fieldsOf(articleAnswer(repositories, article));
  const before = isRemoved ? now : pick(now, fields);
  const after = isRemoved ? null : pick({ ...now, ...imported.before }, fields);
  if (isRemoved) clearTasks(context, tx, article);
  const stock = moves.map(({ location, change }) => {
    const from = repositories.stock.findPlace(article.id, nameKey(location))?.onHand ?? null;
    const moved = move(repositories, tx, { article, place: location, kind: 'import', change }, { by, reason: UNDONE });
    return { location, from, to: moved.onHand, movementId: moved.id };
  });
  if (isRemoved) removeCreated(context, tx, article);
  else if (fields.length > 0) {
    const wanted = Object.fromEntries(fields.map((field) => [field, imported.before?.[field]]));
    saveArticle(context, tx, { before: article, sku: article.sku, wanted, isWhole: false, by, isImported: true });
  }
  const isUndone = isRemoved || fields.length > 0 || stock.length > 0;
  return { message, undone: isUndone ? { sku: article.sku, before, after, stock } : undefined };
}

/** Returns only these fields of an article. */
export function pick(all: Required<ArticleFields>, fields: readonly (keyof ArticleFields)[]): ArticleFields {
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

/** Whether two fields of an article have the same value. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns why an article that the import created must be kept, or an empty string if an undo can remove it. */
function keptCreated(
  tables: ArticleTables,
  { id, sku, picture }: ArticleRow,
  { now, after }: { now: ArticleFields; after: ImportedArticle['after'] },
): string {
  if (picture !== '' || !isSame(now, after.fields)) return 'It was changed since.';
  // The import itself has written one movement for each stock that it set.
  const anyMovement = { after: 0, limit: after.stock.length + 1, articleId: id, ...ANY };
  if (tables.stock.listMovements(anyMovement).length > after.stock.length) return 'Its stock has moved since.';
  return tables.stock.listOpenOrders({ id, sku }).length > 0 ? 'Open orders need it.' : '';
}

/** Ends the tasks of an article, and deactivates it, so that taking its stock away opens no tasks. */
function clearTasks({ repositories, taskRecords }: ArticlesContext, tx: Transaction, article: ArticleRow): void {
  for (const task of repositories.tasks.listOpenOfArticle(article.id)) taskRecords.end(tx, task, { state: 'ended' });
  repositories.articles.update({ ...article, isActive: false });
}

function removeCreated({ repositories }: ArticlesContext, tx: Transaction, { id, sku }: ArticleRow): void {
  repositories.stock.releaseItems(id);
  repositories.articles.remove(id);
  tx.emit({ type: 'article.removed', id, sku });
}

const ANY = { placeKey: null, orderNumber: null, kind: null, from: null, to: null };

/**
 * Returns how to revert stock that an import or its undo set, without undoing later picks and other movements. Returns the reason if the stock must be
 * kept, for example because the place was counted since.
 */
export function stockUndoOf(
  { stock }: ArticleTables,
  article: ArticleRow,
  { location, from, to, movementId }: UndoneArticle['stock'][number],
): StockUndo | string {
  const placeKey = nameKey(location);
  const place = stock.findPlace(article.id, placeKey);
  if (place === undefined) return `The place ${location} was removed since.`;
  if (place.movementId === movementId) return { location, change: { to: from, isEmpty: false } };
  // A short that found the place empty sets the stock too.
  const isCounted = (['count', 'import', 'short'] as const).some((kind) =>
    stock
      .listMovements({ ...ANY, after: movementId, limit: 1_000, articleId: article.id, placeKey, kind })
      .some(({ delta }) => kind !== 'short' || delta !== 0),
  );
  if (isCounted || from === null || to === null || place.onHand === null)
    return `The stock at ${location} has changed since.`;
  return { location, change: { delta: from - to } };
}
