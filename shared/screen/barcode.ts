// oxlint-disable-next-line typescript/triple-slash-reference -- a package without types cannot be declared in a module
/// <reference path="./encoders.d.ts" />
import { GS } from '../lib/picking/gs.ts';
import imported from 'jsbarcode/bin/barcodes/CODE128/CODE128B.js';

/** Most characters of a barcode that fits the width of a screen. Contract, section 4. */
export const MAX_BARCODE_CHARACTERS = 23;
/** Most characters of a barcode that fits with its complete quiet zones. Contract, section 4. */
export const MAX_WITH_QUIET_ZONE = 21;
/** Quiet zone on each side, in modules (ISO/IEC 15417). */
export const BARCODE_QUIET_MODULES = 10;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

const Code128B = 'default' in imported ? imported.default : imported;

/** Whether a screen shows this text as a barcode with complete quiet zones. */
export function fitsBarcode(text: string): boolean {
  return text.length <= MAX_WITH_QUIET_ZONE && PRINTABLE_ASCII.test(text);
}

/**
 * Encodes a text as Code 128 B modules from left to right: 1 is a bar, 0 a space, without the quiet zone. Undefined if
 * it cannot be encoded exactly: empty, not ASCII 32 to 126, or more than 23 characters.
 */
export function encodeBarcode(text: string): string | undefined {
  if (text.length > MAX_BARCODE_CHARACTERS || !PRINTABLE_ASCII.test(text)) return undefined;
  return new Code128B(text, {}).encode().data;
}

/** FNC1 as a character for jsbarcode. */
const FNC1 = '\u00cf';

/**
 * Encodes a GS1 element string, with GS between elements of variable length, as modules of GS1-128. Undefined if it
 * contains characters outside ASCII 32 to 126.
 */
export function encodeGs1Barcode(elements: string): string | undefined {
  if (!PRINTABLE_ASCII.test(elements.replaceAll(GS, ''))) return undefined;
  return new Code128B(FNC1 + elements.replaceAll(GS, FNC1), {}).encode().data;
}
