import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { OrderImport } from '#shared/api/imports.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
/** Property names that every JavaScript object has, or that could change every object. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];

let station: TestStation;
let before: string[];

const ofEveryObject = () =>
  [Object, Array, Function, String].flatMap((type) => Reflect.ownKeys(type.prototype).map(String));

beforeAll(async () => {
  before = ofEveryObject();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(() => {
  expect(ofEveryObject()).toEqual(before);
  expect(station.logged).toEqual([]);
});

afterAll(() => station.stop());

const send = (method: string, path: string, type: string, body: string) =>
  rawRequest(station.url, { method, path, headers: { 'api-key': API_KEY, 'content-type': type }, body });
const json = (method: string, path: string, body: string) => send(method, path, 'application/json', body);

test('JavaScript property names at any depth in JSON do not set or replace anything', async () => {
  const evil =
    '"__proto__":{"polluted":1,"scope":"admin"},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}';
  for (const [method, path, body, status] of [
    ['POST', PATH, `{"statica":"x",${evil}}`, 200],
    ['POST', PATH, `{"__proto__":{"statica":"inherited"}}`, 400],
    ['POST', '/api/devices/', `[{"__proto__":{"deviceid":"${DEVICE}"},"line1":"x"}]`, 207],
    ['PATCH', '/api/settings/', `{"callback_headers":{${evil}}}`, 400],
    ['PATCH', '/api/settings/', `{"callback_families":{"__proto__":{"order":false}}}`, 400],
    ['PATCH', '/api/settings/', `{"__proto__":{"basic_auth":true},"constructor":1}`, 400],
    ['POST', '/api/preview/', `{"line1":"x",${evil}}`, 200],
    ['PUT', '/api/map/', `{"racks":[],"places":[],${evil}}`, 200],
    ['POST', '/api/location-aliases/', `{"name":"n","deviceid":"${DEVICE}","deviceIs":"Above",${evil}}`, 201],
    ['POST', '/api/callbacks/replay/', `{"__proto__":{"state":"dead"}}`, 400],
    ['POST', '/api/user/login/', `{"__proto__":{"username":"admin","password":"x"}}`, 400],
  ] as const) {
    const answer = await json(method, path, body);
    expect(answer.status, `${path} ${answer.text}`).toBe(status);
  }
  expect(await station.device(DEVICE)).toMatchObject({ statica: 'x', commands: [] });
  expect(await station.get('/api/settings/')).toMatchObject({ basic_auth: false, callback_families: { order: true } });
});

test('JavaScript property names are ordinary names in XML, forms and query strings', async () => {
  for (const name of NAMES) {
    const inner = `<${name}><polluted>1</polluted><${name}>2</${name}></${name}>`;
    expect((await send('POST', PATH, 'application/xml', `<x>${inner}<staticb>y</staticb></x>`)).status).toBe(200);
    const settings = `<s><callback_headers>${inner}</callback_headers></s>`;
    await send('PATCH', '/api/settings/', 'application/xml', settings);
    expect(await station.get('/api/settings/')).toMatchObject({ callback_headers: {} });
    const form = `grant_type=client_credentials&${name}=1&${name}[polluted]=1&client_id=${name}&client_secret=${name}`;
    const token = await send('POST', '/api/oauth/token/', 'application/x-www-form-urlencoded', form);
    expect(token.status, token.text).toBe(401);
    const query = `?${name}=1&${name}[polluted]=1&${name}.polluted=1&limit[${name}]=1&limit=1`;
    expect(await station.request('GET', `/api/audit/${query}`)).toMatchObject({
      status: 400,
      body: { code: 'unknown_parameter' },
    });
  }
});

test('refuses JavaScript property names where a known name is expected', async () => {
  for (const name of NAMES) {
    for (const field of ['color', 'arrow', 'icon', 'command']) {
      const answer = await json('POST', PATH, JSON.stringify({ line1: 'x', [field]: name }));
      expect(answer.status, `${field} ${name}`).toBe(400);
    }
    expect((await json('POST', `${PATH}?strict=1`, JSON.stringify({ line1: 'x', sound: name }))).status).toBe(400);
    expect(await station.post(PATH, { line1: 'x', sound: name }), name).toMatchObject({
      warnings: [expect.stringMatching(/^The sound is not played/)],
    });
    expect((await station.device(DEVICE)).commands).toMatchObject([{ sound: '' }]);
    await station.post(PATH, { command: 'kill' });
    for (const [method, path, body, status] of [
      ['POST', PATH, { line1: `\\ic${name}` }, 400],
      ['POST', '/api/devices/', { location: name, line1: 'x' }, 404],
      ['POST', '/api/location-aliases/', { name: 'n', deviceid: DEVICE, deviceIs: name }, 400],
      ['POST', '/api/location-aliases/', { name: 'n', deviceid: name, deviceIs: 'Above' }, 400],
      ['POST', '/api/users/', { username: 'n', password: 'long enough', role: name }, 400],
      ['POST', '/api/api-users/', { name: 'n', scope: name }, 400],
      ['POST', '/api/callbacks/replay/', { state: name }, 400],
      ['PATCH', '/api/settings/', { accept_devices: name }, 400],
      ['PATCH', '/api/settings/', { default_color: name }, 400],
      ['POST', `/api/simulator/devices/${DEVICE}/press/`, { button: name }, 400],
    ] as const) {
      const answer = await json(method, path, JSON.stringify(body));
      expect(answer.status, `${path} ${JSON.stringify(body)} ${answer.text}`).toBe(status);
    }
    for (const [path, status] of [
      [`/api/device/${name}/`, 404],
      [`/api/turbo/${name}/`, 404],
      [`/api/sounds/${name}/`, 404],
      [`/api/location-aliases/${name}/`, 404],
      [`/api/${DEVICE}/${name}/a/`, 400],
      [`/api/${DEVICE}/flash/a/b/none/5${name}/`, 400],
      [`/docs/${name}`, 404],
      [`/${name}`, 404],
      [`/api/${name}/`, 404],
    ] as const) {
      const answer = await rawRequest(station.url, { path, headers: { 'api-key': API_KEY } });
      expect(answer.status, path).toBe(status);
    }
  }
  expect((await station.device(DEVICE)).commands).toEqual([]);
});

test('JavaScript property names are ordinary alias names and columns in an import', async () => {
  const rows = NAMES.map((name) => `${name};${DEVICE};Above;${name}`);
  const csv = ['name;device;deviceIs;__proto__', ...rows].join('\n');
  expect(await station.post('/api/location-aliases/import/', { csv })).toMatchObject({
    ignored: ['__proto__'],
    counts: { new: NAMES.length, refused: 0 },
  });
  for (const name of NAMES) {
    const body = JSON.stringify({ location: name.toUpperCase(), line1: 'x', nonce: name });
    expect((await json('POST', '/api/devices/', body)).status, name).toBe(200);
  }
  const commands = (await station.device(DEVICE)).commands.map(({ nonce, location }) => [nonce, location]);
  expect(commands).toEqual(NAMES.map((name) => [name, name]));
});

test('JavaScript property names are ordinary texts in files of orders and articles, and unknown options of a file', async () => {
  const head = 'order_number,SKU,ordered_quantity,UOM,Status,Notes\n';
  for (const name of NAMES) {
    const csv = `${head}o-${name},${name},2,,,${name}\n`;
    const preview = await station.post<OrderImport>('/api/imports/', { csv, dry_run: true });
    expect(preview.rows, name).toMatchObject([{ outcome: 'new', SKU: name, quantity: 2 }]);
    for (const field of ['UOM', 'Status']) {
      const [known = '', line = ''] = csv.split('\n');
      const cells = line.split(',');
      cells[known.split(',').indexOf(field)] = name;
      const answer = await json('POST', '/api/imports/', JSON.stringify({ csv: `${known}\n${cells.join(',')}\n` }));
      expect(answer.status, `${field} ${name}`).toBeLessThan(500);
      expect(answer.text, `${field} ${name}`).not.toContain('"new":1');
    }
    const columns = `order_number,SKU,ordered_quantity,${name}\n1,K-1,2,${name}\n`;
    expect(await station.post('/api/imports/', { csv: columns, dry_run: true }), name).toMatchObject({
      ignored: [name],
      counts: { new: 1 },
    });
    const options = await send('POST', `/api/imports/?kind=orders&${name}=1`, 'text/csv', csv);
    expect([options.status, options.text], name).toEqual([400, expect.stringContaining(`"/${name}"`)]);
    const flag = await send('POST', `/api/imports/?kind=orders&dry_run=${name}`, 'text/csv', csv);
    expect([flag.status, flag.text], name).toEqual([400, expect.stringContaining('"/dry_run"')]);
  }
  expect(await station.get('/api/orders/')).toEqual([]);
});
