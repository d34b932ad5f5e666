import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetAnswers } from '../../helpers/forgetAnswers.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const DAY_MS = 24 * 60 * 60 * 1_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterEach(() => station.stop());

type Sent = { key?: string | undefined; headers?: Record<string, string>; apiKey?: string };

async function send(method: string, path: string, body?: unknown, { key, headers = {}, apiKey = API_KEY }: Sent = {}) {
  const answer = await station.request(method, path, body, {
    'api-key': apiKey,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...headers,
  });
  return { ...answer, isReplayed: answer.headers.get('idempotency-replayed') === 'true' };
}

const keys = (): unknown[] => station.rows('SELECT key FROM keyed_requests ORDER BY key').map(({ key }) => key);

/** Requests with their method, path, body and expected status. */
const REQUESTS = [
  ['POST', '/api/map/racks/', { name: 'B', columns: 6, shelves: ['B-1'] }, 201],
  ['POST', '/api/orders/', { order_number: 'SO-1', items: [{ name: 'Nut', ordered_quantity: 2 }] }, 201],
  ['POST', '/api/sequence/', { sequenceid: 's', steps: [{ order: 1, device: ONE, line1: 'x' }] }, 201],
  ['POST', '/api/users/', { username: 'Paula', password: 'correct horse battery', role: 'picker' }, 201],
  ['POST', '/api/location-aliases/', { name: 'A-1', deviceid: ONE, deviceIs: 'Above' }, 201],
  ['POST', '/api/simulator/devices/', { count: 1 }, 201],
  ['PATCH', '/api/settings/', { default_seconds: 30 }, 200],
  ['PUT', `/api/device/${ONE}/`, { line1: 'Nut', nonce: 'n' }, 200],
  ['DELETE', `/api/device/${ONE}/`, undefined, 204],
  ['GET', `/api/${ONE}/message/Nut/`, undefined, 200],
] as const;

/** Requests about goods and carts, in the shop created by `openShop`. */
const SHOP_REQUESTS = [
  ['POST', '/api/articles/', { sku: 'CT-2', places: [{ location: 'A-2', on_hand: 4 }] }, 201],
  ['PUT', '/api/articles/', [{ sku: 'CT-1', name: 'Tie', places: [{ location: 'A-1' }] }, { sku: 'CT-3' }], 200],
  ['PATCH', '/api/articles/CT-1/', { note: 'Order early' }, 200],
  ['DELETE', '/api/articles/CT-1/?force=1', undefined, 204],
  ['POST', '/api/stock/', { movements: [{ sku: 'CT-1', location: 'A-1', delta: -2 }] }, 200],
  ['POST', '/api/stock/left/', { sku: 'CT-1', location: 'A-1', count: 3 }, 200],
  ['POST', '/api/tasks/1/done/', { quantity: 10 }, 200],
  ['POST', '/api/tasks/1/dismiss/', undefined, 200],
  ['POST', '/api/carts/', { name: 'Cart 2', rows: 1, columns: 2 }, 201],
  ['PUT', '/api/walls/2/', { name: 'Wall 2', rows: 1, columns: 2 }, 200],
  ['POST', '/api/batches/', { mode: 'cart', cart: 1, slots: [{ order_number: 'SO-2' }] }, 409],
  ['POST', '/api/batches/1/slots/', { order_number: 'SO-2' }, 201],
  ['POST', '/api/batches/1/launch/', {}, 200],
  ['POST', '/api/batches/1/abort/', undefined, 200],
  ['DELETE', '/api/batches/1/', undefined, 204],
  ['POST', '/api/imports/', { kind: 'articles', csv: 'sku;name;location;on_hand\nCT-4;Tie;A-4;3' }, 200],
  ['POST', '/api/callback-receivers/', { name: 'Booking', url: 'http://127.0.0.1:9/' }, 201],
] as const;

async function openShop(): Promise<void> {
  const places = [{ location: 'A-1', on_hand: 5, minimum: 6, maximum: 20 }];
  await station.post('/api/articles/', { sku: 'CT-1', places });
  await station.post('/api/carts/', { name: 'Cart 1', rows: 2, columns: 2 });
  await station.post('/api/walls/', { name: 'Wall 1', rows: 2, columns: 2 });
  for (const order_number of ['SO-1', 'SO-2']) {
    const items = [{ SKU: 'CT-1', ordered_quantity: 1, deviceid: ONE }];
    await station.post('/api/orders/', { order_number, items });
  }
  await station.post('/api/batches/', { mode: 'cart', cart: 1, slots: [{ order_number: 'SO-1' }] });
}

const countStock = (): unknown => station.rows('SELECT count(*) AS movements FROM movements');

describe('a request about goods or carts with a key', () => {
  test.each(SHOP_REQUESTS)(
    '%s %s takes effect once, even if the station is killed',
    async (method, path, body, status) => {
      await openShop();
      forgetAnswers(station);
      const first = await send(method, path, body, { key: 'k-1' });
      expect(first.status).toBe(status);
      await station.clock.advance(0);
      const movements = countStock();
      const again = await send(method, path, body, { key: 'k-1' });
      // Refused requests are evaluated again.
      expect([again.status, again.isReplayed, again.body]).toEqual([status, status < 400, first.body]);
      expect(countStock()).toEqual(movements);
    },
  );
});

describe('a request with a key', () => {
  test.each(REQUESTS)('%s %s runs once, and a repetition gets the first answer', async (method, path, body, status) => {
    const first = await send(method, path, body, { key: 'k-1' });
    expect([first.status, first.isReplayed]).toEqual([status, false]);
    const revision = (await station.get<{ revision: number }>('/api/station/')).revision;
    const again = await send(method, path, body, { key: 'k-1' });
    expect([again.status, again.isReplayed]).toEqual([status, true]);
    expect(again.body).toEqual(first.body);
    expect((await station.get<{ revision: number }>('/api/station/')).revision).toBe(revision);
  });

  // Simulated presses and devices are not stored on disk.
  test.each(REQUESTS.filter(([, path]) => !path.includes('simulator')))(
    '%s %s runs once, even if the station is killed before it stores the answer',
    async (method, path, body, status) => {
      forgetAnswers(station);
      const first = await send(method, path, body, { key: 'k-1' });
      expect([first.status, first.isReplayed]).toEqual([status, false]);
      await station.clock.advance(0);
      const { revision } = await station.get<{ revision: number }>('/api/station/');
      const again = await send(method, path, body, { key: 'k-1' });
      expect([again.status, again.isReplayed, again.body]).toEqual([status, true, first.body]);
      expect((await station.get<{ revision: number }>('/api/station/')).revision).toBe(revision);
    },
  );

  test("changes the caller's password once, even if the station is killed before it stores the answer", async () => {
    const session = await openSession(station);
    forgetAnswers(station);
    const change = { old_password: ADMIN_PASSWORD, new_password: 'correct horse battery' };
    const headers = { ...session.write, 'content-type': 'application/json' };
    for (const key of ['k', 'k', 'other']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status } = await station.request('POST', '/api/user/password/', change, {
        ...headers,
        'idempotency-key': key,
      });
      expect([key, status]).toEqual([key, key === 'k' ? 204 : 400]);
    }
  });

  test('that launches by GET also runs only once', async () => {
    await send('POST', '/api/sequence/', { sequenceid: 's', steps: [{ order: 1, device: ONE, line1: 'x' }] });
    await send('GET', '/api/launchsequence/s/', undefined, { key: 'k' });
    await station.clock.advance(3_000);
    await station.press(ONE);
    const again = await send('GET', '/api/launchsequence/s/', undefined, { key: 'k' });
    expect([again.status, again.isReplayed]).toEqual([200, true]);
    expect((await station.device(ONE)).commands).toEqual([]);
  });

  test('does not light the device again after a press, and sends one callback', async () => {
    const receiver = await startReceiver();
    await station.patch('/api/settings/', { callback_url: receiver.url });
    const command = { line1: 'Nut', nonce: 'a' };
    await send('POST', `/api/device/${ONE}/`, command, { key: 'k' });
    await station.clock.advance(3_000);
    await station.press(ONE);
    expect((await send('POST', `/api/device/${ONE}/`, command, { key: 'k' })).isReplayed).toBe(true);
    expect((await station.device(ONE)).commands).toEqual([]);
    await station.clock.advance(3_000);
    expect(receiver.requests).toHaveLength(1);
    await receiver.stop();
  });

  test('presses a simulated button once, although the press does not immediately change a row', async () => {
    await station.post(`/api/device/${ONE}/`, { line1: 'Nut' });
    await station.post(`/api/device/${ONE}/`, { line1: 'Bolt' });
    await station.clock.advance(3_000);
    for (const isReplayed of [false, true]) {
      const press = await send('POST', `/api/simulator/devices/${ONE}/press/`, { button: 'front' }, { key: 'k' });
      expect([press.status, press.isReplayed]).toEqual([202, isReplayed]);
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await station.clock.advance(3_000);
    }
    expect((await station.device(ONE)).commands).toHaveLength(1);
  });

  test('returns the same XML and the same status 207 when repeated', async () => {
    const bulk = [
      { deviceid: ONE, line1: 'Nut' },
      { deviceid: '51D0FF:000009', line1: 'Nobody' },
    ];
    const xml = { accept: 'application/xml' };
    const first = await send('POST', '/api/devices/', bulk, { key: 'k', headers: xml });
    const again = await send('POST', '/api/devices/', bulk, { key: 'k', headers: xml });
    expect([first.status, again.status, again.isReplayed]).toEqual([207, 207, true]);
    expect(again.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(again.body).toEqual(first.body);
  });

  test('can contain the key in its body, also as a number or in XML', async () => {
    const rack = { name: 'B', columns: 2, shelves: ['B-1'] };
    const first = await send('POST', '/api/map/racks/', { ...rack, key: 42 });
    const again = await send('POST', '/api/map/racks/', { ...rack, key: 42 });
    expect([first.status, again.isReplayed]).toEqual([201, true]);
    const xml = '<r><line1>Nut</line1><key>x</key></r>';
    const headers = { 'content-type': 'application/xml' };
    for (const isReplayed of [false, true]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const lit = await send('POST', `/api/device/${ONE}/`, xml, { headers });
      expect([lit.status, lit.isReplayed, lit.body]).toMatchObject([200, isReplayed, { warnings: [] }]);
    }
    expect(keys()).toEqual(['42', 'x']);
  });

  test('does not use `key` in the body if it is the key of a display', async () => {
    const link = { kind: 'opendisplay', url: 'opendisplay://192.0.2.7', key: '0123456789ABCDEF0123456789ABCDEF' };
    await send('POST', '/api/turbo/links/', link);
    expect(keys()).toEqual([]);
  });

  test.each([
    ['a different body', 'POST', '/api/map/racks/', { name: 'C', columns: 2, shelves: [] }],
    ['a different path', 'POST', '/api/map/zones/', { name: 'B', racks: [] }],
    ['a different query', 'POST', '/api/map/racks/?strict=1', { name: 'B', columns: 2, shelves: [] }],
  ])('is refused if its key was used with %s', async (_what, method, path, body) => {
    await send('POST', '/api/map/racks/', { name: 'B', columns: 2, shelves: [] }, { key: 'k' });
    const answer = await send(method, path, body, { key: 'k' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'key_reused' } });
    expect(await station.get('/api/map/')).toMatchObject({ racks: [{ name: 'B' }], zones: [] });
  });

  test.each<[string, string, string, readonly [body: unknown, headers?: Record<string, string>][]]>([
    [
      'other fields first, and other white space',
      'POST',
      '/api/map/racks/',
      [
        ['{"name":"B","columns":2,"shelves":["B-1"]}'],
        ['{ "shelves": [ "B-1" ],\r\n "columns": 2, "name": "B" }'],
        ['{"columns":"2","name":"B","shelves":["B-1"]}'],
      ],
    ],
    [
      'the fields of its elements in another order, or as XML',
      'POST',
      '/api/orders/',
      [
        ['{"order_number":"S-1","items":[{"name":"Nut","ordered_quantity":2}]}'],
        ['{"items":[{"ordered_quantity":2,"name":"Nut"}],"order_number":"S-1"}'],
        [
          '<o><order_number>S-1</order_number><items><name>Nut</name><ordered_quantity>2</ordered_quantity></items></o>',
          { 'content-type': 'application/xml' },
        ],
      ],
    ],
    [
      'a command with numbers as texts, empty fields, other names of its color, and unknown fields',
      'POST',
      `/api/device/${ONE}/`,
      [
        [{ line1: 'Nut', quantity: 5, color: 'green' }],
        [{ line1: 'Nut', quantity: '5', color: 'g' }],
        [{ line1: 'Nut', quantity: 5, color: 'Lime', nonce: '' }],
        [{ line1: 'Nut', quantity: 5, color: 'green', nonce: null, line2: '' }],
        [{ api: '2.0', line1: 'Nut', quantity: 5, color: 'green' }],
        ['<r><line1>Nut</line1><quantity>5</quantity><color>green</color></r>', { 'content-type': 'application/xml' }],
      ],
    ],
    [
      'statics with numbers in texts, and null for empty',
      'PUT',
      `/api/device/${ONE}/`,
      [[{ statica: 7, staticb: '' }], [{ staticb: null, statica: '7', other: 1 }]],
    ],
    [
      'several commands with numbers as texts',
      'POST',
      '/api/devices/',
      [
        [
          [
            { deviceid: ONE, line1: 'Nut', quantity: 5, color: 'r' },
            { deviceid: ONE, line1: 'Bolt' },
          ],
        ],
        [
          [
            { deviceid: ONE, line1: 'Nut', quantity: '5', color: 'red' },
            { deviceid: ONE, line1: 'Bolt', nonce: '' },
          ],
        ],
      ],
    ],
    [
      'one command among all devices',
      'POST',
      '/api/devices/',
      [[{ deviceid: ONE, line1: 'Nut', quantity: 5 }], [{ deviceid: ONE, line1: 'Nut', quantity: '5', api: '2.0' }]],
    ],
    ['no body, {}, [] or null', 'POST', '/api/orders/S/launch/', [[undefined], ['{}'], ['[]'], [' { } '], ['null']]],
    ['the same query in another order', 'DELETE', `/api/device/${ONE}/?strict=0&_=1`, [[undefined], ['{}']]],
  ])('is the same request if it is written differently: %s', async (_what, method, path, ways) => {
    const items = [{ name: 'Nut', ordered_quantity: 1, deviceid: '51D000:000002' }];
    await station.post('/api/orders/', { order_number: 'S', items });
    const answers = [];
    for (const [index, [body, headers]] of ways.entries()) {
      const address = path.includes('&_=') && index > 0 ? path.replace('?strict=0&_=1', '?_=2&strict=0') : path;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await send(method, address, body, { key: 'k', ...(headers === undefined ? {} : { headers }) });
      answers.push([answer.status < 300, answer.isReplayed]);
    }
    expect(answers).toEqual(ways.map((_, index) => [true, index > 0]));
  });

  test.each([
    ['another quantity', { line1: 'Nut', quantity: 6, color: 'green' }],
    ['another color', { line1: 'Nut', quantity: 5, color: 'red' }],
    // A hexadecimal color includes its brightness.
    ['a hexadecimal color', { line1: 'Nut', quantity: 5, color: '#00ff00' }],
    ['a nonce', { line1: 'Nut', quantity: 5, color: 'green', nonce: 'n' }],
  ])('is another command with %s', async (_what, body) => {
    for (const [path, of] of [
      [`/api/device/${ONE}/`, (one: object) => one],
      ['/api/devices/', (one: object) => [{ deviceid: ONE, ...one }]],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await send('POST', path, of({ line1: 'Nut', quantity: 5, color: 'green' }), { key: path });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await send('POST', path, of(body), { key: path });
      expect(answer).toMatchObject({ status: 409, body: { code: 'key_reused' } });
    }
  });

  test('is the same request with strict=0 and without it, but not with strict=1', async () => {
    const light = (query: string) => send('POST', `/api/device/${ONE}/${query}`, { line1: 'Nut' }, { key: 'k' });
    expect(await light('')).toMatchObject({ status: 200, isReplayed: false });
    expect(await light('?strict=0')).toMatchObject({ status: 200, isReplayed: true });
    expect(await light('?strict=1')).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  });

  test('is the same request with force=1 and force=true', async () => {
    await openShop();
    const remove = (query: string) => send('DELETE', `/api/articles/CT-1/${query}`, undefined, { key: 'k' });
    expect(await remove('?force=true')).toMatchObject({ status: 204, isReplayed: false });
    expect(await remove('?force=1')).toMatchObject({ status: 204, isReplayed: true });
  });

  test.each([
    ['another number', '{"name":"B","columns":3,"shelves":["B-1","B-2"]}'],
    ['its list in another order', '{"name":"B","columns":2,"shelves":["B-2","B-1"]}'],
    ['a field more', '{"name":"B","columns":2,"shelves":["B-1","B-2"],"note":"x"}'],
  ])('is another request with %s', async (_what, body) => {
    await send('POST', '/api/map/racks/', '{"name":"B","columns":2,"shelves":["B-1","B-2"]}', { key: 'k' });
    const answer = await send('POST', '/api/map/racks/', body, { key: 'k' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  });

  test('is not refused if only confirmed_at is different', async () => {
    await station.post('/api/orders/', {
      order_number: 'S',
      items: [{ name: 'Nut', ordered_quantity: 1, deviceid: ONE }],
    });
    await station.post('/api/orders/S/launch/');
    const [command] = (await station.device(ONE)).commands;
    const confirm = (at: number) =>
      send('POST', `/api/device/${ONE}/acknowledge/`, {
        command_id: command?.command_id,
        key: 'deed',
        confirmed_at: new Date(station.clock.now() - at).toISOString(),
      });
    expect(await confirm(10)).toMatchObject({ status: 200, isReplayed: false });
    expect(await confirm(3_700_000)).toMatchObject({ status: 200, isReplayed: true });
  });

  test('does not share its key with other callers', async () => {
    const { api_key: other } = await station.post<{ api_key: string }>('/api/api-users/', {
      name: 'ERP',
      scope: 'admin',
    });
    const rack = { name: 'B', columns: 2, shelves: [] };
    const answers = await Promise.all([
      send('POST', '/api/map/racks/', rack, { key: 'k' }),
      send('POST', '/api/map/racks/', rack, { key: 'k', apiKey: other }),
    ]);
    expect(answers.map(({ isReplayed }) => isReplayed)).toEqual([false, false]);
  });

  test('is remembered for a day, even after a restart', async () => {
    const rack = { name: 'B', columns: 2, shelves: [] };
    await send('POST', '/api/map/racks/', rack, { key: 'k' });
    await station.clock.advance(DAY_MS - 60_000);
    await station.restart();
    expect((await send('POST', '/api/map/racks/', rack, { key: 'k' })).isReplayed).toBe(true);
    await station.clock.advance(60_000);
    await send('POST', '/api/map/racks/', rack, { key: 'other' });
    await station.clock.advance(100);
    expect(keys()).toEqual(['other']);
    expect((await send('POST', '/api/map/racks/', rack, { key: 'k' })).isReplayed).toBe(false);
  });

  test('runs again if it was refused or changed nothing', async () => {
    const alias = { name: 'A-1', deviceid: '51D0AA:000001', deviceIs: 'Above' };
    expect(await send('POST', '/api/location-aliases/', alias, { key: 'k' })).toMatchObject({ status: 400 });
    await station.post('/api/device/', { deviceid: '51D0AA:000001' });
    expect(await send('POST', '/api/location-aliases/', alias, { key: 'k' })).toMatchObject({ status: 201 });
    const kill = { command: 'kill' };
    expect(await send('POST', `/api/device/${ONE}/`, kill, { key: 'none' })).toMatchObject({ body: { killed: 0 } });
    await station.post(`/api/device/${ONE}/`, { line1: 'Nut' });
    expect(await send('POST', `/api/device/${ONE}/`, kill, { key: 'none' })).toMatchObject({ body: { killed: 1 } });
  });

  test('runs once even if repeated while it is running', async () => {
    const rack = { name: 'B', columns: 2, shelves: ['B-1'] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('POST', '/api/map/racks/', rack, { key: 'k' })),
    );
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await station.get<{ racks: unknown[] }>('/api/map/')).racks).toHaveLength(1);
  });

  test('does not store the secrets in its answer', async () => {
    const user = { name: 'ERP', scope: 'control' };
    const first = await send('POST', '/api/api-users/', user, { key: 'k' });
    const again = await send('POST', '/api/api-users/', user, { key: 'k' });
    const { api_key, client_secret } = first.body as Record<string, string>;
    expect(api_key).toMatch(/^psk_/);
    expect(again.body).toEqual({ ...(first.body as object), api_key: null, client_secret: null });
    await station.clock.advance(100);
    const kept = JSON.stringify([
      station.rows('SELECT * FROM keyed_requests'),
      station.rows('SELECT * FROM keyed_steps'),
    ]);
    expect(kept).not.toContain(api_key);
    expect(kept).not.toContain(client_secret);
    expect(station.rows('SELECT * FROM keyed_steps')).toEqual([]);
  });

  test('is refused if the key is empty, too long, or different from the key in the body', async () => {
    const rack = { name: 'B', columns: 2, shelves: [] };
    for (const [body, key] of [
      [{ ...rack, key: '' }, undefined],
      [rack, 'x'.repeat(201)],
      [{ ...rack, key: 'a' }, 'b'],
      [{ ...rack, key: {} }, undefined],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await send('POST', '/api/map/racks/', body, { key })).toMatchObject({ status: 400 });
    }
    expect(await station.get('/api/map/')).toMatchObject({ racks: [] });
  });
});

test('the answer to a sign-in is never stored under its key', async () => {
  const login = { username: 'nobody', password: 'wrong', key: 'k' };
  await send('POST', '/api/user/login/', login, { key: 'k' });
  expect(keys()).toEqual([]);
});
