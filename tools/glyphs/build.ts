/**
 * Writes the glyph sheets of the screens, `shared/screen/glyphs/*.ts`, from fonts installed on this machine:
 *
 *   node tools/glyphs/build.ts [--bitmaps FOLDER] [--outlines FOLDER]
 *
 * The folder of bitmaps contains ter-u12b_unicode.pcf.gz and ter-u16b_unicode.pcf.gz, and the folder of outlines
 * DejaVuSansCondensed-Bold.ttf and the other fonts. On Debian: apt install xfonts-terminus fonts-dejavu-extra. The result is committed,
 * because other machines, canvases and font versions would produce different pixels.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PackedSheet } from '#shared/screen/sheet.ts';
import { ALL_CODES, ESSENTIAL_CODES } from './coverage.ts';
import { levelFigures } from './figures.ts';
import { packSheet, writeRanges } from './pack.ts';
import { readPcf } from './pcf.ts';
import type { RawGlyph } from './rawGlyph.ts';
import { SMALL_SIZES, drawSmall } from './small.ts';
import { splitSheet } from './split.ts';
import { readCharacterMap, rasterizeGlyphs } from './ttf.ts';

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

/**
 * Widths of the figures in quantities. Narrowing makes upright strokes thinner, so `bolder` thickens them again, by this fraction of the
 * size.
 */
const FIGURE_WIDTHS = {
  '': { squeeze: 1, bolder: 0 },
  Narrow: { squeeze: 0.72, bolder: 0.018 },
  Slim: { squeeze: 0.58, bolder: 0.02 },
};
const FIGURE_SHEETS = [
  { size: 136, width: 'Narrow' },
  { size: 104, width: '' },
  { size: 104, width: 'Narrow' },
  { size: 84, width: '' },
  { size: 84, width: 'Narrow' },
  { size: 64, width: '' },
  { size: 64, width: 'Narrow' },
  { size: 64, width: 'Slim' },
] as const;

const OFL = 'the SIL Open Font License 1.1';
const VERA = 'the licences of Bitstream Vera and Arev';

const { values: paths } = parseArgs({
  options: {
    bitmaps: { type: 'string', default: '/usr/share/fonts/X11/misc' },
    outlines: { type: 'string', default: '/usr/share/fonts/truetype/dejavu' },
  },
});
const folder = join(import.meta.dirname, '../../shared/screen/glyphs');
const bold = join(paths.outlines, 'DejaVuSansCondensed-Bold.ttf');
const outlined = readCharacterMap(bold);

const drawn = new Set<number>();

for (const small of SMALL_SIZES) {
  const { size, pitch } = small;
  const glyphs = drawSmall(readPcf(readFileSync(join(paths.bitmaps, small.file))), small, ALL_CODES);
  const sheets = splitSheet(packSheet(`Station Small ${size}`, size, glyphs));
  write(`small${size}`, sheets.first, OFL);
  write(`otherSmall${size}`, sheets.other, OFL);

  // In a separate sheet, because the OFL forbids mixing its fonts with others.
  const outlines = join(paths.outlines, small.outlines);
  const present = readCharacterMap(outlines);
  const codes = ALL_CODES.filter((code) => !glyphs.has(code) && present.has(code));
  const narrow = rasterizeGlyphs(outlines, { size, codes, maxAdvance: pitch, squeeze: 1, bolder: 0 });
  const further = new Map(Array.from(narrow, ([code, glyph]) => [code, centreGlyph(glyph, pitch)]));
  write(`further${size}`, packSheet(`Station Further ${size}`, size, further), VERA);
  for (const code of [...glyphs.keys(), ...further.keys()]) drawn.add(code);
}
writeCodes([...drawn].toSorted((a, b) => a - b));

const figures = FIGURE_SHEETS.map(({ size, width }) => {
  const { squeeze, bolder } = FIGURE_WIDTHS[width];
  const codes = Array.from('0123456789+?', (letter) => letter.codePointAt(0) ?? 0);
  const glyphs = levelFigures(
    rasterizeGlyphs(bold, { size, codes, maxAdvance: Infinity, squeeze, bolder: bolder * size }),
  );
  return [`figures${size}${width}`, packSheet(`Station Figures ${size} ${width}`.trim(), size, glyphs)] as const;
});
writeJson('figures', Object.fromEntries(figures), VERA);
for (const [, sheet] of figures) logSheet(sheet);

for (const { size, codes } of OUTLINE_SIZES) {
  const present = codes.filter((code) => outlined.has(code));
  const glyphs = levelFigures(
    rasterizeGlyphs(bold, { size, codes: present, maxAdvance: Infinity, squeeze: 1, bolder: 0 }),
  );
  const sheets = splitSheet(packSheet(`Station Bold ${size}`, size, glyphs));
  write(`bold${size}`, sheets.first, VERA);
  write(`otherBold${size}`, sheets.other, VERA);
}

function centreGlyph(glyph: RawGlyph, pitch: number): RawGlyph {
  return { ...glyph, advance: pitch, left: glyph.left + Math.floor((pitch - glyph.advance) / 2) };
}

function write(name: string, sheet: PackedSheet, licence: string): void {
  writeJson(name, sheet, licence);
  logSheet(sheet);
}

/** Writes a sheet as JSON rather than TypeScript, because Node strips types at each startup, which takes long for half a megabyte. */
function writeJson(name: string, content: object, licence: string): void {
  const about = `Written by tools/glyphs/build.ts, under ${licence}: see LICENSES.md.`;
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ about, ...content }, null, 2)}\n`);
}

function logSheet({ glyphs, codes, ...metrics }: PackedSheet): void {
  console.log(JSON.stringify(metrics), `${codes.length} + ${glyphs.length} bytes`);
}

function writeCodes(codes: readonly number[]): void {
  const lines = [
    '// Written by tools/glyphs/build.ts.',
    '/** The code points that there is a glyph for, as hexadecimal ranges. */',
    `export const drawnCodes = '${writeRanges(codes)}';`,
    '',
  ];
  writeFileSync(join(folder, 'drawnCodes.ts'), lines.join('\n'));
}
