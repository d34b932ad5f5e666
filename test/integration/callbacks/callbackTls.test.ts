import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;
let stop: () => Promise<void>;
let url: string;
let cert: string;
let told: number;
/** The status and location with which the receiver redirects, or undefined if it does not redirect. */
let moved: { status: number; location: string } | undefined;

beforeEach(async () => {
  const receiver = selfSigned('receiver');
  ({ cert } = receiver);
  told = 0;
  moved = undefined;
  const server = createServer({ key: receiver.key, cert }, (req, res) => {
    req.resume();
    req.on('end', () => {
      told += 1;
      if (moved === undefined) res.end();
      else res.writeHead(moved.status, { location: moved.location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await stop();
});

/** Presses the idle device with these settings and returns the resulting delivery. */
async function call(settings: object): Promise<Delivery | undefined> {
  await station.patch('/api/settings/', { callback_url: url, ...settings });
  await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(0);
  const [newest] = await station.get<Delivery[]>('/api/callbacks/');
  return newest;
}

test('sends nothing to a receiver with an untrusted certificate', async () => {
  const failed = await call({});
  expect(failed).toMatchObject({
    state: 'pending',
    last_status: null,
    last_error: expect.stringMatching(/certificate/i) as string,
  });
  expect(told).toBe(0);
});

test('sends to a receiver whose certificate authority is in the settings', async () => {
  expect(await call({ callback_ca: cert })).toMatchObject({ state: 'delivered' });
  expect(told).toBe(1);
});

test.for([301, 302, 303, 307, 308])(
  'does not follow a %s redirect over HTTPS, not even to the same receiver',
  async (status) => {
    for (const location of ['/elsewhere/', url, url.replace('https', 'http')]) {
      moved = { status, location };
      told = 0;
      const failed = await call({ callback_ca: cert, callback_api_key: 'secret' });
      expect(failed).toMatchObject({ state: 'pending', last_status: status });
      expect(told).toBe(1);
    }
  },
);

test('does not trust a receiver because of a different certificate in the settings', async () => {
  expect(await call({ callback_ca: selfSigned('receiver').cert })).toMatchObject({ state: 'pending' });
  expect(told).toBe(0);
});

test('with verification off, sends to any receiver until verification is on again', async () => {
  expect(await call({ callback_verify: false })).toMatchObject({ state: 'delivered' });
  // A connection opened under other certificate settings is not reused.
  expect(await call({ callback_verify: true })).toMatchObject({ state: 'pending' });
  expect(told).toBe(1);
});

test('an invalid CA certificate fails the delivery, and the callback is sent once the certificate is corrected', async () => {
  const failed = await call({ callback_ca: '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n' });
  expect(failed).toMatchObject({ state: 'pending', attempts: 1, last_error: expect.any(String) as string });
  await station.patch('/api/settings/', { callback_ca: cert });
  await station.clock.advance(10_000);
  expect(told).toBe(1);
});
