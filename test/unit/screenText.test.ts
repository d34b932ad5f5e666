import { describe, expect, test } from 'vitest';
import { cutToWidth, measureInk, measureText, NO_CODE, toCodes } from '#shared/screen/text.ts';

const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0));

describe('text becomes one code for each character that a reader sees', () => {
  test('a letter and its accent are composed', () => {
    expect(toCodes('A\u030angstro\u0308m')).toEqual(codesOf('Ångström'));
  });

  test('an emoji of several code points, or a letter with an accent that no font has, is one unknown character', () => {
    expect(toCodes('a👩‍👩‍👧b')).toEqual([0x61, NO_CODE, 0x62]);
    expect(toCodes('x\u0302')).toEqual([NO_CODE]);
    expect(toCodes('🇩🇪')).toEqual([NO_CODE]);
  });

  test('a character beyond 16 bits stays one code', () => {
    expect(toCodes('😀')).toEqual([0x1f600]);
  });

  test('half a surrogate pair is one character and no error', () => {
    expect(toCodes('a\ud83d')).toEqual([0x61, 0xd83d]);
  });

  test('white space of any kind is a space, what is invisible is nothing', () => {
    expect(toCodes('a\u00a0b\tc\r\nd')).toEqual(codesOf('a b c d'));
    expect(toCodes('a\u200bb\u00adc\ufeff')).toEqual(codesOf('abc'));
    expect(toCodes('❤\ufe0f')).toEqual(codesOf('❤'));
  });

  test('a hyphen that must not break looks like any other', () => {
    expect(toCodes('A\u20113')).toEqual(codesOf('A-3'));
  });
});

test('26 characters are 156 pixels wide in the smallest size, the boxes of unknown ones included', () => {
  expect(measureText(toCodes('W'.repeat(26)), 12)).toBe(156);
  expect(measureText(toCodes('漢'.repeat(26)), 12)).toBe(156);
});

test('the ink of text leaves out the white around its letters', () => {
  const ink = measureInk(toCodes(' H '), 64);
  expect(ink.top).toBe(-47);
  expect(ink.bottom).toBe(0);
  expect(ink.left).toBeGreaterThan(measureText(toCodes(' '), 64));
  expect(ink.right).toBeLessThan(measureText(toCodes(' H'), 64));
});

test('text that is too wide ends in an ellipsis and keeps to its width; text that fits is left alone', () => {
  const codes = toCodes('Workshop hall 3');
  const cut = cutToWidth(codes, 14, 60);
  expect(cut).toEqual(codesOf('Worksh…'));
  expect(measureText(cut, 14)).toBeLessThanOrEqual(60);
  expect(cutToWidth(codes, 14, 120)).toBe(codes);
});
