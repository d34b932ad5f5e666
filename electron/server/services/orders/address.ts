import type { Order } from '#shared/api/order.ts';
import type { OrderAddress } from '#shared/api/orderAddress.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { storedJson } from '../../db/storedJson.ts';
import type { OrderTable } from './tables.ts';

/** Returns an address as stored: trimmed, in a fixed order and without blank parts. Null if nothing is left. */
export function storedAddress(address: OrderAddress | null | undefined): string | null {
  const { name, lines = [], postcode, city, country, email, phone } = address ?? {};
  const filled = lines.map((line) => line.trim()).filter((line) => line !== '');
  const parts = { name, postcode, city, country, email, phone };
  const texts = Object.entries(parts).flatMap(([key, text = '']) => (text.trim() === '' ? [] : [[key, text.trim()]]));
  if (texts.length + filled.length === 0) return null;
  const { name: named, ...rest } = Object.fromEntries(texts) as Record<string, string>;
  return JSON.stringify({
    ...(named === undefined ? {} : { name: named }),
    ...(filled.length === 0 ? {} : { lines: filled }),
    ...rest,
  });
}

/** Returns the address of an order's customer as an object with the field `address`, or an empty object if there is none. */
export function addressOf({ orders }: OrderTable, { id }: Pick<OrderRow, 'id'>): Pick<Order, 'address'> {
  const stored = orders.findAddress(id) ?? null;
  // Safe cast: the check covers the fields of an address.
  const address = stored === null ? undefined : (storedJson('orders.address', stored) as OrderAddress | undefined);
  return address === undefined ? {} : { address };
}
