import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import type { FileCell, FileTable, TableFile } from '#shared/lib/tables/table.ts';
import { readFile } from '../../../electron/server/services/tables/readFile.ts';
import { countParts } from '../../helpers/files/inParts.ts';
import { sheetOf, workbookOf, zipOf, type WorkbookXml } from '../../helpers/files/workbook.ts';

const FILES = new URL('../../files/tables/', import.meta.url);
const read = (bytes: Uint8Array): TableFile => whole(readFile(bytes, null));
const sample = (name: string): TableFile => read(readFileSync(new URL(name, FILES)));

function sheetsOf(file: TableFile): readonly FileTable[] {
  if (!file.ok) throw new Error(file.message);
  return file.sheets;
}

function firstOf(file: TableFile): FileTable {
  const [first] = sheetsOf(file);
  if (first === undefined) throw new Error('no sheet');
  return first;
}

/** Converts a cell to text: `fault: message` for a fault, `n:` before numbers, `d:` before dates, and text unchanged. */
function shown(cell: FileCell): string {
  if (typeof cell === 'string') return cell;
  return cell.kind === 'fault' ? `fault: ${cell.message}` : `${cell.kind[0] ?? ''}:${cell.text}`;
}
const rowsOf = (table: FileTable): string[][] => table.rows.map(({ cells }) => cells.map(shown));
const cellOf = (xml: string, others?: Omit<WorkbookXml, 'sheets'>): string =>
  rowsOf(
    firstOf(read(sheetOf(`<sheetData><row r="1"><c r="A1" t="str"><v>x</v></c>${xml}</row></sheetData>`, others))),
  )[0]?.[1] ?? '';

test('reads LibreOffice files: formats, formulas, merged, hidden and filtered cells', () => {
  const [orders, notes, ...others] = sheetsOf(sample('orders.xlsx'));
  expect(others).toEqual([]);
  expect(orders).toMatchObject({ sheet: 'Orders', delimiter: null, hiddenRows: 2, hiddenColumns: 1 });
  expect(orders?.notes).toEqual(['The sheet "Old" is hidden and is not read.']);
  expect(orders === undefined ? [] : rowsOf(orders)).toEqual([
    ['Order', 'SKU', 'Quantity', 'EAN', 'Due', 'Place'],
    ['n:7001', 'n:00123', 'n:2', 'n:4006381333948', 'd:2026-11-26', 'Bär A-1'],
    [
      'n:7001',
      '0456',
      'n:0.5',
      'TRUE',
      'd:2026-11-26T14:30',
      'fault: G3 of "Orders" shows the error #DIV/0!. Correct the formula, or enter the value itself.',
    ],
    ['n:7002', 'HIDDEN'],
    ['n:7003', 'FILTERED'],
    [
      'n:7004',
      'K-100',
      'n:2.5',
      'fault: The number in E7 of "Orders" has more than 15 digits, which spreadsheets round. Format the cell as text, and enter it again.',
    ],
  ]);
  expect(orders?.rows.map(({ line, isHidden, followsGap }) => [line, isHidden, followsGap])).toEqual([
    [1, false, false],
    [2, false, false],
    [3, false, false],
    [4, true, false],
    [5, true, false],
    [7, false, true],
  ]);
  expect(notes === undefined ? [] : rowsOf(notes)).toEqual([['line one\nline two']]);
});

test.each(['openpyxl.xlsx', 'openpyxl1904.xlsx'])('reads %s, whose formulas have no results', (name) => {
  const table = firstOf(sample(name));
  expect(rowsOf(table)).toEqual([
    ['Order', 'SKU', 'Quantity', 'Due', 'Name'],
    ['n:7001', '00123', 'n:2', 'd:2026-11-26T14:30', 'Größe'],
    [
      'n:7002',
      'n:00456',
      'fault: The formula in C3 of "Orders" has no stored result. Open the file in a spreadsheet program, save it, and send it again.',
      'd:2026-11-27',
      'Rich bold',
    ],
    ['n:7003', 'x', 'TRUE', '12:00'],
  ]);
  expect(table.rows.map(({ isHidden }) => isHidden)).toEqual([false, false, false, true]);
});

test('refuses formula results that the writing program did not calculate', () => {
  expect(rowsOf(firstOf(sample('xlsxwriter.xlsx')))[1]?.[2]).toMatch(
    /^fault: The formula in C2 of "Orders" has no stored/,
  );
});

test.each<[name: string, xml: string, expected: string, others?: Omit<WorkbookXml, 'sheets'>]>([
  ['a number', '<c r="B1"><v>2.5</v></c>', 'n:2.5'],
  ['15 digits', '<c r="B1"><v>999999999999999</v></c>', 'n:999999999999999'],
  ['15 digits with an exponent', '<c r="B1"><v>4.006381333948E12</v></c>', 'n:4006381333948'],
  ['16 digits', '<c r="B1"><v>1000000000000000</v></c>', 'fault: The number in B1'],
  ['a sum with a rounding error', '<c r="B1"><v>0.30000000000000004</v></c>', 'n:0.3'],
  ['a formula result with a rounding error', '<c r="B1"><f>1</f><v>2.9999999999999996</v></c>', 'n:3'],
  ['a tiny number', '<c r="B1"><v>1.5E-7</v></c>', 'n:0.00000015'],
  ['a negative number', '<c r="B1"><v>-3</v></c>', 'n:-3'],
  ['a format of zeros', '<c r="B1" s="1"><v>123</v></c>', 'n:00123', { formats: ['00000'] }],
  ['a format of zeros with a language', '<c r="B1" s="1"><v>123</v></c>', 'n:00123', { formats: ['[$-407]00000'] }],
  ['a fraction with a format of zeros', '<c r="B1" s="1"><v>1.5</v></c>', 'n:1.5', { formats: ['00000'] }],
  ['a percentage', '<c r="B1" s="1"><v>0.5</v></c>', 'n:0.5', { formats: ['0%'] }],
  ['a currency', '<c r="B1" s="1"><v>12.5</v></c>', 'n:12.5', { formats: ['#,##0.00 [$€-407];[Red]-#,##0.00'] }],
  ['a unit that contains letters of date formats', '<c r="B1" s="1"><v>12</v></c>', 'n:12', { formats: ['0" days"'] }],
  ['an escaped unit', '<c r="B1" s="1"><v>12</v></c>', 'n:12', { formats: ['0\\ \\d'] }],
  ['a format with a currency in quotes', '<c r="B1" s="1"><v>2</v></c>', 'n:2', { formats: ['0.00 "€"'] }],
  ['a day', '<c r="B1" s="1"><v>46352</v></c>', 'd:2026-11-26', { formats: ['dd/mm/yyyy'] }],
  ['a day in a built-in format', '<c r="B1" s="1"><v>46352</v></c>', 'd:2026-11-26'],
  [
    'a day and time',
    '<c r="B1" s="1"><v>46352.6041666667</v></c>',
    'd:2026-11-26T14:30',
    { formats: ['d. mmm yy h:mm'] },
  ],
  [
    'a day and seconds',
    '<c r="B1" s="1"><v>46352.00001157407</v></c>',
    'd:2026-11-26T00:00:01',
    { formats: ['d.m.yy'] },
  ],
  ['a time', '<c r="B1" s="1"><v>0.25</v></c>', '06:00', { formats: ['h:mm AM/PM'] }],
  ['a duration', '<c r="B1" s="1"><v>1.5</v></c>', 'n:1.5', { formats: ['[h]:mm'] }],
  ['the first day', '<c r="B1" s="1"><v>1</v></c>', 'd:1900-01-01', { formats: ['yyyy-mm-dd'] }],
  ['the day before the false leap day', '<c r="B1" s="1"><v>59</v></c>', 'd:1900-02-28', { formats: ['yyyy-mm-dd'] }],
  ['the false leap day', '<c r="B1" s="1"><v>60</v></c>', 'fault: The number in B1', { formats: ['yyyy-mm-dd'] }],
  ['the day after the false leap day', '<c r="B1" s="1"><v>61</v></c>', 'd:1900-03-01', { formats: ['yyyy-mm-dd'] }],
  ['day 0', '<c r="B1" s="1"><v>0</v></c>', 'fault: The number in B1', { formats: ['yyyy-mm-dd'] }],
  ['a negative day', '<c r="B1" s="1"><v>-2</v></c>', 'fault: The number in B1', { formats: ['yyyy-mm-dd'] }],
  [
    'a day in the 1904 date system',
    '<c r="B1" s="1"><v>44890</v></c>',
    'd:2026-11-26',
    { formats: ['d.m.yy'], properties: '<workbookPr date1904="1"/>' },
  ],
  ['a stored date', '<c r="B1" t="d"><v>2026-11-26T14:30:00.000Z</v></c>', 'd:2026-11-26T14:30'],
  ['an unreadable stored date', '<c r="B1" t="d"><v>soon</v></c>', 'fault: B1 of "Sheet1" has an unreadable date'],
  ['true', '<c r="B1" t="b"><v>1</v></c>', 'TRUE'],
  ['false', '<c r="B1" t="b"><v>0</v></c>', 'FALSE'],
  ['an error', '<c r="B1" t="e"><v>#N/A</v></c>', 'fault: B1 of "Sheet1" shows the error #N/A.'],
  ['a formula with a result', '<c r="B1"><f>A1</f><v>7</v></c>', 'n:7'],
  ['a formula with a text', '<c r="B1" t="str"><f>A1</f><v>K-7</v></c>', 'K-7'],
  ['a formula with an empty text', '<c r="B1" t="str"><f>A1</f><v></v></c>', ''],
  ['a formula that refers to another file', '<c r="B1"><f>[1]Stock!$A$1</f><v>4</v></c>', 'n:4'],
  ['a formula without a result', '<c r="B1"><f>A1</f></c>', 'fault: The formula in B1'],
  ['a shared formula with an empty result', '<c r="B1"><f t="shared" si="0"/><v></v></c>', 'fault: The formula in B1'],
  ['a shared text', '<c r="B1" t="s"><v>0</v></c>', 'Bär &', { texts: '<si><t>Bär &amp;</t></si>' }],
  ['a missing shared text', '<c r="B1" t="s"><v>7</v></c>', 'fault: B1 of "Sheet1" refers to a missing text'],
  [
    'rich text',
    '<c r="B1" t="s"><v>0</v></c>',
    'one two',
    { texts: '<si><r><t xml:space="preserve">one </t></r><r><rPr><b/></rPr><t>two</t></r></si>' },
  ],
  [
    'a text with a phonetic guide',
    '<c r="B1" t="s"><v>0</v></c>',
    '東京',
    { texts: '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>' },
  ],
  ['an inline text', '<c r="B1" t="inlineStr"><is><t>00123</t></is></c>', '00123'],
  ['an inline rich text', '<c r="B1" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>', 'ab'],
  ['an escaped character', '<c r="B1" t="inlineStr"><is><t>a_x000D_b _x005F_x0041_</t></is></c>', 'a\rb _x0041_'],
  ['a text like a number', '<c r="B1" t="str"><v>00123</v></c>', '00123'],
  ['a cell without a reference', '<c><v>5</v></c>', 'n:5'],
  ['a cell of a type that every object has as a property', '<c r="B1" t="constructor"><v>7</v></c>', 'n:7'],
  ['a cell with an element that every object has', '<c r="B1"><toString/><__proto__ r="9"/><v>7</v></c>', 'n:7'],
  ['a comment in a text', '<c r="B1" t="inlineStr"><is><t>a<!-- b -->c<![CDATA[<d>]]></t></is></c>', 'ac<d>'],
])('reads %s', (_name, xml, expected, others = {}) => {
  const cell = cellOf(xml, others);
  if (expected.startsWith('fault')) expect(cell).toContain(expected);
  else expect(cell).toBe(expected);
});

test('copies the value of a merged cell to each of its rows, in its first visible column', () => {
  const cell = (at: string, text: string): string => `<c r="${at}" t="str"><v>${text}</v></c>`;
  const table = firstOf(
    read(
      sheetOf(
        `<cols><col min="1" max="1" hidden="1"/></cols><sheetData>
          <row r="1">${cell('A1', 'Order')}${cell('C1', 'SKU')}${cell('D1', 'Place')}</row>
          <row r="2">${cell('A2', '7001')}${cell('B2', 'under it')}${cell('C2', 'X')}${cell('D2', 'A-1')}</row>
          <row r="3" hidden="1">${cell('C3', 'Y')}</row>
          <row r="4">${cell('C4', 'Z')}</row>
          <row r="5"/>
          <row r="6">${cell('C6', 'W')}</row>
        </sheetData><mergeCells><mergeCell ref="A2:B5"/><mergeCell ref="C1:C1"/><mergeCell ref="A1:B1"/><mergeCell ref="D2:D1048576"/></mergeCells>`,
      ),
    ),
  );
  expect(rowsOf(table)).toEqual([
    ['Order', 'SKU', 'Place'],
    ['7001', 'X', 'A-1'],
    ['7001', 'Y', 'A-1'],
    ['7001', 'Z', 'A-1'],
    ['', 'W', 'A-1'],
  ]);
  expect(table).toMatchObject({ hiddenRows: 1, hiddenColumns: 1 });
  expect(table.rows.map(({ followsGap }) => followsGap)).toEqual([false, false, false, false, true]);
});

test('omits hidden columns, and counts those with cells', () => {
  const table = firstOf(
    read(
      sheetOf(
        `<cols><col min="2" max="3" hidden="true"/><col min="10" max="16384" hidden="1"/></cols><sheetData>
        <row><c><v>1</v></c><c><v>2</v></c><c/><c><v>4</v></c></row><row><c r="B2"><v>9</v></c></row><row><c r="A3"><v>5</v></c></row></sheetData>`,
      ),
    ),
  );
  expect(rowsOf(table)).toEqual([['n:1', 'n:4'], ['n:5']]);
  expect(table.hiddenColumns).toBe(1);
  expect(table.rows.map(({ line, followsGap }) => [line, followsGap])).toEqual([
    [1, false],
    [3, true],
  ]);
});

test('reads the visible sheets in order, and lists the hidden ones', () => {
  const xml = '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>';
  const tables = sheetsOf(
    read(
      workbookOf({
        sheets: [
          { name: 'Gone', xml, state: 'veryHidden' },
          { name: 'B &amp; C', xml },
          { name: 'A', xml: '<sheetData/>' },
        ],
      }),
    ),
  );
  expect(tables.map(({ sheet, rows }) => [sheet, rows.length])).toEqual([
    ['B & C', 1],
    ['A', 0],
  ]);
  expect(tables[0]?.notes).toEqual(['The sheet "Gone" is hidden and is not read.']);
});

test('reads strict Open XML, prefixed names, UTF-16 parts and other spellings of file names', () => {
  const strict = sheetOf('<sheetData><row r="1"><c r="A1" t="d"><v>2026-11-26</v></c></row></sheetData>', {
    isStrict: true,
  });
  expect(rowsOf(firstOf(read(strict)))).toEqual([['d:2026-11-26']]);
  const sheet =
    '<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>4</x:v></x:c></x:row></x:sheetData></x:worksheet>';
  const wide = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${sheet}`, 'utf16le');
  expect(rowsOf(firstOf(read(sheetOf('', { files: { 'xl/worksheets/sheet0.xml': wide } }))))).toEqual([['n:4']]);
  const bytes = workbookOf({ sheets: [{ name: 'S', xml: '' }], files: { 'XL\\Worksheets\\Sheet1.xml': sheet } });
  expect(rowsOf(firstOf(read(bytes)))).toEqual([]);
});

test.each<[name: string, bytes: Uint8Array, message: string]>([
  ['.xls', readFileSync(new URL('orders.xls', FILES)), 'save it as .xlsx'],
  ['.ods', readFileSync(new URL('orders.ods', FILES)), 'save it as .xlsx'],
  ['an XML sheet', readFileSync(new URL('orders.fods', FILES)), 'Send the table as .xlsx or .csv.'],
  ['.numbers', zipOf({ 'Index/Document.iwa': 'x' }), 'Export it from Numbers as Excel (.xlsx)'],
  ['.xlsb', zipOf({ 'xl/workbook.bin': 'x' }), 'save it as .xlsx'],
  ['a different archive', zipOf({ 'orders.csv': 'a,b' }), 'Unpack it'],
  ['an empty archive', zipOf({}), 'Unpack it'],
  ['a PDF', Buffer.from('%PDF-1.7'), 'Send the table as .xlsx or .csv.'],
  ['a password', compound('EncryptedPackage'), 'Remove the password'],
  [
    'a workbook without visible sheets',
    workbookOf({ sheets: [{ name: 'S', xml: '', state: 'hidden' }] }),
    'Show the sheet',
  ],
  [
    'an XML bomb',
    sheetOf('', { files: { 'xl/worksheets/sheet0.xml': '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>' } }),
    'has a document type',
  ],
  [
    'truncated XML',
    sheetOf('', { files: { 'xl/worksheets/sheet0.xml': '<worksheet><sheetData>' } }),
    'is not valid XML',
  ],
  [
    'deeply nested XML',
    sheetOf('', { files: { 'xl/worksheets/sheet0.xml': '<a>'.repeat(1_000) } }),
    'is nested too deeply',
  ],
  [
    'an unsupported encoding',
    sheetOf('', { files: { 'xl/worksheets/sheet0.xml': '<?xml version="1.0" encoding="koi8-r"?><worksheet/>' } }),
    'has an unusual encoding',
  ],
  [
    'a missing sheet',
    sheetOf('', {
      files: {
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="s0" Type="x/worksheet" Target="no.xml"/></Relationships>',
      },
    }),
    'xl/no.xml is missing',
  ],
  [
    '2,001 columns',
    sheetOf('<sheetData><row r="1"><c r="BXY1"><v>1</v></c></row></sheetData>'),
    'Row 1 has more than 2,000 columns',
  ],
  ['rows out of order', sheetOf('<sheetData><row r="2"/><row r="1"/></sheetData>'), 'are not in order'],
])('refuses %s, and says what to do', (_name, bytes, message) => {
  const file = read(bytes);
  expect(file).toMatchObject({ ok: false, ask: null });
  expect(file.ok ? '' : file.message).toContain(message);
});

function compound(part: string): Uint8Array {
  return Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(600),
    Buffer.from(part, 'utf16le'),
  ]);
}

test('refuses truncated, damaged and encrypted workbooks', () => {
  const bytes = Buffer.from(readFileSync(new URL('orders.xlsx', FILES)));
  for (const length of [bytes.length - 1, bytes.length / 2, 40]) {
    expect(read(bytes.subarray(0, length))).toMatchObject({
      ok: false,
      message: expect.stringContaining('its end is missing'),
    });
  }
  const stored = Buffer.from(sheetOf('<sheetData><row r="1"><c r="A1"><v>1234</v></c></row></sheetData>'));
  let refused = 0;
  for (let at = 0; at < stored.length; at += 37) {
    const changed = Buffer.from(stored);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const file = read(changed);
    if (file.ok) expect(rowsOf(firstOf(file))).toEqual([['n:1234']]);
    else refused += 1;
  }
  expect(refused).toBeGreaterThan(stored.length / 150);
  const encrypted = Buffer.from(stored);
  encrypted[encrypted.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 8] = 1;
  expect(read(encrypted)).toMatchObject({ ok: false, message: expect.stringContaining('Remove the password') });
});

test.each([
  ['cells', '<sheetData><row r="1"/>', '<row><c t="str"><v>a text</v></c><c><v>5</v></c></row>', '</sheetData>'],
  [
    'merged cells',
    '<sheetData><row r="1"><c><v>1</v></c></row></sheetData><mergeCells>',
    '<mergeCell ref="A1:A9"/>',
    '</mergeCells>',
  ],
  ['a comment', '<!--', ' some words', '--><sheetData/>'],
])('reads a long workbook of %s in parts, between which other work can run', (_name, start, piece, end) => {
  const xml = `${start}${piece.repeat(Math.floor(900_000 / piece.length))}${end}`;
  expect(countParts(readFile(sheetOf(xml), null))).toBeGreaterThan(100);
  expect(read(sheetOf(xml))).toMatchObject({ ok: true });
});

test('refuses a workbook that would unpack to more than 64 MiB, without unpacking it', () => {
  const bomb = sheetOf('', { files: { 'xl/worksheets/sheet0.xml': '<a/>'.repeat(18 * 1024 * 1024) } });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  const before = process.memoryUsage().arrayBuffers;
  const message =
    'The workbook is larger than 64 MiB when unpacked. Remove sheets and pictures, or split it into several files.';
  expect(read(bomb)).toEqual({ ok: false, ask: null, message });
  // The limit holds even if the central directory understates the size.
  const lying = Buffer.from(bomb);
  for (const mark of [
    [0x50, 0x4b, 0x01, 0x02, 24],
    [0x50, 0x4b, 0x03, 0x04, 22],
  ]) {
    const [a = 0, b = 0, c = 0, d = 0, size = 0] = mark;
    for (
      let at = lying.indexOf(Buffer.from([a, b, c, d]));
      at >= 0;
      at = lying.indexOf(Buffer.from([a, b, c, d]), at + 4)
    ) {
      if (lying.readUInt32LE(at + size) === 72 * 1024 * 1024) lying.writeUInt32LE(1_000, at + size);
    }
  }
  expect(read(lying)).toMatchObject({ ok: false, message: expect.stringContaining('is longer than it says') });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80 * 1024 * 1024);
});

test.each([
  ['0" Karton"', 'Karton'],
  ['0" dz"', 'dz'],
  ['0\\ \\d\\z', 'dz'],
  ['"Box "0;-0', 'Box'],
  ['0.00 "€"', ''],
  ['0;"none"', ''],
  ['#,##0.00 [$€-407];[Red]-#,##0.00', ''],
  ['_-* #,##0_-', ''],
  ['General', ''],
])('the unit of the number format %s is %s', (format, unit) => {
  const xml = '<sheetData><row r="1"><c r="A1" s="1"><v>2</v></c></row></sheetData>';
  const table = firstOf(read(sheetOf(xml, { formats: [format] })));
  const cell = table.rows[0]?.cells[0];
  expect(typeof cell === 'object' && cell.kind === 'number' ? [cell.text, cell.unit ?? ''] : []).toEqual(['2', unit]);
});
