import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { Exposure } from '#shared/api/exposure.ts';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';
import { ADMIN_PASSWORD } from '../../helpers/screens/template.ts';

async function start(options: TestStationOptions = { host: undefined, turboPort: 0 }): Promise<TestStation> {
  const station = await startTestStation(options);
  onTestFinished(() => station.stop());
  return station;
}

async function change(station: TestStation, settings: SettingsChange): Promise<Exposure> {
  return (await station.patch<SettingsAnswer>('/api/settings/', settings)).exposure;
}

const portOf = (station: TestStation) => station.started.turboPort() ?? 0;
const codes = ({ warnings }: Exposure) => warnings.map(({ code }) => code);

/** Sends a hello from a turbo to this address of the station. Returns undefined if nothing listens there. */
async function call(station: TestStation, host: string): Promise<Socket | undefined> {
  const socket = connect(portOf(station), host);
  onTestFinished(() => void socket.destroy());
  const body = { ...EXAMPLES.hello, serialNumber: `NET-${host}`, username: 'admin', secret: ADMIN_PASSWORD };
  return new Promise((resolve, reject) => {
    socket.once('data', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
    );
    socket.write(encodeFrame(createFrameWriter(), { name: 'hello', body }, 1, false));
  });
}

test('turbos can connect by TCP wherever the station listens, immediately and on the same port', async () => {
  const station = await start();
  const port = portOf(station);
  const here = await call(station, '127.0.0.1');
  expect(await call(station, '127.0.0.2')).toBeUndefined();
  await change(station, { listen: 'network' });
  expect(portOf(station)).toBe(port);
  const there = await call(station, '127.0.0.2');
  expect(there).toBeDefined();
  // Opening to the network only adds addresses, so existing connections stay open.
  expect(here?.closed).toBe(false);
  const turbos = await station.get<Turbo[]>('/api/turbo/');
  expect(turbos.map(({ status }) => status)).toEqual(['online', 'online', 'online']);
  const ended = new Promise((resolve) => there?.once('close', resolve));
  await change(station, { listen: 'this_machine' });
  await ended;
  expect(await call(station, '127.0.0.2')).toBeUndefined();
  expect(await call(station, '127.0.0.1')).toBeDefined();
});

test('a connected turbo stays connected when other exposure settings change', async () => {
  const station = await start();
  const here = await call(station, '127.0.0.1');
  await change(station, { public_urls: ['https://shop.example/'] });
  await change(station, { listen: 'this_machine' });
  await station.clock.advance(1_000);
  expect(here?.closed).toBe(false);
  expect(await station.get<Turbo[]>('/api/turbo/')).toContainEqual(
    expect.objectContaining({ status: 'online', transport: 'network' }),
  );
});

test('the host argument decides where turbos can connect, regardless of the setting', async () => {
  const station = await start({ host: '127.0.0.1', turboPort: 0 });
  await change(station, { listen: 'network' });
  expect(await call(station, '127.0.0.2')).toBeUndefined();
});

/** Occupies this port at an address that the machine has on the network. */
async function occupy(port: number): Promise<{ port: number; end(): Promise<unknown> }> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.2', resolve));
  const end = () => new Promise((resolve) => other.close(resolve));
  onTestFinished(() => void end());
  return { port: (other.address() as AddressInfo).port, end };
}

test('if the port is in use on the network, this is reported; local turbos can connect, and others once the port is free', async () => {
  const station = await start();
  const other = await occupy(portOf(station));
  const asked = await change(station, { listen: 'network' });
  expect(codes(asked)).toEqual(['turbos_not_opened', 'unencrypted']);
  expect(asked.warnings[0]?.message).toContain(`Turbos cannot connect by TCP on port ${other.port}`);
  expect(await call(station, '127.0.0.1')).toBeDefined();
  expect(codes(await change(station, { listen: 'this_machine' }))).toEqual([]);
  await change(station, { listen: 'network' });
  await other.end();
  expect(codes(await change(station, { default_seconds: 7 }))).toEqual(['unencrypted']);
  expect(await call(station, '127.0.0.2')).toBeDefined();
});

test('a station starts even if its turbo port is in use on the network: local turbos can connect, and a warning explains the problem', async () => {
  const before = await start();
  await change(before, { listen: 'network' });
  await before.halt();
  const { port } = await occupy(0);
  const station = await start({ host: undefined, dataFolder: before.dataFolder, turboPort: port });
  const { exposure } = await station.get<SettingsAnswer>('/api/settings/');
  expect(codes(exposure)).toEqual(['turbos_not_opened', 'unencrypted']);
  expect(await call(station, '127.0.0.1')).toBeDefined();
});

test('a turbo that connects after the certificate is renewed gets the new certificate', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-turbo-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const write = (made: { cert: string; key: string }): void => {
    writeFileSync(tls.cert, made.cert);
    writeFileSync(tls.key, made.key);
  };
  write(selfSigned('station'));
  const station = await start({ tls, turboPort: 0 });
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({ host: '127.0.0.1', port: portOf(station), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.destroy();
      });
      socket.once('error', reject);
    });
  expect(await shown()).toBe(station.started.fingerprint());
  write(selfSigned('station'));
  const before = await shown();
  await station.clock.advance(3_600_000);
  await expect.poll(() => station.started.fingerprint()).not.toBe(before);
  expect(await shown()).toBe(station.started.fingerprint());
});
