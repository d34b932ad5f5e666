import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { inflateSync } from 'node:zlib';
import type { Clock, Timer } from '../../../electron/server/ports.ts';
import { tlsKeyOf } from '../../../electron/server/turbo/openDisplay/displayKey.ts';
import { configOf, type FakeDisplayOptions } from './fakeDisplayConfig.ts';

const IDLE_MS = 30_000;
const LADDER_RESTARTS_MS = 5_000;
const MAX_PAYLOAD = 4_094;

type Button = { id: number; count: number; isDown: boolean; pressedMs: number };
/** A drawn picture, and whether it was a fast refresh. */
type Drawn = { pixels: Buffer; isFast: boolean };

/**
 * An OpenDisplay display that behaves like its firmware, with real sockets and frames. It serves one client at a time, does not read during
 * a refresh, and uses the time of `clock`.
 */
export class FakeDisplay {
  port = 0;
  /** Pictures drawn since the start. As long as the list is empty, the panel shows its own start picture. */
  drawn: Drawn[] = [];
  commands: number[] = [];
  sounds: Buffer[] = [];
  programs: string[] = [];
  refused = 0;
  refreshMs = { full: 2_000, fast: 500 };
  /** Number of upcoming refreshes that time out. */
  timeouts = 0;
  /** Number of bytes per write, or 0 to write whole frames together. */
  pieces = 0;
  answerAfterMs = 0;
  isSilent = false;
  /** Makes the display close the connection right after its next telemetry. */
  hangsUp = false;
  /** Bytes to send to each new client. */
  garbage: Buffer | undefined;
  battery = 305;
  private readonly clock: Clock;
  private readonly options: FakeDisplayOptions;
  private readonly server: Server;
  private readonly buttons: Button[];
  private readonly dynamic = Buffer.alloc(11);
  private readonly sockets = new Set<Socket>();
  private owner: Socket | undefined;
  private received = Buffer.alloc(0);
  private queue: Buffer[] = [];
  private blockedBy: Timer | undefined;
  private late = 0;
  private idleTimer: Timer | undefined;
  private changed: Button | undefined;
  private lit: { program: Buffer; sinceMs: number } | undefined;
  private image: { size: number; isPacked: boolean; bytes: Buffer } | undefined;
  private outside: Socket | undefined;

  constructor(clock: Clock, options: FakeDisplayOptions = {}) {
    this.clock = clock;
    this.options = options;
    const accept = (socket: Socket): void => this.accept(socket);
    const { key } = options;
    this.server =
      key === undefined
        ? createServer(accept)
        : createTlsServer(
            {
              ciphers: 'ECDHE-PSK-AES128-CBC-SHA256',
              maxVersion: 'TLSv1.2',
              pskCallback: (_socket: unknown, identity: string) => (identity === 'opendisplay' ? tlsKeyOf(key) : null),
            },
            accept,
          );
    // Turn away a second client before its TLS handshake.
    if (key !== undefined) this.server.on('connection', (socket: Socket) => this.turnAway(socket));
    this.server.on('tlsClientError', () => undefined);
    this.buttons = Array.from({ length: options.buttons ?? 3 }, (_, id) => ({
      id,
      count: 0,
      isDown: false,
      pressedMs: -Infinity,
    }));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  get url(): string {
    return `opendisplay://127.0.0.1:${this.port}/`;
  }

  get picture(): Buffer | undefined {
    return this.drawn.at(-1)?.pixels;
  }

  /** Returns whether the display sends nothing until time passes. */
  isInert(): boolean {
    return this.blockedBy !== undefined || this.isSilent || this.late > 0;
  }

  isLit(): boolean {
    if (this.lit === undefined) return false;
    const { program, sinceMs } = this.lit;
    let groupMs = 0;
    for (const at of [1, 4, 7]) {
      const loops = program.readUInt8(at + 1);
      groupMs += ((loops >> 4) * (loops & 15) + program.readUInt8(at + 2)) * 100;
    }
    return this.clock.monotonic() < sinceMs + groupMs * (program.readUInt8(10) + 1);
  }

  /** Presses a button and, unless `isHeld`, releases it. */
  press(id = 0, { isHeld = false } = {}): void {
    const button = this.buttons[id];
    if (button === undefined) throw new Error(`There is no button ${id}.`);
    this.move(button, true);
    if (!isHeld) this.move(button, false);
  }

  release(id = 0): void {
    const button = this.buttons[id];
    if (button !== undefined) this.move(button, false);
  }

  /** Loses power for a moment: the display draws its start picture and forgets everything else. */
  reboot(): void {
    for (const button of this.buttons) Object.assign(button, { count: 0, isDown: false, pressedMs: -Infinity });
    this.dynamic.fill(0);
    this.drawn = [];
    this.lit = undefined;
    this.changed = undefined;
    this.unblock();
    this.cut();
  }

  /** Closes the connection on both sides. */
  cut(): void {
    this.owner?.destroy();
    this.leave();
  }

  /** Occupies the display with another client. */
  hold(): void {
    this.cut();
    this.outside = { destroy: () => undefined } as unknown as Socket;
    this.owner = this.outside;
  }

  letGo(): void {
    if (this.owner === this.outside) this.owner = undefined;
  }

  async stop(): Promise<void> {
    this.idleTimer?.cancel();
    this.blockedBy?.cancel();
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => void this.server.close(() => resolve()));
  }

  private turnAway(socket: Socket): void {
    if (this.owner === undefined) return;
    this.refused += 1;
    socket.destroy();
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => {
      this.sockets.delete(socket);
      if (this.owner === socket) this.leave();
    });
    socket.on('error', () => undefined);
    if (this.owner !== undefined) {
      this.refused += 1;
      return void socket.destroy();
    }
    this.owner = socket;
    this.received = Buffer.alloc(0);
    this.heard();
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    if (this.garbage !== undefined) socket.write(this.garbage);
  }

  private hangUp(): void {
    this.hangsUp = false;
    this.owner?.end();
    this.leave();
  }

  private leave(): void {
    this.owner = undefined;
    this.queue = [];
    this.image = undefined;
    this.idleTimer?.cancel();
  }

  private heard(): void {
    this.idleTimer?.cancel();
    this.idleTimer = this.clock.setTimer(IDLE_MS, () => this.cut());
  }

  private take(chunk: Buffer): void {
    if (this.isSilent) return;
    this.received = Buffer.concat([this.received, chunk]);
    while (this.received.length >= 2) {
      const length = this.received.readUInt16LE();
      if (length === 0 || length > MAX_PAYLOAD) return this.cut();
      if (this.received.length < 2 + length) return;
      this.queue.push(this.received.subarray(2, 2 + length));
      this.received = this.received.subarray(2 + length);
    }
    this.serve();
  }

  private serve(): void {
    while (this.blockedBy === undefined) {
      const frame = this.queue.shift();
      if (frame === undefined) return;
      this.heard();
      const command = frame.readUInt16BE();
      this.commands.push(command);
      this.run(command, frame.subarray(2));
    }
  }

  private run(command: number, data: Buffer): void {
    if (command === 0x43) this.answer([0, 0x43, 2, 26, 3, 0x61, 0x62, 0x63, 1]);
    else if (command === 0x40) this.sendConfig();
    else if (command === 0x44) {
      this.answer([0, 0x44, ...this.telemetry()]);
      if (this.hangsUp) this.hangUp();
    } else if (command === 0x70) this.begin(data);
    else if (command === 0x71) this.fill(data);
    else if (command === 0x72) this.end(data[0] === 1);
    else if (command === 0x73) this.flash(data);
    else if (command === 0x75) {
      this.lit = undefined;
      this.answer([0, 0x75, 0, 0]);
    } else if (command === 0x77) {
      this.sounds.push(data);
      this.answer([0, 0x77]);
    }
  }

  private telemetry(): Buffer {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt16LE(0x2446);
    this.dynamic.copy(bytes, 2);
    bytes[14] = this.battery & 0xff;
    bytes[15] = this.battery >> 8;
    return bytes;
  }

  private sendConfig(): void {
    const config = configOf(this.options);
    const frames: Buffer[] = [];
    for (let at = 0, number = 0; at < config.length; number += 1) {
      const head = number === 0 ? [number, 0, config.length & 0xff, config.length >> 8] : [number & 0xff, number >> 8];
      const part = config.subarray(at, at + 98 - head.length);
      frames.push(framed([0, 0x40, ...head, ...part]));
      at += part.length;
    }
    this.write(Buffer.concat(frames));
  }

  private begin(data: Buffer): void {
    const { width = 296, height = 128, scheme = 0 } = this.options;
    const bits = scheme === 3 ? 2 : scheme >= 4 ? 4 : 1;
    const plane = Math.ceil((width * bits) / 8) * height;
    const size = scheme === 1 || scheme === 2 ? 2 * plane : plane;
    const isPacked = data.length >= 4;
    if (isPacked && data.readUInt32LE() !== size) return this.answer([0xff, 0x70]);
    this.image = { size, isPacked, bytes: Buffer.from(data.subarray(4)) };
    this.answer([0, 0x70]);
  }

  private fill(data: Buffer): void {
    const { image } = this;
    if (image === undefined || data.length === 0) return;
    image.bytes = Buffer.concat([image.bytes, data]);
    // An uncompressed picture ends with its last byte and always gets a full refresh.
    if (!image.isPacked && image.bytes.length >= image.size) this.end(false);
    else this.answer([0, 0x71]);
  }

  private end(isFast: boolean): void {
    const { image } = this;
    this.image = undefined;
    if (image === undefined) return;
    const pixels = image.isPacked ? unpack(image.bytes) : image.bytes;
    if (pixels?.length !== image.size) return this.answer([0xff, 0x72]);
    this.answer([0, 0x72]);
    const hasFailed = this.timeouts > 0;
    this.timeouts -= Number(hasFailed);
    this.blockedBy = this.clock.setTimer(isFast ? this.refreshMs.fast : this.refreshMs.full, () => {
      this.unblock();
      if (!hasFailed) this.drawn.push({ pixels, isFast });
      this.answer([0, hasFailed ? 0x74 : 0x73]);
      this.serve();
    });
  }

  private unblock(): void {
    this.blockedBy?.cancel();
    this.blockedBy = undefined;
    if (this.changed !== undefined) this.publish(this.changed);
  }

  private flash(data: Buffer): void {
    const program = data.subarray(1, 13);
    if (data[0] !== 0 || program.length !== 12 || (this.options.leds ?? 1) === 0)
      return this.answer([0xff, 0x73, 2, 0]);
    this.programs.push(program.toString('hex').toUpperCase());
    this.lit = (program.readUInt8(0) & 15) === 1 ? { program, sinceMs: this.clock.monotonic() } : undefined;
    this.answer([0, 0x73, 0, 0]);
  }

  /** Behaves like the pin's interrupt: counts a press immediately, but publishes the change only in the next round of the main loop. */
  private move(button: Button, isDown: boolean): void {
    if (button.isDown === isDown) return;
    const nowMs = this.clock.monotonic();
    button.isDown = isDown;
    if (isDown) {
      const counted = this.options.isLadder === true ? this.countOnLadder(button, nowMs) : button.count + 1;
      button.count = counted & 15;
      button.pressedMs = nowMs;
    }
    this.changed = button;
    if (this.blockedBy === undefined) this.publish(button);
  }

  /** Returns the count shared by all buttons on a resistor ladder, which restarts after 5 s. */
  private countOnLadder(pressed: Button, nowMs: number): number {
    const last = this.buttons.reduce((one, other) => (other.pressedMs > one.pressedMs ? other : one), pressed);
    return nowMs - last.pressedMs > LADDER_RESTARTS_MS ? 1 : last.count + 1;
  }

  private publish(button: Button): void {
    this.changed = undefined;
    this.dynamic[this.options.byte ?? 2] = button.id | (button.count << 3) | (button.isDown ? 0x80 : 0);
  }

  private answer(payload: number[]): void {
    const send = (): void => this.write(framed(payload));
    if (this.answerAfterMs === 0) return send();
    this.late += 1;
    const { owner } = this;
    this.clock.setTimer(this.answerAfterMs, () => {
      this.late -= 1;
      if (this.owner === owner) send();
    });
  }

  private write(bytes: Buffer): void {
    const step = this.pieces === 0 ? bytes.length : this.pieces;
    for (let at = 0; at < bytes.length; at += step) this.owner?.write(bytes.subarray(at, at + step));
  }
}

function framed(payload: number[]): Buffer {
  return Buffer.from([payload.length & 0xff, payload.length >> 8, ...payload]);
}

/** Decompresses a picture, or returns undefined if the stream declares a window larger than the display's 512 bytes. */
function unpack(bytes: Buffer): Buffer | undefined {
  if ((bytes.readUInt8(0) >> 4) + 8 > 9) return undefined;
  return inflateSync(bytes);
}
