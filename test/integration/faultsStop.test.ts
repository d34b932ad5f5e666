import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { openStream } from '../helpers/eventStream.ts';
import { rawConnection } from '../helpers/rawHttp.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { spawnStation, type SpawnedStation } from '../helpers/spawnStation.ts';
import { API_KEY, startTestStation } from '../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const HEADERS = { 'api-key': API_KEY, 'content-type': 'application/json' };

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

async function call(url: string, method: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(new URL(path, url), { method, headers: HEADERS, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

test('SIGTERM ends it with 0 whatever is open, and what was owed stays owed', async () => {
  receiver.reply('hang');
  spawned = spawnStation(['--port', '0', '--simulate', '1', '--data', folder], { PICKSTATION_API_KEY: API_KEY });
  const url = (await spawned.ready()) ?? '';
  await call(url, 'PATCH', '/api/settings/', { callback_url: receiver.url });
  await call(url, 'PATCH', `/api/simulator/devices/${DEVICE}/`, { refresh_ms: 0 });
  const stream = await openStream(url);
  await stream.until(() => stream.text().includes('"displayed":{'));
  await call(url, 'POST', `/api/simulator/devices/${DEVICE}/press/`, { button: 'front', hold: 'long' });
  await receiver.received(1);
  const unfinished = await rawConnection(url);
  unfinished.write('POST /api/devices/ HTTP/1.1\r\nHost: ');
  await call(url, 'POST', `/api/device/${DEVICE}/`, { statica: 'the last' });

  spawned.process.kill('SIGTERM');
  // Whatever held it back for five seconds would be cut off with 1.
  expect(await spawned.exit()).toMatchObject({ code: 0, signal: null, stderr: '' });
  await stream.ended();
  expect(stream.text()).toContain('the last');

  receiver.reply(200);
  const next = await startTestStation({ dataFolder: folder, clock: createFakeClock(Date.now()) });
  try {
    await receiver.received(2);
    await next.clock.advance(0);
    expect(await next.get<Delivery[]>('/api/callbacks/')).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    const [first, second] = receiver.requests;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(await next.device(DEVICE)).toMatchObject({ statica: 'the last' });
  } finally {
    await next.stop();
  }
});

test('SIGINT ends it as well', async () => {
  spawned = spawnStation(['--port', '0', '--data', folder]);
  await spawned.ready();
  spawned.process.kill('SIGINT');
  expect(await spawned.exit()).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('a signal in the middle of the start ends it with 0 too, and the folder is fine', async () => {
  spawned = spawnStation(['--port', '0', '--simulate', '100', '--data', folder]);
  while (!existsSync(join(folder, 'pickstation.sqlite'))) await new Promise((resolve) => setImmediate(resolve));
  spawned.process.kill('SIGTERM');
  expect(await spawned.exit()).toMatchObject({ code: 0, signal: null, stderr: '' });
  const next = await startTestStation({ dataFolder: folder });
  expect(await next.get('/api/device/')).toBeInstanceOf(Array);
  await next.stop();
});
