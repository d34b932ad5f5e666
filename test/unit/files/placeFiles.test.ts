import { expect, test } from 'vitest';
import type { ReadPlace } from '#shared/lib/tables/places.ts';
import { assessPlace, refuseDuplicates } from '../../../electron/server/services/imports/locations/assessLocations.ts';
import { readStationLocations } from '../../../electron/server/services/imports/locations/stationLocations.ts';
import { PLACE_CASES } from '../../files/cases/places.ts';
import { readPlaceFile } from '../../helpers/files/placeFile.ts';

test.each(PLACE_CASES.map((each) => [each.title, each] as const))(
  'reads a file of locations: %s',
  async (_title, each) => {
    const read = await readPlaceFile(
      typeof each.file === 'string' ? Buffer.from(each.file, 'utf8') : each.file,
      each.given,
    );
    const messages: string[] = [];
    if ('message' in read) {
      expect(each.refusedFile, read.message).toEqual(expect.any(String));
      expect(each.places).toBeUndefined();
      messages.push(read.message);
    } else {
      expect(read.places).toEqual(each.places ?? {});
      expect(Object.keys(read.refused)).toEqual(Object.keys(each.refused ?? {}));
      expect(read.leftOut).toEqual(each.leftOut ?? []);
      expect(each.refusedFile).toBeUndefined();
      messages.push(...Object.values(read.refused));
    }
    if (each.says !== undefined) expect(messages.join('\n')).toMatch(each.says);
  },
);

const ROWS = 5_000;
const nothing = () => undefined;
const NO_ARTICLES = { find: nothing, findBySku: nothing, findNamed: nothing, findOnly: nothing };

/** Reads a file of the maximum size. Each row names a place at one of the station's devices and sets the device's label. */
async function largestFile(deviceOf: (row: number) => string, label: (row: number) => string) {
  const devices = Array.from({ length: ROWS }, (_, row) => ({ device_id: idOf(row), label: '' }));
  const tables = {
    aliases: { list: () => [] },
    devices: { listAfter: (after: string) => devices.filter(({ device_id }) => device_id > after).slice(0, 200) },
    namedPlaces: { list: () => [] },
    articles: NO_ARTICLES,
    stock: { listPlaceNames: () => [], listAt: () => [], listPlaces: () => [] },
  };
  const station = await readStationLocations(tables, { take: (work) => Promise.resolve(work()) });
  const places = Array.from({ length: ROWS }, (_, row) => {
    const values = { name: `A-${row}`, deviceIs: 'Above', label: label(row), note: '' };
    const said = { ...values, deviceid: deviceOf(row), article: '', rack: '', shelf: '', column: '' };
    const read: ReadPlace = {
      line: row + 2,
      said,
      problem: '',
      isLeftOut: false,
      device: deviceOf(row),
      articles: [],
      position: null,
      unplaced: '',
      ...values,
    };
    return assessPlace(station, read);
  });
  return { station, places };
}

const idOf = (row: number): string => `51D000:${row.toString(16).padStart(6, '0').toUpperCase()}`;

test('warns about every label of the largest file, a few rows at a time', async () => {
  const { station, places } = await largestFile(idOf, (row) => `Shelf ${row} beside the long aisle of the north hall`);
  const work = refuseDuplicates(station, places);
  let parts = 0;
  let part = work.next();
  for (; part.done !== true; part = work.next()) parts += 1;
  expect(part.value.filter((each) => 'warning' in each && each.warning !== '')).toHaveLength(ROWS);
  expect(parts).toBeGreaterThan(ROWS / 50);
});

test('the number of label comparisons for one device grows linearly with the rows', async () => {
  const { station, places } = await largestFile(
    () => idOf(1),
    (row) => (row === ROWS - 1 ? 'B' : 'A'),
  );
  let compared = 0;
  for (const { read } of places) {
    const { label } = read;
    Object.defineProperty(read, 'label', {
      get() {
        compared += 1;
        return label;
      },
    });
  }
  for (const work = refuseDuplicates(station, places); work.next().done !== true;);
  expect(compared).toBeLessThan(20 * ROWS);
});
