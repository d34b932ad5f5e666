import type { Device } from '#shared/api/device.ts';
import { type Care, CARES, firstCare } from '#shared/lib/devices/deviceCare.ts';
import { saveFile } from '../../kit/download.ts';
import { type Column, listCsv, type SortValue } from '../../kit/list/columns.ts';
import * as texts from '../../words/texts.ts';
import * as cells from './placeCells.tsx';
import { hasDevice, type PlaceRow, type AnyPlaceRow, uptimeMs } from './placeRows.ts';
import styles from './PlaceTable.module.css';
import type { PlaceActions } from './usePlaceActions.ts';

const words = texts.places;

/** Returns, for each kind of problem, a sort value that lists the worst devices first. */
const WORST_FIRST: Record<Care, (device: Device) => SortValue> = {
  silent: ({ last_seen }) => last_seen,
  lowBattery: ({ battery }) => battery,
  weakSignal: ({ rssi }) => rssi,
};

export type PlaceColumn = keyof typeof words.columns;
type Described = Column<AnyPlaceRow, PlaceColumn, PlaceActions>;

/** Returns a function that reads a value of the row's device. The value is unknown if the place waits for its device. */
function ofDevice<T>(read: (row: PlaceRow) => T): (row: AnyPlaceRow) => T | null {
  return (row) => (hasDevice(row) ? read(row) : null);
}

/** All columns, in the order of the exported file. */
export const COLUMNS: readonly Described[] = [
  {
    id: 'place',
    words: words.columns.place,
    // A device without a name has no place, so it comes last.
    sort: ({ key, name, rank }) => (name === key ? null : rank),
    cell: cells.PlaceCell,
    width: 'minmax(76px, 1.2fr)',
    csv: {
      deviceid: ofDevice(({ key }) => key),
      label: (row) => (hasDevice(row) ? row.device.locationoverride : row.name),
      place: ({ cell }) => cell,
    },
  },
  {
    id: 'device',
    words: words.columns.device,
    sort: ofDevice(({ key }) => key),
    cell: cells.DeviceCell,
    width: 'minmax(clamp(146px, 20cqi, 172px), 1fr)',
    csv: { buttons: ofDevice(({ device }) => device.buttons) },
  },
  { id: 'screen', words: words.columns.screen, cell: cells.ScreenCell, width: '114px', hidesBelow: 1_000 },
  {
    id: 'also',
    words: words.columns.also,
    sort: ({ aliases }) => aliases[0]?.name ?? null,
    isName: true,
    cell: cells.AlsoCell,
    width: 'minmax(150px, 1.2fr)',
    hidesBelow: 720,
    csv: { aliases: ({ aliases }) => aliases.map(({ name }) => name).join('; ') },
  },
  {
    id: 'battery',
    words: words.columns.battery,
    sort: ofDevice(({ device }) => [device.battery, device.voltage]),
    cell: cells.BatteryCell,
    width: 'minmax(100px, 116px)',
    hidesBelow: 560,
    csv: { battery: ofDevice(({ device }) => device.battery), voltage: ofDevice(({ device }) => device.voltage) },
  },
  {
    id: 'signal',
    words: words.columns.signal,
    sort: ofDevice(({ device }) => (device.online ? device.rssi : null)),
    cell: cells.SignalCell,
    width: 'minmax(102px, 110px)',
    hidesBelow: 680,
    csv: { rssi: ofDevice(({ device }) => device.rssi) },
  },
  {
    id: 'seen',
    words: words.columns.seen,
    sort: ofDevice(({ device: { online, last_seen: at } }) => (at === null ? null : [online ? 1 : 0, at])),
    cell: cells.SeenCell,
    width: 'minmax(88px, 96px)',
    hidesBelow: 900,
    csv: {
      online: ofDevice(({ device }) => String(device.online)),
      last_seen: ofDevice(({ device }) => device.last_seen),
    },
  },
  {
    id: 'firmware',
    words: words.columns.firmware,
    sort: ofDevice(({ device }) => device.firmware || null),
    cell: cells.FirmwareCell,
    width: '84px',
    hidesBelow: 940,
    csv: { firmware: ofDevice(({ device }) => device.firmware) },
  },
  {
    id: 'turbo',
    words: words.columns.turbo,
    sort: ofDevice(({ device }) => device.turbo),
    cell: cells.GatewayCell,
    width: 'minmax(84px, 116px)',
    hidesBelow: 1_040,
    csv: { turbo: ofDevice(({ device }) => device.turbo) },
  },
  {
    id: 'uptime',
    words: words.columns.uptime,
    sort: ofDevice(({ device }) => (device.online ? uptimeMs(device, 0) : null)),
    cell: cells.UptimeCell,
    width: '76px',
    hidesBelow: 1_040,
    csv: { up_since: ofDevice(({ device }) => device.up_since) },
  },
  {
    id: 'state',
    words: words.columns.state,
    sort: ofDevice(({ device, limits }) => {
      const care = firstCare(device, limits);
      return care === undefined ? CARES.length : [CARES.indexOf(care), WORST_FIRST[care](device)];
    }),
    cell: cells.StateCell,
    className: styles.state,
    width: 'minmax(52px, 140px)',
    csv: {
      care: ofDevice(({ device, limits }) => {
        const care = firstCare(device, limits);
        return care === undefined ? '' : words.cares[care];
      }),
    },
  },
];

/** The sets of columns: one about places, and one about the condition of devices. */
export const COLUMN_SETS = ['places', 'devices'] as const;
export type ColumnSet = (typeof COLUMN_SETS)[number];

const OF_SET: Readonly<Record<ColumnSet, readonly PlaceColumn[]>> = {
  places: ['place', 'device', 'screen', 'also', 'battery', 'seen', 'state'],
  devices: ['place', 'device', 'battery', 'signal', 'seen', 'firmware', 'turbo', 'uptime', 'state'],
};

export const SHOWN: Readonly<Record<ColumnSet, readonly Described[]>> = {
  places: COLUMNS.filter(({ id }) => OF_SET.places.includes(id)),
  devices: COLUMNS.filter(({ id }) => OF_SET.devices.includes(id)),
};

/** Saves rows as a CSV file for spreadsheets. */
export function savePlaces(name: string, rows: readonly AnyPlaceRow[]): void {
  saveFile(name, 'text/csv;charset=utf-8', listCsv(COLUMNS, rows));
}
