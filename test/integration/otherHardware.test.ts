import { expect, onTestFinished, test } from 'vitest';
import type { Turbo } from '#shared/api/turbo.ts';
import { startAccessPoint, type AccessPoint } from '../helpers/accessPoint.ts';
import { AccessPointLink } from '../helpers/accessPointLink.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const TAG = 'A0B1C2:000001';
const OTHER = 'A0B1C2:000002';

async function start(): Promise<{ station: TestStation; accessPoint: AccessPoint }> {
  const accessPoint = await startAccessPoint([TAG, OTHER]);
  const station = await startTestStation({
    joinTurbos: (join, clock) => join((host) => new AccessPointLink(accessPoint.url, clock, host)),
  });
  onTestFinished(async () => {
    await station.stop();
    await accessPoint.stop();
  });
  await until(async () => (await station.get<string[]>('/api/device/')).length === 2);
  return { station, accessPoint };
}

/** Its sockets are the machine's, so what comes over them takes turns of the real event loop. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}

const ink = (image: Buffer | undefined) => image?.subarray(11).reduce((sum, byte) => sum + byte, 0) ?? 0;

test('an access point with pictures and events is a turbo like any other, and a press travels the whole way', async () => {
  const { station, accessPoint } = await start();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(1_000);
  expect(await station.get<Turbo>('/api/turbo/AP-1/')).toMatchObject({
    name: 'Access point',
    status: 'online',
    transport: 'network',
    port: accessPoint.url,
    device_count: 2,
  });

  await station.post(`/api/device/${TAG}/`, { statica: 'M8 nut' });
  const tag = () => accessPoint.tags.get(TAG);
  await until(() => ink(tag()?.image) > 0);
  expect(tag()).toMatchObject({ led: 'off', job: 0 });

  await station.post(`/api/device/${TAG}/`, { command: 'pick', line1: 'take 3', quantity: 3, color: 'b', nonce: 'p1' });
  await until(async () => (await station.device(TAG)).commands[0]?.state === 'shown');
  expect(tag()).toMatchObject({ led: 'steady #0000ff' });
  const lit = tag()?.image;

  accessPoint.press(TAG);
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: TAG, location: '', nonce: 'p1', qty: 3 }]);
  await until(() => tag()?.led === 'off');
  expect(tag()?.image).not.toEqual(lit);
  expect(accessPoint.tags.get(OTHER)?.led).toBe('off');
});

test('a press while the socket is away counts when it is back, and once', async () => {
  const { station, accessPoint } = await start();
  await station.post(`/api/device/${TAG}/`, { command: 'pick', line1: 'x', seconds: 0 });
  await until(async () => (await station.device(TAG)).commands[0]?.state === 'shown');
  await until(() => accessPoint.unconfirmed() === 0);
  accessPoint.cut();
  accessPoint.press(TAG);
  expect(accessPoint.unconfirmed()).toBe(1);
  await until(async () => {
    await station.clock.advance(1_000);
    return accessPoint.unconfirmed() === 0;
  });
  await until(async () => (await station.device(TAG)).commands.length === 0);
  const presses = station.rows("SELECT * FROM history WHERE kind = 'acknowledged'");
  expect(presses).toHaveLength(1);
});
