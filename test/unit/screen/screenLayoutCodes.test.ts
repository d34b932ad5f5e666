import { describe, expect, test } from 'vitest';
import { encodeBarcode } from '#shared/screen/barcode.ts';
import { rasterize } from '#shared/screen/raster.ts';
import { encodeQrcode } from '#shared/screen/qrcode.ts';
import { isInk, lay, NEW_FIRMWARE, textOf, textsOf, theItem } from '../../golden/screenHelpers.ts';

describe('a barcode', () => {
  test.for([
    ['A-1', 3],
    ['A-12-34', 2],
    ['4006381333931', 1],
    ['ABCDEFGHIJKLMNOPQRSTU', 1],
  ] as const)('has the widest modules that leave ten white modules on both sides: %s', ([barcode, module]) => {
    const bars = theItem(lay({ barcode, lines: ['x'] }), 'barcode', 'barcode');
    expect(bars.module).toBe(module);
    expect(bars.x).toBeGreaterThanOrEqual(10 * module);
    expect(296 - bars.x - bars.width).toBeGreaterThanOrEqual(10 * module);
  });

  test.for([22, 23])('of %d characters is centered in a reduced quiet zone', (length) => {
    const bars = theItem(lay({ barcode: 'ABCDEFGHIJKLMNOPQRSTUVW'.slice(0, length) }), 'barcode', 'barcode');
    expect(bars.module).toBe(1);
    expect(Math.abs(bars.x - (296 - bars.x - bars.width))).toBeLessThanOrEqual(1);
    expect(bars.x).toBeGreaterThanOrEqual(4);
  });

  test('is 30 pixels high, at the bottom, below everything else', () => {
    const placed = lay({ barcode: '12345', quantity: 5, lines: ['M8 nut', 'DIN 934'] });
    const bars = theItem(placed, 'barcode', 'barcode');
    expect(bars).toMatchObject({ y: 96, height: 30 });
    for (const item of placed.items) if (item !== bars) expect(item.y + item.height).toBeLessThanOrEqual(92);
  });

  test('is drawn module by module', () => {
    const placed = lay({ barcode: 'A-12', lines: ['x'] });
    const bars = theItem(placed, 'barcode', 'barcode');
    const bitmap = rasterize(placed);
    const modules = Array.from({ length: bars.width / bars.module }, (_, index) =>
      isInk(bitmap, bars.x + index * bars.module, bars.y + 7) ? '1' : '0',
    );
    expect(modules.join('')).toBe(encodeBarcode('A-12'));
  });
});

describe('a QR code', () => {
  test.for([
    ['three pixels per module next to text', { lines: ['x'] }, 3],
    ['two pixels per module above a barcode', { lines: ['x'], barcode: '1' }, 2],
    ['two pixels per module next to a quantity', { lines: ['x'], quantity: 5 }, 2],
    ['two pixels per module next to a sign above a barcode', { lines: ['x'], icon: 'hazardd', barcode: '1' }, 2],
  ] as const)('is %s, at the top left', ([, content, module]) => {
    const code = theItem(lay({ ...content, qrcode: 'M8' }), 'qrcode', 'qrcode');
    expect(code.module).toBe(module);
    expect(code.x).toBe(4 * module);
    expect(code.y - 4 * module).toBeLessThanOrEqual(4);
  });

  test('is at the top right next to an arrow to the right on firmware 67', () => {
    const code = theItem(lay({ qrcode: 'M8', arrow: 'bottomright', lines: ['x'] }, NEW_FIRMWARE), 'qrcode', 'qrcode');
    expect(296 - code.x - code.width).toBe(8);
    expect(code.y).toBe(8);
  });

  test('is drawn module by module', () => {
    const placed = lay({ qrcode: 'https://example.com', lines: ['x'] });
    const { x: left, y: top, module } = theItem(placed, 'qrcode', 'qrcode');
    const bitmap = rasterize(placed);
    const code = encodeQrcode('https://example.com');
    for (let y = 0; y < 87; y++) {
      for (let x = 0; x < 87; x++) {
        const isDark = code?.isDark(Math.floor(x / module), Math.floor(y / module));
        if (isInk(bitmap, left + x, top + y) !== isDark) expect.fail(`It differs at ${x}, ${y}.`);
      }
    }
  });
});

describe('an invalid code or icon', () => {
  test.for([
    ['barcode', 'Schraube größer'],
    ['barcode', 'ABCDEFGHIJKLMNOPQRSTUVWX'],
    ['qrcode', 'https://example.com/articles/hexagon-bolts/4711?lang=de'],
    ['icon', 'no-such-sign'],
  ] as const)('is drawn as its text in a box, with or without a line: %s %s', ([name, text]) => {
    for (const content of [{}, { lines: ['x'] }]) {
      const placed = lay({ ...content, [name]: text }, NEW_FIRMWARE);
      expect(textsOf(placed, name).map(textOf).join('')).toBe(text);
      expect(placed.items.filter((item) => item.kind === name)).toEqual([]);
      theItem(placed, name, 'frame');
    }
  });

  test('is never drawn in part, even if it contains half an emoji', () => {
    const placed = lay({ qrcode: 'M8 \ud83d', lines: ['x'] });
    expect(placed.items.filter(({ owner }) => owner === 'qrcode').map(({ kind }) => kind)).toEqual(['frame', 'text']);
  });

  test('shows as much of a longer text as fits, and an ellipsis', () => {
    const rows = textsOf(lay({ qrcode: 'x'.repeat(500), lines: ['x'] }), 'qrcode').map(textOf);
    expect(rows.join('')).toMatch(/^x{40,}…$/);
  });
});
