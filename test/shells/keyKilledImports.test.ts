import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { AnyImport, AnyImportUndo, ImportCorrected, ImportEntry, ImportWithRows } from '#shared/api/imports.ts';
import type { DraftEntry } from '#shared/api/importDrafts.ts';
import type { LocationImport } from '#shared/api/locationImport.ts';
import type { StationMap } from '#shared/api/map.ts';
import type { GoodsPlace } from '#shared/api/place.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import type { DemoShop } from '#shared/api/setup.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk, spawnStation, watch, type StationProcess } from './stationProcess.ts';

const KILLER = join(import.meta.dirname, 'killAtStep.ts');
const ORDERS = 400;
/** Number of devices, which is more than the screens that one commit changes. */
const DEVICES = 120;
/**
 * Steps at which the station is killed. Steps 2, 4, 6 and 8 follow a request's first commits: its checks, its checked rows, its orders or
 * places, and its end. `KEY_KILLS=2,4,6,8` kills at all of them. The default is only between two commits that create orders or places.
 */
const KILLS = (process.env['KEY_KILLS'] ?? '6').split(',').map(Number);
const hasAll = KILLS.length > 1;

let folder: string;
let station: StationProcess | undefined;

beforeAll(() => void (folder = folderOnDisk('key-killed-imports')));

afterEach(() => station?.kill());

afterAll(() => rmSync(folder, { recursive: true }));

type Answer<T> = { status: number; json: T };

async function ask<T>(
  method: string,
  path: string,
  { key, body }: { key?: string; body?: unknown } = {},
): Promise<Answer<T>> {
  const headers = {
    'api-key': API_KEY,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const url = new URL(path, await station?.ready);
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) ?? null });
  const json = (await answer.json()) as T;
  return { status: answer.status, json };
}

async function done<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { status, json } = await ask<T>(method, path, { body });
  expect(status, JSON.stringify(json)).toBeLessThan(300);
  return json;
}

/**
 * Sends a request to a station that is killed at step `at`, then sends it again. `between` inspects the data in the meantime. The request
 * has a key, unless `from` is the start of an undo or redo.
 */
async function repeatKilled<T>(
  dataFolder: string,
  {
    at,
    method = 'POST',
    path,
    body,
    simulate,
    from = 'key',
  }: { at: number; method?: string; path: string; body?: unknown; simulate: number; from?: 'key' | 'undo' | 'redo' },
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<Answer<T>> {
  await station?.stop();
  const args = [
    '--import',
    KILLER,
    STATION_PROGRAM,
    '--port',
    '0',
    '--data',
    dataFolder,
    '--simulate',
    String(simulate),
  ];
  station = watch(['env', `KILL_AT_STEP=${at}`, `KILL_FROM=${from}`, process.execPath, ...args]);
  const sent = from === 'key' ? { key: `key-${at}-${path}`, body } : { body };
  await ask(method, path, sent).catch(() => undefined);
  await station.kill();
  expect(station.stderr()).toContain(`killed at step ${at}`);
  start(dataFolder, simulate);
  await between();
  const again = await ask<T>(method, path, sent);
  if (from === 'key') expect(await ask<T>(method, path, sent)).toEqual(again);
  return again;
}

function start(dataFolder: string, simulate: number): void {
  station = spawnStation({ dataFolder, simulate, port: 0 });
}
const imports = () => done<ImportEntry[]>('GET', '/api/imports/');

test(
  'an order import with a key takes effect once, even if the station is killed at any commit',
  { timeout: 600_000 },
  async () => {
    const dataFolder = join(folder, 'orders');
    start(dataFolder, 0);
    for (const [round, at] of KILLS.entries()) {
      const numbers = Array.from({ length: ORDERS }, (_, order) => `R${round}-${String(order).padStart(4, '0')}`);
      const csv = ['order;sku;qty', ...numbers.map((number) => `${number};M8;2`), ''].join('\n');
      const { status, json } = await repeatKilled<AnyImport>(dataFolder, {
        at,
        path: '/api/imports/',
        body: { csv },
        simulate: 0,
      });
      expect([at, status, json]).toMatchObject([at, 200, { counts: { orders: ORDERS, new: ORDERS, known: 0 } }]);
      expect(json.rows.filter(({ outcome }) => outcome !== 'new')).toEqual([]);
      const all = await done<OrderProgress[]>('GET', `/api/order-progress/?after=R${round}&limit=10000`);
      expect(all.map(({ order_number: number }) => number)).toEqual(numbers);
      const entries = await imports();
      expect(entries).toHaveLength(round + 1);
      expect(entries[0]).toMatchObject({ id: json.id, state: 'imported', undoable: ORDERS });
      const { rows } = await done<ImportWithRows>('GET', `/api/imports/${json.id}/?limit=1000`);
      expect(rows).toHaveLength(ORDERS);
    }
  },
);

test(
  'an import with a key ends each order that the file cancels, even if the station is killed between them',
  { timeout: 600_000 },
  async () => {
    const dataFolder = join(folder, 'ends');
    start(dataFolder, 0);
    for (const [round, at] of KILLS.entries()) {
      const numbers = Array.from({ length: ORDERS }, (_, order) => `E${round}-${String(order).padStart(4, '0')}`);
      const csv = (state: string) =>
        ['order;sku;qty;status', ...numbers.map((number) => `${number};M8;2;${state}`), ''].join('\n');
      await done('POST', '/api/imports/', { csv: csv('open') });
      const body = { csv: csv('canceled') };
      const { status, json } = await repeatKilled<AnyImport>(dataFolder, {
        at,
        path: '/api/imports/',
        body,
        simulate: 0,
      });
      expect([at, status, json]).toMatchObject([at, 200, { counts: { changed: ORDERS, left_out: 0 } }]);
      const open = await done<OrderProgress[]>('GET', '/api/order-progress/?state=open&limit=10000');
      expect(open.map(({ order_number: number }) => number)).toEqual([]);
      expect((await imports())[0]).toMatchObject({ id: json.id, undoable: ORDERS });
    }
  },
);

/** Returns the order numbers of the drafts, and those of the orders with their lines. */
async function draftsAndOrders(): Promise<{ drafts: string[]; orders: string[] }> {
  const drafts = await done<DraftEntry[]>('GET', '/api/import-drafts/?limit=1000');
  const orders = await done<OrderProgress[]>('GET', '/api/order-progress/?limit=10000');
  return {
    drafts: drafts.map(({ order_number: number }) => number).sort(),
    orders: orders.map(({ order_number: number, item_count: lines }) => `${number}: ${lines}`).sort(),
  };
}

test(
  'an import that keeps drafts creates each order once, as an order or as a draft, even if the station is killed',
  { timeout: 600_000 },
  async () => {
    const dataFolder = join(folder, 'kept-drafts');
    start(dataFolder, 0);
    const numbers = Array.from({ length: ORDERS }, (_, order) => `D${String(order).padStart(4, '0')}`);
    const isRefused = (order: number) => order % 2 === 1;
    const csv = [
      'order;sku;qty',
      ...numbers.map((number, order) => `${number};M8;${isRefused(order) ? 'many' : 2}`),
      '',
    ].join('\n');
    const preview = await done<AnyImport>('POST', '/api/imports/', { csv, dry_run: true });
    const { status } = await repeatKilled(dataFolder, { at: 6, path: `/api/imports/${preview.id}/run/`, simulate: 0 });
    expect(status).toBe(200);
    expect(await draftsAndOrders()).toEqual({
      drafts: numbers.filter((_, order) => isRefused(order)),
      orders: numbers.filter((_, order) => !isRefused(order)).map((number) => `${number}: 1`),
    });
  },
);

const DRAFTS = 40;
/** Steps in the middle of the drafts. Even steps are between a commit and its answer, odd steps before the commit. */
const DRAFT_KILLS = hasAll ? [9, 20] : [20];

test(
  'a draft becomes an order only once, even if the station is killed before the answer',
  { timeout: 600_000 },
  async () => {
    const dataFolder = join(folder, 'drafts');
    start(dataFolder, 0);
    const numbers = Array.from({ length: DRAFTS }, (_, order) => `D${String(order).padStart(2, '0')}`);
    const csv = ['order;sku;qty', ...numbers.flatMap((number) => [`${number};M8;2`, `${number};M10;1`]), ''].join('\n');
    const preview = await done<AnyImport>('POST', '/api/imports/', { csv, dry_run: true });
    const setAside = numbers.map((_, order) => 2 + order * 2);
    await done('POST', `/api/imports/${preview.id}/run/`, { set_aside: setAside });
    const drafts = await done<DraftEntry[]>('GET', '/api/import-drafts/');
    /** Creates a draft's order. Half of the calls have a key. Returns undefined if no answer arrived. */
    const create = ({ id }: DraftEntry): Promise<number | undefined> =>
      ask('POST', `/api/import-drafts/${id}/create/`, id % 2 === 0 ? { key: `draft-${id}` } : {}).then(
        ({ status }) => status,
        () => undefined,
      );
    const left: number[] = [];
    for (const at of DRAFT_KILLS) {
      await station?.stop();
      const args = ['--import', KILLER, STATION_PROGRAM, '--port', '0', '--data', dataFolder, '--simulate', '0'];
      station = watch(['env', `KILL_AT_STEP=${at}`, 'KILL_FROM=draft', process.execPath, ...args]);
      await station.ready;
      await Promise.all(drafts.map(create));
      await station.kill();
      expect(station.stderr()).toContain(`killed at step ${at}`);
      start(dataFolder, 0);
      const now = await draftsAndOrders();
      expect([...now.drafts.map((number) => `${number}: 2`), ...now.orders].sort()).toEqual(
        numbers.map((number) => `${number}: 2`),
      );
      left.push(now.drafts.length);
    }
    expect(left.every((many) => many > 0 && many < DRAFTS)).toBe(true);
    const statuses = await Promise.all(drafts.map(async (draft) => [draft.id % 2, await create(draft)] as const));
    // Without a key, a draft whose order exists is no longer found.
    expect(new Set(statuses.map((each) => each.join(': ')))).toEqual(new Set(['0: 201', '1: 201', '1: 404']));
    expect(await draftsAndOrders()).toEqual({ drafts: [], orders: numbers.map((number) => `${number}: 2`) });
    // The undo of the import still covers all of its orders.
    expect(await done<AnyImportUndo>('POST', `/api/imports/${preview.id}/undo/`)).toMatchObject({ undone: DRAFTS });
  },
);

const label = (round: number, device: number) => `R${round}-${String(device).padStart(3, '0')}`;
/** Returns the sorted labels of all devices. */
async function labels(): Promise<string[]> {
  const url = new URL('/api/location-aliases/export/', await station?.ready);
  const csv = await (await fetch(url, { headers: { 'api-key': API_KEY } })).text();
  const devices = csv.split('\r\n').filter((line) => line.startsWith(','));
  return devices.map((line) => line.split(',')[3] ?? '').sort();
}

/** Returns a file that names the devices by their labels, renames all of them, and defines a place for each. */
const placesOf = (round: number): string =>
  [
    'name;device;where;label',
    ...Array.from(
      { length: DEVICES },
      (_, device) => `P${label(round, device)};${label(round - 1, device)};Above;${label(round, device)}`,
    ),
    '',
  ].join('\n');
const labelsOf = (round: number) => Array.from({ length: DEVICES }, (_, device) => label(round, device));

async function startWithLabels(dataFolder: string): Promise<void> {
  start(dataFolder, DEVICES);
  const devices = Array.from({ length: DEVICES }, (_, device) => `51D000:${String(device + 1).padStart(6, '0')}`);
  const csv = ['deviceid;label', ...devices.map((id, device) => `${id};${label(-1, device)}`), ''].join('\n');
  await done('POST', '/api/imports/', { kind: 'locations', csv });
}

test(
  'a location import with a key takes effect once, even if the station is killed at any commit',
  { timeout: 600_000 },
  async () => {
    const dataFolder = join(folder, 'locations');
    await startWithLabels(dataFolder);
    const partly: number[] = [];
    for (const [round, at] of KILLS.entries()) {
      const isPreview = round % 3 === 1;
      const isOlder = round % 3 === 2;
      const body = { csv: placesOf(round), ...(isOlder ? {} : { kind: 'locations' }) };
      const preview = isPreview
        ? await done<AnyImport>('POST', '/api/imports/', { ...body, dry_run: true })
        : undefined;
      const request = isPreview
        ? { path: `/api/imports/${preview?.id}/run/` }
        : { path: isOlder ? '/api/location-aliases/import/' : '/api/imports/', body };
      const { status, json } = await repeatKilled<AnyImport | ImportWithRows | LocationImport>(
        dataFolder,
        { at, ...request, simulate: DEVICES },
        async () => {
          const ready = (await labels()).filter((each) => each.startsWith(`R${round}-`)).length;
          if (ready > 0 && ready < DEVICES) partly.push(at);
        },
      );
      expect([at, status, json]).toMatchObject([at, 200, { counts: { new: DEVICES, changed: 0, refused: 0 } }]);
      expect(json.rows.filter(({ outcome }) => outcome !== 'new')).toEqual([]);
      expect(await labels()).toEqual(labelsOf(round));
      const aliases = await done<{ name: string }[]>('GET', '/api/location-aliases/?limit=10000');
      expect(aliases.filter(({ name }) => name.startsWith(`PR${round}-`))).toHaveLength(DEVICES);
      const entries = await imports();
      expect(entries).toHaveLength(round + 2);
      expect(entries[0]).toMatchObject({ id: json.id, state: 'imported', undoable: DEVICES });
    }
    expect(partly).not.toEqual([]);
  },
);

test('an undo with a key runs once, even if the station is killed at any commit', { timeout: 600_000 }, async () => {
  const dataFolder = join(folder, 'undo');
  await startWithLabels(dataFolder);
  const csv = ['order;sku;qty', ...Array.from({ length: ORDERS }, (_, order) => `${order};M8;2`), ''].join('\n');
  for (const [round, at] of KILLS.entries()) {
    const isOrders = round % 2 === 0;
    const isOlder = round % 4 > 1;
    const { id } = await done<AnyImport>(
      'POST',
      '/api/imports/',
      isOrders ? { csv } : { kind: 'locations', csv: placesOf(0) },
    );
    const older = isOrders ? '/api/order-import/undo/' : '/api/location-aliases/import/undo/';
    const request = isOlder ? { path: older, body: { id } } : { path: `/api/imports/${id}/undo/` };
    const { status, json } = await repeatKilled<AnyImportUndo>(dataFolder, { at, ...request, simulate: DEVICES });
    expect([at, status, json]).toEqual([at, 200, { undone: isOrders ? ORDERS : DEVICES, kept: [] }]);
    expect(await done('GET', '/api/order-progress/')).toEqual([]);
    expect(await labels()).toEqual(labelsOf(-1));
    expect((await imports())[0]).toMatchObject({ id, state: 'undone' });
  }
});

/** Steps at which an undo or redo without a key is killed: before and after the commits of its begin, its first orders, and the next. */
const UNDO_KILLS = hasAll ? [1, 2, 3, 4, 5, 6] : [4, 5];

const csvOfOrders = (names: readonly string[]) =>
  ['order;sku;qty', ...names.map((name) => `${name};M8;2`), ''].join('\n');

type Listed = {
  /** A file to import before. */
  before?: (names: readonly string[]) => string;
  csv: (names: readonly string[]) => string;
  list: () => Promise<string[]>;
  kind?: string;
};

/** Files of each kind, and how to list the names that they create or end. */
const FILES = {
  orders: {
    csv: csvOfOrders,
    list: async () =>
      (await done<OrderProgress[]>('GET', '/api/order-progress/?limit=10000')).map(({ order_number: name }) => name),
  },
  ends: {
    kind: 'orders',
    before: csvOfOrders,
    csv: (names) => ['order;sku;qty;status', ...names.map((name) => `${name};M8;2;canceled`), ''].join('\n'),
    list: async () => {
      const orders = await done<OrderProgress[]>('GET', '/api/order-progress/?limit=10000');
      expect(orders).toHaveLength(ORDERS);
      const isEnded = (order: OrderProgress) => order.state === 'aborted' && order.ended_elsewhere === 'canceled';
      expect(orders.filter((order) => order.state !== 'open' && !isEnded(order))).toEqual([]);
      return orders.filter(isEnded).map(({ order_number: name }) => name);
    },
  },
  articles: {
    csv: (names: readonly string[]) => ['sku;location;on_hand', ...names.map((name) => `${name};A-1;2`), ''].join('\n'),
    list: async () => (await done<Article[]>('GET', '/api/articles/?limit=1000')).map(({ sku }) => sku).sort(),
  },
  places: {
    csv: (names: readonly string[]) => ['name;note', ...names.map((name) => `${name};Top`), ''].join('\n'),
    list: async () => (await done<GoodsPlace[]>('GET', '/api/places/')).map(({ name }) => name).sort(),
  },
} satisfies Readonly<Record<string, Listed>>;

test.each<{ of: keyof typeof FILES; kind: 'key' | 'call'; kills: number[] }>([
  { of: 'orders', kind: 'key', kills: KILLS.filter((at) => at <= 6) },
  { of: 'orders', kind: 'call', kills: UNDO_KILLS },
  { of: 'ends', kind: 'key', kills: KILLS.filter((at) => at <= 6) },
  { of: 'ends', kind: 'call', kills: UNDO_KILLS },
  { of: 'articles', kind: 'call', kills: hasAll ? UNDO_KILLS : [5] },
  { of: 'places', kind: 'call', kills: hasAll ? UNDO_KILLS : [5] },
])(
  'an undo and a redo of $of continue with the next $kind, even if the station is killed at any commit',
  { timeout: 600_000 },
  async ({ of, kind, kills }) => {
    const dataFolder = join(folder, `redo-${of}-${kind}`);
    start(dataFolder, 0);
    const numbers = Array.from({ length: ORDERS }, (_, order) => `R${String(order).padStart(4, '0')}`);
    const { before, csv, list, kind: fileKind = of }: Listed = FILES[of];
    if (before !== undefined) await done('POST', '/api/imports/', { kind: fileKind, csv: before(numbers) });
    const file = { kind: fileKind, csv: csv(numbers), stock: true };
    const { id } = await done<AnyImport>('POST', '/api/imports/', file);
    for (const at of kills) {
      const run = async (action: 'undo' | 'redo', over: string, answer: object) => {
        const path = `/api/imports/${id}/${action}/`;
        const from = kind === 'key' ? 'key' : action;
        let isOver = false;
        const result = await repeatKilled(dataFolder, { at, simulate: 0, path, from }, async () => {
          const [entry] = await imports();
          isOver = entry?.state === over;
          // The page offers to continue it.
          if (action === 'undo' && !isOver) expect(entry?.undoable).toBeGreaterThan(0);
          if (action === 'redo' && !isOver) expect(entry?.redo_until).not.toBeNull();
        });
        // Without a key, the station cannot know that its answer to the last commit was lost.
        if (isOver && kind !== 'key') expect([at, result.status]).toEqual([at, 409]);
        else expect([at, action, result]).toEqual([at, action, { status: 200, json: { ...answer, kept: [] } }]);
      };
      await run('undo', 'undone', { undone: ORDERS });
      expect(await list()).toEqual([]);
      await run('redo', 'imported', { redone: ORDERS });
      expect(await list()).toEqual(numbers);
      expect((await imports())[0]).toMatchObject({ id, state: 'imported', redo_until: null, undoable: ORDERS });
    }
  },
);

test('a correction with a key can be repeated, even if the station is killed', { timeout: 600_000 }, async () => {
  const dataFolder = join(folder, 'corrections');
  start(dataFolder, 0);
  for (const at of hasAll ? [2, 4] : [4]) {
    const csv = `order;sku;qty\n${at};M8;many\n${at}b;M8;1\n`;
    const { id } = await done<AnyImport>('POST', '/api/imports/', { csv, dry_run: true });
    const path = `/api/imports/${id}/rows/2/`;
    const body = { cells: { ordered_quantity: '3' } };
    const again = await repeatKilled<ImportCorrected>(dataFolder, { at, method: 'PATCH', path, body, simulate: 0 });
    expect([at, again]).toMatchObject([
      at,
      { status: 200, json: { counts: { orders: 2 }, rows: [{ line: 2, quantity: 3 }] } },
    ]);
  }
});

test('the demo shop is created once per key, even if the station is killed', { timeout: 600_000 }, async () => {
  for (const at of hasAll ? [2, 8, 10, 12, 14] : [10]) {
    const dataFolder = join(folder, `demo-${at}`);
    const { status, json } = await repeatKilled<StationMap>(dataFolder, { at, path: '/api/setup/demo/', simulate: 0 });
    expect([at, status]).toEqual([at, 201]);
    expect(await done('GET', '/api/map/')).toEqual(json);
    expect(await done('GET', '/api/order-progress/')).toHaveLength(1);
    expect(await done('GET', '/api/sequence/')).toHaveLength(1);
  }
});

test('the demo shop is removed once per key, even if the station is killed', { timeout: 600_000 }, async () => {
  for (const at of hasAll ? [1, 2] : [2]) {
    const dataFolder = join(folder, `demo-removed-${at}`);
    await station?.stop();
    start(dataFolder, 0);
    await done('POST', '/api/setup/demo/');
    const preview = await done<DemoShop>('GET', '/api/setup/demo/');
    const { status, json } = await repeatKilled<DemoShop>(dataFolder, {
      at,
      method: 'DELETE',
      path: '/api/setup/demo/',
      simulate: 0,
    });
    expect([at, status, json]).toEqual([at, 200, preview]);
    expect(await done('GET', '/api/device/')).toEqual([]);
    expect(await done('GET', '/api/order-progress/')).toEqual([]);
  }
});
