import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { StationMap } from '#shared/api/map.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { hasConcern, type Concern } from '../../station/conditions.ts';
import { useStationState } from '../../station/context.ts';
import { useFind } from '../../station/useFind.ts';
import type { StationState } from '../../station/live/store.ts';
import { meansPlace, placeNames } from '../../station/placeNames.ts';

/**
 * Returns the devices that match the search and the filter. The search finds names, aliases, DeviceIDs, positions on the map, the station's
 * search results, texts on screens, and orders and sequences that light a device. A device that matched by its screen or its work stays
 * matched until the search changes. A device whose name equals the search comes first; all others are sorted by name. Returns undefined
 * without search and filter.
 */
export function useMatches(search: string, concern: Concern | undefined): readonly string[] | undefined {
  const found = useFind(search);
  const select = useMemo(() => {
    const deviceids = new Set(found.flatMap(({ deviceid = [] }) => deviceid));
    return matching(search.trim().toLowerCase(), concern, deviceids);
  }, [search, concern, found]);
  return useStationState(useShallow(select));
}

type Select = (state: StationState) => readonly string[] | undefined;

const NOWHERE: ReturnType<typeof placeNames> = new Map();
const NONE: ReadonlySet<string> = new Set();

/**
 * Returns a function that selects the matching devices. `found` has the DeviceIDs in the station's search results, such
 * as the places of an article.
 */
function matching(wanted: string, concern: Concern | undefined, found: ReadonlySet<string>): Select {
  if (wanted === '' && concern === undefined) return () => undefined;
  // Cache place names, because devices change much more often than the map.
  let known: { map: StationMap; names: ReturnType<typeof placeNames> } | undefined;
  const namesOf = (map: StationMap) => {
    if (known?.map !== map) known = { map, names: placeNames(map) };
    return known.names;
  };
  let aliased: { aliases: readonly LocationAlias[]; deviceids: ReadonlySet<string> } | undefined;
  const aliasedBy = (aliases: readonly LocationAlias[]) => {
    if (aliased?.aliases !== aliases) {
      const meant = aliases.filter(({ name }) => name.toLowerCase().includes(wanted));
      aliased = { aliases, deviceids: new Set(meant.map(({ deviceid }) => deviceid)) };
    }
    return aliased.deviceids;
  };
  // Devices that matched by their commands. They stay matched after a press: otherwise they would leave the map, and
  // a double click would press the device that moves to their position.
  const worked = new Set<string>();
  return ({ station, places, lowBatteries }) => {
    const matches: string[] = [];
    const exact: string[] = [];
    const standing = wanted === '' || station === null ? NOWHERE : namesOf(station.map);
    const further = wanted === '' || station === null ? NONE : aliasedBy(station.aliases);
    for (const { deviceid, name } of places) {
      const label = name.toLowerCase();
      const isNamed = label.includes(wanted) || deviceid.toLowerCase().includes(wanted);
      const device = findDevice(station?.devices ?? [], deviceid);
      const isMeant =
        isNamed || further.has(deviceid) || found.has(deviceid) || meansPlace(standing.get(deviceid), wanted);
      if (worksFor(device, wanted) || shows(device, wanted)) worked.add(deviceid);
      if (!isMeant && !worked.has(deviceid)) continue;
      if (concern === undefined || (device !== undefined && hasConcern(device, concern, lowBatteries))) {
        (label === wanted ? exact : matches).push(deviceid);
      }
    }
    return [...exact, ...matches];
  };
}

/** Whether a command on the device belongs to an order or a sequence whose name contains this text. */
function worksFor(device: Device | undefined, wanted: string): boolean {
  const called = (name: string | null) => name?.toLowerCase().includes(wanted) === true;
  return device?.commands.some((each) => called(each.order_number) || called(each.sequenceid)) === true;
}

/** Texts on each device, in lower case. Device objects are immutable, so a changed device gets a new entry. */
const SHOWN = new WeakMap<Device, string>();

/** Whether the device's open commands or its idle screen contain this text. */
function shows(device: Device | undefined, wanted: string): boolean {
  if (device === undefined || wanted.length < MIN_FIND_CHARACTERS) return false;
  let shown = SHOWN.get(device);
  if (shown === undefined) {
    shown = [device, ...device.commands].flatMap(linesOf).join('\n').toLowerCase();
    SHOWN.set(device, shown);
  }
  return shown.includes(wanted);
}

function linesOf(shown: Device | CommandEntry): string[] {
  if ('line1' in shown) return [shown.line1, shown.line2, shown.line3, shown.line4, shown.line5];
  return [shown.statica, shown.staticb, shown.staticc, shown.staticd, shown.statice];
}
