import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TurboLink } from '#shared/api/turbo.ts';
import { configOf } from '../../helpers/devices/fakeDisplayConfig.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Any program can answer at the address of a display.
const LINKS = '/api/turbo/links/';
const [CONFIG, VERSION, TELEMETRY] = [0x40, 0x43, 0x44];
const PORTION = Buffer.from([1, 0, 0]);

type Behavior = { connected?(socket: Socket): void; asked?(socket: Socket, command: number): void };

const frame = (payload: readonly number[]): Buffer =>
  Buffer.from([payload.length & 0xff, payload.length >> 8, ...payload]);

/** Answers like a display with one button. */
function answer(socket: Socket, command: number): void {
  const config = [...configOf({ buttons: 1 })];
  if (command === VERSION) socket.write(frame([0, VERSION, 2, 26]));
  else if (command === CONFIG)
    socket.write(frame([0, CONFIG, 0, 0, config.length & 0xff, config.length >> 8, ...config]));
  else if (command === TELEMETRY) socket.write(frame([0, TELEMETRY, ...Array.from({ length: 16 }, () => 0)]));
  else socket.write(frame([0, command]));
}

/** Sends the same bytes until the other side stops reading. */
function flood(socket: Socket, bytes: Buffer): void {
  const many = Buffer.alloc(65_536 - (65_536 % bytes.length), bytes);
  const pour = (): void => {
    while (!socket.destroyed && socket.write(many)) continue;
  };
  socket.on('drain', pour);
  pour();
}

const configParts = (socket: Socket, total: number, part: readonly number[]): void => {
  for (let number = 0; number < 9_000 && !socket.destroyed; number += 1) {
    const head = number === 0 ? [0, 0, total & 0xff, total >> 8] : [number & 0xff, number >> 8];
    socket.write(frame([0, CONFIG, ...head, ...part]));
  }
};

const HOSTILE: Readonly<Record<string, Behavior>> = {
  'sends a flood of the smallest frames': { connected: (socket) => flood(socket, PORTION) },
  'sends a flood of the largest frames': {
    connected: (socket) => flood(socket, Buffer.concat([Buffer.from([0xfe, 0x0f]), Buffer.alloc(4_094)])),
  },
  'sends a flood of refusals with its answers': {
    asked(socket, command) {
      answer(socket, command);
      flood(socket, frame([0xff, command, 1]));
    },
  },
  'sends a flood of telemetry when idle': {
    asked(socket, command) {
      answer(socket, command);
      if (command === TELEMETRY) flood(socket, frame([0, TELEMETRY, ...Array.from({ length: 16 }, () => 0xff)]));
    },
  },
  'sends a frame of 64 KiB': { connected: (socket) => flood(socket, Buffer.alloc(65_535, 0xff)) },
  'sends empty frames': { connected: (socket) => flood(socket, Buffer.from([0, 0])) },
  'sends half a frame and waits': { connected: (socket) => void socket.write(Buffer.from([9, 0, 0])) },
  'sends nothing': {},
  'closes its side without sending anything': { connected: (socket) => void socket.end() },
  'resets the connection after its version': {
    asked(socket, command) {
      if (command === VERSION) answer(socket, command);
      else socket.resetAndDestroy();
    },
  },
  'sends an endless configuration byte by byte': {
    asked: (socket, command) => (command === CONFIG ? configParts(socket, 8_192, [0]) : answer(socket, command)),
  },
  'sends a configuration of 64 KiB': {
    asked: (socket, command) =>
      command === CONFIG
        ? configParts(
            socket,
            65_535,
            Array.from({ length: 4_000 }, () => 7),
          )
        : answer(socket, command),
  },
  'sends its configuration in the wrong order': {
    asked: (socket, command) =>
      command === CONFIG ? void socket.write(frame([0, CONFIG, 9, 9, 9, 9])) : answer(socket, command),
  },
  'sends telemetry of two bytes': {
    asked: (socket, command) =>
      command === TELEMETRY ? void socket.write(frame([0, TELEMETRY, 1, 1])) : answer(socket, command),
  },
  'asks for a key': { asked: (socket, command) => void socket.write(frame([0xfe, command])) },
};

/** Starts a hostile display on a real socket. */
async function startPeer({ connected, asked }: Behavior) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => asked?.(socket, bytes[3] ?? 0));
    connected?.(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function until(station: TestStation, isSo: () => Promise<boolean>): Promise<void> {
  for (let waits = 0; !(await isSo()); waits += 1) {
    if (waits > 2_000) throw new Error('It never was.');
    await station.clock.advance(50);
    await new Promise(setImmediate);
  }
}

async function open(behavior: Behavior) {
  const station = await startTestStation({ simulate: 1, refreshMs: 0 });
  onTestFinished(() => station.stop());
  const peer = await startPeer(behavior);
  await station.post(LINKS, { kind: 'opendisplay', url: `127.0.0.1:${peer.port}` });
  return { station, peer };
}

test.each(Object.entries(HOSTILE))(
  'a peer that %s is disconnected with an explanation, and presses on other devices still count',
  async (_, behavior) => {
    const { station, peer } = await open(behavior);
    const link = async () => (await station.get<TurboLink[]>(LINKS))[0];
    await until(station, async () => (await link())?.problem !== null);
    expect((await link())?.problem).toMatch(/^[A-Z].*\.$/s);
    await station.post('/api/device/51D000:000001/', { line1: 'Screws', seconds: 0 });
    await until(station, async () => (await station.device('51D000:000001')).commands[0]?.state === 'shown');
    await station.press('51D000:000001');
    expect((await station.device('51D000:000001')).commands).toEqual([]);
    const kinds = station.rows<{ device_id: string }>(
      "SELECT DISTINCT device_id FROM history WHERE kind = 'acknowledged'",
    );
    expect(kinds).toEqual([{ device_id: '51D000:000001' }]);
    // All failed connections have ended, so nothing is read from them.
    await until(station, async () => [...peer.sockets].filter(({ destroyed }) => !destroyed).length <= 1);
    expect(station.logged.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
