import { Agent } from 'node:http';
import { connect } from 'node:net';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ids } from '../../../electron/server/ports.ts';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import { jsonWithoutSecrets } from '../../../electron/server/services/base/index.ts';
import { fetchDocument, operations, type JsonObject, type OpenApi } from '../../contract/documents.ts';
import { forgetAnswers } from '../../helpers/forgetAnswers.ts';
import { rawRequest, type RawAnswer, type RawRequest } from '../../helpers/servers/rawHttp.ts';
import { seededFraction, seededIds } from '../../helpers/seeded.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { createRequests, type GeneratedRequest } from './generator.ts';
import { NEVER, ONLY, POOLS, UNWANTED, weightOf } from './pools.ts';
import { folderInMemory, learn, leaveDelivery, leaveOrder, snapshot, toSend, words } from './run.ts';

const HEADER = 'idempotency-key';
const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003'];
const MAP = {
  racks: [{ id: 'rack-a', name: 'A', columns: 2, shelves: [{ id: 'shelf-a', name: 'A-1' }] }],
  places: [],
  zones: [{ id: 'zone-a', name: 'Aisle A', racks: ['rack-a'] }],
};

/** Operations with an effect in other processes, on other servers, or in a different folder. */
const OUTSIDE = new Set(['makeBackup', 'testMail', 'testMqtt', 'checkForUpdate', 'installUpdate', 'openFirewall']);

/** Operations on something that is not on disk. A station that was killed before it stored the answer performs the operation again. */
const NOT_ON_DISK = new Set([
  'addSimulatedDevices',
  'cancelBackup',
  'cancelBoardJob',
  'changeSimulatedDevice',
  'changeSimulatedTurbo',
  'forgetReceivedCallbacks',
  'installBoard',
  'pressSimulatedDevice',
  'removeBackup',
  'restoreBackup',
  'retryTurboLink',
  'sendFleetOrder',
  'sendWaitingCallbacks',
  'setCurrentLine',
  'testCallback',
  'updateBoards',
  'uploadBackup',
]);

/** Operations whose answers contain current progress, which continues between a kill and the repetition. */
const TELLS_PROGRESS = new Set(['replayCallback', 'addTurboLink', 'replaceDevice']);

/** Moments at which the connection is cut. */
export const CUTS = [
  'inside the request',
  'after the request',
  'at the first byte of the answer',
  'while it runs',
] as const;
type Cut = (typeof CUTS)[number];

/** Tables that contain only traces of requests: used keys, stored answers and delivery attempts. */
const TRACES = new Set([
  'keyed_requests',
  'keyed_steps',
  'api_users',
  'sqlite_sequence',
  'mqtt_instances',
  'outbox_attempts',
]);

export type Repeated = { operationId: string; cut: Cut; status: number; isReplayed: boolean };

/**
 * Sends the writing requests of a seed to two stations until `count` of them have succeeded and more than `replays` of these got a stored
 * answer, or until 20 × `count` requests were sent. One station gets each request once. The other station gets each request twice with the
 * same key, and the connection is cut before the first answer arrives. Both must answer the same and have the same state after each
 * request. With `forgets`, the second station stores no answers, as if it were killed after the last commit of each request. Fails like
 * `expect`.
 */
export async function loseAnswers(
  { seed, count, replays, forgets }: { seed: number; count: number; replays: number; forgets: boolean },
  told: (repeated: Repeated) => void,
): Promise<void> {
  using folder = folderInMemory();
  using otherFolder = folderInMemory();
  const ids = idsInStep(seed);
  const otherIds = idsInStep(seed);
  await using station = await startTestStation({ ids, dataFolder: folder.path });
  await using twin = await startTestStation({ ids: otherIds, dataFolder: otherFolder.path });
  const things = new Map<string, JsonObject[]>();
  await prepare(station, new Map());
  await prepare(twin, things);
  if (forgets) forgetAnswers(station);
  const document = await fetchDocument(twin, '/api/openapi.json');
  const repeatable = repeatableIds(document);
  const repeats = (operationId: string): boolean =>
    repeatable.has(operationId) && !(forgets && NOT_ON_DISK.has(operationId));
  const fraction = seededFraction(seed + 7_777);
  const requests = createRequests({
    document,
    seed,
    callers: [{ name: 'key', headers: { 'api-key': API_KEY }, scope: 'admin' }],
    pools: POOLS,
    only: ONLY,
    things,
    weightOf: (operationId) => (repeats(operationId) ? weightOf(operationId) : 0),
    prefers: {},
    isDue: () => false,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const most = 20 * count;
  for (let index = 0, taken = 0, replayed = 0; (taken < count || replayed <= replays) && index < most;) {
    const next = requests.next();
    if (next.kind !== 'valid' || !repeats(next.operation.operationId)) continue;
    const headers = { ...next.headers, accept: 'application/json', [HEADER]: `lost ${seed}-${index}` };
    const request = { ...next, headers };
    const cut = CUTS[Math.floor(fraction() * CUTS.length)] ?? CUTS[0];
    const said = `seed ${seed}, request ${index}, cut ${cut}: ${words(request)}`;
    for (const each of [ids, otherIds]) each.begin(index);
    const once = await rawRequest(twin.url, toSend(request), agent);
    const again = await sendTwice(station, request, cut);
    await Promise.all([station.clock.advance(300), twin.clock.advance(300)]);
    if (forgets && TELLS_PROGRESS.has(request.operation.operationId)) expect(again.status, said).toBe(once.status);
    else expect(shown(station, again), said).toEqual(shown(twin, once));
    const [state, wanted] = await Promise.all([stateOf(station), stateOf(twin)]);
    if (state !== wanted) expect(JSON.parse(state), said).toEqual(JSON.parse(wanted));
    learn(request, once, things);
    const isReplayed = again.headers['idempotency-replayed'] === 'true';
    told({ operationId: request.operation.operationId, cut, status: once.status, isReplayed });
    index += 1;
    // A refused request has no effect that could happen twice.
    if (once.status >= 400) continue;
    taken += 1;
    if (isReplayed) replayed += 1;
  }
  agent.destroy();
  // Compare the history, deliveries, counters and everything else on disk.
  expect(rowsOf(station)).toEqual(rowsOf(twin));
  expect(station.logged.filter(({ level }) => level === 'error')).toEqual([]);
}

async function prepare(station: TestStation, things: Map<string, JsonObject[]>): Promise<void> {
  await station.post('/api/simulator/devices/', { count: 3 });
  await station.request('PUT', '/api/map/', MAP);
  for (const device of DEVICES) await station.patch(`/api/simulator/devices/${device}/`, { refresh_ms: 0 });
  await station.patch('/api/settings/', { unwanted_callers: UNWANTED });
  const paula = await station.post('/api/users/', { username: 'Paula', password: ADMIN_PASSWORD, role: 'picker' });
  things.set('/api/users/', [{ username: 'admin' }, paula]);
  things.set(
    '/api/map/places/',
    DEVICES.map((deviceid) => ({ deviceid, shelf: 'shelf-a', column: 0 })),
  );
  await leaveDelivery(station, things);
  things.set('/api/orders/', [await leaveOrder(station)]);
}

/** Returns the ids of operations that the OpenAPI document says accept an idempotency key, except those in `NEVER` and `OUTSIDE`. */
function repeatableIds(document: OpenApi): ReadonlySet<string> {
  const ids = operations(document)
    .filter(({ operation }) => (operation.parameters ?? []).some(({ name }) => name.toLowerCase() === HEADER))
    .map(({ operation }) => operation.operationId);
  return new Set(ids.filter((id) => !NEVER.has(id) && !OUTSIDE.has(id)));
}

/** Sends a request, cuts the connection, and sends the request again. */
async function sendTwice({ url, clock }: TestStation, request: GeneratedRequest, cut: Cut): Promise<RawAnswer> {
  const sent = toSend(request);
  if (cut === 'while it runs') {
    const [, again] = await Promise.all([sendAndCut(url, sent, 'after the request'), rawRequest(url, sent)]);
    return again;
  }
  await sendAndCut(url, sent, cut);
  if (cut === 'after the request') await clock.advance(0);
  return rawRequest(url, sent);
}

/** Sends a request and cuts the connection. Resolves once the connection is closed. */
function sendAndCut(
  url: string,
  { method = 'GET', path, headers = {}, body = '' }: RawRequest,
  cut: Cut,
): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const whole = Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body)]);
  const bytes = cut === 'inside the request' ? whole.subarray(0, whole.length - Math.max(3, body.length >> 1)) : whole;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.write(bytes, () => {
        if (cut !== 'at the first byte of the answer') socket.destroy();
      });
    });
    socket.once('data', () => void socket.destroy());
    socket.once('close', () => resolve());
    socket.once('error', reject);
  });
}

/** Returns the part of an answer that both callers must get. A repeated answer does not contain secrets. */
function shown({ url }: TestStation, { status, headers, text }: RawAnswer): object {
  const isJson = /json/.test(headers['content-type'] ?? '');
  const plain = text.replaceAll(new URL(url).host, 'host');
  // An import that continues after a kill already knows the columns that it stored itself.
  const known = (name: string, value: unknown): unknown => (name === 'remembered' ? undefined : value);
  return { status, body: isJson ? (JSON.parse(jsonWithoutSecrets(JSON.parse(plain)), known) as unknown) : plain };
}

/** Creates random ids that restart with each request, because only one of the stations evaluates a refused request twice. */
function idsInStep(seed: number): Ids & { begin(index: number): void } {
  let current = seededIds(seed);
  return {
    uuid: () => current.uuid(),
    bytes: (length) => current.bytes(length),
    fraction: () => current.fraction(),
    begin: (index) => void (current = seededIds(seed * 100_000 + index + 1)),
  };
}

async function stateOf(station: TestStation): Promise<string> {
  const agent = new Agent();
  try {
    return (await snapshot(station, agent)).replaceAll(new URL(station.url).host, 'host');
  } finally {
    agent.destroy();
  }
}

/** Columns with the progress of a callback delivery. They differ, because attempts use real sockets and the waits are random. */
const ATTEMPT_COLUMNS: ReadonlySet<string> = new Set([
  'attempts',
  'last_attempt_at',
  'last_error',
  'last_status',
  'last_url',
  'next_attempt_at',
  'uncounted_attempts',
]);

/** Returns all rows on disk, by table. */
function rowsOf({ dataFolder, url }: TestStation): Record<string, unknown> {
  const database = new Database(join(dataFolder, DATABASE_FILE), { readonly: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).pluck().all();
    const kept = (tables as string[]).filter((name) => !TRACES.has(name) && !name.includes('_fts'));
    // The wrapped key and everything encrypted with it are random.
    const where = (name: string): string => (name === 'meta' ? "WHERE key <> 'wrapped_key'" : '');
    const readAll = (name: string): unknown => {
      const text = JSON.stringify(database.prepare(`SELECT * FROM "${name}" ${where(name)}`).all());
      const same = text.replaceAll(new URL(url).host, 'host').replaceAll(/sealed:1:[\w:+/=-]+/g, 'sealed');
      return JSON.parse(same, (column, value: unknown) => (ATTEMPT_COLUMNS.has(column) ? undefined : value));
    };
    return Object.fromEntries(kept.map((name) => [name, readAll(name)]));
  } finally {
    database.close();
  }
}
