import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import type { FileCell, FileTable, TableFile } from '#shared/lib/tables/table.ts';
import { readFile, readText } from '../../../electron/server/services/tables/readFile.ts';
import { countParts } from '../../helpers/files/inParts.ts';

const read = (text: string): TableFile => whole(readText(text, 'utf-8'));
const readBytes = (bytes: Uint8Array, encoding: string | null = null): TableFile => whole(readFile(bytes, encoding));

function tableOf(file: TableFile): FileTable {
  if (!file.ok) throw new Error(file.message);
  const [table] = file.sheets;
  if (table === undefined) throw new Error('no table');
  return table;
}
const cellsOf = (text: string): (readonly FileCell[])[] => tableOf(read(text)).rows.map(({ cells }) => cells);
const messageOf = (file: TableFile): string => (file.ok ? '' : file.message);

test.each([
  ['commas', 'a,b\nc,d', ','],
  ['semicolons', 'a;b\nc;d', ';'],
  ['tabs', 'a\tb\nc\td', '\t'],
  ['vertical bars', 'a|b\nc|d', '|'],
  ['semicolons in a file with decimal commas', 'a;b\n1,5;2,5\n2,5;3,5', ';'],
  ['commas in a file whose texts contain more semicolons', 'a,b\nx;y;z;w,1\nx;y;z;w,2\nx;y,3', ','],
  ['semicolons below a title with commas', 'Orders, open, 2026\n\na;b\nc;d\ne;f', ';'],
  ['the separator with more cells on a tie', 'a;b|c|d', '|'],
  ['tabs although every row except the names has commas', 'a b\tc\nd, e\tf\ng, h\ti', '\t'],
])('splits cells separated by %s', (_name, text, delimiter) => {
  expect(tableOf(read(text)).delimiter).toBe(delimiter);
});

test.each([
  ['sep=;\r\na,b;c\r\n', ';'],
  ['"sep=|"\na,b|c', '|'],
  ['SEP=\t\na,b\tc', '\t'],
  ['\ufeffsep=,\na;b,c', ','],
])('uses the separator that the first line of %j names', (text, delimiter) => {
  const table = tableOf(read(text));
  expect(table.delimiter).toBe(delimiter);
  expect(table.rows.map(({ line, cells }) => [line, cells.length])).toEqual([[2, 2]]);
});

test('refuses an unknown separator', () => {
  expect(messageOf(read('sep=:\na:b'))).toBe('Line 1 names the separator ":". Use a comma, a semicolon, a tab or |.');
});

test('keeps the text of cells unchanged: apostrophes, zeros, formulas and blanks', () => {
  expect(cellsOf(`a,b,c,d,e\n'0123,="0123", x ,"'=1",007`)[1]).toEqual(["'0123", '="0123"', ' x ', "'=1", '007']);
});

test('numbers lines, and marks rows that follow empty rows', () => {
  const { rows } = tableOf(read('a,b\r\n\r\nc,d\r , \ne,"f\n\ng"\nh,i\n\n\n'));
  expect(rows.map(({ line, followsGap }) => [line, followsGap])).toEqual([
    [1, false],
    [3, true],
    [5, true],
    [8, false],
  ]);
  expect(tableOf(read('\na,b')).rows[0]).toMatchObject({ line: 2, followsGap: true });
});

test('quoted cells can hold separators, quotes and line ends', () => {
  expect(cellsOf('"a,b","say ""hi""","two\r\nlines" ,3/4" bolt\r\nc,d,e,')).toEqual([
    ['a,b', 'say "hi"', 'two\r\nlines', '3/4" bolt'],
    ['c', 'd', 'e', ''],
  ]);
});

test('treats quotes in a file with tabs as text, unless they enclose a cell of one line', () => {
  const table = tableOf(read('a\tb\n"x ""y"""\t"two\nlines"\n3/4" bolt\t"tab\there"\n"a" b\t""'));
  expect(table.rows.map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['x "y"', '"two'],
    ['lines"'],
    ['3/4" bolt', 'tab\there'],
    ['"a" b', ''],
  ]);
  expect(table.notes).toEqual(['Quotes in 4 cells, the first in line 2, are read as text.']);
  expect(tableOf(read('a\tb\n5"\tc')).notes).toEqual(['The quote in line 2 is read as text.']);
  expect(tableOf(read('a\tb\n"c"\td')).notes).toEqual([]);
});

test('reports a cell whose quotes do not enclose all of it', () => {
  expect(cellsOf('a,b\n"3/4" bolt,c')[1]).toEqual([
    {
      kind: 'fault',
      text: '"3/4" bolt',
      message:
        'The quotes in "3/4" bolt in line 2 do not enclose the whole cell. Double the quotes within it, or remove them.',
    },
    'c',
  ]);
});

test('refuses a file in which a missing quote swallows rows', () => {
  expect(messageOf(read('a,b\n1,"x\n2,y\n3,"z",\n'))).toBe(
    'The quote that begins in line 2 ends within a cell in line 4, so a quote is missing between them. Close or remove it.',
  );
  expect(messageOf(read('sep=,\na,b\n1,"x\n2,y\n'))).toBe(
    'The quote that begins in line 3 is not closed. Close or remove it; if the file is incomplete, export it again.',
  );
});

test('reads cells of 130,000 characters, and refuses more', () => {
  const long = 'x'.repeat(130_000);
  expect(cellsOf(`a,b\n"${long}",c`)[1]).toEqual([long, 'c']);
  expect(messageOf(read(`a,b\n"${long}${long}",c`))).toContain('The quote that begins in line 2 is not closed.');
  for (const text of [`a,b\n${long}${long},c`, `a\tb\n"${long}a"${long}\tc`]) {
    expect(messageOf(read(text))).toBe(
      'Line 2 has a cell with more than 131,072 characters. Shorten it, or check the quotes around it.',
    );
  }
});

test('refuses more than 100,000 rows, even if most of them are totals', () => {
  const rows = 'Total,x\n'.repeat(99_999);
  expect(cellsOf(`a,b\n${rows}`)).toHaveLength(100_000);
  expect(messageOf(read(`a,b\n${rows}c,d\n`))).toBe(
    'The file has more than 100,000 rows. Remove rows, or split it into several files.',
  );
});

test('refuses more than 2,000 columns, unless the additional columns are empty', () => {
  expect(cellsOf(`${'x,'.repeat(2_000)},,,\n`)[0]).toHaveLength(2_000);
  expect(messageOf(read(`a,b\n${','.repeat(2_000)}x`))).toBe(
    'Line 2 has more than 2,000 columns. Export only the columns that are needed.',
  );
});

test('refuses a file with too many cells', () => {
  expect(messageOf(read(`x${','.repeat(1_999)}\n`.repeat(1_001)))).toContain('more than 2,000,000 cells');
});

test.each([
  ['<!DOCTYPE html><html><body>Sign in</body></html>'],
  ['\ufeff\n <html lang="en">'],
  ['<?xml version="1.0"?>\n<!-- x --><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">'],
  ['<table><tr><td>Order</td></tr></table>'],
])('refuses a web page, with instructions for publishing: %j', (text) => {
  expect(messageOf(readBytes(Buffer.from(text)))).toContain('Publish to web');
});

test.each([
  ['an empty file', '', 'The file is empty.'],
  [
    'an XML spreadsheet',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook>',
    'save it as .xlsx',
  ],
  ['null bytes', 'a,b\n1,\0\n2,x\n', 'it has null bytes'],
  ['only null bytes', '\0\0\0\0', 'it has null bytes'],
  ['a program', '\u007fELF\0\u0001\n\0\0', 'it has null bytes'],
])('refuses %s', (_name, text, message) => {
  expect(readBytes(Buffer.from(text, 'latin1'))).toMatchObject({
    ok: false,
    ask: null,
    message: expect.stringContaining(message),
  });
});

test('refuses files above 16 MiB', () => {
  expect(messageOf(readBytes(Buffer.alloc(16 * 1024 * 1024 + 1, 'a,b\n')))).toContain('more than 16 MiB');
});

const TEXT = 'name;place\nBär;Regał 3\n';
const wide = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

test.each<[name: string, bytes: Buffer, encoding: string]>([
  ['UTF-8', Buffer.from(TEXT), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`), 'utf-8'],
  ['UTF-16 with a byte order mark', wide(`\ufeff${TEXT}`), 'utf-16le'],
  ['big-endian UTF-16 with a byte order mark', wide(`\ufeff${TEXT}`, true), 'utf-16be'],
  ['UTF-16', wide(TEXT), 'utf-16le'],
  ['big-endian UTF-16', wide(TEXT, true), 'utf-16be'],
])('reads %s without using the named encoding', (_name, bytes, encoding) => {
  for (const named of [null, 'windows-1250', 'utf-8']) {
    const file = readBytes(bytes, named);
    expect(file).toMatchObject({ ok: true, encoding });
    expect(tableOf(file).rows[1]?.cells).toEqual(['Bär', 'Regał 3']);
  }
});

test('reads East Asian UTF-16 without a byte order mark', () => {
  const text = '訂單;一一\n倉庫;一丁\n';
  expect(tableOf(readBytes(wide(text))).rows[0]?.cells).toEqual(['訂單', '一一']);
});

test('asks for the encoding of bytes that are not UTF-8, and shows the words that differ', () => {
  const bytes = Buffer.from('name;place\nB\xe4r;A-1\n"Gr\xf6\xdfe";B\xe4r\n', 'latin1');
  expect(readBytes(bytes)).toEqual({
    ok: false,
    ask: 'encoding',
    message:
      'The file is not UTF-8, and it does not say how its letters are encoded. Save it as "CSV UTF-8" or .xlsx, or give the encoding, such as windows-1252.',
    words: [
      { 'windows-1252': 'Bär', macintosh: 'B‰r' },
      { 'windows-1252': 'Größe', macintosh: 'Grˆﬂe' },
    ],
  });
  // windows-1250 reads only the last word differently.
  expect(readBytes(Buffer.from('name\nB\xe4r\nB\xf8rge', 'latin1'))).toMatchObject({
    words: [
      { 'windows-1252': 'Bär', 'windows-1250': 'Bär' },
      { 'windows-1252': 'Børge', 'windows-1250': 'Břrge' },
    ],
  });
  // 0x98 is undefined in windows-1250.
  expect(readBytes(Buffer.from('a\n\x98', 'latin1'))).toMatchObject({
    words: [{ 'windows-1252': '˜', macintosh: 'ò' }],
  });
});

test.each([
  ['windows-1252', '\x80 \xe4', '€ ä'],
  ['latin1', '\x80 \xe4', '€ ä'],
  ['WINDOWS-1250', '\xb3\xf3d\xbc', 'łódĽ'],
  ['macintosh', '\x8a', 'ä'],
  ['shift_jis', '\x93\x8c\x8b\x9e', '東京'],
  ['gb18030', '\xb6\xab', '东'],
])('reads %s if that encoding is given', (encoding, bytes, expected) => {
  const file = readBytes(Buffer.from(`a,b\n${bytes},1`, 'latin1'), encoding);
  expect(tableOf(file).rows[1]?.cells[0]).toBe(expected);
});

test.each([
  ['windows-1252', 'a\n\x81', 'The file is not windows-1252: it has bytes that are not characters of this encoding.'],
  ['utf-8', 'a\n\xe4r', 'The file is not UTF-8: some bytes are not UTF-8.'],
  ['shift_jis', 'a\n\x93', 'The file is not shift_jis'],
  ['utf-16le', 'a\n\xe4', 'The file is not UTF-16'],
  ['ebcdic', 'a,b\nc,d', 'The encoding "ebcdic" is not known.'],
  ['iso-2022-kr', 'a,b\nc,d', 'The encoding "iso-2022-kr" is not known.'],
])('refuses bytes that do not fit %s instead of replacing them', (encoding, bytes, message) => {
  expect(readBytes(Buffer.from(bytes, 'latin1'), encoding)).toMatchObject({
    ok: false,
    ask: null,
    message: expect.stringContaining(message),
  });
});

test('detects a truncated UTF-8 file, unless its last byte can be a letter of another encoding', () => {
  const half = Buffer.from('a,b\nBär,Größe').subarray(0, -2);
  expect(readBytes(half)).toMatchObject({ ok: false, ask: null, message: expect.stringContaining('It is incomplete') });
  expect(readBytes(Buffer.from('a,b\nx,Sto\xdf', 'latin1'))).toMatchObject({ ok: false, ask: 'encoding' });
});

test('detects a truncated UTF-16 file', () => {
  expect(messageOf(readBytes(wide(`\ufeff${TEXT}`).subarray(0, -1)))).toContain(
    'it is cut off or has half a character',
  );
  expect(messageOf(readBytes(wide(TEXT).subarray(0, -1)))).toContain('it has null bytes');
  expect(messageOf(readBytes(wide('\ufeffa;\ud800;b\n')))).toContain('it is cut off or has half a character');
});

test.each([
  ['rows', 'a,b,c\n'.repeat(100_000)],
  ['commas', ','.repeat(1_000_000)],
  ['quotes', '"",'.repeat(300_000)],
  ['quotes in a file with tabs', `a\tb\n${'"\t'.repeat(300_000)}`],
  ['bytes of windows-1252', '\xe4,\xf6\n'.repeat(200_000)],
  ['UTF-16', 'a\0,\0b\0\n\0'.repeat(100_000)],
])('reads a long file of %s in parts, between which other work can run', (_name, text) => {
  expect(countParts(readFile(Buffer.from(text, 'latin1'), 'windows-1252'))).toBeGreaterThan(text.length / 40_000);
});

test('separators inside quoted cells of several lines do not affect which separator is detected', () => {
  const note = '"Size: M | Color: red\nWrap: yes | Card: no\nFloor: 2 | Door: left"';
  const rows = Array.from({ length: 10 }, (_, row) => `S-${row},K-${row},1,${note}`);
  expect(tableOf(read(['Order,SKU,Qty,Options', ...rows].join('\n'))).delimiter).toBe(',');
});

test('reads long runs of markup comments without delay', () => {
  expect(cellsOf('<!---->'.repeat(290))).toHaveLength(1);
  expect(messageOf(read(`<?xml version="1.0"?>${'<!-- a -->\n'.repeat(100)}<html>`))).toContain('web page');
});
