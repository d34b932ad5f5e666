import { writeCsv } from '#shared/lib/csv.ts';
import { firstCare } from '#shared/lib/deviceCare.ts';
import { saveFile } from '../../kit/download.ts';
import * as texts from '../../words/texts.ts';
import type { DeviceTableRow } from './deviceRows.ts';

type Cell = string | number | null;

/** The columns of the file, by the names that the API uses. */
const COLUMNS: Record<string, (row: DeviceTableRow) => Cell> = {
  deviceid: ({ key }) => key,
  label: ({ device }) => device.locationoverride,
  aliases: ({ aliases }) => aliases.join('; '),
  place: ({ cell }) => cell,
  care: ({ device, limits }) => {
    const care = firstCare(device, limits);
    return care === undefined ? '' : texts.devices.cares[care];
  },
  online: ({ device }) => String(device.online),
  battery: ({ device }) => device.battery,
  voltage: ({ device }) => device.voltage,
  rssi: ({ device }) => device.rssi,
  last_seen: ({ device }) => device.last_seen,
  firmware: ({ device }) => device.firmware,
  buttons: ({ device }) => device.buttons,
  turbo: ({ device }) => device.turbo,
  up_since: ({ device }) => device.up_since,
};

/** Devices as a table for a spreadsheet, in the order of the rows. */
export function deviceCsv(rows: readonly DeviceTableRow[]): string {
  const columns = Object.entries(COLUMNS);
  const lines = rows.map((row) => columns.map(([, cell]) => cell(row) ?? ''));
  return writeCsv([columns.map(([name]) => name), ...lines]);
}

export function saveDevices(name: string, rows: readonly DeviceTableRow[]): void {
  saveFile(name, 'text/csv;charset=utf-8', deviceCsv(rows));
}
