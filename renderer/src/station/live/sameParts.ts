import type { Station } from '#shared/api/station.ts';
import { placeOfDevice } from '#shared/api/reducer.ts';

/** Returns `after`, but with equal parts taken from `before`, so that only differences are redrawn. */
export function keepSame(before: Station, after: Station): Station {
  const devices = after.devices.map((device) => {
    const known = before.devices[placeOfDevice(before.devices, device.deviceid)];
    return known !== undefined && isSame(known, device) ? known : device;
  });
  return {
    ...after,
    devices: isSameList(before.devices, devices) ? before.devices : devices,
    turbos: isSame(before.turbos, after.turbos) ? before.turbos : after.turbos,
    links: isSame(before.links, after.links) ? before.links : after.links,
    user: isSame(before.user, after.user) ? before.user : after.user,
    defaults: isSame(before.defaults, after.defaults) ? before.defaults : after.defaults,
    limits: isSame(before.limits, after.limits) ? before.limits : after.limits,
    map: isSame(before.map, after.map) ? before.map : after.map,
    alerts: isSame(before.alerts, after.alerts) ? before.alerts : after.alerts,
    aliases: isSame(before.aliases, after.aliases) ? before.aliases : after.aliases,
    last_import: isSame(before.last_import, after.last_import) ? before.last_import : after.last_import,
  };
}

/** Returns whether two values of JSON data are deeply equal. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
