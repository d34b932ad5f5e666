import type { Alert, StationAlertKind } from '#shared/api/alert.ts';
import { isStationAlert } from '#shared/lib/alertSubjects.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { texts } from '../../ui/texts.ts';

/** Where to see what an alert about the station is about. */
const PLACES: Readonly<Record<StationAlertKind, string>> = {
  data_lost: '/settings',
  restore_failed: '/settings',
  many_new_devices: '/devices',
  origin_refused: '/settings',
  host_refused: '/settings',
};

/** What people call the device, turbo or part of the station that it is about. */
export function useSubjectName({ kind, deviceid, turbo }: Pick<Alert, 'kind' | 'deviceid' | 'turbo'>): string {
  return useStationState(({ station }) => {
    if (isStationAlert(kind)) return texts.alerts.places[kind];
    if (deviceid !== null)
      return nameOf(findDevice(station?.devices ?? [], deviceid) ?? { deviceid, locationoverride: '' });
    const name = station?.turbos.find(({ serial_number }) => serial_number === turbo)?.name ?? '';
    return name === '' ? (turbo ?? '') : name;
  });
}

/** Where to look at it. */
export function subjectHref({ kind, deviceid }: Pick<Alert, 'kind' | 'deviceid'>): string {
  if (isStationAlert(kind)) return PLACES[kind];
  return deviceid === null ? '/turbos' : `/devices/${deviceid}`;
}
