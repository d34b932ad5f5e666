import { useMemo } from 'react';
import { useStationState } from '../../station/context.ts';
import { listDevices, listStandings, type DeviceRow } from './deviceRows.ts';
import { useThrottledDevices } from './useThrottledDevices.ts';

const NO_ALIASES: readonly never[] = [];
/** Nothing is known, so nothing is wrong. */
const NO_LIMITS = { alert_battery_percent: 0, alert_weak_dbm: 0 };
const NO_MAP = { racks: [], places: [], zones: [] };

/** Every device with all that it stands for, in the order of names, renewed calmly. */
export function useDeviceRows(): readonly DeviceRow[] {
  const devices = useThrottledDevices();
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const limits = useStationState(({ station }) => station?.limits ?? NO_LIMITS);
  const standings = useMemo(() => listStandings({ places, aliases, map }), [places, aliases, map]);
  return useMemo(() => listDevices(standings, devices, limits), [standings, devices, limits]);
}
