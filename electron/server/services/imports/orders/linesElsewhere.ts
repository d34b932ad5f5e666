import type { NewOrder } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { withoutEntities } from '#shared/lib/tables/cells/entities.ts';
import { END_REASONS, type EndReason } from '#shared/lib/tables/states.ts';
import type { EndedLine } from '#shared/lib/tables/types.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../../core.ts';
import { findArticleId, meantSku } from '../../articles/index.ts';
import { itemPlaces } from '../../orders/index.ts';

/**
 * Lines of an order compared with those of a file. `gone` contains the lines and pieces that ended elsewhere, `ends` says how, and `left`
 * contains those that the file does not mention.
 */
export type Taken = { gone: readonly NewItem[]; left: readonly NewItem[]; ends: EndReason | undefined };

/** Pieces of an article that a file mentions. */
type Pool = { item: NewItem; pieces: number; ends: EndReason | undefined };

/** A line of an order, with its pieces that no pool covers yet, and those that ended. */
type Line = { item: NewItem; open: number; ended: number };

/** Returns the id of the article that a line names, or undefined if there is none. */
export type ArticleOf = (item: NewItem) => number | undefined;
type ArticleTables = Pick<TablesOf<'imports'>, 'articles'>;

/** Creates a function that finds the article of a line by any of its codes, even if a number lacks its leading zeros. */
export function articlesIn(tables: ArticleTables): ArticleOf {
  if (!tables.articles.hasAny()) return () => undefined;
  return (item) => {
    const { sku, upc, name } = itemPlaces(item);
    const names = { articleId: null, sku, upc, name };
    const id = findArticleId(tables, names);
    const meant = id === undefined && sku !== null ? meantSku(tables, sku) : undefined;
    return meant === undefined ? id : findArticleId(tables, { ...names, sku: meant });
  };
}

/** Returns the lines of an order in all of its shipments. */
export function itemsOf({ items, shipments = [] }: NewOrder): readonly NewItem[] {
  return items ?? shipments.flatMap((shipment) => shipment.items);
}

/**
 * Compares the lines of an order with those that ended elsewhere. Lines without pieces are in neither list. With `articleOf`, lines with
 * different codes of one article are equal, too.
 */
export function takeEnded(items: readonly NewItem[], ended: readonly EndedLine[], articleOf?: ArticleOf): Taken {
  const pools = ended.map(({ item, ends }) => ({
    item,
    ends,
    pieces: item.ordered_quantity === 0 ? Infinity : item.ordered_quantity,
  }));
  return take(items, pools, articleOf);
}

/** Returns the lines and pieces of an order that a file no longer lists. */
export function missingIn(
  file: readonly NewItem[],
  items: readonly NewItem[],
  articleOf?: ArticleOf,
): readonly NewItem[] {
  const pools = file.map((item) => ({ item, pieces: item.ordered_quantity, ends: undefined }));
  return take(items, pools, articleOf).left;
}

function take(items: readonly NewItem[], pools: readonly Pool[], articleOf: ArticleOf | undefined): Taken {
  const lines = items.map((item): Line => ({ item, open: item.ordered_quantity, ended: 0 }));
  const reasons = new Set<EndReason>();
  takeEqual(lines, pools, keysOf, reasons);
  // Look up only lines that remain, because each lookup is a search.
  const [restLines, restPools] = [lines.filter(({ open }) => open > 0), pools.filter(({ pieces }) => pieces > 0)];
  if (articleOf !== undefined && restLines.length > 0 && restPools.length > 0) {
    const key = (item: NewItem): string[] => {
      const id = articleOf(item);
      return id === undefined ? [] : [String(id)];
    };
    takeEqual(restLines, restPools, key, reasons);
  }
  return {
    gone: lines.filter(({ ended }) => ended > 0).map(({ item, ended }) => ({ ...item, ordered_quantity: ended })),
    left: lines.filter(({ open }) => open > 0).map(({ item, open }) => ({ ...item, ordered_quantity: open })),
    ends: END_REASONS.find((each) => reasons.has(each)),
  };
}

/** Takes pieces of lines from pools with an equal key. Adds to `reasons` how they ended. */
function takeEqual(
  lines: readonly Line[],
  pools: readonly Pool[],
  keys: (item: NewItem, of: 'own' | 'others') => readonly string[],
  reasons: Set<EndReason>,
): void {
  const byKey = new Map<string, Pool[]>();
  for (const pool of pools) {
    for (const key of keys(pool.item, 'own')) byKey.set(key, [...(byKey.get(key) ?? []), pool]);
  }
  for (const line of lines) {
    for (const pool of keys(line.item, 'others').flatMap((key) => byKey.get(key) ?? [])) {
      const pieces = Math.min(line.open, pool.pieces);
      if (pieces === 0) continue;
      line.open -= pieces;
      pool.pieces -= pieces;
      if (pool.ends === undefined) continue;
      line.ended += pieces;
      reasons.add(pool.ends);
    }
  }
}

/**
 * Returns keys by which two lines are the same article: the first of SKU, UPC and name that both have is equal. `own` are the keys of a line
 * itself, and `others` those of the lines that match it.
 */
function keysOf({ SKU, UPC, name }: NewItem, of: 'own' | 'others'): string[] {
  const texts = [SKU && nameKey(SKU), UPC && barcodeKey(UPC), name && nameKey(withoutEntities(name))].map(
    (text) => text ?? '',
  );
  return texts.flatMap((text, at) => {
    if (text === '') return [];
    const earlier = texts.slice(0, at).reduce<string[]>(
      (all, each) => {
        const marks = of === 'own' ? [each === '' ? '-' : '+'] : each === '' ? ['-', '+'] : ['-'];
        return all.flatMap((marked) => marks.map((mark) => marked + mark));
      },
      [''],
    );
    return earlier.map((marks) => `${at}${marks}${text}`);
  });
}
