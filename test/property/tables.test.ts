import { expect, test } from 'vitest';
import { writeCsv } from '#shared/lib/tables/cells/csv.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { textOf, type FileTable, type TableFile } from '#shared/lib/tables/table.ts';
import { readFile } from '../../electron/server/services/tables/readFile.ts';
import { writeFile } from '../../electron/server/services/tables/writeFile.ts';
import * as fc from '../helpers/fastCheck.ts';

const read = (bytes: Uint8Array, encoding: string | null = null): TableFile => whole(readFile(bytes, encoding));

function tableOf(file: TableFile): FileTable {
  if (!file.ok) throw new Error(file.message);
  const [table] = file.sheets;
  if (table === undefined) throw new Error('no table');
  return table;
}
const cellsOf = (file: TableFile) => tableOf(file).rows.map(({ cells }) => cells);

const LETTERS = ['a', 'Z', '0', '7', ' ', '.', '-', "'", '=', 'ä', 'ß', 'ł', 'Ω', '東', '京', '😀'];
const SPECIAL = [',', ';', '|', '"', '""', '\t'];
const BREAKS = ['\n', '\r\n'];
const textOfLetters = (letters: readonly string[]) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((parts) => parts.join(''));

/** Generates rows of strings with a filled first cell. */
const tables = (letters: readonly string[]) =>
  fc.integer({ min: 2, max: 6 }).chain((columns) =>
    fc.array(
      fc
        .array(textOfLetters(letters), { minLength: columns, maxLength: columns })
        .map(([first = '', ...others]) => [`x${first}`, ...others]),
      { minLength: 1, maxLength: 12 },
    ),
  );

const head = (columns: number): string[] => Array.from({ length: columns }, (_, at) => `Column ${at}`);
const quoted = (cell: string): string => (/[,;|"\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const written = (rows: readonly (readonly string[])[], separator: string, end: string): string =>
  rows.map((cells) => cells.map(quoted).join(separator)).join(end);

test.each([
  ['commas', ',', [...LETTERS, ...SPECIAL, ...BREAKS]],
  ['semicolons', ';', [...LETTERS, ...SPECIAL, ...BREAKS]],
  ['vertical bars', '|', [...LETTERS, ...SPECIAL, ...BREAKS]],
  ['tabs', '\t', [...LETTERS, ...SPECIAL]],
])('reads every table separated by %s unchanged', (_name, separator, letters) => {
  fc.assert(
    fc.property(tables(letters), fc.constantFrom('\n', '\r\n', '\r'), (rows, end) => {
      const all = [head(rows[0]?.length ?? 0), ...rows];
      const table = tableOf(read(Buffer.from(written(all, separator, end))));
      expect(table.delimiter).toBe(separator);
      expect(table.rows.map(({ cells }) => cells)).toEqual(all);
      expect(table.notes).toEqual([]);
    }),
  );
});

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(text, 'utf16le').swap16(),
};

test('reads a table the same in UTF-8 and UTF-16, with and without a byte order mark', () => {
  fc.assert(
    fc.property(
      tables(LETTERS),
      fc.constantFrom(...Object.keys(ENCODERS)),
      fc.boolean(),
      (rows, encoding, isMarked) => {
        const all = [head(rows[0]?.length ?? 0), ...rows];
        const bytes = ENCODERS[encoding]?.(`${isMarked ? '\ufeff' : ''}${written(all, ';', '\n')}`) ?? Buffer.of();
        const file = read(bytes, 'windows-1252');
        expect(file).toMatchObject({ ok: true, encoding });
        expect(cellsOf(file)).toEqual(all);
      },
    ),
  );
});

test('decodes bytes that are not UTF-8 as the named encoding or refuses them, but never replaces any', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom('windows-1252', 'windows-1250', 'shift_jis', 'utf-8', 'utf-16le'),
      (some, encoding) => {
        const file = read(Buffer.concat([Buffer.from('a;b\nx;'), some, Buffer.from(';\n')]), encoding);
        const texts = file.ok ? file.sheets.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(textOf))) : [];
        // U+FFFD itself can be written in UTF-8 and UTF-16.
        if (file.ok && file.encoding?.startsWith('utf-') === true) return;
        expect(texts.join('')).not.toMatch(/[\u0080-\u009F\uFFFD]/);
      },
    ),
  );
});

test('never throws for any bytes', () => {
  const beginnings = fc.constantFrom('', 'PK\u0003\u0004', 'sep=', '\ufeff', 'a\tb\n"', '<');
  fc.assert(
    fc.property(beginnings, fc.uint8Array({ maxLength: 200 }), (beginning, bytes) => {
      const file = read(Buffer.concat([Buffer.from(beginning), bytes]));
      expect(file.ok || file.message.length > 20).toBe(true);
    }),
  );
});

/** Removes an apostrophe that marks text, as readers of cell values do. */
const withoutGuard = (text: string): string => (/^'+[\d=+\-@]/.test(text) ? text.slice(1) : text);

test('reads every written workbook back unchanged', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    textOfLetters([...LETTERS, ...SPECIAL, '\n', '\r', '_x0041_', '_x', '\0', '\ud800', '\ufffe']),
    fc.constantFrom('=1+1', "'=1", "'5", "''5", '-5', '+1', '@x', '00123', '1E5', '_x005F_', 'a  b'),
  );
  const rows = fc.array(
    fc.tuple(fc.constantFrom('x', '00123'), cell, fc.integer({ min: -999, max: 999_999_999_999_999 })),
  );
  fc.assert(
    fc.property(rows, (all) => {
      const bytes = whole(writeFile('Orders', ['Order', 'Text', 'Number'], all));
      const [names, ...found] = cellsOf(read(bytes));
      expect(names).toEqual(['Order', 'Text', 'Number']);
      expect(found.map(([first, text, number]) => [first, withoutGuard(text as string), number])).toEqual(
        all.map(([first, text, number]) => [first, text, { kind: 'number', value: number, text: String(number) }]),
      );
    }),
  );
});

test('reads written CSV with semicolons back, apart from the apostrophe that marks text', () => {
  fc.assert(
    fc.property(tables([...LETTERS, ...SPECIAL, '\n']), (rows) => {
      const all = [head(rows[0]?.length ?? 0), ...rows];
      const table = tableOf(read(Buffer.from(writeCsv(all, ';'))));
      expect(table.delimiter).toBe(';');
      expect(
        table.rows.map(({ cells }) => cells.map((cell) => (cell as string).replace(/^'(?='*[=+\-@\t\r\n]|'+\d)/, ''))),
      ).toEqual(all);
    }),
  );
});
