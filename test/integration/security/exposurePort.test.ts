import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { freePort } from '../../helpers/servers/freePort.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';

async function start(options: TestStationOptions = {}): Promise<TestStation> {
  const station = await startTestStation(options);
  onTestFinished(() => station.stop());
  return station;
}

/** Opens a server on a port that stays in use until `free` is called or the test ends. */
async function takenPort(): Promise<{ port: number; free(): Promise<void> }> {
  const port = await freePort();
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const free = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  onTestFinished(free);
  return { port, free };
}

const portOf = ({ url }: TestStation) => Number(new URL(url).port);
const exposureOf = async (station: TestStation) => (await station.get<SettingsAnswer>('/api/settings/')).exposure;

test('a changed port takes effect at the next start', async () => {
  const port = await freePort();
  const options: TestStationOptions = { port: await freePort() };
  const station = await start(options);
  const { exposure } = await station.patch<SettingsAnswer>('/api/settings/', { port });
  expect(exposure).toMatchObject({ port_argument: options.port, next_start: [] });
  options.port = undefined;
  await station.restart();
  expect(portOf(station)).toBe(port);
  expect(await exposureOf(station)).toMatchObject({ port_argument: null, next_start: [] });

  const next = await freePort();
  const changed = await station.patch<SettingsAnswer>('/api/settings/', { port: next });
  expect(changed).toMatchObject({ port: next, exposure: { next_start: ['port'] } });
  expect(changed.exposure.addresses).toEqual([station.url]);
  await station.restart();
  expect(portOf(station)).toBe(next);
});

test('an argument overrides the port in the settings', async () => {
  const station = await start();
  await station.patch('/api/settings/', { port: await freePort() });
  expect(await exposureOf(station)).toMatchObject({ port_argument: 0, next_start: [] });
});

test.each([
  [0, /^The smallest value is 1\.$/],
  [65_536, /^The largest value is 65535\.$/],
  [4680.5, /whole number/],
  ['soon', /number/],
  [6000, /^Browsers refuse to open this port\. Choose another one\.$/],
  [10_080, /^Browsers refuse/],
])('refuses the port %s with a reason, and changes nothing', async (port, words) => {
  const station = await start();
  expect(await station.request('PATCH', '/api/settings/', { port, default_seconds: 7 })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/port', message: expect.stringMatching(words) as string }] },
  });
  expect(await station.get('/api/settings/')).toMatchObject({ port: null, default_seconds: 60 });
});

test('refuses a port that another program uses, and accepts the port once it is free', async () => {
  const station = await start();
  const { port, free } = await takenPort();
  expect(await station.request('PATCH', '/api/settings/', { port })).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          path: '/port',
          message: `Port ${port} is taken by another program. Stop that program, or choose another port.`,
        },
      ],
    },
  });
  await free();
  await station.patch('/api/settings/', { port });
  // The station's own port does not count as in use.
  await station.patch('/api/settings/', { port: portOf(station) });
  expect(await station.patch('/api/settings/', { port: null })).toMatchObject({ port: null });
});
