import { expect, test } from 'vitest';
import { csvLines } from '#shared/lib/tables/cells/csv.ts';
import { DEVICE_IS } from '#shared/lib/devices/deviceIs.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { placeKey } from '#shared/lib/text/nameKey.ts';
import { explicitText } from '#shared/lib/tables/cells/codes.ts';
import { writeFile } from '../../electron/server/services/tables/writeFile.ts';
import * as fc from '../helpers/fastCheck.ts';
import { readPlaceFile } from '../helpers/files/placeFile.ts';

// Locations in many file formats: each is read as a person would read it or refused, and never misread as a different one.

const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003', '51D000:000004'];

const NAMES = {
  name: ['name', 'Location', 'Lagerplatz', 'Emplacement', 'Ubicación', 'Bin name'],
  deviceid: ['deviceid', 'Device', 'Gerät', 'Appareil', 'Dispositivo'],
  deviceIs: ['deviceIs', 'Where', 'Wo', 'Où', 'Dónde'],
} as const;
const COLUMNS = ['name', 'deviceid', 'deviceIs'] as const;

const name = fc
  .array(fc.constantFrom('A', 'b', '1', '7', '-', '/', ' ', ';', ',', '"', 'ß', 'é', '中', '=', "'", '+'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((letters) => letters.join('').trim())
  .filter((text) => text !== '');
const places = fc.uniqueArray(
  fc.record({ name, deviceid: fc.constantFrom(...DEVICES), deviceIs: fc.constantFrom(...DEVICE_IS) }),
  { minLength: 1, maxLength: 8, selector: (place) => placeKey(place.name) },
);
type Place = { name: string; deviceid: string; deviceIs: string };

const style = fc.record({
  names: fc.record({
    name: fc.constantFrom(...NAMES.name),
    deviceid: fc.constantFrom(...NAMES.deviceid),
    deviceIs: fc.constantFrom(...NAMES.deviceIs),
  }),
  columns: fc.shuffledSubarray([...COLUMNS, 'Remark'] as const, { minLength: 4, maxLength: 4 }),
  separator: fc.constantFrom(',', ';'),
  encoding: fc.constantFrom('utf-8', 'utf-16le'),
  title: fc.boolean(),
  gaps: fc.boolean(),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

const cellsOf = (place: Place, { columns }: Style) =>
  columns.map((column) => (column === 'Remark' ? 'x' : column === 'name' ? explicitText(place.name) : place[column]));
const headOf = ({ columns, names }: Style) => columns.map((column) => (column === 'Remark' ? column : names[column]));

function csvOf(all: readonly Place[], written: Style): Uint8Array {
  const lines = [headOf(written), ...all.map((place) => cellsOf(place, written))];
  const rows = lines.map((row) => csvLines([row], written.separator)).join(written.gaps ? '\r\n' : '');
  const text = `\ufeff${written.title ? 'Places\r\n\r\n' : ''}${rows}`;
  return Buffer.from(text, written.encoding === 'utf-8' ? 'utf8' : 'utf16le');
}

async function read(bytes: Uint8Array): Promise<{ places: unknown[]; refused: string[] }> {
  const file = await readPlaceFile(bytes);
  if ('message' in file) throw new Error(file.message);
  return { places: Object.values(file.places), refused: Object.values(file.refused) };
}

test('reads locations in a CSV file of any format as a person would', async () => {
  await fc.assert(
    fc.asyncProperty(places, style, async (all, written) => {
      expect(await read(csvOf(all, written))).toEqual({ places: all, refused: [] });
    }),
  );
});

test('reads locations in a workbook as a person would', async () => {
  await fc.assert(
    fc.asyncProperty(places, style, async (all, written) => {
      const rows = all.map((place) => cellsOf(place, written));
      expect(await read(whole(writeFile('Sheet', headOf(written), rows)))).toEqual({ places: all, refused: [] });
    }),
  );
});

test('refuses only invalid rows and all rows with a repeated name', async () => {
  const damage = fc.constantFrom<(place: Place) => Place>(
    (place) => ({ ...place, deviceid: 'nowhere' }),
    (place) => ({ ...place, deviceIs: 'beside' }),
    (place) => ({ ...place, name: '' }),
  );
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replaceAll(' ', '  '),
    (text) => text.replaceAll(' ', ''),
  );
  await fc.assert(
    fc.asyncProperty(places, style, damage, spelling, fc.nat(), async (all, written, harm, spell, pick) => {
      const at = pick % all.length;
      const one = all[at];
      if (one === undefined) throw new Error('no place');
      const others = all.filter((place) => place !== one);
      const damaged = await read(
        csvOf(
          all.map((place, index): Place => (index === at ? harm(place) : place)),
          written,
        ),
      );
      expect([damaged.places, damaged.refused.length]).toEqual([others, 1]);
      const twice = await read(csvOf([...all, { ...one, name: spell(one.name) }], written));
      expect([twice.places, twice.refused.length]).toEqual([others, 2]);
    }),
  );
});
