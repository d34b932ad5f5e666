import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ARROWS, type ScreenContent } from '#shared/screen/content.ts';
import { layout, type LayoutOptions } from '#shared/screen/layout.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { inkOf } from '../golden/screenHelpers.ts';

const text = (maxLength: number) =>
  fc.oneof(
    fc.constant(''),
    fc.string({ unit: 'grapheme', maxLength }),
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: 'grapheme-ascii', maxLength }),
    fc.string({ unit: fc.constantFrom('W', 'g', 'Å', 'Ж', '漢', '👩‍👩‍👧', ' ', 'ở', '\ud83d', '\u0301'), maxLength }),
  );

const content: fc.Arbitrary<ScreenContent> = fc.record({
  label: text(60),
  lines: fc.array(text(40), { maxLength: 7 }),
  quantity: fc.option(fc.oneof(fc.integer(), fc.nat(120), fc.double())),
  arrow: fc.option(fc.constantFrom(...ARROWS)),
  barcode: text(30),
  qrcode: text(60),
  icon: text(20),
});

const options: fc.Arbitrary<LayoutOptions> = fc.record({
  firmware: fc.integer({ min: 0, max: 200 }),
  batteryMv: fc.option(fc.oneof(fc.integer({ min: -100_000, max: 1_000_000 }), fc.double())),
});

test('any content is drawn without an error, and the same way again', () => {
  fc.assert(
    fc.property(content, options, (said, asked) => {
      const bitmap = drawScreen(said, asked);
      expect(bitmap.bytes).toHaveLength(37 * 128);
      expect(drawScreen(structuredClone(said), { ...asked }).bytes).toEqual(bitmap.bytes);
    }),
    { numRuns: 2_000 },
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
    { numRuns: 2_000 },
  );
});

test('a layout is plain data: whole numbers that survive being stored', () => {
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

test('whatever is said within the limits leaves ink, unless it is white space', () => {
  const visible = fc.string({ unit: fc.constantFrom('a', 'W', '漢', '😀', 'Ж', '1'), minLength: 1, maxLength: 26 });
  fc.assert(
    fc.property(visible, fc.constantFrom('lines', 'barcode', 'qrcode', 'icon'), options, (word, field, asked) => {
      const empty = { label: '', lines: [], quantity: null, arrow: null, barcode: '', qrcode: '', icon: '' };
      const said = { ...empty, [field]: field === 'lines' ? [word] : word };
      const blank = drawScreen(empty, asked).bytes;
      expect(drawScreen(said, asked).bytes).not.toEqual(blank);
    }),
  );
});
