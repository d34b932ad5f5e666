import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { RenamedKey } from '../../db/repositories/stock.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Target } from '../devices/index.ts';
import { setItem } from './items.ts';
import { lightAt, turnDark } from './launch.ts';
import type { OrderContext } from './types.ts';
import { findItem } from './work/work.ts';

/** Follows the lights of places with the lines of orders. Call these functions inside a transaction. */
export function createLineLights(context: OrderContext) {
  return {
    /** Whether a line names this device by its DeviceID, so that it stays with the device. */
    isOfDevice: (itemId: number, deviceId: string): boolean =>
      context.repositories.items.find(itemId)?.deviceId === deviceId,
    /** Renames places that open lines name, and publishes lines at renamed places. Returns the number of lines at each new name. */
    rename: (tx: Transaction, renamed: readonly RenamedKey[]): number[] => rename(context, tx, renamed),
    /** Turns off a line whose place has no light now. It becomes work without a light or, if it has no picker, unassigned. */
    darken: (tx: Transaction, itemId: number, by: string) => darken(context, tx, itemId, by),
    /** Lights the lines without a light that are to be picked at this place. */
    lightWaiting: (tx: Transaction, name: string, light: Target, by: string) =>
      lightWaiting(context, tx, name, light, by),
  };
}

export type LineLights = ReturnType<typeof createLineLights>;

function rename({ repositories, work }: OrderContext, tx: Transaction, renamed: readonly RenamedKey[]): number[] {
  const { items } = repositories;
  const nameOf = new Map(renamed.map(({ from, to, place }) => [from, { to, place }]));
  const lines = new Map(renamed.map(({ to }) => [to, new Set(items.listOpenAt(to))]));
  for (const { id, text } of items.listOpenTexts()) {
    const name = nameOf.get(nameKey(text));
    if (name === undefined) continue;
    items.setWarehouseLocation(id, name.place);
    lines.get(name.to)?.add(id);
  }
  for (const id of new Set([...lines.values()].flatMap((ids) => [...ids]))) work.publishItemChange(tx, id);
  return renamed.map(({ to }) => lines.get(to)?.size ?? 0);
}

function darken(context: OrderContext, tx: Transaction, itemId: number, by: string): void {
  const found = findItem(context.repositories, itemId);
  if (found === undefined || found.item.state !== 'active') return;
  const off: LitItemRow = { ...found.item, state: 'open', trouble: null };
  setItem(context, tx, found, off, { kind: 'order_moved', by, reason: undefined });
  const again = findItem(context.repositories, itemId);
  if (again !== undefined) turnDark(context, tx, again, by);
}

function lightWaiting(context: OrderContext, tx: Transaction, name: string, light: Target, by: string): void {
  const { batches, items, orders } = context.repositories;
  const key = nameKey(name);
  for (const item of items.listWithoutDevice()) {
    if (!isAt(context, item, key)) continue;
    const order = orders.find(item.orderId);
    if (order?.state !== 'in_progress' || batches.findOf(order.id) !== undefined) continue;
    if (order.pickers.some(({ name: picker, isPaused }) => isPaused && picker === item.picker)) continue;
    const found = findItem(context.repositories, item.id);
    if (found !== undefined) lightAt(context, tx, found, { name, light, by });
  }
}

/** Whether a line is to be picked at the place with this key: at its own place, else by what the order names, else at one of its article. */
function isAt({ repositories, itemStock }: OrderContext, item: LitItemRow, key: string): boolean {
  if (item.place !== null) return nameKey(item.place) === key;
  const { deviceId, warehouseLocation, sku, upc, name } = item;
  // A line that names a device waits for this device.
  if (deviceId !== null && warehouseLocation === null) return false;
  if ([warehouseLocation, sku, upc, name].some((text) => text !== null && nameKey(text) === key)) return true;
  if (warehouseLocation !== null || !itemStock.hasArticles()) return false;
  const articleId = itemStock.findArticleId(item);
  return articleId !== undefined && repositories.stock.findPlace(articleId, key) !== undefined;
}
