import { expect, test } from 'vitest';
import { decodeCsv, readCsv, writeCsv } from '#shared/lib/csv.ts';

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

test('keeps cells up to a limit, and skips empty lines', () => {
  const { records } = readCsv(`a,b\n${'\n'.repeat(1_000)}c,d\ne,f`);
  expect(records.map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, 'a'],
    [1_002, 'c'],
    [1_003, 'e'],
  ]);
  expect(cellsOf(`${'x,'.repeat(5_000)}\n${','.repeat(4_999)}y`).map((cells) => cells.length)).toEqual([1_000]);
});

test('reports the line of an unclosed quote', () => {
  expect(readCsv('a,b\nc,"d\ne,f').unclosedLine).toBe(2);
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
