import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, Server, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Exposure } from '#shared/api/exposure.ts';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import { closeServer, listen } from '../../../electron/server/http/port/server.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { tlsRequest } from '../../helpers/servers/tlsRequest.ts';
import {
  API_KEY,
  startTestStation,
  type TestStation,
  type TestStationOptions,
} from '../../helpers/startTestStation.ts';

const KEY = { 'api-key': API_KEY };

async function start(options: TestStationOptions = { host: undefined }): Promise<TestStation> {
  const station = await startTestStation(options);
  onTestFinished(() => station.stop());
  return station;
}

async function change(station: TestStation, settings: SettingsChange): Promise<Exposure> {
  return (await station.patch<SettingsAnswer>('/api/settings/', settings)).exposure;
}

/** Sends a request to an address that the station does not serve while it is limited to this machine. */
function elsewhere(station: TestStation): Promise<number | string> {
  const url = station.url.replace('127.0.0.1', '127.0.0.2');
  return rawRequest(url, { path: '/api/device/', headers: KEY }).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

const codes = ({ warnings }: Exposure) => warnings.map(({ code }) => code);

test('a station listens only on this machine until an admin opens it, which takes effect immediately on the same port', async () => {
  const station = await start();
  expect((await station.get<SettingsAnswer>('/api/settings/')).exposure).toMatchObject({
    listens: 'this_machine',
    host_argument: '',
    addresses: [station.url],
    warnings: [],
  });
  expect(await elsewhere(station)).toBe('ECONNREFUSED');
  const opened = await change(station, { listen: 'network' });
  expect(opened).toMatchObject({ listens: 'network', next_start: [] });
  expect(opened.addresses[0]).toBe(station.url);
  expect(codes(opened)).toEqual(['unencrypted']);
  expect(await elsewhere(station)).toBe(200);
  expect((await station.request('GET', '/api/device/')).status).toBe(200);
  const closed = await change(station, { listen: 'this_machine' });
  expect(closed).toMatchObject({ listens: 'this_machine', warnings: [] });
  expect(await elsewhere(station)).toBe('ECONNREFUSED');
});

test('a caller with the scope control cannot open the station to the network', async () => {
  const station = await start();
  const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'erp', scope: 'control' });
  const body = { listen: 'network' };
  const headers = { 'api-key': api_key, 'content-type': 'application/json' };
  expect(await station.request('PATCH', '/api/settings/', body, headers)).toMatchObject({ status: 403 });
  expect(await elsewhere(station)).toBe('ECONNREFUSED');
});

test('an open station stays open after a restart', async () => {
  const station = await start();
  await change(station, { listen: 'network' });
  await station.restart();
  expect(station.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(await elsewhere(station)).toBe(200);
  expect(station.logged).toMatchObject([{ level: 'warn', fields: { code: 'unencrypted' } }]);
});

test('opening the station keeps its connections, and closing it ends connections from the network', async () => {
  const station = await start();
  const here = await stream(station, '127.0.0.1');
  await change(station, { listen: 'network' });
  const there = await stream(station, '127.0.0.2');
  expect([here.closed, there.closed]).toEqual([false, false]);
  await change(station, { listen: 'this_machine' });
  await there.ended;
  expect((await station.request('GET', '/api/device/')).status).toBe(200);
});

/** Opens the event stream at this host. */
async function stream(station: TestStation, host: string): Promise<{ ended: Promise<void>; readonly closed: boolean }> {
  const { port } = new URL(station.url);
  const socket: Socket = connect({ host, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.write(`GET /api/events/ HTTP/1.1\r\nHost: ${host}:${port}\r\nAPI-KEY: ${API_KEY}\r\n\r\n`);
  });
  return {
    ended,
    get closed() {
      return socket.closed;
    },
  };
}

test('opening and encrypting in one change waits for the next start, so that everything is encrypted', async () => {
  const station = await start();
  const asked = await change(station, { listen: 'network', tls: 'generated' });
  expect(asked).toMatchObject({ listens: 'this_machine', next_start: ['listen', 'tls'], warnings: [] });
  expect(await elsewhere(station)).toBe('ECONNREFUSED');
  await station.restart();
  expect(station.url).toMatch(/^https:/);
  const url = station.url.replace('127.0.0.1', '127.0.0.2');
  expect(await tlsRequest(url, '/api/device/', { headers: KEY })).toMatchObject({ status: 200, body: [] });
  expect(await elsewhere(station)).not.toBe(200);
});

const SHORT = 'fifteen-letters';

test('an API key from the environment with fewer than 16 characters causes a warning and prevents opening the station', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-short-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = { host: undefined, dataFolder: folder, adminPassword: 'long enough' };
  const long = await startTestStation({ ...options, apiKey: `${SHORT}x` });
  const ask = (station: TestStation, key: string, method: string, body?: SettingsChange) =>
    station.request(method, '/api/settings/', body, { 'api-key': key, 'content-type': 'application/json' });
  expect(await ask(long, `${SHORT}x`, 'PATCH', { listen: 'network' })).toMatchObject({
    status: 200,
    body: { exposure: { listens: 'network' } },
  });
  await long.stop();
  // After a restart with a short key, the setting is still network, but the station listens only on this machine, where the setting can be
  // changed.
  const short = await startTestStation({ ...options, apiKey: SHORT });
  onTestFinished(() => short.stop());
  const { exposure } = (await ask(short, SHORT, 'GET')).body as SettingsAnswer;
  expect([exposure.listens, codes(exposure)]).toEqual(['this_machine', ['not_opened']]);
  expect(exposure.warnings[0]?.message).toContain('PICKSTATION_API_KEY is shorter than 16 characters');
  expect(await ask(short, SHORT, 'PATCH', { default_seconds: 30 })).toMatchObject({
    status: 200,
    body: { exposure: { listens: 'this_machine' } },
  });
  for (const change of [{ listen: 'network' }, { listen: 'network', tls: 'generated' }] as const) {
    const answer = await ask(short, SHORT, 'PATCH', change);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/listen' }] } });
  }
  const closed = (await ask(short, SHORT, 'PATCH', { listen: 'this_machine' })).body as SettingsAnswer;
  expect([closed.exposure.listens, codes(closed.exposure)]).toEqual(['this_machine', ['short_key']]);
});

test('a station does not start on the network with a short key, and says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-short-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = { dataFolder: folder, adminPassword: 'long enough', apiKey: SHORT };
  for (const host of ['0.0.0.0', '::', '127.0.0.1.example']) {
    await expect(startTestStation({ ...options, host }), host).rejects.toThrow('shorter than 16 characters');
  }
});

test('the host argument overrides the setting, and the answer for the settings reports it', async () => {
  const station = await start({ host: '127.0.0.1' });
  const asked = await change(station, { listen: 'network' });
  expect(asked).toMatchObject({ listens: 'this_machine', host_argument: '127.0.0.1', next_start: [] });
  expect(await elsewhere(station)).toBe('ECONNREFUSED');
  const open = await start({ host: '0.0.0.0' });
  const { exposure } = await open.get<SettingsAnswer>('/api/settings/');
  expect(exposure).toMatchObject({ listens: 'network', host_argument: '0.0.0.0' });
  expect(codes(exposure)).toEqual(['unencrypted']);
});

test('if the port is taken on another address of the machine, the station reports it and keeps listening locally', async () => {
  const station = await start();
  const { port } = new URL(station.url);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.2', resolve));
  onTestFinished(() => void other.close());
  const asked = await change(station, { listen: 'network' });
  expect(asked).toMatchObject({ listens: 'this_machine', next_start: [] });
  expect(codes(asked)).toEqual(['not_opened']);
  expect(asked.warnings[0]?.message).toContain(`Port ${port} is taken`);
  expect((await station.request('GET', '/api/device/')).status).toBe(200);
});

test('a station starts even if its port is in use on the network, and can be opened once the port is free', async () => {
  const before = await start();
  await change(before, { listen: 'network' });
  await before.halt();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.2', resolve));
  const { port } = other.address() as AddressInfo;
  const station = await start({ host: undefined, dataFolder: before.dataFolder, port });
  const { exposure } = await station.get<SettingsAnswer>('/api/settings/');
  expect(exposure).toMatchObject({ listens: 'this_machine', addresses: [station.url], next_start: [] });
  expect(codes(exposure)).toEqual(['not_opened']);
  expect(station.logged).toMatchObject([{ fields: { code: 'not_opened' } }]);
  await new Promise((resolve) => other.close(resolve));
  expect(codes(await change(station, { listen: 'network' }))).toEqual(['unencrypted']);
  expect(await elsewhere(station)).toBe(200);
});

test('basic authentication causes a warning while the station is open to the network', async () => {
  const station = await start();
  expect(codes(await change(station, { basic_auth: true }))).toEqual([]);
  expect(codes(await change(station, { listen: 'network' }))).toEqual(['unencrypted', 'basic_auth']);
});

test('without IPv6 the station listens on IPv4, and any other error is reported', async () => {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  /** Makes the first attempt to listen fail with this code, and returns the host on which the station listens in the end. */
  async function listenAfter(code: string): Promise<string> {
    const refused = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
      this.emit('error', Object.assign(new Error(code), { code }));
      return this;
    });
    onTestFinished(() => refused.mockRestore());
    const listening = await listen(() => undefined, { host: '::', port: 0, key: undefined }, log);
    const { address } = listening.server.address() as AddressInfo;
    await closeServer(listening);
    return address;
  }
  expect(await listenAfter('EAFNOSUPPORT')).toBe('0.0.0.0');
  expect(await listenAfter('EADDRNOTAVAIL')).toBe('0.0.0.0');
  await expect(listenAfter('EADDRINUSE')).rejects.toThrow('Port 0 is taken by another program.');
});
