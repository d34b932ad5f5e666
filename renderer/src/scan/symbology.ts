import { isGs1Symbology } from '#shared/lib/picking/scanCode.ts';

/** Prepends a symbology identifier that changes the meaning of the code (GS1), and omits others. */
export function withSymbology(symbology: string, code: string): string {
  return isGs1Symbology(symbology) && !code.startsWith(symbology) ? symbology + code : code;
}
