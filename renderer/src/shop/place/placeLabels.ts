import type { LocationAlias } from '#shared/api/alias.ts';
import { naturally } from '../../kit/list/columns.ts';
import type { NamedDevice } from '../../station/places.ts';

/** A name of a place, which can be printed, and the device that lights for it. `key`: the DeviceID, or that of the alias. */
export type PlaceLabel = { key: string; name: string; deviceid: string };

/** The key of an alias among the labels. */
export function aliasKey({ id }: Pick<LocationAlias, 'id'>): string {
  return `alias ${id}`;
}

/** Every label and every alias by name; `keys`: only these. */
export function listPlaceLabels(
  places: readonly NamedDevice[],
  aliases: readonly LocationAlias[],
  keys: ReadonlySet<string> | undefined,
): readonly PlaceLabel[] {
  const own = places.flatMap(({ deviceid, name }) => (name === deviceid ? [] : [{ key: deviceid, name, deviceid }]));
  const further = aliases.map((alias) => ({ key: aliasKey(alias), name: alias.name, deviceid: alias.deviceid }));
  return [...own, ...further]
    .filter(({ key }) => keys === undefined || keys.has(key))
    .toSorted((a, b) => naturally.compare(a.name, b.name) || (a.key < b.key ? -1 : 1));
}
