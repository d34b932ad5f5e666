import {
  type Article,
  type ArticleChange,
  type ArticlePlace,
  type NewArticlePlace,
  articleChangeSchema,
} from '#shared/api/article.ts';
import { faultWords } from '#shared/api/schemaFaults.ts';
import { MAX_SKU } from '#shared/lib/articles/articleLimits.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ReadArticle, ReadArticlePlace } from '#shared/lib/tables/articles.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticleFields, ImportedArticle } from '../../db/repositories/importedArticles.ts';
import type { UndoneArticle } from '../../db/repositories/importUndone.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { lookAlikeWarnings, refuseCommand, refuseReserved } from '../base/index.ts';
import { articleAnswer } from './answers.ts';
import { saveArticle } from './changes.ts';
import { move } from './ledger.ts';
import { redoImported, type RedoneArticle } from './redoImported.ts';
import type { ArticlesContext, ArticleTables } from './types.ts';
import {
  type ArticleUndo,
  fieldsOf,
  limitsOf,
  pick,
  undoImported,
  type UndoneImport,
  undoPlanOf,
} from './undoImported.ts';

/** A quantity that an import sets at a place. `from` is the previous quantity, or null if the place was not counted. */
export type ImportedStock = { location: string; from: number | null; to: number };

/** A reorder level in a file for a place. `from` is the previous level, or null if there was none. */
export type ImportedLevel = { location: string; from: number | null; to: number };

/** The changes that a file makes to one article. `before` is undefined if the file creates the article. */
export type ArticlePlan = {
  before: ArticleRow | undefined;
  /** The article in API form before the change. */
  current: Article | undefined;
  change: ArticleChange;
  stock: ImportedStock[];
  /** Reorder levels in the file, including unchanged ones. */
  levels: ImportedLevel[];
  /** Whether stock and limits in rows without a place are ignored, because the article has no place or more than one. */
  leavesFigures: boolean;
  /** Notes for the user about previous values and about what remains unchanged. */
  notes: string[];
};

/** Options of an import. `setsStock` tells whether to also set the stock of existing articles. */
type How = { setsStock: boolean };

const TEXTS = ['name', 'description', 'unit', 'note'] as const;

/** Plans, applies and undoes changes that imported files make to articles. */
export function createImportedArticles(context: ArticlesContext) {
  return {
    /** Plans the changes to one article in a file. Throws `invalid` or `conflict` if the article cannot be imported. */
    plan: (read: ReadArticle, how: How): ArticlePlan => planOf(context.reads, read, how),
    /**
     * Plans and applies the changes to one article. In the result, `imported` is undefined if nothing changed. Call inside a transaction.
     * Throws the same errors as `plan`, and `in_use`.
     */
    apply: (tx: Transaction, read: ReadArticle, how: How & { by: string }): AppliedArticle =>
      apply(context, tx, read, how),
    /** Plans the undo of the changes to one article, without changing anything. */
    planUndo: (imported: ImportedArticle): ArticleUndo => undoPlanOf(context.reads, imported),
    /** Reverts the changes inside a transaction. */
    undo: (tx: Transaction, imported: ImportedArticle, by: string): UndoneImport =>
      undoImported(context, tx, imported, by),
    /** Restores what an undo has removed or reverted, inside a transaction. Throws the same errors as `apply`. */
    redo: (tx: Transaction, articleId: number, undone: UndoneArticle, by: string): RedoneArticle =>
      redoImported(context, tx, { articleId, undone, by }),
  };
}

export type ImportedArticles = ReturnType<typeof createImportedArticles>;

export type AppliedArticle = { plan: ArticlePlan; imported: ImportedArticle | undefined };

/** Tables for planning the import of an article. */
type PlanTables = ArticleTables & Pick<ArticlesContext['reads'], 'lookAlikes'>;

function planOf(tables: PlanTables, read: ReadArticle, { setsStock }: How): ArticlePlan {
  const before = tables.articles.findBySku(nameKey(read.sku));
  const current = before === undefined ? undefined : articleAnswer(tables, before);
  if (current === undefined) {
    refuseCommand(read.sku, '/sku');
    refuseOtherZeros(tables, read.sku);
  }
  const notes: string[] = [];
  const change: ArticleChange = current === undefined ? { sku: read.sku } : {};
  for (const field of TEXTS) {
    const given = read.texts[field];
    if (given !== undefined && given !== (current?.[field] ?? null)) change[field] = given;
  }
  const { active } = read.texts;
  if (active !== undefined && active !== (current?.active ?? true)) change.active = active;
  const barcodes = mergedBarcodes(tables, read, current);
  if (barcodes !== undefined) change.barcodes = barcodes;
  const given = givenPlaces(read, current);
  const places = mergedPlaces(given, current);
  const had = new Set((current?.places ?? []).map(({ location }) => nameKey(location)));
  for (const { location } of given)
    if (!had.has(nameKey(location))) refuseReserved(location, '/places', location.trim().toUpperCase());
  if (places.isChanged) change.places = places.list;
  if (current !== undefined) notes.push(...previousNotes(current, { ...change, places: places.list }));
  notes.push(...limitNotes(given, places.list));
  notes.push(...alikeNotes(tables, current, { ...change, places: places.list }));
  const faults = faultWords(articleChangeSchema, { ...change, sku: read.sku });
  if (faults !== '') throw new StationError('invalid', faults);
  const leavesFigures = given === read.places && Object.keys(read.anywhere).length > 0;
  // Do not list stock here that an import without `setsStock` leaves unchanged anyway.
  const leftOut = leavesFigures ? namesOf(read.anywhere, setsStock || current === undefined) : [];
  if (leftOut.length > 0) notes.push(leftOutWords(leftOut, places.list.length));
  const stock = stockOf(given, { current, setsStock, notes });
  return { before, current, change, stock, levels: levelsOf(given, current), leavesFigures, notes };
}

/** Throws `invalid` for a new SKU that differs from an existing one only in leading zeros. */
function refuseOtherZeros(tables: ArticleTables, sku: string): void {
  const other = meantSku(tables, sku);
  if (other !== undefined) throw new StationError('invalid', `There is no article ${sku}. Did you mean ${other}?`);
}

/**
 * Returns the SKU that differs from an unknown, numeric SKU only in leading zeros, which spreadsheets drop or add. Returns undefined unless
 * exactly one article matches.
 */
export function meantSku(
  { articles }: { articles: Pick<ArticleTables['articles'], 'findBySku' | 'findOnly'> },
  sku: string,
): string | undefined {
  const key = nameKey(sku);
  if (!/^\d+$/.test(key) || articles.findBySku(key) !== undefined) return undefined;
  const digits = key.replace(/^0+/, '');
  const keys = Array.from({ length: MAX_SKU - digits.length + 1 }, (_, zeros) => '0'.repeat(zeros) + digits);
  return articles.findOnly(keys);
}

/**
 * Returns the article's barcodes together with those in the file, or undefined if the file does not change them. Throws `conflict` if a
 * barcode belongs to another article.
 */
function mergedBarcodes(
  tables: ArticleTables,
  read: ReadArticle,
  current: Article | undefined,
): ArticleChange['barcodes'] {
  const merged = new Map((current?.barcodes ?? []).map((each) => [barcodeKey(each.code), each]));
  let isChanged = false;
  for (const { code, quantity } of read.codes) {
    const key = barcodeKey(code);
    const known = merged.get(key);
    if (known !== undefined && (quantity === undefined || quantity === known.quantity)) continue;
    const owner = known === undefined ? tables.articles.findBarcode(key) : undefined;
    if (owner !== undefined) {
      const other = tables.articles.find(owner.articleId)?.sku ?? '';
      throw new StationError(
        'conflict',
        `The barcode ${quote(code)} belongs to article ${other}. Remove it there first.`,
      );
    }
    if (known === undefined) refuseCommand(code, '/barcodes');
    merged.set(key, { code: known?.code ?? code, quantity: quantity ?? 1 });
    isChanged = true;
  }
  return isChanged ? [...merged.values()] : undefined;
}

/** Returns the places in the file. If the article has exactly one place, rows without a place apply to that place. */
function givenPlaces({ places, anywhere }: ReadArticle, current: Article | undefined): readonly ReadArticlePlace[] {
  const names = new Map([...(current?.places ?? []), ...places].map(({ location }) => [nameKey(location), location]));
  const [only] = names.values();
  if (only === undefined || names.size > 1 || Object.keys(anywhere).length === 0) return places;
  return [{ location: only, ...anywhere, ...places[0] }];
}

const FIGURE_NAMES = { onHand: 'stock', minimum: 'minimum', maximum: 'maximum', priority: 'priority' } as const;

function namesOf(figures: ReadArticle['anywhere'], hasStock: boolean): string[] {
  const names = Object.keys(figures) as (keyof typeof figures)[];
  return names.filter((name) => name !== 'onHand' || hasStock).map((name) => FIGURE_NAMES[name]);
}

function leftOutWords(names: readonly string[], places: number): string {
  const said = names.length === 1 ? `${names[0]} is` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`;
  const why = places === 0 ? 'it has no place' : `it has ${places} places`;
  return `Its ${said} left out, since ${why}. Add a column with the place.`;
}

function mergedPlaces(
  given: readonly ReadArticlePlace[],
  current: Article | undefined,
): { list: NewArticlePlace[]; isChanged: boolean } {
  const merged = new Map((current?.places ?? []).map((each) => [nameKey(each.location), limitsOf(each)]));
  let isChanged = false;
  for (const { location, onHand: _, ...limits } of given) {
    const key = nameKey(location);
    const known = merged.get(key);
    const next = { ...(known ?? limitsOf({ location })), ...limits };
    isChanged ||= known === undefined || JSON.stringify(known) !== JSON.stringify(next);
    merged.set(key, next);
  }
  return { list: [...merged.values()], isChanged };
}

/** Limits whose previous values become notes. The minimum is in `levels` instead. */
const NOTED_LIMITS = ['priority', 'maximum'] as const;

/** Returns notes about the previous values of changed fields of an existing article, and about its new places. */
export function previousNotes(before: ArticleFields, change: ArticleChange): string[] {
  const texts = TEXTS.flatMap((field) => {
    const was = before[field] ?? null;
    return change[field] === undefined || was === null ? [] : [`Its ${field} was ${quote(was)}.`];
  });
  const known = new Map(before.places?.map((place) => [nameKey(place.location), place]));
  const places = (change.places ?? []).flatMap((place) => {
    const was = known.get(nameKey(place.location));
    if (was === undefined) return [`${place.location} is a new place of this article.`];
    return NOTED_LIMITS.filter((limit) => (place[limit] ?? null) !== (was[limit] ?? null)).map(
      (limit) => `At ${place.location}, the ${limit} was ${was[limit] ?? 'not set'}.`,
    );
  });
  return [...texts, ...places];
}

/** Returns notes about new names of the article that equal names of something else, or look like them. */
function alikeNotes(
  tables: PlanTables,
  current: Article | undefined,
  { sku, barcodes, places }: ArticleChange,
): string[] {
  const known = new Set(current?.places.map(({ location }) => nameKey(location)));
  const codes = new Set(current?.barcodes.map(({ code }) => barcodeKey(code)));
  const notes = [
    ...(sku === undefined ? [] : lookAlikeWarnings(tables, 'sku', sku)),
    ...(barcodes ?? []).flatMap(({ code }) =>
      codes.has(barcodeKey(code)) ? [] : lookAlikeWarnings(tables, 'barcode', code),
    ),
    ...(places ?? []).flatMap(({ location }) =>
      known.has(nameKey(location)) ? [] : lookAlikeWarnings(tables, 'stored', location),
    ),
  ];
  return [...new Set(notes)];
}

/** Returns notes about places in the file whose minimum is above their maximum. */
function limitNotes(given: readonly ReadArticlePlace[], places: readonly NewArticlePlace[]): string[] {
  const named = new Set(given.map(({ location }) => nameKey(location)));
  return places.flatMap(({ location, minimum, maximum }) =>
    named.has(nameKey(location)) && (minimum ?? 0) > (maximum ?? Infinity)
      ? [`At ${location}, the minimum ${minimum} is more than the maximum ${maximum}.`]
      : [],
  );
}

function levelsOf(given: readonly ReadArticlePlace[], current: Article | undefined): ImportedLevel[] {
  return given.flatMap(({ location, minimum }) =>
    minimum === undefined ? [] : [{ location, from: placeAt(current, location)?.minimum ?? null, to: minimum }],
  );
}

function placeAt(article: Article | undefined, location: string): ArticlePlace | undefined {
  return article?.places.find((each) => nameKey(each.location) === nameKey(location));
}

function stockOf(
  given: readonly ReadArticlePlace[],
  { current, setsStock, notes }: { current: Article | undefined; setsStock: boolean; notes: string[] },
): ImportedStock[] {
  return given.flatMap(({ location, onHand: to }) => {
    if (to === undefined) return [];
    const place = placeAt(current, location);
    const from = place?.on_hand ?? null;
    if (from === to) return [];
    if (current === undefined || setsStock) return [{ location: place?.location ?? location, from, to }];
    notes.push(`The stock at ${location} stays ${from ?? 'not counted'}.`);
    return [];
  });
}

function apply(
  context: ArticlesContext,
  tx: Transaction,
  read: ReadArticle,
  { setsStock, by }: How & { by: string },
): AppliedArticle {
  const { repositories } = context;
  const plan = planOf(repositories, read, { setsStock });
  const { before, current, change, stock } = plan;
  const fields = Object.keys(change) as (keyof ArticleFields)[];
  if (fields.length === 0 && stock.length === 0) return { plan, imported: undefined };
  const was = current === undefined ? null : fieldsOf(current);
  const saved =
    fields.length === 0
      ? undefined
      : saveArticle(context, tx, {
          before,
          sku: before?.sku ?? read.sku,
          wanted: change,
          isWhole: before === undefined,
          by,
          isImported: true,
        });
  const article = repositories.articles.find(saved?.article.id ?? before?.id ?? 0);
  if (article === undefined) throw new Error('An imported article is missing.');
  const movements = stock.map(({ location, from, to }) => {
    const change = { to, isEmpty: false };
    const { id } = move(repositories, tx, { article, place: location, kind: 'import', change }, { by });
    return { location, from, to, movementId: id };
  });
  const now = fieldsOf(saved?.article ?? articleAnswer(repositories, article));
  const picked = was === null ? now : pick(now, fields);
  return {
    plan,
    imported: {
      articleId: article.id,
      sku: article.sku,
      before: was === null ? null : pick(was, fields),
      after: { fields: picked, stock: movements },
    },
  };
}
