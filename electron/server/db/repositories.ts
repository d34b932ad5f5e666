import type { Db } from './db.ts';
import { accountRows, type AccountRows } from './repositories/accounts.ts';
import { alertRows, type AlertRows } from './repositories/alerts.ts';
import { aliasRows, type AliasRows } from './repositories/aliases.ts';
import { auditRows, type AuditRows } from './repositories/audit.ts';
import { commandRows, type CommandRows } from './repositories/commands.ts';
import { commitRows, type CommitRows } from './repositories/commits.ts';
import { countRows, type CountRows } from './repositories/counts.ts';
import { deviceRows, type DeviceRows } from './repositories/devices.ts';
import { historyRows, type HistoryRows } from './repositories/history.ts';
import { historyFindRows, type HistoryFindRows } from './repositories/historyFind.ts';
import { locationImportRows, type LocationImportRows } from './repositories/locationImports.ts';
import { mapRows, type MapRows } from './repositories/map.ts';
import { numberRows, type NumberRows } from './repositories/numbers.ts';
import { orderImportRows, type OrderImportRows } from './repositories/orderImports.ts';
import { orderRows, type OrderRows } from './repositories/orders.ts';
import { outboxRows, type OutboxRows } from './repositories/outbox.ts';
import { placeNameRows, type PlaceNameRows } from './repositories/placeNames.ts';
import { refusedDeviceRows, type RefusedDeviceRows } from './repositories/refusedDevices.ts';
import { reportWindowRows, type ReportWindowRows } from './repositories/reportWindows.ts';
import { serialLinkRows, type SerialLinkRows } from './repositories/serialLinks.ts';
import { restoreRows, type RestoreRows } from './repositories/restores.ts';
import { sequenceRows, type SequenceRows } from './repositories/sequences.ts';
import { settingRows, type SettingRows } from './repositories/settings.ts';
import { stationTimeRows, type StationTimeRows } from './repositories/stationTime.ts';
import { turboNameRows, type TurboNameRows } from './repositories/turboNames.ts';

/** The rows of every aggregate, over one connection. */
export type Repositories = {
  accounts: AccountRows;
  alerts: AlertRows;
  aliases: AliasRows;
  audit: AuditRows;
  commands: CommandRows;
  commits: CommitRows;
  counts: CountRows;
  devices: DeviceRows;
  history: HistoryRows;
  historyFind: HistoryFindRows;
  locationImports: LocationImportRows;
  map: MapRows;
  numbers: NumberRows;
  orderImports: OrderImportRows;
  orders: OrderRows;
  outbox: OutboxRows;
  placeNames: PlaceNameRows;
  refusedDevices: RefusedDeviceRows;
  reportWindows: ReportWindowRows;
  restores: RestoreRows;
  sequences: SequenceRows;
  serialLinks: SerialLinkRows;
  settings: SettingRows;
  stationTime: StationTimeRows;
  turboNames: TurboNameRows;
};

export function createRepositories(db: Db): Repositories {
  return {
    accounts: accountRows(db),
    alerts: alertRows(db),
    aliases: aliasRows(db),
    audit: auditRows(db),
    commands: commandRows(db),
    commits: commitRows(db),
    counts: countRows(db),
    devices: deviceRows(db),
    history: historyRows(db),
    historyFind: historyFindRows(db),
    locationImports: locationImportRows(db),
    map: mapRows(db),
    numbers: numberRows(db),
    orderImports: orderImportRows(db),
    orders: orderRows(db),
    outbox: outboxRows(db),
    placeNames: placeNameRows(db),
    refusedDevices: refusedDeviceRows(db),
    reportWindows: reportWindowRows(db),
    restores: restoreRows(db),
    sequences: sequenceRows(db),
    serialLinks: serialLinkRows(db),
    settings: settingRows(db),
    stationTime: stationTimeRows(db),
    turboNames: turboNameRows(db),
  };
}
