import { rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { startBroker } from '../helpers/servers/broker.ts';
import { watchStation, type SpawnedStation } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk } from './stationProcess.ts';
import { until } from './until.ts';

/** Module that prints the path of each MQTT module that is loaded. */
const WATCH = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (/\\/mqtt|domain\\/describeBroker/.test(url)) process.stderr.write('LOADED ' + url.split('/').slice(-2).join('/') + '\\n');
  return next(url, context);
} });`;

const dataFolder = folderOnDisk('unloaded');
let station: SpawnedStation | undefined;

afterEach(() => {
  station?.process.kill('SIGKILL');
  rmSync(dataFolder, { recursive: true, force: true });
});

test('loads MQTT modules only with a broker, and fleet modules only when the fleet is on', async () => {
  await using stack = new AsyncDisposableStack();
  const broker = await startBroker();
  stack.defer(() => broker.stop());
  station = watchStation(
    [
      process.execPath,
      '--import',
      `data:text/javascript,${encodeURIComponent(WATCH)}`,
      'electron/headless/main.ts',
      '--port',
      '0',
      '--data',
      dataFolder,
    ],
    { ...process.env, PICKSTATION_API_KEY: API_KEY },
  );
  const url = (await station.ready()) ?? '';
  const loaded = (): string[] =>
    [...(station?.stderr() ?? '').matchAll(/^LOADED (.*)$/gm)].map(([, file = '']) => file);
  const call = (method: string, path: string, body?: object) =>
    fetch(new URL(path, url), {
      method,
      headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  expect(await (await call('GET', '/api/mqtt/')).json()).toMatchObject({ state: 'off' });
  // The modules that answer while MQTT is off and load the rest.
  expect(loaded().toSorted()).toEqual(['api/mqtt.ts', 'endpoints/mqtt.ts', 'mqtt/switch.ts', 'repositories/mqtt.ts']);
  await call('PATCH', '/api/settings/', { mqtt_url: broker.url });
  await until(
    'the connection',
    async () => ((await (await call('GET', '/api/mqtt/')).json()) as { state: string }).state === 'connected',
  );
  expect(loaded()).toEqual(expect.arrayContaining(['mqtt/bridge.ts', 'network/mqttClient.ts', 'build/index.js']));
  expect(loaded().filter((file) => /mqtt\/fleet/.test(file))).toEqual([]);
  await call('PATCH', '/api/settings/', { fleet: true });
  await until(
    'the watch',
    async () => ((await (await call('GET', '/api/fleet/')).json()) as { state: string }).state === 'connected',
  );
  expect(loaded()).toEqual(expect.arrayContaining(['mqtt/fleetWatch.ts', 'mqtt/fleetPicture.ts']));
});
