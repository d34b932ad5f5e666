import type { TablesOf } from '../../core.ts';
import type { Alarm } from '../../alarm.ts';
import type { Writer } from '../../db/writer.ts';
import type { Silences } from '../../domain/silences.ts';
import type { Clock, Turbos } from '../../ports.ts';
import type { Devices, Telemetry } from '../devices/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { AlertRecords } from './records.ts';
import type { TurboAlerts } from './turboAlerts.ts';

/** What the use-cases of alerts share: their needs and their state. */
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
  /** Devices that reported at some time. */
  watched: Map<string, WatchedDevice>;
  /** Devices without a turbo that may still come back in time. */
  silences: Silences;
  /** Devices that were silent for too long: their alert is raised, or about to be. */
  overdue: Set<string>;
  /** Raises and ends the alerts of a device. */
  queue: { add(deviceId: string): void; stop(): void };
  /** Runs when the next device or turbo is silent for too long. */
  alarm: Alarm;
};

/** `turbo`: the last one that served the device. The others are undefined until the device reports after a start. */
export type WatchedDevice = { turbo: string | undefined; percent: number | undefined; rssiDbm: number | undefined };
