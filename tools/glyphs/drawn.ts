import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawGlyph } from './rawGlyph.ts';

/** Rows of `#` and `.`. `top` is the position of the first row relative to the baseline, or negative if it is above. */
export type Picture = { top: number; rows: readonly string[] };
/** Accent with its position relative to the letter, as described in marks.txt. */
export type Accent = { place: 'above' | 'below' | 'beside'; distance: number; rows: readonly string[] };

const BLANK_LINE = /\n\n+/;
const WIDE_PITCH = 8;

/** Reads the characters in drawn.txt by code point, for a sheet with `pitch` (6 or 8) pixels per character. */
export function readDrawn(pitch: number): Map<number, Picture> {
  return new Map(
    readBlocks('drawn.txt').flatMap(({ header, rows }) => {
      const [characters = '', top, how, ...columns] = header;
      if (how === (pitch === WIDE_PITCH ? 'narrow' : 'wide')) return [];
      const twice = pitch === WIDE_PITCH ? columns.map(Number) : [];
      const drawn = rows.map((row) => Array.from(row, (dot, x) => (twice.includes(x) ? dot + dot : dot)).join(''));
      return Array.from(
        characters,
        (character) => [character.codePointAt(0) ?? 0, { top: Number(top), rows: drawn }] as const,
      );
    }),
  );
}

/** Reads the accents in marks.txt by combining character, for a sheet with `pitch` (6 or 8) pixels per character. */
export function readMarks(pitch: number): Map<number, Accent> {
  return new Map(
    readBlocks('marks.txt').flatMap(({ header, rows }) => {
      const [wanted, code = '', place, distance] = header;
      if (Number(wanted) !== pitch) return [];
      if (place !== 'above' && place !== 'below' && place !== 'beside')
        throw new Error(`No place: ${header.join(' ')}`);
      return [[parseInt(code.slice('U+'.length), 16), { place, distance: Number(distance), rows }]];
    }),
  );
}

export function pictureToGlyph({ top, rows }: Picture, advance: number): RawGlyph {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return { advance, left: 0, top, width, height: rows.length, isInk: (x, y) => rows[y]?.[x] === '#' };
}

export function glyphToPicture({ left, top, width, height, isInk }: RawGlyph): Picture {
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: left + width }, (_dot, x) => (isInk(x - left, y) ? '#' : '.')).join(''),
  );
  return cropRows({ top, rows });
}

/** Removes empty rows at the top and bottom. */
export function cropRows({ top, rows }: Picture): Picture {
  const first = rows.findIndex((row) => row.includes('#'));
  const last = rows.findLastIndex((row) => row.includes('#'));
  return first === -1 ? { top, rows: [] } : { top: top + first, rows: rows.slice(first, last + 1) };
}

/** Draws pictures on top of each other. */
export function overlay(...pictures: readonly Picture[]): Picture {
  const top = Math.min(...pictures.map((picture) => picture.top));
  const bottom = Math.max(...pictures.map((picture) => picture.top + picture.rows.length));
  const width = Math.max(...pictures.flatMap(({ rows }) => rows.map((row) => row.length)));
  const isInk = (x: number, y: number) => pictures.some((picture) => picture.rows[y - picture.top]?.[x] === '#');
  const rows = Array.from({ length: bottom - top }, (_, row) =>
    Array.from({ length: width }, (_dot, x) => (isInk(x, top + row) ? '#' : '.')).join(''),
  );
  return { top, rows };
}

function readBlocks(file: string): { header: string[]; rows: string[] }[] {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8').trim();
  return text.split(BLANK_LINE).flatMap((block) => {
    const [header = '', ...rows] = block.split('\n');
    return header.startsWith('//') ? [] : [{ header: header.split(' '), rows }];
  });
}
