import type { Article } from '#shared/api/article.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import { namesOf } from './itemStock.ts';
import type { ArticleTables } from './types.ts';

/**
 * Adds to each article how many pieces orders still need: lines that have taken the article, and waiting lines that would take it at a
 * launch. `answers` has the order of `rows`.
 */
export function withWanted(tables: ArticleTables, rows: readonly ArticleRow[], answers: readonly Article[]): Article[] {
  if (rows.length === 0) return [];
  const { articles, stock } = tables;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const wanted = new Map<number, number>();
  const add = (id: number | undefined, pieces: number): void => {
    if (id !== undefined) wanted.set(id, (wanted.get(id) ?? 0) + pieces);
  };
  for (const { articleId, allocated } of stock.listAllocated(ids)) add(articleId, allocated);
  const codes = articles.listBarcodes(ids).flatMap(({ code, codeKey }) => [code, codeKey, codeKey.replace(/^0+/, '')]);
  const waiting = stock.listWaiting(
    JSON.stringify([...rows.map(({ sku }) => sku), ...codes]),
    JSON.stringify(rows.flatMap(({ name }) => (name === '' ? [] : [name]))),
  );
  const found = articles.listNamed(waiting.map((line) => namesOf({ articleId: null, ...line })));
  for (const [index, { rest }] of waiting.entries()) add(found[index], rest);
  return answers.map((answer, index) => ({ ...answer, wanted: wanted.get(rows[index]?.id ?? 0) ?? 0 }));
}
