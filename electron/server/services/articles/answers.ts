import type { Article, ArticlePlace } from '#shared/api/article.ts';
import type { Movement, StockRow } from '#shared/api/stock.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticlePlaceRow, MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import type { ArticleTables } from './types.ts';

/** Converts articles to their API form, in the given order. */
export function articleAnswers({ articles, stock }: ArticleTables, rows: readonly ArticleRow[]): Article[] {
  if (rows.length === 0) return [];
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const barcodes = Map.groupBy(articles.listBarcodes(ids), ({ articleId }) => articleId);
  const places = Map.groupBy(stock.listPlaces(ids), ({ articleId }) => articleId);
  const allocatedAt = allocations(stock, ids);
  return rows.map((row) => ({
    id: row.id,
    sku: row.sku,
    name: textOf(row.name),
    description: textOf(row.description),
    barcodes: (barcodes.get(row.id) ?? []).map(({ code, quantity }) => ({ code, quantity })),
    unit: textOf(row.unit),
    note: textOf(row.note),
    picture: pictureAddress(row),
    active: row.isActive,
    places: (places.get(row.id) ?? []).map((place) => placeAnswer(place, allocatedAt(place))),
    updated: isoTime(row.updatedAt),
  }));
}

/** Returns the URL of the article's picture, which changes whenever the picture changes, or null if the article has no picture. */
export function pictureAddress({ sku, picture }: Pick<ArticleRow, 'picture' | 'sku'>): string | null {
  return picture === '' ? null : `/api/articles/${encodeURIComponent(sku)}/picture/?v=${picture}`;
}

export function articleAnswer(tables: ArticleTables, row: ArticleRow): Article {
  const [answer] = articleAnswers(tables, [row]);
  if (answer === undefined) throw new Error('An article has no answer.');
  return answer;
}

/** Converts stock rows to their API form. */
export function stockAnswers({ articles, stock }: ArticleTables, rows: readonly ArticlePlaceRow[]): StockRow[] {
  const ids = [...new Set(rows.map(({ articleId }) => articleId))];
  const known = new Map(ids.map((id) => [id, articles.find(id)]));
  const allocatedAt = allocations(stock, JSON.stringify(ids));
  return rows.flatMap((row) => {
    const article = known.get(row.articleId);
    if (article === undefined) return [];
    const { priority: _, ...place } = placeAnswer(row, allocatedAt(row));
    const { sku, name, unit } = article;
    return [{ sku, name: textOf(name), unit: textOf(unit), picture: pictureAddress(article), ...place }];
  });
}

/**
 * Returns a function that counts how many pieces of an article the unfinished lines of launched orders still need from a place. `ids`
 * contains the article ids as a JSON array.
 */
export function allocations(
  stock: ArticleTables['stock'],
  ids: string,
): (place: Pick<ArticlePlaceRow, 'articleId' | 'placeKey'>) => number {
  const keyOf = (articleId: number, placeKey: string | null): string => `${articleId} ${placeKey ?? ''}`;
  const known = new Map(
    stock.listAllocated(ids).map(({ articleId, placeKey, allocated }) => [keyOf(articleId, placeKey), allocated]),
  );
  return ({ articleId, placeKey }) => known.get(keyOf(articleId, placeKey)) ?? 0;
}

function placeAnswer(row: ArticlePlaceRow, allocated: number): ArticlePlace {
  const { place: location, priority, minimum, maximum, onHand, isEmpty } = row;
  return {
    location,
    priority,
    minimum,
    maximum,
    on_hand: onHand,
    allocated,
    available: onHand === null ? null : onHand - allocated,
    empty: isEmpty,
    attention: onHand !== null && onHand < 0 ? ['negative'] : [],
  };
}

/** Converts a movement to the form that the API and the event stream use. */
export function movementAnswer(row: MovementRow): Movement {
  return {
    movement_id: row.id,
    kind: row.kind,
    time: isoTime(row.at),
    SKU: row.sku,
    location: row.place,
    deviceid: row.deviceId,
    delta: row.delta,
    on_hand: row.onHand,
    order: row.orderNumber,
    shipment: row.shipmentNumber,
    item: row.itemId,
    ordered_quantity: row.ordered,
    quantity_fulfilled: row.fulfilled,
    reason: row.reason,
    picker: row.picker,
    by: row.doneBy,
    nonce: row.nonce,
    key: row.key,
  };
}

/** Publishes the article in API form, at most once per commit. */
export function publishArticle(tables: ArticleTables, tx: Transaction, articleId: number): void {
  tx.beforeCommit(`article:${articleId}`, () => {
    const row = tables.articles.find(articleId);
    if (row !== undefined) tx.emit({ type: 'article.changed', article: articleAnswer(tables, row) });
    return undefined;
  });
}

function textOf(text: string): string | null {
  return text === '' ? null : text;
}
