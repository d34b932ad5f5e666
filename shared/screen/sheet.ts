/** A character in one size. `bits` contains `stride` bytes per row; the most significant bit is the leftmost pixel, and 1 is ink. */
export type Glyph = {
  /** Pixels to the next pen position. */
  advance: number;
  /** Pixels from the pen position to the left edge of the bits. May be negative. */
  left: number;
  /** Pixels from the baseline down to the upper edge of the bits. Negative if the edge is above the baseline. */
  top: number;
  width: number;
  height: number;
  stride: number;
  bits: Uint8Array;
};

/** A committed glyph sheet, written by `tools/glyphs/build.ts`. `packSheet` documents the format of `glyphs`. */
export type PackedSheet = {
  name: string;
  /** Nominal size in pixels. */
  size: number;
  /** Height of capitals in pixels. */
  capHeight: number;
  /** Number of pixels by which an accent can rise above a capital. */
  accent: number;
  /** Number of pixels below the baseline. */
  descent: number;
  /** Code points in order, as hexadecimal ranges: `20-7e,a0`. */
  codes: string;
  /** The packed glyphs as Base64. */
  glyphs: string;
};

export type Sheet = Omit<PackedSheet, 'codes' | 'glyphs'> & {
  /** Returns the glyph of a code point, or undefined if it is not in the sheet. */
  findGlyph: (code: number) => Glyph | undefined;
  /** The box that is drawn for a character without a glyph. */
  missing: Glyph;
};

const HEADER_BYTES = 7;

/** Opens a sheet and unpacks each glyph on first use. Falls back to `further` for missing glyphs. */
export function openSheet(packed: PackedSheet, ...further: readonly PackedSheet[]): Sheet {
  const { name, size, capHeight, accent, descent } = packed;
  const findOwn = openGlyphs(packed);
  const others = further.map(openGlyphs);
  return {
    name,
    size,
    capHeight,
    accent,
    descent,
    findGlyph: (code) => findOwn(code) ?? findAmong(others, code),
    missing: drawMissing(size, capHeight, findOwn(0x30)?.advance ?? size),
  };
}

function findAmong(sheets: readonly Sheet['findGlyph'][], code: number): Glyph | undefined {
  for (const find of sheets) {
    const glyph = find(code);
    if (glyph !== undefined) return glyph;
  }
  return undefined;
}

/** Yields the code points of a sheet in the order of its glyphs, from its ranges. */
export function* listCodes(ranges: string): Generator<number> {
  for (const range of ranges.split(',')) {
    const [first = '', last = first] = range.split('-');
    for (let code = parseInt(first, 16); code <= parseInt(last, 16); code++) yield code;
  }
}

function openGlyphs(packed: PackedSheet): (code: number) => Glyph | undefined {
  const bytes = decodeBase64(packed.glyphs);
  const starts = new Map<number, number>();
  let at = 0;
  for (const code of listCodes(packed.codes)) {
    starts.set(code, at);
    at += HEADER_BYTES + byteAt(bytes, at + 5) + byteAt(bytes, at + 6) * 256;
  }
  const unpacked = new Map<number, Glyph>();
  return (code) => {
    const known = unpacked.get(code);
    if (known !== undefined) return known;
    const start = starts.get(code);
    if (start === undefined) return undefined;
    const glyph = unpackGlyph(bytes, start);
    unpacked.set(code, glyph);
    return glyph;
  };
}

function decodeBase64(text: string): Uint8Array {
  const decoded = atob(text);
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index++) bytes[index] = decoded.charCodeAt(index);
  return bytes;
}

function unpackGlyph(bytes: Uint8Array, start: number): Glyph {
  const width = byteAt(bytes, start + 3);
  const height = byteAt(bytes, start + 4);
  const stride = Math.ceil(width / 8);
  const bits = new Uint8Array(stride * height);
  const end = start + HEADER_BYTES + byteAt(bytes, start + 5) + byteAt(bytes, start + 6) * 256;
  let pixel = 0;
  let changed = false;
  for (let at = start + HEADER_BYTES; at < end; changed = !changed) {
    let run = 0;
    let part: number;
    let shift = 0;
    do {
      part = byteAt(bytes, at++);
      run |= (part & 0x7f) << shift;
      shift += 7;
    } while (part >= 0x80);
    if (changed) {
      for (let last = pixel + run; pixel < last; pixel++) {
        const x = pixel % width;
        const index = Math.floor(pixel / width) * stride + (x >> 3);
        bits[index] = byteAt(bits, index) | (0x80 >> (x & 7));
      }
    } else {
      pixel += run;
    }
  }
  // Each row is packed as its difference from the row above.
  for (let index = stride; index < bits.length; index++) {
    bits[index] = byteAt(bits, index) ^ byteAt(bits, index - stride);
  }
  return {
    advance: byteAt(bytes, start),
    left: byteAt(bytes, start + 1) - 128,
    top: byteAt(bytes, start + 2) - 128,
    width,
    height,
    stride,
    bits,
  };
}

function drawMissing(size: number, capHeight: number, widest: number): Glyph {
  // In a monospaced sheet the box is as wide as a letter, so that 26 boxes fit.
  const advance = Math.min(Math.round(size * 0.6), widest);
  const left = Math.round(size / 24);
  const border = Math.max(1, Math.round(size / 15));
  const width = advance - left - Math.max(1, left);
  const stride = Math.ceil(width / 8);
  const bits = new Uint8Array(stride * capHeight);
  for (let y = 0; y < capHeight; y++) {
    for (let x = 0; x < width; x++) {
      const onBorder = y < border || y >= capHeight - border || x < border || x >= width - border;
      const index = y * stride + (x >> 3);
      if (onBorder) bits[index] = byteAt(bits, index) | (0x80 >> (x & 7));
    }
  }
  return { advance, left, top: -capHeight, width, height: capHeight, stride, bits };
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
