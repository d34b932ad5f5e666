import { expect, test } from 'vitest';
import { boxedElements, countElements, EMPTY_SCREEN, listElements } from '#shared/screen/content.ts';

test('an empty screen has no elements, even with a label', () => {
  expect(countElements({ ...EMPTY_SCREEN, label: 'A-3-2' })).toBe(0);
});

test('each line, graphic and code takes one slot; an empty line takes none', () => {
  const content = { ...EMPTY_SCREEN, lines: ['M8 nut', '', 'DIN 934'], quantity: 0, barcode: '4006381333931' };
  expect(listElements(content)).toEqual(['line1', 'line3', 'quantity', 'barcode']);
  expect(countElements(content)).toBe(4);
});

test('quantity, QR code, arrow and icon are boxed; lines and a barcode are not', () => {
  const all = {
    ...EMPTY_SCREEN,
    lines: ['x'],
    quantity: 1,
    arrow: 'left',
    qrcode: 'q',
    icon: 'a',
    barcode: 'b',
  } as const;
  expect(boxedElements(all)).toEqual(['quantity', 'qrcode', 'arrow', 'icon']);
});
