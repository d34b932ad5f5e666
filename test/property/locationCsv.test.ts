import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { whole } from '#shared/lib/inParts.ts';
import { readCsv } from '#shared/lib/csv.ts';
import { DEVICE_IS } from '#shared/lib/deviceIs.ts';
import { readLocations, writeLocations } from '#shared/lib/locationCsv.ts';

const hostile = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  "'",
  '"',
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  ' ',
  'sep=;',
  'name',
  '\ufeff',
);
/** A name as the API stores it: without surrounding spaces. */
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.oneof(hostile, fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '');
const deviceid = fc.nat(0xffffff).map((number) => `51D000:${number.toString(16).toUpperCase().padStart(6, '0')}`);
const labelled = fc.record({ deviceid, label: fc.oneof(name, fc.constant('')) });
const simple = labelled.filter(({ label }) => !/[;\t\r\n]/.test(label));
const alias = fc.record({
  id: fc.nat(),
  name,
  deviceid,
  deviceIs: fc.constantFrom(...DEVICE_IS),
});

test('exported places with any names are read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(alias, { maxLength: 20 }), fc.array(simple, { maxLength: 20 }), (aliases, devices) => {
      const read = whole(readLocations(writeLocations(devices, aliases)));
      expect(read).toMatchObject({ ok: true, delimiter: ',', ignored: [] });
      const rows = read.ok ? read.rows.map(({ line: _line, ...row }) => row) : [];
      expect(rows).toEqual([
        ...devices.map((row) => ({ name: '', deviceIs: '', ...row })),
        ...aliases.map(({ id: _id, ...row }) => ({ ...row, label: '' })),
      ]);
    }),
    { numRuns: 1_000 },
  );
});

test('no cell of an export begins like a formula, quoted or not', () => {
  fc.assert(
    fc.property(fc.array(alias, { maxLength: 20 }), (aliases) => {
      const text = writeLocations([], aliases).slice(1);
      expect(onOneLine(text)).not.toMatch(/(^|\r\n)"?[=+\-@\t\r\n]/);
    }),
    { examples: [[[{ id: 0, name: '=\r\n=', deviceid: '51D000:000000', deviceIs: 'Above' }]]] },
  );
});

/**
 * Removes line breaks within quotes, so that each line starts a new record. The first characters of a cell stay
 * unchanged.
 */
function onOneLine(text: string): string {
  return text.replaceAll(/"(?:[^"]|"")*"/g, (cell) => cell.slice(0, 2) + cell.slice(2).replaceAll(/[\r\n]/g, ' '));
}

test('no label of an export is a formula, wherever a spreadsheet splits its cells', () => {
  fc.assert(
    fc.property(fc.array(labelled, { maxLength: 20 }), (devices) => {
      const text = writeLocations(devices, []).slice(1);
      expect(text).not.toMatch(/(^|[\r\n;\t])\s*"?[=+\-@]/);
      // Commas within quotes separate nothing.
      expect(text).not.toMatch(/^[^"\r\n]*,,"?[=+\-@]/m);
    }),
  );
});

test('reading any text never throws', () => {
  const text = fc.array(fc.oneof(hostile, fc.string()), { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => {
      whole(readLocations(given));
      for (const { cells } of readCsv(given).records) expect(cells.length).toBeGreaterThan(0);
    }),
  );
});
