import type { CoreOf } from '../../core.ts';
import type { Turbos } from '../../ports.ts';
import { createAlerts } from './alerts.ts';
import { type AlertRecords, createAlertRecords } from './records.ts';
import { createReceiverAlert } from './receiverAlert.ts';
import { createRefusedCallers } from './refusedCallers.ts';
import { createRowAlerts, type RowTroubles } from './rowAlerts.ts';
import { type StationAlerts, createStationAlerts } from './stationAlerts.ts';
import { createTurboAlerts } from './turboAlerts.ts';
import type { Callbacks, ReceiverWatch } from '../callbacks/index.ts';
import type { MailQueue } from '../mail/index.ts';
import type { Devices, Telemetry } from '../devices/index.ts';

export type { Alerts } from './alerts.ts';
export { type AlertRecords, alertEntry, orderAlertSubject } from './records.ts';
export type { RefusedCallers } from './refusedCallers.ts';
export type { StationAlerts } from './stationAlerts.ts';

/** Stores alerts. Other groups use it to raise alerts about the station itself. */
export function createAlertBook(core: CoreOf<'alerts'>, needs: { callbacks: Callbacks; mail: MailQueue }) {
  const records = createAlertRecords({ ...core, ...needs });
  return { records, stationAlerts: createStationAlerts(records) };
}

/** Raises alerts about unreadable secrets and about other invalid stored configuration. */
export function createRowAlertGroup(
  core: CoreOf<'alerts'>,
  needs: { records: AlertRecords; unreadable: () => RowTroubles; invalid: () => RowTroubles },
): void {
  const { unreadable, invalid } = needs;
  const alerts = createRowAlerts({
    ...core,
    ...needs,
    troubles: { secret_unreadable: unreadable, setting_invalid: invalid },
  });
  core.onStop(() => alerts.stop());
  core.onStart(() => alerts.start());
}

export function createAlertGroup(
  core: CoreOf<'alerts'>,
  needs: {
    records: AlertRecords;
    stationAlerts: StationAlerts;
    turbos: Turbos;
    devices: Devices;
    telemetry: Telemetry;
    /** The monitors of all callback receivers. */
    watches: () => readonly ReceiverWatch[];
  },
) {
  const parts = { ...core, ...needs };
  const alerts = createAlerts({ ...parts, turboAlerts: createTurboAlerts(parts) });
  core.onStop(() => alerts.stop());
  core.onStart(() => alerts.start());
  const receiverAlert = createReceiverAlert(parts);
  core.onStop(() => receiverAlert.stop());
  core.onStart(() => receiverAlert.start());
  return { alerts, refusedCallers: createRefusedCallers({ ...parts, alerts }) };
}
