import { describe, expect, test } from 'vitest';
import { ARROWS, SCREEN_HEIGHT, type ScreenContent } from '#shared/screen/content.ts';
import { QR_MODULES, QR_QUIET_MODULES } from '#shared/screen/qrcode.ts';
import { inkOf, lay, NEW_FIRMWARE, OLD_FIRMWARE, textOf, theItem } from '../../golden/screenHelpers.ts';

const BARE_67 = { firmware: 67, batteryMv: null };

function sizeOf(line: string, options = NEW_FIRMWARE): number {
  return Number(theItem(lay({ lines: [line] }, options), 'line1', 'text').size);
}

function widthOf(content: Partial<ScreenContent>, owner: string, options = NEW_FIRMWARE): number {
  return lay(content, options).items.find((item) => item.owner === owner)?.width ?? 0;
}

describe('a single element on a screen of firmware 67', () => {
  test('is extra large if it is a text of one to four characters, but not if the text is longer', () => {
    expect(sizeOf('A-12')).toBe(104);
    expect(sizeOf('A-12', OLD_FIRMWARE)).toBe(64);
    expect(sizeOf('A-12', BARE_67)).toBe(104);
    expect(sizeOf('Bolts')).toBe(64);
    expect(theItem(lay({ lines: ['A-12', 'x'] }, NEW_FIRMWARE), 'line1', 'text').size).toBe(44);
  });

  test.for(['8', 'W', 'WWWW', 'ÅĄÇŞ', 'Ωж', '漢字漢字'])('has capitals of 10 mm or higher: %s', (line) => {
    expect(theItem(lay({ lines: [line] }, NEW_FIRMWARE), 'line1', 'text').height).toBeGreaterThanOrEqual(45);
  });

  test.for([
    ['Latin-1', 0xa1, 0xff],
    ['Latin Extended-A', 0x100, 0x17f],
    ['Greek', 0x386, 0x3ce],
    ['Cyrillic', 0x400, 0x45f],
  ] as const)('has capitals of 10 mm or higher with every letter of %s, in a text of four', ([, first, last]) => {
    const letters = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    const low = letters.filter((letter) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) && sizeOf(`g${letter}yW`) < 64);
    expect(low).toEqual([]);
  });

  test.for([
    ['Ầ', 32],
    ['∅', 32],
    ['₿', 16],
  ] as const)('is as large as the largest sheet that has its letters: %s', ([letter, size]) => {
    expect(sizeOf(letter)).toBe(size);
  });

  test.for([5, 42, 99, 120])('has the largest figures and is centered if it is a quantity of %d', (quantity) => {
    const placed = lay({ quantity }, NEW_FIRMWARE);
    const box = theItem(placed, 'quantity', 'frame');
    expect(theItem(placed, 'quantity', 'text').size).toBe(quantity > 99 ? '104' : '136narrow');
    expect(box.x + box.width / 2).toBe(148);
    expect(box.width).toBeGreaterThan(widthOf({ quantity }, 'quantity', OLD_FIRMWARE) * 1.45);
  });

  test.for(ARROWS)('is at the edge or corner that it points to if it is an arrow: %s', (name) => {
    const arrow = theItem(lay({ arrow: name }, NEW_FIRMWARE), 'arrow', 'arrow');
    if (name.endsWith('left')) expect(arrow.x).toBe(6);
    else if (name.endsWith('right')) expect(arrow.x + arrow.width).toBe(290);
    else expect(arrow.x + arrow.width / 2).toBe(148);
    if (name.startsWith('bottom')) expect(arrow.y + arrow.height).toBe(123);
  });

  test.for(ARROWS)('is as high as the body without a header if it is an arrow, with or without a label: %s', (name) => {
    const small = theItem(lay({ arrow: name }, OLD_FIRMWARE), 'arrow', 'arrow');
    for (const content of [{ arrow: name }, { arrow: name, label: 'Hall 3, rack 08, shelf 80, left' }]) {
      const arrow = theItem(lay(content, NEW_FIRMWARE), 'arrow', 'arrow');
      expect(arrow).toMatchObject({ y: 5, height: 118 });
      expect(arrow.width).toBe(name === 'left' || name === 'right' ? 212 : 118);
      expect(arrow.width * arrow.height).toBeGreaterThan(1.3 * small.width * small.height);
    }
  });

  test.for(ARROWS)('leaves label and read-out readable if it is an arrow: %s', (name) => {
    for (const label of ['A-3-2', 'Hall 3, rack 08, shelf 80, left']) {
      const placed = lay({ arrow: name, label }, NEW_FIRMWARE);
      const arrow = theItem(placed, 'arrow', 'arrow');
      const texts = placed.items.filter((item) => item.kind === 'text');
      const words = texts.filter(({ owner }) => owner === 'label').map(textOf);
      expect(words.join(' ')).toBe(label);
      for (const ink of texts.map(inkOf)) expect(ink.right < arrow.x || ink.left >= arrow.x + arrow.width).toBe(true);
    }
  });

  test('if it is a QR code, is as large as the screen height and a full quiet zone allow, and larger than on older firmware', () => {
    const side = QR_MODULES + 2 * QR_QUIET_MODULES;
    const { module } = theItem(lay({ qrcode: 'M8' }, NEW_FIRMWARE), 'qrcode', 'qrcode');
    expect(module).toBe(Math.floor(SCREEN_HEIGHT / side));
    expect(theItem(lay({ qrcode: 'M8' }, OLD_FIRMWARE), 'qrcode', 'qrcode').module).toBe(module - 1);
  });

  test('has three pixels per module and is centered if it is a QR code', () => {
    const code = theItem(lay({ qrcode: 'https://example.com' }, NEW_FIRMWARE), 'qrcode', 'qrcode');
    expect(code).toMatchObject({ module: 3, width: 87, height: 87 });
    expect(Math.abs(code.x + code.width / 2 - 148)).toBeLessThanOrEqual(1);
    expect(Math.abs(code.y + code.height / 2 - 64)).toBeLessThanOrEqual(1);
  });

  test('has 120 pixels and is centered if it is a sign', () => {
    const sign = theItem(lay({ icon: 'hazardd' }, NEW_FIRMWARE), 'icon', 'icon');
    expect(sign).toMatchObject({ size: 120, x: 88, y: 4 });
    expect(theItem(lay({ icon: 'hazardd' }, OLD_FIRMWARE), 'icon', 'icon').size).toBe(96);
  });

  test.for([
    ['A', 4],
    ['A1', 3],
    ['A-1', 3],
    ['A-12-3', 2],
    ['4006381333931', 1],
    ['ABCDEFGHIJKLMNOPQRSTUVW', 1],
  ] as const)(
    'has high bars that are as wide as possible, and its text below, if it is a barcode: %s',
    ([barcode, module]) => {
      const placed = lay({ barcode }, NEW_FIRMWARE);
      const bars = theItem(placed, 'barcode', 'barcode');
      expect(bars.module).toBe(module);
      expect(bars.height).toBeGreaterThanOrEqual(60);
      const text = theItem(placed, 'barcode', 'text');
      expect(textOf(text)).toBe(barcode);
      expect(inkOf(text).top).toBeGreaterThan(inkOf(bars).bottom);
      expect(text.height).toBeGreaterThanOrEqual(12);
    },
  );

  test('on older firmware, is drawn as if other elements were next to it', () => {
    const strip = theItem(lay({ barcode: '4006381333931' }, OLD_FIRMWARE), 'barcode', 'barcode');
    expect(strip).toEqual(theItem(lay({ barcode: '4006381333931', lines: ['x'] }), 'barcode', 'barcode'));
    const code = theItem(lay({ qrcode: 'M8' }, OLD_FIRMWARE), 'qrcode', 'qrcode');
    expect(code).toEqual(theItem(lay({ qrcode: 'M8', barcode: '1' }), 'qrcode', 'qrcode'));
  });
});
