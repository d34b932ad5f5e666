import type { PackedSheet } from '#shared/screen/sheet.ts';
import { FIRST_CODES } from './coverage.ts';

/** Bytes before a glyph's runs; the last two are their number. */
const HEADER_BYTES = 7;

/**
 * The part of a sheet that a page starts with, and the rest, which it loads when a text needs it. Both keep the metrics of
 * the whole, so that what is drawn does not depend on what is loaded.
 */
export function splitSheet(sheet: PackedSheet): { first: PackedSheet; other: PackedSheet } {
  const bytes = Buffer.from(sheet.glyphs, 'base64');
  const first: [code: number, glyph: Buffer][] = [];
  const other: [code: number, glyph: Buffer][] = [];
  let at = 0;
  for (const code of listCodes(sheet.codes)) {
    const end = at + HEADER_BYTES + bytes.readUInt16LE(at + 5);
    (FIRST_CODES.has(code) ? first : other).push([code, bytes.subarray(at, end)]);
    at = end;
  }
  return { first: joined(sheet, first), other: joined(sheet, other) };
}

function joined(sheet: PackedSheet, glyphs: readonly [number, Buffer][]): PackedSheet {
  return {
    ...sheet,
    codes: rangesOf(glyphs.map(([code]) => code)),
    glyphs: Buffer.concat(glyphs.map(([, glyph]) => glyph)).toString('base64'),
  };
}

function listCodes(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    const start = parseInt(first, 16);
    return Array.from({ length: parseInt(last, 16) - start + 1 }, (_, index) => start + index);
  });
}

function rangesOf(codes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === code - 1) range[1] = code;
    else ranges.push([code, code]);
  }
  return ranges
    .map(([first, last]) => (first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`))
    .join(',');
}
