import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import {
  ARROWS,
  boxedElements,
  countElements,
  EMPTY_SCREEN,
  MAX_BOXED_ELEMENTS,
  MAX_ELEMENTS,
  type ScreenContent,
} from '#shared/screen/content.ts';
import { iconWireName, ICONS } from '#shared/screen/icons.ts';
import { layout, type LayoutOptions } from '#shared/screen/layout.ts';
import { drawScreen, rasterize } from '#shared/screen/raster.ts';
import { around, drawByOwner, findInk, findOverlap, inkOf } from '../golden/screenHelpers.ts';

const text = (maxLength: number) =>
  fc.oneof(
    fc.constant(''),
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: 'grapheme-ascii', maxLength }),
    fc.string({ unit: fc.constantFrom('W', 'g', 'Å', 'Ж', '漢', '👩‍👩‍👧', ' ', 'ở', '\ud83d', '\u0301'), maxLength }),
  );

const sign = fc.constantFrom(...ICONS.map(iconWireName));

const content: fc.Arbitrary<ScreenContent> = fc.record({
  label: text(60),
  lines: fc.array(text(40), { maxLength: 7 }),
  quantity: fc.option(fc.oneof(fc.integer(), fc.nat(120), fc.double())),
  arrow: fc.option(fc.constantFrom(...ARROWS)),
  barcode: text(30),
  qrcode: text(60),
  icon: fc.oneof(text(20), sign),
});

const options: fc.Arbitrary<LayoutOptions> = fc.record({
  firmware: fc.integer({ min: 0, max: 200 }),
  batteryMv: fc.option(fc.oneof(fc.integer({ min: -100_000, max: 1_000_000 }), fc.double())),
});

test('draws any content without an error, and always the same way', () => {
  fc.assert(
    fc.property(content, options, (said, asked) => {
      const bitmap = drawScreen(said, asked);
      expect(bitmap.bytes).toHaveLength(37 * 128);
      expect(drawScreen(structuredClone(said), { ...asked }).bytes).toEqual(bitmap.bytes);
    }),
    { numRuns: 1_000 },
  );
});

test('nothing is placed outside the screen', () => {
  fc.assert(
    fc.property(content, options, (said, asked) => {
      for (const item of layout(said, asked).items) {
        const ink = inkOf(item);
        expect(ink.left).toBeGreaterThanOrEqual(0);
        expect(ink.right).toBeLessThanOrEqual(296);
        expect(ink.top).toBeGreaterThanOrEqual(0);
        expect(ink.bottom).toBeLessThanOrEqual(128);
      }
    }),
    { numRuns: 1_000 },
  );
});

/** Screen content within the limits: texts of any kind, and codes that can be drawn. */
const allowed: fc.Arbitrary<ScreenContent> = fc
  .record({
    label: text(60),
    lines: fc.array(text(26), { maxLength: 5 }),
    quantity: fc.option(fc.nat(120)),
    arrow: fc.option(fc.constantFrom(...ARROWS)),
    barcode: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 23 })),
    qrcode: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 53 })),
    icon: fc.oneof(fc.constant(''), sign),
  })
  .filter((said) => countElements(said) <= MAX_ELEMENTS && boxedElements(said).length <= MAX_BOXED_ELEMENTS);

test('within the limits no two items share a pixel, and the quiet zones of codes are white', () => {
  fc.assert(
    fc.property(allowed, options, (said, asked) => {
      const placed = layout(said, asked);
      expect(findOverlap(drawByOwner(placed))).toBeUndefined();
      const bitmap = rasterize(placed);
      for (const item of placed.items) {
        if (item.kind !== 'qrcode' && item.kind !== 'barcode') continue;
        const [across, down] = item.kind === 'qrcode' ? [4 * item.module, 4 * item.module] : [10 * item.module, 0];
        for (const place of around(item, across, down)) expect(findInk(bitmap, place)).toBeUndefined();
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a layout is plain data in whole numbers that JSON preserves', () => {
  fc.assert(
    fc.property(content, options, (said, asked) => {
      const placed = layout(said, asked);
      expect(JSON.parse(JSON.stringify(placed))).toEqual(placed);
      for (const { x, y, width, height } of placed.items) {
        for (const length of [x, y, width, height]) expect(Number.isInteger(length)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('every visible line, barcode, QR code and icon puts ink on the screen', () => {
  const visible = fc.string({ unit: fc.constantFrom('a', 'W', '漢', '😀', 'Ж', '1'), minLength: 1, maxLength: 26 });
  fc.assert(
    fc.property(visible, fc.constantFrom('lines', 'barcode', 'qrcode', 'icon'), options, (word, field, asked) => {
      const said = { ...EMPTY_SCREEN, [field]: field === 'lines' ? [word] : word };
      const blank = drawScreen(EMPTY_SCREEN, asked).bytes;
      expect(drawScreen(said, asked).bytes).not.toEqual(blank);
    }),
  );
});
