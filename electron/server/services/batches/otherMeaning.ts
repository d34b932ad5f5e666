import { barcodeKey } from '#shared/lib/articles/barcodeKey.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { CoreOf } from '../../core.ts';

type Tables = Pick<CoreOf<'batches'>['repositories'], 'aliases' | 'articles' | 'devices' | 'orders' | 'stock'>;

/**
 * Returns what else the code of a cart, wall, slot or tote identifies, for a warning that scans will not find it, or undefined if the code
 * identifies nothing else.
 */
export function otherMeaning({ aliases, articles, devices, orders, stock }: Tables, code: string): string | undefined {
  const isPlace =
    aliases.findByName(code) !== undefined ||
    devices.listByLabel(code).length > 0 ||
    devices.find(code.toUpperCase()) !== undefined ||
    stock.listAt(nameKey(code)).length > 0;
  if (isPlace) return 'the name of a place';
  if (orders.findByName(code) !== undefined) return 'the number of an order';
  if (articles.findBySku(nameKey(code)) !== undefined) return 'the SKU of an article';
  return articles.findBarcode(barcodeKey(code)) === undefined ? undefined : 'the barcode of an article';
}
