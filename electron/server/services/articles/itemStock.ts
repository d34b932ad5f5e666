import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { otherSpellings } from '#shared/lib/tables/cells/entities.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleNames, ArticleRow } from '../../db/repositories/articles.ts';
import type { Transaction } from '../../db/writer.ts';
import { allocations, publishArticle } from './answers.ts';
import { move, type MovementCause, type MovementItem } from './ledger.ts';
import { type PutBacks, takenBack } from './putBacks.ts';
import type { ArticleTables, Books, NamingItem } from './types.ts';

type BookedItem = NamingItem & {
  id: number;
  state: string;
  fulfilled: number;
  deviceId: string | null;
  place: string | null;
  warehouseLocation: string | null;
};

/** A change to an item that may change stock. `at` is the device and place where it happened, `actedAt` the time in epoch milliseconds. */
export type ItemBooking = {
  before: BookedItem;
  after: BookedItem;
  at: { deviceId: string; location: string };
  actedAt: number;
  item: () => MovementItem;
  by: string;
  picker: string;
  /** The reason for a short or a correction. */
  reason: string | undefined;
  /** What the reason explains. `lost` means that pieces to put back are missing. */
  reasonOf: 'short' | 'correction' | 'lost' | undefined;
  emptied?: EmptiedReport | undefined;
};

/**
 * Says what to do with the report of an empty place once the item is no longer short. `kept` keeps it, because the item becomes short again.
 * `forgotten` deletes it and leaves the stock at 0. Without a value, the former stock is restored.
 */
export type EmptiedReport = 'kept' | 'forgotten';

/** Key, in the setting `short_reasons`, of the reason that nothing was left at the place. */
const MISSING = 'missing';
/** Key of the reason that pieces are damaged, for a short or a correction. */
const DAMAGED = 'damaged';

/** Updates stock when order items change. Call these functions inside a transaction. */
export function createItemStock(tables: Books, putBacks: Omit<PutBacks, 'booked'>) {
  return {
    /** Tasks to put back the pieces of stopped orders. */
    putBacks,
    /** Whether any article exists. If there are none, callers can skip all other functions here. */
    hasArticles: tables.articles.hasAny,
    findArticleId: (item: NamingItem): number | undefined => findArticleId(tables, item),
    /** Finds each item's article by SKU, barcode or name. The result contains undefined for items without an article. */
    articlesOf: (items: readonly NamingItem[]): (ItemArticle | undefined)[] => articlesOf(tables, items),
    /** Lists the places of each article, with the quantity that launched lines do not need. */
    listPlaces: (articleIds: readonly number[]): Map<number, AvailablePlace[]> => listPlaces(tables, articleIds),
    /**
     * Books the movements that a change to an item causes. Can be called before or after the item is saved. Returns the place that was
     * reported empty, if any.
     */
    book: (tx: Transaction, booking: ItemBooking): EmptiedPlace | undefined => book(tables, tx, booking),
    /**
     * Handles the reason why pieces of an open item are missing at a place. The reason `missing` reports the place as empty. Any other
     * reason reverts such a report, and `damaged` also asks for a count. Returns the place that was reported empty, if any.
     */
    giveReason: (tx: Transaction, booking: ItemBooking): EmptiedPlace | undefined => giveReason(tables, tx, booking),
    /**
     * Reverts the report that the place is empty or, if `place` is undefined, such reports for all places of the item. Call before somebody
     * searches for the missing pieces again.
     */
    takeReasonBack: (tx: Transaction, booking: ItemBooking, place: string | undefined): void => {
      const article = articleOf(tables, booking.before);
      if (article !== undefined) revertEmptied(tables, tx, article, booking, place);
    },
    /** Books pieces that somebody put at a place. */
    putAway: (tx: Transaction, put: PutAway): void => putAway(tables, tx, put),
    /** Adds the first place of an article. */
    addPlace: (tx: Transaction, articleId: number, place: string): void => {
      const limits = { position: 0, priority: null, minimum: null, maximum: null };
      tables.stock.savePlace({ articleId, placeKey: nameKey(place), place, ...limits });
      tables.articles.touch(tx, articleId);
      publishArticle(tables, tx, articleId);
    },
    /** Publishes the article after the quantity that its lines need has changed. */
    publish: (tx: Transaction, articleId: number): void => publishArticle(tables, tx, articleId),
  };
}

export type ItemStock = ReturnType<typeof createItemStock>;

/** A place that was reported empty. */
export type EmptiedPlace = { articleId: number; place: string };

/** Fields that lines take from their article. */
export type ItemArticle = { id: number; name: string | null; description: string | null };

/** Pieces that somebody put at a place of an article. */
export type PutAway = {
  articleId: number;
  place: string;
  quantity: number;
  by: string;
  picker: string;
  deviceId: string;
};

function putAway(tables: Books, tx: Transaction, { articleId, place, quantity, ...cause }: PutAway): void {
  const article = tables.articles.find(articleId);
  if (article === undefined) return;
  move(tables, tx, { article, place, kind: 'put_away', change: { delta: quantity } }, cause);
}

/** A place of an article. `available` is the quantity that launched lines do not need, or null if the place is not counted. */
export type AvailablePlace = {
  place: string;
  priority: number | null;
  onHand: number | null;
  available: number | null;
  isEmpty: boolean;
};

function listPlaces({ stock }: ArticleTables, articleIds: readonly number[]): Map<number, AvailablePlace[]> {
  const ids = JSON.stringify([...new Set(articleIds)]);
  const allocatedAt = allocations(stock, ids);
  const places = new Map<number, AvailablePlace[]>();
  for (const row of stock.listPlaces(ids)) {
    const { articleId, place, priority, onHand, isEmpty } = row;
    const available = onHand === null ? null : onHand - allocatedAt(row);
    const list = places.get(articleId) ?? [];
    list.push({ place, priority, onHand, available, isEmpty });
    places.set(articleId, list);
  }
  return places;
}

/** Finds the articles of all items with two queries. */
function articlesOf({ articles }: ArticleTables, items: readonly NamingItem[]): (ItemArticle | undefined)[] {
  if (items.length === 0 || !articles.hasAny()) return items.map(() => undefined);
  const unknown = items.filter(({ articleId }) => articleId === null);
  const found = new Map(articles.listNamed(unknown.map(namesOf)).map((id, index) => [unknown[index], id]));
  const ids = items.map((item) => item.articleId ?? found.get(item));
  const distinct = new Set(ids.filter((id) => id !== undefined));
  const rows = new Map(articles.listByIds([...distinct]).map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = id === undefined ? undefined : rows.get(id);
    return row && { id: row.id, name: row.name || null, description: row.description || null };
  });
}

/** Finds the article of an item by SKU, then by barcode, then by a name that only one article has, with one query. */
export function findArticleId({ articles }: Pick<ArticleTables, 'articles'>, item: NamingItem): number | undefined {
  if (item.articleId !== null) return item.articleId;
  return articles.findNamed(namesOf(item));
}

export function namesOf({ sku, upc, name }: NamingItem): ArticleNames {
  return {
    skuKey: nameKey(sku ?? ''),
    skuCode: barcodeKey(sku ?? ''),
    upcKey: barcodeKey(upc ?? ''),
    nameKey: nameKey(name ?? ''),
    spellings: JSON.stringify(otherSpellings(name ?? '').map(nameKey)),
  };
}

function book(tables: Books, tx: Transaction, booking: ItemBooking): EmptiedPlace | undefined {
  const { before, after } = booking;
  const reason = shortReason(booking);
  const pieces = after.fulfilled - before.fulfilled;
  const isMoved = isPickedElsewhere(booking);
  const isShort =
    (isMoved && reason === MISSING) || (after.state === 'short' && (before.state !== 'short' || reason !== undefined));
  const isDamaged = (isShort || isMoved) && reason === DAMAGED;
  const isUndone = before.state === 'short' && after.state !== 'short';
  const isSame = pieces === 0 && !isShort && !isDamaged && !isUndone;
  if (isSame && (before.articleId === null || before.state === after.state)) return undefined;
  // Return early, so that a press costs only this check if there are no articles.
  if (before.articleId === null && !tables.articles.hasAny()) return undefined;
  const articleId = findArticleId(tables, before);
  const article = articleId === undefined ? undefined : tables.articles.find(articleId);
  if (article === undefined) return undefined;
  if (before.articleId === null) tables.stock.setItemArticle(article.id, before.id);
  publishArticle(tables, tx, article.id);
  if (isSame) return undefined;
  // Restore the emptied place first, because returning pieces to it is a stock movement, too.
  const isReverted = isUndone && booking.emptied === undefined;
  if (isReverted || (isShort && reason !== MISSING)) revertEmptied(tables, tx, article, booking, placeOf(booking));
  if (isUndone && booking.emptied === 'forgotten') tables.stock.removeEmptied(before.id, nameKey(placeOf(booking)));
  if (pieces > 0) take(tables, tx, article, booking, pieces);
  if (pieces < 0) putBack(tables, tx, article, booking, -pieces);
  const emptied = isShort ? closeShort(tables, tx, article, booking) : undefined;
  if (isDamaged) doubt(tables, tx, article, placeOf(booking), booking.by);
  if (pieces !== 0) tables.following.booked(tx, before.id, { fulfilled: after.fulfilled, pieces });
  publishArticle(tables, tx, article.id);
  return emptied;
}

/** Whether the remaining pieces will be picked at a different device, so that the line stays open. */
function isPickedElsewhere({ before, after, reasonOf }: ItemBooking): boolean {
  return reasonOf === 'short' && after.state === 'open' && after.deviceId !== before.deviceId;
}

/** Requests a count of the place, if the article has this place. */
function doubt({ stock, following }: Books, tx: Transaction, { id }: ArticleRow, name: string, by: string): void {
  const place = stock.findPlace(id, nameKey(name));
  if (place !== undefined) following.doubted(tx, place, by);
}

function shortReason({ reason, reasonOf }: ItemBooking): string | undefined {
  return reasonOf === 'short' ? reason : undefined;
}

/** Returns the place assigned at the launch, otherwise the alias or label of the lit device, otherwise the place that the order names. */
function placeOf({ before, at }: ItemBooking): string {
  return before.place ?? (at.location === '' ? (before.warehouseLocation ?? '') : at.location);
}

function causeOf({ by, picker, reason = '', at, item }: ItemBooking): MovementCause {
  return { by, picker, reason, deviceId: at.deviceId, item: item() };
}

function take(tables: Books, tx: Transaction, article: ArticleRow, booking: ItemBooking, pieces: number): void {
  const { id } = booking.before;
  const place = placeOf(booking);
  // The count was made without these pieces, so they must not lower the stock again.
  if (isCountedSince(tables, article, booking, place)) moveAndRestore(tables, tx, article, booking, [place, -pieces]);
  else {
    const change = { delta: -pieces };
    const movement = move(tables, tx, { article, place, kind: 'pick', change }, causeOf(booking));
    // After a short, do not ask how many pieces are left, because the short already reports it.
    if (booking.after.state !== 'short') tables.following.picked(tx, movement, booking.after.state === 'done');
  }
  const sources = tables.stock.listSources(id);
  const placeKey = nameKey(place);
  const last = sources.at(-1);
  const isSame = last?.placeKey === placeKey && last.articleId === article.id;
  const quantity = pieces + (isSame ? last.quantity : 0);
  const kept = isSame ? sources.slice(0, -1) : sources;
  tables.stock.setSources(id, [...kept, { articleId: article.id, place, placeKey, quantity }]);
}

/** Books a pick or its return that was made before the place was counted, and restores what was counted. */
function moveAndRestore(
  tables: Books,
  tx: Transaction,
  article: ArticleRow,
  booking: ItemBooking,
  [place, delta]: [place: string, delta: number],
): void {
  const before = tables.stock.findPlace(article.id, nameKey(place));
  const cause = { ...causeOf(booking), isInterim: true };
  move(tables, tx, { article, place, kind: 'pick', change: { delta } }, cause);
  if (before === undefined) return;
  const change = { to: before.onHand, isEmpty: before.isEmpty };
  const reason = delta < 0 ? 'picked before the count' : 'returned before the count';
  move(tables, tx, { article, place, kind: 'adjust', change }, { ...cause, reason });
}

/** Whether a place, by default that of the item, was counted or found empty after the person did this. */
function isCountedSince(
  { stock }: Books,
  { id }: ArticleRow,
  booking: ItemBooking,
  place: string = placeOf(booking),
): boolean {
  const countedAt = stock.findPlace(id, nameKey(place))?.countedAt ?? null;
  return countedAt !== null && booking.actedAt < countedAt;
}

/**
 * Returns pieces to the places from which they came, last picked first. Pieces without a source go to the item's place. Writes off lost and
 * damaged pieces. A place that was counted since keeps what was counted.
 */
function putBack(tables: Books, tx: Transaction, article: ArticleRow, booking: ItemBooking, pieces: number): void {
  const { id } = booking.before;
  const { returned, kept } = takenBack(tables.stock.listSources(id), pieces, placeOf(booking));
  tables.stock.setSources(id, kept);
  const cause = causeOf(booking);
  for (const { place, quantity } of returned) {
    if (isCountedSince(tables, article, booking, place)) {
      moveAndRestore(tables, tx, article, booking, [place, quantity]);
      continue;
    }
    move(tables, tx, { article, place, kind: 'pick', change: { delta: quantity } }, cause);
    if (booking.reasonOf === 'lost' || (booking.reasonOf === 'correction' && booking.reason === DAMAGED))
      move(tables, tx, { article, place, kind: 'adjust', change: { delta: -quantity } }, cause);
    if (booking.reasonOf === 'correction' && booking.reason === DAMAGED) doubt(tables, tx, article, place, booking.by);
  }
}

/** Books a short. With the reason `missing`, reports the place as empty and returns it. */
function closeShort(
  tables: Books,
  tx: Transaction,
  article: ArticleRow,
  booking: ItemBooking,
): EmptiedPlace | undefined {
  const { before } = booking;
  const reason = shortReason(booking);
  const name = placeOf(booking);
  const cause = causeOf(booking);
  const canEmpty = !hasEmptied(tables, before.id, name) && !isCountedSince(tables, article, booking);
  if (reason === MISSING && canEmpty) return empty(tables, tx, article, booking);
  if (before.state !== 'short') move(tables, tx, { article, place: name, kind: 'short', change: { delta: 0 } }, cause);
  return undefined;
}

function hasEmptied({ stock }: Books, itemId: number, place: string): boolean {
  return stock.listEmptied(itemId).some(({ placeKey }) => placeKey === nameKey(place));
}

function articleOf(tables: Books, item: BookedItem): ArticleRow | undefined {
  const articleId = findArticleId(tables, item);
  return articleId === undefined ? undefined : tables.articles.find(articleId);
}

function giveReason(tables: Books, tx: Transaction, booking: ItemBooking): EmptiedPlace | undefined {
  const article = articleOf(tables, booking.before);
  if (article === undefined) return undefined;
  const place = placeOf(booking);
  if (booking.reason !== MISSING) revertEmptied(tables, tx, article, booking, place);
  const emptied =
    booking.reason === MISSING &&
    !hasEmptied(tables, booking.before.id, place) &&
    !isCountedSince(tables, article, booking)
      ? empty(tables, tx, article, booking)
      : undefined;
  if (booking.reason === DAMAGED) doubt(tables, tx, article, place, booking.by);
  publishArticle(tables, tx, article.id);
  return emptied;
}

/** Sets the stock at the item's place to zero, or marks an uncounted place as empty. Returns the place if the article has it. */
function empty(tables: Books, tx: Transaction, article: ArticleRow, booking: ItemBooking): EmptiedPlace | undefined {
  const { before } = booking;
  const name = placeOf(booking);
  const cause = causeOf(booking);
  const place = tables.stock.findPlace(article.id, nameKey(name));
  const isCounted = place !== undefined && place.onHand !== null;
  const change = { to: isCounted ? 0 : null, isEmpty: !isCounted };
  const movement = move(tables, tx, { article, place: name, kind: 'short', change }, cause);
  if (place === undefined) return undefined;
  tables.stock.insertEmptied({
    itemId: before.id,
    articleId: article.id,
    placeKey: place.placeKey,
    movementId: movement.id,
    onHand: place.onHand,
    wasEmpty: place.isEmpty,
  });
  return { articleId: article.id, place: place.place };
}

/**
 * Restores the stock of a place that a short reported as empty, or asks for a count if the stock has moved since then. Without `at`, does
 * this for all places of the item.
 */
function revertEmptied(
  tables: Books,
  tx: Transaction,
  article: ArticleRow,
  booking: ItemBooking,
  at: string | undefined,
): void {
  const rows = tables.stock.listEmptied(booking.before.id);
  for (const emptied of rows.toReversed()) {
    if (at !== undefined && emptied.placeKey !== nameKey(at)) continue;
    tables.stock.removeEmptied(booking.before.id, emptied.placeKey);
    const place = tables.stock.findPlace(emptied.articleId, emptied.placeKey);
    if (place === undefined) continue;
    // If something else has moved there since, the previous quantity would only be a guess.
    if (place.movementId === emptied.movementId) {
      const change = { to: emptied.onHand, isEmpty: emptied.wasEmpty };
      move(tables, tx, { article, place: place.place, kind: 'short', change }, causeOf(booking));
      const { articleId, placeKey, movementId } = emptied;
      tables.stock.restoreCountedAt({ articleId, placeKey, movementId });
    } else tables.following.doubted(tx, place, booking.by);
  }
}
