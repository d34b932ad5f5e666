import { listCodes, type PackedSheet } from '#shared/screen/sheet.ts';
import { FIRST_CODES } from './coverage.ts';
import { writeRanges } from './pack.ts';

/** Number of bytes before a glyph's runs. The last two of them are the length of the runs. */
const HEADER_BYTES = 7;

/**
 * Splits a sheet into the part with which a page starts and the rest, which is loaded on demand. Both parts keep the metrics of the whole
 * sheet, so that drawing does not depend on what is loaded.
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
    codes: writeRanges(glyphs.map(([code]) => code)),
    glyphs: Buffer.concat(glyphs.map(([, glyph]) => glyph)).toString('base64'),
  };
}
