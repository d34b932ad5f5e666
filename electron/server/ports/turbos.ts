import type { NetworkWish } from './networkLinks.ts';
import type { ButtonReport, EndedReport, ShownReport } from './reports.ts';
import type { Show, DeviceStatus } from './shows.ts';

/** How a turbo is connected. */
export type TransportKind = 'usb' | 'network' | 'simulated' | NetworkWish['kind'];

export type TurboState = {
  serialNumber: string;
  name: string;
  status: 'online' | 'offline' | 'connecting';
  transport: TransportKind;
  port: string;
  firmware: number;
  /** Firmware name of a board that can be updated over its connection. */
  software?: string;
  uptimeS: number;
  /** Epoch milliseconds; 0 if the turbo was never seen. */
  lastSeenAt: number;
  deviceCount: number;
  /** The fault as human-readable text, such as a different protocol version or a duplicate serial number. */
  problem?: string;
};

/**
 * Events from turbos to the engine. A promise is fulfilled when the report is on disk, and rejected if the report was not accepted.
 * Acknowledge a report to the turbo only when it is fulfilled, because the turbo keeps the report until then. All events are idempotent for
 * the same report.
 */
export type TurboEvents = {
  /** Called when the turbo has accepted a show and is passing it on to the device. */
  sent(deviceId: string, token: number): void;
  shown(report: ShownReport): Promise<void>;
  /** `turboKey` is the name of the sending turbo's API user; see Admission. */
  button(report: ButtonReport, turboKey: string | undefined): Promise<void>;
  ended(report: EndedReport): Promise<void>;
  /** Called when the device came online or went offline; see `reaches`. */
  reachChanged(deviceId: string): void;
  /**
   * Called when the turbo that serves the device received a message from it, or the device's condition changed. Statuses from other turbos
   * may be outdated.
   */
  statusReceived(turbo: string, deviceId: string, status: DeviceStatus, turboKey: string | undefined): void;
  /**
   * Called when a different turbo begins to serve the device, or none does. `rssiDbm` is the signal strength at the new turbo, or undefined
   * if the device is now offline.
   */
  moved(deviceId: string, rssiDbm: number | undefined): void;
  turboChanged(state: TurboState): void;
};

/** All turbos, as the engine sees them. */
export type Turbos = {
  /**
   * Sets what the device should show from now on, in place of an earlier show. The show is sent while a turbo serves the device, and
   * repeated until the device shows it.
   */
  want(deviceId: string, show: Show): void;
  /** Sets what the device shows by itself after the current show has ended. It is sent if the device has a different one. */
  keep(deviceId: string, background: Show): void;
  /** Stops serving a device: drops its shows and everything that is known about it. */
  forget(deviceId: string): void;
  list(): TurboState[];
  /** Forgets a turbo and its traffic until the turbo makes contact again. Returns false if the turbo is connected or unknown. */
  forgetTurbo(serialNumber: string): boolean;
  /** Finds the turbo that serves this device now. */
  turboOf(deviceId: string): TurboState | undefined;
  /** Whether a turbo serves this device and can send to it. */
  reaches(deviceId: string): boolean;
  /** Whether the transport can press the buttons of this device. */
  canPress(deviceId: string): boolean;
  /**
   * Asks every connected turbo for the states of its devices and for the reports that it holds. Resolves when all have answered and their
   * reports are stored, or after `limitMs`.
   */
  drain(limitMs: number): Promise<void>;
  /** Resolves when every connected turbo has reported everything once since it connected, or after `limitMs`. Sends no requests. */
  awaitReports(limitMs: number): Promise<void>;
};
