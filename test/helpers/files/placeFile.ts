import type { LocationAlias } from '#shared/api/alias.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { placeKey } from '#shared/lib/text/nameKey.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readPlaceRows } from '#shared/lib/tables/places.ts';
import { assessPlace, refuseDuplicates } from '../../../electron/server/services/imports/locations/assessLocations.ts';
import { readStationLocations } from '../../../electron/server/services/imports/locations/stationLocations.ts';
import { readFile } from '../../../electron/server/services/tables/readFile.ts';
import type { ExpectedPlace } from '../../files/cases/places.ts';

/** Labels of the devices, by DeviceID. */
const LABELS: Readonly<Record<string, string>> = {
  '51D000:000001': 'Bench',
  '51D000:000002': 'Shelf 7',
  '51D000:000003': '',
  '51D000:000004': '',
};
const ALIASES: readonly LocationAlias[] = [{ id: 1, name: 'Oct-12', deviceid: '51D000:000001', deviceIs: 'Below' }];

/** The lines of a location file as the station reads them, or the reason for refusing the file. */
type Read =
  | { message: string }
  | { places: Record<number, ExpectedPlace>; refused: Record<number, string>; leftOut: number[] };

const nothing = () => undefined;
const NO_GOODS = {
  namedPlaces: { list: () => [] },
  articles: { find: nothing, findBySku: nothing, findNamed: nothing, findOnly: nothing },
  stock: { listPlaceNames: () => [], listAt: () => [], listPlaces: () => [] },
};

/** Reads a location file at a station with the devices and places that the test cases expect. */
export async function readPlaceFile(
  bytes: Uint8Array,
  given: { columns?: Record<string, string | null>; encoding?: string } = {},
): Promise<Read> {
  const names = [...Object.keys(LABELS), ...Object.values(LABELS), ...ALIASES.map(({ name }) => name)];
  const isPlace = (text: string) => names.some((name) => placeKey(name) === placeKey(text));
  const cells = whole(readFile(bytes, given.encoding ?? null));
  if (!cells.ok) return { message: cells.message };
  const [table] = cells.sheets;
  if (table === undefined) throw new Error('the file has no sheet');
  const { columns } = given;
  const mapping = whole(mapColumns('locations', table, { ...(columns === undefined ? {} : { columns }), isPlace }));
  if (!mapping.ok) return { message: mapping.message };
  const rows = whole(readPlaceRows(mapping, { isPlace, findArticle: nothing }));
  if (!rows.ok) return { message: rows.message };
  const devices = Object.entries(LABELS).map(([device_id, label]) => ({ device_id, label }));
  const tables = { aliases: { list: () => ALIASES }, devices: { listAfter: () => devices }, ...NO_GOODS };
  const station = await readStationLocations(tables, { take: (work) => Promise.resolve(work()) });
  const read: Exclude<Read, { message: string }> = { places: {}, refused: {}, leftOut: [] };
  const assessed = rows.places.map((each) => assessPlace(station, each));
  for (const place of whole(refuseDuplicates(station, assessed))) {
    const { line, label } = place.read;
    if ('wanted' in place) {
      const { alias, deviceId } = place.wanted;
      read.places[line] = {
        deviceid: deviceId ?? '',
        ...(deviceId === null ? { name: place.read.name } : {}),
        ...(alias === null ? {} : { name: alias.after.name, deviceIs: alias.after.deviceIs }),
        ...(label === null ? {} : { label }),
      };
    } else if (place.outcome === 'left_out') read.leftOut.push(line);
    else read.refused[line] = place.message;
  }
  return read;
}
