import type { ItemRow } from '../../db/repositories/items.ts';

/** Texts that identify an item to people. Texts of the order take precedence over those of the article. */
type NamedItem = Pick<ItemRow, 'name' | 'articleName' | 'sku' | 'upc'>;

/** Returns the name of the item or its article, otherwise the SKU, otherwise the UPC. Returns '' if the item has none of these. */
export function titleOfItem({ name, articleName, sku, upc }: NamedItem): string {
  return [name, articleName, sku, upc].find((text) => text !== null && text !== '') ?? '';
}

/** Names an item in a sentence: its title, or `This line` if it has none. */
export function lineWords(item: NamedItem): string {
  return titleOfItem(item) || 'This line';
}

/** Says where a light was searched for. Only programs need the names of the fields. */
export const LOOKED_FOR =
  'Give its place or its article a light. `deviceid`, `warehouse_location`, `SKU`, `UPC` and `name` were compared with location aliases, labels and DeviceIDs.';

/** Returns the description from the order or, if it has none, from the article. Returns null if neither has one. */
export function descriptionOfItem({
  description,
  articleDescription,
}: Pick<ItemRow, 'description' | 'articleDescription'>): string | null {
  return description ?? articleDescription;
}
