import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { createTableGroup } from '../../../electron/server/services/tables/index.ts';
import { readFile } from '../../../electron/server/services/tables/readFile.ts';
import { writeFile } from '../../../electron/server/services/tables/writeFile.ts';
import { countParts } from '../../helpers/files/inParts.ts';

function xmlOf(bytes: Uint8Array, name: string): string {
  return Buffer.from(unzipSync(bytes)[name] ?? []).toString();
}

test('writes strings as text cells, and numbers as numbers', () => {
  const bytes = whole(
    writeFile(
      'Orders',
      ['SKU', 'Quantity'],
      [
        ['00123', 2],
        ['<&">', null],
        ['', 0.5],
      ],
    ),
  );
  const xml = xmlOf(bytes, 'xl/worksheets/sheet1.xml');
  expect(xml).toContain(
    '<c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">00123</t></is></c><c r="B2"><v>2</v></c>',
  );
  expect(xml).toContain('&lt;&amp;&quot;&gt;');
  // Style 1 has format 49, which is text.
  expect(xmlOf(bytes, 'xl/styles.xml')).toContain('<xf xfId="0" numFmtId="49" applyNumberFormat="1"/>');
});

test.each([
  ['Orders', 'Orders'],
  ["'a/b[c]:d*?\\'", 'a b c  d'],
  ['', 'Sheet1'],
  ['x'.repeat(40), 'x'.repeat(31)],
  ['A & B', 'A & B'],
])('changes the sheet name %j to one that spreadsheets accept', (name, expected) => {
  const file = whole(readFile(whole(writeFile(name, ['a'], [])), null));
  expect(file.ok && file.sheets[0]?.sheet).toBe(expected);
});

test('writes the same bytes for the same rows', () => {
  const write = (): Uint8Array => whole(writeFile('S', ['a'], [['b']]));
  expect(Buffer.from(write()).equals(write())).toBe(true);
});

test('writes many rows in parts, between which other work can run', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => [`SKU ${at}`, at]);
  // Each row takes 0.03 ms.
  expect(countParts(writeFile('S', ['a', 'b'], rows), 0.03)).toBeGreaterThan(100);
});

test('reads and writes through the queue of long reads, and reads workbooks and long texts in a side process', async () => {
  const inProcess: number[] = [];
  const tables = createTableGroup({
    queue: { takeAll: async (work) => whole(work) },
    copier: {
      readTable: async (bytes, encoding) => {
        inProcess.push(bytes.length);
        return whole(readFile(bytes, encoding));
      },
    },
    signal: new AbortController().signal,
  });
  const bytes = await tables.writeWorkbook('Orders', ['SKU'], [['00123']]);
  const sheets = [{ sheet: 'Orders', rows: [{ cells: ['SKU'] }, { line: 2, cells: ['00123'] }] }];
  expect(await tables.readTable(bytes)).toMatchObject({ ok: true, encoding: null, sheets });
  const latin = Buffer.from('SKU;place\nB\xe4r;A-1', 'latin1');
  expect(await tables.readTable(latin)).toMatchObject({ ok: false, ask: 'encoding' });
  const rows = [{ cells: ['SKU', 'place'] }, { cells: ['Bär', 'A-1'] }];
  expect(await tables.readTable(latin, { encoding: 'windows-1252' })).toMatchObject({ ok: true, sheets: [{ rows }] });
  const text = Buffer.from('SKU;place\nBär;A-1');
  expect(await tables.readTable(text)).toMatchObject({ ok: true, sheets: [{ delimiter: ';', rows }] });
  // Short text needs no side process.
  expect(inProcess).toEqual([bytes.length]);
  const long = Buffer.concat([text, Buffer.alloc(1_048_576, 'x\n')]);
  expect(await tables.readTable(long)).toMatchObject({ ok: false });
  expect(inProcess).toEqual([bytes.length, long.length]);
});
