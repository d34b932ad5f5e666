import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { WaitingDevice } from '#shared/api/device.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { MAX_AN_HOUR } from '../../../electron/server/services/devices/registrations.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;
let sockets: Socket[] = [];

beforeEach(async () => {
  station = await startTestStation({ turboPort: 0 });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  sockets = [];
  await station.stop();
});

const nameOf = (device: number) => `AAAAAA:${String(device).padStart(6, '0')}`;
const known = async (device: number) => (await station.request('GET', `/api/device/${nameOf(device)}/`)).status === 200;
const count = () => station.rows<{ n: number }>('SELECT count(*) AS n FROM devices')[0]?.n ?? 0;
const waiting = async () =>
  (await station.get<WaitingDevice[]>('/api/devices/waiting/')).map(({ deviceid }) => deviceid);

/** Polls on each turn of the event loop, because sockets do not use the fake clock. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** Connects a turbo that sends what the test specifies, as fast as possible. */
async function turboWith(scope: 'turbo' | 'admin', serialNumber: string, secret?: string) {
  const key =
    secret ??
    (await station.post<{ api_key: string }>('/api/api-users/', { name: `key of ${serialNumber}`, scope })).api_key;
  const socket = connect(station.started.turboPort() ?? 0, '127.0.0.1');
  sockets.push(socket);
  let seq = 0;
  const say = (request: RequestMessage) => socket.write(encodeFrame(createFrameWriter(), request, (seq += 1), false));
  const welcomed = once(socket, 'data');
  say({ name: 'hello', body: { ...EXAMPLES.hello, serialNumber, username: '', secret: key } });
  await welcomed;
  socket.resume();
  return {
    key,
    report(device: number, change: { batteryMv?: number } = {}) {
      say({ name: 'deviceStatus', body: { ...EXAMPLES.deviceStatus, device: nameOf(device), ...change } });
    },
    press(device: number) {
      const body = { ...EXAMPLES.button, device: nameOf(device), token: 0, button: 'plus', hold: 'short' } as const;
      say({ name: 'button', body: { ...body, quantity: undefined } });
    },
  };
}

test('the turbos with one key can register a limited number of new devices per hour, and further devices wait', async () => {
  const turbo = await turboWith('turbo', 'NET-1');
  for (let device = 1; device <= MAX_AN_HOUR; device += 1) {
    turbo.report(device);
    // A device that reports again before its registration is on disk still counts once.
    turbo.report(device, { batteryMv: 2_900 });
  }
  await until(() => count() === MAX_AN_HOUR);
  expect(await waiting()).toEqual([]);
  const over = MAX_AN_HOUR + 1;
  turbo.report(over);
  await until(async () => (await waiting()).length > 0);
  expect(await waiting()).toEqual([nameOf(over)]);
  // Neither a press nor another turbo with the same key registers more devices; registered devices still work.
  turbo.press(over + 1);
  const second = await turboWith('turbo', 'NET-2', turbo.key);
  second.report(over + 2);
  second.report(1, { batteryMv: 2_500 });
  await until(async () => (await waiting()).length === 2);
  expect([await known(over), await known(over + 1), await known(over + 2)]).toEqual([false, false, false]);
  expect(count()).toBe(MAX_AN_HOUR);

  expect(await station.get<Alert[]>('/api/alerts/')).toMatchObject([
    { kind: 'many_new_devices', about: 'key of NET-1', problem: expect.stringMatching(/1,000 new devices/) as string },
  ]);

  // A dismissed alert is not raised again within the hour.
  const [alert] = await station.get<Alert[]>('/api/alerts/');
  await station.post(`/api/alerts/${alert?.id}/end/`, {});
  turbo.report(over + 4);
  await until(async () => (await waiting()).length === 3);
  await station.clock.advance(1_000);
  expect(await station.get('/api/alerts/')).toEqual([]);

  // Readmitting one device accepts only that device; sending the setting again does not accept others either.
  const refused = nameOf(over + 5);
  await station.post('/api/devices/refused/', { deviceid: refused });
  turbo.report(over + 5);
  expect((await station.request('DELETE', `/api/devices/refused/${refused}/`)).status).toBe(204);
  await station.patch('/api/settings/', { accept_devices: 'all' });
  expect(await waiting()).toEqual(expect.arrayContaining([nameOf(over), nameOf(over + 2), nameOf(over + 4)]));

  // A device that was removed can register again without counting a second time.
  expect((await station.request('DELETE', `/api/device/${nameOf(1)}/`)).status).toBe(204);
  turbo.report(1, { batteryMv: 2_600 });
  await until(() => known(1));

  // A different key has a separate limit, and an admin can accept waiting devices.
  const other = await turboWith('turbo', 'NET-3');
  other.report(over + 3);
  await until(() => known(over + 3));
  await station.post('/api/device/', { deviceid: nameOf(over), buttons: 1 });
  expect([await known(over), await waiting()]).toEqual([true, [nameOf(over + 2), nameOf(over + 4)]]);
});

test('after an hour, the key can register devices again', async () => {
  const turbo = await turboWith('turbo', 'NET-1');
  for (let device = 1; device <= MAX_AN_HOUR; device += 1) turbo.report(device);
  turbo.report(MAX_AN_HOUR + 1);
  await until(async () => (await waiting()).length === 1);
  for (const socket of sockets.splice(0)) socket.destroy();
  await station.clock.advance(3_600_000 - 1_000);
  const early = await turboWith('turbo', 'NET-1', turbo.key);
  early.report(MAX_AN_HOUR + 2);
  await until(async () => (await waiting()).length === 2);
  await station.clock.advance(1_000);
  early.report(MAX_AN_HOUR + 3);
  await until(() => known(MAX_AN_HOUR + 3));
});

test('a key with the scope admin has no such limit', async () => {
  const turbo = await turboWith('admin', 'NET-1');
  for (let device = 1; device <= MAX_AN_HOUR + 1; device += 1) turbo.report(device);
  await until(() => count() === MAX_AN_HOUR + 1);
});
