import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsv } from '#shared/lib/csv.ts';

/** A folder of a shop on disk; `await using` removes it. */
export function shopFolder() {
  const path = mkdtempSync(join(tmpdir(), 'pickstation-shop-'));
  return {
    path,
    /** Names in a subfolder, or in the folder itself; none if there is no such folder. */
    names(...below: string[]): string[] {
      try {
        return readdirSync(join(path, ...below)).toSorted();
      } catch {
        return [];
      }
    },
    /** A result file as rows of cells, without the line of names. */
    result(...below: string[]): string[][] {
      const { records } = readCsv(readFileSync(join(path, ...below), 'utf8'));
      return records.slice(1).map(({ cells }) => cells);
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
