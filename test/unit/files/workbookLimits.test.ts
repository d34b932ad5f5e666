import { expect, test } from 'vitest';
import type { TableFile } from '#shared/lib/tables/table.ts';
import { readFile } from '../../../electron/server/services/tables/readFile.ts';
import { sheetOf, workbookOf } from '../../helpers/files/workbook.ts';
import { lettersOf } from '../../../electron/server/services/tables/references.ts';
import { heapInUse } from '../../helpers/heap.ts';

const MIB = 1024 * 1024;
/** Number of parts between two measurements of the heap. */
const MEASURED_EVERY = 1_000;

type Measured = { file: TableFile; heapBytes: number };

/** Reads a file, and measures how much the heap grows. */
function measured(bytes: Uint8Array): Measured {
  const before = heapInUse();
  const work = readFile(bytes, null);
  let heapBytes = 0;
  for (let parts = 1; ; parts += 1) {
    const part = work.next();
    if (part.done === true) return { file: part.value, heapBytes };
    if (parts % MEASURED_EVERY === 0) heapBytes = Math.max(heapBytes, heapInUse() - before);
  }
}

const repeated = (start: string, piece: string, count: number, end: string): string =>
  `${start}${piece.repeat(count)}${end}`;
const stylesOf = (xml: string): Record<string, string> => ({ 'xl/styles.xml': `<styleSheet>${xml}</styleSheet>` });
const CELL = '<sheetData><row><c><v>1</v></c></row></sheetData>';

test.each<[name: string, file: () => Uint8Array, message: string]>([
  ['a row 1,048,577', () => sheetOf('<sheetData><row r="1048577"/></sheetData>'), 'has more than 1,048,576 rows'],
  [
    '100,001 merged cells',
    () => sheetOf(repeated(`${CELL}<mergeCells>`, '<mergeCell ref="B1:B2"/>', 100_001, '</mergeCells>')),
    'The workbook has more than 100,000 merged cells. Unmerge cells',
  ],
  [
    '16,385 ranges of hidden columns',
    () => sheetOf(`${repeated('<cols>', '<col min="3" max="3" hidden="1"/>', 16_385, '</cols>')}${CELL}`),
    'hides more columns than a sheet can have',
  ],
  [
    '1,000,001 texts',
    () => sheetOf(CELL, { texts: '<si/>'.repeat(1_000_001) }),
    'The workbook has more than 1,000,000 different texts. Remove columns or sheets',
  ],
  [
    '65,537 cell styles',
    () => sheetOf(CELL, { files: stylesOf(repeated('<cellXfs>', '<xf numFmtId="0"/>', 65_537, '</cellXfs>')) }),
    'The workbook has more than 65,536 cell styles. Copy the cells into a new workbook',
  ],
  [
    '65,537 number formats',
    () =>
      sheetOf(CELL, {
        files: stylesOf(repeated('<numFmts>', '<numFmt numFmtId="200" formatCode="0"/>', 65_537, '</numFmts>')),
      }),
    'The workbook has more than 65,536 cell styles.',
  ],
  [
    'a number format of 1,025 characters',
    () => sheetOf(CELL, { formats: ['a'.repeat(1_025)] }),
    'a number format is too long',
  ],
  [
    '200,001 cells with errors',
    () =>
      sheetOf(
        repeated('<sheetData><row>', `${'<c t="e"><v>x</v></c>'.repeat(50)}</row><row>`, 4_001, '</row></sheetData>'),
      ),
    'The workbook has more than 200,000 cells with errors. Correct the formulas',
  ],
  [
    '1,001 sheets',
    () => workbookOf({ sheets: Array.from({ length: 1_001 }, (_, at) => ({ name: `S${at}`, xml: CELL })) }),
    'The workbook has more than 1,000 sheets. Remove sheets',
  ],
  [
    '20,001 links between parts',
    () => sheetOf(CELL, { files: { '_rels/.rels': repeated('<R>', '<Relationship Id="1"/>', 20_001, '</R>') } }),
    'The workbook has more than 20,000 links.',
  ],
])('refuses a workbook with %s before it takes memory for them', (_name, fileOf, message) => {
  const { file, heapBytes } = measured(fileOf());
  expect(file).toMatchObject({ ok: false, ask: null, message: expect.stringContaining(message) as string });
  expect(heapBytes).toBeLessThan(100 * MIB);
});

test('reads 200,000 empty rows without keeping them', () => {
  const xml = `<sheetData>${'<row/>'.repeat(200_000)}<row><c><v>1</v></c></row></sheetData>`;
  const { file, heapBytes } = measured(sheetOf(xml));
  expect(file).toMatchObject({ ok: true, sheets: [{ rows: [{ line: 200_001, followsGap: true }] }] });
  expect(heapBytes).toBeLessThan(10 * MIB);
});

test('counts the work of merged cells, so that a few thousand cells cannot cost billions of steps', () => {
  const columns = Array.from({ length: 1_000 }, (_, at) => `<c r="${lettersOf(8_000 + at)}1"><v>1</v></c>`).join('');
  const merged = '<mergeCell ref="A1:KWC1"/>'.repeat(99_000);
  const { file } = measured(
    sheetOf(`<sheetData><row><c r="A1"><v>1</v></c>${columns}</row></sheetData><mergeCells>${merged}</mergeCells>`),
  );
  expect(file).toMatchObject({ ok: false, message: expect.stringContaining('more than 2,000,000 cells') as string });
});

test('counts different values before the station keeps them: equal texts one below the other once, and each number', () => {
  const texts = (rows: number, name: (at: number) => string): Buffer =>
    Buffer.from(
      Array.from({ length: rows }, (_, at) => Array.from({ length: 100 }, () => name(at)).join(',')).join('\n'),
    );
  const numbers = `<row>${'<c><v>1</v></c>'.repeat(100)}</row>`;
  const tooMany = { ok: false, message: expect.stringContaining('more than 500,000 different values') as string };
  expect(measured(texts(5_000, String)).file).toMatchObject({ ok: true });
  expect(measured(texts(5_001, String)).file).toMatchObject(tooMany);
  expect(measured(texts(5_001, () => 'same')).file).toMatchObject({ ok: true });
  expect(measured(sheetOf(`<sheetData>${numbers.repeat(5_001)}</sheetData>`)).file).toMatchObject(tooMany);
});
