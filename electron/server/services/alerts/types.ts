import type { TablesOf } from '../../core.ts';
import type { Alarm } from '../../scheduling/alarm.ts';
import type { Writer } from '../../db/writer.ts';
import type { Silences } from '../../domain/alerts/silences.ts';
import type { Clock, Turbos } from '../../ports.ts';
import type { Devices, Telemetry } from '../devices/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { AlertRecords } from './records.ts';
import type { TurboAlerts } from './turboAlerts.ts';

/** State shared by the functions that manage alerts. */
export type AlertContext = {
  repositories: TablesOf<'alerts'>;
  reads: TablesOf<'alerts'>;
  writer: Writer;
  records: AlertRecords;
  turboAlerts: TurboAlerts;
  turbos: Pick<Turbos, 'turboOf'>;
  telemetry: Pick<Telemetry, 'of'>;
  devices: Pick<Devices, 'knows'>;
  settings: SettingsService;
  clock: Clock;
  /** Devices that have reported at least once. */
  watched: Map<string, WatchedDevice>;
  /** Devices that no turbo reaches, but that have not been offline long enough for an alert. */
  silences: Silences;
  /** Devices that have been offline long enough for an alert, which is open or about to be raised. */
  overdue: Set<string>;
  /** Raises and ends alerts of the devices that are added to this queue. */
  queue: { add(deviceId: string): void; stop(): void };
  /** Fires when the next device or turbo has been offline long enough. */
  alarm: Alarm;
};

/**
 * A watched device. `turbo` is the last turbo that served the device. The other fields are undefined until the device reports for the first
 * time after a restart.
 */
export type WatchedDevice = { turbo: string | undefined; percent: number | undefined; rssiDbm: number | undefined };
