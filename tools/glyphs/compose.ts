import { cropRows, overlay, type Accent, type Picture } from './drawn.ts';

const DOT_ABOVE = '\u0307';
/** Latvian letters that Unicode decomposes with a cedilla, although they are written with a comma below (the small g with one above). */
const LATVIAN: Readonly<Record<string, string>> = {
  Ģ: 'G\u0326',
  ģ: 'g\u0312',
  Ķ: 'K\u0326',
  ķ: 'k\u0326',
  Ļ: 'L\u0326',
  ļ: 'l\u0326',
  Ņ: 'N\u0326',
  ņ: 'n\u0326',
  Ŗ: 'R\u0326',
  ŗ: 'r\u0326',
};
const DOTLESS: Readonly<Record<string, string>> = { i: 'ı', j: 'ȷ', і: 'ı', ј: 'ȷ' };
/** Maximum width in pixels of a stem on which an accent is centered. On wider letters, the accent stays where marks.txt draws it. */
const STEM = 2;

type Parts = { marks: ReadonlyMap<number, Accent>; findBase: (code: number) => Picture | undefined };

/**
 * Combines a letter with its accents, so that the accents of all letters look alike. Returns undefined if the letter or an accent is
 * missing.
 */
export function composeLetter(code: number, { marks, findBase }: Parts): Picture | undefined {
  const character = String.fromCodePoint(code);
  const decomposed = character in DOTLESS ? character + DOT_ABOVE : (LATVIAN[character] ?? character.normalize('NFD'));
  const [base = '', ...accents] = Array.from(decomposed);
  const placed = accents.map((accent) => marks.get(accent.codePointAt(0) ?? 0));
  const isDotted = placed.some((mark) => mark?.place === 'above');
  let picture = findBase(((isDotted ? DOTLESS[base] : undefined) ?? base).codePointAt(0) ?? 0);
  if (accents.length === 0) return undefined;
  for (const mark of placed) {
    if (mark === undefined || picture === undefined) return undefined;
    picture = addMark(picture, mark);
  }
  return picture;
}

function addMark(base: Picture, { place, distance, rows }: Accent): Picture {
  const letter = cropRows(base);
  switch (place) {
    case 'above':
      return overlay(letter, { top: letter.top - distance - rows.length, rows: moveOver(rows, letter.rows[0] ?? '') });
    case 'below':
      return overlay(letter, { top: distance, rows });
    case 'beside':
      return overlay(letter, { top: letter.top + distance, rows });
  }
}

function moveOver(rows: readonly string[], edge: string): string[] {
  const [first, last] = [edge.indexOf('#'), edge.lastIndexOf('#')];
  if (last - first >= STEM) return [...rows];
  const width = Math.max(...rows.map((row) => row.length));
  const least = -Math.min(...rows.map((row) => row.indexOf('#')));
  const move = Math.max(least, Math.trunc((first + last) / 2 - (width - 1) / 2));
  return rows.map((row) => (move < 0 ? row.slice(-move) : '.'.repeat(move) + row));
}
