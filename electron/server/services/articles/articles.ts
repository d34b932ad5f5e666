import type {
  Article,
  ArticleBulkResult,
  ArticleChange,
  ArticleQuery,
  ArticleReplacement,
  ArticleResult,
  NewArticle,
} from '#shared/api/article.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { TaskRow } from '../../db/repositories/tasks.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { articleAnswer, articleAnswers } from './answers.ts';
import { withWanted } from './wanted.ts';
import { hasStock, inUse, type SavedArticle, saveArticle, stockWords } from './changes.ts';
import { move } from './ledger.ts';
import type { ArticlesContext, ArticleTables } from './types.ts';

const PAGE = 1_000;

/** Throws `changed` if the article differs from the version that the caller read. */
type CheckRead = (current: object) => void;

/** One article in a bulk request. `read` contains the article's fields, or the reason why they are invalid. */
export type ArticleElement = {
  sku: string;
  read: { wanted: NewArticle; warnings: string[] } | { error: StationError };
};

/** Creates the use cases for articles. */
export function createArticles(context: ArticlesContext) {
  return {
    list: (query: ArticleQuery): Article[] => list(context.reads, query),
    /** Throws `not_found`. */
    get: (sku: string): Article => shownAnswer(context.reads, getRow(context.reads, sku)),
    /** Finds the article by SKU, ignoring case. */
    find(sku: string): Article | undefined {
      const row = context.reads.articles.findBySku(nameKey(sku));
      return row === undefined ? undefined : shownAnswer(context.reads, row);
    },
    /** Throws `conflict` if the SKU exists. */
    add: (wanted: NewArticle, by: string): Promise<ArticleResult> =>
      context.writer.write((tx) => {
        const { sku } = wanted;
        return resultOf(saveArticle(context, tx, { before: undefined, sku, wanted, isWhole: true, by }));
      }),
    replace: (sku: string, wanted: ArticleReplacement, by: string, check: CheckRead) =>
      replace(context, sku, wanted, by, check),
    change: (sku: string, wanted: ArticleChange, by: string, check: CheckRead) =>
      change(context, sku, wanted, by, check),
    /**
     * Saves each element separately, in order, creating articles that do not exist. `isWhole` tells whether to replace articles instead of
     * merging fields.
     */
    saveMany: (elements: readonly ArticleElement[], isWhole: boolean, by: string) =>
      saveMany(context, elements, isWhole, by),
    remove: (sku: string, how: { force: boolean; by: string }, check: CheckRead) => remove(context, sku, how, check),
  };
}

export type Articles = ReturnType<typeof createArticles>;

/** Returns the key of a search text, or null if the text is blank and matches everything. */
export function textKey(text = ''): string | null {
  return text.trim() === '' ? null : nameKey(text);
}

/** Finds the article by SKU, ignoring case. Throws `not_found`. */
export function getRow({ articles }: ArticleTables, sku: string): ArticleRow {
  const row = articles.findBySku(nameKey(sku));
  if (row !== undefined) return row;
  throw new StationError('not_found', `There is no article ${sku}. GET /api/articles/ lists them.`);
}

function list(reads: ArticleTables, query: ArticleQuery): Article[] {
  const {
    q,
    barcode,
    location,
    updated_after: since,
    after_revision: afterRevision,
    active = '1',
    sort = 'sku',
    limit = PAGE,
    after,
  } = query;
  const last = after === undefined ? undefined : lastOf(reads, after, sort);
  const rows = reads.articles.list({
    q: textKey(q),
    barcodeKey: barcode === undefined ? null : barcodeKey(barcode),
    placeKey: location === undefined ? null : nameKey(location),
    since: since === undefined ? null : Date.parse(since),
    afterRevision: afterRevision ?? null,
    isActive: active === 'all' ? null : active === '1' || active === 'true' ? 1 : 0,
    sort,
    after: last,
    limit,
  });
  return withWanted(reads, rows, articleAnswers(reads, rows));
}

function shownAnswer(reads: ArticleTables, row: ArticleRow): Article {
  const [answer = articleAnswer(reads, row)] = withWanted(reads, [row], [articleAnswer(reads, row)]);
  return answer;
}

/**
 * Returns the sort position after which a page starts. Throws `invalid` if the article no longer exists and the sort order needs more than
 * its SKU.
 */
function lastOf({ articles }: ArticleTables, sku: string, sort: NonNullable<ArticleQuery['sort']>) {
  const row = articles.findBySku(nameKey(sku));
  if (row !== undefined) return row;
  if (sort === 'sku') return { id: Number.MAX_SAFE_INTEGER, skuKey: nameKey(sku), nameKey: '', updatedAt: 0 };
  const message = `Article ${sku} no longer exists. Read the list from the start, or sort it by sku.`;
  throw new StationError('invalid', message, [{ path: '/after', message }]);
}

/** Replaces an article, or creates it if it does not exist. */
function replace(
  context: ArticlesContext,
  sku: string,
  wanted: ArticleReplacement,
  by: string,
  check: CheckRead,
): Promise<{ result: ArticleResult; isNew: boolean }> {
  return context.writer.write((tx) => {
    const before = context.repositories.articles.findBySku(nameKey(sku));
    check(before === undefined ? {} : articleAnswer(context.repositories, before));
    if (wanted.sku !== undefined && nameKey(wanted.sku) !== nameKey(sku)) {
      const message = `The body has the SKU ${wanted.sku}, but the path has ${sku}. PATCH renames an article.`;
      throw new StationError('invalid', message, [{ path: '/sku', message }]);
    }
    const saved = saveArticle(context, tx, {
      before,
      sku: wanted.sku ?? before?.sku ?? sku,
      wanted,
      isWhole: true,
      by,
    });
    return { result: resultOf(saved), isNew: saved.isNew };
  });
}

function change(
  context: ArticlesContext,
  sku: string,
  wanted: ArticleChange,
  by: string,
  check: CheckRead,
): Promise<ArticleResult> {
  return context.writer.write((tx) => {
    const before = getRow(context.repositories, sku);
    check(articleAnswer(context.repositories, before));
    return resultOf(saveArticle(context, tx, { before, sku: wanted.sku ?? before.sku, wanted, isWhole: false, by }));
  });
}

function saveMany(
  context: ArticlesContext,
  elements: readonly ArticleElement[],
  isWhole: boolean,
  by: string,
): Promise<ArticleBulkResult[]> {
  return context.writer.writeEach(
    elements,
    (tx: Transaction, { read, sku: sent }): ArticleBulkResult => {
      if ('error' in read) return refused(read.error, sent);
      const { wanted, warnings: ofFields } = read;
      const before = context.repositories.articles.findBySku(nameKey(wanted.sku));
      const saved = saveArticle(context, tx, { before, sku: wanted.sku, wanted, isWhole, by });
      const warnings = [...ofFields, ...saved.warnings];
      const { sku } = saved.article;
      return { status: saved.isNew ? 201 : 200, sku, ...(warnings.length === 0 ? {} : { warnings }) };
    },
    (error, { sku, read }) => {
      if (!(error instanceof StationError) || !REFUSED.has(error.code)) throw error;
      const warnings = 'warnings' in read ? read.warnings : [];
      return { ...refused(error, sku), ...(warnings.length === 0 ? {} : { warnings }) };
    },
  );
}

const REFUSED: ReadonlySet<string> = new Set(['invalid', 'conflict', 'in_use']);

function refused(error: StationError, sku: string): ArticleBulkResult {
  const status = error.code === 'conflict' || error.code === 'in_use' ? 409 : 400;
  return { status, sku, code: error.code, detail: error.message, errors: [...error.errors] };
}

/**
 * Deletes an article. Throws `in_use`, listing the uses, if it has stock, open lines or open tasks. With `force`, writes off the stock and
 * ends the tasks instead, and open lines keep their current texts.
 */
function remove(
  context: ArticlesContext,
  sku: string,
  { force, by }: { force: boolean; by: string },
  check: CheckRead,
): Promise<void> {
  const { repositories, writer } = context;
  return writer.write((tx) => {
    const article = getRow(repositories, sku);
    check(articleAnswer(repositories, article));
    const places = repositories.stock.listPlaces(JSON.stringify([article.id])).filter(hasStock);
    const orders = repositories.stock.listOpenOrders({ id: article.id, sku: article.sku });
    const tasks = repositories.tasks.listOpenOfArticle(article.id);
    if (!force && (places.length > 0 || orders.length > 0 || tasks.length > 0)) {
      const uses = [
        ...(places.length === 0 ? [] : [`stock at ${stockWords(places)}`]),
        ...(orders.length === 0 ? [] : [`open lines in ${orders.map(({ orderNumber }) => orderNumber).join(', ')}`]),
        ...(tasks.length === 0 ? [] : [taskUses(tasks)]),
      ];
      const remedy =
        'Hide it with "active": false, or delete it with ?force=1, which writes its stock off and ends its tasks.';
      throw inUse('', `Article ${article.sku} has ${uses.join(' and ')}. ${remedy}`);
    }
    for (const task of tasks) context.taskRecords.end(tx, task, { state: 'ended' });
    // Deactivate the article first, so that writing off its stock opens no tasks.
    repositories.articles.update({ ...article, isActive: false });
    for (const { place, onHand } of places) {
      const change = { delta: -(onHand ?? 0) };
      move(repositories, tx, { article, place, kind: 'adjust', change }, { by, reason: 'article deleted' });
    }
    repositories.stock.releaseItems(article.id);
    repositories.articles.remove(article.id);
    tx.emit({ type: 'article.removed', id: article.id, sku: article.sku });
  });
}

function resultOf({ article, warnings }: SavedArticle): ArticleResult {
  return { ...article, warnings };
}

const MAX_NAMED = 5;

function taskUses(tasks: readonly TaskRow[]): string {
  const named = tasks.slice(0, MAX_NAMED).map(({ id, kind, place }) => `${id} (${kind} at ${place || 'no place'})`);
  const more = tasks.length > named.length ? ` and ${tasks.length - named.length} more` : '';
  return `open tasks ${named.join(', ')}${more}`;
}
