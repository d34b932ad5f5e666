import { useMemo } from 'react';
import { useStationState } from '../../station/context.ts';
import { listDevices, listStandings, type DeviceRow } from './deviceRows.ts';
import { useCalmDevices } from './useCalmDevices.ts';

const NO_ALIASES: readonly never[] = [];
const NO_MAP = { racks: [], places: [], zones: [] };

/** Every device with all that it stands for, in the order of names, renewed calmly. */
export function useDeviceRows(): readonly DeviceRow[] {
  const devices = useCalmDevices();
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const standings = useMemo(() => listStandings({ places, aliases, map }), [places, aliases, map]);
  return useMemo(() => listDevices(standings, devices), [standings, devices]);
}
