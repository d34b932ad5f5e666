import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { fetchDocument, operations, type JsonObject, type OpenApi } from '../../contract/documents.ts';
import { rawRequest, type RawAnswer, type RawRequest } from '../../helpers/rawHttp.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { makeCallers } from './callers.ts';
import { prefixOf } from './drafts.ts';
import { createRequests, type GeneratedRequest } from './generator.ts';
import { createJudge, type Judge } from './judge.ts';
import { isDue, NOBODY, ONLY, POOLS, PREFERS, UNWANTED, weightOf } from './pools.ts';
import { watchDisk } from './watch.ts';

/**
 * The port, which each start takes anew; refusals, which are counted and written down after a while; and how it goes with
 * links. Simulated devices that nobody reached are reached again after a start, so orders need no attention for it.
 */
const NOT_KEPT = new Set(['exposure', 'tries', 'step', 'problem', 'attempts', 'next_try', 'unreachable', 'attention']);

/** A file system in memory, where the system has one. */
const MEMORY = '/dev/shm';

/** Of each kind the newest this many. */
const MAX_THINGS = 20;

/** What is of the moment, or never ends. Simulated devices begin with a new battery: that ends an alert of theirs. */
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
  // By attention: after a restart simulated devices are reachable again.
  'getNextOrder',
  'getFleet',
  // Until now, and with the alerts of simulated devices.
  'summariseHistory',
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

/** The same of every station: what reads the answers is made once. */
let made: { document: OpenApi; judge: Judge } | undefined;

/** Of every operation there is, once a station has run. */
export function operationIds(): string[] {
  return made === undefined ? [] : operations(made.document).map(({ operation }) => operation.operationId);
}

/** Sends the requests of a seed to a fresh station, and looks at each answer and at what it left behind. Fails as `expect` does. */
export async function runRequests(seed: number, count: number, told: (answered: Answered) => void): Promise<void> {
  using folder = folderInMemory();
  await using station = await startTestStation({ seed, dataFolder: folder.path });
  // Not by its command line, which would bring them back at the next start.
  await station.post('/api/simulator/devices/', { count: 3 });
  // Without a rack a demo shop can be made.
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
  // A refusal of these would change something: it would raise an alert.
  await station.patch('/api/settings/', { unwanted_callers: UNWANTED });
  if (seed % 2 !== 0) await leaveDelivery(station, things);
  else await leaveAlert(station, things);
  things.set('/api/orders/', [await leaveOrder(station)]);
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
    // Time changes things as well: none passes where nothing may have changed.
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

/** The disk is not what is tested here, and takes most of the time where others write to it as well. */
function folderInMemory(): { path: string } & Disposable {
  const path = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'pickstation-test-'));
  cpSync(inject('template'), path, { recursive: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

async function make(station: TestStation): Promise<{ document: OpenApi; judge: Judge }> {
  const document = await fetchDocument(station, '/api/openapi.json');
  return { document, judge: createJudge(document) };
}

/** With its length: without one Node announces no body of a DELETE, and what follows is another request, and no good one. */
function toSend({ method, path, headers, body }: GeneratedRequest): RawRequest {
  if (body === undefined) return { method, path, headers };
  if ('transfer-encoding' in headers) return { method, path, headers, body };
  return { method, path, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body };
}

/** How far a link is: it asks a real resolver for the name of its controller, in real time. */
const PROGRESS = /"step":"\w+","problem":(?:null|"(?:[^"\\]|\\.)*"),"attempts":\d+,"next_try":(?:null|"[^"]*")/g;

/** Everything that the window would show, but for what a commit without effect may count, and what goes on by itself. */
async function snapshot(station: TestStation, agent: Agent): Promise<string> {
  const { status, text } = await rawRequest(
    station.url,
    { path: '/api/station/', headers: { 'api-key': API_KEY } },
    agent,
  );
  if (status !== 200) throw new Error(`The snapshot was answered ${status}: ${text}`);
  return text.replace(/"revision":\d+/, '"revision":0').replaceAll(PROGRESS, `"step":""`);
}

/** One that a person picks: a line of it is lit, and one was closed short. */
async function leaveOrder(station: TestStation): Promise<JsonObject> {
  const items = DEVICES.map((deviceid) => ({ name: `Part of ${deviceid}`, ordered_quantity: 3, deviceid }));
  await station.post('/api/orders/', { order_number: 'SO-1001', items });
  await station.post('/api/orders/SO-1001/launch/', { picker: 'admin' });
  const order = await station.get<{ items: { id: number }[] }>('/api/orders/SO-1001/');
  const short = `/api/orders/SO-1001/items/${String(order.items[0]?.id)}/short/`;
  await station.post(short, { quantity_fulfilled: 1, reason: 'missing' });
  return station.get<JsonObject>('/api/orders/SO-1001/');
}

/** A press that nobody wanted to hear of, to be told again. */
async function leaveDelivery(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  await station.patch('/api/settings/', { callback_url: NOBODY });
  await station.post('/api/device/51D000:000001/', { command: 'flash', line1: 'Cable tie 200', nonce: 'pick-1' });
  await station.clock.advance(5_000);
  await station.press('51D000:000001');
  await station.clock.advance(1_000);
  const deliveries = await station.get<JsonObject[]>('/api/callbacks/');
  for (const prefix of ['/api/callbacks/', '/api/history/deliveries/']) things.set(prefix, deliveries);
}

/** A battery that somebody has to change, and two pages that somebody may allow. */
async function leaveAlert(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  await station.clock.advance(5_000);
  await station.patch('/api/simulator/devices/51D000:000002/', { battery_mv: 2_250 });
  for (const origin of ['https://shop-1.example', 'https://shop-2.example']) {
    await station.request('GET', '/healthz', undefined, { origin });
  }
  await station.clock.advance(1_000);
  things.set('/api/alerts/', await station.get<JsonObject[]>('/api/alerts/'));
}

/** What it answers of what lasts is what is on disk: a change that was refused is in no memory of it either. */
async function expectSameAfterRestart(station: TestStation, document: OpenApi): Promise<void> {
  const lists = operations(document).filter(
    ({ method, path, operation }) =>
      method === 'GET' && /^\/api\/.*\/$/.test(path) && !path.includes('{') && !OF_NOW.has(operation.operationId),
  );
  const readAll = async (): Promise<Map<string, unknown>> => {
    const read = new Map<string, unknown>();
    for (const { path } of lists) {
      // As long as it is: without its alerts a page would be shorter.
      const { body } = await station.request('GET', path === '/api/history/' ? `${path}?limit=1000` : path);
      const kept = Array.isArray(body) ? body.filter((row) => !isOfAlert(row)) : body;
      read.set(path, JSON.parse(JSON.stringify(kept, (name, value: unknown) => (NOT_KEPT.has(name) ? null : value))));
    }
    return read;
  };
  await readAll();
  const before = await readAll();
  await station.restart();
  expect(await readAll()).toEqual(before);
}

function isOfAlert(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'kind' in row && String(row.kind).startsWith('alert_');
}

/** What an answer names may be asked for, changed and removed afterwards. */
function learn({ template }: GeneratedRequest, { headers, text }: RawAnswer, things: Map<string, JsonObject[]>): void {
  if (headers['content-type']?.startsWith('application/json') !== true) return;
  const found = [JSON.parse(text) as unknown].flat().filter((each) => typeof each === 'object' && each !== null);
  const prefix = template.includes('{') ? prefixOf(template) : template;
  const known = things.get(prefix) ?? [];
  things.set(prefix, [...known, ...(found as JsonObject[])].slice(-MAX_THINGS));
}

function words({ kind, what, caller, method, path, headers, body }: GeneratedRequest): string {
  return `${kind} (${what}) by ${caller}: ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 500)} ${body?.slice(0, 500) ?? ''}`;
}
