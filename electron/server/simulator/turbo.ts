import type { Clock, Ids, Log, Timer } from '../ports.ts';
import { Exchange, type Outgoing, type Rank, type Ticket } from '../turbo/frames/protocol/exchange.ts';
import {
  HEARTBEAT_MS,
  LOST_AFTER_BEATS,
  LOST_AFTER_MS,
  PROTOCOL_VERSION,
  type Body,
  type Reply,
  type RequestMessage,
} from '../turbo/frames/protocol/messages.ts';
import type { Transport } from '../turbo/frames/transports/transport.ts';
import { createAirtime, type Airtime } from './airtime.ts';
import type { RadioDevice } from './radioDevice.ts';

const FIRMWARE = 12;
const WINDOW = 64;
const RECONNECT_MS = 1_000;
const REFUSED_RETRY_MS = 30_000;

export type TurboOptions = {
  serialNumber: string;
  name: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Opens a new wire to the station. */
  connect: () => Transport;
  /** Airtime shared by the turbo's devices; unlimited by default. */
  airtime?: Airtime;
  /** Sign-in for the turbo's hello, on wires that require one. */
  signIn?: { username: string; secret: string };
};

/** The parts of a device that a turbo uses. */
export type HeardDevice = Pick<RadioDevice, 'outbox' | 'show' | 'keep' | 'switchOff'> & {
  device: Pick<RadioDevice['device'], 'deviceId' | 'check' | 'checkScreen'>;
};

/**
 * A simulated turbo. Passes `show` and `keep` messages from the station to the devices, and reports from the devices to the station, over a
 * wire with real frames.
 */
export class SimulatedTurbo<Heard extends HeardDevice = RadioDevice> {
  readonly devices = new Map<string, Heard>();
  private readonly options: TurboOptions;
  private readonly airtime: Airtime;
  private wire: Transport | undefined;
  private exchange: Exchange | undefined;
  private online = false;
  private wanted = false;
  private bootId: number;
  private bootedMs: number;
  private heartbeatMs = HEARTBEAT_MS;
  private heartbeatTimer: Timer | undefined;
  private retryTimer: Timer | undefined;
  /** Earliest monotonic time to reconnect after a refusal. */
  private notBeforeMs = -Infinity;
  private heartbeatFlying = false;
  private syncs: { ticket: Ticket; left: Set<Heard> }[] = [];
  private readonly hello: Outgoing = {
    request: () => ({ name: 'hello', body: this.helloBody() }),
    replied: (reply) => this.welcomed(reply),
  };
  private readonly heartbeat: Outgoing = {
    request: () => ({ name: 'heartbeat', body: { uptimeS: this.uptimeS() } }),
    replied: (reply) => {
      this.heartbeatFlying = false;
      this.checkSession(reply);
    },
  };

  private readonly send = (outgoing: Outgoing, rank?: Rank): void => this.exchange?.request(outgoing, rank);

  constructor(options: TurboOptions) {
    this.options = options;
    this.airtime = options.airtime ?? createAirtime(options.clock, 0);
    this.bootId = randomU32(options.ids);
    this.bootedMs = options.clock.monotonic();
  }

  get serialNumber(): string {
    return this.options.serialNumber;
  }

  /** Opens the wire, and reopens it until `disconnect`. */
  connect(): void {
    if (this.wanted) return;
    this.wanted = true;
    this.open();
  }

  disconnect(): void {
    this.wanted = false;
    this.wire?.close();
    this.closed();
  }

  /** Restarts the turbo without closing the wire: drops waiting frames, and sends a hello with a new boot id. */
  restart(): void {
    this.bootId = randomU32(this.options.ids);
    this.bootedMs = this.options.clock.monotonic();
    this.airtime.clear();
    this.sayHello();
  }

  /** Removes a device with its unsent reports. Returns false if it is unknown. */
  remove(deviceId: string): boolean {
    const device = this.devices.get(deviceId);
    if (device === undefined) return false;
    this.devices.delete(deviceId);
    device.switchOff();
    this.replySynced(device);
    return true;
  }

  /** Sends the waiting reports of this device if the session is up. */
  pump(device: Heard): void {
    if (this.online && this.devices.get(device.device.deviceId) === device) device.outbox.pump(this.send);
  }

  /** Handles the station's answer to a report or a status from this device. */
  answered(device: Heard, status: string): void {
    if (status === 'refused') return this.sayHello();
    this.pump(device);
    if (this.syncs.length > 0 && device.outbox.isClear()) this.replySynced(device);
  }

  private open(): void {
    this.retryTimer?.cancel();
    const { clock, connect } = this.options;
    const wire = connect();
    this.wire = wire;
    this.exchange = new Exchange({
      clock,
      side: 'turbo',
      firstSeq: this.bootId,
      write: (bytes) => wire.write(bytes),
      requested: (request, ticket) => this.requested(request, ticket),
      tap: undefined,
    });
    wire.open({
      bytes: (chunk) => this.exchange?.receive(chunk),
      closed: () => {
        this.closed();
        const pauseMs = Math.max(RECONNECT_MS, this.notBeforeMs - clock.monotonic());
        if (this.wanted) this.retryTimer = clock.setTimer(pauseMs, () => this.open());
      },
    });
    this.sayHello();
  }

  private closed(): void {
    this.retryTimer?.cancel();
    this.leave();
    this.exchange?.stop();
    this.exchange = undefined;
    this.wire = undefined;
  }

  private sayHello(): void {
    // Without a connection there is nothing to do, because `open` sends the hello.
    if (this.exchange === undefined) return;
    this.retryTimer?.cancel();
    this.leave();
    this.exchange.reset();
    this.exchange.request(this.hello);
    if (this.wire?.kind === 'network') {
      this.retryTimer = this.options.clock.setTimer(LOST_AFTER_MS, () => this.startOver());
    }
  }

  private leave(): void {
    this.online = false;
    this.heartbeatFlying = false;
    this.heartbeatTimer?.cancel();
    this.syncs = [];
    for (const device of this.devices.values()) device.outbox.land();
  }

  private welcomed(reply: Reply): void {
    if (reply.name !== 'welcome' || reply.body.status !== 'accepted') {
      this.options.log.warn({ turbo: this.serialNumber, reply }, 'The station refuses this turbo');
      this.retryTimer?.cancel();
      this.notBeforeMs = this.options.clock.monotonic() + REFUSED_RETRY_MS;
      this.retryTimer = this.options.clock.setTimer(REFUSED_RETRY_MS, () => this.sayHello());
      return;
    }
    const { heartbeatMs, window } = reply.body;
    this.retryTimer?.cancel();
    this.online = true;
    this.heartbeatMs = heartbeatMs;
    if (this.exchange !== undefined) this.exchange.window = Math.max(1, window);
    this.scheduleHeartbeat();
    for (const device of this.devices.values()) this.pump(device);
  }

  private scheduleHeartbeat(): void {
    const { clock } = this.options;
    this.heartbeatTimer = clock.setTimer(this.heartbeatMs, () => {
      const silentMs = clock.monotonic() - (this.exchange?.lastHeardMs ?? 0);
      if (silentMs >= LOST_AFTER_BEATS * this.heartbeatMs) return this.startOver();
      if (!this.heartbeatFlying) {
        this.heartbeatFlying = true;
        this.exchange?.request(this.heartbeat);
      }
      this.scheduleHeartbeat();
    });
  }

  /** Reopens a network connection, because it may be dead at one end only. Sends another hello on other wires. */
  private startOver(): void {
    if (this.wire?.kind !== 'network') return this.sayHello();
    this.wire.close();
    this.closed();
    this.open();
  }

  private checkSession(reply: Reply): void {
    if (reply.name === 'ack' && reply.body.status === 'refused') this.sayHello();
  }

  private requested(request: RequestMessage, ticket: Ticket): void {
    // The session begins with the welcome. The station repeats a request that comes earlier.
    if (!this.online) return this.exchange?.abandon(ticket);
    if (request.name === 'show') return this.show(request.body, ticket);
    if (request.name === 'keep') return this.keep(request.body, ticket);
    if (request.name === 'sync') return this.sync(ticket);
    this.exchange?.ack(ticket, 'unsupported');
  }

  private show(show: Body<'show'>, ticket: Ticket): void {
    const device = this.devices.get(show.device);
    if (device === undefined) return this.exchange?.ack(ticket, 'unknownDevice');
    const status = device.outbox.reachable ? device.device.check(show) : 'unreachable';
    this.exchange?.ack(ticket, status);
    if (status === 'ok') this.airtime.add(show.device, show.token !== 0, () => device.show(show));
  }

  private keep(background: Body<'keep'>, ticket: Ticket): void {
    const device = this.devices.get(background.device);
    if (device === undefined) return this.exchange?.ack(ticket, 'unknownDevice');
    const status = device.outbox.reachable ? device.device.checkScreen(background) : 'unreachable';
    this.exchange?.ack(ticket, status);
    if (status === 'ok') this.airtime.add(background.device, false, () => device.keep(background));
  }

  private sync(ticket: Ticket): void {
    this.syncs.push({ ticket, left: new Set(this.devices.values()) });
    for (const device of this.devices.values()) {
      device.outbox.reportStatus();
      this.pump(device);
    }
    this.replySynced(undefined);
  }

  private replySynced(clear: Heard | undefined): void {
    for (const { left } of this.syncs) if (clear !== undefined) left.delete(clear);
    const done = this.syncs.filter(({ left }) => left.size === 0);
    this.syncs = this.syncs.filter(({ left }) => left.size > 0);
    const devices = this.devices.size;
    for (const { ticket } of done) this.exchange?.reply(ticket, { name: 'synced', body: { devices } });
  }

  private helloBody(): Body<'hello'> {
    return {
      protocol: PROTOCOL_VERSION,
      serialNumber: this.options.serialNumber,
      name: this.options.name,
      firmware: FIRMWARE,
      bootId: this.bootId,
      uptimeS: this.uptimeS(),
      window: WINDOW,
      username: this.options.signIn?.username,
      secret: this.options.signIn?.secret,
    };
  }

  private uptimeS(): number {
    return Math.floor((this.options.clock.monotonic() - this.bootedMs) / 1_000);
  }
}

function randomU32(ids: Ids): number {
  return Buffer.from(ids.bytes(4)).readUInt32LE();
}
