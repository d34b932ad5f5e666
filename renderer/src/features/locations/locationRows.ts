import type { LocationAlias } from '#shared/api/alias.ts';
import type { Place } from '../../station/places.ts';
import type { TableSort } from '../../ui/DataTable.tsx';

/** A place and the device that stands for it; `none`: a device that stands for no place yet, with its DeviceID for a name. */
export type LocationRow = { key: string; name: string; deviceid: string; deviceName: string } & (
  | { kind: 'alias'; alias: LocationAlias }
  | { kind: 'label' | 'none' }
);
export type Kind = LocationRow['kind'];
export type Sort = TableSort<'place' | 'device' | 'deviceIs' | 'kind'>;

const KINDS: readonly Kind[] = ['label', 'alias', 'none'];
const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Every label, every alias, and every device that has neither. */
export function listLocations(places: readonly Place[], aliases: readonly LocationAlias[]): readonly LocationRow[] {
  const names = new Map(places.map(({ deviceid, name }) => [deviceid, name]));
  const aliased = new Set(aliases.map(({ deviceid }) => deviceid));
  const own = places.flatMap(({ deviceid, name }): LocationRow[] => {
    const row = { key: deviceid, name, deviceid, deviceName: name };
    if (name !== deviceid) return [{ ...row, kind: 'label' }];
    return aliased.has(deviceid) ? [] : [{ ...row, kind: 'none' }];
  });
  const further = aliases.map((alias): LocationRow => {
    const { id, name, deviceid } = alias;
    return { key: `alias ${id}`, kind: 'alias', name, deviceid, deviceName: names.get(deviceid) ?? deviceid, alias };
  });
  return [...own, ...further];
}

/** In the order of a column; what is equal there by place, and what has no name last. */
export function sortLocations(rows: readonly LocationRow[], { by, descending }: Sort): readonly LocationRow[] {
  const sign = descending ? -1 : 1;
  const compare = COMPARE[by];
  return rows.toSorted((a, b) => {
    const nameless = Number(a.kind === 'none') - Number(b.kind === 'none');
    if (nameless !== 0 && by !== 'device') return nameless;
    return sign * compare(a, b) || naturally.compare(a.name, b.name) || (a.key < b.key ? -1 : 1);
  });
}

const COMPARE: Record<Sort['by'], (a: LocationRow, b: LocationRow) => number> = {
  place: (a, b) => naturally.compare(a.name, b.name),
  device: (a, b) => naturally.compare(a.deviceName, b.deviceName) || naturally.compare(a.deviceid, b.deviceid),
  deviceIs: (a, b) => naturally.compare(phraseOf(a), phraseOf(b)),
  kind: (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
};

/** The rows in which every word stands somewhere: in the place, the device's name, its DeviceID, or where it is. */
export function findLocations(rows: readonly LocationRow[], search: string): readonly LocationRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.name}\n${row.deviceName}\n${row.deviceid}\n${phraseOf(row)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function phraseOf(row: LocationRow): string {
  return row.kind === 'alias' ? row.alias.deviceIs : '';
}
