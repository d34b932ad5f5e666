import type { NewOrder, Order } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import type { Repositories } from '../../db/repositories.ts';
import { lookAlikeWarnings } from '../base/index.ts';
import { findByLocation, slowWarning, type Target, type TargetTables, withNamesOnce } from '../devices/index.ts';
import { findItemTarget, findItemTargets, itemPlaces } from './light.ts';

/** Number of items without a place that get separate warnings. If there are more, one warning covers all of them. */
const MAX_APART = 3;
/** Maximum number of warnings of one kind. Further warnings are only counted. */
const MAX_NAMED = 10;
const DAY_MS = 86_400_000;

/** Item with the place where a launch would light it now. `path` is the item's JSON Pointer. */
export type PlacedItem = { item: NewItem; path: string; target: Target | undefined };

/** The repository that knows the nonces of items. */
type NonceTables = { items: Pick<Repositories['items'], 'findNonceUsers'> };

/** Finds the places of all items, in the order in which the request lists them. */
export function placeItems(tables: TargetTables, { shipments, items = [] }: NewOrder): PlacedItem[] {
  const lists = shipments?.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = (lists ?? [{ list: items, path: '/items' }]).flatMap(({ list, path }) =>
    list.map((item, index) => ({ item, path: `${path}/${index}` })),
  );
  const targets = findItemTargets(
    tables,
    all.map(({ item }) => itemPlaces(item)),
  );
  return all.map((one, index) => ({ ...one, target: isOpen(one.item) ? targets[index] : undefined }));
}

/** Returns possible mistakes by the caller, which `?strict=1` rejects. */
export function doubtsAbout(tables: NonceTables, wanted: NewOrder, placed: readonly PlacedItem[]): FieldError[] {
  return [
    ...noItems(wanted),
    ...zeroItems(placed),
    ...overfilledItems(placed),
    ...sharedNonces(tables, wanted, placed),
    ...guessedItems(placed),
  ];
}

/** Returns possible mistakes as warnings: all guessed places, but only the first few of each other kind. */
export function doubtWarnings(tables: NonceTables, wanted: NewOrder, placed: readonly PlacedItem[]): FieldError[] {
  const path = listPath(wanted);
  return [
    ...noItems(wanted),
    ...atMost(zeroItems(placed), path),
    ...atMost(overfilledItems(placed), path),
    ...atMost(sharedNonces(tables, wanted, placed), path),
    ...guessedItems(placed),
  ];
}

/** Reports an order without items, because the order can never be launched. */
function noItems(wanted: NewOrder): FieldError[] {
  const { shipments, items = [] } = wanted;
  const count = (shipments ?? [{ items }]).reduce((sum, one) => sum + one.items.length, 0);
  const message = 'The order has no items: it cannot be launched before items are added.';
  return count > 0 ? [] : [{ path: listPath(wanted), message }];
}

/** Reports items with an ordered quantity of 0. They are accepted as done, but may be a mistake. */
function zeroItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path }) =>
    item.ordered_quantity === 0
      ? [{ path: `${path}/ordered_quantity`, message: 'It is 0: the item is done and never lit.' }]
      : [],
  );
}

/** Reports items with more pieces picked than ordered. They are accepted as done, but the two values may be swapped. */
function overfilledItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path }) => {
    const { ordered_quantity: ordered, quantity_fulfilled: fulfilled = 0 } = item;
    if (fulfilled <= ordered) return [];
    const message = `${fulfilled} is more than the ordered_quantity ${ordered}: the item is done and never lit.`;
    return [{ path: `${path}/quantity_fulfilled`, message }];
  });
}

/** Reports items whose nonce another item has, because receivers add up by nonce. */
function sharedNonces(
  { items }: NonceTables,
  { order_number: orderNumber }: NewOrder,
  placed: readonly PlacedItem[],
): FieldError[] {
  const named = placed.filter(({ item }) => (item.callback_nonce ?? '').trim() !== '');
  const elsewhere = items.findNonceUsers([...new Set(named.map(({ item }) => item.callback_nonce ?? ''))], orderNumber);
  const first = new Map<string, string>();
  return named.flatMap(({ item: { callback_nonce: nonce = '' }, path }) => {
    const twin = first.get(nonce);
    if (twin === undefined) first.set(nonce, path);
    const other = elsewhere.get(nonce);
    if (twin === undefined && other === undefined) return [];
    const owner = twin === undefined ? `An unfinished item of order ${other ?? ''}` : `The item ${twin}`;
    return [{ path: `${path}/callback_nonce`, message: sharedNonceWords(owner, nonce) }];
  });
}

/** Returns the warning about a line with the nonce of `owner`. */
export function sharedNonceWords(owner: string, nonce: string): string {
  return `${owner} has the same nonce ${quote(nonce)}. Receivers that add up by nonce count both as one line.`;
}

/** Warns about items with a guessed place. */
function guessedItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ path, target }) =>
    target?.warning === undefined ? [] : [{ path, message: target.warning }],
  );
}

/** Warns about items that are lit at a guessed place. The paths refer to the order in the response. */
export function guessesOf(tables: TargetTables, { shipments, items }: Order): FieldError[] {
  const lists = shipments.map((one, index) => ({ list: one.items, path: `/shipments/${index}/items` }));
  const all = items === undefined ? lists : [{ list: items, path: '/items' }];
  const named = withNamesOnce(tables);
  return all.flatMap(({ list, path }) =>
    list.flatMap((item, index) => {
      if (!item.guessed || item.state !== 'active') return [];
      const target = findItemTarget(named, { ...itemPlaces(item), deviceId: null });
      return target?.warning === undefined ? [] : [{ path: `${path}/${index}`, message: target.warning }];
    }),
  );
}

/**
 * Warns about unknown places, places of other devices, unknown devices and slow devices. None of these prevents adding or launching the
 * order.
 */
export function placeWarnings(tables: TargetTables, wanted: NewOrder, placed: readonly PlacedItem[]): FieldError[] {
  const path = listPath(wanted);
  const kinds = [replacedDevices(placed), unusedPlaces(tables, placed), slowItems(placed)];
  return [
    ...joined(unknownDevices(placed), path, 'name a device that is not known yet'),
    ...joined(unknownPlaces(placed), path, 'name a place where no device is found yet'),
    ...kinds.flatMap((faults) => atMost(faults, path)),
  ];
}

/** Warns that the number of the order is, or looks like, the name of something else that is scanned. */
export function numberWarnings(tables: Pick<Repositories, 'lookAlikes'>, orderNumber: string): FieldError[] {
  const isOwn = ({ kind, name }: { kind: string; name: string }) => kind === 'order' && name === orderNumber;
  return lookAlikeWarnings(tables, 'order', orderNumber, { isOwn }).map((message) => ({
    path: '/order_number',
    message,
  }));
}

/** Number of days after which a due time in the past may be a mistake in the date. */
const MAX_DAYS_LATE = 7;
/** Number of days after which a due time in the future may be a mistake in the date. */
const MAX_DAYS_AHEAD = 366;

/** Warns about a due time that is far from now, such as one with the wrong year. */
export function dueWarnings(due: string | null | undefined, now: number): FieldError[] {
  if (due === undefined || due === null) return [];
  const days = Math.round((Date.parse(due) - now) / DAY_MS);
  if (days >= -MAX_DAYS_LATE && days <= MAX_DAYS_AHEAD) return [];
  const when = days < 0 ? `${-days} days ago` : `in ${days} days`;
  return [
    {
      path: '/due_time',
      message: `The order is due on ${due.slice(0, 10)}, ${when}. Correct the date if this is wrong.`,
    },
  ];
}

/** Returns the path of the order's item list. */
const listPath = ({ shipments }: NewOrder): string => (shipments === undefined ? '/items' : '/shipments');

/** Problem with an item that no device would show. `name` is the place or device that the item names. */
type Unlit = FieldError & { name: string };

/**
 * Joins warnings about unlit items into one sentence that names the first few, because shops that light only some shelves have many such
 * items in each order.
 */
function joined(faults: readonly Unlit[], path: string, words: string): FieldError[] {
  if (faults.length <= MAX_APART) return faults.map(({ path: at, message }) => ({ path: at, message }));
  const names = [...new Set(faults.map(({ name }) => name))];
  const more = names.length - MAX_APART;
  const shown = names.slice(0, MAX_APART).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [{ path, message: `${faults.length} items ${words}: ${shown}. They light nothing until there is one.` }];
}

/** Returns the first problems of one kind, followed by one that counts the remaining ones. */
function atMost(faults: readonly FieldError[], path: string): FieldError[] {
  const more = faults.length - MAX_NAMED;
  if (more <= 0) return [...faults];
  return [...faults.slice(0, MAX_NAMED), { path, message: `The same is true of ${more} more items.` }];
}

function unknownDevices(placed: readonly PlacedItem[]): Unlit[] {
  return placed.flatMap(({ item, path, target }) => {
    const { deviceid = null } = item;
    if (deviceid === null || !isOpen(item) || target !== undefined) return [];
    const message = `There is no device ${deviceid} yet. The item lights nothing until there is one.`;
    return [{ path: `${path}/deviceid`, message, name: deviceid }];
  });
}

/** Reports items that name an unknown device and would be lit elsewhere. */
function replacedDevices(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path, target }) => {
    const { deviceid = null } = item;
    if (deviceid === null || target === undefined || target.deviceId === deviceid) return [];
    return [{ path: `${path}/deviceid`, message: `There is no device ${deviceid} yet. ${target.deviceId} is used.` }];
  });
}

function unknownPlaces(placed: readonly PlacedItem[]): Unlit[] {
  return placed.flatMap(({ item, path, target }) => {
    const { warehouse_location: place = '' } = item;
    if (place === '' || !isOpen(item) || target !== undefined) return [];
    const name = quote(place);
    const message = `No device is found at ${name} yet. The item lights nothing until there is one.`;
    return [{ path: `${path}/warehouse_location`, message, name }];
  });
}

/** Reports items that would be lit at a place other than the one that they name. */
function unusedPlaces(tables: TargetTables, placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ item, path, target }) => {
    const { deviceid = null, warehouse_location: place = '' } = item;
    if (place === '' || target === undefined || target.warning !== undefined) return [];
    const message =
      target.deviceId === deviceid ? otherPlace(tables, place, target) : unusedPlace(tables, place, target);
    return message === undefined ? [] : [{ path: `${path}/warehouse_location`, message }];
  });
}

function unusedPlace(tables: TargetTables, place: string, { deviceId }: Target): string | undefined {
  if (findByLocation(tables, place) !== undefined) return undefined;
  return `No device is found at ${quote(place)}. ${deviceId} is used, which has the name of the article.`;
}

/**
 * Returns a warning if `place` belongs to another device or to none. Accepts an unknown place if the item's device has neither a label nor
 * an alias.
 */
function otherPlace(tables: TargetTables, place: string, { deviceId, label }: Target): string | undefined {
  const found = findByLocation(tables, place);
  if (found?.deviceId === deviceId) return undefined;
  const hasNames = label !== '' || tables.aliases.listByDevice(deviceId).length > 0;
  if (found === undefined && !hasNames) return undefined;
  const where = found === undefined ? 'No device is found there.' : `It is that of ${found.deviceId}.`;
  return `${quote(place)} is not a place of ${deviceId}, where the item is lit. ${where}`;
}

/** Reports items that a launch would light at a slow device. */
function slowItems(placed: readonly PlacedItem[]): FieldError[] {
  return placed.flatMap(({ path, target }) => {
    const message = target && slowWarning(target);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** Whether pieces of the item remain to be picked. */
function isOpen({ ordered_quantity: ordered, quantity_fulfilled: fulfilled = 0 }: NewItem): boolean {
  return fulfilled < ordered;
}
