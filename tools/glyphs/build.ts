/**
 * Writes the glyph sheets of the screens, `shared/screen/glyphs/*.ts`, from fonts installed on this machine:
 *
 *   node tools/glyphs/build.ts [--bitmaps <folder with ter-u12b_unicode.pcf.gz ...>] [--outlines <DejaVuSansCondensed-Bold.ttf>]
 *
 * On Debian: apt install xfonts-terminus fonts-dejavu-extra. The result is committed, because other machines, canvases and
 * font versions would give other pixels.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PackedSheet } from '#shared/screen/sheet.ts';
import { ALL_CODES, ESSENTIAL_CODES, FRACTION_CODES } from './coverage.ts';
import { packSheet } from './pack.ts';
import { readPcf } from './pcf.ts';
import { splitSheet } from './split.ts';
import { readCharacterMap, rasteriseGlyphs } from './ttf.ts';

const BITMAP_SIZES = [
  { size: 12, pitch: 6 },
  { size: 14, pitch: 8 },
];
const OUTLINE_SIZES = [
  { size: 17, codes: ALL_CODES },
  { size: 20, codes: ALL_CODES },
  { size: 24, codes: ALL_CODES },
  { size: 28, codes: ALL_CODES },
  { size: 32, codes: ALL_CODES },
  { size: 44, codes: ESSENTIAL_CODES },
  { size: 64, codes: ESSENTIAL_CODES },
  { size: 104, codes: ESSENTIAL_CODES },
];

/** The two figures of a fraction run together below this size. */
const LEGIBLE_FRACTION_SIZE = 16;
const OFL = 'the SIL Open Font License 1.1';
const VERA = 'the licences of Bitstream Vera and Arev';

const { values: paths } = parseArgs({
  options: {
    bitmaps: { type: 'string', default: '/usr/share/fonts/X11/misc' },
    outlines: { type: 'string', default: '/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed-Bold.ttf' },
  },
});
const folder = join(import.meta.dirname, '../../shared/screen/glyphs');
const outlined = readCharacterMap(paths.outlines);

for (const { size, pitch } of BITMAP_SIZES) {
  const font = readPcf(readFileSync(join(paths.bitmaps, `ter-u${size}b_unicode.pcf.gz`)));
  const glyphs = new Map(
    ALL_CODES.flatMap((code) => {
      const glyph = font.get(code);
      return glyph === undefined ? [] : [[code, glyph] as const];
    }),
  );
  const small = splitSheet(packSheet(`Station Small ${size}`, size, glyphs));
  write(`small${size}`, small.first, OFL);
  write(`otherSmall${size}`, small.other, OFL);

  // In a sheet of its own, because the OFL does not let its fonts be mixed with others.
  const lacking = ALL_CODES.filter((code) => !glyphs.has(code) && outlined.has(code));
  const narrow = lacking.filter((code) => !FRACTION_CODES.includes(code));
  const fractions = lacking.filter((code) => FRACTION_CODES.includes(code));
  const further = new Map([
    ...rasteriseGlyphs(paths.outlines, { size: size - 1, codes: narrow, maxAdvance: pitch }),
    ...rasteriseGlyphs(paths.outlines, { size: LEGIBLE_FRACTION_SIZE, codes: fractions, maxAdvance: Infinity }),
  ]);
  write(`further${size}`, packSheet(`Station Further ${size}`, size, further), VERA);
}

for (const { size, codes } of OUTLINE_SIZES) {
  const present = codes.filter((code) => outlined.has(code));
  const glyphs = rasteriseGlyphs(paths.outlines, { size, codes: present, maxAdvance: Infinity });
  const bold = splitSheet(packSheet(`Station Bold ${size}`, size, glyphs));
  write(`bold${size}`, bold.first, VERA);
  write(`otherBold${size}`, bold.other, VERA);
}

function write(module: string, sheet: PackedSheet, licence: string): void {
  const lines = [
    `// Written by tools/glyphs/build.ts, under ${licence}: see LICENSES.md.`,
    `import type { PackedSheet } from '../sheet.ts';`,
    '',
    `export const ${module}: PackedSheet = ${JSON.stringify(sheet, null, 2)};`,
    '',
  ];
  writeFileSync(join(folder, `${module}.ts`), lines.join('\n'));
  const { glyphs, codes, ...metrics } = sheet;
  console.log(JSON.stringify(metrics), `${codes.length} + ${glyphs.length} characters`);
}
