import * as fc from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { bitmapToRgba, drawScreen, type Bitmap } from '#shared/screen/raster.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { coverageToRgba, inkCoverage } from '../../../renderer/src/shop/screen/inkCoverage.ts';

const screen = { ...EMPTY_SCREEN, label: 'A-3-2', lines: ['Cable tie 200', 'black'], quantity: 5 };
const bitmap = drawScreen(screen, { firmware: 70, batteryMv: 2_980 });

function inkOf(drawn: Bitmap): number {
  let black = 0;
  for (const byte of drawn.bytes) for (let bit = 0; bit < 8; bit += 1) black += (byte >> bit) & 1;
  return black / (drawn.width * drawn.height);
}

test('at the original size, every pixel equals its bit', () => {
  const coverage = inkCoverage(bitmap, 296, 128);
  expect(new Set(coverage)).toEqual(new Set([0, 1]));
  expect(coverage.reduce((sum, ink) => sum + ink, 0)).toBeCloseTo(inkOf(bitmap) * 296 * 128, 3);
});

test('scaling preserves the amount of ink', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 300 }), (width, height) => {
      const coverage = inkCoverage(bitmap, width, height);
      const mean = coverage.reduce((sum, ink) => sum + ink, 0) / coverage.length;
      expect(mean).toBeCloseTo(inkOf(bitmap), 3);
    }),
    { numRuns: 30 },
  );
});

test('keeps rows aligned when they do not end at a byte boundary', () => {
  const wide = drawScreen(screen, { firmware: 70, batteryMv: 2_980, size: { width: 522, height: 152 } });
  const coverage = inkCoverage(wide, 522, 152);
  const rgba = bitmapToRgba(wide, { ink: [0, 0, 0], paper: [255, 255, 255] });
  const isInk = Array.from(coverage, (_, pixel) => (rgba[pixel * 4] === 0 ? 1 : 0));
  expect([...coverage]).toEqual(isInk);
});

test('mixes the ink and paper colors by coverage', () => {
  const rgba = coverageToRgba(new Float32Array([0, 0.5, 1]), { ink: [10, 20, 30], paper: [210, 220, 230] });
  expect([...rgba]).toEqual([210, 220, 230, 255, 110, 120, 130, 255, 10, 20, 30, 255]);
});
