import { describe, expect, test } from 'vitest';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { checkDigitOf } from '#shared/lib/articles/gtin.ts';
import { GS } from '#shared/lib/picking/gs.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import * as fc from '../../helpers/fastCheck.ts';

const GTIN = '09501101020917';
const SPELLINGS = [GTIN, '9501101020917'];

test.each([
  ['a place', ' A-3-2\r', ['A-3-2']],
  ['an order number that begins like a lot', '10418', ['10418']],
  ['control characters around the code', '\x02A-3-2\x03\x04', ['A-3-2']],
  ['an empty scan', ' \r\n', []],
  ['a symbology identifier in front of a place', ']C0A-3-2', [']C0A-3-2', 'A-3-2']],
  ['UPC-A', '036000291452', ['036000291452', '00036000291452', '0036000291452']],
  ['UPC-A written as EAN-13', '0036000291452', ['0036000291452', '00036000291452', '036000291452']],
  ['EAN-13 with its identifier', ']E09501101020917', [']E09501101020917', '9501101020917', GTIN]],
  ['EAN-8', '96385074', ['96385074', '00000096385074', '0000096385074', '000096385074']],
  ['an order number with as many digits as an EAN', '9501101020918', ['9501101020918']],
  ['an order number with as many digits as AI 01', '0109501101020918', ['0109501101020918']],
])('reads %s', (_name, scanned, candidates) => {
  expect(readScan(scanned).candidates).toEqual(candidates);
});

test.each([
  ['bare digits', `01${GTIN}`],
  ['GS1-128', `]C101${GTIN}10AB-12${GS}2177`],
  ['a DataMatrix code', `]d201${GTIN}172701312177${GS}10X`],
  ['a QR code', `]Q301${GTIN}`],
  ['DataBar', `]e001${GTIN}3103001250`],
  ['a leading FNC1', `${GS}01${GTIN}2177`],
  ['FNC1 after the identifier', `]d2${GS}01${GTIN}`],
  ['brackets', `(01)${GTIN}(10)AB(21)77`],
  ['a code after a different element', `310300125001${GTIN}`],
  ['a code after an element of variable length', `]C110LOT${GS}01${GTIN}`],
  ['a different character instead of FNC1', `01${GTIN}10AB{GS}2177~`],
  ['a code with a rest that is not an element', `]C101${GTIN}??`],
  ['a link', `https://id.gs1.org/01/${GTIN}/10/AB?17=270131`],
  ["a shop's link in capitals", `HTTPS://SHOP.EXAMPLE/GO/GTIN/9501101020917`],
  ['a link with an impossible escape', `https://id.gs1.org/01/${GTIN}/10/%E0%A4%A`],
])('finds the GTIN of %s in each length, after the text itself', (_name, scanned) => {
  const { candidates, gtin, checkDigit } = readScan(scanned);
  expect(gtin).toBe(GTIN);
  expect(checkDigit).toBe('right');
  expect(candidates[0]).toBe(scanned.startsWith(GS) ? scanned.slice(1) : scanned);
  expect(candidates.slice(-2)).toEqual(SPELLINGS);
});

test.each([
  ['an item of the supplier', '1PDEMO-1', ['DEMO-1']],
  ['an item of the customer', 'PDEMO-1', ['DEMO-1']],
  ['an item after a symbology identifier', ']C01PDEMO-1', ['DEMO-1']],
  ['a quantity', 'Q10', []],
  ['an article that begins with another letter', 'DEMO-1', []],
  ['an identifier alone', '1P', []],
  ['UPC-E', '04252614', ['042100005264', '00042100005264', '0042100005264']],
  ['EAN-8', '96385074', []],
  ['a label of a distributor', `[)>\x1e06${GS}K4500${GS}1PDEMO-1${GS}PMINE-1${GS}Q10\x1e\x04`, ['MINE-1', 'DEMO-1']],
])('reads %s, unless something has the whole name', (_name, scanned, fallbacks) => {
  const read = readScan(scanned);
  expect(read.fallbacks).toEqual(fallbacks);
  expect(read.candidates[0]).toBe(read.text);
});

test('reads the parts of a label of a distributor, and GS1 elements in such an envelope', () => {
  const { parts } = readScan(`[)>\x1e06${GS}1PDEMO-1${GS}Q10\x1e\x04`);
  expect(parts).toEqual([
    { ai: '1P', title: 'Supplier item', value: 'DEMO-1' },
    { ai: 'Q', title: 'Quantity', value: '10' },
  ]);
  expect(readScan(`[)>\x1e05${GS}01${GTIN}${GS}10AB\x1e\x04`)).toMatchObject({ gtin: GTIN, checkDigit: 'right' });
});

describe('the parts of a GS1 code', () => {
  test('have the titles of GS1, and dates without a time zone', () => {
    expect(readScan(`]C101${GTIN}17270131310300125010AB-12${GS}2177`).parts).toEqual([
      { ai: '01', title: 'GTIN', value: GTIN },
      { ai: '17', title: 'USE BY OR EXPIRY', value: '2027-01-31' },
      { ai: '3103', title: expect.any(String), value: '1.25 KGM' },
      { ai: '10', title: expect.any(String), value: 'AB-12' },
      { ai: '21', title: 'SERIAL', value: '77' },
    ]);
  });

  test('are read from a link too', () => {
    const { parts } = readScan(`https://id.gs1.org/01/9501101020917/10/AB%2F1?17=270131&utm=x`);
    expect(parts.map(({ ai, value }) => [ai, value])).toEqual([
      ['01', GTIN],
      ['10', 'AB/1'],
      ['17', '2027-01-31'],
    ]);
  });
});

test('reports a wrong check digit, and still tries a GTIN that the scanner marked', () => {
  expect(readScan('9501101020918')).toMatchObject({ checkDigit: 'wrong', expectedDigit: '7', gtin: '' });
  expect(readScan(']C10109501101020918')).toMatchObject({ checkDigit: 'wrong', gtin: '09501101020918' });
  for (const mark of [']C1', GS, `\x02${GS}`]) {
    expect(readScan(`${mark}0109501101020918`).candidates).toContain('9501101020918');
  }
  expect(readScan('A-3-2')).toMatchObject({ checkDigit: 'none', expectedDigit: '' });
});

const digits = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count }).map((each) => each.join(''));
const gtins = fc
  .tuple(fc.constantFrom('', '0', '00', '000000'), digits(13))
  .map(([zeros, body]) => (zeros + body).slice(0, 13))
  .map((body) => body + checkDigitOf(body));
const serials = fc.stringMatching(/^[A-Za-z0-9-]{1,20}$/);

test('every form of a GTIN gives the same codes to search for', () => {
  fc.assert(
    fc.property(gtins, serials, serials, (gtin, lot, serial) => {
      const plain = new Set(readScan(gtin).candidates);
      const dresses = [
        `]C101${gtin}10${lot}${GS}21${serial}`,
        `]d201${gtin}21${serial}${GS}10${lot}`,
        `${GS}10${lot}${GS}01${gtin}`,
        `(01)${gtin}(10)${lot}`,
        `https://id.gs1.org/01/${gtin}/10/${lot}`,
      ];
      for (const dress of dresses) {
        const found = readScan(dress);
        expect(found.gtin).toBe(gtin);
        for (const code of plain) expect(found.candidates).toContain(code);
      }
    }),
  );
});

test('detects any single wrong digit', () => {
  fc.assert(
    fc.property(gtins, fc.nat(13), fc.integer({ min: 1, max: 9 }), (gtin, at, more) => {
      const wrong = gtin.slice(0, at) + String((Number(gtin[at]) + more) % 10) + gtin.slice(at + 1);
      expect(readScan(wrong).checkDigit).toBe('wrong');
    }),
  );
});

test('for any text, tries the text itself first, and no code twice', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('01', GTIN, ']C1', GS, '(01)', '(10)', 'https://x/', '01/', '%', '\r', 'a'), {
        maxLength: 8,
      })
      .map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { candidates, text: kept } = readScan(text);
      expect(candidates[0] ?? '').toBe(nameKey(kept) === '' ? '' : kept);
      expect(new Set(candidates.map(nameKey)).size).toBe(candidates.length);
    }),
  );
});
