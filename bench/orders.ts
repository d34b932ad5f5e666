import { whole } from '#shared/lib/inParts.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { openDatabase } from '../electron/server/db/database.ts';
import type { Db } from '../electron/server/db/db.ts';
import { createRepositories } from '../electron/server/db/repositories.ts';
import { createWriter } from '../electron/server/db/writer.ts';
import { createAlertRecords } from '../electron/server/services/alerts/records.ts';
import { createCallbacks } from '../electron/server/services/callbacks/callbacks.ts';
import { createCommands } from '../electron/server/services/commands/commands.ts';
import { createOrders, type Orders } from '../electron/server/services/orders/orders.ts';
import type { SettingsService } from '../electron/server/services/settings/settings.ts';
import { systemPorts } from '../electron/server/systemPorts.ts';
import { stationTimeAt } from '../test/helpers/stationTimeAt.ts';
import { median, type Goal } from './goals.ts';
import { deviceId } from './loads.ts';
import { startStation, type ServerProcess, type Workplace } from './processes.ts';
import { openConnection } from './wire.ts';
import { createCurrentLines } from '../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../electron/server/services/commands/shownLines.ts';

const ITEMS = 1_000;
const PRESSES_A_ROUND = 60;
const WARM_UP_PRESSES = 40;
const LAUNCHES_A_ROUND = 8;
const WARM_UP_LAUNCHES = 6;

/**
 * Milliseconds until the launch of a large order is answered; and the processor time of that launch, and a press that completes an
 * order, compared with only writing their rows.
 */
export async function measureOrders(place: Workplace, rounds: number): Promise<Goal[]> {
  const launch: Goal = { name: `launch of an order of ${ITEMS} items`, unit: 'ms', values: [], atMost: 150 };
  const press: Goal = {
    name: 'press that completes an order, 4 callbacks / a bare transaction of its rows',
    unit: 'x',
    values: [],
    atMost: 3,
  };
  const alone: Goal = {
    name: 'processor time of that launch, without sending / a bare transaction of its rows',
    unit: 'x',
    values: [],
    atMost: 3,
  };
  const station = await startStation(place.folder(), ITEMS);
  const connection = await openConnection(station.url);
  for (let round = 0; round <= rounds; round += 1) {
    const took = await timeLaunch(station, connection, `order-${round}`);
    if (round > 0) launch.values.push(took);
  }
  connection.close();
  await station.stop();
  const presses = await openPresses(place);
  await presses.time(WARM_UP_PRESSES);
  for (let round = 0; round < rounds; round += 1) press.values.push(await presses.time(PRESSES_A_ROUND));
  await presses.timeLaunches(WARM_UP_LAUNCHES);
  for (let round = 0; round < rounds; round += 1) alone.values.push(await presses.timeLaunches(LAUNCHES_A_ROUND));
  presses.close();
  return [launch, alone, press];
}

async function timeLaunch(
  station: ServerProcess,
  connection: Awaited<ReturnType<typeof openConnection>>,
  number: string,
): Promise<number> {
  await connection.request('POST', '/api/orders/', JSON.stringify({ order_number: number, items: largeItems() }));
  const waitedMs = station.waitedMs();
  const startedAt = performance.now();
  await connection.request('POST', `/api/orders/${number}/launch/`, '{}');
  const took = performance.now() - startedAt - (station.waitedMs() - waitedMs);
  await connection.request('POST', `/api/orders/${number}/abort/`, '{}');
  // A thousand devices still receive the removal of their commands.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return took;
}

/** A statement that wrote, with its values. */
type Written = { sql: string; values: unknown[] };

/**
 * Orders of one item in a database, and a second database that repeats every writing statement: the same rows in a
 * minimal transaction.
 */
async function openPresses(
  place: Workplace,
): Promise<{ time(count: number): Promise<number>; timeLaunches(count: number): Promise<number>; close(): void }> {
  const [database, bare] = [openDatabase(place.folder()), openDatabase(place.folder())];
  let written: Written[] = [];
  const db = recording(database.writer, (statement) => written.push(statement));
  const repositories = createRepositories(db);
  const { clock, log, ids } = systemPorts('silent', {});
  const writer = createWriter({
    db,
    clock,
    log,
    soonMs: 0,
    revisionFloor: 0,
    publish: () => undefined,
    watchClock: () => undefined,
  });
  const current = {
    ...DEFAULT_SETTINGS,
    callback_url: 'http://127.0.0.1:1/',
    ordernonce: '{order}',
    shipmentnonce: '{order}',
  };
  const settings = {
    current: () => current,
    hasReceiver: (name: string) => name === 'http',
  } as unknown as SettingsService;
  const callbacks = createCallbacks({
    repositories,
    settings,
    book: { list: () => [] },
    time: stationTimeAt(Date.now()),
    runMark: 'bench',
    offer: () => undefined,
  });
  let orders: Orders;
  const commands = createCommands({
    repositories,
    callbacks,
    refresh: () => undefined,
    due: () => undefined,
    latencyMs: () => 0,
    reaches: () => true,
    ownerEnded: (unit, ended) => orders.ended(unit, ended),
    ownerMoved: (unit, owner, isReached) => orders.itemMoved(unit, owner.id, isReached),
    ownerReached: () => undefined,
    ownerPressed: () => false,
    ownerOpen: () => false,
    ownerPicker: () => null,
    shownLines: createShownLines(),
    currentLines: createCurrentLines({ monotonic: () => 0 }),
  });
  orders = createOrders({
    repositories,
    reads: repositories,
    writer,
    commands,
    devices: { hasSlow: () => false },
    callbacks,
    records: createAlertRecords({
      repositories,
      reads: repositories,
      writer,
      callbacks,
      mail: { add: () => undefined },
    }),
    settings,
    endedOrders: { ended: () => undefined, removing: () => undefined },
    snapshots: { read: (work) => Promise.resolve(whole(work(repositories))) },
    ids,
  });
  const device = deviceId(1);
  await writer.write(() => {
    for (let index = 1; index <= ITEMS; index += 1)
      repositories.devices.insert({ deviceId: deviceId(index), buttons: 1, firmware: 70, createdAt: 0 });
  });
  const repeat = repeating(bare.writer);
  let last = 0;

  /** Milliseconds of a press, and of writing its rows only. */
  async function timeOne(): Promise<[press: number, bare: number]> {
    last += 1;
    const number = `order-${last}`;
    const items = [{ name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: 2, deviceid: device }];
    await orders.add({ order_number: number, items }, { strict: false, unknown: [] });
    const launched = await orders.launch(number, 'bench');
    repeat(written);
    written = [];
    const token = Number(launched.items?.[0]?.command_id);
    const startedAt = performance.now();
    const isTaken = await writer.write((unit) =>
      commands.acknowledge(unit, { deviceId: device, token, at: unit.now, qty: 2, by: 'device', reason: undefined }),
    );
    const pressed = performance.now() - startedAt;
    const told = written.filter(({ sql }) => sql.includes('INTO outbox')).length;
    if (!isTaken || told !== 4) throw new Error(`A press told ${told} callbacks`);
    const bareAt = performance.now();
    repeat(written);
    const took = performance.now() - bareAt;
    written = [];
    return [pressed, took];
  }

  /** Milliseconds of processor time of a launch, and of writing its rows only. */
  async function timeOneLaunch(): Promise<[launch: number, bare: number]> {
    last += 1;
    const number = `order-${last}`;
    await orders.add({ order_number: number, items: largeItems() }, { strict: false, unknown: [] });
    repeat(written);
    written = [];
    const launched = await cpuMs(() => orders.launch(number, 'bench'));
    const alone = await cpuMs(() => repeat(written));
    written = [];
    await orders.remove(number, 'bench');
    repeat(written);
    written = [];
    return [launched, alone];
  }

  return {
    time: (count) => ratio(count, timeOne),
    timeLaunches: (count) => ratio(count, timeOneLaunch),
    close() {
      writer.stop();
      database.close();
      bare.close();
    },
  };
}

/** Median of the first divided by that of the second, which are measured in turn. */
async function ratio(count: number, timeOne: () => Promise<[number, number]>): Promise<number> {
  const times: [number, number][] = [];
  for (let index = 0; index < count; index += 1) times.push(await timeOne());
  return median(times.map(([one]) => one)) / median(times.map(([, other]) => other));
}

/** Processor time of this process, in milliseconds. */
async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function largeItems() {
  return Array.from({ length: ITEMS }, (_, index) => ({
    name: 'Cable tie 200',
    SKU: `CT-${index}`,
    ordered_quantity: 2,
    deviceid: deviceId(index + 1),
  }));
}

/** A database that reports every writing statement. */
function recording(db: Db, tell: (statement: Written) => void): Db {
  const prepare = (sql: string): unknown => {
    const statement = db.prepare(sql);
    const told = {
      pluck: () => (statement.pluck(), told),
      safeIntegers: () => (statement.safeIntegers(), told),
      get: (...values: unknown[]) => statement.get(...values),
      all: (...values: unknown[]) => statement.all(...values),
      run(...values: unknown[]) {
        tell({ sql, values });
        return statement.run(...values);
      },
    };
    return told;
  };
  return new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) });
}

/** Repeats statements without savepoints. */
function repeating(db: Db): (statements: readonly Written[]) => void {
  const prepared = new Map<string, ReturnType<Db['prepare']>>();
  return (statements) => {
    for (const { sql, values } of statements) {
      if (/^(?:SAVEPOINT|RELEASE)/.test(sql)) continue;
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      statement.run(...values);
    }
  };
}
