import { describe, expect, test } from 'vitest';
import { rasterize } from '#shared/screen/raster.ts';
import { drawByOwner, inkOf, lay, NEW_FIRMWARE, theItem } from '../../golden/screenHelpers.ts';

const FOUR_BOXED = { quantity: 12, qrcode: 'M8', arrow: 'left', icon: 'hazardd' } as const;

describe('more content than a screen should hold', () => {
  test.for([
    ['three boxed elements', { ...FOUR_BOXED, icon: '', lines: ['M8 nut'] }],
    ['four boxed elements and a barcode', { ...FOUR_BOXED, barcode: '12345', lines: ['M8 nut'] }],
    ['two boxed elements and five lines', { quantity: 120, icon: 'hazardd', lines: Array(5).fill('W'.repeat(26)) }],
    ['five lines above a barcode', { barcode: '12345', lines: Array(5).fill('Ågjp'.repeat(6)) }],
  ] as const)('still shows every element inside the screen: %s', ([, content]) => {
    const placed = lay(content, NEW_FIRMWARE);
    const names = Object.entries(content).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((_, slot) => `line${slot + 1}`) : value === '' ? [] : [name],
    );
    const drawn = drawByOwner(placed);
    for (const name of names)
      expect(
        drawn.get(name)?.bytes.some((byte) => byte !== 0),
        name,
      ).toBe(true);
    for (const item of placed.items) {
      const ink = inkOf(item);
      expect(Math.min(ink.left, ink.top)).toBeGreaterThanOrEqual(0);
      expect(ink.right).toBeLessThanOrEqual(296);
      expect(ink.bottom).toBeLessThanOrEqual(128);
    }
  });

  test('never draws over the bars of a barcode', () => {
    const placed = lay({ ...FOUR_BOXED, barcode: '12345', lines: Array<string>(5).fill('Ågjp'.repeat(6)) });
    const bars = theItem(placed, 'barcode', 'barcode');
    const others = placed.items.filter((item) => item !== bars);
    expect(Math.max(...others.map((item) => inkOf(item).bottom))).toBeLessThanOrEqual(bars.y);
  });

  test('shows a QR code as text if the code would be too small to scan', () => {
    const placed = lay(FOUR_BOXED);
    expect(placed.items.filter(({ kind }) => kind === 'qrcode')).toEqual([]);
    theItem(placed, 'qrcode', 'text');
  });

  test('leaves out a sixth line', () => {
    const six = lay({ lines: ['a', 'b', 'c', 'd', 'e', 'f'] });
    expect(rasterize(six)).toEqual(rasterize(lay({ lines: ['a', 'b', 'c', 'd', 'e'] })));
  });
});
