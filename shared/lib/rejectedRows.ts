import { readCsv, writeCsv } from './csv.ts';

const REASON = 'reason';

/**
 * The rows of a file that an import left out, as the file has them, with why in a last column `reason`: correct them and
 * import them again. `hasHead`: its first row names the columns. A column `reason` from the last time is replaced.
 */
export function rejectedRows(csv: string, reasons: ReadonlyMap<number, string>, hasHead: boolean): string {
  const { records } = readCsv(csv);
  const head = hasHead ? (records[0]?.cells ?? []) : [];
  const last = head.findLastIndex((cell) => cell.trim().toLowerCase() === REASON);
  const width = Math.max(...records.map(({ cells }) => cells.length));
  const fill = (cells: readonly string[]) =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '').filter((_, index) => index !== last);
  const rejected = records.flatMap(({ line, cells }) => {
    const reason = reasons.get(line);
    return reason === undefined ? [] : [[...fill(cells), reason]];
  });
  return writeCsv(hasHead ? [[...fill(head), REASON], ...rejected] : rejected);
}
