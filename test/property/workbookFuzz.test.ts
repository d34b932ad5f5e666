import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { TABLE_KINDS } from '#shared/lib/tables/fields.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readFile } from '../../electron/server/services/tables/readFile.ts';
import { zipOf } from '../helpers/files/workbook.ts';
import { seededFraction } from '../helpers/seeded.ts';

/** `WORKBOOK_CHANGES=100000 WORKBOOK_SEED=7` makes the test long and repeatable. */
const CHANGES = Number(process.env['WORKBOOK_CHANGES'] ?? 150);
const SEED = Number(process.env['WORKBOOK_SEED'] ?? 1);
/** Longer than any message without the texts of a file. */
const MAX_MESSAGE = 1_500;

const FILES = ['orders.xlsx', 'openpyxl.xlsx', 'openpyxl1904.xlsx', 'xlsxwriter.xlsx'].map((name) =>
  Object.entries(unzipSync(readFileSync(new URL(`../files/tables/${name}`, import.meta.url)))),
);
/** Texts to put into the XML: words that every object has, large numbers, references outside of a sheet, and markup. */
const PIECES = [
  '__proto__',
  'constructor',
  'toString',
  '999999999999',
  '-1',
  'XFD1048576',
  'ZZZ9',
  'A1:XFD1048576',
  '<row r="1048577"/>',
  '<c t="s"><v>99999</v></c>',
  '<c t="constructor"><v>1</v></c>',
  '<mergeCell ref="A1:ZZZ99999999"/>',
  '<col min="-5" max="1e9" hidden="1"/>',
  '<xf numFmtId="toString"/>',
  '</sheetData>',
  '&amp;',
  '\u0000',
];

test('reads or refuses each workbook with changed XML, in a short message and without an error', () => {
  const fraction = seededFraction(SEED);
  const below = (most: number): number => Math.floor(fraction() * most);
  let refused = 0;
  for (let change = 0; change < CHANGES; change += 1) {
    const parts = FILES[below(FILES.length)] ?? [];
    const changed = below(parts.length);
    const bytes = zipOf(
      Object.fromEntries(
        parts.map(([name, content], index) => [
          name,
          index === changed ? mutated(Buffer.from(content).toString('latin1'), below) : content,
        ]),
      ),
    );
    const file = whole(readFile(bytes, null));
    const messages = file.ok
      ? file.sheets.flatMap((sheet) =>
          TABLE_KINDS.map((kind) => whole(mapColumns(kind, sheet, { isPlace: () => false }))).map((mapping) =>
            mapping.ok ? '' : mapping.message,
          ),
        )
      : [file.message];
    refused += file.ok ? 0 : 1;
    for (const message of messages) {
      expect(message.length, `change ${change}: ${message.slice(0, 200)}`).toBeLessThan(MAX_MESSAGE);
      expect(message).not.toMatch(/undefined|\[object|NaN/);
    }
  }
  expect(refused, 'some are read, and some are refused').toBeGreaterThan(CHANGES / 10);
  expect(refused).toBeLessThan(CHANGES);
});

/** Replaces a few places of the text by pieces, other characters or nothing. */
function mutated(text: string, below: (most: number) => number): Buffer {
  let changed = text;
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const at = below(changed.length);
    const piece = [PIECES[below(PIECES.length)] ?? '', String.fromCharCode(below(256)), ''][below(3)] ?? '';
    changed = changed.slice(0, at) + piece + changed.slice(at + below(12));
  }
  return Buffer.from(changed, 'latin1');
}
