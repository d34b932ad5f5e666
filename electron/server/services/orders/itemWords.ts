import type { ItemRow } from '../../db/repositories/items.ts';

/** The fields of an item that people read. The order takes precedence over the article. */
type NamedItem = Pick<ItemRow, 'name' | 'articleName' | 'sku' | 'upc'>;

/** The name of the item or its article, else its SKU, else its UPC. Empty: it has none of them. */
export function titleOfItem({ name, articleName, sku, upc }: NamedItem): string {
  return [name, articleName, sku, upc].find((text) => text !== null && text !== '') ?? '';
}

/** Null: neither the order nor the article has a description. */
export function descriptionOfItem({
  description,
  articleDescription,
}: Pick<ItemRow, 'description' | 'articleDescription'>): string | null {
  return description ?? articleDescription;
}
