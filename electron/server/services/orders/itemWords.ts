import type { ItemRow } from '../../db/repositories/items.ts';

/** Fields of an item that people read. Fields of the order take precedence over those of the article. */
type NamedItem = Pick<ItemRow, 'name' | 'articleName' | 'sku' | 'upc'>;

/** Returns the name of the item or its article, otherwise the SKU, otherwise the UPC. Empty if the item has none of these. */
export function titleOfItem({ name, articleName, sku, upc }: NamedItem): string {
  return [name, articleName, sku, upc].find((text) => text !== null && text !== '') ?? '';
}

/** Returns the description from the order or the article; null if neither has one. */
export function descriptionOfItem({
  description,
  articleDescription,
}: Pick<ItemRow, 'description' | 'articleDescription'>): string | null {
  return description ?? articleDescription;
}
