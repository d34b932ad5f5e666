// oxlint-disable-next-line typescript/triple-slash-reference -- a package without types cannot be declared in a module
/// <reference path="./encoders.d.ts" />
import imported from 'jsbarcode/bin/barcodes/CODE128/CODE128B.js';

/** Characters of a barcode that one screen is wide enough for. Contract, section 4. */
export const MAX_BARCODE_CHARACTERS = 23;
/** Of a longer one less than its quiet zone is left on both sides. Contract, section 4. */
export const MAX_WITH_QUIET_ZONE = 21;
/** White that a reader needs on both sides of a barcode, in modules (ISO/IEC 15417). */
export const BARCODE_QUIET_MODULES = 10;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

const Code128B = 'default' in imported ? imported.default : imported;

/** Whether a screen shows this text as a barcode with all the white that a reader needs. */
export function fitsBarcode(text: string): boolean {
  return text.length <= MAX_WITH_QUIET_ZONE && PRINTABLE_ASCII.test(text);
}

/**
 * The modules of a text as Code 128 B, from the left: 1 is a bar, 0 a space, without the quiet zone. Undefined for what it
 * cannot say exactly: an empty text, another character than ASCII 32 to 126, more than 23 of them.
 */
export function encodeBarcode(text: string): string | undefined {
  if (text.length > MAX_BARCODE_CHARACTERS || !PRINTABLE_ASCII.test(text)) return undefined;
  return new Code128B(text, {}).encode().data;
}
