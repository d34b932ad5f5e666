import type { FieldError } from '#shared/api/problem.ts';
import type { MapReplacement, Rack, StationMap, Zone } from '#shared/api/map.ts';
import { lookAlikeKey } from '#shared/lib/text/lookAlike.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { cellOf, columnsByShelf, zoneKey } from '../../domain/places/stationMap.ts';
import { StationError } from '../../errors.ts';

/** Maximum number of shelves in all racks. Each change reads the whole map and blocks the event loop while doing so. */
const MAX_SHELVES_IN_ALL = 10_000;

/** Lists the errors in a new map. `wanted` is the map from the request. */
export function problemsOf(map: StationMap, devices: ReadonlySet<string>, wanted: MapReplacement): FieldError[] {
  return [
    ...rackProblems(map.racks),
    ...placeProblems(map.racks, devices, wanted.places),
    ...zoneProblems(map.zones),
    // Check the request rather than the map, because the new map lists each rack of a zone only once.
    ...(wanted.zones ?? []).flatMap((zone, index) => unknownRacks(zone.racks, map.racks, `/zones/${index}`)),
  ];
}

function rackProblems(racks: readonly Rack[]): FieldError[] {
  const isNewRack = firstTime();
  const isNewShelf = firstTime();
  return racks.flatMap(({ id, shelves }, index) => [
    ...problem(!isNewRack(id), `/racks/${index}/id`, 'Another rack has this id.'),
    ...shelves.flatMap((shelf, place) =>
      problem(!isNewShelf(shelf.id), `/racks/${index}/shelves/${place}/id`, 'Another shelf has this id.'),
    ),
  ]);
}

function placeProblems(
  racks: readonly Rack[],
  devices: ReadonlySet<string>,
  places: MapReplacement['places'],
): FieldError[] {
  const columns = columnsByShelf(racks);
  const placed = new Set<string>();
  const taken = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, place] of places.entries()) {
    const addError = (field: string, message: string) => errors.push({ path: `/places/${index}/${field}`, message });
    const width = columns.get(place.shelf);
    if (!devices.has(place.deviceid)) addError('deviceid', `There is no device ${place.deviceid}.`);
    else if (placed.has(place.deviceid)) addError('deviceid', `${place.deviceid} already has a place.`);
    else if (width === undefined) addError('shelf', 'No rack here has this shelf.');
    else if (place.column >= width) addError('column', beyond(width));
    else if (taken.has(cellOf(place))) addError('column', 'Another device is in this cell.');
    placed.add(place.deviceid);
    taken.add(cellOf(place));
  }
  return errors;
}

function zoneProblems(zones: readonly Zone[]): FieldError[] {
  const isNewId = firstTime();
  const isNewName = firstTime();
  return zones.flatMap(({ id, name }, index) => [
    ...problem(!isNewId(id), `/zones/${index}/id`, 'Another zone has this id.'),
    ...problem(!isNewName(zoneKey(name)), `/zones/${index}/name`, 'Another zone has this name.'),
  ]);
}

/** Returns an error for each unknown rack. `zone` is the JSON Pointer of the zone that lists the racks. */
export function unknownRacks(wanted: readonly string[], racks: readonly Rack[], zone = ''): FieldError[] {
  const known = new Set(racks.map(({ id }) => id));
  return wanted.flatMap((id, index) => problem(!known.has(id), `${zone}/racks/${index}`, `There is no rack ${id}.`));
}

/** Creates a function that returns true only for the first call with a given value. */
function firstTime(): (value: string) => boolean {
  const seen = new Set<string>();
  return (value) => seen.size < seen.add(value).size;
}

function problem(isWrong: boolean, path: string, message: string): FieldError[] {
  return isWrong ? [{ path, message }] : [];
}

/** Returns the message for a column that the shelf does not have. */
export function beyond(columns: number): string {
  return `The shelf has ${columns} columns; the last is ${columns - 1}.`;
}

export function refuseTakenZone(zones: readonly Zone[], name: string): void {
  const taken = zones.find((zone) => zoneKey(zone.name) === zoneKey(name));
  if (taken === undefined) return;
  throw new StationError('conflict', `There is already a zone ${taken.name}. Choose another name.`, [
    { path: '/name', message: 'Another zone has this name.' },
  ]);
}

/** Returns warnings about new and renamed racks whose name equals that of another rack or looks like it. */
export function alikeRackWarnings(before: readonly Rack[], after: readonly Rack[]): string[] {
  const known = new Map(before.map(({ id, name }) => [id, name]));
  const byKey = Map.groupBy(after, ({ name }) => lookAlikeKey(name));
  const warnings = after.flatMap((rack) => {
    if (known.get(rack.id) === rack.name) return [];
    const other = byKey.get(lookAlikeKey(rack.name))?.find((each) => each !== rack);
    if (other === undefined) return [];
    return nameKey(other.name) === nameKey(rack.name)
      ? [`Another rack has the name "${rack.name}" too. Give each rack a different name.`]
      : [
          `"${rack.name}" looks like "${other.name}", the name of another rack. Choose names that people cannot confuse.`,
        ];
  });
  return [...new Set(warnings)];
}

export function refuseTooMany(racks: readonly Rack[]): void {
  const count = racks.reduce((sum, { shelves }) => sum + shelves.length, 0);
  if (count <= MAX_SHELVES_IN_ALL) return;
  throw new StationError(
    'invalid',
    `That would be ${count} shelves; a map has at most ${MAX_SHELVES_IN_ALL}. Nothing was changed.`,
  );
}

export function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first !== undefined) throw new StationError('invalid', `${first.message} Nothing was changed.`, errors);
}
