import { nameKey } from '#shared/lib/text/nameKey.ts';
import { byName, byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import { remainingOf } from '../../domain/orders/order.ts';
import { type ChosenPlace, choosePlace, type PlaceOrder } from '../../domain/orders/placeChoice.ts';
import type { AvailablePlace, ItemArticle } from '../articles/index.ts';
import { findByLocation, type Target, withNamesOnce } from '../devices/index.ts';
import { findItemTarget } from './light.ts';
import { memoized } from '../base/index.ts';
import type { OrderContext } from './types.ts';

/**
 * Where to light an item. `place` is the place that the station chose for the article, or undefined if it chose none. `article` is
 * undefined if the item has no article. `lacksStock` is true if no place of the article has any pieces.
 */
export type ItemTarget = {
  target: Target | undefined;
  place: string | undefined;
  article: ItemArticle | undefined;
  lacksStock: boolean;
};

type Needs = Pick<OrderContext, 'repositories' | 'itemStock' | 'settings'>;

type Choosable = AvailablePlace & { target: Target | undefined };

/**
 * Finds where to light items. Chooses a place of the article for items that name neither a device nor a place. Items in one call are
 * assigned together, so that no pieces are promised to two items. Items with a picker (`hasPicker`) can also get a place without a device.
 * Contract, section 20.
 */
export function itemTargets(
  { repositories, itemStock, settings }: Needs,
  items: readonly LitItemRow[],
  hasPicker: (item: LitItemRow) => boolean,
): ItemTarget[] {
  const tables = withNamesOnce(repositories);
  const targetAt = memoized((place: string) => findByLocation(tables, place));
  const articles = itemStock.articlesOf(items);
  const choosing = items.flatMap((item, index) => (takesPlace(item) ? (articles[index]?.id ?? []) : []));
  const placesOf = choosing.length === 0 ? new Map<number, AvailablePlace[]>() : itemStock.listPlaces(choosing);
  const order = placeOrder(repositories, settings);
  const keyOf = (articleId: number, place: string): string => `${articleId} ${nameKey(place)}`;
  const taken = new Map<string, number>();
  const take = (key: string, pieces: number): void => void taken.set(key, (taken.get(key) ?? 0) + pieces);
  // Release the quantities allocated to these lines at their previous places, because the lines choose a place again.
  for (const item of items)
    if (item.articleId !== null && item.place !== null && choosesAgain(item))
      take(keyOf(item.articleId, item.place), -remainingOf(item));
  return items.map((item, index): ItemTarget => {
    const article = articles[index];
    const found = { place: undefined, article, lacksStock: false };
    const given = articleAtDevice(item, targetAt);
    if (article !== undefined && given !== undefined) return { ...found, ...given };
    if (article === undefined || !takesPlace(item)) return { ...found, target: findItemTarget(tables, item) };
    // Keep the place, because some of the pieces already came from there.
    if (isHalfPicked(item))
      return { ...found, target: targetAt(item.place) ?? findItemTarget(tables, item), place: item.place };
    const needed = remainingOf(item);
    const isForPicker = hasPicker(item);
    const places = (placesOf.get(article.id) ?? []).flatMap((each): Choosable[] => {
      const target = targetAt(each.place);
      if (target === undefined && !isForPicker) return [];
      const others = taken.get(keyOf(article.id, each.place)) ?? 0;
      return [{ ...each, target, available: each.available === null ? null : each.available - others }];
    });
    const chosen: ChosenPlace<Choosable> | undefined = choosePlace(places, needed, order);
    if (chosen === undefined) return { ...found, target: findItemTarget(tables, item) };
    const { place, target } = chosen.place;
    take(keyOf(article.id, place), needed);
    return { target, place, article, lacksStock: chosen.isLacking };
  });
}

/**
 * Finds another place, and its device, for an item's missing pieces, skipping the places whose keys are in `except`. Returns undefined if
 * all other places are known to be empty.
 */
export function nextPlaceOf(
  { repositories, itemStock, settings }: Needs,
  item: LitItemRow,
  { needed, except }: { needed: number; except: ReadonlySet<string> },
): { place: string; target: Target | undefined; article: ItemArticle } | undefined {
  const [article] = itemStock.articlesOf([item]);
  if (article === undefined) return undefined;
  const tables = withNamesOnce(repositories);
  const places = (itemStock.listPlaces([article.id]).get(article.id) ?? []).flatMap((each): Choosable[] =>
    except.has(nameKey(each.place)) ? [] : [{ ...each, target: findByLocation(tables, each.place) }],
  );
  const chosen = choosePlace(places, needed, placeOrder(repositories, settings));
  return chosen === undefined || chosen.isLacking
    ? undefined
    : { place: chosen.place.place, target: chosen.place.target, article };
}

/** Whether the station chooses the item's place, because neither the order nor a person chose one. */
export function takesPlace({
  deviceId,
  warehouseLocation,
}: Pick<LitItemRow, 'deviceId' | 'warehouseLocation'>): boolean {
  return deviceId === null && warehouseLocation === null;
}

/** Returns the item's current place if the device that the item names serves this place. */
function articleAtDevice(
  { deviceId, place }: LitItemRow,
  targetAt: (place: string) => Target | undefined,
): Pick<ItemTarget, 'target' | 'place'> | undefined {
  if (deviceId === null || place === null) return undefined;
  const target = targetAt(place);
  return target?.deviceId === deviceId ? { target, place } : undefined;
}

function placeOrder({ map }: Needs['repositories'], settings: Needs['settings']): PlaceOrder<Choosable> {
  // Load the map only if two places are equally good.
  let compare: ReturnType<typeof byWalk> | undefined;
  return {
    rule: settings.current().place_rule,
    byWalk({ target: one, place }, { target: other, place: otherPlace }) {
      if (one === undefined || other === undefined)
        return Number(one === undefined) - Number(other === undefined) || byName(place, otherPlace);
      compare ??= byWalk(walkRanks(map.get()));
      return compare(one, other);
    },
  };
}

function isHalfPicked<Item extends Pick<LitItemRow, 'fulfilled' | 'place'>>(
  item: Item,
): item is Item & { place: string } {
  return item.fulfilled > 0 && item.place !== null;
}

/** Whether the station chooses the item's place again, so that the quantity allocated at the previous place can be released. */
function choosesAgain(item: LitItemRow): boolean {
  return takesPlace(item) && !isHalfPicked(item) && (item.state === 'open' || item.state === 'active');
}
