import { fitsBarcode } from '#shared/screen/barcode.ts';
import type { Elsewhere } from '#shared/api/device.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { cutLine } from '#shared/lib/text/text.ts';
import type { ItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { ArticlePlaceRow } from '../../db/repositories/stock.ts';
import type { ItemPlaceTables } from './tables.ts';
import { remainingOf } from '../../domain/orders/order.ts';
import { descriptionOfItem, titleOfItem } from './itemWords.ts';
import type { Settings } from '#shared/api/settings.ts';
import { labelOf, understand } from '../commands/index.ts';
import {
  type Target,
  type TargetTables,
  findById,
  findByLocation,
  findByOnlyPart,
  withNamesOnce,
} from '../devices/index.ts';

/** Color, duration and sound of an order's commands. */
export type OrderLight = Pick<OrderRow, 'color' | 'seconds' | 'sound'>;

/** Fields of an item that can name its place. */
export type ItemPlaces = Pick<ItemRow, 'deviceId' | 'warehouseLocation' | 'sku' | 'upc' | 'name'>;

/** Returns the fields of a requested item that can name its place. */
export function itemPlaces(
  item: Pick<NewItem, 'deviceid' | 'warehouse_location' | 'SKU' | 'UPC' | 'name'>,
): ItemPlaces {
  return {
    deviceId: item.deviceid ?? null,
    warehouseLocation: item.warehouse_location ?? null,
    sku: item.SKU ?? null,
    upc: item.UPC ?? null,
    name: item.name ?? null,
  };
}

/** Settings for orders that do not set their own light. */
export type LightDefaults = Pick<Settings, 'order_color' | 'order_seconds'>;

/**
 * Finds where to light an item: its device, or the first of warehouse_location, SKU, UPC and name that is the name of a place. Only
 * warehouse_location can match part of a name, if exactly one device matches. Contract, sections 4 and 8.
 */
export function findItemTarget(repositories: TargetTables, item: ItemPlaces): Target | undefined {
  return findGiven(repositories, item) ?? findNamed(repositories, item);
}

/** Like `findItemTarget`, but for many items. Reads the names of places only once. */
export function findItemTargets(repositories: TargetTables, items: readonly ItemPlaces[]): (Target | undefined)[] {
  const tables = withNamesOnce(repositories);
  return items.map((item) => findItemTarget(tables, item));
}

/** Returns the device or place that the item names exactly. */
function findGiven(
  repositories: TargetTables,
  { deviceId, warehouseLocation }: Pick<ItemRow, 'deviceId' | 'warehouseLocation'>,
): Target | undefined {
  const isPlace = deviceId !== null && !repositories.devices.isSlot(deviceId);
  return (isPlace ? findById(repositories, deviceId) : undefined) ?? exactly(repositories, warehouseLocation);
}

/** Returns the place whose name warehouse_location is part of, or whose name equals the SKU, UPC or item name. */
function findNamed(
  repositories: TargetTables,
  { warehouseLocation, sku, upc, name }: Pick<ItemRow, 'warehouseLocation' | 'sku' | 'upc' | 'name'>,
): Target | undefined {
  return (
    (warehouseLocation === null ? undefined : findByOnlyPart(repositories, warehouseLocation)) ??
    exactly(repositories, sku) ??
    exactly(repositories, upc) ??
    exactly(repositories, name)
  );
}

function exactly(repositories: TargetTables, text: string | null): Target | undefined {
  return text === null ? undefined : findByLocation(repositories, text);
}

/** Returns the command content that all items of an order share. Throws `invalid` for an unknown color. */
export function contentOfOrder(light: OrderLight, defaults: LightDefaults): CommandContent {
  return checkLight(light, defaults).content;
}

/** Returns the command content for the places of a batch, which have no time limit and no sound. */
export function contentOfBatch(color: string | null, defaults: LightDefaults): CommandContent {
  return contentOfOrder({ color, seconds: 0, sound: null }, defaults);
}

/** Returns the same content as `contentOfOrder`, and the parts that devices cannot show or play. */
export function checkLight(
  { color, seconds, sound }: OrderLight,
  defaults: LightDefaults,
): { content: CommandContent; leftOut: readonly FieldError[] } {
  const { order_color: default_color, order_seconds: default_seconds } = defaults;
  const request = {
    command: 'flash',
    color: color ?? undefined,
    seconds: seconds ?? undefined,
    sound: sound ?? undefined,
  };
  const asked = { request, unknown: [], faults: [], strict: false };
  const { instruction, leftOut } = understand(asked, { default_color, default_seconds });
  if (instruction.kind !== 'command') throw new Error('A flash is a command.');
  return { content: instruction.content, leftOut };
}

/**
 * Builds the screen of an item: at most two lines, a quantity and a barcode, which leaves room for an arrow. The lines show the article and
 * its description. Without a description, the second line shows the place, unless the header shows `place` already.
 */
export function contentOfItem(common: CommandContent, item: ItemRow, place: string): CommandContent {
  const { sku, upc, warehouseLocation } = item;
  const article = titleOfItem(item);
  const description = descriptionOfItem(item);
  const isSaid = nameKey(warehouseLocation ?? '') === nameKey(place);
  const lines = [article, description ?? (isSaid ? '' : (warehouseLocation ?? ''))].filter((line) => line !== '');
  const barcode = [upc, sku].find((code) => code !== null && fitsBarcode(code)) ?? '';
  return { ...common, lines: lines.map((line) => cutLine(line)), barcode, quantity: remainingOf(item) };
}

/** Fields of an item that are needed to find the other places of its article. */
type FindableItem = Pick<ItemRow, 'sku' | 'articleId' | 'place'>;

/**
 * Creates a function that lists the other devices that may have an item's article: first devices at other places of the article (places
 * known to be empty last), then devices with an alias or label equal to the SKU. `deviceId` is the item's current device. Each article and
 * SKU is read only once.
 */
export function elsewhereIn(tables: ItemPlaceTables): (item: FindableItem, deviceId: string | null) => Elsewhere[] {
  const placesOf = new Map<number, readonly Elsewhere[]>();
  const listPlaces = (articleId: number): readonly Elsewhere[] =>
    tables.stock
      .listPlaces(JSON.stringify([articleId]))
      .toSorted((one, other) => Number(hasNothing(one)) - Number(hasNothing(other)))
      .flatMap(({ place }) => {
        const deviceId = findByLocation(tables, place)?.deviceId;
        return deviceId === undefined ? [] : [{ deviceid: deviceId, location: place }];
      });
  const bySku = elsewhereBySku(tables);
  return (item, deviceId) => {
    const { articleId } = item;
    const places = articleId === null ? [] : (placesOf.get(articleId) ?? listPlaces(articleId));
    if (articleId !== null) placesOf.set(articleId, places);
    const own = places.filter(
      ({ deviceid, location }) => deviceid !== deviceId && nameKey(location) !== nameKey(item.place ?? ''),
    );
    const listed = new Set(places.map(({ deviceid }) => deviceid));
    return [...own, ...bySku(item, deviceId).filter(({ deviceid }) => !listed.has(deviceid))];
  };
}

function hasNothing({ onHand, isEmpty }: Pick<ArticlePlaceRow, 'onHand' | 'isEmpty'>): boolean {
  return isEmpty || (onHand !== null && onHand <= 0);
}

/** Creates a function that lists the other devices with an alias or label equal to the item's SKU. */
function elsewhereBySku(tables: TargetTables): (item: Pick<ItemRow, 'sku'>, deviceId: string | null) => Elsewhere[] {
  const known = new Map<string, readonly Elsewhere[]>();
  const holding = (sku: string): Elsewhere[] => {
    const alias = tables.aliases.findByName(sku)?.deviceid;
    const ids = new Set([...(alias === undefined ? [] : [alias]), ...tables.devices.listByLabel(sku)]);
    return [...ids].map((id) => ({ deviceid: id, location: alias === id ? sku : labelOf(tables.devices, id) }));
  };
  return ({ sku }, deviceId) => {
    if (sku === null || nameKey(sku) === '') return [];
    const devices = known.get(sku) ?? holding(sku);
    known.set(sku, devices);
    return devices.filter(({ deviceid }) => deviceid !== deviceId);
  };
}
