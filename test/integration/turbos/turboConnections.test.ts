import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { createTurboSockets, listenForTurbos } from '../../../electron/server/turbo/frames/transports/network.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { ANYBODY } from '../../helpers/devices/turboWires.ts';

/** Maximum number of connections of each kind. */
const MAX = 200;

test('closes the newest WebSocket above the limit with a reason, and keeps the others', async () => {
  const attached: Transport[] = [];
  const sockets = createTurboSockets({ clock: createFakeClock(0), attach: (transport) => attached.push(transport) });
  const server = createServer();
  server.on('upgrade', (req, socket, head) => void sockets.accept(req, socket, head, ANYBODY));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    sockets.stop();
    server.close();
  });
  const open = () => new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/turbo/`);
  const others = Array.from({ length: MAX }, open);
  await Promise.all(others.map((socket) => once(socket, 'open')));
  const [code, reason] = (await once(open(), 'close')) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([1013, 'Too many turbos']);
  expect(attached).toHaveLength(MAX);
  expect(others.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true);
});

test('WebSockets whose peers do not answer the close do not block other turbos', async () => {
  const attached: Transport[] = [];
  const sockets = createTurboSockets({ clock: createFakeClock(0), attach: (transport) => attached.push(transport) });
  const server = createServer();
  server.on('upgrade', (req, socket, head) => void sockets.accept(req, socket, head, ANYBODY));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    sockets.stop();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const silent = Array.from({ length: MAX }, () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write(
      'GET /turbo/ HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
        `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    return socket;
  });
  await Promise.all(silent.map((socket) => once(socket, 'data')));
  for (const transport of attached) transport.close();
  const left = Promise.all(silent.map((socket) => once(socket, 'close')));
  const turbo = new WebSocket(`ws://127.0.0.1:${port}/turbo/`);
  await once(turbo, 'open');
  // The connections end although the peers do not answer.
  await left;
  expect(attached).toHaveLength(MAX + 1);
  expect(turbo.readyState).toBe(WebSocket.OPEN);
});

test('closes the newest TCP connection above the limit, and keeps the others', async () => {
  const attached: Transport[] = [];
  const listener = await listenForTurbos(
    { host: '127.0.0.1', port: 0, tls: undefined },
    { clock: createFakeClock(0), admission: () => ANYBODY, attach: (transport) => attached.push(transport) },
  );
  onTestFinished(() => listener.stop());
  const open = () => connect(listener.port, '127.0.0.1').resume();
  const others = Array.from({ length: MAX }, open);
  await Promise.all(others.map((socket) => once(socket, 'connect')));
  await once(open(), 'close');
  expect(attached).toHaveLength(MAX);
  expect(others.every(({ readyState }) => readyState === 'open')).toBe(true);
});
