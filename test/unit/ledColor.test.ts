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
] as const)('%s is %s, marked %s, as bright as the device is set', ([text, hex, letter]) => {
  expect(parseColor(text)).toEqual({ hex, letter, fixedBrightness: false });
});

test('case and space around do not matter', () => {
  expect(parseColor(' Gb ')).toEqual(parseColor('gb'));
  expect(parseColor('ReD')).toEqual(parseColor('red'));
  expect(parseColor('#FfA500')).toEqual(parseColor('ffa500'));
});

test('all sixteen basic colours of CSS are known', () => {
  const basic = 'black silver gray white maroon red purple fuchsia green lime olive yellow navy blue teal aqua';
  for (const name of basic.split(' ')) {
    expect(COLOR_NAMES).toContain(name);
    expect(parseColor(name), name).toBeDefined();
  }
});

test('every name offered in a message is understood', () => {
  for (const name of COLOR_NAMES) expect(parseColor(name), name).toBeDefined();
});

describe('a hexadecimal colour', () => {
  test.for([
    ['#f00', '#ff0000', 'R'],
    ['0f6', '#00ff66', 'G'],
    ['#3366ff', '#3366ff', 'B'],
    ['ff8800', '#ff8800', 'O'],
    ['#ff69b4', '#ff69b4', 'P'],
    ['#333333', '#333333', 'W'],
    ['#100000', '#100000', 'R'],
  ] as const)('%s is %s, marked %s, and brings its own brightness', ([text, hex, letter]) => {
    expect(parseColor(text)).toEqual({ hex, letter, fixedBrightness: true });
  });

  test('is off at a lightness of three percent or less', () => {
    const off = { hex: '#000000', letter: '', fixedBrightness: true };
    expect(parseColor('#000000')).toEqual(off);
    expect(parseColor('#070707')).toEqual(off);
    expect(parseColor('#0f0000')).toEqual(off);
    expect(parseColor('#080808')?.hex).toBe('#080808');
  });
});

test('black is off', () => {
  expect(parseColor('black')).toEqual({ hex: '#000000', letter: '', fixedBrightness: false });
});

test.for(['', ' ', '#', '#12', '#1234', '#12345', '#1234567', 'rgb', 'rr', 'mauve', '#ggg', 'toString', '__proto__'])(
  '"%s" is no colour',
  (text) => {
    expect(parseColor(text)).toBeUndefined();
  },
);
