import { createAlarm, type Alarm } from '../../scheduling/alarm.ts';
import type { MessageTurns } from '../../scheduling/messageTurns.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Greeting, TurboConnection, ConnectionHost } from '../types.ts';
import type { Outgoing } from '../frames/protocol/exchange.ts';
import { PROTOCOL_VERSION } from '../frames/protocol/messages.ts';
import { parseDisplayConfig, type DisplayParts } from './displayConfig.ts';
import { DisplayError } from './displayError.ts';
import type { PressCounter } from './displayPresses.ts';
import type { DisplayScreen } from './displayScreen.ts';
import type { DisplayShelf } from './displayShelf.ts';
import { DisplaySocket, type DisplayAddress } from './displaySocket.ts';
import { reply } from '../controllers/reply.ts';

const [READ_CONFIG, VERSION, TELEMETRY] = [0x40, 0x43, 0x44];
/** Interval of polling for presses, because the display does not report them on its own. */
const POLL_MS = 100;
const MAX_CONFIG_BYTES = 8_192;
/** Offsets and size of the telemetry: manufacturer id, 11 bytes of sensors and buttons, temperature, battery, flags. */
const [DYNAMIC, BATTERY, FLAGS, TELEMETRY_BYTES] = [2, 14, 15, 16];

/** State of a display that is kept across connections. */
export type DisplayMemory = { shelf: DisplayShelf; screen: DisplayScreen; presses: PressCounter };

export type OpenDisplayParts = {
  url: string;
  address: DisplayAddress;
  clock: Clock;
  log: Log;
  /** The turns in which the connection is read. */
  turns: MessageTurns;
  /** Returns the display's serial number and DeviceID. */
  identify: () => Promise<{ serialNumber: string; deviceId: string }>;
  claim: (serialNumber: string) => string | undefined;
  /** Returns the state kept from earlier connections. `isNew` tells whether it is unknown what happened since the last connection. */
  remember: (deviceId: string, parts: DisplayParts) => { memory: DisplayMemory; isNew: boolean };
  /** Called when the connection has ended. `isRefusal` tells whether another program may be using the display. */
  ended: (isRefusal: boolean) => void;
};

/** A connection to an OpenDisplay display, which acts as a turbo with one device. See docs/open-display.md. */
export class OpenDisplayConnection implements TurboConnection {
  readonly transport: TurboConnection['transport'];
  state: TurboConnection['state'] = 'connecting';
  turbo: Greeting | undefined;
  problem: string | undefined;
  lastSeenAt = 0;
  synced = false;
  readonly firstSync: Promise<void>;

  private readonly parts: OpenDisplayParts;
  private readonly host: ConnectionHost;
  private readonly socket: DisplaySocket;
  private readonly endFirstSync: () => void;
  private readonly waking: Alarm;
  private memory: DisplayMemory | undefined;
  private onlineMs = 0;
  private polledMs = -Infinity;
  private isWorking = true;
  private wake: (() => void) | undefined;

  constructor(host: ConnectionHost, parts: OpenDisplayParts) {
    this.host = host;
    this.parts = parts;
    this.transport = { kind: 'opendisplay', port: parts.url, canPress: false };
    const first = Promise.withResolvers<void>();
    this.firstSync = first.promise;
    this.endFirstSync = first.resolve;
    this.waking = createAlarm(parts.clock, () => this.wakeUp());
    this.socket = new DisplaySocket(parts.clock, parts.address, (error) => this.failed(error), parts.turns);
    void this.run();
  }

  get uptimeS(): number {
    return this.turbo === undefined ? 0 : Math.floor((this.parts.clock.monotonic() - this.onlineMs) / 1_000);
  }

  /** Whether nothing except timers is pending. */
  idle(): boolean {
    if (this.state === 'closed') return true;
    return !this.socket.isBusy() && !this.isWorking && this.memory?.shelf.idle() !== false;
  }

  send(outgoing: Outgoing): void {
    const request = outgoing.request(1);
    if (request === undefined) return;
    reply(outgoing, this.memory?.shelf.take(request) ?? 'unknownDevice');
  }

  withdraw(): void {
    // Nothing to withdraw, because every request is answered immediately.
  }

  async sync(): Promise<void> {
    if (this.state !== 'online' || this.memory === undefined) return;
    await this.memory.shelf.reportAll();
    if (!this.isOpen() || this.synced) return;
    this.synced = true;
    this.endFirstSync();
    this.host.synced(this);
  }

  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.socket.close();
    this.waking.stop();
    this.wakeUp();
    this.memory?.shelf.reportOver(undefined);
    this.endFirstSync();
    this.host.closed(this, reason);
  }

  /** Wakes the connection, because the screen has something to send. */
  ready(): void {
    this.wakeUp();
  }

  /** Sets the problem message, or clears it with undefined. */
  trouble(problem: string | undefined): void {
    this.problem = problem;
    if (!this.isOpen()) return;
    if (problem === undefined) this.host.synced(this);
    else this.host.troubled(this);
  }

  private isOpen(): boolean {
    return this.state === 'online';
  }

  private failed(error: DisplayError): void {
    if (this.state === 'closed') return;
    this.parts.ended(error.isRefusal);
    this.close(error.message);
  }

  private async run(): Promise<void> {
    try {
      await this.open();
      while (this.isOpen()) await this.turn();
    } catch (error) {
      // If the socket failed, it has already closed the connection.
      if (!(error instanceof DisplayError)) this.parts.log.error({ err: error }, 'A display could not be served');
      this.failed(error instanceof DisplayError ? error : new DisplayError('The display could not be served.'));
    }
  }

  private async open(): Promise<void> {
    const { socket, parts } = this;
    await socket.opened;
    const [major = 0, minor = 0] = await socket.ask(VERSION);
    const config = await this.readConfig();
    const { serialNumber, deviceId } = await parts.identify();
    if (this.state === 'closed') return;
    const taken = parts.claim(serialNumber);
    if (taken !== undefined) return this.close(taken);
    const { memory, isNew } = parts.remember(deviceId, config);
    this.memory = memory;
    const telemetry = await this.readTelemetry(memory);
    const nowMs = parts.clock.monotonic();
    if (isNew) memory.presses.forget();
    // Report these presses before the screen is drawn again, because they refer to its current content.
    for (const button of memory.presses.resume(telemetry, nowMs)) memory.shelf.press(button);
    memory.screen.forget();
    memory.shelf.device.redraw();
    this.onlineMs = nowMs;
    const firmware = major * 100 + minor;
    const bootId = memory.shelf.device.epoch;
    this.turbo = { protocol: PROTOCOL_VERSION, serialNumber, name: '', firmware, bootId, uptimeS: 0, window: 1 };
    this.state = 'online';
    memory.shelf.reportOver({ connection: this, host: this.host });
    this.host.online(this, this.turbo);
  }

  /** Reads the configuration, which comes in numbered parts. The first part also has the total number of bytes. */
  private async readConfig(): Promise<DisplayParts> {
    let bytes = Buffer.alloc(0);
    let total = Infinity;
    let data = await this.socket.ask(READ_CONFIG);
    for (let number = 0; ; number += 1) {
      if (data.length < 2 || data.readUInt16LE(0) !== number)
        throw new DisplayError('The display told its configuration in disorder.');
      const head = number === 0 ? 4 : 2;
      if (number === 0) total = data.length < head ? 0 : data.readUInt16LE(2);
      const part = data.subarray(head);
      bytes = Buffer.concat([bytes, part]);
      if (bytes.length >= total || total > MAX_CONFIG_BYTES || part.length === 0) break;
      ({ data } = await this.socket.next([READ_CONFIG]));
    }
    const parts = parseDisplayConfig(bytes.subarray(0, total));
    if (parts === undefined)
      throw new DisplayError('The display is not set up: it tells no panel. Set it up with the tools of OpenDisplay.');
    return parts;
  }

  private async readTelemetry({ shelf }: DisplayMemory): Promise<Buffer> {
    const telemetry = await this.socket.ask(TELEMETRY);
    if (telemetry.length < TELEMETRY_BYTES) throw new DisplayError('The display tells its state in an unknown form.');
    const [low = 0, flags = 0] = [telemetry[BATTERY], telemetry[FLAGS]];
    shelf.batteryMv = (low | ((flags & 1) << 8)) * 10;
    this.polledMs = this.parts.clock.monotonic();
    this.lastSeenAt = this.parts.clock.now();
    return telemetry.subarray(DYNAMIC);
  }

  /** Performs one round: sends due changes, then reads presses, then pauses. */
  private async turn(): Promise<void> {
    const { memory, parts } = this;
    if (memory === undefined) return;
    const { screen } = memory;
    if (screen.hasWork()) await screen.work(this.socket, () => this.listen(memory));
    if (parts.clock.monotonic() - this.polledMs >= POLL_MS) await this.listen(memory);
    if (this.isOpen() && !screen.hasWork()) await this.rest();
  }

  private async listen(memory: DisplayMemory): Promise<void> {
    const { presses, shelf } = memory;
    const telemetry = await this.readTelemetry(memory);
    for (const button of presses.read(telemetry, this.parts.clock.monotonic())) shelf.press(button);
    shelf.settle((button) => presses.isDown(button));
  }

  private async rest(): Promise<void> {
    const { clock } = this.parts;
    this.waking.in(Math.max(0, this.polledMs + POLL_MS - clock.monotonic()));
    this.isWorking = false;
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.isWorking = true;
  }

  private wakeUp(): void {
    this.waking.cancel();
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}
