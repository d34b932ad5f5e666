import { useMemo, useState } from 'react';
import type { Zone } from '#shared/api/map.ts';
import type { Concern } from '../../station/conditions.ts';
import * as texts from '../../words/texts.ts';
import type { MapEditor } from './edit/mapEditor.ts';
import type { Mode } from './map/actions.ts';
import { useMatches } from './useMatches.ts';
import { useDevicesOfZone, useZone } from './useZone.ts';

export type MapFilter = {
  search: string;
  setSearch(text: string): void;
  concern: Concern | undefined;
  setConcern(concern: Concern | undefined): void;
  zones: readonly Zone[];
  /** The visible zone, or undefined for the whole map. */
  zone: Zone | undefined;
  chooseZone(id: string | undefined): void;
  /** All devices in the zone. */
  inZone: readonly string[];
  /**
   * The devices that match in the visible zone. Undefined without search and concern, because all devices match then.
   */
  matches: ReadonlySet<string> | undefined;
  /** The devices to show: those in the zone that match. */
  shown: readonly string[];
  /** Text about the number of visible devices. */
  summary: string;
  /** Whether nothing matches, or the zone has no racks. */
  isNone: boolean;
  /** Removes search, concern and zone. */
  showAll(): void;
};

/** Filters the map by search, concern and zone. `deviceids` are all devices of the station. */
export function useMapFilter(editor: MapEditor, mode: Mode, deviceids: readonly string[]): MapFilter {
  // Other pages link here with a search text in the address.
  const [search, setSearch] = useState(() => new URLSearchParams(window.location.search).get('find') ?? '');
  const [concern, setConcern] = useState<Concern>();
  const { zones, zone: chosenZone, choose: chooseZone } = useZone(editor);
  // Ignore the zone filter while editing: racks can be reordered across zones, and devices can be moved between them.
  const zone = mode === 'edit' ? undefined : chosenZone;
  const inZone = useDevicesOfZone(editor, zone, deviceids);
  const allMatches = useMatches(search, concern);
  const matchList = useMemo(() => {
    if (zone === undefined || allMatches === undefined) return allMatches;
    const here = new Set(inZone);
    return allMatches.filter((deviceid) => here.has(deviceid));
  }, [zone, allMatches, inZone]);
  const matches = useMemo(() => (matchList === undefined ? undefined : new Set(matchList)), [matchList]);
  const shown = matchList ?? inZone;
  const all = deviceids.length === 0 ? '' : texts.station.devices(deviceids.length);
  return {
    search,
    setSearch,
    concern,
    setConcern,
    zones,
    zone,
    chooseZone,
    inZone,
    matches,
    shown,
    summary: matchList === undefined && zone === undefined ? all : texts.station.some(shown.length, deviceids.length),
    isNone: shown.length === 0 && (matchList !== undefined || zone?.racks.length === 0),
    showAll() {
      setSearch('');
      setConcern(undefined);
      if (zone !== undefined) chooseZone(undefined);
    },
  };
}
