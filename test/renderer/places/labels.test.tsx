import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { COLUMNS, formatOf, intoSheets, textBox, PAPERS } from '../../../renderer/src/shop/labels/labelSheets.ts';
import { listContents, slotContents } from '../../../renderer/src/shop/labels/labelContents.ts';
import { labelCode } from '../../../renderer/src/kit/print/labelCode.ts';
import { textPoints } from '../../../renderer/src/shop/labels/textPoints.ts';
import { device } from '../support.tsx';
import { openNames } from './placeNamesSupport.tsx';

const BOX = { width: 80, height: 20 };

test('prints short names as large as possible, and longer names smaller', () => {
  expect(textPoints('A-1', BOX)).toBe(44);
  const sizes = ['A-1', 'Cable ties, black', 'Cable ties, black 200 mm, box of 1000 pieces (new)'].map((name) =>
    textPoints(name, BOX),
  );
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(new Set(sizes).size).toBe(3);
  expect(textPoints('x'.repeat(1_000), BOX)).toBe(7);
});

test('wide letters reduce the font size more than narrow ones, and accents have no effect', () => {
  expect(textPoints('WWWWWWWW', BOX)).toBeLessThan(textPoints('llllllll', BOX));
  expect(textPoints('Kệ hàng số 12', BOX)).toBe(textPoints('Ke hang so 12', BOX));
});

test('breaks a word only if it would otherwise become too small to read', () => {
  const low = { width: 40, height: 8 };
  const high = { width: 40, height: 20 };
  expect(textPoints('Schraubenkiste', high)).toBe(textPoints('Schraubenkiste', low));
  expect(textPoints('Donaudampfschifffahrtsgesellschaftskapitän', high)).toBeGreaterThan(7);
});

test('allows for the space left at the end of a line where the next letter does not fit', () => {
  // With three lines at most, one line must hold two of the four letters. A W is about 1.12 times as wide as high.
  const points = textPoints('WWWW', { width: 15, height: 30 });
  expect(Math.floor(15 / (points * 0.3528 * 1.12))).toBeGreaterThanOrEqual(2);
});

test.each(PAPERS)('on %s, all parts of a label fit, and no bar is narrower than a printer can print', (paper) => {
  for (const columns of COLUMNS) {
    const format = formatOf(paper, columns);
    const { label, barcode, qrcode } = format;
    expect(label.width * format.columns + 2 * format.margin).toBeCloseTo(format.page.width);
    expect(label.height * format.rows + 2 * format.margin).toBeCloseTo(format.page.height);
    for (const kind of ['barcode', 'qrcode', 'none'] as const)
      expect(textBox(format, kind, true).height).toBeGreaterThan(8);
    for (const text of ['A-1', '51D000:000001', 'Shelf 7, left side', '12345678901234567890123', 'Größe']) {
      const code = labelCode(text, format);
      if (code.kind === 'problem') throw new Error(`${text} has no code`);
      const side = code.kind === 'barcode' ? barcode.width : qrcode;
      expect(side / code.modules, text).toBeGreaterThanOrEqual(0.25);
    }
    expect(labelCode('x'.repeat(54), format).kind).toBe('problem');
  }
});

test('on a roll, each label is a page; on sheets, the last one holds the remaining labels', () => {
  const labels = Array.from({ length: 13 }, (_, index) => index);
  expect(intoSheets(labels, formatOf('roll62', 3))).toHaveLength(13);
  expect(intoSheets(labels, formatOf('a4', 2)).map(({ length }) => length)).toEqual([12, 1]);
});

const TIE = {
  id: 1,
  sku: 'CT-200',
  name: 'Cable tie 200',
  description: 'black',
  barcodes: [
    { code: 'CT-200-BOX', quantity: 100 },
    { code: '4006381333931', quantity: 1 },
  ],
  picture: '/api/articles/CT-200/picture/?v=1',
  places: [{ location: 'a-1' }, { location: 'Reserve 4' }],
};
const NUT = { ...TIE, id: 2, sku: 'N-8', name: null, barcodes: [], picture: null, places: [{ location: 'A-1' }] };
const SHELVES = [
  { key: '51D000:000001', name: 'A-1', deviceid: '51D000:000001' },
  { key: '51D000:000002', name: 'A-2', deviceid: '51D000:000002' },
];

test('explains that labels have a QR code because of the length or the letters of their text', async () => {
  const labels = ['A-1-1', 'Tür-1', 'Tür-2', 'Shelf by the door on the left'];
  const devices = labels.map((label, index) =>
    device(`51D000:00000${index + 1}`, { locationoverride: label, location: label }),
  );
  await openNames({}, { devices, aliases: [] }, '/places/print');
  await screen.findByText('1 label has a QR code because the text is too long for a barcode.');
  expect(
    screen.getByText('2 labels have a QR code because a barcode cannot contain letters such as ä or é.'),
  ).toBeTruthy();
});

test('an article label has the barcode of a single piece, or else the SKU, but never the barcode of a pack', () => {
  expect(listContents('article', SHELVES, [TIE, NUT], true)).toEqual([
    {
      key: '1',
      title: 'Cable tie 200',
      detail: 'black',
      foot: 'CT-200',
      picture: TIE.picture,
      codes: { article: '4006381333931' },
    },
    { key: '2', title: 'N-8', detail: '', foot: 'N-8', picture: null, codes: { article: 'N-8' } },
  ]);
});

test('prints one label per place and article, and includes places without a device unless places were chosen', () => {
  const titles = (isAll: boolean) =>
    listContents('both', SHELVES, [TIE, NUT], isAll).map(({ title, detail, codes }) => [title, detail, codes.place]);
  expect(titles(true)).toEqual([
    ['A-1', 'Cable tie 200', 'A-1'],
    ['A-1', 'N-8', 'A-1'],
    ['Reserve 4', 'Cable tie 200', 'Reserve 4'],
  ]);
  expect(titles(false)).toHaveLength(2);
});

test('prints one label with the code of the cart, and one for each slot', () => {
  const slots = [
    { slot: 'A1', code: 'CART-1-A1', deviceid: null, back_deviceid: null },
    { slot: 'A2', code: null, deviceid: null, back_deviceid: null },
  ];
  expect(slotContents({ name: 'Cart 1', code: 'CART-1', slots })).toEqual([
    { key: 'all', title: 'Cart 1', detail: '', foot: 'CART-1', picture: null, codes: { slot: 'CART-1' } },
    { key: 'slot A1', title: 'A1', detail: 'Cart 1', foot: 'CART-1-A1', picture: null, codes: { slot: 'CART-1-A1' } },
    { key: 'slot A2', title: 'A2', detail: 'Cart 1', foot: '', picture: null, codes: {} },
  ]);
});
