import { expect, test } from 'vitest';
import { whole } from '#shared/lib/inParts.ts';
import { decodeCsv, readCsv, writeCsv } from '#shared/lib/csv.ts';
import { readLocations } from '#shared/lib/locationCsv.ts';
import { countParts } from '../helpers/inParts.ts';

const cellsOf = (text: string) => readCsv(text).records.map(({ cells }) => cells);

test.each([
  ['commas', 'a,b\nc,d', ','],
  ['semicolons', 'a;b\nc;d', ';'],
  ['tabs, as a spreadsheet copies', 'a\tb\nc\td', '\t'],
  ['semicolons where the texts have commas', 'bolts, long;b\nnuts, short;d', ';'],
  ['tabs where the texts have commas and semicolons', 'a, b; c\tx\nd\ty', '\t'],
])('splits cells separated by %s', (_name, text, delimiter) => {
  const csv = readCsv(text);
  expect(csv.delimiter).toBe(delimiter);
  expect(csv.records.map(({ cells }) => cells.length)).toEqual([2, 2]);
});

test.each([
  ['commas', ','.repeat(500_000)],
  ['empty lines', '\n'.repeat(500_000)],
  ['quotes', '"",'.repeat(200_000)],
  ['rows', 'a,b,c\n'.repeat(100_000)],
])('reads a long file of %s in parts, so that other work gets its turn', (_name, text) => {
  expect(countParts(readLocations(`name,deviceid,deviceIs\n${text}`))).toBeGreaterThan(text.length / 20_000);
});

test('treats a quoted cell longer than a spreadsheet can hold as an unclosed quote', () => {
  const cell = '""'.repeat(20_000);
  expect(readCsv(`a,b\n"${cell.slice(0, 30_000)}",c`).unclosedLine).toBeUndefined();
  expect(readCsv(`a,b\n"${cell}",c`).unclosedLine).toBe(2);
});

test('ignores delimiters inside quotes when looking for the delimiter', () => {
  expect(readCsv('name;x\n"a,b,c,d";1\n"e,f,g,h";2').delimiter).toBe(';');
});

test('quoted cells can hold delimiters, quotes and line ends', () => {
  expect(cellsOf('"a,b","say ""hi""","two\r\nlines"\r\nc,d,e')).toEqual([
    ['a,b', 'say "hi"', 'two\r\nlines'],
    ['c', 'd', 'e'],
  ]);
});

test('a quote in the middle of a cell is an ordinary character, as in 3/4" bolt', () => {
  expect(cellsOf('3/4" bolt,b\nc,d')).toEqual([
    ['3/4" bolt', 'b'],
    ['c', 'd'],
  ]);
});

test('accepts every kind of line end, and skips empty lines but counts them', () => {
  const { records } = readCsv('a,b\r\n\r\nc,d\r , \ne,"f\n\ng"\nh,i');
  expect(records.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'a'],
    [3, 'c'],
    [5, 'e'],
    [8, 'h'],
  ]);
});

test('keeps empty cells at the end of a line', () => {
  expect(cellsOf('a,,\n,b,')).toEqual([
    ['a', '', ''],
    ['', 'b', ''],
  ]);
  expect(cellsOf('a,')).toEqual([['a', '']]);
});

test('keeps no more rows and cells than requested, and nothing of empty lines', () => {
  const { records } = readCsv(`a,b\n${'\n'.repeat(1_000)}c,d\ne,f`);
  expect(records.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'a'],
    [1_002, 'c'],
    [1_003, 'e'],
  ]);
  expect(cellsOf(`${'x,'.repeat(5_000)}\n${','.repeat(4_999)}y`).map((cells) => cells.length)).toEqual([1_000]);
  expect(whole(readLocations(`name,deviceid,deviceIs\n${'a,b,c\n'.repeat(50)}`, 5))).toMatchObject({
    rows: { length: 5 },
  });
});

test('reports the line of an unclosed quote', () => {
  expect(readCsv('a,b\nc,"d\ne,f').unclosedLine).toBe(2);
  expect(whole(readLocations('name,deviceid\nA,"51D000:000001\nB,x'))).toEqual({
    ok: false,
    message: 'The quote that begins in line 2 is not closed within 32,767 characters. Close or remove it.',
  });
});

test('takes the delimiter from the sep= line of Excel, which is not a row', () => {
  const csv = readCsv('sep=;\r\na,b;c\r\nd,e;f');
  expect(csv.delimiter).toBe(';');
  expect(csv.records).toEqual([
    { line: 2, cells: ['a,b', 'c'] },
    { line: 3, cells: ['d,e', 'f'] },
  ]);
});

test('reads UTF-8 with and without a byte order mark, UTF-16 and Windows-1252', () => {
  const text = 'Räck 3,Größe';
  const utf8 = new TextEncoder().encode(text);
  expect(decodeCsv(utf8)).toBe(text);
  expect(cellsOf(decodeCsv(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8)))).toEqual([['Räck 3', 'Größe']]);
  expect(decodeCsv(Uint8Array.from(Buffer.from(text, 'latin1')))).toBe(text);
  expect(decodeCsv(Uint8Array.of(0x80, 0x35))).toBe('€5');
  expect(decodeCsv(Uint8Array.of(0xff, 0xfe, ...Buffer.from(text, 'utf16le')))).toBe(text);
});

test('writes a byte order mark, CR LF, and quotes where needed', () => {
  expect(writeCsv([['a', 'b,c', 'd"e', 'f\ng', ' h', 'i;j']])).toBe('\ufeffa,"b,c","d""e","f\ng"," h","i;j"\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'=1"])('writes %j as text and reads it back', (cell) => {
  const text = writeCsv([
    ['name', 'x'],
    [cell, 'x'],
  ]);
  const [, record] = readCsv(text).records;
  expect(record?.cells[0]).toBe(cell);
  expect(text.slice(1).split('\r\n')[1]?.replace(/^"/, '').startsWith("'")).toBe(true);
});

test('finds the columns of aliases in any order and by their common names', () => {
  const read = whole(readLocations('Where;Remark;DeviceID;Location\nabove;top shelf;51D000:000001;A-1'));
  expect(read).toEqual({
    ok: true,
    delimiter: ';',
    columns: { name: 'Location', deviceid: 'DeviceID', deviceIs: 'Where', label: null },
    ignored: ['Remark'],
    rows: [{ line: 2, name: 'A-1', deviceid: '51D000:000001', deviceIs: 'above', label: null }],
  });
});

test('without column names, recognises the columns by their contents', () => {
  const read = whole(readLocations('51d000:000001\tto the left of\tA-1\n51d000:000002\tBelow\tA-2'));
  expect(read).toMatchObject({
    ok: true,
    columns: null,
    rows: [
      { line: 1, name: 'A-1', deviceid: '51d000:000001', deviceIs: 'to the left of' },
      { line: 2, name: 'A-2', deviceid: '51d000:000002', deviceIs: 'Below' },
    ],
  });
});

test.each([
  ['', 'The file is empty. Give a line for each alias: name, deviceid, deviceIs; or for each label: deviceid, label.'],
  [
    'hello\nworld',
    'Line 1 has neither column names nor a DeviceID. Begin with a line of column names: name, deviceid, deviceIs, label.',
  ],
  [
    'name,device\nA,b',
    'There is no column deviceIs. Line 1 has "name", "device". For labels only, give two columns: deviceid, label.',
  ],
])('refuses a file that is not a list of aliases, and says why: %j', (text, message) => {
  expect(whole(readLocations(text))).toEqual({ ok: false, message });
});
