import { hasRightCheckDigit, isGtinLength } from './gtin.ts';
import { nameKey } from '../text/nameKey.ts';

/** Returns a key that is equal for barcodes that differ only in case or, like the UPC and the EAN of an article, in leading zeros. */
export function barcodeKey(code: string): string {
  const key = nameKey(code);
  return isGtinLength(key) && hasRightCheckDigit(key) ? key.padStart(14, '0') : key;
}
