import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import '#shared/screen/allSheets.ts';
import { openSheet } from '#shared/screen/sheet.ts';
import { sheetOf, TEXT_SIZES, type TextSize } from '#shared/screen/sheets.ts';
import { ESSENTIAL_CODES } from '../../tools/glyphs/coverage.ts';
import { packSheet } from '../../tools/glyphs/pack.ts';

const folder = join(import.meta.dirname, '../../shared/screen/glyphs');
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const EVERY_SIZE = [
  ASCII,
  '¡¢£¥§©®°±²³µ¶·½¼¾¿×÷ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ',
  'ĀāĂăĄąĆćČčĎďĐđĒēĖėĘęĚěĞğĢģĪīĮįİıĶķĹĺĻļĽľŁłŃńŅņŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŸŹźŻżŽžȘșȚț',
  'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωςάέήίόύώΆΈΉΊΌΎΏϊϋΐΰ',
  'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяЄєІіЇїҐґЂђЈјЉљЊњЋћЏџЎў',
  '€№–—‘’“”„…•′″−≤≥≠⌀←↑→↓',
].join('');
const FURTHER = '₽₺₹₴₩₪₫₱℃™Ω∞≈√▲▼◀▶■●★✓✔✗ẞẀẁếệỹ⅓⅛⅜⅝⅞⁴₂';

function lackingIn(size: TextSize, text: string): string[] {
  return Array.from(text).filter((letter) => sheetOf(size).findGlyph(letter.codePointAt(0) ?? 0) === undefined);
}

test.for(TEXT_SIZES.filter((size) => size <= 32))(
  'the sheet of size %i, being for running text, has further currencies, signs and letters',
  (size) => {
    expect(lackingIn(size, FURTHER)).toEqual([]);
  },
);

describe.for(TEXT_SIZES)('the sheet of size %i', (size) => {
  const sheet = sheetOf(size);

  test('has the letters and signs of European part names', () => {
    expect(lackingIn(size, EVERY_SIZE)).toEqual([]);
  });

  test('has ink in every glyph but the spaces', () => {
    const blank = ESSENTIAL_CODES.filter((code) => sheet.findGlyph(code)?.bits.every((byte) => byte === 0));
    expect(blank).toEqual([0x20, 0xa0]);
  });

  test('has no glyph for what it does not know', () => {
    expect(sheet.findGlyph(0x6f22)).toBeUndefined();
    expect(sheet.findGlyph(-1)).toBeUndefined();
  });

  test('tells figures and letters apart that are easily mistaken', () => {
    const looks = Array.from('0OQ8B1Il|5S2Z', (letter) => {
      const glyph = sheet.findGlyph(letter.codePointAt(0) ?? 0);
      return `${glyph?.left} ${glyph?.top} ${glyph?.width} ${glyph?.bits.join()}`;
    });
    expect(new Set(looks).size).toBe(looks.length);
  });
});

test('all figures of a size are equally wide, so that numbers do not dance', () => {
  for (const size of TEXT_SIZES) {
    const advances = Array.from('0123456789', (digit) => sheetOf(size).findGlyph(digit.codePointAt(0) ?? 0)?.advance);
    expect(new Set(advances).size).toBe(1);
  }
});

test('a glyph is the same after packing and opening', () => {
  const picture = ['..##....##', '.#..#.....', '##########', '..........', '#........#'];
  const isInk = (x: number, y: number) => picture[y]?.[x] === '#';
  const glyph = { advance: 11, left: -1, top: -5, width: 10, height: 5, isInk };
  const blank = { ...glyph, advance: 4, isInk: () => false };
  const sheet = openSheet(
    packSheet(
      'Test',
      12,
      new Map([
        [0x41, glyph],
        [0x20, blank],
        [0x42, glyph],
        [0xff, glyph],
      ]),
    ),
  );
  const opened = sheet.findGlyph(0x41);
  const rows = picture.map((row, y) =>
    Array.from(row, (_, x) => (((opened?.bits[y * 2 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? '#' : '.')).join(''),
  );
  expect(opened).toMatchObject({ advance: 11, left: -1, top: -5, width: 10, height: 5 });
  expect(rows).toEqual(picture);
  expect(sheet.findGlyph(0x20)).toMatchObject({ advance: 4, width: 0, height: 0 });
  expect(sheet.findGlyph(0xff)).toEqual(opened);
});

test('the sheets are small enough to load with the window', () => {
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  expect(bytes).toBeLessThan(600_000);
});

test('the licences lie beside the sheets, and no sheet takes a reserved name', () => {
  const licences = readFileSync(join(folder, 'LICENSES.md'), 'utf8');
  expect(licences).toContain('SIL OPEN FONT LICENSE Version 1.1');
  expect(licences).toContain('Bitstream Vera Fonts Copyright');
  expect(licences).toContain('Arev Fonts Copyright');
  for (const size of TEXT_SIZES) expect(sheetOf(size).name).toMatch(/^Station (Small|Bold) \d+$/);
});
