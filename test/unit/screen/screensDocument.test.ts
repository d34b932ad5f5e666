import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sheetOf, TEXT_SIZES } from '#shared/screen/sheets.ts';
import { listCapitals, listPlaces } from '../../golden/screenTables.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/screens.md'), 'utf8');
/** The rows of all tables, without the padding of their columns. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.replaceAll(/ +/g, ' '));

test('the page lists the position of every graphic', () => {
  for (const row of listPlaces()) expect(rows).toContain(row.replaceAll(/ +/g, ' '));
});

test('the page lists how large text and figures are for one to five elements', () => {
  for (const row of listCapitals()) expect(rows).toContain(row.replaceAll(/ +/g, ' '));
});

test('the page lists every size of text', () => {
  const sizes = TEXT_SIZES.toReversed();
  const heights = sizes.map((size) => sheetOf(size).capHeight);
  expect(rows).toContain(`| Size | ${sizes.join(' | ')} |`);
  expect(rows).toContain(`| Capitals, pixels | ${heights.join(' | ')} |`);
  expect(rows).toContain(`| Capitals, mm | ${heights.map((height) => (height * 0.2266).toFixed(1)).join(' | ')} |`);
});
