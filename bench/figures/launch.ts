import { whole } from '#shared/lib/station/inParts.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { openDatabase } from '../../electron/server/db/database.ts';
import type { Db } from '../../electron/server/db/db.ts';
import { createArticleGroup } from '../../electron/server/services/articles/index.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { createWriter } from '../../electron/server/db/writer.ts';
import { createAlertRecords } from '../../electron/server/services/alerts/records.ts';
import { createCallbacks } from '../../electron/server/services/callbacks/callbacks.ts';
import { createCommands } from '../../electron/server/services/commands/commands.ts';
import { createOrders, type Orders } from '../../electron/server/services/orders/orders.ts';
import { systemPorts } from '../../electron/server/systemPorts.ts';
import { runningTimeAt } from '../../test/helpers/runningTimeAt.ts';
import { median, type Goal } from '../goals.ts';
import { deviceId, longestAnswer, timed, untilQuiet } from '../load/loads.ts';
import { startStation, type Workplace } from '../load/processes.ts';
import { openConnection } from '../load/wire.ts';
import { createCurrentLines } from '../../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../../electron/server/services/commands/shownLines.ts';

const SIZES = [200, 1_000] as const;
const LARGEST = Math.max(...SIZES);
const PRESSES_A_ROUND = 60;
const LAUNCHES_A_ROUND = 8;
const WARM_UPS = 20;

/**
 * Measures a launch, and a press that completes an order: the number of writing statements, and the processor time relative to merely
 * writing the same rows. Also measures how long other requests to a station wait during a launch.
 */
export async function measureLaunch(place: Workplace, rounds: number): Promise<Goal[]> {
  const workshop = await openWorkshop(place);
  const press: Goal = {
    name: 'press that completes an order, 4 callbacks / a bare transaction of its rows',
    unit: 'x',
    values: [],
    atMost: 4.5,
  };
  const launches = SIZES.map((lines) => ({
    lines,
    ratio: {
      name: `launch of ${lines} lines / a bare transaction of its rows`,
      unit: 'x',
      values: [],
      atMost: 4.5,
    } as Goal,
    statements: {
      name: `statements a line that write in a launch of ${lines} lines`,
      unit: '',
      values: [],
      atMost: 2.1,
    } as Goal,
  }));
  await workshop.timePresses(WARM_UPS);
  await workshop.timeLaunches(WARM_UPS, LARGEST);
  for (let round = 0; round < rounds; round += 1) {
    press.values.push((await workshop.timePresses(PRESSES_A_ROUND)).ratio);
    for (const { lines, ratio, statements } of launches) {
      const timed = await workshop.timeLaunches(LAUNCHES_A_ROUND, lines);
      ratio.values.push(timed.ratio);
      statements.values.push(timed.statements / lines);
    }
  }
  const withArticles: Goal = {
    name: `launch of ${LARGEST} lines with articles / a bare transaction of its rows`,
    unit: 'x',
    values: [],
    atMost: 5,
  };
  await workshop.addArticles(LARGEST);
  await workshop.timeLaunches(WARM_UPS, LARGEST, skusOf);
  for (let round = 0; round < rounds; round += 1)
    withArticles.values.push((await workshop.timeLaunches(LAUNCHES_A_ROUND, LARGEST, skusOf)).ratio);
  workshop.close();
  return [
    press,
    ...launches.flatMap(({ ratio, statements }) => [ratio, statements]),
    withArticles,
    ...(await measureWaits(place, rounds)),
  ];
}

/** Measures waiting times. These figures have no goals, because they depend on the machine. */
async function measureWaits(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), LARGEST);
  const connection = await openConnection(station.url);
  const answer: Goal = { name: `answer to a launch of ${LARGEST} lines`, unit: 'ms', values: [] };
  const wait: Goal = { name: 'longest answer to another request meanwhile', unit: 'ms', values: [] };
  // Start with three warm-up rounds, in which V8 compiles the hot code.
  for (let round = -3; round < rounds; round += 1) {
    const path = `/api/orders/order-${round}/`;
    const body = { order_number: `order-${round}`, items: itemsOf(LARGEST) };
    await connection.request('POST', '/api/orders/', JSON.stringify(body));
    await untilQuiet(station);
    const over = new AbortController();
    const waiting = longestAnswer(station, over.signal);
    const ms = await timed(station, () => connection.request('POST', `${path}launch/`, '{}'));
    over.abort();
    const longest = await waiting;
    if (round >= 0) answer.values.push(ms);
    if (round >= 0) wait.values.push(longest);
    await connection.request('DELETE', path, '');
    await untilQuiet(station);
  }
  connection.close();
  await station.stop();
  return [answer, wait];
}

/** Statement that writes, with its values. */
type Written = { sql: string; values: unknown[] };

/**
 * Opens a database with orders, and a second one in which all writing statements are repeated, so that the same rows are written in a
 * minimal transaction.
 */
async function openWorkshop(place: Workplace) {
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
    mail_password: null,
    mqtt_password: null,
    mqtt_key: null,
    callback_api_key: null,
    callback_password: null,
    callback_signing_secret: null,
    callback_url: 'http://127.0.0.1:1/',
    ordernonce: '{order}',
    shipmentnonce: '{order}',
  };
  const settings = {
    current: () => current,
    hasReceiver: (name: string) => name === 'http',
  };
  const callbacks = createCallbacks({
    repositories,
    settings,
    book: { list: () => [] },
    time: runningTimeAt(Date.now()),
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
    directPressed: () => undefined,
    ownerMoved: (unit, owner, isReached) => orders.itemMoved(unit, owner.id, isReached),
    ownerReached: () => undefined,
    ownerPressed: () => false,
    ownerOpen: () => false,
    ownerPicker: () => null,
    slotName: () => undefined,
    ownerItem: () => undefined,
    shownLines: createShownLines(),
    currentLines: createCurrentLines({ monotonic: () => 0 }),
  });
  const goods = createArticleGroup(
    { repositories, reads: repositories, settings, writer, onStop: () => undefined },
    { callbacks, copier: { convertPicture: () => Promise.reject(new Error('There are no pictures.')) } },
  );
  orders = createOrders({
    repositories,
    reads: repositories,
    writer,
    commands,
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
    itemStock: goods.itemStock,
    snapshots: { read: (work) => Promise.resolve(whole(work(repositories))) },
    ids,
  });
  const device = deviceId(1);
  await writer.write(() => {
    for (let index = 1; index <= LARGEST; index += 1)
      repositories.devices.insert({ deviceId: deviceId(index), buttons: 1, firmware: 70 });
  });
  const repeat = repeating(bare.writer);
  let last = 0;

  async function timePress(): Promise<Timed> {
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
    const bareMs = performance.now() - bareAt;
    const statements = written.length;
    written = [];
    return { ms: pressed, bareMs, statements };
  }

  /** Adds articles with two places each. Only the second place has enough stock. */
  async function addArticles(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await writer.write(() => {
        const row = repositories.devices.find(deviceId(index + 1));
        if (row !== undefined) repositories.devices.update({ ...row, label: `A-${index}` });
      });
      const places = [
        { location: `A-${(index + 1) % count}`, on_hand: 0 },
        { location: `A-${index}`, on_hand: 1_000 },
      ];
      await goods.articles.add({ sku: `CT-${index}`, name: 'Cable tie 200', places }, 'bench');
    }
  }

  async function timeLaunch(lines: number, listItems: ListItems = itemsOf): Promise<Timed> {
    last += 1;
    const number = `order-${last}`;
    await orders.add({ order_number: number, items: listItems(lines) }, { strict: false, unknown: [] });
    repeat(written);
    written = [];
    const ms = await cpuMs(() => orders.launch(number, 'bench'));
    const bareMs = await cpuMs(() => repeat(written));
    const statements = written.length;
    written = [];
    await orders.remove(number, 'bench');
    repeat(written);
    written = [];
    return { ms, bareMs, statements };
  }

  return {
    timePresses: (count: number) => summarize(count, timePress),
    addArticles,
    timeLaunches: (count: number, lines: number, listItems: ListItems = itemsOf) =>
      summarize(count, () => timeLaunch(lines, listItems)),
    close() {
      writer.stop();
      database.close();
      bare.close();
    },
  };
}

/** Processor times of a use case and of merely writing its rows, in milliseconds, and the number of writing statements. */
type Timed = { ms: number; bareMs: number; statements: number };

/** Times a use case and the writing of its rows alternately. Resolves to the medians and their ratio. */
async function summarize(count: number, time: () => Promise<Timed>): Promise<Timed & { ratio: number }> {
  const all: Timed[] = [];
  for (let index = 0; index < count; index += 1) all.push(await time());
  const of = (key: keyof Timed) => median(all.map((each) => each[key]));
  const [ms, bareMs] = [of('ms'), of('bareMs')];
  return { ms, bareMs, ratio: ms / bareMs, statements: of('statements') };
}

/** Resolves to the processor time of this process during `run`, in milliseconds. */
async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

type ListItems = (lines: number) => NewItem[];

function itemsOf(lines: number) {
  return Array.from({ length: lines }, (_, index) => ({
    name: 'Cable tie 200',
    SKU: `CT-${index}`,
    ordered_quantity: 2,
    deviceid: deviceId(index + 1),
  }));
}

/** Returns lines that contain only an article and a quantity. */
function skusOf(lines: number) {
  return itemsOf(lines).map(({ SKU, ordered_quantity }) => ({ SKU, ordered_quantity }));
}

/** Wraps a database so that `tell` receives every writing statement. */
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

/** Creates a function that executes statements again, except savepoints. */
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
