import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawSigns, renderGallery } from '../../../tools/gallery.ts';

const page = new URL('../../../docs/gallery.md', import.meta.url);
const signs = new URL('../../../docs/signs.png', import.meta.url);

test('the gallery shows every screen with stored pixels (else: node tools/gallery.ts)', () => {
  expect(readFileSync(page, 'utf8')).toBe(renderGallery());
});

test('the picture of the signs shows the current drawings (else: node tools/gallery.ts)', () => {
  expect(readFileSync(signs).equals(drawSigns())).toBe(true);
});
