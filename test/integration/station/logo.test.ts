import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { halves, seen } from '../../helpers/files/pictures.ts';
import { openSession } from '../../helpers/session.ts';
import { type Answer, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: the logo on packing slips.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});
afterEach(() => station.stop());

const PASSWORD = 'correct horse battery';
const LOGO = '/api/settings/logo/';

const send = (bytes: Buffer | string): Promise<Answer> =>
  station.request('PUT', LOGO, bytes, { 'api-key': API_KEY, 'content-type': 'application/octet-stream' });
const addressOf = async (): Promise<string | null> => (await station.get<Station>('/api/station/')).shop_logo;

test('the logo is stored as a WebP of at most 640 pixels, and its address changes with it', async () => {
  expect(await addressOf()).toBeNull();
  const first = await send(halves('png', 2_000, 1_000));
  expect(first).toMatchObject({
    status: 200,
    body: { shop_logo: expect.stringMatching(/^\/api\/settings\/logo\/\?v=[0-9a-f]{12}$/) as string },
  });
  const { shop_logo: address } = first.body as { shop_logo: string };
  expect(await addressOf()).toBe(address);
  const { status, headers, body } = await station.request('GET', address, undefined, { 'api-key': API_KEY });
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'image/webp',
    'private, max-age=31536000, immutable',
  ]);
  expect(await seen(body as Uint8Array)).toEqual({ width: 640, height: 320, corners: 'red blue' });
  await send(halves('png', 30, 20));
  expect(await addressOf()).not.toBe(address);
});

test('a restart keeps the logo, and removing it is a change that pages follow', async () => {
  await send(halves('png', 30, 20));
  await station.restart();
  expect(await addressOf()).toMatch(/v=/);
  const { revision } = await station.get<Station>('/api/station/');
  expect((await station.request('DELETE', LOGO, undefined, { 'api-key': API_KEY })).status).toBe(204);
  const after = await station.get<Station>('/api/station/');
  expect(after.revision).toBeGreaterThan(revision);
  expect(after.shop_logo).toBeNull();
  expect((await station.request('DELETE', LOGO, undefined, { 'api-key': API_KEY })).status).toBe(404);
  expect((await station.request('GET', LOGO, undefined, { 'api-key': API_KEY })).status).toBe(404);
});

test('a file that is not a picture is refused with the reason, and the logo stays', async () => {
  await send(halves('png', 30, 20));
  const before = await addressOf();
  expect(await send('<svg/>')).toMatchObject({
    status: 415,
    body: { detail: expect.stringMatching(/Save it as/) as string },
  });
  expect(await addressOf()).toBe(before);
});

test('people who pick see the logo, and only admins change it', async () => {
  await send(halves('png', 30, 20));
  await station.post('/api/users/', { username: 'Anna', password: PASSWORD, role: 'picker' });
  const { apikey } = await openSession(station, { username: 'Anna', password: PASSWORD });
  const statuses = [];
  for (const method of ['GET', 'PUT', 'DELETE'])
    statuses.push((await station.request(method, LOGO, undefined, { 'api-key': apikey })).status);
  expect(statuses).toEqual([200, 403, 403]);
});
