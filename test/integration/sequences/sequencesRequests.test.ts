import { expect, test } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import type { Sequence, SequenceProgress, SequenceResult } from '#shared/api/sequence.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY } from '../../helpers/startTestStation.ts';
import { ONE, THREE, TWO, useSequences } from './sequenceRig.ts';

const shop = useSequences();
const PATH = '/api/sequence/';
const STEPS = [
  { order: 1, device: ONE, line1: 'a' },
  { order: 2, device: TWO, line1: 'b' },
];

const send = (method: string, path: string, body?: unknown) => shop.station.request(method, path, body);
const names = async (query = '') =>
  (await shop.station.get<Sequence[]>(`${PATH}${query}`)).map(({ sequenceid }) => sequenceid);

test('creating a sequence gets 201 with the created fields and the state of each step', async () => {
  const step = {
    order: 3,
    device: '51d000:000001',
    command: 'display',
    line1: 'Cable tie',
    line2: '200',
    arrow: 'up',
    color: 'gb',
    sound: 'beep',
    barcode: '123',
    quantity: 4,
    seconds: 90,
    stepnonce: 'n-1',
  };
  const answer = await send('POST', PATH, { sequenceid: 's', sequencenonce: 'n', steps: [step] });
  expect(answer.status).toBe(201);
  const expected = {
    sequenceid: 's',
    sequencenonce: 'n',
    state: 'unstarted',
    created_time: '2026-11-20T08:00:05.000Z',
    start_time: null,
    completed_time: null,
    steps: [
      { ...step, device: ONE, state: 'pending', deviceid: null, command_id: null, qty: null, finished_time: null },
    ],
  };
  expect(answer.body).toEqual({ ...expected, warnings: [] });
  expect(await shop.station.get(`${PATH}s/`)).toEqual(expected);
});

test('an existing sequenceid gets 409, and the existing sequence does not change', async () => {
  await shop.create(STEPS);
  const before = await shop.get();
  expect(await send('POST', PATH, { sequenceid: 'round 7', steps: STEPS.slice(1) })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
  expect(await shop.get()).toEqual(before);
});

test('every request for an unknown sequence gets 404', async () => {
  for (const [method, path, body] of [
    ['GET', `${PATH}x/`],
    ['PUT', `${PATH}x/`, { steps: STEPS }],
    ['DELETE', `${PATH}x/`],
    ['GET', '/api/launchsequence/x/'],
  ] as const) {
    expect(await send(method, path, body), `${method} ${path}`).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  }
});

test('sequences are listed by name, can be filtered by state, and are paged', async () => {
  for (const sequenceid of ['c', 'a', 'B', 'd']) await send('POST', PATH, { sequenceid, steps: STEPS });
  await shop.launchWith('', 'c');
  expect(await names()).toEqual(['B', 'a', 'c', 'd']);
  expect(await names('?limit=2')).toEqual(['B', 'a']);
  expect(await names('?limit=2&after=a')).toEqual(['c', 'd']);
  expect(await names('?state=unstarted&after=B')).toEqual(['a', 'd']);
  const running = await shop.station.get<SequenceProgress[]>('/api/sequence-progress/?state=in-progress');
  expect(running).toEqual([
    {
      sequenceid: 'c',
      sequencenonce: '',
      state: 'in-progress',
      created_time: '2026-11-20T08:00:05.000Z',
      start_time: '2026-11-20T08:00:05.000Z',
      completed_time: null,
      step_count: 2,
      acknowledged_count: 0,
      active_count: 1,
      halted_count: 0,
    },
  ]);
  expect((await send('GET', `${PATH}?state=done`)).status).toBe(400);
});

test('PUT cancels lit steps, replaces the steps, and makes the sequence unstarted again', async () => {
  await shop.create(STEPS, { sequencenonce: 'n' });
  await shop.launch();
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  const steps = [{ order: 1, device: THREE, line1: 'new' }];
  const answer = await send('PUT', shop.path(), { sequenceid: 'round 7', steps });
  expect(answer).toMatchObject({
    status: 200,
    body: { state: 'unstarted', sequencenonce: '', start_time: null, steps: [{ device: THREE, state: 'pending' }] },
  });
  expect((await shop.get()).steps).toHaveLength(1);
  expect([await shop.lit(ONE), await shop.lit(TWO), await shop.lit(THREE)]).toEqual([[], [], []]);
  expect(shop.told()).toHaveLength(1);
  const kinds = (await shop.history()).map(({ kind, by, sequenceid }) => `${kind} ${by} ${sequenceid}`);
  expect(kinds.slice(0, 2)).toEqual(['sequence_cancelled API key round 7', 'killed API key round 7']);
  await shop.launch();
  expect(await shop.lit(THREE)).toEqual(['new']);
});

test('PUT keeps the name in the path, and refuses a different name in the body', async () => {
  await shop.create(STEPS);
  const before = await shop.get();
  expect(await send('PUT', shop.path(), { sequenceid: 'other', steps: STEPS })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/sequenceid' }] },
  });
  expect([await names(), await shop.get()]).toEqual([['round 7'], before]);
  const steps = [{ order: 1, device: THREE, line1: 'new' }];
  expect(await send('PUT', shop.path(), { steps })).toMatchObject({ status: 200, body: { sequenceid: 'round 7' } });
  expect([await names(), (await shop.get()).steps]).toMatchObject([['round 7'], [{ line1: 'new' }]]);
});

test('DELETE gets 204 and cancels lit steps', async () => {
  await shop.create(STEPS);
  await shop.launch();
  const answer = await send('DELETE', shop.path());
  expect(answer.status).toBe(204);
  await shop.station.clock.advance(0);
  expect(await names()).toEqual([]);
  expect(await shop.lit(ONE)).toEqual([]);
  await shop.station.clock.advance(5_000);
  expect(shop.told()).toEqual([]);
  await shop.create(STEPS);
  expect(await shop.stands()).toBe('unstarted: pending pending');
});

test('names with special characters work in every request', async () => {
  for (const sequenceid of [
    'a/b',
    'Größe 8 🔩',
    'x%2Fy',
    '50%',
    'a?b#c',
    ' lead',
    "o'clock+1",
    'sequence:7',
    '%',
    'a\\b',
  ]) {
    await send('POST', PATH, { sequenceid, steps: STEPS });
    const path = shop.path(sequenceid);
    expect(await send('GET', path), sequenceid).toMatchObject({ status: 200, body: { sequenceid } });
    expect(await shop.launchWith('', sequenceid)).toMatchObject({ status: 200, body: { state: 'in-progress' } });
    const [launched] = await shop.history('?kind=sequence_launched');
    expect(launched?.sequenceid).toBe(sequenceid);
    expect(await send('PUT', path, { steps: STEPS })).toMatchObject({ status: 200 });
    expect(await send('DELETE', path)).toMatchObject({ status: 204 });
  }
});

test.each<[string, unknown, string[]]>([
  ['no steps', { sequenceid: 's', steps: [] }, ['/steps']],
  ['missing steps', { sequenceid: 's' }, ['/steps']],
  ['too many steps', { sequenceid: 's', steps: Array.from({ length: 1_001 }, () => STEPS[0]) }, ['/steps']],
  ['no name', { sequenceid: '', steps: STEPS }, ['/sequenceid']],
  ['a name that cannot be used in a path', { sequenceid: '..', steps: STEPS }, ['/sequenceid']],
  ['no order', { sequenceid: 's', steps: [{ device: ONE }] }, ['/steps/0/order']],
  ['an order below 0', { sequenceid: 's', steps: [{ device: ONE, order: -1 }] }, ['/steps/0/order']],
  ['a fractional order', { sequenceid: 's', steps: [{ device: ONE, order: 1.5 }] }, ['/steps/0/order']],
  ['no place', { sequenceid: 's', steps: [...STEPS, { order: 1 }] }, ['/steps/2']],
  ['two places', { sequenceid: 's', steps: [{ order: 1, device: ONE, location: 'A' }] }, ['/steps/0/location']],
  ['no DeviceID', { sequenceid: 's', steps: [{ order: 1, device: 'shelf 1' }] }, ['/steps/0/device']],
  ['a quantity below 0', { sequenceid: 's', steps: [{ order: 1, device: ONE, quantity: -1 }] }, ['/steps/0/quantity']],
  [
    'an unknown arrow and color',
    {
      sequenceid: 's',
      steps: [STEPS[0], { order: 1, device: ONE, arrow: 'north' }, { order: 1, device: ONE, color: 'x' }],
    },
    ['/steps/1/arrow', '/steps/2/color'],
  ],
  [
    'a step with a missing field and one with an invalid value',
    { sequenceid: 's', steps: [{ device: ONE }, { order: 1, device: ONE, arrow: 'north' }] },
    ['/steps/0/order', '/steps/1/arrow'],
  ],
  [
    'a step with a kill',
    { sequenceid: 's', steps: [{ order: 1, device: ONE, command: 'kill' }] },
    ['/steps/0/command'],
  ],
  [
    'a step with statics',
    { sequenceid: 's', steps: [{ order: 1, device: ONE, command: 'static' }] },
    ['/steps/0/command'],
  ],
  ['an unknown command', { sequenceid: 's', steps: [{ order: 1, device: ONE, command: 'x' }] }, ['/steps/0/command']],
])('a request with %s gets 400 with JSON Pointers, and creates nothing', async (_, body, paths) => {
  const answer = await send('POST', PATH, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  const { detail, errors } = answer.body as Problem;
  expect(errors?.map(({ path }) => path)).toEqual(paths);
  expect(detail.endsWith(' And 1 more.'), detail).toBe(paths.length === 2);
  expect(await names()).toEqual([]);
  await shop.create(STEPS);
  const before = await shop.get();
  const { sequenceid: _name, ...changed } = body as { sequenceid: string };
  if (!paths.includes('/sequenceid')) expect((await send('PUT', shop.path(), changed)).status).toBe(400);
  expect(await shop.get()).toEqual(before);
});

test('accepts what older clients send: numbers as text, empty fields, and fields of other versions', async () => {
  const created = await shop.create(
    [
      { order: '2', device: '', location: 12, line1: 7, quantity: '', seconds: '90', api: '2.0' },
      { order: 0, device: ONE, location: null, command: '', color: '', stepnonce: 5 },
    ],
    { sequencenonce: 8, version: 1 },
  );
  expect(created).toMatchObject({
    sequencenonce: '8',
    steps: [
      { order: 2, location: '12', line1: '7', seconds: 90 },
      { order: 0, device: ONE, stepnonce: '5' },
    ],
    warnings: [
      '/steps/0/location: No device is found at "12" yet. The launch is refused until there is one.',
      '/version: There is no such field.',
      '/steps/0/api: There is no such field.',
    ],
  });
  expect(created.steps[0]).not.toHaveProperty('device');
});

test('a sequence can be created in XML', async () => {
  const xml = `<sequence><sequenceid>7</sequenceid><sequencenonce>n</sequencenonce>
    <steps><order>1</order><device>${ONE}</device><command>flash</command></steps>
    <steps><order>2</order><location>A-1</location><line1>M8 &lt; 20</line1><quantity>5</quantity></steps></sequence>`;
  const headers = { 'api-key': API_KEY, 'content-type': 'application/xml' };
  const answer = await shop.station.request('POST', PATH, xml, headers);
  expect(answer.status).toBe(201);
  expect(await shop.station.get(`${PATH}7/`)).toMatchObject({
    sequencenonce: 'n',
    steps: [
      { order: 1, device: ONE, command: 'flash' },
      { order: 2, location: 'A-1', line1: 'M8 < 20', quantity: 5 },
    ],
  });
});

test('a step that names only a device becomes a flash, and missing values are taken from the settings at launch', async () => {
  await shop.create([
    { order: 1, device: ONE },
    { order: 1, device: TWO, quantity: 3, command: 'PICK', color: 'b', seconds: 0 },
  ]);
  await shop.station.patch('/api/settings/', { default_seconds: 33, default_color: 'green' });
  await shop.launch();
  const [first] = (await shop.station.device(ONE)).commands;
  expect(first).toMatchObject({ command: 'flash', seconds: 33, color: 'green', sequenceid: 'round 7', nonce: '' });
  const [second] = (await shop.station.device(TWO)).commands;
  expect(second).toMatchObject({ command: 'pick', seconds: 0, color: 'b', quantity: 3 });
  expect((await shop.step(0)).seconds).toBeUndefined();
});

test('warns about truncated texts when a sequence is created', async () => {
  const { warnings } = await shop.create([
    { order: 1, device: ONE },
    { order: 1, device: ONE, line1: 'x'.repeat(30) },
  ]);
  expect(warnings).toEqual([expect.stringMatching(/^\/steps\/1: line1/)]);
  const many = await send('PUT', shop.path(), {
    steps: Array.from({ length: 60 }, () => ({ order: 1, device: ONE, line1: 'x'.repeat(30) })),
  });
  const all = (many.body as SequenceResult).warnings;
  expect([all.length, all.at(-1)]).toEqual([51, 'And 10 more.']);
});

test('names the first ten of many unknown fields', async () => {
  const unknown = Array.from({ length: 12 }, (_, index) => [`field${index}`, 1] as const);
  const step = { order: 1, device: ONE, ...Object.fromEntries(unknown.slice(3)) };
  const { warnings } = await shop.create([step], Object.fromEntries(unknown.slice(0, 3)));
  const named = unknown.slice(0, 10).map(([name], index) => `${index < 3 ? '' : '/steps/0'}/${name}`);
  expect(warnings).toEqual(named.map((path) => `${path}: There is no such field.`));
});

test('refuses a GET launch that another site triggers in a browser, and HEAD does not launch', async () => {
  await shop.create(STEPS);
  const { cookies } = await openSession(shop.station);
  const path = '/api/launchsequence/round%207/';
  const foreign = await shop.station.request('GET', path, undefined, { ...cookies, 'sec-fetch-site': 'cross-site' });
  expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
  const head = await rawRequest(shop.station.url, { method: 'HEAD', path, headers: { 'api-key': API_KEY } });
  expect(head.status).toBe(405);
  expect(await shop.stands()).toBe('unstarted: pending pending');
  const own = await shop.station.request('GET', path, undefined, { ...cookies, 'sec-fetch-site': 'same-origin' });
  expect(own.status).toBe(200);
  expect(await shop.stands()).toBe('in-progress: active pending');
});

test("a browser session can launch only from a page of the station or a typed address, but a program's session without such headers can", async () => {
  await shop.create(STEPS);
  const { station } = shop;
  const launch = async (headers: Record<string, string>) =>
    (await station.request('GET', '/api/launchsequence/round%207/?restart=1', undefined, headers)).status;
  const referer = station.url;
  const { cookies } = await openSession(station, undefined, { origin: new URL(station.url).origin });
  const program = await openSession(station);
  for (const foreign of [
    { ...cookies },
    { ...cookies, referer: 'http://127.0.0.1:1/' },
    { ...cookies, referer: 'http://localhost.evil.example/' },
    { ...cookies, 'sec-fetch-site': 'same-site', referer },
    { ...cookies, 'sec-fetch-site': 'cross-site' },
    { ...program.cookies, 'sec-fetch-site': 'same-site' },
  ])
    expect(await launch(foreign), JSON.stringify(foreign)).toBe(403);
  expect(await shop.stands()).toBe('unstarted: pending pending');
  for (const own of [
    { ...cookies, referer },
    { ...cookies, 'sec-fetch-site': 'none' },
    { ...cookies, 'sec-fetch-site': 'same-origin' },
    program.cookies,
  ])
    expect(await launch(own), JSON.stringify(own)).toBe(200);
  expect(await shop.stands()).toBe('in-progress: active pending');
});

test('with the sequence family off, no callbacks are sent, but the history is recorded', async () => {
  await shop.station.patch('/api/settings/', { callback_families: { sequence: false } });
  await shop.create([{ order: 1, device: ONE, stepnonce: 'n' }], { sequencenonce: 'all' });
  await shop.launch();
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  expect(shop.station.rows('SELECT * FROM outbox')).toEqual([]);
  expect((await shop.history()).map(({ kind }) => kind)).toEqual([
    'sequence_completed',
    'acknowledged',
    'sequence_launched',
  ]);
});
