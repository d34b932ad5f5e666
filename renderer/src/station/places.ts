import type { Device } from '#shared/api/device.ts';

/** A device by the name that people know it by. */
export type Place = { deviceid: string; name: string };

const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What people call a device: its label, else its DeviceID. */
export function nameOf(device: Pick<Device, 'deviceid' | 'locationoverride'>): string {
  return device.locationoverride === '' ? device.deviceid : device.locationoverride;
}

/**
 * Every device by name, in natural order (A-2 before A-10); devices without a label come last. With `before`, the list made
 * of an earlier state of the same devices, and nothing of a name changed, that same list.
 */
export function listPlaces(
  devices: readonly Device[],
  before?: { places: readonly Place[]; devices: readonly Device[] },
): readonly Place[] {
  if (before !== undefined && sameNames(devices, before.devices)) return before.places;
  return devices
    .map((device) => ({ deviceid: device.deviceid, name: nameOf(device), labelled: device.locationoverride !== '' }))
    .toSorted((a, b) => Number(b.labelled) - Number(a.labelled) || naturally.compare(a.name, b.name) || order(a, b))
    .map(({ deviceid, name }) => ({ deviceid, name }));
}

function sameNames(devices: readonly Device[], before: readonly Device[]): boolean {
  if (devices === before) return true;
  if (devices.length !== before.length) return false;
  return devices.every((device, place) => {
    const earlier = before[place];
    if (earlier === device) return true;
    return earlier?.deviceid === device.deviceid && earlier.locationoverride === device.locationoverride;
  });
}

function order(a: Place, b: Place): number {
  return a.deviceid < b.deviceid ? -1 : 1;
}
