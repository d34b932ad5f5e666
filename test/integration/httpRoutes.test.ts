import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import { fetchDocument, operations, type Operation } from '../contract/documents.ts';
import { openSession } from '../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';

type Scope = 'public' | 'read' | 'control' | 'admin';

/** Who may use what, written down once more by hand: a new route has to be added, and a change is one of these lines. */
const EXPECTED: Readonly<Record<Scope, readonly string[]>> = {
  public: [
    'GET /healthz',
    'POST /api/user/login/',
    'POST /api/oauth/token/',
    'GET /api/openapi.json',
    ...['devices', 'location-aliases', 'sequence', 'orders'].flatMap((name) => [
      `GET /${name}/openapi.json`,
      `GET /api/${name}/openapi.json`,
    ]),
  ],
  read: [
    'GET /api/device/',
    'GET /api/device/{DeviceID}/',
    'GET /api/device/{DeviceID}/screen/',
    'POST /api/preview/',
    'GET /api/sounds/',
    'GET /api/sounds/{name}/',
    'GET /api/turbo/',
    'GET /api/turbo/links/',
    'GET /api/turbo/traffic/',
    'GET /api/turbo/{SerialNo}/',
    'GET /api/alerts/',
    'GET /api/station/',
    'GET /api/events/',
    'GET /api/map/',
    'GET /api/history/',
    'GET /api/history/commands/{command_id}/',
    'GET /api/history/export/',
    'GET /api/history/summary/',
    'GET /api/location-aliases/',
    'GET /api/location-aliases/export/',
    'GET /api/location-aliases/import/',
    'GET /api/location-aliases/{id}/',
    'GET /api/sequence/',
    'GET /api/sequence/{seqID}/',
    'GET /api/sequence-progress/',
    'GET /api/orders/',
    'GET /api/orders/{order_number}/',
    'GET /api/order-progress/',
    'POST /api/user/logout/',
    'POST /api/user/password/',
  ],
  control: [
    'POST /api/device/{DeviceID}/',
    'PUT /api/device/{DeviceID}/',
    'POST /api/devices/',
    'PUT /api/devices/',
    'GET /api/{DeviceID}/{command}/',
    'GET /api/{DeviceID}/{command}/{texts}/',
    'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/',
    'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/',
    'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/',
    'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/{nonce}/',
    'POST /api/turbo/links/{id}/retry/',
    'POST /api/alerts/acknowledge/',
    'POST /api/alerts/{id}/acknowledge/',
    'POST /api/alerts/{id}/end/',
    'POST /api/device/{DeviceID}/acknowledge/',
    'DELETE /api/device/{DeviceID}/commands/{command_id}/',
    'POST /api/device/{DeviceID}/adjust/',
    'POST /api/device/{DeviceID}/identify/',
    'POST /api/location-aliases/',
    'POST /api/location-aliases/import/',
    'POST /api/location-aliases/import/undo/',
    'PUT /api/location-aliases/{id}/',
    'DELETE /api/location-aliases/{id}/',
    'POST /api/sequence/',
    'PUT /api/sequence/{seqID}/',
    'DELETE /api/sequence/{seqID}/',
    'GET /api/launchsequence/{seqID}/',
    'POST /api/orders/',
    'DELETE /api/orders/{order_number}/',
    'POST /api/orders/{order_number}/launch/',
    'POST /api/orders/{order_number}/abort/',
    'PATCH /api/orders/{order_number}/items/{id}/',
    'POST /api/simulator/devices/',
    'POST /api/simulator/devices/{DeviceID}/press/',
    'PATCH /api/simulator/devices/{DeviceID}/',
    'PATCH /api/simulator/turbos/{SerialNo}/',
  ],
  admin: [
    'GET /api/devices/waiting/',
    'GET /api/devices/refused/',
    'POST /api/devices/refused/',
    'DELETE /api/devices/refused/{DeviceID}/',
    'GET /api/turbo/ports/',
    'POST /api/turbo/links/',
    'DELETE /api/turbo/links/{id}/',
    'GET /api/turbo/network/',
    'PATCH /api/turbo/{SerialNo}/',
    'DELETE /api/turbo/{SerialNo}/',
    'GET /api/turbo/{SerialNo}/frames/',
    'GET /api/turbo/{SerialNo}/frames/export/',
    'POST /api/device/',
    'DELETE /api/device/{DeviceID}/',
    'POST /api/device/{DeviceID}/replace/',
    'PUT /api/map/',
    'POST /api/map/racks/',
    'PATCH /api/map/racks/{id}/',
    'DELETE /api/map/racks/{id}/',
    'POST /api/map/zones/',
    'PATCH /api/map/zones/{id}/',
    'DELETE /api/map/zones/{id}/',
    'PUT /api/map/places/{DeviceID}/',
    'DELETE /api/map/places/{DeviceID}/',
    'POST /api/map/arrange/',
    'POST /api/setup/',
    'POST /api/setup/demo/',
    'GET /api/settings/',
    'PATCH /api/settings/',
    'GET /api/callbacks/',
    'GET /api/callbacks/counts/',
    'GET /api/callbacks/received/',
    'DELETE /api/callbacks/received/',
    'GET /api/callbacks/{id}/',
    'POST /api/callbacks/replay/',
    'POST /api/callbacks/test/',
    'POST /api/callbacks/{id}/replay/',
    'GET /api/users/',
    'POST /api/users/',
    'PATCH /api/users/{username}/',
    'DELETE /api/users/{username}/',
    'GET /api/api-users/',
    'POST /api/api-users/',
    'POST /api/api-users/{id}/rotate/',
    'DELETE /api/api-users/{id}/',
    'GET /api/audit/',
    'POST /api/backups/',
    'GET /api/backups/',
    'GET /api/backups/status/',
    'POST /api/backups/cancel/',
    'POST /api/backups/upload/',
    'GET /api/backups/{name}/',
    'GET /api/backups/{name}/contents/',
    'POST /api/backups/{name}/restore/',
    'DELETE /api/backups/{name}/',
    'GET /api/diagnostics/',
    'GET /api/requests/',
    'GET /api/requests/{id}/',
  ],
};

/** Of the query string the forms belong to paths of their own, and these to nobody. */
const FILLED: Readonly<Record<string, string>> = {
  DeviceID: '51D0AB:00000F',
  command: 'message',
  tune: 'none',
  seconds_color: '20rb',
};

const PICKER = { username: 'Zebulon', password: 'long enough' };

let station: TestStation;
let routes: { name: string; method: string; path: string; scope: Scope }[];
/** Headers of everybody who can ask. */
const askers = new Map<string, Record<string, string>>();

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
  for (const scope of ['read', 'control', 'admin', 'turbo']) {
    const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: `${scope} program`, scope });
    askers.set(scope, { 'api-key': api_key });
  }
  await station.post('/api/users/', { ...PICKER, role: 'picker' });
  const { apikey } = await openSession(station, PICKER);
  askers.set('anonymous', {});
  askers.set('wrong key', { 'api-key': 'wrong' });
  askers.set('ended session', { cookie: 'sessionid=ended; csrftoken=x', 'x-csrf-token': 'x', referer: station.url });
  askers.set("picker's key", { 'api-key': apikey });
  const document = await fetchDocument(station, '/api/openapi.json');
  routes = operations(document).map(({ path, method, operation }) => ({
    name: `${method} ${path}`,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => FILLED[name] ?? '0'),
    scope: scopeOf(operation),
  }));
});

afterAll(() => station.stop());

function scopeOf({ security }: Operation): Scope {
  const [needed] = security.flatMap((way) => (way['oauth2'] as Scope[] | undefined) ?? []);
  return needed ?? 'public';
}

/** The status alone; nothing waits for a stream. */
async function status(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(new URL(path, station.url), {
    method,
    redirect: 'manual',
    // What is in them is nothing that anybody could want: who may is told so, and nothing is done.
    headers: { ...headers, ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '"nothing"' }),
  });
  await answer.body?.cancel();
  return answer.status;
}

test('the table of routes says of each who may use it, as it is written here', () => {
  const told = Object.fromEntries(routes.map(({ name, scope }) => [name, scope]));
  const expected = Object.fromEntries(
    Object.entries(EXPECTED).flatMap(([scope, names]) => names.map((name) => [name, scope])),
  );
  expect(told).toEqual(expected);
});

describe('each route, asked by', () => {
  const MAY: readonly (readonly [asker: string, may: readonly Scope[], refused: number])[] = [
    ['anonymous', ['public'], 401],
    ['wrong key', ['public'], 401],
    ['ended session', ['public'], 401],
    ['turbo', ['public'], 403],
    ['read', ['public', 'read'], 403],
    ['control', ['public', 'read', 'control'], 403],
    ["picker's key", ['public', 'read', 'control'], 403],
    ['admin', ['public', 'read', 'control', 'admin'], 0],
  ];

  test.each(MAY)('%s, is open to whom it should be', async (asker, may, refused) => {
    const headers = askers.get(asker) ?? {};
    for (const { name, method, path, scope } of routes) {
      const answered = await status(method, path, headers);
      if (may.includes(scope)) expect([401, 403], `${name}: ${answered}`).not.toContain(answered);
      else expect(answered, name).toBe(refused);
    }
  });

  test("a picker's session, is open to whom it should be; a write without its token to nobody", async () => {
    for (const { name, method, path, scope } of routes.filter(({ scope }) => scope !== 'public')) {
      const { write, cookies } = await session();
      if (method !== 'GET') expect(await status(method, path, cookies), name).toBe(403);
      const answered = await status(method, path, write);
      if (scope === 'admin') expect(answered, name).toBe(403);
      else expect([401, 403], `${name}: ${answered}`).not.toContain(answered);
    }
  });

  let opened: ReturnType<typeof openSession> | undefined;

  /** Anew after it was signed out. */
  async function session() {
    const found = await (opened ??= openSession(station, PICKER));
    if ((await status('GET', '/api/device/', found.cookies)) === 200) return found;
    opened = openSession(station, PICKER);
    return opened;
  }
});

test('what is open to everybody says nothing of anybody', async () => {
  for (const { path } of routes.filter(({ name, scope }) => scope === 'public' && name.startsWith('GET '))) {
    const answer = await station.request('GET', path, undefined, {});
    expect(answer.status, path).toBe(200);
    const text = JSON.stringify(answer.body);
    expect(
      [API_KEY, PICKER.username].filter((word) => text.includes(word)),
      path,
    ).toEqual([]);
  }
});
