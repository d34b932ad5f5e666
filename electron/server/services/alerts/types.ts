import type { Alert, AlertQuery } from '#shared/api/alert.ts';
import type { Transaction } from '../../db/writer.ts';
import type { DeviceStatus, TurboState } from '../../ports.ts';

/** Lasting conditions that need attention: each is raised once and ends once, over restarts too. */
export type Alerts = {
  /** Cheap if it changes nothing. */
  heard(turbo: string, deviceId: string, status: DeviceStatus): void;
  /** Another turbo serves the device, at this signal strength; undefined: none reaches it. */
  moved(deviceId: string, rssiDbm: number | undefined): void;
  turboChanged(state: TurboState): void;
  /** Ends the alerts of a device that is removed. Runs inside a use-case. */
  forget(tx: Transaction, deviceId: string): void;
  list(query: AlertQuery): Alert[];
  /** Throws `not_found`, or `conflict` if the alert has ended. */
  acknowledge(id: string, by: string): Promise<Alert>;
  /** Acknowledges all open alerts. Returns the number that nobody had acknowledged. */
  acknowledgeAll(by: string): Promise<number>;
  /**
   * Dismisses an alert about the station, or about a turbo that will not come back. Throws `not_found`, or `conflict` if the
   * alert ends by itself.
   */
  end(id: string): Promise<Alert>;
  /** Ends the alerts of a turbo that was removed, and no longer expects it. Runs inside a use-case. */
  forgetTurbo(tx: Transaction, serialNumber: string): void;
  start(): void;
  stop(): void;
};
