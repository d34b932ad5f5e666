import type { LocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import { arrowToPlace } from '#shared/lib/devices/deviceIs.ts';
import { DEVICE_ID } from '#shared/lib/devices/deviceLimits.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Arrow } from '#shared/screen/content.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { TargetTables } from './types.ts';
import { aliasTarget, DEVICE_TARGET, LABEL_TARGET } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';

/** The place that a caller named, with its device. A label is another name for the device itself; only an alias is a separate target. */
export type Target = {
  deviceId: string;
  target: string;
  alias: string;
  label: string;
  /** The device's brightness in percent. */
  brightness: number;
  /** Whether the device has a screen and an LED. */
  screen: 0 | 1;
  led: 0 | 1;
  /** Whether the device polls for its screen, so that it shows changes only at its next poll. */
  slow: 0 | 1;
  /** Arrow from the device to the place, or null if the place is the device itself. */
  arrow: Arrow | null;
  /** Set if the place was guessed from part of its name, or if several devices have the label. */
  warning: string | undefined;
};

/** Returns tables that cache all place names for many lookups within one transaction. */
export function withNamesOnce({ aliases, devices, placeNames }: TargetTables): TargetTables {
  return { aliases, devices, placeNames: placeNames.once() };
}

/** Finds a device by DeviceID. Throws `not_found`. */
export function targetById(repositories: TargetTables, deviceId: string): Target {
  const found = DEVICE_ID_PATTERN.test(deviceId) ? findById(repositories, deviceId) : undefined;
  if (found === undefined) throw unknownDevice(deviceId);
  return found;
}

/** Finds a place by alias, label or DeviceID, in this order, ignoring case. Throws `not_found`. */
export function targetByLocation(repositories: TargetTables, location: string): Target {
  const found = findByLocation(repositories, location);
  if (found !== undefined) return found;
  throw new StationError(
    'not_found',
    `No alias, label or DeviceID is "${location}". Create an alias with that name, or set a device's locationoverride to it first.`,
  );
}

/** Like `targetByLocation`, but returns undefined if no place has this name. */
export function findByLocation(repositories: TargetTables, location: string): Target | undefined {
  const alias = repositories.aliases.findByName(location);
  if (alias !== undefined) return targetOfAlias(repositories, alias);
  const [labeled, ...others] = repositories.devices.listByLabel(location);
  const deviceId = labeled ?? location.trim().toUpperCase();
  // Check the format first: most names are not DeviceIDs, and each lookup is a query.
  const found = DEVICE_ID_PATTERN.test(deviceId) ? findById(repositories, deviceId) : undefined;
  // A slot's device is not a place.
  if (labeled === undefined && repositories.devices.isSlot(deviceId)) return undefined;
  if (found === undefined || labeled === undefined) return found;
  const named = { ...found, target: LABEL_TARGET };
  if (others.length === 0) return named;
  const warning = `${others.length + 1} devices have the label "${found.label}"; using ${labeled}.`;
  return { ...named, warning };
}

/** Whether the text names a device or a place, also one without a light. */
export function isPlaceName(tables: TargetTables & Pick<Repositories, 'namedPlaces' | 'stock'>, text: string): boolean {
  return (
    findByLocation(tables, text) !== undefined ||
    tables.namedPlaces.find(text)?.isMade === true ||
    tables.stock.listAt(nameKey(text)).length > 0
  );
}

/** Rereads the device of a target that was found earlier. Returns undefined if the device was removed. */
export function findAgain(
  repositories: TargetTables,
  { deviceId, target, alias, arrow }: Pick<Target, 'deviceId' | 'target' | 'alias' | 'arrow'>,
): Target | undefined {
  const device = findById(repositories, deviceId);
  return device && { ...device, target, alias, arrow };
}

/** Finds the first place, in natural order, whose alias or label contains the text, ignoring case. Sets a warning. */
export function findBySuperString(repositories: TargetTables, text: string): Target | undefined {
  return guessed(repositories, text, repositories.placeNames.firstWith(text));
}

/** Finds the place whose alias or label contains the text as whole words or numbers, if only one device matches. Sets a warning. */
export function findByOnlyPart(repositories: TargetTables, text: string): Target | undefined {
  return guessed(repositories, text, repositories.placeNames.onlyWith(text));
}

function guessed(
  repositories: TargetTables,
  text: string,
  found: { key: string; aliasId: number | null; deviceId: string } | undefined,
): Target | undefined {
  if (found === undefined) return undefined;
  const alias = found.aliasId === null ? undefined : repositories.aliases.find(found.aliasId);
  const target = alias === undefined ? targetOfLabel(repositories, found) : targetOfAlias(repositories, alias);
  if (target === undefined) return undefined;
  const name = alias?.name ?? target.label;
  return { ...target, warning: `"${text}" is only a part of the name "${name}"; using ${target.deviceId}.` };
}

/** Returns a warning that this place is too slow for picking, or undefined if its device shows changes immediately. */
export function slowWarning({ deviceId, slow }: Target): string | undefined {
  return slow === 0 ? undefined : `${deviceId} is slow: it can take 40 seconds to show a change, too late for picking.`;
}

/** Finds a place by its name or, if there is none, by part of a name. */
export function findByAnyName(repositories: TargetTables, location: string): Target | undefined {
  return findByLocation(repositories, location) ?? findBySuperString(repositories, location);
}

export function unknownDevice(deviceId: string): StationError {
  return new StationError(
    'not_found',
    DEVICE_ID.test(deviceId)
      ? `There is no device ${deviceId}. GET /api/device/ lists the devices that are known.`
      : `There is no device ${deviceId}. A DeviceID is written as 51D000:000001. For a label or an alias, send "location" to POST /api/devices/.`,
  );
}

function targetOfAlias(repositories: TargetTables, { id, name, deviceid, deviceIs }: LocationAlias): Target {
  return { ...targetById(repositories, deviceid), target: aliasTarget(id), alias: name, arrow: arrowToPlace(deviceIs) };
}

/** Returns the device that had this label first. */
function targetOfLabel(repositories: TargetTables, { key, deviceId }: { key: string; deviceId: string }) {
  const [first = deviceId] = repositories.devices.listByLabel(key, 1);
  const found = findById(repositories, first);
  return found && { ...found, target: LABEL_TARGET };
}

/** Finds the device with this DeviceID, without an alias. */
export function findById(repositories: TargetTables, deviceId: string): Target | undefined {
  const place = repositories.devices.find(deviceId);
  return place && { deviceId, target: DEVICE_TARGET, alias: '', ...place, arrow: null, warning: undefined };
}
