/**
 * Writes the sheets of signs, `shared/screen/icons/*.ts`, from the drawings in `tools/signs/svg`: `node tools/signs/build.ts`. The result
 * is committed, because another canvas would produce different pixels.
 *
 * To look at drawings without writing sheets, some of them by name or all; `--scale` sets the width of each pixel:
 *
 *   node tools/signs/build.ts --look /tmp/signs.png [--scale 3] [--columns 2] [--sizes 62,44] [hot-work acid ...]
 *
 * To add a sign, add its character and name to `shared/screen/icons.ts`, its drawing to `tools/signs/svg/<name>.svg`, and the origin of the
 * drawing to SOURCES.md. A drawing is one svg element with the viewBox `0 0 96 96`. Its `data-frame` is one of those in frames.ts, and its
 * pictogram lies inside that frame. Shapes without a `fill` or with `currentColor` have the color of the pictogram, which is white in a
 * filled frame. #000 and #fff add or cut out details. Strokes must be at least 5 units thick and gaps at least 4 units wide, because
 * thinner ones do not survive in 44 pixels.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ICONS } from '#shared/screen/icons.ts';
import { ICON_SIZES } from '#shared/screen/iconSheets.ts';
import type { RawGlyph } from '../glyphs/rawGlyph.ts';
import { drawContactSheet } from './contactSheet.ts';
import { drawSign, packSigns } from './packSigns.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    look: { type: 'string' },
    scale: { type: 'string', default: '1' },
    columns: { type: 'string', default: '1' },
    sizes: { type: 'string', default: ICON_SIZES.join() },
  },
});

if (values.look === undefined) await writeSheets();
else await look(values.look);

async function writeSheets(): Promise<void> {
  const folder = join(import.meta.dirname, '../../shared/screen/icons');
  for (const [size, sheet] of Object.entries(await packSigns())) {
    const about = 'Written by tools/signs/build.ts; where the drawings come from: see LICENSES.md.';
    writeFileSync(join(folder, `icons${size}.json`), `${JSON.stringify({ about, ...sheet }, null, 2)}\n`);
    console.log(sheet.name, `${sheet.codes.length} + ${sheet.glyphs.length} characters`);
  }
}

async function look(file: string): Promise<void> {
  const sizes = values.sizes.split(',').map(Number);
  const names = positionals.length > 0 ? positionals : ICONS.map(({ name }) => name);
  const rows: { name: string; pictures: RawGlyph[] }[] = [];
  for (const name of names) rows.push({ name, pictures: await drawSign(name, sizes) });
  writeFileSync(file, drawContactSheet(rows, { scale: Number(values.scale), columns: Number(values.columns) }));
}
