import type { Article, ArticleChange, ArticleReplacement, NewArticlePlace } from '#shared/api/article.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticlePlaceRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { lookAlikeWarnings, refuseCommand, refuseReserved } from '../base/index.ts';
import { articleAnswer, publishArticle } from './answers.ts';
import { move } from './ledger.ts';
import type { ArticlesContext } from './types.ts';

/**
 * A change to an article. `before` is undefined if the change creates the article. `isWhole` tells whether to clear omitted
 * fields, except barcodes and places.
 */
type Change = {
  before: ArticleRow | undefined;
  sku: string;
  wanted: ArticleChange | ArticleReplacement;
  isWhole: boolean;
  by: string;
  /** Whether a file makes the change. The preview has already searched for names that look alike. */
  isImported?: boolean;
};

export type SavedArticle = { article: Article; isNew: boolean; warnings: string[] };

type Barcode = NonNullable<ArticleChange['barcodes']>[number];
type Tables = ArticlesContext['repositories'];
/** Returns warnings about names that a new name equals or looks like. */
type AlikeWarnings = (kind: 'barcode' | 'sku' | 'stored', name: string) => string[];

/**
 * Creates, replaces or changes an article. Throws `conflict` if another article has the SKU or a barcode, `in_use` if an omitted place has
 * stock, and `invalid` for a count below 0. Publishes nothing if nothing changed.
 */
export function saveArticle(context: ArticlesContext, tx: Transaction, change: Change): SavedArticle {
  const { repositories } = context;
  const { articles } = repositories;
  const { before, sku, wanted, by, isImported = false } = change;
  const { barcodes, places } = wanted;
  checkSku(repositories, sku, before);
  const shown = before === undefined ? undefined : articleAnswer(repositories, before);
  const row = merged(change);
  const id = before === undefined ? articles.insert({ ...row, updatedAt: tx.now }, tx.revision) : before.id;
  if (before !== undefined) {
    // Bind lines to the article by id, because the old SKU finds nothing after the change.
    if (before.skuKey !== row.skuKey) repositories.stock.bindItems({ id, sku: before.sku });
    if (before.sku !== row.sku) repositories.tasks.renameArticle(row.sku, id);
    articles.update({ ...row, id });
  }
  const article = { ...row, id, picture: before?.picture ?? '' };
  const alike: AlikeWarnings = (kind, name) => (isImported ? [] : lookAlikeWarnings(repositories, kind, name));
  const warnings = [
    ...readOnlyWarnings(wanted, shown),
    ...skuWarnings(repositories, article, alike),
    ...(barcodes === undefined ? [] : saveBarcodes(repositories, article, barcodes, alike)),
    ...(places === undefined
      ? []
      : savePlaces(repositories, tx, { article, places, isNew: before === undefined, by, alike })),
  ];
  const after = articleAnswer(repositories, article);
  if (shown === undefined || JSON.stringify(shown) !== JSON.stringify(after)) {
    articles.touch(tx, id);
    publishArticle(repositories, tx, id);
  }
  const saved = articles.find(id) ?? article;
  return { article: articleAnswer(repositories, saved), isNew: before === undefined, warnings };
}

function merged({ before, sku, wanted, isWhole }: Change): Omit<ArticleRow, 'id' | 'picture'> {
  const base = before ?? EMPTY;
  const text = (field: 'name' | 'description' | 'unit' | 'note'): string => {
    const given = wanted[field];
    return given === undefined && !isWhole ? base[field] : (given ?? '');
  };
  const name = text('name');
  return {
    sku,
    skuKey: nameKey(sku),
    name,
    nameKey: nameKey(name),
    description: text('description'),
    unit: text('unit'),
    note: text('note'),
    isActive: wanted.active ?? (isWhole || base.isActive),
    updatedAt: base.updatedAt,
  };
}

const EMPTY = { name: '', description: '', unit: '', note: '', isActive: true, updatedAt: 0 };

function checkSku({ articles }: Tables, sku: string, before: ArticleRow | undefined): void {
  if (before?.skuKey !== nameKey(sku)) refuseCommand(sku, '/sku');
  const other = articles.findBySku(nameKey(sku));
  if (other === undefined || other.id === before?.id) return;
  throw conflict('/sku', `Another article${named(other)} already has the SKU ${other.sku}. Choose another SKU.`);
}

const READ_ONLY = ['id', 'picture', 'updated'] as const;
const READ_ONLY_OF_PLACES = ['allocated', 'available', 'empty'] as const;

/**
 * Returns warnings about read-only fields that differ from the article's values. Equal values are accepted, so that an article can be sent
 * back as it was received.
 */
function readOnlyWarnings(wanted: ArticleChange, shown: Article | undefined): string[] {
  const stays = (path: string, given: unknown, now: unknown): string[] =>
    given === undefined || given === now
      ? []
      : [
          `${path}: Only the station sets it. ${now === undefined ? 'It is ignored.' : `It stays ${JSON.stringify(now)}.`}`,
        ];
  const places = (wanted.places ?? []).flatMap((place, index) => {
    const now = shown?.places.find(({ location }) => nameKey(location) === nameKey(place.location));
    return READ_ONLY_OF_PLACES.flatMap((field) => stays(`/places/${index}/${field}`, place[field], now?.[field]));
  });
  return [...READ_ONLY.flatMap((field) => stays(`/${field}`, wanted[field], shown?.[field])), ...places];
}

function skuWarnings(
  { articles }: Tables,
  { id, sku }: Pick<ArticleRow, 'id' | 'sku'>,
  alike: AlikeWarnings,
): string[] {
  const ofOthers = alike('sku', sku).map((said) => `/sku: ${said}`);
  const barcode = articles.findBarcode(barcodeKey(sku));
  const other = barcode === undefined || barcode.articleId === id ? undefined : articles.find(barcode.articleId);
  return [
    ...(other === undefined ? [] : [`/sku: ${quote(sku)} is also a barcode of article ${other.sku}.`]),
    ...ofOthers,
  ];
}

/** Saves the article's barcodes and returns warnings. */
function saveBarcodes(
  { articles }: Tables,
  { id }: Pick<ArticleRow, 'id'>,
  barcodes: readonly Barcode[],
  alike: AlikeWarnings,
): string[] {
  const rows = barcodes.map(({ code, quantity }) => ({ code, quantity, codeKey: barcodeKey(code) }));
  for (const [index, { code, codeKey }] of rows.entries()) {
    const taken = articles.findBarcode(codeKey);
    if (taken?.articleId !== id) refuseCommand(code, `/barcodes/${index}/code`);
    if (taken === undefined || taken.articleId === id) continue;
    const other = articles.find(taken.articleId);
    const whose = other === undefined ? 'another article' : `article ${other.sku}${named(other)}`;
    throw conflict(`/barcodes/${index}/code`, `The barcode ${quote(code)} belongs to ${whose}. Remove it there first.`);
  }
  articles.setBarcodes(id, rows);
  return rows.flatMap(({ code }, index) => {
    const path = `/barcodes/${index}/code`;
    const other = articles.findBySku(nameKey(code));
    return [
      ...(other === undefined || other.id === id
        ? []
        : [`${path}: ${quote(code)} is also the SKU of article ${other.sku}.`]),
      ...alike('barcode', code).map((said) => `${path}: ${said}`),
    ];
  });
}

/** Saves the article's places and returns warnings. */
function savePlaces(
  tables: Tables,
  tx: Transaction,
  {
    article,
    places,
    isNew,
    by,
    alike,
  }: { article: ArticleRow; places: readonly NewArticlePlace[]; isNew: boolean; by: string; alike: AlikeWarnings },
): string[] {
  const { stock } = tables;
  const current = stock.listPlaces(JSON.stringify([article.id]));
  const wanted = new Set(places.map(({ location }) => nameKey(location)));
  const removed = current.filter(({ placeKey }) => !wanted.has(placeKey));
  const used = removed.filter(hasStock);
  if (used.length > 0)
    throw inUse(
      '/places',
      `Article ${article.sku} has stock at ${stockWords(used)}. Book it out or transfer it first.`,
    );
  for (const place of removed) {
    stock.removePlace(article.id, place.placeKey);
    tables.following.limited(tx, { before: place, after: undefined, by });
  }
  return places.flatMap((place, index) => {
    const { location, on_hand: given, priority = null, minimum = null, maximum = null } = place;
    const path = `/places/${index}/on_hand`;
    const placeKey = nameKey(location);
    const before = current.find((each) => each.placeKey === placeKey);
    // A place can have the DeviceID of its device as its name.
    if (before === undefined) refuseReserved(location, `/places/${index}/location`, location.trim().toUpperCase());
    const looksLike = before === undefined ? alike('stored', location) : [];
    const doubts = [
      ...looksLike.map((said) => `/places/${index}/location: ${said}`),
      ...(before === undefined && !isPlace(tables, location)
        ? [
            `/places/${index}/location: No device, alias or other article has the place ${quote(location)}, so it has no light.`,
          ]
        : []),
      ...(minimum !== null && maximum !== null && minimum > maximum
        ? [`/places/${index}/minimum: ${minimum} is more than the maximum ${maximum}.`]
        : []),
    ];
    stock.savePlace({ articleId: article.id, placeKey, place: location, position: index, priority, minimum, maximum });
    const after = before === undefined ? undefined : { ...before, place: location, minimum, maximum };
    if (after !== undefined && !isNew) tables.following.limited(tx, { before, after, by });
    if (given === undefined || given === (before?.onHand ?? null)) return doubts;
    if (!isNew) {
      const now = before?.onHand ?? 'not counted';
      return [...doubts, `${path}: The stock at ${location} stays ${now}. POST /api/stock/ counts it.`];
    }
    const faulty: FieldError = { path, message: 'A count is a whole number from 0.' };
    if (given === null) return doubts;
    if (given < 0) throw new StationError('invalid', `${path}: ${faulty.message}`, [faulty]);
    move(tables, tx, { article, place: location, kind: 'count', change: { to: given, isEmpty: false } }, { by });
    return doubts;
  });
}

/** Whether the name is an alias, a device label, the DeviceID of a device that does not serve a slot, or a place of an article. */
function isPlace({ aliases, devices, stock }: Tables, name: string): boolean {
  const deviceId = name.trim().toUpperCase();
  return (
    aliases.findByName(name) !== undefined ||
    devices.listByLabel(name).length > 0 ||
    (devices.find(deviceId) !== undefined && !devices.isSlot(deviceId)) ||
    stock.listAt(nameKey(name)).length > 0
  );
}

/** Whether the stock at the place is counted and not 0. */
export function hasStock({ onHand }: Pick<ArticlePlaceRow, 'onHand'>): boolean {
  return onHand !== null && onHand !== 0;
}

/** Lists places with their stock, for a message. */
export function stockWords(places: readonly Pick<ArticlePlaceRow, 'place' | 'onHand'>[]): string {
  return places.map(({ place, onHand }) => `${place} (${onHand ?? 0})`).join(', ');
}

/** Creates an `in_use` error for this field. */
export function inUse(path: string, message: string): StationError {
  return new StationError('in_use', message, path === '' ? [] : [{ path, message }]);
}

function conflict(path: string, message: string): StationError {
  return new StationError('conflict', message, [{ path, message }]);
}

function named({ name }: Pick<ArticleRow, 'name'>): string {
  return name === '' ? '' : ` (${name})`;
}
