/** Turbo in the process of the load generator. It can press every device as soon as the device is lit. */
import { connect } from 'node:net';
import { decodePayload } from '../../electron/server/turbo/frames/protocol/codec.ts';
import {
  createFrameWriter,
  encodeFrame,
  FLAG_REPLY,
  FrameParser,
} from '../../electron/server/turbo/frames/protocol/frame.ts';
import {
  CAN_DRAW_FIELDS,
  HEARTBEAT_MS,
  PROTOCOL_VERSION,
  type Body,
  type Message,
} from '../../electron/server/turbo/frames/protocol/messages.ts';
import { ADMIN_PASSWORD } from './processes.ts';

export type PeerTurbo = {
  /** Returns the number of bytes received so far. */
  bytes(): number;
  /** Resolves to the token of the next command that the device shows. */
  lit(device: string): Promise<number>;
  /** Sends a press, short by default. Resolves when the station has acknowledged it. */
  press(device: string, token: number, hold?: 'short' | 'long'): Promise<void>;
  close(): void;
};

/** Options of a turbo. `pressed` is called immediately before a lit device is pressed. Without it, lit devices are not pressed. */
type PeerOptions = { port: number; devices: readonly string[]; pressed?: (deviceId: string) => void };

/** Connects a turbo over TCP, which then exchanges frames. Resolves when the station knows all devices of this turbo. */
export async function connectFrameTurbo({ port, devices, pressed }: PeerOptions): Promise<PeerTurbo> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // Ignore the error: the program at the other end has ended.
  socket.on('error', () => undefined);
  const scratch = createFrameWriter();
  const epoch = Math.floor(Date.now() / 1_000);
  const known = Promise.withResolvers<void>();
  let seq = 0;
  let counter = 0;
  /** Number of statuses that have not been acknowledged yet. `synced` is sent after the last acknowledgement. */
  let unanswered = 0;
  let syncSeq: number | undefined;
  const litNext = new Map<string, (token: number) => void>();
  /** Called when the request with this number is acknowledged. */
  const acknowledged = new Map<number, () => void>();

  const request = (message: Message): void => {
    socket.write(encodeFrame(scratch, message, seq, false));
    seq = (seq + 1) % 0x10000;
  };
  const reply = (message: Message, to: number): void => {
    socket.write(encodeFrame(scratch, message, to, true));
  };
  const parser = new FrameParser({
    frame(type, flags, number, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string') throw new Error(`The program sent a frame that is ${message}`);
      if ((flags & FLAG_REPLY) === 0) return answer(message, number);
      if (message.name === 'welcome' && message.body.status !== 'accepted')
        throw new Error(`The turbo is ${message.body.status}`);
      acknowledged.get(number)?.();
      acknowledged.delete(number);
      if (unanswered > 0 && message.name === 'ack') {
        unanswered -= 1;
        replySynced();
      }
    },
    junk: () => undefined,
  });

  function answer(message: Message, number: number): void {
    if (message.name === 'sync') {
      syncSeq = number;
      unanswered = devices.length;
      for (const device of devices) request({ name: 'deviceStatus', body: statusOf(device, epoch) });
      replySynced();
      return;
    }
    reply({ name: 'ack', body: { status: 'ok' } }, number);
    if (message.name !== 'show' || message.body.token === 0) return;
    const { device, token, checksum } = message.body;
    request({ name: 'shown', body: { device, token, checksum, ageMs: 0 } });
    litNext.get(device)?.(token);
    if (pressed === undefined) return;
    pressed(device);
    press(device, token, message.body.quantity);
  }

  function press(device: string, token: number, quantity: number | undefined, hold: 'short' | 'long' = 'short'): void {
    counter += 1;
    const body = { device, epoch, counter, token, ageMs: 0, quantity, button: 'front', hold } as const;
    request({ name: 'button', body });
  }

  function replySynced(): void {
    if (unanswered > 0 || syncSeq === undefined) return;
    reply({ name: 'synced', body: { devices: devices.length } }, syncSeq);
    syncSeq = undefined;
    known.resolve();
  }

  socket.on('data', (chunk) => {
    // Send everything that one chunk causes in one packet, like a turbo with a buffered connection.
    socket.cork();
    parser.push(chunk, performance.now());
    socket.uncork();
  });
  const hello = {
    protocol: PROTOCOL_VERSION,
    serialNumber: `BENCH-${devices[0]}`,
    name: 'Bench',
    firmware: 12,
    bootId: epoch,
    uptimeS: 0,
    window: 64,
    username: 'admin',
    secret: ADMIN_PASSWORD,
  };
  request({ name: 'hello', body: hello });
  const beat = setInterval(() => request({ name: 'heartbeat', body: { uptimeS: 1 } }), HEARTBEAT_MS);
  await known.promise;
  return {
    bytes: () => socket.bytesRead,
    lit: (device) => new Promise((resolve) => void litNext.set(device, resolve)),
    press: (device, token, hold) =>
      new Promise((resolve) => {
        acknowledged.set(seq, resolve);
        press(device, token, undefined, hold);
      }),
    close() {
      clearInterval(beat);
      socket.destroy();
    },
  };
}

function statusOf(device: string, epoch: number): Body<'deviceStatus'> {
  return {
    device,
    epoch,
    firmware: 70,
    buttons: 3,
    capabilities: CAN_DRAW_FIELDS,
    batteryMv: 3_000,
    rssiDbm: -50,
    uptimeS: 1,
    shownToken: 0,
    shownChecksum: undefined,
    remainingMs: undefined,
    reachable: true,
    pendingToken: undefined,
    pendingChecksum: undefined,
    backgroundChecksum: undefined,
  };
}
