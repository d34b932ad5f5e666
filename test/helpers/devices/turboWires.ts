import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import type { Admission, Clock } from '../../../electron/server/ports.ts';
import { createTurboSockets, listenForTurbos } from '../../../electron/server/turbo/frames/transports/network.ts';
import { systemSerialPorts } from '../../../electron/server/network/serialPorts.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { selfSigned } from '../servers/selfSigned.ts';

/** Both ends of a real wire. */
export type Wire = { station: Transport; turbo: Transport; stop: () => void | Promise<void> };

export const ANYBODY: Admission = {
  admit: () => Promise.resolve(undefined),
  isLive: () => true,
  turboKey: () => undefined,
  boundTo: () => undefined,
  signUpdate: () => undefined,
};

export async function tcpWire(clock: Clock, isEncrypted = false): Promise<Wire> {
  const { promise, resolve } = Promise.withResolvers<Transport>();
  const certificate = isEncrypted ? selfSigned('localhost') : undefined;
  const listener = await listenForTurbos(
    { host: '127.0.0.1', port: 0, tls: certificate },
    { clock, admission: () => ANYBODY, attach: resolve },
  );
  const where = { host: '127.0.0.1', port: listener.port };
  const socket =
    certificate === undefined
      ? connect(where)
      : connectTls({ ...where, ca: certificate.cert, servername: 'localhost' });
  const turbo = streamTransport(socket, { clock, kind: 'network', port: `127.0.0.1:${listener.port}` });
  return { station: await promise, turbo, stop: () => listener.stop() };
}

export async function webSocketWire(clock: Clock): Promise<Wire> {
  const { promise, resolve } = Promise.withResolvers<Transport>();
  const sockets = createTurboSockets({ clock, attach: resolve });
  const server = createServer();
  server.on('upgrade', (req, socket, head) => void sockets.accept(req, socket, head, ANYBODY));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/turbo/`;
  const stream = createWebSocketStream(new WebSocket(url));
  const turbo = streamTransport(stream, { clock, kind: 'network', port: url });
  const station = await promise;
  return {
    station,
    turbo,
    stop() {
      sockets.stop();
      server.close();
    },
  };
}

/** The reason why pseudo-terminals are unavailable, or undefined if they are available. */
export const noTerminals =
  spawnSync('socat', ['-V']).status === 0 ? undefined : 'socat is not installed (apt-get install socat)';

// The reporter counts skipped tests but does not print the reason, so print it here.
if (noTerminals !== undefined) process.stderr.write(`Tests of pseudo-terminals are skipped: ${noTerminals}\n`);

/** Opens a cable between two pseudo-terminals. */
export async function openCable(): Promise<{ paths: [string, string]; unplug: () => void }> {
  const socat = spawn('socat', ['-d', '-d', 'pty,raw,echo=0', 'pty,raw,echo=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const paths: string[] = [];
  let text = '';
  for await (const chunk of socat.stderr) {
    text += String(chunk);
    paths.splice(0, 2, ...Array.from(text.matchAll(/PTY is (\S+)/g), ([, path = '']) => path));
    if (text.includes('starting data transfer')) break;
  }
  const [first, second] = paths;
  if (first === undefined || second === undefined) throw new Error(`socat opened no terminals: ${text}`);
  socat.stderr.destroy();
  return { paths: [first, second], unplug: () => void socat.kill('SIGKILL') };
}

export async function serialWire(clock: Clock): Promise<Wire> {
  const { paths, unplug } = await openCable();
  const ports = systemSerialPorts();
  const [station, turbo] = await Promise.all(
    paths.map(async (path) => {
      const stream = await ports.open({ path, baudRate: 921_600, flowControl: false });
      return streamTransport(stream, { clock, kind: 'usb', port: path });
    }),
  );
  if (station === undefined || turbo === undefined) throw new Error('unreachable');
  return { station, turbo, stop: unplug };
}
