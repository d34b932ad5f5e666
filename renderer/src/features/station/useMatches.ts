import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { findDevice } from '#shared/api/reducer.ts';
import { hasConcern, type Concern } from '../../station/conditions.ts';
import { useStationState } from '../../station/context.ts';
import type { StationState } from '../../station/store.ts';

/** The devices that search and filter leave, in the order of names; undefined while neither is used. */
export function useMatches(search: string, concern: Concern | undefined): readonly string[] | undefined {
  const select = useMemo(() => matching(search.trim().toLowerCase(), concern), [search, concern]);
  return useStationState(useShallow(select));
}

type Select = (state: StationState) => readonly string[] | undefined;

function matching(wanted: string, concern: Concern | undefined): Select {
  if (wanted === '' && concern === undefined) return () => undefined;
  return ({ station, places }) => {
    const matches: string[] = [];
    for (const { deviceid, name } of places) {
      if (!name.toLowerCase().includes(wanted) && !deviceid.toLowerCase().includes(wanted)) continue;
      const device = concern === undefined ? undefined : findDevice(station?.devices ?? [], deviceid);
      if (concern === undefined || (device !== undefined && hasConcern(device, concern))) matches.push(deviceid);
    }
    return matches;
  };
}
