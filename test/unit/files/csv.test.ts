import { expect, test } from 'vitest';
import { writeCsv } from '#shared/lib/tables/cells/csv.ts';
import { readCsv } from '../../helpers/files/readCsv.ts';

test('writes a byte order mark, CR LF, and quotes where needed', () => {
  expect(writeCsv([['a', 'b,c', 'd"e', 'f\ng', ' h', 'i;j']])).toBe('\ufeffa,"b,c","d""e","f\ng"," h","i;j"\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠SUM(A1)', '\tx', '\rx', "'=1"])(
  'writes %j as text and reads it back',
  (cell) => {
    const text = writeCsv([
      ['name', 'x'],
      [cell, 'x'],
    ]);
    const [, record] = readCsv(text).records;
    expect(record?.cells[0]).toBe(cell);
    expect(text.slice(1).split('\r\n')[1]?.replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test.each(['Call first...', 'Rack: 100', 'Tel:555', 'Etc…', '#1 Mug!', '#Bolts!', 'Loading dock: 200'])(
  'writes the ordinary text %j without a formula',
  (cell) => {
    expect(writeCsv([['x', cell]])).toBe(`\ufeffx,${cell}\r\n`);
  },
);

test.each(['#N/A', '#REF!', '#NV', '#WERT!', '#¡VALOR!', 'Err:502', 'Loading...', '####', ' #N/A '])(
  'writes %j as a formula with this text, because the import takes it for an error of a spreadsheet program',
  (cell) => {
    expect(writeCsv([['x', cell]])).toBe(`\ufeffx,"=""${cell}"""\r\n`);
  },
);
