import { NO_STATICS, STATIC_FIELDS, TEXT_ELEMENTS } from '#shared/lib/requests/deviceFields.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { StaticChanges } from '#shared/lib/requests/deviceRequest.ts';
import { given } from '#shared/lib/requests/screenElements.ts';
import { checkStatics } from '#shared/lib/requests/staticScreen.ts';
import type { LabelTables } from './types.ts';
import { changed, type DeviceRow } from '../../db/repositories/devices.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../../errors.ts';
import { lookAlikeWarnings, refuseReserved } from '../base/index.ts';

const DRAWN = [...STATIC_FIELDS, ...TEXT_ELEMENTS, 'quantity'] as const;

/** A new device with default settings. */
export const BLANK_DEVICE: DeviceRow = {
  device_id: '',
  label: '',
  ...NO_STATICS,
  unsolicited_nonce: '',
  brightness: 100,
  buttons: 1,
  screen: 1,
  led: 1,
  slow: 0,
  firmware: 70,
  battery_mv: null,
  rssi_dbm: null,
  uptime_s: null,
  last_seen_at: null,
};

/** Result of a change to statics. `leftOut` is content that the device cannot show. It is also in `warnings`. */
export type SaidOfStatics = { warnings: string[]; leftOut: FieldError[] };

/**
 * Returns the device after these changes. Throws `invalid` for codes that do not fit next to each other, and `conflict` for a label that no
 * place can have.
 */
export function withStatics(before: DeviceRow, changes: StaticChanges): SaidOfStatics & { row: DeviceRow } {
  const row = changed(before, changes);
  if (row.label !== before.label) refuseReserved(row.label, '/locationoverride', row.device_id);
  if (!DRAWN.some((field) => field in changes)) return { row, warnings: [], leftOut: [] };
  const { problem, leftOut } = checkStatics(row, changes);
  if (problem !== undefined) {
    throw new StationError('invalid', `${problem} Clear what is there with an empty string first.`, [
      { path: '', message: problem },
    ]);
  }
  // Accept a change that only clears fields, even if the remaining content still does not fit.
  const isGiving = DRAWN.some((field) => given(changes[field]));
  return {
    row,
    warnings: leftOut.map(({ message }) => message),
    leftOut: isGiving ? leftOut : [],
  };
}

/** Returns warnings if the device's new label is or looks like the label of another device, or a name that means something else. */
export function sharedLabel(
  tables: LabelTables,
  before: DeviceRow,
  { device_id: deviceId, label }: DeviceRow,
): string[] {
  return label === '' || label === before.label ? [] : sharedLabelWarnings(tables, label, deviceId);
}

/** Returns a warning that names the aliases of a device that now hangs elsewhere, because they moved with it. */
export function keptAliases(
  { aliases }: LabelTables,
  before: DeviceRow,
  { device_id: deviceId, label }: DeviceRow,
): string[] {
  const names = aliases.listByDevice(deviceId).map(({ name }) => name);
  if (before.label === '' || nameKey(before.label) === nameKey(label) || names.length === 0) return [];
  return [
    `${deviceId} keeps its aliases: ${names.join(', ')}. Move or delete those that do not belong to its new place.`,
  ];
}

/** Like `sharedLabel`, but for a planned label. `deviceId` is null if the device is not known yet. */
export function sharedLabelWarnings(
  { aliases, devices, lookAlikes }: LabelTables,
  label: string,
  deviceId: string | null,
): string[] {
  const other = devices.listByLabel(label).find((id) => id !== deviceId);
  const alias = aliases.findByName(label);
  return [
    ...(other === undefined
      ? []
      : [`${other} has the label "${label}" too. A location cannot tell them apart: change one of the labels.`]),
    ...(alias === undefined || alias.deviceid === deviceId
      ? []
      : [`An alias of ${alias.deviceid} has the name "${label}" and is found first. Change the label or the alias.`]),
    ...lookAlikeWarnings({ lookAlikes }, 'place', label, { isOwn: ({ of }) => of !== '' && of === deviceId }),
  ];
}
