import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import { removeNubs } from './nubs.ts';
import type { RawGlyph } from './rawGlyph.ts';

/**
 * Coverage above which a pixel becomes ink. Slightly less than half, because a stem that is too thin is less legible than one that is too
 * thick.
 */
const INK_THRESHOLD = 0.46;
const OVERSAMPLING = 8;
const SMALLEST_SIZE_WITH_NUBS = 40;
/** Minimum white space after a letter or figure, relative to the size. */
const MIN_WHITE = 1 / 32;
const LETTER_OR_FIGURE = /[\p{Letter}\p{Decimal_Number}]/u;
const UNICODE_PLATFORM = 0;
const WINDOWS_PLATFORM = 3;
const SEGMENTED = 4;

/**
 * Returns the characters below U+10000 in a TrueType font. The canvas does not report them, because it silently takes missing ones from a
 * different font. Throws if the font has no segmented character map.
 */
export function readCharacterMap(path: string): Set<number> {
  const bytes = readFileSync(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tableAt = (tag: string) => {
    for (let entry = 12; entry < 12 + view.getUint16(4) * 16; entry += 16) {
      if (bytes.toString('latin1', entry, entry + 4) === tag) return view.getUint32(entry + 8);
    }
    throw new Error(`${path} has no ${tag} table.`);
  };

  const cmap = tableAt('cmap');
  for (let entry = cmap + 4; entry < cmap + 4 + view.getUint16(cmap + 2) * 8; entry += 8) {
    const platform = view.getUint16(entry);
    const at = cmap + view.getUint32(entry + 4);
    if (platform !== UNICODE_PLATFORM && platform !== WINDOWS_PLATFORM) continue;
    if (view.getUint16(at) === SEGMENTED) return readSegments(view, at);
  }
  throw new Error(`${path} has no character map of format 4.`);
}

function readSegments(view: DataView, at: number): Set<number> {
  const double = view.getUint16(at + 6);
  const [ends, starts, deltas, offsets] = [at + 14, at + 16 + double, at + 16 + 2 * double, at + 16 + 3 * double];
  const codes = new Set<number>();
  for (let segment = 0; segment < double; segment += 2) {
    const start = view.getUint16(starts + segment);
    const offset = view.getUint16(offsets + segment);
    for (let code = start; code <= Math.min(view.getUint16(ends + segment), 0xfffe); code++) {
      const glyph =
        offset === 0
          ? (code + view.getUint16(deltas + segment)) & 0xffff
          : view.getUint16(offsets + segment + offset + (code - start) * 2);
      if (glyph !== 0) codes.add(code);
    }
  }
  return codes;
}

/**
 * Draws characters of a TrueType font as 1-bit glyphs. `size` is in pixels. `squeeze` scales the width. `maxAdvance` limits the width, for
 * monospaced sheets. `bolder` thickens upright strokes by this many pixels after the scaling made them thinner. The font engine fits
 * heights to pixels, but not widths. Therefore glyphs are drawn several times as wide, shifted so that the fewest pixels are gray, which
 * makes stems equally thick, and then reduced.
 */
export function rasterizeGlyphs(
  path: string,
  options: { size: number; codes: Iterable<number>; maxAdvance: number; squeeze: number; bolder: number },
): Map<number, RawGlyph> {
  const family = `glyphs of ${path}`;
  GlobalFonts.registerFromPath(path, family);
  const { size, maxAdvance, bolder } = options;
  const left = Math.ceil(size * 0.6);
  const baseline = Math.ceil(size * 1.4);
  const width = left + Math.ceil(size * 2.2);
  const height = baseline + Math.ceil(size * 0.6);
  const context = createCanvas(width * OVERSAMPLING, height).getContext('2d');
  context.font = `${size}px "${family}"`;
  context.textBaseline = 'alphabetic';

  const glyphs = new Map<number, RawGlyph>();
  for (const code of options.codes) {
    const character = String.fromCodePoint(code);
    const natural = context.measureText(character).width;
    const squeeze = Math.min(options.squeeze, maxAdvance / natural || 1);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width * OVERSAMPLING, height);
    context.setTransform(squeeze * OVERSAMPLING, 0, 0, 1, left * OVERSAMPLING, baseline);
    context.fillText(character, 0, 0);
    const { data } = context.getImageData(0, 0, width * OVERSAMPLING, height);
    const ink = thicken(data, width * OVERSAMPLING, Math.round(bolder * OVERSAMPLING));
    const gray = sharpest(ink, width, height);
    const rounded = { width, height, isInk: (x: number, y: number) => (gray[y * width + x] ?? 0) > INK_THRESHOLD };
    // In small sizes, keep narrow bumps, because they are part of the curve.
    const isInk = size < SMALLEST_SIZE_WITH_NUBS ? rounded.isInk : removeNubs(rounded);
    const advance = Math.round(natural * squeeze + bolder);
    const isApart = LETTER_OR_FIGURE.test(character) && maxAdvance === Infinity;
    const least = isApart ? inkRight(width, height, isInk) - left + Math.max(1, Math.round(size * MIN_WHITE)) : 0;
    glyphs.set(code, { advance: Math.max(advance, least), left: -left, top: -baseline, width, height, isInk });
  }
  return glyphs;
}

/** Returns the number of the column after the ink, or 0 without ink. */
function inkRight(width: number, height: number, isInk: RawGlyph['isInk']): number {
  for (let x = width - 1; x >= 0; x--) for (let y = 0; y < height; y++) if (isInk(x, y)) return x + 1;
  return 0;
}

/** Returns the opacities of the pixels, each spread to the right by `by` pixels. */
function thicken(rgba: Uint8ClampedArray, width: number, by: number): Uint8Array {
  const opacities = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < opacities.length; at++) opacities[at] = rgba[at * 4 + 3] ?? 0;
  if (by === 0) return opacities;
  return opacities.map((_, at) => {
    const reach = Math.min(by, at % width);
    let most = 0;
    for (let from = at - reach; from <= at; from++) most = Math.max(most, opacities[from] ?? 0);
    return most;
  });
}

function sharpest(opacities: Uint8Array, width: number, height: number): Float64Array {
  let best: { blur: number; gray: Float64Array } = { blur: Infinity, gray: new Float64Array() };
  for (let step = 0; step < OVERSAMPLING; step++) {
    // 0, 1, -1, 2, -2 ...: among equally good shifts, the smallest wins.
    const shift = step % 2 === 1 ? (step + 1) / 2 : -step / 2;
    const gray = reduce(opacities, width, height, shift);
    const blur = gray.reduce((sum, ink) => sum + Math.min(ink, 1 - ink), 0);
    if (blur < best.blur * 0.97) best = { blur, gray };
  }
  return best.gray;
}

function reduce(opacities: Uint8Array, width: number, height: number, shift: number): Float64Array {
  const gray = new Float64Array(width * height);
  const fineWidth = width * OVERSAMPLING;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < fineWidth; x++) {
      const opacity = opacities[y * fineWidth + x] ?? 0;
      const target = Math.floor((x + shift) / OVERSAMPLING);
      if (opacity === 0 || target < 0 || target >= width) continue;
      const at = y * width + target;
      gray[at] = (gray[at] ?? 0) + opacity / 255 / OVERSAMPLING;
    }
  }
  return gray;
}
