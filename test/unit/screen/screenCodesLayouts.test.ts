import { describe, expect, test } from 'vitest';
import { BARCODE_QUIET_MODULES } from '#shared/screen/barcode.ts';
import { ARROWS, boxedElements, countElements, EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import type { BarcodeItem, QrcodeItem } from '#shared/screen/items.ts';
import { layout, type LayoutOptions } from '#shared/screen/layout.ts';
import { QR_MODULES, QR_QUIET_MODULES } from '#shared/screen/qrcode.ts';
import { drawScreen, type Bitmap } from '#shared/screen/raster.ts';
import { isInk } from '../../golden/screenHelpers.ts';
import { readCodes } from '../../helpers/screens/readCodes.ts';

const BARCODES = ['7', 'M8-0815', '~!@#$%^&*()_+{}', '1'.repeat(21), 'x'.repeat(22), 'Ab9 '.repeat(6).slice(0, 23)];
const QRCODES = ['7', 'Größe 8½', 'Привет, мир', '😀🔩', '1'.repeat(23), `${'🔩'.repeat(13)}x`];
const WIDE = 'W'.repeat(26);

/** Other content that can be on the screen together with a code. */
const COMPANIONS: Partial<ScreenContent>[] = [
  {},
  { lines: ['M8'] },
  { lines: ['', 'Hex bolt M8 x 40', ''] },
  { lines: [WIDE, WIDE, WIDE] },
  { lines: [WIDE, WIDE, WIDE, 'gjpqy, ÅÉŐ'] },
  { quantity: 7 },
  { quantity: 480 },
  ...ARROWS.map((arrow) => ({ arrow })),
  { icon: 'hazardd' },
  { icon: 'hazardY' },
  { icon: 'hazard#', lines: [WIDE] },
  { quantity: 24, lines: ['Hex bolt M8 x 40', 'zinc plated'] },
  { arrow: 'right', lines: [WIDE, WIDE, WIDE] },
  { arrow: 'topleft', lines: [WIDE] },
  { quantity: 99, arrow: 'left', lines: [WIDE, WIDE] },
  { quantity: 99, icon: 'hazardG', lines: [WIDE, WIDE] },
  { arrow: 'bottomright', icon: 'hazardx', lines: ['M8'] },
];
const FIRMWARES: LayoutOptions[] = [
  { firmware: 66, batteryMv: 2_980 },
  { firmware: 67, batteryMv: 2_980 },
  { firmware: 67, batteryMv: null },
];

type Drawn = { bitmap: Bitmap; content: ScreenContent; options: LayoutOptions };

/** Yields a screen with these codes for each companion and layout option. Skips screens with more than five elements or two boxed ones. */
function* screensWith(codes: Partial<ScreenContent>): Generator<Drawn> {
  for (const companion of COMPANIONS) {
    for (const options of FIRMWARES) {
      const label = options.batteryMv === null ? '' : 'A-03-2';
      const content = { ...EMPTY_SCREEN, label, ...companion, ...codes };
      if (countElements(content) > 5 || boxedElements(content).length > 2) continue;
      yield { bitmap: drawScreen(content, options), content, options };
    }
  }
}

/** Returns the screen's only code of this kind. */
function itemOf({ content, options }: Drawn, kind: 'barcode' | 'qrcode'): BarcodeItem | QrcodeItem {
  const codes = layout(content, options).items.filter((item) => item.kind === 'barcode' || item.kind === 'qrcode');
  const [item, ...others] = codes.filter((code) => code.kind === kind);
  if (item === undefined || others.length > 0) throw new Error(`There is not one ${kind}.`);
  return item;
}

/** Returns the number of ink pixels in a part of the screen. Pixels outside the screen count as ink. */
function inkIn(bitmap: Bitmap, left: number, top: number, right: number, bottom: number): number {
  let ink = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) if (x < 0 || y < 0 || x >= 296 || y >= 128 || isInk(bitmap, x, y)) ink += 1;
  }
  return ink;
}

describe('a barcode', () => {
  test('scans as the requested text in every layout, and is the only code there', async () => {
    for (const [index, barcode] of BARCODES.entries()) {
      for (const [at, drawn] of [...screensWith({ barcode })].entries()) {
        // Try each companion with some texts, and each text with some companions.
        if (at % BARCODES.length !== index && at > 3) continue;
        expect(await readCodes(drawn.bitmap), say(drawn)).toMatchObject([{ format: 'Code128', text: barcode }]);
      }
    }
  });

  test('of up to 21 characters has ten white modules on both sides, inside the screen', () => {
    for (const barcode of BARCODES.filter(({ length }) => length <= 21)) {
      for (const drawn of screensWith({ barcode })) {
        const { x, y, width, height, module } = itemOf(drawn, 'barcode');
        const quiet = BARCODE_QUIET_MODULES * module;
        expect(inkIn(drawn.bitmap, x - quiet, y, x, y + height), say(drawn)).toBe(0);
        expect(inkIn(drawn.bitmap, x + width, y, x + width + quiet, y + height), say(drawn)).toBe(0);
      }
    }
  });

  test('of 22 or 23 characters is centered, with only white on both sides', () => {
    for (const barcode of BARCODES.filter(({ length }) => length > 21)) {
      for (const drawn of screensWith({ barcode })) {
        const { x, y, width, height } = itemOf(drawn, 'barcode');
        const right = 296 - x - width;
        expect(Math.abs(x - right)).toBeLessThanOrEqual(1);
        expect(Math.min(x, right)).toBeGreaterThanOrEqual(4);
        expect(inkIn(drawn.bitmap, 0, y, x, y + height), say(drawn)).toBe(0);
        expect(inkIn(drawn.bitmap, x + width, y, 296, y + height), say(drawn)).toBe(0);
      }
    }
  });

  test('is where the layout says, at least 30 pixels high, with equal rows', () => {
    for (const barcode of ['M8-0815', 'x'.repeat(23)]) {
      for (const drawn of screensWith({ barcode })) {
        const { x, y, width, height, module } = itemOf(drawn, 'barcode');
        expect(height, say(drawn)).toBeGreaterThanOrEqual(30);
        expect(width).toBe((11 * barcode.length + 35) * module);
        for (let column = x; column < x + width; column++) {
          const ink = inkIn(drawn.bitmap, column, y, column + 1, y + height);
          expect([0, height]).toContain(ink);
        }
        // The barcode begins and ends with a bar of two modules.
        expect(inkIn(drawn.bitmap, x, y, x + 2 * module, y + 1)).toBe(2 * module);
        expect(inkIn(drawn.bitmap, x + width - 2 * module, y, x + width, y + 1)).toBe(2 * module);
      }
    }
  });
});

describe('a QR code', () => {
  test('scans as the requested text in every layout, and is the only code there', async () => {
    for (const [index, qrcode] of QRCODES.entries()) {
      for (const [at, drawn] of [...screensWith({ qrcode })].entries()) {
        if (at % QRCODES.length !== index && at > 3) continue;
        expect(await readCodes(drawn.bitmap), say(drawn)).toMatchObject([{ format: 'QRCode', text: qrcode }]);
      }
    }
  });

  test('has four white modules on all sides, inside the screen, with any companion', () => {
    for (const codes of [{ qrcode: 'M8' }, { qrcode: 'M8', barcode: '12345' }]) {
      for (const drawn of screensWith(codes)) {
        const { x, y, width, height, module } = itemOf(drawn, 'qrcode');
        expect([width, height]).toEqual([QR_MODULES * module, QR_MODULES * module]);
        const quiet = QR_QUIET_MODULES * module;
        const inAll = inkIn(drawn.bitmap, x - quiet, y - quiet, x + width + quiet, y + height + quiet);
        expect(inAll, say(drawn)).toBe(inkIn(drawn.bitmap, x, y, x + width, y + height));
      }
    }
  });

  test('has modules of more than one pixel, and of three pixels if it is the only element', () => {
    for (const drawn of screensWith({ qrcode: 'M8' })) {
      expect(itemOf(drawn, 'qrcode').module, say(drawn)).toBeGreaterThanOrEqual(2);
    }
    const [, , alone] = screensWith({ qrcode: 'M8' });
    if (alone === undefined) throw new Error('There is no such screen.');
    expect(itemOf(alone, 'qrcode').module).toBe(3);
  });
});

test('a barcode and a QR code on one screen both scan, with any companion that fits', async () => {
  for (const drawn of screensWith({ barcode: '~!@#$%^&*()_+{}', qrcode: 'Größe 8½ 🔩' })) {
    const read = (await readCodes(drawn.bitmap)).map(({ format, text }) => `${format} ${text}`);
    expect(read.toSorted(), say(drawn)).toEqual(['Code128 ~!@#$%^&*()_+{}', 'QRCode Größe 8½ 🔩']);
  }
});

function say({ content, options }: Drawn): string {
  return JSON.stringify({ ...content, ...options });
}
