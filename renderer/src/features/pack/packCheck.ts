import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';

/**
 * A line to check. `put` is the number of its pieces in the slot, and `codes` maps each code to the number of pieces
 * that it stands for.
 */
export type CheckLine = { itemId: number; name: string; put: number; codes: ReadonlyMap<string, number> };

export type CheckedPieces = ReadonlyMap<number, number>;

export type CheckResult =
  | { kind: 'counted' | 'tooMany'; line: CheckLine; counted: CheckedPieces }
  /** No line has the scanned code. */
  | { kind: 'notHere'; counted: CheckedPieces };

/**
 * Returns the codes of an article, normalized for `checkScan`, with the number of pieces for which each one counts: one
 * for SKU and UPC, and the quantity of a barcode.
 */
export function codesOf(
  { SKU = '', UPC = '' }: { SKU?: string; UPC?: string },
  barcodes: readonly { code: string; quantity: number }[],
): ReadonlyMap<string, number> {
  const single = [SKU, UPC].filter((code) => code !== '').map((code) => [nameKey(code), 1] as const);
  return new Map([...single, ...barcodes.map(({ code, quantity }) => [nameKey(code), quantity] as const)]);
}

/**
 * Counts a scan for the first line that has room for its pieces. The result is `tooMany` if the pieces exceed what is
 * left to check in every line.
 */
export function checkScan(lines: readonly CheckLine[], counted: CheckedPieces, code: string): CheckResult {
  const keys = readScan(code).candidates.map(nameKey);
  const matches = lines.flatMap((line) => {
    const key = keys.find((each) => line.codes.has(each));
    return key === undefined ? [] : [{ line, pieces: line.codes.get(key) ?? 1 }];
  });
  const [first] = matches;
  if (first === undefined) return { kind: 'notHere', counted };
  const fits = matches.find(({ line, pieces }) => countOf(counted, line) + pieces <= line.put);
  if (fits === undefined) return { kind: 'tooMany', line: first.line, counted };
  const { line, pieces } = fits;
  return { kind: 'counted', line, counted: new Map([...counted, [line.itemId, countOf(counted, line) + pieces]]) };
}

/** Returns how many pieces are not checked yet. */
export function uncheckedOf(lines: readonly Pick<CheckLine, 'itemId' | 'put'>[], counted: CheckedPieces): number {
  return lines.reduce((sum, line) => sum + Math.max(0, line.put - countOf(counted, line)), 0);
}

export function countOf(counted: CheckedPieces, { itemId }: { itemId: number }): number {
  return counted.get(itemId) ?? 0;
}
