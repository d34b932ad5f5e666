import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsv } from './readCsv.ts';

/** Creates a shop's order folder on disk. `using` removes it. */
export function shopFolder() {
  const path = mkdtempSync(join(tmpdir(), 'pickstation-shop-'));
  return {
    path,
    /** Lists the names in the folder or a subfolder. The list is empty if the folder does not exist. */
    names(...below: string[]): string[] {
      try {
        return readdirSync(join(path, ...below)).toSorted();
      } catch {
        return [];
      }
    },
    /** Returns a result file as rows of cells, without the header. */
    result(...below: string[]): string[][] {
      const { records } = readCsv(readFileSync(join(path, ...below), 'utf8'));
      return records.slice(1).map(({ cells }) => cells);
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
