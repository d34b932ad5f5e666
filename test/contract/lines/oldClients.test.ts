import { afterEach, describe, expect, test } from 'vitest';
import { ADMIN_PASSWORD, API_KEY } from '../../helpers/startTestStation.ts';
import { ONE, TWO, useStation } from './rig.ts';

// Contract lines marked C: requests exactly as published clients of the original service send them.
const shop = useStation();
const PATH = `/api/device/${ONE}/`;

afterEach(() => shop.station.post(PATH, { command: 'kill' }));

describe('contract, section 2', () => {
  test('the query-string interface works without the last slash, with raw commas, colons and tildes', async () => {
    for (const colon of [':', '%3A', '%3a']) {
      const path = `/api/${ONE.replace(':', colon)}/message/line1~line2/line3/300,a5,1,g5s,1/20rb/tx:1`;
      for (const end of ['', '/']) expect((await shop.ask('GET', path + end)).status, path + end).toBe(200);
    }
    expect(await shop.only()).toMatchObject({ line2: 'line2', sound: '300,a5,1,g5s,1', color: 'rb', nonce: 'tx:1' });
  });

  test('accepts a JSON content type with an empty body for DELETE, and for calls that need no body', async () => {
    const headers = { 'content-type': 'application/json' };
    const { id } = await shop.station.post<{ id: number }>('/api/location-aliases/', {
      name: 'x',
      deviceid: ONE,
      deviceIs: 'Above',
    });
    expect((await shop.ask('DELETE', `/api/location-aliases/${id}/`, { headers })).status).toBe(204);
    expect((await shop.ask('POST', `/api/simulator/devices/${TWO}/press/`, { headers })).status).toBe(202);
  });

  test('numeric strings become numbers, numbers and booleans in text fields become text, and unknown fields are ignored', async () => {
    await shop.station.post(PATH, {
      line1: 4006381333931,
      line2: true,
      seconds: '60',
      quantity: '2',
      nonce: 12,
      api: '2.0',
    });
    expect(await shop.only()).toMatchObject({
      line1: '4006381333931',
      line2: 'true',
      seconds: 60,
      quantity: 2,
      nonce: '12',
    });
  });

  test('a browser extension gets a preflight answer, and CORS headers on errors and unknown paths too', async () => {
    const origin = 'chrome-extension://abcdefghijklmnop';
    await shop.station.patch('/api/settings/', { cors_origins: [origin] });
    const preflight = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'api-key, content-type',
      'api-key': undefined,
    };
    for (const path of ['/api/devices/', '/api/nothing/']) {
      const { status, headers } = await shop.ask('OPTIONS', path, { headers: preflight });
      expect({ status, allowed: headers['access-control-allow-headers'] }).toMatchObject({
        status: 204,
        allowed: expect.stringMatching(/api-key.*content-type/) as string,
      });
    }
    for (const [path, key, expected] of [
      ['/api/device/', API_KEY, 200],
      ['/api/device/', 'wrong', 401],
      ['/api/nothing/', API_KEY, 404],
      ['/api/device/FFFFFF:FFFFFF/', API_KEY, 404],
    ] as const) {
      const { status, headers } = await shop.ask('GET', path, { headers: { origin, 'api-key': key } });
      expect({ status, origin: headers['access-control-allow-origin'] }).toEqual({ status: expected, origin });
    }
  });
});

describe('contract, section 3', () => {
  test.each(['API-KEY', 'Api-Key', 'api-key', 'API_KEY'])('accepts the key in the header %s', async (name) => {
    expect((await shop.ask('GET', '/api/device/', { headers: { 'api-key': undefined, [name]: API_KEY } })).status).toBe(
      200,
    );
  });

  test('sign-in needs no CSRF header, a write needs the token and a referer that ends in / or /api/, and a stale session gets 401', async () => {
    const body = { username: 'admin', password: ADMIN_PASSWORD };
    const signedIn = await shop.ask('POST', '/api/user/login/', { body, headers: { 'api-key': undefined } });
    const { token, apikey } = signedIn.json as { token: string; apikey: string };
    const sessionId = /sessionid=([^;]+)/.exec(String(signedIn.headers['set-cookie']))?.[1] ?? '';
    const cookie = `csrftoken=${token}; sessionid=${sessionId}`;
    const own = { 'api-key': undefined, cookie, 'x-csrf-token': token };
    for (const end of ['', 'api/']) {
      const headers = { ...own, referer: shop.station.url + end };
      expect((await shop.ask('POST', PATH, { body: { line1: 'x' }, headers })).status, end).toBe(200);
    }
    await shop.refused(['POST', PATH, { body: { line1: 'x' }, headers: own }], [403, 'csrf']);
    expect((await shop.ask('GET', '/api/device/', { headers: { 'api-key': apikey } })).status).toBe(200);
    for (const request of [
      ['POST', PATH, { body: { line1: 'x' }, headers: { ...own, cookie: `csrftoken=${token}; sessionid=stale` } }],
      ['GET', '/api/device/', { headers: { 'api-key': undefined, cookie: 'sessionid=stale' } }],
    ] as const) {
      await shop.refused(request, [401, 'unauthenticated']);
    }
  });
});

describe('contract, section 4', () => {
  test('kill with or without a nonce gets 200, even if nothing is lit', async () => {
    for (const nonce of ['a', 'b', 'c']) await shop.station.post(PATH, { line1: nonce, nonce });
    expect(await shop.station.post(PATH, { command: 'kill', nonce: 'b' })).toEqual({
      deviceid: ONE,
      killed: 1,
      warnings: [],
    });
    expect(await shop.station.post(PATH, { command: 'kill' })).toMatchObject({ killed: 2 });
    expect(await shop.station.post('/api/devices/', { deviceid: ONE, command: 'kill' })).toMatchObject({ killed: 0 });
  });

  test('static, static2 and location set statics and the label', async () => {
    await shop.station.post(PATH, { command: 'static', line1: 'a', line2: 'b' });
    await shop.station.post(PATH, { command: 'static2', line1: 'c', line2: 'd' });
    await shop.station.post(PATH, { command: 'location', line1: 'A-1' });
    expect(await shop.station.device(ONE)).toMatchObject({
      statica: 'a',
      staticb: 'b',
      staticc: 'c',
      staticd: 'd',
      location: 'A-1',
    });
  });

  test('statics accept stock on hand over 99, and an empty string or null clears them', async () => {
    expect(await shop.station.post(PATH, { quantity: 240, staticc: '', staticd: null })).toMatchObject({
      updated: ['staticc', 'staticd', 'quantity'],
    });
    expect(
      await shop.station.post(PATH, { quantity: '', statica: '', staticb: '', locationoverride: null }),
    ).toMatchObject({ warnings: [] });
    expect(await shop.station.device(ONE)).toMatchObject({ quantity: null, statica: '', staticc: '', location: '' });
  });

  test('cuts a text over 26 characters instead of refusing it', async () => {
    const { warnings } = await shop.station.post(PATH, { line1: 'x'.repeat(40) });
    expect(warnings).toHaveLength(1);
    expect((await shop.only()).line1).toBe('x'.repeat(26));
  });

  test('"quantity":"" in a command means that no quantity is given', async () => {
    expect(await shop.station.post(PATH, { command: 'pick', line1: 'x', quantity: '', arrow: null })).toMatchObject({
      warnings: [],
    });
    expect(await shop.only()).toMatchObject({ quantity: null, arrow: null });
  });

  test('an array can mix commands, kills and statics, by deviceid and by location, and a SKU works as an alias', async () => {
    await shop.station.post('/api/location-aliases/', { name: 4711, deviceid: TWO, deviceIs: 'to the Left of' });
    const { status, json } = await shop.ask('PUT', '/api/devices/', {
      body: [
        { deviceid: ` ${ONE.toLowerCase()} `, line1: 'x', nonce: 1 },
        { location: 4711, command: 'flash', seconds: '0' },
        { deviceid: ONE, command: 'kill', nonce: '1' },
        { deviceid: ONE, statica: 7 },
        { location: 'nowhere', line1: 'x' },
      ],
    });
    expect(status).toBe(207);
    expect(json).toMatchObject([
      { deviceid: ONE },
      { deviceid: TWO },
      { killed: 1 },
      { updated: ['statica'] },
      { status: 404 },
    ]);
    expect(await shop.only(TWO)).toMatchObject({ location: '4711', arrow: 'right', seconds: 0 });
  });
});

describe('contract, section 6: the arrow points from the device to the location', () => {
  test.each([
    ['Above', 'bottom'],
    ['Below', 'top'],
    ['to the Left of', 'right'],
    ['to the Right of', 'left'],
    ['Above and to the Left of', 'bottomright'],
    ['Above and to the Right of', 'bottomleft'],
    ['BELOW AND TO THE LEFT OF', 'topright'],
    ['below and to the right of', 'topleft'],
  ])('a device %s the location: %s', async (deviceIs, arrow) => {
    const name = `at ${arrow}`;
    await shop.station.post('/api/location-aliases/', { name, deviceid: ONE, deviceIs });
    await shop.station.post('/api/devices/', { location: name, line1: 'x' });
    expect(await shop.only()).toMatchObject({ arrow, location: name });
  });
});
