import type { Db } from '../db.ts';
import { mapped, statements } from './statements.ts';

/** An article that got a place. If a redo of an import creates the article again, it has another id, but the same SKU. */
export type GivenArticle = { id: number; sku: string; place: string };

/** An article without its barcodes and places. Omitted texts are empty. */
export type ArticleRow = {
  id: number;
  sku: string;
  skuKey: string;
  name: string;
  nameKey: string;
  description: string;
  unit: string;
  note: string;
  isActive: boolean;
  updatedAt: number;
  /** Version of the article's picture; empty if it has none. */
  picture: string;
};

/** A picture as WebP in two sizes. `version` is a hash of the content. */
export type PictureRow = { version: string; content: Uint8Array; small: Uint8Array };

export type BarcodeRow = { articleId: number; code: string; codeKey: string; quantity: number };

/** Filter for a page of articles. `q` and names are lowercase keys. Null matches any article. */
export type ArticlePage = {
  q: string | null;
  barcodeKey: string | null;
  placeKey: string | null;
  since: number | null;
  afterRevision: number | null;
  isActive: 0 | 1 | null;
  sort: 'sku' | 'name' | 'updated';
  /** The last article of the previous page. */
  after: Pick<ArticleRow, 'id' | 'skuKey' | 'nameKey' | 'updatedAt'> | undefined;
  limit: number;
};

/**
 * Keys by which an item can identify its article. A key that is not set is empty. `skuCode` and `upcKey` are barcode keys. `spellings` are the
 * keys of other spellings of the name, as a JSON array.
 */
export type ArticleNames = { skuKey: string; skuCode: string; upcKey: string; nameKey: string; spellings: string };

/** An article without its picture, which is set separately. */
type SavedArticle = Omit<ArticleRow, 'id' | 'picture'>;

type RawArticle = Omit<ArticleRow, 'isActive'> & { isActive: 0 | 1 };

const ARTICLES = `SELECT id, sku, sku_key AS skuKey, name, name_key AS nameKey, description, unit, note,
  is_active AS isActive, updated_at AS updatedAt,
  coalesce((SELECT version FROM article_pictures WHERE article_id = articles.id), '') AS picture FROM articles`;

/** SQL condition for articles that contain `:q`. */
export const MATCHES_TEXT = `(:q IS NULL OR instr(sku_key, :q) > 0 OR instr(name_key, :q) > 0 OR instr(lower(description), :q) > 0
  OR EXISTS (SELECT 1 FROM article_barcodes WHERE article_id = articles.id AND instr(lower(code), :q) > 0)
  OR EXISTS (SELECT 1 FROM article_places AS named WHERE named.article_id = articles.id AND instr(named.place_key, :q) > 0))`;

/** Reads and writes articles with their barcodes; places and stock are in `stockRows`. */
export function articleRows(db: Db) {
  const { find, list, run, value, insert } = statements(db);
  const byId = find<[id: number], RawArticle>(`${ARTICLES} WHERE id = ?`);
  const bySku = find<[skuKey: string], RawArticle>(`${ARTICLES} WHERE sku_key = ?`);
  const pageBy = (column: string) =>
    list<[page: Record<string, string | number | null>], RawArticle>(
      `${ARTICLES} WHERE (:isActive IS NULL OR is_active = :isActive) AND (:since IS NULL OR updated_at >= :since)
         AND (:afterRevision IS NULL OR revision > :afterRevision)
         AND (:placeKey IS NULL OR id IN (SELECT article_id FROM article_places WHERE place_key = :placeKey))
         AND (:barcodeKey IS NULL OR id IN (SELECT article_id FROM article_barcodes WHERE code_key = :barcodeKey))
         AND ${MATCHES_TEXT}
         AND (:afterId IS NULL OR (${column}, id) > (:after, :afterId))
       ORDER BY ${column}, id LIMIT :limit`,
    );
  const pages = { sku: pageBy('sku_key'), name: pageBy('name_key'), updated: pageBy('updated_at') };
  // These conditions are part of one statement for a press, and of one for all lines of a launch. A name matches only if exactly one
  // article has it. Other spellings count only if no article has the name itself.
  const idNamed = ({ skuKey, skuCode, upcKey, nameKey, spellings }: ArticleNames) =>
    `coalesce((SELECT id FROM articles WHERE sku_key = ${skuKey} AND is_active = 1),
       (SELECT articles.id FROM article_barcodes JOIN articles ON articles.id = article_id
         WHERE code_key IN (${upcKey}, ${skuCode}) AND is_active = 1 LIMIT 1),
       (SELECT min(id) FROM articles WHERE ${nameKey} <> '' AND name_key = ${nameKey} AND is_active = 1 HAVING count(*) = 1),
       (SELECT min(id) FROM articles WHERE ${spellings} <> '[]' AND is_active = 1
         AND name_key IN (SELECT value FROM json_each(${spellings}) UNION ALL SELECT ${nameKey}) HAVING count(*) = 1))`;
  const named = value<[names: ArticleNames], number>(
    `SELECT ${idNamed({ skuKey: ':skuKey', skuCode: ':skuCode', upcKey: ':upcKey', nameKey: ':nameKey', spellings: ':spellings' })}`,
  );
  const ofEach = (field: keyof ArticleNames) => `each.value ->> '${field}'`;
  const allNamed = list<[names: string], { articleId: number | null }>(
    `SELECT ${idNamed({ skuKey: ofEach('skuKey'), skuCode: ofEach('skuCode'), upcKey: ofEach('upcKey'), nameKey: ofEach('nameKey'), spellings: ofEach('spellings') })} AS articleId
     FROM json_each(?) AS each ORDER BY each.key`,
  );
  const byIds = list<[ids: string], RawArticle>(`${ARTICLES} WHERE id IN (SELECT value FROM json_each(?))`);
  const onlyOf = value<[skuKeys: string], string>(
    'SELECT min(sku) FROM articles WHERE sku_key IN (SELECT value FROM json_each(?)) HAVING count(*) = 1',
  );
  // Reads only the end of an index, because every press in a shop without articles runs this query.
  const newest = value<[], number>('SELECT max(id) FROM articles');
  const insertArticle = insert(
    `INSERT INTO articles (sku, sku_key, name, name_key, description, unit, note, is_active, updated_at, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = run(
    `UPDATE articles SET sku = ?, sku_key = ?, name = ?, name_key = ?, description = ?, unit = ?, note = ?, is_active = ?,
       updated_at = ? WHERE id = ?`,
  );
  const touch = run<[at: number, revision: number, id: number]>(
    'UPDATE articles SET updated_at = ?, revision = ? WHERE id = ?',
  );
  const removeBarcodes = run<[articleId: number]>('DELETE FROM article_barcodes WHERE article_id = ?');
  const insertBarcode = run(
    'INSERT INTO article_barcodes (article_id, code, code_key, quantity, position) VALUES (?, ?, ?, ?, ?)',
  );

  const setPicture = run<[articleId: number, version: string, content: Uint8Array, small: Uint8Array]>(
    'INSERT OR REPLACE INTO article_pictures (article_id, version, content, small) VALUES (?, ?, ?, ?)',
  );
  const picture = find<[articleId: number], { version: string; bytes: Uint8Array }>(
    'SELECT version, content AS bytes FROM article_pictures WHERE article_id = ?',
  );
  const smallPicture = find<[articleId: number], { version: string; bytes: Uint8Array }>(
    'SELECT version, small AS bytes FROM article_pictures WHERE article_id = ?',
  );

  return {
    /** Whether there are any articles. */
    hasAny: (): boolean => newest() !== undefined,
    find: (id: number) => mapped(byId(id), fromArticle),
    findBySku: (skuKey: string) => mapped(bySku(skuKey), fromArticle),
    /** Returns the id of the active article with this SKU, otherwise with this barcode, otherwise with a name that no other article has. */
    findNamed: (names: ArticleNames): number | undefined => named(names),
    /** Like `findNamed`, but for many articles, in the same order. */
    listNamed: (names: readonly ArticleNames[]): (number | undefined)[] =>
      allNamed(JSON.stringify(names)).map(({ articleId }) => articleId ?? undefined),
    /** Lists articles with these ids, in any order. */
    listByIds: (ids: readonly number[]): ArticleRow[] => byIds(JSON.stringify(ids)).map(fromArticle),
    /** Returns the SKU of the only article with one of these keys, or undefined if there are none or several. */
    findOnly: (skuKeys: readonly string[]): string | undefined => onlyOf(JSON.stringify(skuKeys)),
    list({ q, barcodeKey, placeKey, since, afterRevision, isActive, sort, after, limit }: ArticlePage): ArticleRow[] {
      const last =
        after === undefined ? null : { sku: after.skuKey, name: after.nameKey, updated: after.updatedAt }[sort];
      const filter = { q, barcodeKey, placeKey, since, afterRevision, isActive };
      return pages[sort]({ ...filter, after: last, afterId: after?.id ?? null, limit }).map(fromArticle);
    },
    /** Returns the id. */
    insert: (row: SavedArticle, revision: number): number => insertArticle(...columnsOf(row), revision),
    update: (row: SavedArticle & { id: number }): void => update(...columnsOf(row), row.id),
    /** Sets when an article was last changed. Call when its stock changes. */
    touch({ now, revision }: { now: number; revision: number }, id: number): void {
      touch(now, revision, id);
    },
    remove: run<[id: number]>('DELETE FROM articles WHERE id = ?'),
    findPicture: (articleId: number, isSmall: boolean) => (isSmall ? smallPicture : picture)(articleId),
    setPicture: (articleId: number, { version, content, small }: PictureRow): void =>
      setPicture(articleId, version, content, small),
    removePicture: run<[articleId: number]>('DELETE FROM article_pictures WHERE article_id = ?'),
    /** Lists the barcodes of these articles (ids as JSON), sorted by article id and position. */
    listBarcodes: list<[ids: string], BarcodeRow>(
      `SELECT article_id AS articleId, code, code_key AS codeKey, quantity FROM article_barcodes
       WHERE article_id IN (SELECT value FROM json_each(?)) ORDER BY article_id, position`,
    ),
    findBarcode: find<[codeKey: string], BarcodeRow>(
      'SELECT article_id AS articleId, code, code_key AS codeKey, quantity FROM article_barcodes WHERE code_key = ?',
    ),
    setBarcodes(articleId: number, barcodes: readonly Omit<BarcodeRow, 'articleId'>[]): void {
      removeBarcodes(articleId);
      for (const [position, { code, codeKey, quantity }] of barcodes.entries())
        insertBarcode(articleId, code, codeKey, quantity, position);
    },
  };
}

function columnsOf(row: SavedArticle): (string | number)[] {
  const { sku, skuKey, name, nameKey, description, unit, note, isActive, updatedAt } = row;
  return [sku, skuKey, name, nameKey, description, unit, note, isActive ? 1 : 0, updatedAt];
}

function fromArticle(row: RawArticle): ArticleRow {
  return { ...row, isActive: row.isActive === 1 };
}
