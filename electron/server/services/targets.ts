import type { LocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import { arrowToPlace } from '#shared/lib/deviceIs.ts';
import type { Arrow } from '#shared/screen/content.ts';
import type { Repositories } from '../db/repositories.ts';
import { aliasIdOf, aliasTarget } from '../domain/commandQueue.ts';
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
export function targetById(rows: Repositories, deviceId: string): Target {
  const found = DEVICE_ID_PATTERN.test(deviceId) ? findById(rows, deviceId) : undefined;
  if (found === undefined) throw unknownDevice(deviceId);
  return found;
}

/** By alias, label or DeviceID, in this order and without regard to case. Throws `not_found`. */
export function targetByLocation(rows: Repositories, location: string): Target {
  const found = findByLocation(rows, location);
  if (found !== undefined) return found;
  throw new StationError(
    'not_found',
    `No alias, label or DeviceID is "${location}". Make an alias of that name, or set a device's locationoverride to it first.`,
  );
}

/** The same; undefined where nothing is called so. */
export function findByLocation(rows: Repositories, location: string): Target | undefined {
  const alias = rows.aliases.findByName(location);
  if (alias !== undefined) return targetOfAlias(rows, alias);
  const [labelled, ...others] = rows.devices.listByLabel(location);
  const found = findById(rows, labelled ?? location.trim().toUpperCase());
  if (found === undefined || labelled === undefined || others.length === 0) return found;
  const warning = `${others.length + 1} devices have the label "${found.label}"; ${labelled} was taken.`;
  return { ...found, warning };
}

/**
 * What was found earlier, as it is now: an alias that is still there says its device, name and arrow itself. Undefined where
 * the device was taken away.
 */
export function findAgain(
  rows: Repositories,
  { deviceId, target, alias, arrow }: Pick<Target, 'deviceId' | 'target' | 'alias' | 'arrow'>,
): Target | undefined {
  const aliasId = aliasIdOf(target);
  const found = aliasId === null ? undefined : rows.aliases.find(aliasId);
  if (found !== undefined) return targetOfAlias(rows, found);
  const device = findById(rows, deviceId);
  return device && { ...device, target, alias, arrow };
}

/** The first place, in natural order of names, whose alias or label contains the text, without regard to case. */
export function findBySuperString(rows: Repositories, text: string): Target | undefined {
  const found = rows.placeNames.findContaining(text);
  if (found === undefined) return undefined;
  if (found.deviceId !== null) return findById(rows, found.deviceId);
  const alias = found.aliasId === null ? undefined : rows.aliases.find(found.aliasId);
  return alias && targetOfAlias(rows, alias);
}

/** By its name or, where nothing is called so, by a part of a name. */
export function findByAnyName(rows: Repositories, location: string): Target | undefined {
  return findByLocation(rows, location) ?? findBySuperString(rows, location);
}

export function unknownDevice(deviceId: string): StationError {
  return new StationError(
    'not_found',
    `There is no device ${deviceId}. GET /api/device/ lists the devices that are known.`,
  );
}

function targetOfAlias(rows: Repositories, { id, name, deviceid, deviceIs }: LocationAlias): Target {
  return { ...targetById(rows, deviceid), target: aliasTarget(id), alias: name, arrow: arrowToPlace(deviceIs) };
}

/** The device with this DeviceID, as a place of its own; undefined where there is none. */
export function findById(rows: Repositories, deviceId: string): Target | undefined {
  const place = rows.devices.findPlace(deviceId);
  return place && { deviceId, target: 'device', alias: '', ...place, arrow: null, warning: undefined };
}
