import { renameSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sheetOf, textWorkbook } from '../../helpers/files/workbook.ts';
import type { Load, LoadAnswer } from '../measuredStation.ts';

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const HEAD = ['order_number', 'SKU', 'ordered_quantity'];
/** Names that every object has. */
const OBJECT_WORDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
const EMPTY_ROWS = 11_000_000;
const MANY = 1_000_000;
/** Limits of files: docs/files.md. */
const MOST_COLUMNS = 2_000;
const MOST_ROWS = 100_000;
const MOST_ROWS_OF_ORDERS = 30_000;
const MOST_VALUES = 500_000;
const FILE_BYTES = 16_000_000;
const INBOX_MS = 150_000;

const preview = ({ request }: Load, name: string, type: string, content: string | Uint8Array): Promise<LoadAnswer> =>
  request('POST', `/api/imports/?dry_run=true&name=${name}`, content, { 'content-type': type });

/** A workbook of less than 100 KiB with millions of empty rows. */
export async function workbookOfEmptyRows(load: Load): Promise<void> {
  await preview(load, 'rows.xlsx', WORKBOOK, sheetOf(`<sheetData>${'<row/>'.repeat(EMPTY_ROWS)}</sheetData>`));
}

export async function twoWorkbooksAtOnce(load: Load): Promise<void> {
  await Promise.all([workbookOfEmptyRows(load), workbookOfEmptyRows(load)]);
}

export async function workbookOfEmptyCells(load: Load): Promise<void> {
  const row = `<row>${'<c/>'.repeat(MANY)}</row>`;
  await preview(load, 'cells.xlsx', WORKBOOK, sheetOf(`<sheetData>${row}</sheetData>`));
}

export async function workbookOfMerges(load: Load): Promise<void> {
  const merges = '<mergeCell ref="A1:XFD1048576"/>'.repeat(MANY);
  await preview(load, 'merges.xlsx', WORKBOOK, sheetOf(`<sheetData/><mergeCells>${merges}</mergeCells>`));
}

export async function workbookOfTexts(load: Load): Promise<void> {
  await preview(load, 'texts.xlsx', WORKBOOK, sheetOf('<sheetData/>', { texts: '<si><t>a</t></si>'.repeat(MANY) }));
}

export async function workbookOfHiddenColumns(load: Load): Promise<void> {
  const columns = '<col min="1" max="16384" hidden="1"/>'.repeat(MANY);
  await preview(load, 'hidden.xlsx', WORKBOOK, sheetOf(`<cols>${columns}</cols><sheetData/>`));
}

/** Many columns without a name, as many with names, and more than a file can have. */
export async function wideCsv(load: Load): Promise<void> {
  const empty = ';'.repeat(MOST_COLUMNS - HEAD.length);
  const rows = Array.from({ length: FILE_BYTES / MOST_COLUMNS }, (_, at) => `SO-${at};M8;1${empty}`);
  await preview(load, 'wide.csv', 'text/csv', [HEAD.join(';') + empty, ...rows].join('\n').slice(0, FILE_BYTES));
}

export async function csvOfManyNames(load: Load): Promise<void> {
  const names = Array.from({ length: MOST_COLUMNS - HEAD.length }, (_, at) => `order date of column ${at} (warehouse)`);
  await preview(load, 'names.csv', 'text/csv', `${[...HEAD, ...names].join(';')}\nSO-1;M8;1\n`);
}

export async function csvOfTooManyNames(load: Load): Promise<void> {
  const names = Array.from({ length: MANY }, (_, at) => `column ${at}`);
  await preview(load, 'too-many.csv', 'text/csv', `${[...HEAD, ...names].join(';')}\nSO-1;M8;1\n`);
}

export async function longCsv(load: Load): Promise<void> {
  const rows = Array.from({ length: MOST_ROWS - 1 }, (_, at) => `SO-${at};M8;1`);
  await preview(load, 'long.csv', 'text/csv', [HEAD.join(';'), ...rows].join('\n'));
}

/** As many orders as a file can have, and as many rows as another file can have. The limit of lines does not apply to shipped orders. */
export async function csvOfShippedOrders(load: Load): Promise<void> {
  await preview(load, 'shipped.csv', 'text/csv', shippedRows(MOST_ROWS_OF_ORDERS));
}

export async function csvOfTooManyShippedOrders(load: Load): Promise<void> {
  await preview(load, 'shipped.csv', 'text/csv', shippedRows(MOST_ROWS - 1));
}

const shippedRows = (count: number): string =>
  [`${HEAD.join(';')};status`, ...listOf(count, (at) => `SO-${at};M8;1;shipped`)].join('\n');

/** As many different texts as a file can have. */
export async function csvOfManyTexts(load: Load): Promise<void> {
  await preview(load, 'texts.csv', 'text/csv', differentTexts(MOST_VALUES / 100 - 10));
}

export async function csvOfTooManyTexts(load: Load): Promise<void> {
  await preview(load, 'texts.csv', 'text/csv', differentTexts((2 * MOST_VALUES) / 100));
}

const differentTexts = (count: number): string => {
  const names = listOf(100 - HEAD.length, (at) => `column ${at}`);
  const row = (at: number): string =>
    [`SO-${at}`, `M-${at}`, `${at}`, ...names.map((_name, column) => `${column}-${at}`)].join(';');
  return [[...HEAD, ...names].join(';'), ...listOf(count, row)].join('\n');
};

/** As many numbers as a file can have. */
export async function workbookOfNumbers(load: Load): Promise<void> {
  const numbers = '<c><v>1</v></c>'.repeat(100);
  const rows = `<row>${numbers}</row>`.repeat(MOST_VALUES / 100);
  await preview(load, 'numbers.xlsx', WORKBOOK, sheetOf(`<sheetData>${rows}</sheetData>`));
}

const listOf = (count: number, make: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** As many cells as a file can have, with few different values in each column. */
export async function csvOfManyCells(load: Load): Promise<void> {
  const names = Array.from({ length: MOST_COLUMNS - HEAD.length }, (_, at) => `status of column ${at}`);
  const rows = Array.from({ length: 990 }, (_, at) => `SO-${at};M8;1${`;${at % 7} open`.repeat(names.length)}`);
  await preview(load, 'cells.csv', 'text/csv', [[...HEAD, ...names].join(';'), ...rows].join('\n'));
}

/** One row with cells as long as the file. */
export async function csvOfOneLongRow(load: Load): Promise<void> {
  const cells = Array.from({ length: 120 }, (_, at) => `note ${at}`);
  const row = `SO-1;M8;1${`;${'ä, '.repeat(43_000)}`.repeat(cells.length)}`;
  await preview(load, 'row.csv', 'text/csv', [[...HEAD, ...cells].join(';'), row].join('\n'));
}

/** Object words as names, values and types of cells, of elements, of columns and of files. */
export async function objectWords(load: Load): Promise<void> {
  for (const word of OBJECT_WORDS) {
    const cells = [...HEAD, word, 'status', 'unit'];
    const rows = [cells, ['SO-1', word, '1', word, word, word]];
    const files = [
      textWorkbook({ [word]: rows }),
      sheetOf(`<sheetData><row><c t="${word}"><v>1</v></c></row></sheetData>`),
      sheetOf(`<sheetData><row><${word}><v>1</v></${word}></row></sheetData><${word}/>`),
    ];
    for (const file of files) await preview(load, 'words.xlsx', WORKBOOK, file);
    await preview(load, 'words.csv', 'text/csv', rows.map((row) => row.join(';')).join('\n'));
    await preview(load, 'words.json', 'application/json', `{"csv":"a;b\\n1;2","columns":{"${word}":"sku"}}`);
  }
}

/** The workbook of empty rows and one of object words in the inbox, and then a good file, which must be imported. */
export async function inboxAfterBadFiles(load: Load): Promise<void> {
  const { folder, request } = load;
  await request('PATCH', '/api/settings/', { inbox_folder: folder });
  const put = (name: string, content: string | Uint8Array): void => {
    writeFileSync(join(folder, `.${name}`), content);
    renameSync(join(folder, `.${name}`), join(folder, name));
  };
  put('a.xlsx', sheetOf(`<sheetData>${'<row/>'.repeat(EMPTY_ROWS)}</sheetData>`));
  put('b.xlsx', sheetOf('<sheetData><row><c t="constructor"><v>1</v></c></row></sheetData>'));
  put('c.csv', `${HEAD.join(',')}\nSO-1,M8,1\n`);
  const names = (): string[] => readdirSync(folder).filter((name) => /\.(?:xlsx|csv)$/.test(name));
  for (const until = Date.now() + INBOX_MS; names().length > 0;) {
    if (Date.now() > until) {
      const { text } = await request('GET', '/api/folders/');
      throw new Error(`after ${INBOX_MS / 1_000} s the inbox still has ${names().join(', ')}: ${text}`);
    }
    await pause(100);
  }
  const { text } = await request('GET', '/api/order-progress/');
  if (!text.includes('SO-1')) throw new Error('the good file was not imported');
}
