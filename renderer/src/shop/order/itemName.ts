import type { Item } from '#shared/api/order.ts';

/** What a worker reads: its name, else its SKU or UPC. */
export function itemName({ name = '', SKU = '', UPC = '' }: Pick<Item, 'name' | 'SKU' | 'UPC'>): string {
  return [name, SKU, UPC].find((text) => text !== '') ?? '';
}
