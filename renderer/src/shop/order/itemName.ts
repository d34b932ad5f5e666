import type { Item } from '#shared/api/order.ts';

/** Returns the text for an item: its name, or else its SKU or UPC. */
export function itemName({ name = '', SKU = '', UPC = '' }: Pick<Item, 'name' | 'SKU' | 'UPC'>): string {
  return [name, SKU, UPC].find((text) => text !== '') ?? '';
}
