import { compareLabels } from '#shared/lib/text/locale.ts';
import type { Device } from '#shared/api/device.ts';
import type { DeviceChange } from './deviceChanges.ts';

/** A device with the name that people use. */
export type NamedDevice = { deviceid: string; name: string };

/** Number of changes above which a full sort is cheaper than inserting each device. */
const MANY = 50;

/** Returns the name that people use for a device, which is the label or, without a label, the DeviceID. */
export function nameOf(device: Pick<Device, 'deviceid' | 'locationoverride'>): string {
  return device.locationoverride === '' ? device.deviceid : device.locationoverride;
}

/** Lists all devices by name, in natural order (A-2 before A-10); devices without a label come last. */
export function listPlaces(devices: readonly Device[]): readonly NamedDevice[] {
  return devices.map(placeOf).toSorted(compare);
}

/**
 * Returns the list of places after `changes`. `devices` are the devices after these changes. Returns the same array
 * if no name has changed.
 */
export function updatePlaces(
  places: readonly NamedDevice[],
  changes: readonly DeviceChange[],
  devices: readonly Device[],
): readonly NamedDevice[] {
  const renamed = changes.filter(
    ({ before, after }) => before === undefined || after === undefined || nameOf(before) !== nameOf(after),
  );
  if (renamed.length === 0) return places;
  if (renamed.length > MANY) return listPlaces(devices);
  const gone = new Set(renamed.map(({ deviceid }) => deviceid));
  const updated = places.filter(({ deviceid }) => !gone.has(deviceid));
  for (const { after } of renamed) {
    if (after === undefined) continue;
    const place = placeOf(after);
    updated.splice(indexFor(updated, place), 0, place);
  }
  return updated;
}

function indexFor(places: readonly NamedDevice[], wanted: NamedDevice): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = places[middle];
    if (found !== undefined && compare(found, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placeOf(device: Device): NamedDevice {
  return { deviceid: device.deviceid, name: nameOf(device) };
}

function compare(a: NamedDevice, b: NamedDevice): number {
  const labeled = Number(b.name !== b.deviceid) - Number(a.name !== a.deviceid);
  if (labeled !== 0) return labeled;
  return compareLabels(a.name, b.name) || (a.deviceid < b.deviceid ? -1 : 1);
}
