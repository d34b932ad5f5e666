import { nameKey } from '#shared/lib/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import { remainingOf } from '../../domain/order.ts';
import { choosePlace } from '../../domain/placeChoice.ts';
import { findByLocation, type Target } from '../devices/index.ts';
import { findItemTargets } from './light.ts';
import type { OrderContext } from './types.ts';

/** Where an item is lit. `place`: the place of its article that was chosen; undefined: the order or a name says where. */
export type ItemTarget = { target: Target | undefined; place: string | undefined };

/**
 * Finds where items are lit. Items that name neither a device nor a place take a place of their article, those of one call together: what
 * one of them needs is not there for the next. `hasPicker`: whether a place without a device counts. Contract, section 20.
 */
export function itemTargets(
  { repositories, itemStock }: Pick<OrderContext, 'repositories' | 'itemStock'>,
  items: readonly LitItemRow[],
  hasPicker: (item: LitItemRow) => boolean,
): ItemTarget[] {
  const named = findItemTargets(repositories, items);
  const hasArticles = itemStock.hasArticles();
  const taken = new Map<string, number>();
  return items.map((item, index): ItemTarget => {
    const asNamed = { target: named[index], place: undefined };
    if (!hasArticles || item.deviceId !== null || item.warehouseLocation !== null) return asNamed;
    const articleId = itemStock.findArticleId(item);
    if (articleId === undefined) return asNamed;
    // Its pieces are half picked there.
    if (item.fulfilled > 0 && item.place !== null)
      return { target: findByLocation(repositories, item.place) ?? asNamed.target, place: item.place };
    const keyOf = (place: string): string => `${articleId} ${nameKey(place)}`;
    const needed = remainingOf(item);
    const places = itemStock.listPlaces(articleId).flatMap(({ place, available, isEmpty }) => {
      const target = findByLocation(repositories, place);
      if (target === undefined && !hasPicker(item)) return [];
      const isOwn = item.place !== null && nameKey(item.place) === nameKey(place) && isAllocated(item);
      const others = (taken.get(keyOf(place)) ?? 0) - (isOwn ? needed : 0);
      return [{ place, target, isEmpty, available: available === null ? null : available - others }];
    });
    const chosen = choosePlace(places, needed);
    if (chosen === undefined) return asNamed;
    taken.set(keyOf(chosen.place), (taken.get(keyOf(chosen.place)) ?? 0) + needed);
    return { target: chosen.target, place: chosen.place };
  });
}

/** Whether what it needs is allocated already. */
function isAllocated({ articleId, state }: LitItemRow): boolean {
  return articleId !== null && (state === 'open' || state === 'active');
}
