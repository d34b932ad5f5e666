import { describe, expect, test } from 'vitest';
import { ARROWS } from '#shared/screen/content.ts';
import { formatQuantity } from '#shared/screen/graphicArea.ts';
import { inkOf, lay, NEW_FIRMWARE, OLD_FIRMWARE, textOf, textsOf, theItem } from '../golden/screenHelpers.ts';

const SIX_ELEMENTS_HIGH = ['Hex bolt M8x40', 'DIN 933 8.8', 'zinc plated', 'box of 100', 'shelf 24'];

describe('the header', () => {
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
  ] as const)('reads %i mV as %s', ([batteryMv, text]) => {
    expect(textOf(theItem(lay({}, { firmware: 70, batteryMv }), 'battery', 'text'))).toBe(text);
  });

  test('shows no voltage that is not known', () => {
    expect(textsOf(lay({}, { firmware: 70, batteryMv: null }), 'battery')).toEqual([]);
    expect(textsOf(lay({}, { firmware: 70, batteryMv: NaN }), 'battery')).toEqual([]);
  });

  test('cuts a label that is too long before the voltage', () => {
    const placed = lay({ label: 'Workshop hall 3, rack 12, shelf 4, far left' });
    const label = theItem(placed, 'label', 'text');
    expect(textOf(label)).toMatch(/^Workshop hall 3.*…$/);
    expect(inkOf(label).right).toBeLessThan(inkOf(theItem(placed, 'battery', 'text')).left - 4);
  });

  test('leaves its place to the text when there is nothing in it', () => {
    const withHeader = theItem(lay({ lines: ['M8', 'x'] }), 'line1', 'text');
    const without = theItem(lay({ label: '', lines: ['M8', 'x'] }, { firmware: 70, batteryMv: null }), 'line1', 'text');
    expect(without.y).toBeLessThan(withHeader.y);
  });
});

describe('text lines', () => {
  test('are as large as width and height allow, the first larger than the others, which are alike', () => {
    const placed = lay({ lines: ['M8 washer', 'DIN 125 zinc', 'on hand 240'] });
    const sizes = ['line1', 'line2', 'line3'].map((line) => theItem(placed, line, 'text').size);
    expect(sizes).toEqual([44, 24, 24]);
  });

  test('get smaller with their length', () => {
    const sizeOf = (line: string) => theItem(lay({ lines: [line] }), 'line1', 'text').size;
    expect(
      ['Bolt', 'M8 washer', 'Cable tie 200', 'Cable gland M20x1.5', 'Cable gland M20x1.5 IP68 b'].map(sizeOf),
    ).toEqual([64, 44, 32, 24, 17]);
  });

  test.for([
    ['the whole width', {}],
    ['beside a quantity', { quantity: 12 }],
    ['beside a quantity and an arrow', { quantity: 12, arrow: 'left' }],
    ['beside a quantity and an arrow, above a barcode', { quantity: 12, arrow: 'right', barcode: '12345' }],
  ] as const)('of 26 characters are whole in %s', ([, content]) => {
    for (const options of [OLD_FIRMWARE, NEW_FIRMWARE]) {
      const line = theItem(lay({ ...content, lines: ['W'.repeat(26)] }, options), 'line1', 'text');
      expect(textOf(line)).toBe('W'.repeat(26));
      expect(inkOf(line).right).toBeLessThanOrEqual(290);
    }
  });

  test('of more than 26 characters are cut there', () => {
    expect(textOf(theItem(lay({ lines: ['abcdefghijklmnopqrstuvwxyzABC'] }), 'line1', 'text'))).toBe(
      'abcdefghijklmnopqrstuvwxyz',
    );
  });

  test('keep the slot of an empty one before them', () => {
    const three = theItem(lay({ lines: ['Ear muffs', 'x', 'on hand 12'] }), 'line3', 'text');
    const two = lay({ lines: ['Ear muffs', '', 'on hand 12'] });
    expect(theItem(two, 'line3', 'text')).toEqual(three);
    expect(textsOf(two, 'line2')).toEqual([]);
  });

  test('need no place for empty ones after them', () => {
    expect(lay({ lines: ['M8 nut', 'DIN 934', '', '', ''] })).toEqual(lay({ lines: ['M8 nut', 'DIN 934'] }));
  });

  test.for([
    ['five', { lines: SIX_ELEMENTS_HIGH }],
    ['four beside a quantity', { lines: SIX_ELEMENTS_HIGH.slice(0, 4), quantity: 5 }],
    ['four above a barcode', { lines: SIX_ELEMENTS_HIGH.slice(0, 4), barcode: '12345' }],
    ['three with accents and tails', { lines: ['ÅÄÇg', 'ÅÄÇgjpq', 'ŻŹĆŞ'] }],
  ] as const)('never touch each other or the header: %s', ([, content]) => {
    const texts = lay(content).items.filter((item) => item.kind === 'text' && item.owner.startsWith('line'));
    expect(texts).toHaveLength(content.lines.length);
    const inks = texts.map(inkOf);
    expect(inks[0]?.top).toBeGreaterThanOrEqual(22);
    for (const [index, ink] of inks.slice(1).entries())
      expect(ink.top - (inks[index]?.bottom ?? 0)).toBeGreaterThanOrEqual(3);
    expect(inks.at(-1)?.bottom).toBeLessThanOrEqual('barcode' in content ? 88 : 123);
  });

  test('prefer a size that has all their characters', () => {
    const plain = theItem(lay({ lines: ['Fi 12', 'x'] }), 'line1', 'text').size;
    const vietnamese = theItem(lay({ lines: ['Bú lông ở đây', 'x'] }), 'line1', 'text').size;
    expect(plain).toBe(44);
    expect(vietnamese).toBe(32);
  });
});

describe('a quantity', () => {
  test.for([
    [0, '0'],
    [99, '99'],
    [100, '99+'],
    [1e9, '99+'],
    [7.9, '7'],
    [-1, '?'],
    [NaN, '?'],
  ] as const)('of %d is drawn %s', ([quantity, text]) => {
    expect(formatQuantity(quantity)).toBe(text);
  });

  test('stands in the middle of its box', () => {
    const placed = lay({ quantity: 12, lines: ['M8 nut'] });
    const box = theItem(placed, 'quantity', 'frame');
    const ink = inkOf(theItem(placed, 'quantity', 'text'));
    expect(Math.abs(ink.left - box.x - (box.x + box.width - ink.right))).toBeLessThanOrEqual(1);
    expect(Math.abs(ink.top - box.y - (box.y + box.height - ink.bottom))).toBeLessThanOrEqual(2);
  });

  test.for([5, 12, 88, 120])('of %d keeps clear of its box, alone or beside an arrow and a barcode', (quantity) => {
    for (const content of [{}, { lines: ['x'] }, { arrow: 'left' }, { arrow: 'left', barcode: '1' }] as const) {
      const placed = lay({ ...content, quantity }, NEW_FIRMWARE);
      const box = theItem(placed, 'quantity', 'frame');
      const ink = inkOf(theItem(placed, 'quantity', 'text'));
      expect(ink.left - box.x - box.border).toBeGreaterThanOrEqual(3);
      expect(box.x + box.width - box.border - ink.right).toBeGreaterThanOrEqual(3);
      expect(ink.top - box.y - box.border).toBeGreaterThanOrEqual(2);
      expect(box.y + box.height - box.border - ink.bottom).toBeGreaterThanOrEqual(2);
    }
  });
});

describe('firmware 67 and newer', () => {
  test('draws a text of one to four characters alone extra large, and only then', () => {
    const sizeOf = (line: string, options = NEW_FIRMWARE) =>
      theItem(lay({ lines: [line] }, options), 'line1', 'text').size;
    expect(sizeOf('A-12')).toBe(104);
    expect(sizeOf('A-12', OLD_FIRMWARE)).toBe(64);
    expect(sizeOf('A-12', { firmware: 67, batteryMv: null })).toBe(104);
    expect(sizeOf('Bolts')).toBe(64);
    expect(theItem(lay({ lines: ['A-12', 'x'] }, NEW_FIRMWARE), 'line1', 'text').size).toBe(44);
  });

  test('draws a quantity alone extra large, in the middle', () => {
    const placed = lay({ quantity: 42 }, NEW_FIRMWARE);
    const box = theItem(placed, 'quantity', 'frame');
    expect(theItem(placed, 'quantity', 'text').size).toBe(104);
    expect(box.x + box.width / 2).toBe(148);
    const older = lay({ quantity: 42 }, OLD_FIRMWARE);
    expect(theItem(older, 'quantity', 'text').size).toBe(64);
    expect(theItem(older, 'quantity', 'frame').x).toBe(6);
  });

  test.for(ARROWS)('moves an arrow alone to its corner: %s', (name) => {
    const arrow = theItem(lay({ arrow: name }, NEW_FIRMWARE), 'arrow', 'arrow');
    const centre = arrow.x + arrow.width / 2;
    if (name.endsWith('left')) expect(arrow.x).toBe(6);
    else if (name.endsWith('right')) expect(arrow.x + arrow.width).toBe(290);
    else expect(centre).toBe(148);
  });

  test.for(ARROWS)('puts the graphic area at the right edge for an arrow that points right: %s', (name) => {
    const placed = lay({ arrow: name, lines: ['M8 nut'] }, NEW_FIRMWARE);
    const arrow = theItem(placed, 'arrow', 'arrow');
    const text = inkOf(theItem(placed, 'line1', 'text'));
    if (name.endsWith('right')) expect(text.right).toBeLessThan(arrow.x);
    else expect(text.left).toBeGreaterThan(arrow.x + arrow.width);
  });

  test('puts an arrow that points up above the quantity, older firmware below', () => {
    const content = { arrow: 'topleft', quantity: 5, lines: ['x'] } as const;
    const [placed, older] = [lay(content, NEW_FIRMWARE), lay(content, OLD_FIRMWARE)];
    expect(theItem(placed, 'arrow', 'arrow').y).toBeLessThan(theItem(placed, 'quantity', 'frame').y);
    expect(theItem(older, 'arrow', 'arrow').y).toBeGreaterThan(theItem(older, 'quantity', 'frame').y);
  });

  test('puts an arrow that points left before the quantity where they stand side by side', () => {
    const placed = lay({ arrow: 'left', quantity: 5, barcode: '12345' }, NEW_FIRMWARE);
    expect(theItem(placed, 'arrow', 'arrow').x).toBeLessThan(theItem(placed, 'quantity', 'frame').x);
  });
});

describe('older firmware', () => {
  test.for(ARROWS)('draws the arrow %s in the middle of the graphic area at the left', (name) => {
    const arrow = theItem(lay({ arrow: name, lines: ['M8 nut'] }, OLD_FIRMWARE), 'arrow', 'arrow');
    expect(arrow.x + arrow.width / 2).toBe(58);
  });
});

describe('what has no drawing yet', () => {
  test('a barcode keeps the strip at the bottom and says its text there', () => {
    const placed = lay({ barcode: '4006381333931', quantity: 5, lines: ['M8 nut'] });
    const strip = theItem(placed, 'barcode', 'frame');
    expect(textOf(theItem(placed, 'barcode', 'text'))).toBe('4006381333931');
    expect(strip.y + strip.height).toBe(123);
    const box = theItem(placed, 'quantity', 'frame');
    expect(box.y + box.height).toBeLessThan(strip.y);
  });

  test.for(['qrcode', 'icon'] as const)(
    'a %s says its text in a box in the graphic area, over several rows',
    (name) => {
      const placed = lay({ [name]: 'https://example.com/part/4711', lines: ['x'] });
      expect(textsOf(placed, name).map(textOf).join('')).toBe('https://example.com/part/4711');
      expect(theItem(placed, name, 'frame').x).toBe(6);
    },
  );
});
