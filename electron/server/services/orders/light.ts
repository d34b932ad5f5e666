import { fitsBarcode } from '#shared/screen/barcode.ts';
import type { Elsewhere } from '#shared/api/device.ts';
import type { NewItem } from '#shared/api/order.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { cutLine } from '#shared/lib/text.ts';
import type { ItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { remainingOf } from '../../domain/order.ts';
import { nameOfItem } from './callbacks.ts';
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

/** How the commands of an order light and sound. */
export type OrderLight = Pick<OrderRow, 'color' | 'seconds' | 'sound'>;

/** Fields that can name the place of an item. */
export type ItemPlaces = Pick<ItemRow, 'deviceId' | 'warehouseLocation' | 'sku' | 'upc' | 'name'>;

/** The fields of an item of a request that can name its place. */
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

/** Of the settings: the light of orders that give none. */
export type LightDefaults = Pick<Settings, 'order_color' | 'order_seconds'>;

/**
 * Where an item is lit: at its device, or at the first of warehouse_location, SKU, UPC and name that is the name of a place.
 * Only the warehouse_location can be a part of a name, and only if no other device matches. Contract, sections 4 and 8.
 */
export function findItemTarget(repositories: TargetTables, item: ItemPlaces): Target | undefined {
  return findGiven(repositories, item) ?? findNamed(repositories, item);
}

/** The same for many items. */
export function findItemTargets(repositories: TargetTables, items: readonly ItemPlaces[]): (Target | undefined)[] {
  const tables = withNamesOnce(repositories);
  return items.map((item) => findItemTarget(tables, item));
}

/** At the device or the place of this name. */
function findGiven(
  repositories: TargetTables,
  { deviceId, warehouseLocation }: Pick<ItemRow, 'deviceId' | 'warehouseLocation'>,
): Target | undefined {
  const isPlace = deviceId !== null && !repositories.devices.isSlot(deviceId);
  return (isPlace ? findById(repositories, deviceId) : undefined) ?? exactly(repositories, warehouseLocation);
}

/** At the place whose name contains the place, or is that of the article. */
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

/** The content that all commands of an order share. Throws `invalid` for an unknown color. */
export function contentOfOrder(light: OrderLight, defaults: LightDefaults): CommandContent {
  return judgeLight(light, defaults).content;
}

/** The same of a batch: its lights stay on until they are pressed, and make no sound. */
export function contentOfBatch(color: string | null, defaults: LightDefaults): CommandContent {
  return contentOfOrder({ color, seconds: 0, sound: null }, defaults);
}

/** The same, with the parts that devices cannot show. */
export function judgeLight(
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
 * The screen of an item: at most two lines, a quantity and a barcode, which leaves room for an arrow. The lines are the article
 * and what distinguishes it: its description, else the place, unless the screen is headed `place` already.
 */
export function contentOfItem(common: CommandContent, item: ItemRow, place: string): CommandContent {
  const { sku, upc, description, warehouseLocation } = item;
  const article = nameOfItem(item);
  const isSaid = nameKey(warehouseLocation ?? '') === nameKey(place);
  const lines = [article, description ?? (isSaid ? '' : (warehouseLocation ?? ''))].filter((line) => line !== '');
  const barcode = [upc, sku].find((code) => code !== null && fitsBarcode(code)) ?? '';
  return { ...common, lines: lines.map((line) => cutLine(line)), barcode, quantity: remainingOf(item) };
}

/**
 * Says for items which other devices have an alias or a label equal to the SKU, looking for each SKU once; `deviceId`: where
 * the item is.
 */
export function elsewhereIn(
  tables: Pick<TargetTables, 'aliases' | 'devices'>,
): (item: Pick<ItemRow, 'sku'>, deviceId: string | null) => Elsewhere[] {
  const known = new Map<string, readonly Elsewhere[]>();
  const holding = (sku: string): Elsewhere[] => {
    const alias = tables.aliases.findByName(sku)?.deviceid;
    const ids = new Set([...(alias === undefined ? [] : [alias]), ...tables.devices.listByLabel(sku)]);
    return [...ids].map((id) => ({ deviceid: id, location: alias === id ? sku : labelOf(tables, id) }));
  };
  return ({ sku }, deviceId) => {
    if (sku === null || nameKey(sku) === '') return [];
    const devices = known.get(sku) ?? holding(sku);
    known.set(sku, devices);
    return devices.filter(({ deviceid }) => deviceid !== deviceId);
  };
}
