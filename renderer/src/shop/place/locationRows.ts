import type { LocationAlias } from '#shared/api/alias.ts';
import type { NamedDevice } from '../../station/places.ts';
import type { TableSort } from '../../kit/list/DataTable.tsx';

/** A place and its device; `none`: a device without a place, named by its DeviceID. */
export type LocationTableRow = { key: string; name: string; deviceid: string; deviceName: string } & (
  | { kind: 'alias'; alias: LocationAlias }
  | { kind: 'label' | 'none' }
);
export type Kind = LocationTableRow['kind'];
export type Sort = TableSort<'place' | 'device' | 'deviceIs' | 'kind'>;

const KINDS: readonly Kind[] = ['label', 'alias', 'none'];
const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Every label, every alias, and every device that has neither. */
export function listLocations(
  places: readonly NamedDevice[],
  aliases: readonly LocationAlias[],
): readonly LocationTableRow[] {
  const names = new Map(places.map(({ deviceid, name }) => [deviceid, name]));
  const aliased = new Set(aliases.map(({ deviceid }) => deviceid));
  const own = places.flatMap(({ deviceid, name }): LocationTableRow[] => {
    const row = { key: deviceid, name, deviceid, deviceName: name };
    if (name !== deviceid) return [{ ...row, kind: 'label' }];
    return aliased.has(deviceid) ? [] : [{ ...row, kind: 'none' }];
  });
  const further = aliases.map((alias): LocationTableRow => {
    const { id, name, deviceid } = alias;
    return { key: `alias ${id}`, kind: 'alias', name, deviceid, deviceName: names.get(deviceid) ?? deviceid, alias };
  });
  return [...own, ...further];
}

/** In the order of a column; what is equal there by place, and what has no name last. */
export function sortLocations(
  rows: readonly LocationTableRow[],
  { by, descending }: Sort,
): readonly LocationTableRow[] {
  const sign = descending ? -1 : 1;
  const compare = COMPARE[by];
  return rows.toSorted((a, b) => {
    const nameless = Number(a.kind === 'none') - Number(b.kind === 'none');
    if (nameless !== 0 && by !== 'device') return nameless;
    return sign * compare(a, b) || naturally.compare(a.name, b.name) || (a.key < b.key ? -1 : 1);
  });
}

const COMPARE: Record<Sort['by'], (a: LocationTableRow, b: LocationTableRow) => number> = {
  place: (a, b) => naturally.compare(a.name, b.name),
  device: (a, b) => naturally.compare(a.deviceName, b.deviceName) || naturally.compare(a.deviceid, b.deviceid),
  deviceIs: (a, b) => naturally.compare(phraseOf(a), phraseOf(b)),
  kind: (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
};

/** The rows that contain every word in the place, the device's name, its DeviceID or its position. */
export function findLocations(rows: readonly LocationTableRow[], search: string): readonly LocationTableRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.name}\n${row.deviceName}\n${row.deviceid}\n${phraseOf(row)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function phraseOf(row: LocationTableRow): string {
  return row.kind === 'alias' ? row.alias.deviceIs : '';
}
