import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { LoggedRequest } from '#shared/api/requestLog.ts';
import type { WallBoard, WallScreen, WallScreenLink, WallSession } from '#shared/api/wallBoard.ts';
import { fetchDocument, operations } from '../../contract/documents.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { addOrder, anItem, launch, ONE, orderPath, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { API_KEY, START_MS, startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Screens for a wall: their links, their sessions, and what they show.
let station: TestStation;
const JSON_TYPE = { 'content-type': 'application/json' };
const DAY_MS = 24 * 3_600_000;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterEach(() => station.stop());

const list = () => station.get<WallScreen[]>('/api/screens/');
const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code];
const open = (secret: string) => station.request('POST', '/api/screens/session/', { secret }, JSON_TYPE);
const board = () => station.get<WallBoard>('/api/wall-board/');

async function addScreen(name = 'Packing bench'): Promise<WallScreenLink & { secret: string }> {
  const link = await station.post<WallScreenLink>('/api/screens/', { name });
  return { ...link, secret: (link.url ?? '').split('#')[1] ?? '' };
}

/** Opens the link of a screen and returns the headers for its requests. */
async function openScreen(secret: string): Promise<Record<string, string>> {
  const answer = await open(secret);
  if (answer.status !== 200) throw new Error(`The secret was answered ${answer.status}.`);
  return { 'api-key': (answer.body as WallSession).apikey };
}

test('the link of a screen is shown only once, and the station stores only the hash of its secret', async () => {
  const { id, url, secret } = await addScreen();
  expect(url).toBe(`${station.url}board#${secret}`);
  expect(secret).toMatch(/^psb_[\w-]{43}$/);
  expect(await list()).toEqual([{ id, name: 'Packing bench', created: new Date(START_MS).toISOString(), sessions: 0 }]);
  expect(JSON.stringify(station.rows('SELECT * FROM screens'))).not.toContain(secret);
  expect(codeOf(await station.request('POST', '/api/screens/', { name: 'packing BENCH' }))).toEqual([409, 'conflict']);
  expect(codeOf(await station.request('POST', '/api/screens/', { name: ' ' }))).toEqual([400, 'invalid']);
});

test('the secret of a screen is neither in the request log nor in an answer stored for an idempotency key', async () => {
  await station.patch('/api/settings/', { request_log: true });
  const headers = { 'api-key': API_KEY, ...JSON_TYPE, 'idempotency-key': 'one screen' };
  const first = await station.request('POST', '/api/screens/', { name: 'Door' }, headers);
  const secret = (first.body as WallScreenLink).url?.split('#')[1] ?? '';
  await open(secret);
  const again = await station.request('POST', '/api/screens/', { name: 'Door' }, headers);
  expect(again).toMatchObject({ status: 201, body: { name: 'Door', url: null } });
  const logged = await station.get<LoggedRequest[]>('/api/requests/');
  const whole: unknown[] = [];
  for (const { id } of logged) whole.push(await station.get(`/api/requests/${id}/`));
  expect(JSON.stringify(whole)).toContain('/api/screens/session/');
  expect(JSON.stringify(whole)).not.toContain(secret);
  expect(JSON.stringify(station.rows('SELECT * FROM keyed_requests'))).not.toContain(secret);
});

test('a screen can read the board and follow the event stream without a cookie, but cannot write', async () => {
  const { secret } = await addScreen();
  const answer = await open(secret);
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(Date.parse((answer.body as WallSession).expires_at)).toBe(START_MS + 14 * DAY_MS);
  const headers = { 'api-key': (answer.body as WallSession).apikey };
  expect((await station.request('GET', '/api/wall-board/', undefined, headers)).status).toBe(200);
  expect((await list())[0]).toMatchObject({ sessions: 1 });
  await addOrder(station, '1001', [anItem()]);
  const writes: [string, string, object?][] = [
    ['POST', '/api/orders/', { order_number: '7', items: [anItem()] }],
    ['POST', orderPath('1001', 'launch/')],
    ['POST', '/api/screens/', { name: 'Another' }],
    ['DELETE', '/api/screens/1/'],
    ['PATCH', '/api/settings/', { default_seconds: 9 }],
    ['POST', '/api/devices/', { deviceid: ONE, command: 'flash' }],
  ];
  for (const [method, path, body] of writes) {
    const refused = await station.request(method, path, body, { ...headers, ...JSON_TYPE });
    expect(codeOf(refused), `${method} ${path}`).toEqual([403, 'forbidden']);
  }
  expect((await station.request('GET', '/api/screens/', undefined, headers)).status).toBe(403);
});

test('a screen reads only its board: its stream has no contents, and every other read is refused', async () => {
  const { secret } = await addScreen();
  const headers = await openScreen(secret);
  const document = await fetchDocument(station, '/api/openapi.json');
  const refused: string[] = [];
  for (const { path, method, operation } of operations(document)) {
    const isPublic = JSON.stringify(operation.security) === '[]';
    if (
      method.toUpperCase() !== 'GET' ||
      isPublic ||
      path === '/api/wall-board/' ||
      path === '/api/events/' ||
      path.includes('{command}')
    )
      continue;
    const to = path.replaceAll(/\{\w+\}/g, '1');
    const { status, body } = await station.request('GET', to, undefined, headers);
    expect([status, (body as { code?: string }).code], path).toEqual([403, 'forbidden']);
    refused.push(path);
  }
  expect(refused.length).toBeGreaterThan(80);
  const stream = await openStream(station.url, { headers });
  await addOrder(station, '1001', [anItem()], { customer: 'Jane Doe', note: 'blue door' });
  await station.clock.advance(100);
  await stream.until(() => stream.commits().length > 0);
  expect(new Set(stream.commits().map(({ facts }) => facts.length))).toEqual(new Set([0]));
  const { id } = stream.commits()[0] ?? { id: 0 };
  const resumed = await openStream(station.url, { headers, lastEventId: String(id - 1) });
  await resumed.until(() => resumed.commits().length > 0);
  for (const each of [stream, resumed]) {
    expect(each.text()).not.toMatch(/1001|Jane|blue|ephemera/);
    each.close();
  }
  expect(JSON.stringify((await station.request('GET', '/api/wall-board/', undefined, headers)).body)).not.toMatch(
    /Jane|blue/,
  );
});

test('removing a screen immediately ends its link, its sessions and their open streams', async () => {
  const kept = await addScreen('Kept');
  const { id, secret } = await addScreen();
  const [headers, others] = [await openScreen(secret), await openScreen(kept.secret)];
  const [stream, other] = await Promise.all([
    openStream(station.url, { headers }),
    openStream(station.url, { headers: others }),
  ]);
  expect((await station.request('DELETE', `/api/screens/${id}/`)).status).toBe(204);
  await stream.ended();
  expect(stream.isWhole()).toBe(true);
  expect(codeOf(await station.request('GET', '/api/wall-board/', undefined, headers))).toEqual([
    401,
    'unauthenticated',
  ]);
  expect(codeOf(await open(secret))).toEqual([401, 'unauthenticated']);
  expect(codeOf(await station.request('DELETE', `/api/screens/${id}/`))).toEqual([404, 'not_found']);
  expect((await station.request('GET', '/api/wall-board/', undefined, others)).status).toBe(200);
  other.close();
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  expect(entries.slice(0, 3).map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    'session.refused ',
    'screen.removed Packing bench',
    'screen.added Packing bench',
  ]);
});

test('a screen session ends after 14 days and at a restart, and the same link opens a new session', async () => {
  const { secret } = await addScreen();
  const headers = await openScreen(secret);
  const read = () => station.request('GET', '/api/wall-board/', undefined, headers);
  await station.clock.advance(14 * DAY_MS - 1_000);
  expect((await read()).status).toBe(200);
  await station.clock.advance(1_000);
  expect((await read()).status).toBe(401);
  const again = await openScreen(secret);
  await station.restart();
  expect((await station.request('GET', '/api/wall-board/', undefined, again)).status).toBe(401);
  await openScreen(secret);
  expect((await list())[0]).toMatchObject({ sessions: 1 });
});

test('reloading a screen keeps only its latest twenty sessions', async () => {
  const { secret } = await addScreen();
  const first = await openScreen(secret);
  for (let reload = 0; reload < 20; reload += 1) await openScreen(secret);
  expect((await list())[0]).toMatchObject({ sessions: 20 });
  expect((await station.request('GET', '/api/wall-board/', undefined, first)).status).toBe(401);
});

test('wrong secrets count as wrong keys: after thirty, only links already opened at that address work for a while', async () => {
  const { secret } = await addScreen();
  const opened = await addScreen('Opened before');
  await openScreen(opened.secret);
  for (let tries = 0; tries < 30; tries += 1) expect((await open(`psb_guess${tries}`)).status).toBe(401);
  expect(codeOf(await open(secret))).toEqual([429, 'too_many_requests']);
  expect((await station.request('GET', '/api/device/', undefined, { 'api-key': 'another' })).status).toBe(429);
  expect((await open(opened.secret)).status).toBe(200);
  await station.clock.advance(30_000);
  expect((await open(secret)).status).toBe(200);
});

test('orders are listed by due time, then priority; those without a due time come last, and customers and notes are left out', async () => {
  const due = (minutes: number) => new Date(START_MS + minutes * 60_000).toISOString();
  const words = { customer: 'Ms Secret', note: 'Fragile gift' };
  await addOrder(station, 'no due', [anItem()], words);
  await addOrder(station, 'urgent', [anItem()], { priority: 5 });
  await addOrder(station, 'later', [anItem()], { due_time: due(90) });
  await addOrder(station, 'late', [anItem(), anItem({ deviceid: THREE_BUTTONS })], { ...words, due_time: due(1) });
  await launch(station, 'late');
  await press(station, ONE);
  await station.clock.advance(120_000);
  const { orders, ...counts } = await board();
  expect(orders.map(({ order_number: number }) => number)).toEqual(['late', 'later', 'urgent', 'no due']);
  expect(orders[0]).toEqual({
    order_number: 'late',
    state: 'in_progress',
    due_time: due(1),
    late: true,
    item_count: 2,
    done_count: 1,
    short_count: 0,
    attention: [],
    pickers: [],
  });
  expect(counts).toMatchObject({ order_count: 4, late_count: 1, lines_today: 1, lines_last_hour: 1 });
  expect(JSON.stringify(orders)).not.toMatch(/Secret|gift|customer|note/);
});

test("counts today's confirmed lines per person and hour, including lines without a picker, but not undone lines", async () => {
  await station.post('/api/users/', { username: 'Paula', password: 'long enough', role: 'picker' });
  await station.clock.advance(10 * 60_000);
  await addOrder(station, 'A', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  const order = await station.post<{ items: { id: number }[] }>(orderPath('A', 'launch/'), { picker: 'Paula' });
  await station.clock.advance(5_000);
  await press(station, ONE);
  await addOrder(station, 'B', [anItem()]);
  await launch(station, 'B');
  await press(station, ONE);
  await station.clock.advance(2 * 3_600_000);
  await press(station, THREE_BUTTONS);
  const counted = await board();
  expect(counted.people).toEqual([
    { name: 'Paula', lines: 2 },
    { name: '', lines: 1 },
  ]);
  expect(counted).toMatchObject({ lines_today: 3, lines_last_hour: 1 });
  expect(counted.hours.map(({ lines }) => lines)).toEqual([2, 1]);
  const [first] = order.items;
  await station.post(orderPath('A', `items/${first?.id}/reopen/`), {});
  await station.clock.advance(2_000);
  expect((await board()).lines_today).toBe(2);
  await station.clock.advance(DAY_MS);
  expect(await board()).toMatchObject({ lines_today: 0, people: [], hours: [] });
});

test("today's shorts and the open alerts are grouped by kind, each with a count and names", async () => {
  expect((await board()).care).toEqual([]);
  await addOrder(station, 'A', [anItem()]);
  const { items = [] } = await launch(station, 'A');
  const path = orderPath('A', `items/${items[0]?.id}/short/`);
  await station.post(path, { quantity_fulfilled: 1, reason: 'missing' });
  await station.post('/api/devices/', { deviceid: ONE, locationoverride: 'A-1-1', update_only: true });
  await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv: 2_000 });
  await station.clock.advance(120_000);
  expect((await board()).care).toEqual([
    { kind: 'short', count: 1, names: ['A'] },
    { kind: 'battery_low', count: 1, names: ['A-1-1'] },
  ]);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(20 * 60_000);
  const care = (await board()).care;
  expect(care.map(({ kind }) => kind)).toContain('turbo_offline');
  expect(care.find(({ kind }) => kind === 'turbo_offline')?.names).toEqual(['SIM-1']);
});
