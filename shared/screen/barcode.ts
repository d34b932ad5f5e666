// oxlint-disable-next-line typescript/triple-slash-reference -- a package without types cannot be declared in a module
/// <reference path="./encoders.d.ts" />
import { GS } from '../lib/picking/gs.ts';
import imported from 'jsbarcode/bin/barcodes/CODE128/CODE128B.js';

/** Maximum number of characters in a barcode that fits the width of a screen. See the contract, section 4. */
export const MAX_BARCODE_CHARACTERS = 23;
/** Maximum number of characters in a barcode that fits with complete quiet zones. See the contract, section 4. */
export const MAX_WITH_QUIET_ZONE = 21;
/** Quiet zone on each side, in modules (ISO/IEC 15417). */
export const BARCODE_QUIET_MODULES = 10;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

const Code128B = 'default' in imported ? imported.default : imported;

/** Whether this text fits on a screen as a barcode with complete quiet zones. */
export function fitsBarcode(text: string): boolean {
  return text.length <= MAX_WITH_QUIET_ZONE && PRINTABLE_ASCII.test(text);
}

/**
 * Encodes a text as Code 128 B modules from left to right, without the quiet zone: 1 is a bar, 0 a space. Returns undefined if the text
 * cannot be encoded exactly, because it is empty, contains characters outside ASCII 32 to 126, or is longer than 23 characters.
 */
export function encodeBarcode(text: string): string | undefined {
  if (text.length > MAX_BARCODE_CHARACTERS || !PRINTABLE_ASCII.test(text)) return undefined;
  return new Code128B(text, {}).encode().data;
}

/** FNC1 as the character that jsbarcode uses for it. */
const FNC1 = '\u00cf';

/**
 * Encodes a GS1 element string, with GS between elements of variable length, as GS1-128 modules. Returns undefined if the string contains
 * other characters outside ASCII 32 to 126.
 */
export function encodeGs1Barcode(elements: string): string | undefined {
  if (!PRINTABLE_ASCII.test(elements.replaceAll(GS, ''))) return undefined;
  return new Code128B(FNC1 + elements.replaceAll(GS, FNC1), {}).encode().data;
}
