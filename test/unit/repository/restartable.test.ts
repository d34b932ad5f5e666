import { expect, test } from 'vitest';
import type { StationConfig } from '../../../electron/server/config.ts';
import { createRestartable } from '../../../electron/server/restartable.ts';
import type { Started } from '../../../electron/server/station.ts';

const CONFIG: StationConfig = {
  host: '127.0.0.1',
  port: 0,
  dataFolder: '/nowhere',
  restore: '/backup.sqlite',
  acceptLoss: true,
  simulate: 0,
  adminPassword: undefined,
  apiKey: undefined,
  firstRun: 'print',
};

test('a restart of the station does not repeat the restore or the accepted loss of the first start', async () => {
  const configs: StationConfig[] = [];
  const reopened = Promise.withResolvers<void>();
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    setTimer: () => ({ cancel: () => undefined }),
    onSleep: () => () => undefined,
  };
  // The test uses only the station's address.
  const started = { url: 'http://127.0.0.1:4711/', turboPort: () => undefined } as Started;
  let restart = (): void => undefined;
  const station = createRestartable(CONFIG, { clock, log }, (config, again) => {
    configs.push(config);
    restart = again;
    return {
      start() {
        if (configs.length > 1) reopened.resolve();
        return Promise.resolve(started);
      },
      stop: () => Promise.resolve(),
    };
  });
  await station.start();
  restart();
  await reopened.promise;
  await station.stop();
  expect(configs).toMatchObject([
    { port: 0, restore: '/backup.sqlite', acceptLoss: true },
    { portNow: 4711, restore: undefined, acceptLoss: false },
  ]);
});
