import { describe, expect, test, vi } from 'vitest';
import { sheetOf } from '#shared/screen/sheets.ts';
import {
  drawByOwner,
  findOverlap,
  inkOf,
  lay,
  NEW_FIRMWARE,
  textOf,
  textsOf,
  theItem,
} from '../../golden/screenHelpers.ts';

const LONG_LABEL = 'Workshop hall 3, rack 12, shelf 4, far left';

/** Counts the glyph lookups during the layout of this content. */
function lookups(content: Parameters<typeof lay>[0]): number {
  const spies = ([15, 16, 17] as const).map((size) => vi.spyOn(sheetOf(size), 'findGlyph'));
  lay(content);
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  vi.restoreAllMocks();
  return count;
}

describe('the header', () => {
  test('with accented capitals and tails does not overlap the lines below', () => {
    for (const label of ['gẦ', 'Qǖ Ầ', 'ģ Ṍ, rack 12, '.repeat(4)])
      for (const lines of [['W'], ['W', 'Ầ'], ['W', 'Ầ', '('], ['gẦ', 'gẦ', 'gẦ', 'gẦ']])
        for (const [barcode, qrcode] of [
          ['1', ''],
          ['', ''],
          ['1', 'x'],
        ] as const) {
          if (lines.length + (qrcode === '' ? 0 : 1) > 4) continue;
          expect(findOverlap(drawByOwner(lay({ label, lines, barcode, qrcode })))).toBeUndefined();
        }
  });

  test('limits the work for a label of a thousand characters', () => {
    for (const letter of ['W', 'i', 'a ', '漢'])
      for (const content of [{ lines: ['x'] }, { quantity: 3 }, { quantity: 120, barcode: '1', lines: ['x'] }])
        expect(lookups({ ...content, label: letter.repeat(1_000) })).toBeLessThan(100_000);
  });

  test('truncates a label of a thousand narrow letters with an ellipsis', () => {
    for (const content of [{ lines: ['x'] }, { quantity: 3 }, { icon: 'hazardd' }, {}]) {
      const texts = textsOf(lay({ ...content, label: 'i'.repeat(1_000) }), 'label').map(textOf);
      expect(texts.join('')).toMatch(/^i+…$/);
    }
  });

  test.for([40, 47, 60, 74, 78, 84, 90, 200])('breaks a word of %i letters without inserting a space', (length) => {
    for (const content of [{ lines: ['x'] }, { qrcode: 'x' }, { qrcode: 'x', lines: ['x'] }, { icon: 'hazardd' }, {}]) {
      const rows = textsOf(lay({ ...content, label: 'ABCDEFGHIJ'.repeat(20).slice(0, length) }), 'label').map(textOf);
      expect('ABCDEFGHIJ'.repeat(20)).toContain(rows.join('').replace(/…$/, ''));
    }
  });

  test('has the label on the left and the battery in volts on the right', () => {
    const placed = lay({ label: 'A-3-2' }, { firmware: 70, batteryMv: 2_984 });
    const label = theItem(placed, 'label', 'text');
    const battery = theItem(placed, 'battery', 'text');
    expect(textOf(label)).toBe('A-3-2');
    expect(textOf(battery)).toBe('2.98 V');
    expect(inkOf(label).left).toBe(6);
    expect(inkOf(battery).right).toBe(290);
  });

  test.for([
    [3_000, '3.00 V'],
    [2_985, '2.99 V'],
    [950, '0.95 V'],
  ] as const)('shows %i mV as %s', ([batteryMv, text]) => {
    expect(textOf(theItem(lay({}, { firmware: 70, batteryMv }), 'battery', 'text'))).toBe(text);
  });

  test('does not show an unknown or invalid voltage', () => {
    expect(textsOf(lay({}, { firmware: 70, batteryMv: null }), 'battery')).toEqual([]);
    for (const batteryMv of [NaN, Infinity, -1, 1e9])
      expect(textsOf(lay({}, { firmware: 70, batteryMv }), 'battery')).toEqual([]);
  });

  test('truncates a label before the voltage if the lines need all the space', () => {
    const placed = lay({ label: LONG_LABEL, lines: ['a', 'b', 'c', 'd', 'e'] });
    const label = theItem(placed, 'label', 'text');
    expect(textOf(label)).toMatch(/^Workshop hall 3.*…$/);
    expect(inkOf(label).right).toBeLessThan(inkOf(theItem(placed, 'battery', 'text')).left - 4);
  });

  test('leaves its space to the lines when it is empty', () => {
    const withHeader = theItem(lay({ lines: ['M8', 'x'] }), 'line1', 'text');
    const without = theItem(lay({ label: '', lines: ['M8', 'x'] }, { firmware: 70, batteryMv: null }), 'line1', 'text');
    expect(without.y).toBeLessThan(withHeader.y);
  });

  test.for([
    ['Hall 3, rack 12, left', 17],
    ['WAREHOUSE 3, RACK 12, NO 4', 16],
    ['WAREHOUSE 3, RACK 12, SHELF 4, LEFT', 15],
  ] as const)('makes a longer label smaller before it truncates it: %s', ([label, size]) => {
    const text = theItem(lay({ label }), 'label', 'text');
    expect(textOf(text)).toBe(label);
    expect(text.size).toBe(size);
  });

  test.for([
    ['across the whole width', { lines: ['M8 nut', 'DIN 934'] }],
    ['next to a QR code', { lines: ['M8 nut', 'DIN 934'], qrcode: 'M8' }],
    ['next to two graphics', { lines: ['M8 nut'], quantity: 5, icon: 'hazardd' }],
    ['above a barcode', { lines: ['M8 nut'], barcode: '12345' }],
  ] as const)('has a second row for a label that is too long for one: %s', ([, content]) => {
    const placed = lay({ ...content, label: LONG_LABEL });
    const rows = textsOf(placed, 'label');
    expect(rows.map(textOf).join(' ')).toBe(LONG_LABEL);
    expect(rows).toHaveLength(2);
    const lowest = Math.max(...rows.map((row) => inkOf(row).bottom));
    expect(inkOf(theItem(placed, 'line1', 'text')).top).toBeGreaterThan(lowest);
  });

  test('is next to a QR code that reaches up beside it, and next to two graphics', () => {
    for (const content of [{ qrcode: 'M8' }, { qrcode: 'M8', quantity: 5 }, { quantity: 5, icon: 'hazardd' }]) {
      const placed = lay({ ...content, lines: ['M8 nut'] });
      const graphics = placed.items.filter((item) => ['qrcode', 'quantity', 'icon'].includes(item.owner));
      const right = Math.max(...graphics.map((item) => inkOf(item).right));
      expect(inkOf(theItem(placed, 'label', 'text')).left).toBeGreaterThan(right);
      // The label and the lines share one left edge.
      expect(inkOf(theItem(placed, 'label', 'text')).left).toBe(inkOf(theItem(placed, 'line1', 'text')).left);
    }
  });
});

describe('the label next to a single sign or code', () => {
  test.for(['qrcode', 'icon'] as const)('is broken at spaces and complete: %s', (name) => {
    const placed = lay({ [name]: 'hazardd', label: LONG_LABEL }, NEW_FIRMWARE);
    const rows = textsOf(placed, 'label');
    expect(rows.map(textOf).join(' ')).toBe(LONG_LABEL);
    expect(rows.length).toBeGreaterThan(2);
    const left = placed.items.find((item) => item.owner === name)?.x ?? 0;
    for (const row of rows) expect(inkOf(row).right).toBeLessThan(left);
  });

  test('is broken inside a word that is longer than a row', () => {
    const rows = textsOf(lay({ icon: 'hazardd', label: 'WAREHOUSE-3-RACK-12' }, NEW_FIRMWARE), 'label');
    expect(rows.map(textOf).join('')).toBe('WAREHOUSE-3-RACK-12');
  });

  test('is truncated only when the column is full', () => {
    const rows = textsOf(lay({ icon: 'hazardd', label: 'shelf '.repeat(30) }, NEW_FIRMWARE), 'label');
    expect(textOf(rows.at(-1) ?? theItem(lay({}), 'label', 'text'))).toMatch(/…$/);
    expect(inkOf(rows.at(-1) ?? theItem(lay({}), 'label', 'text')).bottom).toBeLessThanOrEqual(123);
  });
});
