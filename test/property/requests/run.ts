import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { fetchDocument, operations, type JsonObject, type OpenApi } from '../../contract/documents.ts';
import { rawRequest, type RawAnswer, type RawRequest } from '../../helpers/servers/rawHttp.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { makeCallers } from './callers.ts';
import { prefixOf } from './drafts.ts';
import { createRequests, type GeneratedRequest } from './generator.ts';
import { createJudge, type Judge } from './judge.ts';
import { isDue, NOBODY, ONLY, POOLS, PREFERS, UNWANTED, weightOf } from './pools.ts';
import { watchDisk } from './watch.ts';

/**
 * Fields that may differ after a restart: the port, which each start chooses; refusals, which are written late; the progress
 * of links; the last attempt at a receiver, since a start retries; the attention of orders, since simulated devices are
 * reachable again; and the current line of a picker, which the page sends again.
 */
const NOT_KEPT = new Set([
  'updated_time',
  'exposure',
  'tries',
  'step',
  'problem',
  'attempts',
  'last_attempt',
  'last',
  'next_try',
  'unreachable',
  'attention',
  'current',
]);

/** Folder of a file system in memory, which not every system has. */
const MEMORY = '/dev/shm';

/** Maximum number of objects to remember per kind, newest first. */
const MAX_THINGS = 20;

/**
 * Operations whose answers depend on the moment or never end. Simulated devices start with a new battery, so a restart ends their alerts.
 */
const OF_NOW = new Set([
  'streamEvents',
  'getStation',
  'listTurbos',
  'listTurboTraffic',
  'getTurboNetwork',
  'listAlerts',
  'listReceivedCallbacks',
  'countCallbacks',
  'listRequests',
  'getBackupStatus',
  'getDiagnostics',
  'getMqtt',
  // Kept in memory, for the page that started them.
  'listBoardJobs',
  // Depends on attention, because simulated devices are reachable again after a restart.
  'getNextOrder',
  'getFleet',
  'getWallBoard',
  // Depend on the current time and include alerts of simulated devices.
  'summarizeHistory',
  'exportHistory',
]);

const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003'];
const PAULA = { username: 'Paula', password: ADMIN_PASSWORD, role: 'picker' };
const MAP = {
  racks: [{ id: 'rack-a', name: 'A', columns: 2, shelves: [{ id: 'shelf-a', name: 'A-1' }] }],
  places: [],
  zones: [{ id: 'zone-a', name: 'Aisle A', racks: ['rack-a'] }],
};

export type Answered = { request: GeneratedRequest; status: number };

/** The document and its checker. They are the same for every station and therefore created once. */
let made: { document: OpenApi; judge: Judge } | undefined;

/** Returns the ids of all operations, or an empty list before a station has run. */
export function operationIds(): string[] {
  return made === undefined ? [] : operations(made.document).map(({ operation }) => operation.operationId);
}

/** Sends the requests of a seed to a fresh station and checks each answer and its effects. Fails like `expect`. */
export async function runRequests(seed: number, count: number, told: (answered: Answered) => void): Promise<void> {
  using folder = folderInMemory();
  await using station = await startTestStation({ seed, dataFolder: folder.path });
  // Devices from the command line would come back at the next start.
  await station.post('/api/simulator/devices/', { count: 3 });
  // Only a station without a rack can create a demo shop.
  if (seed % 2 !== 0) await station.request('PUT', '/api/map/', MAP);
  made ??= await make(station);
  const { document, judge } = made;
  const { callers, clients } = await makeCallers(station);
  const things = new Map<string, JsonObject[]>([
    [prefixOf('/api/oauth/token/'), clients],
    ['/api/users/', [{ username: 'admin' }, await station.post('/api/users/', PAULA)]],
    ['/api/map/places/', DEVICES.map((deviceid) => ({ deviceid, shelf: 'shelf-a', column: 0 }))],
  ]);
  for (const device of DEVICES) await station.patch(`/api/simulator/devices/${device}/`, { refresh_ms: 0 });
  // Otherwise a refusal of these callers would raise an alert, which is a change.
  await station.patch('/api/settings/', { unwanted_callers: UNWANTED });
  if (seed % 2 !== 0) await leaveDelivery(station, things);
  else await leaveAlert(station, things);
  things.set('/api/orders/', [await leaveOrder(station)]);
  await leaveImports(station, things);
  await leaveBatch(station, things);
  const requests = createRequests({
    document,
    seed,
    callers,
    pools: POOLS,
    only: ONLY,
    things,
    weightOf,
    prefers: PREFERS,
    isDue: (operationId) => isDue(operationId, seed),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const disk = watchDisk(station.dataFolder);
  let before = await snapshot(station, agent);
  for (let index = 0; index < count; index += 1) {
    const request = requests.next();
    const said = (): string => `seed ${seed}, request ${index}: ${words(request)}`;
    disk.mark();
    const answer = await rawRequest(station.url, toSend(request), agent);
    const fault = judge.findFault(request, answer);
    if (fault !== undefined) expect.fail(`${said()}\n${fault}`);
    const isKept = answer.status >= 400 || judge.isSafe(request);
    // Time changes state too, so do not advance it while nothing is allowed to change.
    await station.clock.advance(isKept ? 0 : 300);
    const after = await snapshot(station, agent);
    if (isKept) {
      if (after !== before) expect(JSON.parse(after), said()).toEqual(JSON.parse(before));
      const change = disk.findChange();
      if (change !== undefined) expect.fail(`${said()}\nwas answered ${answer.status}, but ${change}`);
    } else if (request.kind !== 'hostile') learn(request, answer, things);
    before = after;
    told({ request, status: answer.status });
    if (answer.status !== 401 || request.kind !== 'valid') continue;
    await callers.find(({ name }) => name === request.caller)?.renew?.();
    before = await snapshot(station, agent);
  }
  disk.stop();
  agent.destroy();
  await expectSameAfterRestart(station, document);
  expect(station.logged.filter(({ level }) => level === 'error')).toEqual([]);
}

/** Creates a data folder in memory, because the test is not about the disk, which would take most of the time. */
export function folderInMemory(): { path: string } & Disposable {
  const path = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'pickstation-test-'));
  cpSync(inject('template'), path, { recursive: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

async function make(station: TestStation): Promise<{ document: OpenApi; judge: Judge }> {
  const document = await fetchDocument(station, '/api/openapi.json');
  return { document, judge: createJudge(document) };
}

/**
 * Returns a request with its content length. Without this header, Node does not announce the body of a DELETE request, and the server would
 * read the body as a malformed next request.
 */
export function toSend({ method, path, headers, body }: GeneratedRequest): RawRequest {
  if (body === undefined) return { method, path, headers };
  if ('transfer-encoding' in headers) return { method, path, headers, body };
  return { method, path, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body };
}

/** Matches the progress of a link, which resolves its controller's name in real time. */
const PROGRESS = /"step":"\w+","problem":(?:null|"(?:[^"\\]|\\.)*"),"attempts":\d+,"next_try":(?:null|"[^"]*")/g;

/** Returns everything that the window shows, except counters of commits without effect and values that change over time. */
export async function snapshot(station: TestStation, agent: Agent): Promise<string> {
  const { status, text } = await rawRequest(
    station.url,
    { path: '/api/station/', headers: { 'api-key': API_KEY } },
    agent,
  );
  if (status !== 200) throw new Error(`The snapshot was answered ${status}: ${text}`);
  return text.replace(/"revision":\d+/, '"revision":0').replaceAll(PROGRESS, `"step":""`);
}

/** Creates an order that a person picks: one line is short, one has no light, and the others are lit. */
export async function leaveOrder(station: TestStation): Promise<JsonObject> {
  const lit = DEVICES.map((deviceid) => ({ name: `Part of ${deviceid}`, ordered_quantity: 3, deviceid }));
  const items = [...lit, { name: 'Part of the yard', ordered_quantity: 3, warehouse_location: 'Yard' }];
  await station.post('/api/orders/', { order_number: 'SO-1001', items });
  await station.post('/api/orders/SO-1001/launch/', { picker: 'admin' });
  const order = await station.get<{ items: { id: number }[] }>('/api/orders/SO-1001/');
  const short = `/api/orders/SO-1001/items/${String(order.items[0]?.id)}/short/`;
  await station.post(short, { quantity_fulfilled: 1, reason: 'missing' });
  return station.get<JsonObject>('/api/orders/SO-1001/');
}

/** Creates a stock task, and a cart whose batch has one order with pieces in hand. */
async function leaveBatch(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  const { id: cart } = await station.post<{ id: number }>('/api/carts/', { name: 'Cart 1', rows: 1, columns: 3 });
  const items = ['Store', 'Yard'].map((place) => ({ name: place, ordered_quantity: 2, warehouse_location: place }));
  await station.post('/api/orders/', { order_number: 'SO-2001', items });
  const slots = [{ slot: 'A1', order_number: 'SO-2001' }];
  const batch = await station.post<{ id: number }>('/api/batches/', { mode: 'cart', cart, slots });
  await station.post(`/api/batches/${batch.id}/launch/`, {});
  const order = await station.get<{ items: { id: number }[] }>('/api/orders/SO-2001/');
  await station.post(`/api/orders/SO-2001/items/${String(order.items[0]?.id)}/confirm/`, {});
  await station.post('/api/articles/', { sku: 'CT-700', places: [{ location: 'A-1-1', on_hand: 1, minimum: 5 }] });
  for (const path of ['/api/carts/', '/api/batches/', '/api/tasks/']) things.set(path, await station.get(path));
}

/** Creates drafts of refused orders, a preview, and remembered columns. */
async function leaveImports(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  const columns = { Amount: 'ordered_quantity' };
  const preview = (csv: string) => station.post<JsonObject>('/api/imports/', { csv, columns, dry_run: true });
  const refused = await preview('order,sku,Amount\nF-1,CT-200,many\nF-2,CT-200,few\n');
  await station.post(`/api/imports/${String(refused['id'])}/run/`);
  things.set('/api/imports/', [await preview('order,sku,Amount\nF-3,CT-200,2\n')]);
  for (const path of ['/api/import-drafts/', '/api/import-columns/']) things.set(path, await station.get(path));
}

/** Creates a callback that could not be delivered and waits to be sent again. */
export async function leaveDelivery(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  await station.patch('/api/settings/', { callback_url: NOBODY });
  await station.post('/api/device/51D000:000001/', { command: 'flash', line1: 'Cable tie 200', nonce: 'pick-1' });
  await station.clock.advance(5_000);
  await station.press('51D000:000001');
  await station.clock.advance(1_000);
  const deliveries = await station.get<JsonObject[]>('/api/callbacks/');
  for (const prefix of ['/api/callbacks/', '/api/history/deliveries/']) things.set(prefix, deliveries);
}

/** Creates alerts about a low battery and about two origins that can be allowed. */
async function leaveAlert(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  await station.clock.advance(5_000);
  await station.patch('/api/simulator/devices/51D000:000002/', { battery_mv: 2_250 });
  for (const origin of ['https://shop-1.example', 'https://shop-2.example']) {
    await station.request('GET', '/healthz', undefined, { origin });
  }
  await station.clock.advance(1_000);
  things.set('/api/alerts/', await station.get<JsonObject[]>('/api/alerts/'));
}

/** Checks that a restart does not change persistent answers. A refused change must not remain in memory. */
async function expectSameAfterRestart(station: TestStation, document: OpenApi): Promise<void> {
  const lists = operations(document).filter(
    ({ method, path, operation }) =>
      method === 'GET' && /^\/api\/.*\/$/.test(path) && !path.includes('{') && !OF_NOW.has(operation.operationId),
  );
  const readAll = async (): Promise<Map<string, unknown>> => {
    const read = new Map<string, unknown>();
    for (const { path } of lists) {
      // Request the whole history, because alerts are removed from it and a page would become shorter.
      const { body } = await station.request('GET', path === '/api/history/' ? `${path}?limit=1000` : path);
      const kept = Array.isArray(body) ? body.filter((row) => !isOfAlert(row)) : body;
      read.set(path, JSON.parse(JSON.stringify(kept, (name, value: unknown) => (NOT_KEPT.has(name) ? null : value))));
    }
    return read;
  };
  // A station that starts ends the display of stock.
  await station.post('/api/stock/show/', { seconds: 0 });
  await readAll();
  const before = await readAll();
  await station.restart();
  expect(await readAll()).toEqual(before);
}

function isOfAlert(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'kind' in row && String(row.kind).startsWith('alert_');
}

/** Remembers the objects in an answer, so that later requests can read, change and delete them. */
export function learn(
  { template }: GeneratedRequest,
  { headers, text }: RawAnswer,
  things: Map<string, JsonObject[]>,
): void {
  if (headers['content-type']?.startsWith('application/json') !== true) return;
  const found = [JSON.parse(text) as unknown].flat().filter((each) => typeof each === 'object' && each !== null);
  const prefix = template.includes('{') ? prefixOf(template) : template;
  const known = things.get(prefix) ?? [];
  things.set(prefix, [...known, ...(found as JsonObject[])].slice(-MAX_THINGS));
}

export function words({ kind, what, caller, method, path, headers, body }: GeneratedRequest): string {
  return `${kind} (${what}) by ${caller}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 500)} ${body?.slice(0, 500) ?? ''}`;
}
