import { describe, expect, test } from 'vitest';
import { openSession } from '../../helpers/session.ts';
import { API_KEY } from '../../helpers/startTestStation.ts';
import { BASE, DEVICE, KEY, useAddresses } from './queryStringRig.ts';

const shop = useAddresses();
const { open, lit, only, refused } = shop;

const FULL = `${BASE}/message/line1~line2/line3/300,a5,1,g5s,1/20rb/tx1/`;

describe('the DeviceID', () => {
  test('is accepted in any case, and with a percent-encoded colon', async () => {
    for (const id of ['51d000:000001', '51D000%3A000001', '51D000%3a000001']) await lit(`/api/${id}/message/x/`);
  });

  test('gets 404 if there is no such device', async () => {
    expect(await refused('/api/FFFFFF:FFFFFF/message/x/', 404)).toMatchObject({ code: 'not_found' });
    for (const id of ['51D0000:00001', 'G1D000:000001', '51D000-000001', '51D000:000001x', '.%2e']) {
      await refused(`/api/${id}/message/x/`, 404);
    }
  });

  test('is refused without a command, and does not hide other routes', async () => {
    await refused(BASE, 404);
    expect((await refused(`${BASE}/`, 400)).detail).toContain('{command}');
    expect((await open(`/api/device/${DEVICE}/`)).status).toBe(200);
    expect((await open(`/api/device/${DEVICE}`)).body).toMatchObject({ code: 'missing_trailing_slash' });
  });
});

describe('callers', () => {
  test('need a key or a session', async () => {
    await refused(FULL, 401, {});
    await refused(FULL, 401, { 'api-key': 'wrong' });
    await refused(FULL, 401, { cookie: 'sessionid=stale' });
  });

  test('cannot use a session from another site or for a prefetch', async () => {
    const { cookies } = await openSession(shop.station);
    for (const site of ['cross-site', 'same-site', 'anything']) {
      expect(await refused(FULL, 403, { ...cookies, 'sec-fetch-site': site }), site).toMatchObject({
        code: 'foreign_origin',
      });
    }
    for (const [header, value] of [
      ['sec-purpose', 'prefetch'],
      ['sec-purpose', 'prefetch;prerender'],
      ['purpose', 'prefetch'],
      ['x-purpose', 'preview'],
      ['x-moz', 'prefetch'],
    ] as const) {
      expect(await refused(FULL, 403, { ...cookies, 'sec-fetch-site': 'none', [header]: value }), value).toMatchObject({
        code: 'forbidden',
      });
    }
  });

  test('can use a session from a page of the station or a typed address', async () => {
    const { cookies } = await openSession(shop.station);
    for (const headers of [
      cookies,
      { ...cookies, 'sec-fetch-site': 'none' },
      { ...cookies, 'sec-fetch-site': 'same-origin' },
    ]) {
      expect((await open(FULL, headers)).status).toBe(200);
      expect(await only()).toMatchObject({ sender: 'admin' });
    }
  });

  test('without Sec-Fetch-Site, need a Referer of the station for a browser session, even after a restart', async () => {
    const { station } = shop;
    const origin = new URL(station.url).origin;
    const ways: Record<string, string>[] = [{ origin }, { 'sec-fetch-site': 'same-origin' }];
    const sessions = await Promise.all(ways.map((headers) => openSession(station, undefined, headers)));
    const program = await openSession(station, undefined, { 'sec-fetch-mode': 'cors' });
    for (const restart of [false, true]) {
      if (restart) await station.restart();
      const referer = `${new URL(station.url).origin}/`;
      for (const { cookies, sessionId } of sessions) {
        for (const other of ['', 'http://127.0.0.1:1/', 'http://localhost.evil.example/']) {
          const headers = other === '' ? cookies : { ...cookies, referer: other };
          expect(await refused(FULL, 403, headers), other).toMatchObject({ code: 'foreign_origin' });
        }
        await refused(FULL, 403, { ...cookies, referer, 'sec-fetch-site': 'same-site' });
        // The session id includes what opened the session, so adding `program-` invalidates it.
        await refused(FULL, 401, { cookie: `sessionid=program-${sessionId}` });
      }
      for (const headers of [
        ...sessions.flatMap(({ cookies }) => [
          { ...cookies, referer },
          { ...cookies, 'sec-fetch-site': 'none' },
        ]),
        program.cookies,
      ])
        expect((await open(FULL, headers)).status).toBe(200);
      await station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
    }
  });

  test('can use a key with any browser headers', async () => {
    const { cookies, apikey } = await openSession(shop.station);
    for (const key of [API_KEY, apikey]) {
      const headers = { ...cookies, 'api-key': key, 'sec-fetch-site': 'cross-site', 'sec-purpose': 'prefetch' };
      expect((await open(FULL, headers)).status).toBe(200);
    }
  });
});

describe('methods', () => {
  test('other than GET are refused and light nothing', async () => {
    for (const path of [FULL, FULL.slice(0, -1), `${BASE}/message/x`, `${BASE}/kill/`]) {
      for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await open(path, KEY, method);
        expect({ method, path, status, allow: headers.allow }).toEqual({ method, path, status: 405, allow: 'GET' });
      }
    }
    expect((await shop.station.device(DEVICE)).commands).toEqual([]);
  });

  test('GET answers must not be cached, so that each request lights again', async () => {
    const { cookies } = await openSession(shop.station);
    for (const [path, headers] of [
      [FULL, KEY],
      [`${BASE}/blink/x/`, KEY],
      [FULL, {}],
      [FULL, { ...cookies, 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      expect((await open(path, headers)).headers['cache-control']).toBe('no-store');
    }
  });
});
