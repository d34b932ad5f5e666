import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawScreen } from '#shared/screen/raster.ts';
import { drawTagPicture } from '../../../electron/server/turbo/openEPaper/tagPicture.ts';
import { SCREEN_CASES } from '../../golden/screenCases.ts';
import { bitmapRows } from '../../golden/screenHelpers.ts';

const SIZES = [
  { width: 296, height: 128 },
  { width: 384, height: 168 },
  { width: 522, height: 152 },
  { width: 203, height: 200 },
];

test('a JPEG is baseline, has the size of the tag, and rounds to the black and white pixels of the screen', async () => {
  for (const [index, { content, options }] of SCREEN_CASES.entries()) {
    if (index % 4 !== 0) continue;
    for (const size of SIZES) {
      const { jpeg } = await drawTagPicture(content, size, 2_900);
      expect(startOfFrame(jpeg)).toBe(0xc0);
      const image = await loadImage(jpeg);
      expect([image.width, image.height]).toEqual([size.width, size.height]);
      const context = createCanvas(size.width, size.height).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, size.width, size.height);
      const bitmap = drawScreen(content, { ...options, firmware: 70, batteryMv: 2_900, size });
      const rows = Array.from({ length: size.height }, (_, y) =>
        Array.from({ length: size.width }, (__, x) => shadeOf(data[(y * size.width + x) * 4] ?? 0)).join(''),
      );
      expect(rows).toEqual(bitmapRows(bitmap));
    }
  }
});

test('the same pixels have the same id, and different pixels have a different one', async () => {
  const { content } = SCREEN_CASES[0] ?? { content: undefined };
  if (content === undefined) throw new Error('There are no screens.');
  const size = { width: 296, height: 128 };
  const one = await drawTagPicture(content, size, 2_900);
  expect((await drawTagPicture(content, size, 2_900)).id).toBe(one.id);
  expect((await drawTagPicture({ ...content, label: 'B-1' }, size, 2_900)).id).not.toBe(one.id);
});

/**
 * Returns a pixel's shade. Tags do not have gray: nearly black counts as black and nearly white as white. Other shades are unpredictable.
 */
function shadeOf(gray: number): string {
  if (gray < 40) return '#';
  return gray > 215 ? '.' : '?';
}

/** Returns the second byte of the JPEG's start-of-frame marker. 0xC0 means baseline. */
function startOfFrame(jpeg: Uint8Array): number | undefined {
  for (let at = 2; at < jpeg.length; at += 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4) return marker;
  }
  return undefined;
}
