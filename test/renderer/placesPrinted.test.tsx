import { expect, test } from 'vitest';
import { COLUMNS, formatOf, intoSheets, nameBox, PAPERS } from '../../renderer/src/shop/place/labelSheets.ts';
import { labelCode } from '../../renderer/src/kit/print/labelCode.ts';
import { namePoints } from '../../renderer/src/shop/place/PrintView.tsx';

const BOX = { width: 80, height: 20 };

test('short names print as large as possible, and longer ones smaller', () => {
  expect(namePoints('A-1', BOX)).toBe(44);
  const sizes = ['A-1', 'Cable ties, black', 'Cable ties, black 200 mm, box of 1000 pieces (new)'].map((name) =>
    namePoints(name, BOX),
  );
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(new Set(sizes).size).toBe(3);
  expect(namePoints('x'.repeat(1_000), BOX)).toBe(7);
});

test('wide letters reduce the size more than narrow ones, and accents do not count', () => {
  expect(namePoints('WWWWWWWW', BOX)).toBeLessThan(namePoints('llllllll', BOX));
  expect(namePoints('Kệ hàng số 12', BOX)).toBe(namePoints('Ke hang so 12', BOX));
});

test('keeps a word whole unless it would become too small to read', () => {
  const low = { width: 40, height: 8 };
  const high = { width: 40, height: 20 };
  expect(namePoints('Schraubenkiste', high)).toBe(namePoints('Schraubenkiste', low));
  expect(namePoints('Donaudampfschifffahrtsgesellschaftskapitän', high)).toBeGreaterThan(7);
});

test('a letter that does not fit at the end of a line leaves its room empty there', () => {
  // Three lines are allowed, so four letters need room for two of them in a line. A W is about 1.12 heights wide.
  const points = namePoints('WWWW', { width: 15, height: 30 });
  expect(Math.floor(15 / (points * 0.3528 * 1.12))).toBeGreaterThanOrEqual(2);
});

test.each(PAPERS)('on %s all parts of a label fit, and no bar is finer than a printer can print', (paper) => {
  for (const columns of COLUMNS) {
    const format = formatOf(paper, columns);
    const { label, barcode, qrcode } = format;
    expect(label.width * format.columns + 2 * format.margin).toBeCloseTo(format.page.width);
    expect(label.height * format.rows + 2 * format.margin).toBeCloseTo(format.page.height);
    for (const kind of ['barcode', 'qrcode', 'none'] as const) expect(nameBox(format, kind).height).toBeGreaterThan(8);
    for (const text of ['A-1', '51D000:000001', 'Shelf 7, left side', '12345678901234567890123', 'Größe']) {
      const code = labelCode(text, format);
      if (code.kind === 'problem') throw new Error(`${text} has no code`);
      const side = code.kind === 'barcode' ? barcode.width : qrcode;
      expect(side / code.modules, text).toBeGreaterThanOrEqual(0.25);
    }
    expect(labelCode('x'.repeat(54), format).kind).toBe('problem');
  }
});

test('on a roll each label is its own page, and the last sheet holds the remaining labels', () => {
  const labels = Array.from({ length: 13 }, (_, index) => index);
  expect(intoSheets(labels, formatOf('roll62', 3))).toHaveLength(13);
  expect(intoSheets(labels, formatOf('a4', 2)).map(({ length }) => length)).toEqual([12, 1]);
});
