import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import {
  formatOf,
  isIgnored,
  numberedName,
  orderFileName,
  resultCsv,
  resultName,
} from '../../../electron/server/domain/folders/folderFiles.ts';

const digest = (): string => '0123456789abcdef';

test('the extension, in upper or lower case, decides how a file is read', () => {
  expect(['a.csv', 'a.TXT', 'a.tsv', 'a.Json', 'a.b.xml', 'a.xlsx', 'csv', 'a.'].map(formatOf)).toEqual([
    'table',
    'table',
    'table',
    'json',
    'xml',
    'table',
    undefined,
    undefined,
  ]);
});

test('ignores unfinished files, system files and results', () => {
  const ignored = ['.a.csv', '~$a.csv', 'a.csv.tmp', 'a.PART', 'a.crdownload', 'Thumbs.db', 'desktop.ini'];
  const unfinished = ['a.csv.filepart', 'a.XLSX.partial', 'a.json.uploading', 'a.csv.incomplete'];
  for (const name of [...unfinished, 'a.filepart', 'a.csv.old', 'a.csv'])
    expect(isIgnored(name), name).toBe(unfinished.includes(name));
  for (const name of [...ignored, resultName('a.csv')]) expect(isIgnored(name), name).toBe(true);
  for (const name of ['a.csv', 'part.csv', 'tmp', 'result.csv', '~a.csv']) expect(isIgnored(name), name).toBe(false);
});

test('numbers a repeated file name before the extension', () => {
  expect([1, 2, 13].map((number) => numberedName('a.b.csv', number))).toEqual([
    'a.b.csv',
    'a.b (2).csv',
    'a.b (13).csv',
  ]);
  expect(numberedName('orders', 2)).toBe('orders (2)');
});

test('a result file contains no formula that a spreadsheet would run', () => {
  const text = whole(resultCsv('orders', [{ line: null, subject: '=1+1', outcome: 'refused', reason: 'a, "b"' }]));
  expect(text).toBe('\ufeffline,order,outcome,reason\r\n,\'=1+1,refused,"a, ""b"""\r\n');
});

test('gives every order number its own file name, valid on any system', () => {
  const numbers = [
    'SO-1',
    'a/b',
    'a\\b',
    'a%2Fb',
    'COM1',
    'com1.x',
    'COM10',
    'aux',
    'auxiliary',
    '.a',
    '~a',
    'a:b',
    'ä 1',
    'x'.repeat(201),
  ];
  const names = numbers.map((number) => orderFileName(number, digest));
  expect(names).toEqual([
    'SO-1.json',
    'a%2Fb.json',
    'a%5Cb.json',
    'a%252Fb.json',
    '%43OM1.json',
    '%63om1.x.json',
    'COM10.json',
    '%61ux.json',
    'auxiliary.json',
    '%2Ea.json',
    '%7Ea.json',
    'a%3Ab.json',
    'ä 1.json',
    `${'x'.repeat(40)}~0123456789abcdef.json`,
  ]);
  expect(orderFileName('\ud800', digest)).toBe('\ufffd.json');
});
