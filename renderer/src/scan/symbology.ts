import { isGs1Symbology } from '#shared/lib/picking/scanCode.ts';

/** Keeps a symbology identifier that changes the meaning of a code; people need not read the others. */
export function withSymbology(symbology: string, code: string): string {
  return isGs1Symbology(symbology) && !code.startsWith(symbology) ? symbology + code : code;
}
