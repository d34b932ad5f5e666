import { expect, test, vi } from 'vitest';
import { createApi } from '../../../renderer/src/station/calls/api.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { station } from '../support.tsx';

type Asked = { url: string; init: RequestInit };

function apiThatAnswers(answer: () => Response | Promise<Response>) {
  const asked: Asked[] = [];
  let signedOut = 0;
  let otherSession = 0;
  const cookies = { now: 'theme=dark; csrftoken=abc%3D1' };
  const api = createApi({
    fetch: async (url, init) => {
      asked.push({ url: typeof url === 'string' ? url : '', init: init ?? {} });
      return answer();
    },
    cookies: () => cookies.now,
    now: () => Date.parse('2026-11-20T08:00:10.500Z'),
    onSignedOut: () => {
      signedOut += 1;
    },
    onOtherSession: () => {
      otherSession += 1;
    },
  });
  return { api, asked, cookies, signedOut: () => signedOut, otherSession: () => otherSession };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('the call did not fail as it should');
  return error;
}

test('write requests carry the CSRF token from the cookie', async () => {
  const { api, asked } = apiThatAnswers(() =>
    json(200, { deviceid: '51D000:000001', command_id: '1', state: 'queued', warnings: [] }),
  );
  await api.sendToDevice({ path: { DeviceID: '51D000:000001' }, body: { command: 'flash', line1: 'Hello' } });
  expect(asked[0]?.url).toBe('/api/device/51D000:000001/');
  const headers = new Headers(asked[0]?.init.headers);
  expect(headers.get('x-csrf-token')).toBe('abc=1');
  expect(headers.get('content-type')).toBe('application/json');
  expect(asked[0]?.init.body).toBe('{"command":"flash","line1":"Hello"}');
});

test('a call times out after ten seconds, later if it hashes a password or makes a backup, and a sign-out earlier', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout');
  const { api } = apiThatAnswers(() => json(200, {}));
  await api.getBatch({ path: { id: 7 } });
  await api.addUser({ body: { username: 'Ann', password: 'long enough', role: 'picker' } });
  await api.makeBackup();
  await api.signOut();
  const { calls } = limits.mock;
  limits.mockRestore();
  expect(calls).toEqual([[10_000], [60_000], [1_800_000], [3_000]]);
});

test('a change to the settings sends the ETag of the settings it is based on', async () => {
  let tag = '"1"';
  const { api, asked } = apiThatAnswers(() => json(200, {}, { etag: tag }));
  const read = await api.getSettings();
  tag = '"2"';
  const changed = await api.changeSettings({ order_days: 3 }, read);
  await api.changeSettings({ order_days: 4 }, changed);
  await api.changeSettings({ order_days: 5 });
  expect(asked.map(({ init }) => new Headers(init.headers).get('if-match'))).toEqual([null, '"1"', '"2"', null]);
});

test('refuses a change to a rack if somebody else has changed the same field since the page read it', async () => {
  const rack = { id: 'r', name: 'A', note: '', columns: 4, shelves: [] };
  const { api, asked } = apiThatAnswers(() => json(200, { ...rack, note: 'Beside the door' }, { etag: '"1"' }));
  const read = asked.length;
  expect((await failureOf(api.changeRack({ id: 'r', change: { note: 'Cold' }, seen: rack }))).code).toBe('changed');
  expect(asked).toHaveLength(read + 1);
  await api.changeRack({ id: 'r', change: { name: 'B' }, seen: rack });
  expect(asked.map(({ url, init }) => [init.method, url, new Headers(init.headers).get('if-match')]).slice(1)).toEqual([
    ['GET', '/api/map/racks/r/', null],
    ['PATCH', '/api/map/racks/r/', '"1"'],
  ]);
});

test('refuses to change or remove a receiver that has changed since the user saw it', async () => {
  const seen = {
    id: '2',
    name: 'Printer',
    url: 'http://printer.shop.example/',
    families: {
      device: true,
      sequence: true,
      order: true,
      order_state: false,
      condition: false,
      movement: false,
      task: false,
    },
    paused: false,
    api_key_set: false,
    signing_secret_set: false,
    unreadable_secrets: [],
    waiting: 0,
    failed: 0,
    last: null,
    trouble: null,
  };
  let now = { ...seen, name: 'Label printer', waiting: 4 };
  const { api, asked } = apiThatAnswers(() => json(200, now, { etag: '"1"' }));
  expect((await failureOf(api.changeCallbackReceiver({ id: '2', change: { name: 'Mine' }, seen }))).code).toBe(
    'changed',
  );
  expect((await failureOf(api.removeCallbackReceiver('2', seen))).code).toBe('changed');
  await api.changeCallbackReceiver({ id: '2', change: { paused: true }, seen });
  now = { ...seen, waiting: 5 };
  await api.removeCallbackReceiver('2', seen);
  const path = '/api/callback-receivers/2/';
  expect(asked.map(({ url, init }) => [init.method, url, new Headers(init.headers).get('if-match')])).toEqual([
    ['GET', path, null],
    ['GET', path, null],
    ['GET', path, null],
    ['PATCH', path, '"1"'],
    ['GET', path, null],
    ['DELETE', path, '"1"'],
  ]);
});

test('refuses a change to an order if one of the changed fields differs from what the user saw, even if that field was empty', async () => {
  const seen = { priority: 0, due_time: null };
  const { api, asked } = apiThatAnswers(() => json(200, { ...seen, note: 'Fragile' }, { etag: '"1"' }));
  expect((await failureOf(api.changeOrder({ order_number: '7/1', change: { note: 'Call first' }, seen }))).code).toBe(
    'changed',
  );
  await api.changeOrder({ order_number: '7/1', change: { note: 'Call first' }, seen: { ...seen, note: 'Fragile' } });
  await api.changeOrder({ order_number: '7/1', change: { priority: 5 }, seen });
  expect(
    asked.slice(1).map(({ url, init }) => [init.method, url, new Headers(init.headers).get('if-match'), init.body]),
  ).toEqual([
    ['GET', '/api/orders/7%2F1/', null, null],
    ['PATCH', '/api/orders/7%2F1/', '"1"', '{"note":"Call first"}'],
    ['GET', '/api/orders/7%2F1/', null, null],
    ['PATCH', '/api/orders/7%2F1/', '"1"', '{"priority":5}'],
  ]);
});

test('replaces the map only if the current map is the expected one', async () => {
  const map = { racks: [], places: [], zones: [] };
  const { api, asked } = apiThatAnswers(() => json(200, map, { etag: '"1"' }));
  expect((await failureOf(api.replaceMap(map, () => false))).code).toBe('changed');
  expect(asked.map(({ init }) => init.method)).toEqual(['GET']);
  await api.replaceMap(map, () => true);
  expect(asked.map(({ init }) => [init.method, new Headers(init.headers).get('if-match')]).slice(1)).toEqual([
    ['GET', null],
    ['PUT', '"1"'],
  ]);
});

test('sends the CSRF token of this station, even if the browser has cookies of other stations', async () => {
  const { api, asked, cookies } = apiThatAnswers(() => json(200, { id: 'here' }));
  cookies.now = 'pickstation-csrf-other=wrong; csrftoken=program; pickstation-csrf-here=own';
  await api.loadStation();
  await api.identifyDevice({ path: { DeviceID: '51D000:000001' } });
  expect(new Headers(asked[1]?.init.headers).get('x-csrf-token')).toBe('own');
});

test('reuses a stored response when the station answers 304', async () => {
  let status = 200;
  const { api, asked } = apiThatAnswers(() =>
    status === 304
      ? new Response(null, { status, headers: { etag: '"1"' } })
      : json(200, { racks: [], places: [], zones: [] }, { etag: '"1"' }),
  );
  const first = await api.getMap();
  status = 304;
  expect(await api.getMap()).toBe(first);
  expect(asked.map(({ init }) => new Headers(init.headers).get('if-none-match'))).toEqual([null, '"1"']);
  // Only the last eight responses are kept.
  status = 200;
  for (let order = 0; order < 8; order += 1) await api.getOrder({ path: { order_number: String(order) } });
  await api.getMap();
  expect(new Headers(asked.at(-1)?.init.headers).get('if-none-match')).toBeNull();
});

test('a page writes only in the session of its snapshot, not in a session started by another tab', async () => {
  let answer = () => json(200, station());
  const { api, asked, cookies, otherSession } = apiThatAnswers(() => answer());
  await api.loadStation();
  cookies.now = 'csrftoken=other';
  answer = () => json(403, { code: 'csrf', detail: 'A write in a session must send the token of its sign-in.' });
  expect((await failureOf(api.identifyDevice({ path: { DeviceID: '51D000:000001' } }))).code).toBe('csrf');
  const tokens = () => asked.map(({ init }) => new Headers(init.headers).get('x-csrf-token'));
  expect([tokens(), otherSession()]).toEqual([[null, 'abc=1'], 1]);
  // After a new snapshot, the page uses the session of the other tab.
  answer = () => json(200, station());
  await api.loadStation();
  await api.signOut();
  // After a sign-in, the page uses the new session.
  cookies.now = 'csrftoken=next';
  await api.signIn({ username: 'Anna', password: 'long enough' });
  await api.identifyDevice({ path: { DeviceID: '51D000:000001' } });
  expect(tokens().slice(2)).toEqual([null, 'other', 'other', 'next']);
});

test('an error page from a gateway counts as an unreachable station', async () => {
  const { api } = apiThatAnswers(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect((await failureOf(api.identifyDevice({ path: { DeviceID: '51D000:000001' } }))).code).toBe('unreachable');
});

test('read requests carry no CSRF token and put their filters into the query string', async () => {
  const { api, asked } = apiThatAnswers(() => json(200, []));
  await api.listHistory({ query: { deviceid: '51D000:000001', limit: 50 } });
  expect(asked[0]?.url).toBe('/api/history/?deviceid=51D000%3A000001&limit=50');
  expect(new Headers(asked[0]?.init.headers).has('x-csrf-token')).toBe(false);
});

test('converts an error response to an error with its message and fields', async () => {
  const problem = {
    detail: 'One field is wrong.',
    code: 'invalid',
    errors: [{ path: '/color', message: 'No color.' }],
  };
  const { api, signedOut } = apiThatAnswers(() => json(400, problem));
  const failure = await failureOf(api.sendToDevice({ path: { DeviceID: '51D000:000001' }, body: {} }));
  expect(failure.message).toBe('One field is wrong.');
  expect(failure.fields).toEqual([{ path: '/color', message: 'No color.' }]);
  expect(signedOut()).toBe(0);
});

test('a 401 response to any request except a sign-in ends the session', async () => {
  const { api, signedOut } = apiThatAnswers(() => json(401, { detail: 'No.', code: 'unauthenticated' }));
  await failureOf(api.signIn({ username: 'admin', password: 'wrong' }));
  expect(signedOut()).toBe(0);
  await failureOf(
    api.pressSimulatedDevice({ path: { DeviceID: '51D000:000001' }, body: { button: 'front', hold: 'short' } }),
  );
  expect(signedOut()).toBe(1);
});

test('reports a missing or unreadable response with a readable message', async () => {
  const silent = apiThatAnswers(() => Promise.reject(new TypeError('Failed to fetch')));
  const failure = await failureOf(silent.api.loadStation());
  expect(failure.code).toBe('unreachable');
  expect(failure.message).toMatch(/does not answer/);
  const odd = apiThatAnswers(() => new Response('<html>', { status: 502 }));
  expect((await failureOf(odd.api.loadStation())).message).toMatch(/^The station refused this\. Try again\./);
  const empty = apiThatAnswers(() => new Response('null', { status: 503 }));
  expect((await failureOf(empty.api.loadStation())).message).toMatch(/^The station refused this\. Try again\./);
  const other = apiThatAnswers(() => new Response('<html>'));
  const unread = await failureOf(other.api.loadStation());
  expect(unread.code).toBe('unreachable');
  expect(unread.message).toMatch(/cannot read/);
});

test('reads the clock skew from the Date header of the response', async () => {
  const same = apiThatAnswers(() => json(200, {}, { date: 'Fri, 20 Nov 2026 08:00:10 GMT' }));
  expect((await same.api.loadStation()).clockSkewMs).toBe(0);
  const behind = apiThatAnswers(() => json(200, {}, { date: 'Fri, 20 Nov 2026 07:59:10 GMT' }));
  expect((await behind.api.loadStation()).clockSkewMs).toBe(60_000);
});

test('rejects an ID that would change the request path, and sends nothing', async () => {
  const { api, asked } = apiThatAnswers(() => new Response(null, { status: 204 }));
  for (const command_id of ['.', '..']) {
    const call = () => api.removeCommand({ path: { DeviceID: '51D000:000001', command_id } });
    await expect(call).rejects.toThrow(TypeError);
  }
  expect(asked).toEqual([]);
});

test('an aborted request rejects with the abort reason, and requests never follow redirects', async () => {
  const { api, asked } = apiThatAnswers(() => Promise.reject(new DOMException('aborted', 'AbortError')));
  const caller = new AbortController();
  const reason = new Error('no longer wanted');
  caller.abort(reason);
  await expect(api.summarizeHistory({ query: {} }, { signal: caller.signal })).rejects.toBe(reason);
  expect(asked[0]?.init).toMatchObject({ redirect: 'error', cache: 'no-store' });
  expect(asked[0]?.init.signal?.aborted).toBe(true);
});
