import { barcodeKey } from '#shared/lib/barcodeKey.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { SourceRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { allocations, publishArticle } from './answers.ts';
import { move, type MovementCause, type MovementItem } from './ledger.ts';
import type { ArticleTables } from './types.ts';

/** What an item says of its article. */
export type NamingItem = { articleId: number | null; sku: string | null; upc: string | null; name: string | null };

type BookedItem = NamingItem & {
  id: number;
  state: string;
  fulfilled: number;
  place: string | null;
  warehouseLocation: string | null;
};

/** A change of an item, which may change stock. `at`: where it happened. */
export type ItemBooking = {
  before: BookedItem;
  after: BookedItem;
  at: { deviceId: string; location: string };
  item: () => MovementItem;
  by: string;
  picker: string;
  /** Of a short, or of a correction. */
  reason: string | undefined;
  /** `lost`: the pieces that come back are not there. */
  reasonOf: 'short' | 'correction' | 'lost' | undefined;
};

/** `short_reasons`: nothing was left at the place. */
const MISSING = 'missing';
/** `reason` of a correction: the pieces that come back cannot be sold. */
const DAMAGED = 'damaged';

/** Stock follows the items of orders. Every function runs inside a use-case. */
export function createItemStock(tables: ArticleTables) {
  return {
    /** Whether there is any article: without one, nothing else here has to be asked. */
    hasArticles: tables.articles.hasAny,
    findArticleId: (item: NamingItem): number | undefined => findArticleId(tables, item),
    /** Places of an article by priority, with what launched lines leave there. */
    listPlaces: (articleId: number): AvailablePlace[] => listPlaces(tables, articleId),
    /** Books what a change of an item means for stock: before the item is saved, or after it. */
    book: (tx: Transaction, booking: ItemBooking): void => book(tables, tx, booking),
    /** What lines of this article need has changed. */
    publish: (tx: Transaction, articleId: number): void => publishArticle(tables, tx, articleId),
  };
}

export type ItemStock = ReturnType<typeof createItemStock>;

/** `available`: null if it is not counted. */
type AvailablePlace = { place: string; available: number | null; isEmpty: boolean };

function listPlaces({ stock }: ArticleTables, articleId: number): AvailablePlace[] {
  const ids = JSON.stringify([articleId]);
  const allocatedAt = allocations(stock, ids);
  return stock.listPlaces(ids).map((row) => {
    const { place, onHand, isEmpty } = row;
    return { place, available: onHand === null ? null : onHand - allocatedAt(row), isEmpty };
  });
}

/** The article of an item: by SKU, then barcode, then a name that only one article has. One statement. */
function findArticleId({ articles }: Pick<ArticleTables, 'articles'>, item: NamingItem): number | undefined {
  if (item.articleId !== null) return item.articleId;
  const { sku, upc, name } = item;
  return articles.findNamed({
    skuKey: nameKey(sku ?? ''),
    skuCode: barcodeKey(sku ?? ''),
    upcKey: barcodeKey(upc ?? ''),
    nameKey: nameKey(name ?? ''),
  });
}

function book(tables: ArticleTables, tx: Transaction, booking: ItemBooking): void {
  const { before, after } = booking;
  const reason = shortReason(booking);
  const pieces = after.fulfilled - before.fulfilled;
  const isShort = after.state === 'short' && (before.state !== 'short' || reason !== undefined);
  const isUndone = before.state === 'short' && after.state !== 'short';
  const isSame = pieces === 0 && !isShort && !isUndone;
  if (isSame && (before.articleId === null || before.state === after.state)) return;
  // All that a press costs in a shop without articles.
  if (before.articleId === null && !tables.articles.hasAny()) return;
  const articleId = findArticleId(tables, before);
  const article = articleId === undefined ? undefined : tables.articles.find(articleId);
  if (article === undefined) return;
  if (before.articleId === null) tables.stock.setItemArticle(article.id, before.id);
  if (isSame) return publishArticle(tables, tx, article.id);
  // First: what comes back afterwards is a movement there too.
  if (isUndone || (isShort && reason !== MISSING)) revertEmptied(tables, tx, article, booking);
  if (pieces > 0) take(tables, tx, article, booking, pieces);
  if (pieces < 0) putBack(tables, tx, article, booking, -pieces);
  if (isShort) closeShort(tables, tx, article, booking);
  publishArticle(tables, tx, article.id);
}

function shortReason({ reason, reasonOf }: ItemBooking): string | undefined {
  return reasonOf === 'short' ? reason : undefined;
}

/** The place that it took at its launch, else the alias or label by which it is lit, else the text of the order. */
function placeOf({ before, at }: ItemBooking): string {
  return before.place ?? (at.location === '' ? (before.warehouseLocation ?? '') : at.location);
}

function causeOf({ by, picker, reason = '', at, item }: ItemBooking): MovementCause {
  return { by, picker, reason, deviceId: at.deviceId, item: item() };
}

function take(tables: ArticleTables, tx: Transaction, article: ArticleRow, booking: ItemBooking, pieces: number): void {
  const { id } = booking.before;
  const place = placeOf(booking);
  move(tables, tx, { article, place, kind: 'pick', change: { delta: -pieces } }, causeOf(booking));
  const sources = tables.stock.listSources(id);
  const placeKey = nameKey(place);
  const last = sources.at(-1);
  const isSame = last?.placeKey === placeKey && last.articleId === article.id;
  const quantity = pieces + (isSame ? last.quantity : 0);
  const kept = isSame ? sources.slice(0, -1) : sources;
  tables.stock.setSources(id, [...kept, { articleId: article.id, place, placeKey, quantity }]);
}

/** Pieces go back to where they came from, the last ones first; those that nobody took here, to the place of the item. */
function putBack(
  tables: ArticleTables,
  tx: Transaction,
  article: ArticleRow,
  booking: ItemBooking,
  pieces: number,
): void {
  const { id } = booking.before;
  const sources = tables.stock.listSources(id);
  const returned: Pick<SourceRow, 'place' | 'quantity'>[] = [];
  let rest = pieces;
  for (let last = sources.pop(); last !== undefined; last = sources.pop()) {
    const quantity = Math.min(rest, last.quantity);
    if (quantity > 0) returned.push({ place: last.place, quantity });
    rest -= quantity;
    if (quantity === last.quantity) continue;
    sources.push({ ...last, quantity: last.quantity - quantity });
    break;
  }
  if (rest > 0) returned.push({ place: placeOf(booking), quantity: rest });
  tables.stock.setSources(id, sources);
  const cause = causeOf(booking);
  for (const { place, quantity } of returned) {
    move(tables, tx, { article, place, kind: 'pick', change: { delta: quantity } }, cause);
    if (booking.reasonOf === 'lost' || (booking.reasonOf === 'correction' && booking.reason === DAMAGED))
      move(tables, tx, { article, place, kind: 'adjust', change: { delta: -quantity } }, cause);
  }
}

/** Reports the short. With the reason `missing`, nothing is left at the place. */
function closeShort(tables: ArticleTables, tx: Transaction, article: ArticleRow, booking: ItemBooking): void {
  const { before } = booking;
  const reason = shortReason(booking);
  const name = placeOf(booking);
  const cause = causeOf(booking);
  const isEmptied = reason === MISSING && tables.stock.findEmptied(before.id) === undefined;
  if (!isEmptied) {
    if (before.state !== 'short')
      move(tables, tx, { article, place: name, kind: 'short', change: { delta: 0 } }, cause);
    return;
  }
  const place = tables.stock.findPlace(article.id, nameKey(name));
  const isCounted = place !== undefined && place.onHand !== null;
  const change = { to: isCounted ? 0 : null, isEmpty: !isCounted };
  const movement = move(tables, tx, { article, place: name, kind: 'short', change }, cause);
  if (place === undefined) return;
  tables.stock.insertEmptied({
    itemId: before.id,
    articleId: article.id,
    placeKey: place.placeKey,
    movementId: movement.id,
    onHand: place.onHand,
    wasEmpty: place.isEmpty,
  });
}

/** The short is undone: its place has again what it had, unless something else has moved there since. */
function revertEmptied(tables: ArticleTables, tx: Transaction, article: ArticleRow, booking: ItemBooking): void {
  const emptied = tables.stock.findEmptied(booking.before.id);
  if (emptied === undefined) return;
  tables.stock.removeEmptied(booking.before.id);
  const place = tables.stock.findPlace(emptied.articleId, emptied.placeKey);
  if (place?.movementId !== emptied.movementId) return;
  const change = { to: emptied.onHand, isEmpty: emptied.wasEmpty };
  move(tables, tx, { article, place: place.place, kind: 'short', change }, causeOf(booking));
}
