import { useMemo } from 'react';
import type { Zone } from '#shared/api/map.ts';
import type { Concern } from '../../station/conditions.ts';
import * as texts from '../../words/texts.ts';
import type { MapEditor } from './edit/mapEditor.ts';
import { useMatches } from './useMatches.ts';
import { useDevicesOfZone } from './useZone.ts';

type Asked = {
  editor: MapEditor;
  zone: Zone | undefined;
  /** All devices. */
  deviceids: readonly string[];
  search: string;
  concern: Concern | undefined;
};

/** The devices of the zone that match the search and the chosen concern. */
export function useShown({ editor, zone, deviceids, search, concern }: Asked) {
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
    inZone,
    /** Undefined without search and filter, so that all devices match. */
    matches,
    shown,
    /** The number of devices in words. */
    summary: matchList === undefined && zone === undefined ? all : texts.station.some(shown.length, deviceids.length),
    /** Whether nothing matches, or the zone has no racks. */
    isNone: shown.length === 0 && (matchList !== undefined || zone?.racks.length === 0),
  };
}
