import type { LocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import { arrowToPlace } from '#shared/lib/deviceIs.ts';
import type { Arrow } from '#shared/screen/content.ts';
import type { Rows } from '../db/rows.ts';
import { aliasTarget } from '../domain/commandQueue.ts';
import { StationError } from '../errors.ts';

/**
 * A place that a caller named, and the device that stands for it. A label is one more name of the device itself: only an
 * alias is a target of its own.
 */
export type Target = {
  deviceId: string;
  target: string;
  alias: string;
  label: string;
  /** The device's own, in percent. */
  brightness: number;
  /** Points from the device to the place; null: the place is the device's own. */
  arrow: Arrow | null;
  warning: string | undefined;
};

/** Throws `not_found`. */
export function targetById(rows: Rows, deviceId: string): Target {
  const found = DEVICE_ID_PATTERN.test(deviceId) ? findTarget(rows, deviceId) : undefined;
  if (found === undefined) throw unknownDevice(deviceId);
  return found;
}

/** By alias, label or DeviceID, in this order and without regard to case. Throws `not_found`. */
export function targetByLocation(rows: Rows, location: string): Target {
  const alias = rows.aliases.findByName(location);
  if (alias !== undefined) return targetOfAlias(rows, alias);
  const [labelled, ...others] = rows.devices.listByLabel(location);
  const found = findTarget(rows, labelled ?? location.trim().toUpperCase());
  if (found === undefined) {
    throw new StationError(
      'not_found',
      `No alias, label or DeviceID is "${location}". Make an alias of that name, or set a device's locationoverride to it first.`,
    );
  }
  if (labelled === undefined || others.length === 0) return found;
  const warning = `${others.length + 1} devices have the label "${found.label}"; ${labelled} was taken.`;
  return { ...found, warning };
}

/** The first place, in natural order of names, whose alias or label contains the text, without regard to case. */
export function findBySuperString(rows: Rows, text: string): Target | undefined {
  const found = rows.placeNames.findContaining(text);
  if (found === undefined) return undefined;
  if (found.deviceId !== null) return findTarget(rows, found.deviceId);
  const alias = found.aliasId === null ? undefined : rows.aliases.find(found.aliasId);
  return alias && targetOfAlias(rows, alias);
}

export function unknownDevice(deviceId: string): StationError {
  return new StationError(
    'not_found',
    `There is no device ${deviceId}. GET /api/device/ lists the devices that are known.`,
  );
}

function targetOfAlias(rows: Rows, { id, name, deviceid, deviceIs }: LocationAlias): Target {
  return { ...targetById(rows, deviceid), target: aliasTarget(id), alias: name, arrow: arrowToPlace(deviceIs) };
}

function findTarget(rows: Rows, deviceId: string): Target | undefined {
  const place = rows.devices.findPlace(deviceId);
  return place && { deviceId, target: 'device', alias: '', ...place, arrow: null, warning: undefined };
}
