import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ICONS } from '#shared/screen/icons.ts';
import { ICON_SIZES, type IconSize } from '#shared/screen/iconSheets.ts';
import type { PackedSheet } from '#shared/screen/sheet.ts';
import { packSheet } from '../glyphs/pack.ts';
import type { RawGlyph } from '../glyphs/rawGlyph.ts';
import { rasterizeSign } from './rasterize.ts';

export const DRAWINGS = join(import.meta.dirname, 'svg');

/** Draws a sign by its readable name in several sizes. Throws if its drawing is missing or cannot be drawn. */
export async function drawSign(name: string, sizes: readonly number[]): Promise<RawGlyph[]> {
  try {
    return await rasterizeSign(readFileSync(join(DRAWINGS, `${name}.svg`), 'utf8'), sizes);
  } catch (error) {
    throw new Error(`${name}.svg cannot be drawn.`, { cause: error });
  }
}

/** Packs all signs in all sizes, each as the glyph of its character. */
export async function packSigns(): Promise<Record<IconSize, PackedSheet>> {
  const drawn: [code: number, pictures: readonly RawGlyph[]][] = [];
  for (const { char, name } of ICONS) drawn.push([char.charCodeAt(0), await drawSign(name, ICON_SIZES)]);
  const sheet = (size: IconSize) => {
    const place = ICON_SIZES.indexOf(size);
    const pictures = drawn.flatMap(([code, { [place]: picture }]) =>
      picture === undefined ? [] : [[code, picture] as const],
    );
    // The metrics are 0, because icons have no baseline.
    return { ...packSheet(`Station Signs ${size}`, size, new Map(pictures)), capHeight: 0, accent: 0, descent: 0 };
  };
  return { 120: sheet(120), 96: sheet(96), 62: sheet(62), 44: sheet(44) };
}
