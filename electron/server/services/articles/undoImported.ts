import type { Article, NewArticlePlace } from '#shared/api/article.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticleFields, ImportedArticle } from '../../db/repositories/importedArticles.ts';
import type { Transaction } from '../../db/writer.ts';
import { articleAnswer } from './answers.ts';
import { saveArticle } from './changes.ts';
import { move } from './ledger.ts';
import type { ArticlesContext } from './types.ts';

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

/** Reverts what an import changed in an article. Returns the reasons why changes were kept, or an empty string if all were reverted. */
export function undoImported(context: ArticlesContext, tx: Transaction, imported: ImportedArticle, by: string): string {
  const { repositories } = context;
  const article = repositories.articles.find(imported.articleId);
  if (article === undefined) return 'It was removed since.';
  const now = fieldsOf(articleAnswer(repositories, article));
  if (imported.before === null) return undoCreated(context, tx, { article, now, imported, by });
  const kept = imported.after.stock.flatMap((each) => undoStock(context, tx, { article, stock: each, by }));
  const fields = Object.keys(imported.after.fields) as (keyof ArticleFields)[];
  const same = fields.filter((field) => isSame(now[field], imported.after.fields[field]));
  const changed = fields.filter((field) => !same.includes(field));
  if (same.length > 0) {
    const wanted = Object.fromEntries(same.map((field) => [field, imported.before?.[field]]));
    saveArticle(context, tx, { before: article, sku: article.sku, wanted, isWhole: false, by });
  }
  if (changed.length > 0) kept.push(`${changed.join(', ')} was changed since.`);
  return kept.join(' ');
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function undoCreated(
  { repositories, taskRecords }: ArticlesContext,
  tx: Transaction,
  {
    article,
    now,
    imported: { after },
    by,
  }: { article: ArticleRow; now: ArticleFields; imported: ImportedArticle; by: string },
): string {
  const { id, sku, picture } = article;
  if (picture !== '' || !isSame(now, after.fields)) return 'It was changed since.';
  const anyMovement = { after: 0, limit: after.stock.length + 1, articleId: id, ...ANY };
  if (repositories.stock.listMovements(anyMovement).length > after.stock.length) return 'Its stock has moved since.';
  if (repositories.stock.listOpenOrders({ id, sku }).length > 0) return 'Open orders need it.';
  for (const task of repositories.tasks.listOpenOfArticle(id)) taskRecords.end(tx, task, { state: 'ended' });
  // Deactivate the article, so that taking its stock away opens no tasks.
  repositories.articles.update({ ...article, isActive: false });
  for (const { location, to } of after.stock) {
    const change = { delta: -to };
    move(repositories, tx, { article, place: location, kind: 'import', change }, { by, reason: UNDONE });
  }
  repositories.stock.releaseItems(id);
  repositories.articles.remove(id);
  tx.emit({ type: 'article.removed', id, sku });
  return '';
}

const ANY = { placeKey: null, orderNumber: null, kind: null, from: null, to: null };

/**
 * Reverts stock that an import set, without undoing later picks and other movements. Returns the reason if the stock was kept, for example
 * because the place was counted since.
 */
function undoStock(
  { repositories }: ArticlesContext,
  tx: Transaction,
  { article, stock, by }: { article: ArticleRow; stock: ImportedArticle['after']['stock'][number]; by: string },
): string[] {
  const { location, from, to, movementId } = stock;
  const placeKey = nameKey(location);
  const place = repositories.stock.findPlace(article.id, placeKey);
  if (place === undefined) return [`The place ${location} was removed since.`];
  const back = (change: { to: number | null; isEmpty: boolean } | { delta: number }): string[] => {
    move(repositories, tx, { article, place: location, kind: 'import', change }, { by, reason: UNDONE });
    return [];
  };
  if (place.movementId === movementId) return back({ to: from, isEmpty: false });
  // A short that found the place empty sets the stock too.
  const isCounted = (['count', 'import', 'short'] as const).some((kind) =>
    repositories.stock
      .listMovements({ ...ANY, after: movementId, limit: 1_000, articleId: article.id, placeKey, kind })
      .some(({ delta }) => kind !== 'short' || delta !== 0),
  );
  if (isCounted || from === null || place.onHand === null) return [`The stock at ${location} has changed since.`];
  return back({ delta: from - to });
}
