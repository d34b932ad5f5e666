import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const EXTENSION = 'chrome-extension://abcdefghijklmnop';
const PAGE = 'https://erp.shop.example';
const HOUR = 3_600_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

async function ask(headers: Record<string, string>): Promise<number> {
  const { status } = await rawRequest(station.url, {
    path: '/api/device/',
    headers: { 'api-key': API_KEY, ...headers },
  });
  await station.clock.advance(1_000);
  return status;
}

const open = () => station.get<Alert[]>('/api/alerts/?state=open');
const about = async () => (await open()).map((alert) => `${alert.kind} ${alert.about}`).toSorted();

async function act(how: 'allow' | 'never-allow'): Promise<Alert> {
  const [alert] = await open();
  return station.post<Alert>(`/api/alerts/${alert?.id}/${how}/`, {});
}

test('a refused browser extension raises one alert, regardless of the number of requests', async () => {
  for (let time = 0; time < 3; time += 1) expect(await ask({ origin: EXTENSION })).toBe(403);
  expect(await open()).toMatchObject([
    {
      kind: 'origin_refused',
      about: EXTENSION,
      problem: expect.stringMatching(
        /^A browser extension was refused \(chrome-extension:\/\/abcdefghijklmnop\)/,
      ) as string,
    },
  ]);
});

test('a caller with many requests does not hide another caller', async () => {
  for (let time = 0; time < 25; time += 1) await ask({ origin: EXTENSION });
  await ask({ origin: PAGE });
  expect(await about()).toEqual([`origin_refused ${EXTENSION}`, `origin_refused ${PAGE}`]);
});

test("'Allow' makes the station accept later requests from the extension, and resolves the alert", async () => {
  await ask({ origin: EXTENSION });
  expect(await act('allow')).toMatchObject({ about: EXTENSION, ended: expect.any(String) as string });
  expect(await open()).toEqual([]);
  expect(await station.get('/api/settings/')).toMatchObject({ cors_origins: [EXTENSION] });
  expect(await ask({ origin: EXTENSION })).toBe(200);
});

test("an unknown host name also raises an alert, and 'Allow' makes the station accept the name", async () => {
  expect(await ask({ host: 'pick.shop.example:8080' })).toBe(421);
  expect(await open()).toMatchObject([{ kind: 'host_refused', about: 'http://pick.shop.example:8080/' }]);
  await act('allow');
  expect(await station.get('/api/settings/')).toMatchObject({ public_urls: ['http://pick.shop.example:8080/'] });
  expect(await ask({ host: 'pick.shop.example:8080' })).toBe(200);
});

test("'Never' resolves the alert, and no new one is raised, even after a restart", async () => {
  await ask({ origin: PAGE });
  await act('never-allow');
  expect(await ask({ origin: PAGE })).toBe(403);
  await station.restart();
  expect(await ask({ origin: PAGE })).toBe(403);
  expect(await open()).toEqual([]);
  await station.patch('/api/settings/', { unwanted_callers: [] });
  await ask({ origin: PAGE });
  expect(await about()).toEqual([`origin_refused ${PAGE}`]);
});

test('callers with invented names raise at most five open alerts of each kind, and twenty alerts per hour', async () => {
  for (let name = 0; name < 12; name += 1) {
    await ask({ origin: `https://${name}.evil.example` });
    await ask({ host: `${name}.evil.example` });
  }
  expect((await open()).map(({ kind }) => kind).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => 'host_refused'),
    ...Array.from({ length: 5 }, () => 'origin_refused'),
  ]);
  for (let round = 0; round < 4; round += 1) {
    for (const { id } of await open()) await station.post(`/api/alerts/${id}/end/`, {});
    for (let name = 0; name < 9; name += 1) await ask({ origin: `https://${round}-${name}.evil.example` });
  }
  const ended = await station.get<Alert[]>('/api/alerts/?state=ended&limit=1000');
  expect(ended.length + (await open()).length).toBe(20);
  await station.clock.advance(HOUR);
  await ask({ origin: EXTENSION });
  expect(await about()).toContain(`origin_refused ${EXTENSION}`);
});

test('a caller that cannot be allowed raises no alert', async () => {
  await ask({ origin: 'null' });
  await ask({ origin: 'https://UPPER.example' });
  await ask({ host: '' });
  await ask({ host: '127.0.0.1:1, evil.example' });
  await ask({ host: `${'a'.repeat(3_000)}.example` });
  expect(await open()).toEqual([]);
});

test("refuses 'Allow' and 'Never' for a resolved or unknown alert", async () => {
  await ask({ origin: PAGE });
  const [alert] = await open();
  await act('never-allow');
  for (const how of ['allow', 'never-allow']) {
    expect(await station.request('POST', `/api/alerts/${alert?.id}/${how}/`, {})).toMatchObject({ status: 409 });
    expect(await station.request('POST', `/api/alerts/99/${how}/`, {})).toMatchObject({ status: 404 });
  }
  expect(await station.get('/api/settings/')).toMatchObject({ cors_origins: [], unwanted_callers: [PAGE] });
});

test("if the setting is full, 'Allow' changes nothing and explains what to do", async () => {
  const full = Array.from({ length: 100 }, (_, index) => `https://shop-${index}.example`);
  await station.patch('/api/settings/', { cors_origins: full });
  await ask({ origin: PAGE });
  const [alert] = await open();
  expect(await station.request('POST', `/api/alerts/${alert?.id}/allow/`, {})).toMatchObject({
    status: 409,
    body: { detail: 'cors_origins already has 100 entries. Remove one in the settings first.' },
  });
  expect(await about()).toEqual([`origin_refused ${PAGE}`]);
});
