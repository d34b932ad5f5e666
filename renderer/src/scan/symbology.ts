import { isGs1Symbology } from '#shared/lib/picking/scanCode.ts';

/**
 * Puts the symbology identifier before the code if the identifier changes the code's meaning, as for GS1. Omits other
 * identifiers.
 */
export function withSymbology(symbology: string, code: string): string {
  return isGs1Symbology(symbology) && !code.startsWith(symbology) ? symbology + code : code;
}
