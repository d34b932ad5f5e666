import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { ApiUserSecrets, AuditEntry } from '#shared/api/access.ts';
import type { Station } from '#shared/api/station.ts';
import type { WallScreenLink, WallSession } from '#shared/api/wallBoard.ts';
import {
  fetchDocument,
  frozenDocument,
  operations,
  rightsNeeded,
  type DocumentedOperation,
} from '../../contract/documents.ts';
import { makeKiosk } from '../../helpers/kiosk.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

/** A column in section 15 of the contract, or a part of a column that depends on a setting or on how the station was started. */
type Group = 'public' | 'read' | 'work' | 'control' | 'send' | 'labels' | 'orders' | 'imports' | 'admin' | 'simulator';

/** Routes that need no authentication. */
const PUBLIC = [
  'GET /healthz',
  'POST /api/user/login/',
  'POST /api/user/pin/',
  'GET /api/kiosk/',
  'POST /api/screens/session/',
  'POST /api/oauth/token/',
  'GET /api/openapi.json',
  ...['devices', 'location-aliases', 'sequence', 'orders'].flatMap((name) => [
    `GET /${name}/openapi.json`,
    `GET /api/${name}/openapi.json`,
  ]),
];

/** Rights by group, copied manually from section 15. The frozen document says which right a route needs. */
const GROUPS: Readonly<Record<string, Group>> = {
  read: 'read',
  work: 'work',
  send: 'send',
  edit_labels: 'labels',
  create_orders: 'orders',
  import_orders: 'imports',
  edit_orders: 'control',
  edit_stock: 'control',
  edit_sequences: 'control',
  handle_alerts: 'control',
  simulate: 'simulator',
  edit_map: 'admin',
  import_locations: 'admin',
  manage_devices: 'admin',
  manage_turbos: 'admin',
  manage_callbacks: 'admin',
  manage_people: 'admin',
  manage_keys: 'admin',
  manage_backups: 'admin',
  change_settings: 'admin',
  see_activity: 'admin',
  diagnose: 'admin',
  set_up: 'admin',
};

/**
 * Routes that section 15 reserves for admins, regardless of the rights in the definitions: all routes below the first group of paths, and
 * those below the second group that change something.
 */
const OF_ADMINS =
  /^\w+ \/api\/(?:settings(?!\/logo)|users|api-users|kiosks|screens\/(?!session)|callbacks|backups|audit|requests|diagnostics|setup|devices\/(?:waiting|refused))\/|^(?!GET)\w+ \/api\/(?:map|turbo|location-aliases\/import|settings\/logo)\//;
const CHANGE_ITEM = 'PATCH /api/orders/{order_number}/items/{id}/';

/** Writing routes that every reader may use, because they change only the caller's own data and the log. */
const WRITES_OF_READERS = [
  'POST /api/page-errors/',
  'POST /api/preview/',
  'POST /api/user/logout/',
  'POST /api/user/password/',
];

/**
 * The access rules of the latest agreed contract. A new route must first be added to the frozen document, where changed rights are refused.
 */
const GROUP_OF = new Map(
  operations(frozenDocument()).map(({ method, path, operation }): [string, Group | undefined] => {
    const name = `${method} ${path}`;
    const [right] = rightsNeeded(operation);
    return [name, PUBLIC.includes(name) ? 'public' : GROUPS[right ?? '']];
  }),
);

/** Values for path parameters: words of the query-string interface, and an unknown DeviceID. */
const FILLED: Readonly<Record<string, string>> = {
  DeviceID: '51D0AB:00000F',
  command: 'message',
  tune: 'none',
  seconds_color: '20rb',
};

/** A route that httpSession tests instead, because it ends the session that the other requests use, or is answered 401. */
const LOGOUT = 'POST /api/user/logout/';

const PEOPLE = [
  { username: 'Zebulon', password: 'long enough', role: 'picker' },
  { username: 'Yolanda', password: 'long enough', role: 'control' },
  { username: 'Xaver', password: 'long enough', role: 'admin' },
] as const;

/** The groups of routes that a key or person with the scope control can use. */
const CONTROL = ['public', 'read', 'work', 'control', 'send', 'labels', 'orders', 'imports', 'simulator'] as const;

/** The minimum scope of a token for each group, as the document states it. */
const SCOPE_OF: Readonly<Record<Group, string>> = {
  public: 'public',
  read: 'read',
  work: 'control',
  control: 'control',
  send: 'control',
  labels: 'control',
  orders: 'control',
  imports: 'control',
  simulator: 'control',
  admin: 'admin',
};

let station: TestStation;
let routes: { name: string; method: string; path: string; scope: string; group: Group }[];
/** The headers of each kind of caller. */
let askers: Map<string, Record<string, string>>;

async function start(simulate: number): Promise<void> {
  station = await startTestStation({ simulate });
  askers = new Map<string, Record<string, string>>([
    ['anonymous', {}],
    ['wrong key', { 'api-key': 'wrong' }],
    ['ended session', { cookie: 'sessionid=ended; csrftoken=x', 'x-csrf-token': 'x', referer: station.url }],
  ]);
  for (const scope of ['read', 'control', 'admin', 'turbo']) {
    const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: `${scope} program`, scope });
    askers.set(`${scope} key`, { 'api-key': api_key });
  }
  for (const person of PEOPLE) {
    await station.post('/api/users/', person);
    askers.set(person.role, { 'api-key': (await openSession(station, person)).apikey });
  }
  await addOtherAskers();
  const document = await fetchDocument(station, '/api/openapi.json');
  routes = operations(document).map(({ path, method, operation }) => {
    const name = `${method} ${path}`;
    const group = GROUP_OF.get(name);
    if (group === undefined) throw new Error(`${name} is not frozen, or needs a right that is not in the table.`);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => FILLED[parameter] ?? '0');
    return { name, method, path: filled, scope: scopeOf(operation), group };
  });
}

/** Adds API tokens narrowed to each scope, a person with a PIN at a kiosk, and a wall screen. */
async function addOtherAskers(): Promise<void> {
  const program = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Everything', scope: 'admin' });
  for (const scope of ['read', 'control', 'admin']) {
    const { client_id, client_secret } = program;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await station.request('POST', '/api/oauth/token/', String(form), type);
    askers.set(`${scope} token`, { authorization: `Bearer ${(body as { access_token: string }).access_token}` });
  }
  const [picker] = PEOPLE;
  await station.patch(`/api/users/${picker.username}/`, { pin: '04711' });
  askers.set('PIN', await (await makeKiosk(station)).open(picker.username, '04711'));
  const { url } = await station.post<WallScreenLink>('/api/screens/', { name: 'Door' });
  const secret = (url ?? '').split('#')[1] ?? '';
  const json = { 'content-type': 'application/json' };
  const opened = await station.request('POST', '/api/screens/session/', { secret }, json);
  askers.set('screen', { 'api-key': (opened.body as WallSession).apikey });
}

function scopeOf({ security }: DocumentedOperation): string {
  return security.flatMap((way) => (way['oauth2'] as string[] | undefined) ?? [])[0] ?? 'public';
}

/** Returns the status of an answer, without waiting for the end of a stream. */
async function status(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(new URL(path, station.url), {
    method,
    redirect: 'manual',
    // The body is never valid: callers with the right get an error, and nothing changes.
    headers: { ...headers, ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '"nothing"' }),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** Returns the names of the routes that this caller can use. */
async function openTo(asker: string, refused: number, among = routes): Promise<string[]> {
  const open: string[] = [];
  for (const { name, method, path } of among) {
    if (name === LOGOUT) continue;
    const answered = await status(method, path, askers.get(asker) ?? {});
    if (answered !== 401 && answered !== 403) open.push(name);
    else expect(answered, `${asker}: ${name}`).toBe(refused);
  }
  return open.toSorted();
}

const namesOf = (groups: readonly Group[]): string[] =>
  [...GROUP_OF]
    .filter(([name, group]) => name !== LOGOUT && group !== undefined && groups.includes(group))
    .map(([name]) => name)
    .toSorted();

describe('on a station started with simulated devices', () => {
  beforeAll(() => start(1), 60_000);
  afterAll(() => station.stop());

  test('the OpenAPI document states the scope for each route', () => {
    expect(Object.fromEntries(routes.map(({ name, scope }) => [name, scope]))).toEqual(
      Object.fromEntries(routes.map(({ name, group }) => [name, SCOPE_OF[group]])),
    );
    expect(
      routes
        .map(({ name }) => name)
        .filter((name) => name !== LOGOUT)
        .toSorted(),
    ).toEqual(namesOf([...CONTROL, 'admin']));
  });

  test('only admins can use the routes reserved for them by the contract, and readers cannot change anything', () => {
    for (const { name, method, group } of routes) {
      if (OF_ADMINS.test(name)) expect(group, name).toBe('admin');
      if (method !== 'GET' && !WRITES_OF_READERS.includes(name)) expect(group, name).not.toBe('read');
    }
    expect(routes.filter(({ name }) => OF_ADMINS.test(name)).length).toBeGreaterThan(40);
  });

  test.each<[asker: string, may: readonly Group[], refused: number]>([
    ['anonymous', ['public'], 401],
    ['wrong key', ['public'], 401],
    ['ended session', ['public'], 401],
    ['turbo key', ['public'], 403],
    ['read key', ['public', 'read'], 403],
    ['read token', ['public', 'read'], 403],
    ['picker', ['public', 'read', 'work', 'simulator'], 403],
    ['PIN', ['public', 'read', 'work', 'simulator'], 403],
    ['control key', CONTROL, 403],
    ['control token', CONTROL, 403],
    ['control', CONTROL, 403],
    ['admin key', [...CONTROL, 'admin'], 0],
    ['admin token', [...CONTROL, 'admin'], 0],
    ['admin', [...CONTROL, 'admin'], 0],
  ])('the caller "%s" can use exactly the routes of its groups', async (asker, may, refused) => {
    expect(await openTo(asker, refused)).toEqual(namesOf(may));
  });

  test('a wall screen can use only what it shows', async () => {
    const shown = ['GET /api/events/', 'GET /api/wall-board/'];
    expect(await openTo('screen', 403)).toEqual([...namesOf(['public']), ...shown].toSorted());
  });

  test('picker_rights takes effect for pickers immediately, but does not affect read keys', async () => {
    const asked = ['work', 'control', 'send', 'labels', 'orders', 'imports'] as const satisfies Group[];
    // Which of two rights a device request or a change of an item needs depends on the body.
    const those = routes.filter(
      ({ group, name }) =>
        asked.some((each) => each === group) && (group !== 'send' || name.startsWith('DELETE')) && name !== CHANGE_ITEM,
    );
    const namesAmong = (groups: readonly Group[]) => {
      const among = new Set(those.map(({ name }) => name));
      return namesOf(groups).filter((name) => among.has(name));
    };
    for (const [right, more] of [
      ['create_orders', 'orders'],
      ['import_orders', 'imports'],
      ['edit_labels', 'labels'],
      ['send', 'send'],
    ] as const) {
      await station.patch('/api/settings/', { picker_rights: [right] });
      expect(await openTo('picker', 403, those), right).toEqual(namesAmong(['work', more]));
      expect(await openTo('read key', 403, those), right).toEqual([]);
    }
    await station.patch('/api/settings/', { picker_rights: [] });
    expect(await openTo('picker', 403, those)).toEqual(namesAmong(['work']));
  });

  test('a picker with create_orders can change what an item needs, but not what was picked of it', async () => {
    const picker = { ...askers.get('picker'), 'content-type': 'application/json' };
    const item = { SKU: 'CT-200', ordered_quantity: 3 };
    const { items } = await station.post<Order>('/api/orders/', { order_number: 'LINES', items: [item] });
    const change = async (body: object): Promise<number> =>
      (await station.request('PATCH', `/api/orders/LINES/items/${items?.[0]?.id}/`, body, picker)).status;
    expect(await change({ ordered_quantity: 2 })).toBe(403);
    await station.patch('/api/settings/', { picker_rights: ['create_orders'] });
    expect(await change({ ordered_quantity: 2 })).toBe(200);
    expect(await change({ quantity_fulfilled: 1 })).toBe(403);
    expect(await change({ ordered_quantity: 3, quantity_fulfilled: 1 })).toBe(403);
    await station.patch('/api/settings/', { picker_rights: [] });
  });

  test('a picker can send only the device requests that the rights cover', async () => {
    const picker = { ...askers.get('picker'), 'content-type': 'application/json' };
    const DEVICE = '51D000:000001';
    const commands: [method: string, path: string, body: unknown][] = [
      ['POST', `/api/device/${DEVICE}/`, { line1: 'x' }],
      ['PUT', `/api/device/${DEVICE}/`, { command: 'kill' }],
      ['POST', '/api/devices/', { deviceid: DEVICE, command: 'flash' }],
      ['POST', '/api/devices/', [{ deviceid: DEVICE, command: 'kill' }]],
      ['GET', `/api/${DEVICE}/message/x/`, undefined],
    ];
    const labels: typeof commands = [
      ['POST', `/api/device/${DEVICE}/`, { locationoverride: 'A-1' }],
      ['PUT', `/api/device/${DEVICE}/`, { statica: 'x', command: '' }],
      ['POST', `/api/device/${DEVICE}/`, { command: 'location', line1: 'A-1' }],
      ['POST', '/api/devices/', [{ deviceid: DEVICE, statica: 'y' }]],
      ['GET', `/api/${DEVICE}/static/x/`, undefined],
    ];
    const both: typeof commands = [
      [
        'POST',
        '/api/devices/',
        [
          { deviceid: DEVICE, statica: 'mixed' },
          { deviceid: DEVICE, line1: 'x' },
        ],
      ],
    ];
    const statuses = (calls: typeof commands) =>
      Promise.all(
        calls.map(async ([method, path, body]) => (await station.request(method, path, body, picker)).status),
      );
    for (const [rights, ofCommands, ofLabels, ofBoth] of [
      [[], 403, 403, 403],
      [['send'], 200, 403, 403],
      [['edit_labels'], 403, 200, 403],
      [['edit_labels', 'send'], 200, 200, 200],
    ] as const) {
      await station.patch('/api/settings/', { picker_rights: rights });
      const told = rights.join();
      expect(new Set(await statuses(commands)), told).toEqual(new Set([ofCommands]));
      expect(new Set(await statuses(labels)), told).toEqual(new Set([ofLabels]));
      expect(new Set(await statuses(both)), told).toEqual(new Set([ofBoth]));
    }
    await station.patch('/api/settings/', { picker_rights: [] });
  });

  test("refuses a write in a picker's session without the token", async () => {
    const { write, cookies } = await openSession(station, PEOPLE[0]);
    for (const { name, method, path } of routes.filter(
      ({ group, method: verb }) => group === 'work' && verb !== 'GET',
    )) {
      expect(await status(method, path, cookies), name).toBe(403);
      expect([401, 403], name).not.toContain(await status(method, path, write));
    }
  });

  test('a refusal names the missing right and who can grant it, and fifty refusals are one activity entry', async () => {
    const key = askers.get('read key') ?? {};
    const refuse = () => station.request('POST', '/api/orders/', {}, { ...key, 'content-type': 'application/json' });
    expect(await refuse()).toMatchObject({
      status: 403,
      body: {
        code: 'forbidden',
        right: 'create_orders',
        detail: expect.stringMatching(/read program.*admin.*control/),
      },
    });
    const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Flood', scope: 'read' });
    await station.clock.advance(3_600_000);
    const before = station.rows("SELECT id FROM audit WHERE action = 'right.refused'").length;
    for (let count = 0; count < 50; count += 1) {
      await station.request('POST', `/api/orders/?${count}`, {}, { 'api-key': api_key });
    }
    await station.request('DELETE', '/api/orders/1/', undefined, { 'api-key': api_key });
    await station.clock.advance(60_000);
    const entries = await station.get<AuditEntry[]>('/api/audit/?limit=5');
    expect(entries.filter(({ by }) => by === 'Flood')).toEqual([
      expect.objectContaining({ subject: 'edit_orders', detail: { request: 'DELETE /api/orders/1/', tries: 1 } }),
      expect.objectContaining({
        action: 'right.refused',
        subject: 'create_orders',
        address: '127.0.0.1',
        detail: { request: 'POST /api/orders/', tries: 50 },
      }),
    ]);
    expect(station.rows("SELECT id FROM audit WHERE action = 'right.refused'")).toHaveLength(before + 2);
  });

  test("the snapshot contains the caller's rights", async () => {
    const rights = async (asker: string) =>
      (await station.request('GET', '/api/station/', undefined, askers.get(asker))).body as Station;
    expect((await rights('picker')).user).toEqual({
      name: 'Zebulon',
      scope: 'picker',
      rights: ['read', 'work', 'simulate'],
    });
    expect((await rights('read key')).user).toMatchObject({ scope: 'read', rights: ['read'] });
  });

  test('public routes do not name a user or key', async () => {
    for (const { path } of routes.filter(({ name, group }) => group === 'public' && name.startsWith('GET '))) {
      const answer = await station.request('GET', path, undefined, {});
      expect(answer.status, path).toBe(200);
      const text = JSON.stringify(answer.body);
      expect(
        [API_KEY, PEOPLE[0].username].filter((word) => text.includes(word)),
        path,
      ).toEqual([]);
    }
  });
});

describe('on any other station', () => {
  beforeAll(() => start(0), 60_000);
  afterAll(() => station.stop());

  test('only admins can use the simulator until the demo shop is set up', async () => {
    const simulator = () => routes.filter(({ group }) => group === 'simulator');
    const all = namesOf(['simulator']);
    for (const asker of ['picker', 'control', 'control key', 'read key']) {
      expect(await openTo(asker, 403, simulator()), asker).toEqual([]);
    }
    for (const asker of ['admin', 'admin key']) expect(await openTo(asker, 0, simulator()), asker).toEqual(all);
    await station.post('/api/setup/demo/');
    await station.restart();
    for (const asker of ['picker', 'control', 'control key']) {
      expect(await openTo(asker, 403, simulator()), asker).toEqual(all);
    }
    expect(await openTo('read key', 403, simulator())).toEqual([]);
  });
});
