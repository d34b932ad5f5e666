import type { PackedSheet } from '#shared/screen/sheet.ts';
import type { RawGlyph } from './rawGlyph.ts';

type Box = { left: number; top: number; width: number; height: number };

/**
 * Packs glyphs for a module in `shared/screen/glyphs`. A glyph starts with seven bytes: advance, left + 128, top + 128, width, height, and
 * the length of its runs (two bytes, low first). The runs follow. Each row is its difference from the row above. The lengths of runs of
 * equal and different pixels, equal ones first, are in groups of seven bits, low first. A final run of equal pixels is left out.
 */
export function packSheet(name: string, size: number, glyphs: Map<number, RawGlyph>): PackedSheet {
  const codes = [...glyphs.keys()].toSorted((a, b) => a - b);
  const bytes = codes.flatMap((code) => packGlyph(mustGet(glyphs, code)));
  const inked = (letters: string) =>
    Array.from(letters).flatMap((letter) => {
      const glyph = glyphs.get(letter.codePointAt(0) ?? 0);
      return glyph === undefined ? [] : [inkBox(glyph)];
    });
  // A sheet of figures has no capitals, so use the 1, which has no overshoot either.
  const [capital] = [...inked('H'), ...inked('1')];
  const capHeight = capital === undefined ? 0 : -capital.top;
  return {
    name,
    size,
    capHeight,
    accent: Math.max(0, ...inked('ÅÄÉŠЙΆ').map((box) => -box.top - capHeight)),
    descent: Math.max(0, ...inked('gjpqyÇŞ').map((box) => box.top + box.height)),
    codes: writeRanges(codes),
    glyphs: Buffer.from(bytes).toString('base64'),
  };
}

function packGlyph(glyph: RawGlyph): number[] {
  const { left, top, width, height } = inkBox(glyph);
  const isInk = (x: number, y: number) => y >= 0 && glyph.isInk(left - glyph.left + x, top - glyph.top + y);
  const runs: number[] = [];
  let run = 0;
  let changed = false;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    const differs = isInk(x, y) !== isInk(x, y - 1);
    if (differs !== changed) {
      runs.push(...writeLength(run));
      run = 0;
      changed = differs;
    }
    run++;
  }
  if (changed) runs.push(...writeLength(run));
  const header = [glyph.advance, left + 128, top + 128, width, height, runs.length & 0xff, runs.length >> 8];
  if (header.some((byte) => byte < 0 || byte > 255))
    throw new Error(`A glyph does not fit its header: ${header.join()}.`);
  return [...header, ...runs];
}

function inkBox(glyph: RawGlyph): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let y = 0; y < glyph.height; y++) {
    for (let x = 0; x < glyph.width; x++) {
      if (!glyph.isInk(x, y)) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  if (right < 0) return { left: 0, top: 0, width: 0, height: 0 };
  return { left: left + glyph.left, top: top + glyph.top, width: right - left + 1, height: bottom - top + 1 };
}

function writeLength(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...writeLength(length >> 7)];
}

/** Writes code points as the ranges that a `PackedSheet` contains. */
export function writeRanges(codes: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const code of codes) {
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === code - 1) open[1] = code;
    else ranges.push([code, code]);
  }
  return ranges
    .map(([first, last]) => [...new Set([first, last])].map((code) => code.toString(16)).join('-'))
    .join(',');
}

function mustGet<K, V>(map: Map<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Nothing at ${String(key)}.`);
  return value;
}
