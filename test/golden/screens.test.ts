import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawScreen } from '#shared/screen/raster.ts';
import { bitmapRows } from './screenHelpers.ts';
import { encodePng, readPngRows } from './png.ts';
import { SCREEN_CASES } from './screenCases.ts';
import { SIZE_CASES } from './sizeCases.ts';

// UPDATE_GOLDEN=1 rewrites the pictures. Look at every changed picture before committing it.
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';
const folder = join(import.meta.dirname, 'screens');
const cases = [...SCREEN_CASES, ...SIZE_CASES];

if (isUpdating) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

test.for(cases)('$name matches its approved picture', async ({ name, content, options }) => {
  const bitmap = drawScreen(content, options);
  const path = join(folder, `${name}.png`);
  if (isUpdating) writeFileSync(path, encodePng(bitmap));
  expect(existsSync(path), `${path} is missing; run with UPDATE_GOLDEN=1 and look at it`).toBe(true);
  expect(bitmapRows(bitmap)).toEqual(await readPngRows(path));
});

test('every picture belongs to a screen', () => {
  const expected = cases.map(({ name }) => `${name}.png`);
  expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
});
