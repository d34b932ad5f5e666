import type { Alert } from '#shared/api/alert.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';

/** What people call the device or turbo that it is about. */
export function useSubjectName({ deviceid, turbo }: Pick<Alert, 'deviceid' | 'turbo'>): string {
  return useStationState(({ station }) => {
    if (deviceid !== null)
      return nameOf(findDevice(station?.devices ?? [], deviceid) ?? { deviceid, locationoverride: '' });
    const name = station?.turbos.find(({ serial_number }) => serial_number === turbo)?.name ?? '';
    return name === '' ? (turbo ?? '') : name;
  });
}

/** Where to look at it. */
export function subjectHref({ deviceid }: Pick<Alert, 'deviceid'>): string {
  return deviceid === null ? '/turbos' : `/devices/${deviceid}`;
}
