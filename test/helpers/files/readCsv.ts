import { csvTable } from './csvTable.ts';

/** Reads the rows of CSV text that the station wrote, without the apostrophes before texts that would run as formulas. */
export function readCsv(text: string): { records: { cells: string[] }[] } {
  const { rows } = csvTable(text);
  return {
    records: rows.map(({ cells }) => ({
      cells: cells.map((cell) => withoutGuard(typeof cell === 'string' ? cell : '')),
    })),
  };
}

function withoutGuard(cell: string): string {
  return /^'(?:'*[=+\-@＝＋－＠\t\r\n]|'+\d)/.test(cell) ? cell.slice(1) : cell;
}
