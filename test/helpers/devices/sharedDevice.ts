import type { Button, Clock, Ids, Log } from '../../../electron/server/ports.ts';
import { ShelfDevice } from '../../../electron/server/turbo/shelf/shelfDevice.ts';
import { Outbox, type HeldReport } from '../../../electron/server/turbo/shelf/outbox.ts';
import { EPaper } from '../../../electron/server/simulator/ePaper.ts';
import { SimulatedTurbo, type HeardDevice } from '../../../electron/server/simulator/turbo.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { HELD_REPORTS, type Body } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';

type Status = Body<'deviceStatus'>;
type Parts = { clock: Clock; ids: Ids; log: Log; deviceId: string; feelsPresses?: boolean };

/**
 * Creates a simulated device in range of several turbos. Each turbo receives the device's reports and keeps them until the station has
 * accepted them. The device shows what any turbo sends.
 */
export function createSharedDevice({ clock, ids, log, deviceId, feelsPresses = false }: Parts) {
  const ears: Ear[] = [];
  /** Reports created while out of range. */
  let unheard: HeldReport[] = [];
  const paper = new EPaper(clock, () => device.drawn());
  paper.fullMs = 0;
  paper.partialMs = 0;
  const device: ShelfDevice = new ShelfDevice({
    deviceId,
    buttons: 3,
    host: {
      clock,
      newEpoch: () => Buffer.from(ids.bytes(4)).readUInt32LE(),
      report(report) {
        unheard.push(report);
        speak();
      },
      isFull: () => unheard.length >= HELD_REPORTS || ears.every(({ outbox }) => outbox.isFull()),
      lightsFirst: true,
      feelsPresses,
      paper,
    },
  });

  function speak(): void {
    const hearing = ears.filter((ear) => ear.outbox.reachable && !ear.outbox.isFull());
    if (hearing.length === 0) return;
    const told = unheard;
    unheard = [];
    for (const ear of hearing) ear.handle(told);
  }

  return {
    device,
    press: (button: Button = 'front') => device.press(button, 'short'),
    /** Adds a turbo with its own wire to the station. It also receives the device's reports. */
    addTurbo(serialNumber: string, connect: () => Transport): Ear {
      const turbo = new SimulatedTurbo<Ear>({ serialNumber, name: '', clock, ids, log, connect });
      const ear = new Ear({ clock, device, turbo, back: speak });
      turbo.devices.set(deviceId, ear);
      ears.push(ear);
      return ear;
    },
    /** Returns the number of reports that the station has not yet accepted, counted once per turbo that keeps them. */
    held: () => unheard.length + ears.reduce((sum, { outbox }) => sum + outbox.size, 0),
  };
}

/** The device as seen by one turbo. */
export class Ear implements HeardDevice {
  readonly device: ShelfDevice;
  readonly outbox: Outbox;
  readonly turbo: SimulatedTurbo<Ear>;
  /** Whether screens and backgrounds are delayed until `passOn`, as over a poor radio link. */
  keepsShows = false;
  private readonly back: () => void;
  private kept: (() => void)[] = [];
  private rssiDbm = -60;
  private lastHeard: Status | undefined;

  constructor(options: { clock: Clock; device: ShelfDevice; turbo: SimulatedTurbo<Ear>; back: () => void }) {
    const { clock, device, turbo, back } = options;
    this.device = device;
    this.turbo = turbo;
    this.back = back;
    this.outbox = new Outbox(device.deviceId, {
      monotonic: () => clock.monotonic(),
      status: () => (this.lastHeard === undefined ? this.look() : { ...this.lastHeard, reachable: false }),
      later: (retry) => void clock.setTimer(1_000, retry),
      taken: (report) => device.acknowledged(report),
      answered: (status) => turbo.answered(this, status),
    });
    this.outbox.reportStatus();
  }

  /** Moves the device into or out of the turbo's range. */
  reach(reaches: boolean): void {
    if (!reaches) this.lastHeard ??= this.look();
    else this.lastHeard = undefined;
    this.outbox.reachable = reaches;
    this.outbox.reportStatus();
    if (reaches) this.back();
    this.turbo.pump(this);
  }

  hears(rssiDbm: number): void {
    this.rssiDbm = rssiDbm;
    this.outbox.reportStatus();
    this.turbo.pump(this);
  }

  handle(reports: readonly HeldReport[]): void {
    for (const report of reports) this.outbox.hold(report);
    this.turbo.pump(this);
  }

  show(show: Body<'show'>): void {
    this.pass(() => this.device.take(show));
  }

  keep(background: Body<'keep'>): void {
    this.pass(() => this.device.keep(background));
  }

  private pass(arrive: () => void): void {
    this.kept.push(arrive);
    if (!this.keepsShows) this.passOn();
  }

  /** Delivers what the poor radio link delayed. */
  passOn(): void {
    for (const arrive of this.kept.splice(0)) arrive();
  }

  switchOff(): void {
    this.outbox.land();
  }

  private look(): Status {
    const { shownToken, shownChecksum, remainingMs, pendingToken, pendingChecksum, backgroundChecksum } =
      this.device.look();
    const { epoch, deviceId } = this.device;
    const seen = { shownToken, shownChecksum, remainingMs, pendingToken, pendingChecksum, backgroundChecksum };
    return { ...EXAMPLES.deviceStatus, ...seen, device: deviceId, epoch, rssiDbm: this.rssiDbm, reachable: true };
  }
}
