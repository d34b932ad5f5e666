import { describe, expect, test } from 'vitest';
import { countMissing } from '#shared/screen/text.ts';
import { inkOf, lay, NEW_FIRMWARE, OLD_FIRMWARE, textOf, textsOf, theItem } from '../../golden/screenHelpers.ts';

const FIVE_LINES = ['Hex bolt M8x40', 'DIN 933 8.8', 'zinc plated', 'box of 100', 'shelf 24'];

describe('text lines', () => {
  test('are as large as width and height allow, the first larger than the others, which have one size', () => {
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

  test('use no size that lacks one of their letters', () => {
    for (const letter of ['Ầ', 'ѣ', '∅', '₿']) {
      const lines = [`${letter}a`, 'b', `c${letter}`];
      for (const content of [
        { lines },
        { lines, quantity: 1 },
        { lines: [letter, letter] },
        { lines: [`${letter}aaaaa`] },
      ]) {
        for (const item of lay(content).items) {
          if (item.kind !== 'text') continue;
          expect(countMissing(item.codes, item.size), `${textOf(item)} in ${item.size}`).toBe(0);
        }
      }
    }
  });

  test.for([
    ['the whole width', {}],
    ['next to a quantity', { quantity: 12 }],
    ['next to a quantity and an arrow', { quantity: 12, arrow: 'left' }],
    ['next to a quantity and an arrow, above a barcode', { quantity: 12, arrow: 'right', barcode: '12345' }],
  ] as const)('of 26 characters are drawn completely: %s', ([, content]) => {
    for (const options of [OLD_FIRMWARE, NEW_FIRMWARE]) {
      const line = theItem(lay({ ...content, lines: ['W'.repeat(26)] }, options), 'line1', 'text');
      expect(textOf(line)).toBe('W'.repeat(26));
      expect(inkOf(line).right).toBeLessThanOrEqual(290);
    }
  });

  test('of more than 26 characters are cut at 26', () => {
    expect(textOf(theItem(lay({ lines: ['abcdefghijklmnopqrstuvwxyzABC'] }), 'line1', 'text'))).toBe(
      'abcdefghijklmnopqrstuvwxyz',
    );
  });

  test('keep the slot of an empty line before them', () => {
    const three = theItem(lay({ lines: ['Ear muffs', 'x', 'on hand 12'] }), 'line3', 'text');
    const two = lay({ lines: ['Ear muffs', '', 'on hand 12'] });
    expect(theItem(two, 'line3', 'text')).toEqual(three);
    expect(textsOf(two, 'line2')).toEqual([]);
  });

  test('need no space for empty lines after them', () => {
    expect(lay({ lines: ['M8 nut', 'DIN 934', '', '', ''] })).toEqual(lay({ lines: ['M8 nut', 'DIN 934'] }));
  });

  test.for([
    ['five', { lines: FIVE_LINES }],
    ['four next to a quantity', { lines: FIVE_LINES.slice(0, 4), quantity: 5 }],
    ['four above a barcode', { lines: FIVE_LINES.slice(0, 4), barcode: '12345' }],
    ['three with accents and descenders', { lines: ['ÅÄÇg', 'ÅÄÇgjpq', 'ŻŹĆŞ'] }],
  ] as const)('never touch each other or the header: %s', ([, content]) => {
    const texts = lay(content).items.filter((item) => item.kind === 'text' && item.owner.startsWith('line'));
    expect(texts).toHaveLength(content.lines.length);
    const inks = texts.map(inkOf);
    expect(inks[0]?.top).toBeGreaterThan(inkOf(theItem(lay(content), 'label', 'text')).bottom);
    for (const [index, ink] of inks.slice(1).entries())
      expect(ink.top - (inks[index]?.bottom ?? 0)).toBeGreaterThanOrEqual(3);
    expect(inks.at(-1)?.bottom).toBeLessThanOrEqual('barcode' in content ? 92 : 123);
  });

  test('prefer a size that has all their characters', () => {
    const plain = theItem(lay({ lines: ['Fi 12', 'x'] }), 'line1', 'text').size;
    const vietnamese = theItem(lay({ lines: ['Bú lông ở đây', 'x'] }), 'line1', 'text').size;
    expect(plain).toBe(44);
    expect(vietnamese).toBe(32);
  });
});
