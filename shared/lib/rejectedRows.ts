import { readCsv, writeCsv } from './csv.ts';

const REASON = 'reason';

/**
 * The rows that an import left out, unchanged, with the reason in a last column `reason`: to correct and import again.
 * `hasHead`: the first row has the column names. Replaces a `reason` column from an earlier import.
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
