import { gunzipSync } from 'node:zlib';
import type { RawGlyph } from './rawGlyph.ts';

const MAGIC = 0x70636601; // "\1fcp" read as a little-endian number
const METRICS = 1 << 2;
const BITMAPS = 1 << 3;
const BDF_ENCODINGS = 1 << 5;
const COMPRESSED_METRICS = 0x100;
const MOST_SIGNIFICANT_BYTE_FIRST = 1 << 2;
const MOST_SIGNIFICANT_BIT_FIRST = 1 << 3;
const NO_GLYPH = 0xffff;

type Metrics = { left: number; right: number; advance: number; ascent: number; descent: number };
type Table = { format: number; at: number; bigEndian: boolean };

/**
 * Reads a gzipped X11 bitmap font (PCF) from xfonts-terminus. Throws if the file has a different format, or a bit order that Debian's fonts
 * do not use.
 */
export function readPcf(gzipped: Uint8Array): Map<number, RawGlyph> {
  const bytes = gunzipSync(gzipped);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new Error('Not a PCF font.');

  const table = (type: number): Table => {
    for (let entry = 0; entry < view.getUint32(4, true); entry++) {
      const at = 8 + entry * 16;
      if (view.getUint32(at, true) !== type) continue;
      const start = view.getUint32(at + 12, true);
      const format = view.getUint32(start, true);
      return { format, at: start + 4, bigEndian: (format & MOST_SIGNIFICANT_BYTE_FIRST) !== 0 };
    }
    throw new Error(`The PCF font has no table ${type}.`);
  };

  const metrics = readMetrics(view, table(METRICS));
  const bitmaps = table(BITMAPS);
  if ((bitmaps.format & MOST_SIGNIFICANT_BIT_FIRST) === 0) throw new Error('The PCF font stores bits in reverse.');
  const count = view.getUint32(bitmaps.at, !bitmaps.bigEndian);
  const bitsAt = bitmaps.at + 4 + count * 4 + 16;
  const rowPadding = 1 << (bitmaps.format & 3);

  const glyphs = new Map<number, RawGlyph>();
  for (const [code, index] of readEncodings(view, table(BDF_ENCODINGS))) {
    const metric = metrics[index];
    if (metric === undefined) throw new Error(`The PCF font has no metrics for glyph ${index}.`);
    const { left, right, advance, ascent, descent } = metric;
    const width = right - left;
    const height = ascent + descent;
    const stride = Math.ceil(width / 8 / rowPadding) * rowPadding;
    const start = bitsAt + view.getUint32(bitmaps.at + 4 + index * 4, !bitmaps.bigEndian);
    const isInk = (x: number, y: number) => (((bytes[start + y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
    glyphs.set(code, { advance, left, top: -ascent, width, height, isInk });
  }
  return glyphs;
}

function readMetrics(view: DataView, { format, at, bigEndian }: Table): Metrics[] {
  const compressed = (format & COMPRESSED_METRICS) !== 0;
  const count = compressed ? view.getUint16(at, !bigEndian) : view.getUint32(at, !bigEndian);
  return Array.from({ length: count }, (_, index) => {
    const field = compressed
      ? (part: number) => view.getUint8(at + 2 + index * 5 + part) - 0x80
      : (part: number) => view.getInt16(at + 4 + index * 12 + part * 2, !bigEndian);
    return { left: field(0), right: field(1), advance: field(2), ascent: field(3), descent: field(4) };
  });
}

function* readEncodings(view: DataView, { at, bigEndian }: Table): Generator<[code: number, glyph: number]> {
  const read = (offset: number) => view.getUint16(at + offset, !bigEndian);
  const [firstLow, lastLow, firstHigh, lastHigh] = [read(0), read(2), read(4), read(6)];
  let offset = 10;
  for (let high = firstHigh; high <= lastHigh; high++) {
    for (let low = firstLow; low <= lastLow; low++, offset += 2) {
      const glyph = read(offset);
      if (glyph !== NO_GLYPH) yield [high * 256 + low, glyph];
    }
  }
}
