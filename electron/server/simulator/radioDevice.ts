import type { Clock, SimulatedDevice } from '../ports.ts';
import { BUSY_RETRY_MS, type AckStatus, type Body } from '../turbo/frames/protocol/messages.ts';
import { Outbox } from '../turbo/shelf/outbox.ts';
import { ShelfDevice } from '../turbo/shelf/shelfDevice.ts';
import { EPaper } from './ePaper.ts';
import type { Air } from './radio.ts';

const RSSI_DBM = -58;

export type RadioDeviceOptions = {
  deviceId: string;
  buttons: 1 | 3;
  firmware: number;
  /** `CAN_DRAW_FIELDS`, `CAN_DRAW_BITMAPS` or both. */
  capabilities: number;
  clock: Clock;
  newEpoch: () => number;
  /** Called when the device has something to send. */
  pump: (device: RadioDevice) => void;
  answered: (device: RadioDevice, status: AckStatus) => void;
  /** Radio link to the device (`down`) and from the device (`up`). */
  air: { down: Air; up: Air };
};

/** A simulated device with its radio: reports that wait for the turbo, the last known status, and whether it is in range. */
export class RadioDevice {
  readonly device: ShelfDevice;
  readonly paper: EPaper;
  readonly outbox: Outbox;
  private readonly options: RadioDeviceOptions;
  private isOff = false;
  /** The status that the turbo remembers while the device is out of range. */
  private lastHeard: { status: Body<'deviceStatus'>; atMs: number } | undefined;

  constructor(options: RadioDeviceOptions) {
    const { deviceId, buttons, clock, newEpoch } = options;
    this.options = options;
    this.outbox = new Outbox(deviceId, {
      monotonic: () => clock.monotonic(),
      status: () => this.remembered() ?? this.status(),
      later: (retry) => void clock.setTimer(BUSY_RETRY_MS, retry),
      taken: (report) => this.device.acknowledged(report),
      answered: (status) => options.answered(this, status),
    });
    this.paper = new EPaper(clock, () => this.device.drawn());
    this.device = new ShelfDevice({
      deviceId,
      buttons,
      host: {
        clock,
        newEpoch,
        report: (report) =>
          options.air.up(() => {
            this.outbox.hold(report);
            options.pump(this);
          }),
        isFull: () => this.outbox.isFull(),
        lightsFirst: true,
        feelsPresses: true,
        paper: this.paper,
      },
    });
    this.outbox.reportStatus();
  }

  describe(): SimulatedDevice {
    const { deviceId, buttons, firmware } = this.options;
    const { paper } = this;
    const { batteryMv, pressAfterMs } = this.device;
    return {
      deviceId,
      buttons,
      firmware,
      reachable: this.outbox.reachable,
      batteryMv,
      refreshFullMs: paper.fullMs,
      refreshPartialMs: paper.partialMs,
      pressAfterMs,
    };
  }

  change(change: Partial<Omit<SimulatedDevice, 'deviceId' | 'buttons' | 'firmware'>>): void {
    const { device, paper } = this;
    if (change.refreshFullMs !== undefined) paper.fullMs = change.refreshFullMs;
    if (change.refreshPartialMs !== undefined) paper.partialMs = change.refreshPartialMs;
    if (change.batteryMv !== undefined) {
      device.batteryMv = change.batteryMv;
      this.outbox.reportStatus();
    }
    if (change.reachable !== undefined && change.reachable !== this.outbox.reachable) this.reach(change.reachable);
    if ('pressAfterMs' in change) {
      device.pressAfterMs = change.pressAfterMs;
      device.watch();
    }
    this.options.pump(this);
  }

  /** Restarts the device as after a battery change: drops waiting reports, then reports the status. */
  restart(): void {
    this.outbox.lose();
    this.device.restart();
    this.outbox.reportStatus();
    this.options.pump(this);
  }

  /** Sends a `show` message to the device. */
  show(show: Body<'show'>): void {
    this.options.air.down(() => {
      if (!this.isOff) this.device.take(show);
    });
  }

  /** Sends a `keep` message, which contains a background, to the device. */
  keep(background: Body<'keep'>): void {
    this.options.air.down(() => {
      if (!this.isOff) this.device.keep(background);
    });
  }

  switchOff(): void {
    this.isOff = true;
    this.device.stop();
    this.outbox.land();
  }

  private reach(reachable: boolean): void {
    const atMs = this.options.clock.monotonic();
    this.lastHeard = reachable ? undefined : { status: { ...this.status(), reachable: false }, atMs };
    this.outbox.reachable = reachable;
    this.outbox.reportStatus();
  }

  /** Returns the remembered status with the current remaining time, or undefined if the device is in range. */
  private remembered(): Body<'deviceStatus'> | undefined {
    if (this.lastHeard === undefined) return undefined;
    const { status, atMs } = this.lastHeard;
    if (status.remainingMs === undefined) return status;
    const elapsedMs = this.options.clock.monotonic() - atMs;
    return { ...status, remainingMs: Math.max(0, status.remainingMs - elapsedMs) };
  }

  private status(): Body<'deviceStatus'> {
    const { deviceId, buttons, firmware, capabilities } = this.options;
    const { shownToken, shownChecksum, remainingMs, pendingToken, pendingChecksum, backgroundChecksum } =
      this.device.look();
    return {
      device: deviceId,
      epoch: this.device.epoch,
      firmware,
      buttons,
      capabilities,
      batteryMv: this.device.batteryMv,
      rssiDbm: RSSI_DBM,
      uptimeS: this.device.uptimeS(),
      shownToken,
      shownChecksum,
      remainingMs,
      reachable: true,
      pendingToken,
      pendingChecksum,
      backgroundChecksum,
    };
  }
}
