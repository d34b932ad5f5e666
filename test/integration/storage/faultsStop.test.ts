import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { spawnStation, type SpawnedStation } from '../../helpers/spawnStation.ts';
import { API_KEY, startTestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const HOUR_MS = 3_600_000;

let folder: string;
let receiver: Receiver;
let spawned: SpawnedStation | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-stop-'));
  receiver = await startReceiver();
});

afterEach(async () => {
  spawned?.process.kill('SIGKILL');
  await spawned?.exit();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('exits with 0 on SIGTERM with open connections, and keeps undelivered callbacks', async () => {
  // An earlier station with the same folder leaves a callback that has been pending for an hour.
  receiver.reply(500);
  const before = await startTestStation({
    dataFolder: folder,
    simulate: 1,
    clock: createFakeClock(Date.now() - HOUR_MS),
  });
  await before.patch('/api/settings/', { callback_url: receiver.url });
  await before.clock.advance(5_000);
  await before.press(DEVICE, 'front', 'long');
  await before.stop();
  expect(receiver.requests).toHaveLength(1);

  receiver.reply('hang');
  spawned = spawnStation(['--port', '0', '--data', folder]);
  const url = (await spawned.ready()) ?? '';
  await receiver.received(2);
  const stream = await openStream(url);
  const answer = await fetch(new URL(`/api/device/${DEVICE}/`, url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ statica: 'the last' }),
  });
  expect(answer.status).toBe(200);

  spawned.process.kill('SIGTERM');
  // If the stop took longer than five seconds, the exit would be forced, with code 1.
  expect(await spawned.exit()).toMatchObject({ code: 0, signal: null, stderr: '' });
  await stream.ended();
  expect(stream.text()).toContain('the last');

  receiver.reply(200);
  const after = await startTestStation({ dataFolder: folder, clock: createFakeClock(Date.now()) });
  try {
    await receiver.received(3);
    await after.clock.advance(0);
    expect(await after.get<Delivery[]>('/api/callbacks/')).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(await after.device(DEVICE)).toMatchObject({ statica: 'the last' });
  } finally {
    await after.stop();
  }
});

test('exits with 0 on SIGINT during startup, and leaves a usable folder', async () => {
  spawned = spawnStation(['--port', '0', '--simulate', '100', '--data', folder]);
  while (!existsSync(join(folder, 'pickstation.sqlite'))) await new Promise((resolve) => setImmediate(resolve));
  spawned.process.kill('SIGINT');
  expect(await spawned.exit()).toMatchObject({ code: 0, signal: null, stderr: '' });
  const next = await startTestStation({ dataFolder: folder });
  expect(await next.get('/api/device/')).toBeInstanceOf(Array);
  await next.stop();
});
