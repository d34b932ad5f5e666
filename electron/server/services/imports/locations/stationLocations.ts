import type { LocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import { nameKey, placeKey } from '#shared/lib/text/nameKey.ts';
import type { GivenArticle } from '../../../db/repositories/articles.ts';
import type { PlaceNote } from '../../../db/repositories/imports.ts';
import type { NamedPlaceRow } from '../../../db/repositories/namedPlaces.ts';
import { StationError } from '../../../errors.ts';
import type { StepQueue } from '../../../scheduling/index.ts';
import { type ArticlesOfPlaces, givenArticles } from './givenArticles.ts';

/** Snapshot of the station's places, for searches by name that ignore case and blanks. */
export type StationLocations = {
  /** Finds an alias by name, ignoring case and blanks. Prefers an alias that differs only in case. Throws `conflict` if several match. */
  findAlias(name: string): LocationAlias | undefined;
  /** Finds an alias by name, ignoring only case. */
  aliased(name: string): LocationAlias | undefined;
  /** Returns the device's label, or undefined if the device does not exist. */
  labelOf(deviceId: string): string | undefined;
  /** Finds the devices with this label, ignoring case and blanks. */
  labeled(label: string): readonly string[];
  /**
   * Returns the id of a device that is named by DeviceID or label. Throws `conflict` if the text is neither a DeviceID nor the label of
   * exactly one device.
   */
  deviceOf(text: string): string;
  /** All labels and names of aliases. */
  lit: readonly string[];
  /** Keys of the places that have goods. */
  goods: ReadonlySet<string>;
  /** Returns the articles that get a place, without those that have it. Throws `conflict` if a text names none. */
  givenArticles(texts: readonly string[], place: string): GivenArticle[];
  /** Finds a place with this name, ignoring case and blanks. `isPlace` tells whether it exists, or only has a note. */
  findPlace(name: string): PlaceNote & { name: string; isPlace: boolean };
};

type DeviceLabel = { device_id: string; label: string };
/** All device labels and aliases of a station, the names of places with goods, and what was said about places. */
export type ListedLocations = {
  devices: DeviceLabel[];
  aliases: LocationAlias[];
  goods: readonly string[];
  named: readonly NamedPlaceRow[];
};
type LocationTables = {
  aliases: { list(page: { after: number; limit: number }): readonly LocationAlias[] };
  devices: { listAfter(after: string, limit: number): readonly DeviceLabel[] };
  namedPlaces: { list(): readonly NamedPlaceRow[] };
  stock: { listPlaceNames(): readonly { place: string }[] };
};
type Reads = Pick<StepQueue, 'take'>;

/** Number of rows to read per step. A step takes about 1 ms. */
const READ_ROWS = 200;

/** Reads the station's labels, aliases and places in steps. */
export async function listLocations(
  { aliases, devices, namedPlaces, stock }: LocationTables,
  foregroundReads: Reads,
): Promise<ListedLocations> {
  return {
    devices: await listPages(foregroundReads, (limit, last?: DeviceLabel) =>
      devices.listAfter(last?.device_id ?? '', limit).map(({ device_id, label }) => ({ device_id, label })),
    ),
    aliases: await listPages(foregroundReads, (limit, last?: LocationAlias) =>
      aliases.list({ after: last?.id ?? 0, limit }),
    ),
    goods: (await foregroundReads.take(() => stock.listPlaceNames())).map(({ place }) => place),
    named: await foregroundReads.take(() => namedPlaces.list()),
  };
}

/** Reads a whole list page by page. `readPage` returns the rows after `last`, or the first rows if it is undefined. */
export async function listPages<T>(
  foregroundReads: Reads,
  readPage: (limit: number, last?: T) => readonly T[],
): Promise<T[]> {
  const rows: T[] = [];
  for (let isLast = false; !isLast;) {
    const page = await foregroundReads.take(() => readPage(READ_ROWS, rows.at(-1)));
    rows.push(...page);
    isLast = page.length < READ_ROWS;
  }
  return rows;
}

export async function readStationLocations(
  tables: LocationTables & ArticlesOfPlaces,
  foregroundReads: Reads,
): Promise<StationLocations> {
  return stationLocationsOf(await listLocations(tables, foregroundReads), tables);
}

/** Indexes labels, aliases and places for searches by name. `tables` are those of the articles now. */
export function stationLocationsOf(
  { aliases, devices, goods, named: rows }: ListedLocations,
  tables: ArticlesOfPlaces,
): StationLocations {
  const aliasesByKey = new Map<string, LocationAlias[]>();
  for (const alias of aliases) append(aliasesByKey, placeKey(alias.name), alias);
  const labels = new Map<string, string>();
  const idsByKey = new Map<string, string[]>();
  for (const { device_id: id, label } of devices) {
    labels.set(id, label);
    if (label !== '') append(idsByKey, placeKey(label), id);
  }

  function findAlias(name: string): LocationAlias | undefined {
    const found = closest(aliasesByKey.get(placeKey(name)) ?? [], name, (alias) => alias.name);
    if (found.length > 1)
      throw conflict(`Several aliases match: ${named(found.map((alias) => alias.name))}. Use one of these names.`);
    return found[0];
  }

  const aliased = (name: string): LocationAlias | undefined =>
    aliasesByKey.get(placeKey(name))?.find((alias) => nameKey(alias.name) === nameKey(name));

  function labeled(label: string): readonly string[] {
    return closest(idsByKey.get(placeKey(label)) ?? [], label, (id) => labels.get(id) ?? '');
  }

  function deviceOf(text: string): string {
    const id = text.toUpperCase();
    if (DEVICE_ID_PATTERN.test(id)) return id;
    const [only, ...others] = labeled(text);
    if (only === undefined) throw conflict(`No DeviceID or label is "${text}".`);
    if (others.length === 0) return only;
    throw conflict(`${others.length + 1} devices have the label "${text}". Use a DeviceID instead.`);
  }

  const lit = [...[...labels.values()].filter((label) => label !== ''), ...aliases.map(({ name }) => name)];
  const namesByKey = new Map<string, string[]>();
  const made = rows.filter(({ isMade }) => isMade).map(({ name }) => name);
  for (const name of [...lit, ...goods, ...made]) append(namesByKey, placeKey(name), name);
  const notes = new Map(rows.map((row) => [nameKey(row.name), row]));

  function findPlace(name: string): ReturnType<StationLocations['findPlace']> {
    const [found] = closest(namesByKey.get(placeKey(name)) ?? [], name, (each) => each);
    const { isMade, note } = notes.get(nameKey(found ?? name)) ?? { isMade: false, note: '' };
    return { name: found ?? name, isPlace: found !== undefined, isMade, note };
  }

  return {
    findAlias,
    aliased,
    labelOf: (deviceId) => labels.get(deviceId),
    labeled,
    deviceOf,
    lit,
    goods: new Set(goods.map(nameKey)),
    givenArticles: (texts, place) => givenArticles(tables, texts, place),
    findPlace,
  };
}

/** Returns the candidates that differ from the name only in case, or all candidates if there are none. */
function closest<T>(candidates: readonly T[], name: string, nameOf: (candidate: T) => string): readonly T[] {
  const key = nameKey(name);
  const same = candidates.filter((each) => nameKey(nameOf(each)) === key);
  return same.length > 0 ? same : candidates;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function named(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}

function conflict(message: string): StationError {
  return new StationError('conflict', message);
}
