import type { NewItem, NewOrder } from '#shared/api/order.ts';
import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { withoutEntities } from '#shared/lib/tables/cells/entities.ts';
import { END_REASONS, type EndReason } from '#shared/lib/tables/states.ts';
import type { EndedLine } from '#shared/lib/tables/types.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';

/**
 * Lines of an order compared with those of a file: `gone` are the lines and pieces that ended elsewhere, in the way of `ends`, and `left` are
 * those of which the file says nothing.
 */
export type Taken = { gone: readonly NewItem[]; left: readonly NewItem[]; ends: EndReason | undefined };

/** Pieces of an article that a file speaks about. */
type Pool = { item: NewItem; pieces: number; ends: EndReason | undefined };

/** Returns the lines of an order in all of its shipments. */
export function itemsOf({ items, shipments = [] }: NewOrder): readonly NewItem[] {
  return items ?? shipments.flatMap((shipment) => shipment.items);
}

/** Compares the lines of an order with those that ended elsewhere. Lines without pieces are in neither list. */
export function takeEnded(items: readonly NewItem[], ended: readonly EndedLine[]): Taken {
  return take(
    items,
    ended.map(({ item, ends }) => ({
      item,
      ends,
      pieces: item.ordered_quantity === 0 ? Infinity : item.ordered_quantity,
    })),
  );
}

/** Returns the lines and pieces of an order that a file no longer lists. */
export function missingIn(file: readonly NewItem[], items: readonly NewItem[]): readonly NewItem[] {
  return take(
    items,
    file.map((item) => ({ item, pieces: item.ordered_quantity, ends: undefined })),
  ).left;
}

function take(items: readonly NewItem[], pools: readonly Pool[]): Taken {
  const byKey = new Map<string, Pool[]>();
  for (const pool of pools) {
    for (const key of keysOf(pool.item, 'own')) byKey.set(key, [...(byKey.get(key) ?? []), pool]);
  }
  const [gone, left]: [NewItem[], NewItem[]] = [[], []];
  const reasons = new Set<EndReason>();
  for (const item of items) {
    let [open, ended] = [item.ordered_quantity, 0];
    for (const pool of keysOf(item, 'others').flatMap((key) => byKey.get(key) ?? [])) {
      const pieces = Math.min(open, pool.pieces);
      if (pieces === 0) continue;
      open -= pieces;
      pool.pieces -= pieces;
      if (pool.ends === undefined) continue;
      ended += pieces;
      reasons.add(pool.ends);
    }
    if (ended > 0) gone.push({ ...item, ordered_quantity: ended });
    if (open > 0) left.push({ ...item, ordered_quantity: open });
  }
  return { gone, left, ends: END_REASONS.find((each) => reasons.has(each)) };
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
