import type { ArticleChange } from '#shared/api/article.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import { mapped, statements } from './statements.ts';

/** The fields of an article that an import can set. */
export type ArticleFields = Pick<
  ArticleChange,
  'sku' | 'name' | 'description' | 'unit' | 'note' | 'active' | 'barcodes' | 'places'
>;

/** What an import changed in an article. `before` is null if the import created the article. */
export type ImportedArticle = {
  articleId: number;
  sku: string;
  before: ArticleFields | null;
  after: {
    fields: ArticleFields;
    stock: { location: string; from: number | null; to: number; movementId: number }[];
  };
};

/** A record of an article, or one that cannot be read. */
export type RecordedArticle = ImportedArticle | { articleId: number; damaged: true };

type Stored = { articleId: number; before: string | null; after: string };

/** Reads and writes records of articles that imports created or changed. */
export function importedArticleRows(db: Db) {
  const { find, list, run, values } = statements(db);
  const add = run<[importId: number, articleId: number, before: string | null, after: string]>(
    'INSERT OR IGNORE INTO import_articles (import_id, article_id, before, after) VALUES (?, ?, ?, ?)',
  );
  const all = list<[importId: number], Stored>(
    'SELECT article_id AS articleId, before, after FROM import_articles WHERE import_id = ? ORDER BY article_id DESC',
  );
  const one = find<[importId: number, articleId: number], Stored>(
    'SELECT article_id AS articleId, before, after FROM import_articles WHERE import_id = ? AND article_id = ?',
  );
  const setAfter = run<[after: string, importId: number, articleId: number]>(
    'UPDATE import_articles SET after = ? WHERE import_id = ? AND article_id = ?',
  );
  return {
    /** Replaces the imported values of an article, after a redo. */
    setAfter: (importId: number, { articleId, sku, after }: ImportedArticle): void =>
      setAfter(JSON.stringify({ sku, ...after }), importId, articleId),
    /** Names the new id of an article that was created again, for every import. */
    renumber: run<[next: number, articleId: number]>(
      'UPDATE import_articles SET article_id = ? WHERE article_id = ? AND import_id IN (SELECT id FROM imports)',
    ),
    add: (importId: number, { articleId, sku, before, after }: ImportedArticle): void =>
      add(importId, articleId, before === null ? null : JSON.stringify(before), JSON.stringify({ sku, ...after })),
    /** Lists the articles of an import, most recent first. `damaged` marks a stored row that cannot be read. */
    list: (importId: number): RecordedArticle[] => all(importId).map(recorded),
    /** Lists the ids of the articles of an import, most recent first. */
    listIds: values<[importId: number], number>(
      'SELECT article_id FROM import_articles WHERE import_id = ? ORDER BY article_id DESC',
    ),
    find: (importId: number, articleId: number): RecordedArticle | undefined =>
      mapped(one(importId, articleId), recorded),
  };
}

function recorded({ articleId, before, after }: Stored): RecordedArticle {
  const imported = storedJson('import_articles.after', after) as
    | (ImportedArticle['after'] & { sku: string })
    | undefined;
  const was = before === null ? null : (storedJson('import_articles.before', before) as ArticleFields | undefined);
  if (imported === undefined || was === undefined) return { articleId, damaged: true };
  const { sku, ...rest } = imported;
  return { articleId, sku, before: was, after: rest };
}
