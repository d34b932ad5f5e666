import { describe, expect, test } from 'vitest';
import { COLOR_NAMES, parseColor } from '#shared/led/color.ts';

test.for([
  ['r', '#ff0000', 'R'],
  ['g', '#00ff00', 'G'],
  ['b', '#0000ff', 'B'],
  ['rg', '#ffff00', 'Y'],
  ['gr', '#ffff00', 'Y'],
  ['gb', '#00ffff', 'C'],
  ['bg', '#00ffff', 'C'],
  ['rb', '#ff00ff', 'M'],
  ['br', '#ff00ff', 'M'],
  ['red', '#ff0000', 'R'],
  ['green', '#00ff00', 'G'],
  ['navy', '#000080', 'B'],
  ['olive', '#808000', 'Y'],
  ['teal', '#008080', 'C'],
  ['purple', '#800080', 'M'],
  ['white', '#ffffff', 'W'],
  ['silver', '#c0c0c0', 'W'],
  ['orange', '#ffa500', 'O'],
  ['pink', '#ffc0cb', 'P'],
] as const)('%s is %s, marked %s, with the brightness of the device', ([text, hex, letter]) => {
  expect(parseColor(text)).toEqual({ hex, letter, fixedBrightness: false });
});

test('a text that is too long is not a color, even if it begins with one', () => {
  expect(parseColor(`red${' '.repeat(90)}`)).toEqual(parseColor('red'));
  expect(parseColor(`red${' '.repeat(100)}`)).toBeUndefined();
});

test('ignores case and surrounding spaces', () => {
  expect(parseColor(' Gb ')).toEqual(parseColor('gb'));
  expect(parseColor('ReD')).toEqual(parseColor('red'));
  expect(parseColor('#FfA500')).toEqual(parseColor('ffa500'));
});

test('knows all sixteen basic colors of CSS', () => {
  const basic = 'black silver gray white maroon red purple fuchsia green lime olive yellow navy blue teal aqua';
  for (const name of basic.split(' ')) {
    expect(COLOR_NAMES).toContain(name);
    expect(parseColor(name), name).toBeDefined();
  }
});

test('understands every name that a message offers', () => {
  for (const name of COLOR_NAMES) expect(parseColor(name), name).toBeDefined();
});

describe('a hexadecimal color', () => {
  test.for([
    ['#f00', '#ff0000', 'R'],
    ['0f6', '#00ff66', 'G'],
    ['#3366ff', '#3366ff', 'B'],
    ['ff8800', '#ff8800', 'O'],
    ['#ff69b4', '#ff69b4', 'P'],
    ['#333333', '#333333', 'W'],
    ['#100000', '#100000', 'R'],
  ] as const)('%s is %s, marked %s, independent of the device brightness', ([text, hex, letter]) => {
    expect(parseColor(text)).toEqual({ hex, letter, fixedBrightness: true });
  });

  test('is off at a lightness of three percent or less', () => {
    const off = { hex: '#000000', letter: '', fixedBrightness: true };
    expect(parseColor('#000000')).toEqual(off);
    expect(parseColor('#070707')).toEqual(off);
    expect(parseColor('#0f0000')).toEqual(off);
    expect(parseColor('#080808')?.hex).toBe('#080808');
  });

  // HSL lightness is half the sum of the strongest and the weakest channel: 7.65 of 255 is three percent.
  test.for([
    ['#070707', '#000000', '2.7 %'],
    ['#080707', '#000000', '2.9 %'],
    ['#080808', '#080808', '3.1 %'],
    ['#0f0f0f', '#0f0f0f', '5.9 %'],
    ['#0f0000', '#000000', '2.9 %'],
    ['#100000', '#100000', '3.1 %'],
    ['#000f00', '#000000', '2.9 %'],
    ['#0e000f', '#000000', '2.9 %'],
    ['#0e010f', '#0e010f', '3.1 %'],
    ['#000', '#000000', '0 %'],
    ['#111', '#111111', '6.7 %'],
  ] as const)('%s shines as %s: its lightness is %s', ([text, hex]) => {
    expect(parseColor(text)?.hex).toBe(hex);
    expect(parseColor(text)?.letter === '').toBe(hex === '#000000');
  });

  test('is off exactly at a lightness of three percent or less, and has a mark otherwise', () => {
    const wrong: string[] = [];
    for (let red = 0; red <= 32; red++) {
      for (let green = 0; green <= 32; green++) {
        for (const blue of [0, 3, 7, 8, 15, 16, 32]) {
          const text = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
          // Compares sum / 510 with 3 / 100 in whole numbers to avoid rounding.
          const isOff = (Math.max(red, green, blue) + Math.min(red, green, blue)) * 100 <= 3 * 510;
          const { hex, letter } = parseColor(text) ?? { hex: '', letter: '' };
          if (hex !== (isOff ? '#000000' : text) || letter.length !== (isOff ? 0 : 1)) wrong.push(text);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('black is off', () => {
  expect(parseColor('black')).toEqual({ hex: '#000000', letter: '', fixedBrightness: false });
});

test.for(['', ' ', '#', '#12', '#1234', '#12345', '#1234567', 'rgb', 'rr', 'mauve', '#ggg', 'toString', '__proto__'])(
  '"%s" is not a color',
  (text) => {
    expect(parseColor(text)).toBeUndefined();
  },
);
