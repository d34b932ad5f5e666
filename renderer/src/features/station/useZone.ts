import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useSearchParams } from 'wouter';
import type { StationMap, Zone } from '#shared/api/map.ts';
import type { MapEditor } from './edit/mapEditor.ts';

type Shown = { zones: readonly Zone[]; zone: Zone | undefined; choose(id: string | undefined): void };

/** Returns the zones and the visible zone, which is stored in the address, so that links, reloads and wall monitors restore it. */
export function useZone(editor: MapEditor): Shown {
  const [params, setParams] = useSearchParams();
  const zones = useStore(editor, ({ map }) => map.zones);
  const wanted = params.get('zone');
  return {
    zones,
    // Undefined for a deleted zone, so that all devices are visible.
    zone: zones.find(({ id }) => id === wanted),
    choose(id) {
      const device = params.get('device');
      setParams(
        { ...(id === undefined ? {} : { zone: id }), ...(device === null ? {} : { device }) },
        { replace: true },
      );
    },
  };
}

/** Returns the devices in the zone, or all devices if there is no zone. */
export function useDevicesOfZone(
  editor: MapEditor,
  zone: Zone | undefined,
  deviceids: readonly string[],
): readonly string[] {
  const map = useStore(editor, (state) => (zone === undefined ? undefined : state.map));
  return useMemo(() => {
    if (map === undefined || zone === undefined) return deviceids;
    const shelves = new Set(racksOf(map, zone).flatMap((rack) => rack.shelves.map(({ id }) => id)));
    const hanging = new Set(map.places.filter(({ shelf }) => shelves.has(shelf)).map(({ deviceid }) => deviceid));
    return deviceids.filter((deviceid) => hanging.has(deviceid));
  }, [map, zone, deviceids]);
}

export function racksOf({ racks }: StationMap, zone: Zone): StationMap['racks'] {
  const own = new Set(zone.racks);
  return racks.filter(({ id }) => own.has(id));
}
