import { STATIC_FIELDS } from '#shared/lib/deviceFields.ts';
import { screenProblem, type StaticChanges } from '#shared/lib/deviceRequest.ts';
import { changed, type DeviceRow } from '../db/repositories/devices.ts';
import { StationError } from '../errors.ts';
import { staticScreen } from './deviceEntry.ts';

/** A device that nothing was set on. */
export const BLANK_DEVICE: DeviceRow = {
  device_id: '',
  label: '',
  statica: '',
  staticb: '',
  staticc: '',
  staticd: '',
  statice: '',
  arrow: '',
  barcode: '',
  qrcode: '',
  icon: '',
  quantity: null,
  unsolicited_nonce: '',
  brightness: 100,
  buttons: 1,
  firmware: 70,
  battery_mv: null,
  rssi_dbm: null,
  uptime_s: null,
  last_seen_at: null,
};

/** The device after these changes. Throws `invalid` where its screen, with what stays on it, would hold too much. */
export function withStatics(row: DeviceRow, changes: StaticChanges): DeviceRow {
  const after = changed(row, changes);
  const problem = screenProblem(staticScreen(after), STATIC_FIELDS);
  if (problem === undefined) return after;
  throw new StationError('invalid', `${problem} Clear what is there with an empty string first.`, [
    { path: '', message: problem },
  ]);
}
