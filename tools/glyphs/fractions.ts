import { cropRows, overlay, type Picture } from './drawn.ts';

const PARTS = /^(\d+)\u2044(\d+)$/;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Number of white rows above and below the fraction bar. */
const GAP = 1;

/**
 * Draws a fraction with stacked figures, the only form that fits such a narrow cell. Returns undefined if the character is not a fraction
 * of single figures.
 */
export function stackFraction(
  code: number,
  { capital, findFigure }: { capital: number; findFigure: (code: number) => Picture | undefined },
): Picture | undefined {
  const [, upper = '', lower = ''] = PARTS.exec(String.fromCodePoint(code).normalize('NFKC')) ?? [];
  // Skip numbers with two figures, which are too wide.
  if (upper.length !== 1 || lower.length !== 1) return undefined;
  const find = (figure: string) => findFigure(SUPERSCRIPTS.codePointAt(Number(figure)) ?? 0);
  const [numerator, denominator] = [find(upper), find(lower)].map((picture) => picture && cropRows(picture));
  if (numerator === undefined || denominator === undefined) return undefined;
  const bar = { top: -GAP - 1, rows: [barOver([...numerator.rows, ...denominator.rows])] };
  const top = bar.top - GAP - numerator.rows.length;
  const stacked = overlay({ ...numerator, top }, bar, { ...denominator, top: 0 });
  // Extend as far above the capitals as below the baseline. An odd pixel goes above.
  const below = Math.floor((stacked.rows.length - capital) / 2);
  return { ...stacked, top: below - stacked.rows.length };
}

function barOver(rows: readonly string[]): string {
  const [first, last] = [Math.min(...rows.map(firstInk)), Math.max(...rows.map((row) => row.lastIndexOf('#')))];
  return '.'.repeat(first) + '#'.repeat(last - first + 1);
}

function firstInk(row: string): number {
  const first = row.indexOf('#');
  return first === -1 ? Infinity : first;
}
