import { rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Item, Order } from '#shared/api/order.ts';
import type { Movement } from '#shared/api/stock.ts';
import type { Task } from '#shared/api/task.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { cutOff } from '../../helpers/servers/cutOff.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { seededFraction } from '../../helpers/seeded.ts';

const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003'];
const LABELS = ['A-1', 'A-2', 'A-3'];
const REASONS = ['missing', 'damaged', 'wrong_item', 'other'];

/** The fulfilled quantity of an item at its creation, and when it was last read. */
type SeenItem = { initial: number; fulfilled: number };

/** Actions that a kill can interrupt. */
const KILLED = [
  'press',
  'scan',
  'correct',
  'short',
  'reopen',
  'launch',
  'abort',
  'remove',
  'post',
  'task',
  'left',
] as const;

/** Creates a small shop in which people and programs act randomly, determined by the seed. */
export async function createShop(seed: number) {
  const fraction = seededFraction(seed);
  const upTo = (count: number): number => Math.floor(fraction() * count);
  const oneOf = <T>(of: readonly T[]): T => {
    const found = of[upTo(of.length)];
    if (found === undefined) throw new Error('Nothing to choose from.');
    return found;
  };
  const receiver = await startReceiver();
  let station = await startTestStation({ simulate: 3, refreshMs: 0, seed });
  const folders: string[] = [];
  let kills = 0;
  const items = new Map<number, SeenItem>();
  const orders: string[] = [];
  const done: string[] = [];
  let created = 0;

  async function setUp(): Promise<void> {
    await station.patch('/api/settings/', {
      callback_url: receiver.url,
      callback_families: { device: false, order: false, sequence: false, movement: true, task: true },
      backup_every: 0,
      zero_check: upTo(2) === 0,
    });
    for (const [index, id] of DEVICES.entries())
      await station.post(`/api/device/${id}/`, { locationoverride: LABELS[index] });
    await station.post('/api/location-aliases/', { name: 'B-1', deviceid: DEVICES[0], deviceIs: 'Above' });
    await station.request('PUT', '/api/articles/', [
      {
        sku: 'X',
        places: [
          { location: 'A-1', on_hand: 20, minimum: 12, maximum: 30 },
          { location: 'A-2' },
          { location: 'B-1', on_hand: 5, minimum: 2 },
        ],
      },
      {
        sku: 'Y',
        name: 'Nut',
        places: [
          { location: 'A-3', on_hand: 8 },
          { location: 'A-1', on_hand: 0 },
        ],
      },
      { sku: 'Z' },
    ]);
  }

  const readOrder = (number: string): Promise<Order> => station.get<Order>(`/api/orders/${number}/`);
  const itemsOf = ({ shipments }: Order): Item[] => shipments.flatMap((shipment) => shipment.items);

  async function lineOf(): Promise<{ number: string; item: Item } | undefined> {
    if (orders.length === 0) return undefined;
    const number = oneOf(orders);
    const all = itemsOf(await readOrder(number));
    return all.length === 0 ? undefined : { number, item: oneOf(all) };
  }

  async function toLine(method: string, path: string, body: (item: Item) => object): Promise<void> {
    const line = await lineOf();
    if (line === undefined) return;
    const { number, item } = line;
    const sent = body(item);
    const { status } = await station.request(method, `/api/orders/${number}/items/${item.id}/${path}`, sent);
    done.push(`${method} ${number}/${item.id}/${path} ${JSON.stringify(sent)}: ${status}`);
  }

  const steps: Record<string, () => Promise<void>> = {
    async order() {
      created += 1;
      const number = `SO-${created}`;
      const wanted = Array.from({ length: 1 + upTo(3) }, () => ({
        ...oneOf([{ SKU: 'X' }, { SKU: 'x' }, { SKU: 'Y' }, { name: 'nut' }, { SKU: 'Z' }, { SKU: 'unknown' }]),
        ...oneOf([{ deviceid: oneOf(DEVICES) }, { warehouse_location: oneOf([...LABELS, 'B-1']) }]),
        ordered_quantity: 1 + upTo(5),
        quantity_fulfilled: upTo(4) === 0 ? 1 : 0,
      }));
      const order = await station.post<Order>('/api/orders/', { order_number: number, items: wanted });
      for (const { id, quantity_fulfilled: initial } of itemsOf(order)) items.set(id, { initial, fulfilled: initial });
      orders.push(number);
      await station.request('POST', `/api/orders/${number}/launch/`);
    },
    async press() {
      const device = oneOf(DEVICES);
      for (let count = device === DEVICES[1] ? upTo(3) : 0; count > 0; count -= 1)
        await station.press(device, oneOf(['plus', 'minus']));
      await station.press(device);
    },
    async scan() {
      const body = { code: oneOf(['X', 'Y', 'nut', 'A-1', 'A-3']), act: true, quantity: 1 + upTo(2) };
      await station.request(
        'POST',
        '/api/scan/',
        orders.length === 0 ? body : { ...body, order_number: oneOf(orders) },
      );
    },
    correct: () =>
      toLine('PATCH', '', () => ({ quantity_fulfilled: upTo(6), ...(upTo(3) === 0 ? { reason: 'damaged' } : {}) })),
    short: () =>
      toLine('POST', 'short/', (item) => ({
        ...(upTo(2) === 0 ? {} : { quantity_fulfilled: item.quantity_fulfilled + upTo(3) }),
        reason: oneOf(REASONS),
        ...(upTo(5) === 0 ? { elsewhere: oneOf(DEVICES) } : {}),
      })),
    reopen: () => toLine('POST', 'reopen/', () => (upTo(2) === 0 ? {} : { quantity_fulfilled: upTo(3) })),
    async launch() {
      if (orders.length > 0) await station.request('POST', `/api/orders/${oneOf(orders)}/launch/`);
    },
    async abort() {
      if (orders.length > 0) await station.request('POST', `/api/orders/${oneOf(orders)}/abort/`);
    },
    async remove() {
      if (orders.length < 3) return;
      const number = oneOf(orders);
      await look();
      await station.request('DELETE', `/api/orders/${number}/`);
      orders.splice(orders.indexOf(number), 1);
    },
    async post() {
      const [sku, location] = oneOf([
        ['X', 'A-1'],
        ['X', 'A-2'],
        ['X', 'B-1'],
        ['Y', 'A-3'],
      ] as const);
      const movement = oneOf([
        { location, count: upTo(12) },
        { location, delta: upTo(7) - 3 },
        { from: 'A-1', to: sku === 'X' ? 'B-1' : 'A-3', quantity: 1 + upTo(3) },
      ]);
      await station.request('POST', '/api/stock/', { movements: [{ sku, ...movement }] });
    },
    async task() {
      const open = await station.get<Task[]>('/api/tasks/?state=open');
      if (open.length === 0) return;
      const { id, kind, quantity } = oneOf(open);
      const what = upTo(4) === 0 ? 'dismiss' : 'done';
      const isGiven = quantity === null || upTo(3) === 0;
      const pieces = isGiven ? { quantity: upTo((quantity ?? 8) + 1) } : {};
      const from = kind === 'replenish' && upTo(2) === 0 ? { from: oneOf(['A-1', 'A-2', 'B-1', 'A-3']) } : {};
      const path = `/api/tasks/${id}/${what}/`;
      const sent = what === 'done' ? { ...pieces, ...from, key: `task ${id}` } : {};
      const { status } = await station.request('POST', path, sent);
      done.push(`${kind} ${id} ${what} ${JSON.stringify(sent)}: ${status}`);
      // The answer was lost, so the program repeats the request.
      if (what === 'done' && upTo(3) === 0) await station.request('POST', path, sent);
    },
    async left() {
      const answer = oneOf<object>([{ count: upTo(5) }, { some_left: true }]);
      await station.request('POST', '/api/stock/left/', { sku: 'X', location: oneOf(['A-1', 'B-1']), ...answer });
    },
    /** Makes the receiver fail for a while, or repairs it. */
    async inert() {
      receiver.reply(upTo(2) === 0 ? 200 : 500);
    },
    restart: () => station.restart(),
    /** Kills the station at a random moment during an action. */
    async kill() {
      const name = oneOf(KILLED);
      const running = Promise.resolve(steps[name]?.()).catch(() => undefined);
      const turns = upTo(8);
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      const delivered = receiver.requests.length;
      kills += 1;
      station = await cutOff(
        station,
        { simulate: 3, refreshMs: 0, seed: seed + kills },
        // Requests that the killed station sends after this moment do not count.
        { inFlight: running, stopped: () => void (receiver.requests.length = delivered) },
      );
      folders.push(station.dataFolder);
      done.push(`killed ${turns} turns into ${name}`);
    },
  };
  const WEIGHTS: Record<string, number> = {
    order: 5,
    press: 12,
    scan: 3,
    correct: 4,
    short: 4,
    reopen: 4,
    launch: 2,
    abort: 1,
    remove: 1,
    post: 3,
    task: 4,
    left: 1,
    inert: 1,
    restart: 1,
    kill: 2,
  };
  const bag = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

  /** Reads the fulfilled quantity of each item. */
  async function look(): Promise<void> {
    for (const order of await station.get<Order[]>('/api/orders/'))
      for (const { id, quantity_fulfilled: fulfilled } of itemsOf(order)) {
        const seen = items.get(id);
        if (seen !== undefined) seen.fulfilled = fulfilled;
      }
  }

  return {
    setUp,
    get station() {
      return station;
    },
    done,
    async step(): Promise<void> {
      const name = oneOf(bag);
      done.push(name);
      await steps[name]?.();
      await station.clock.advance(2_000);
    },
    async check(): Promise<void> {
      await look();
      await checkStock(station, items);
      await checkTasks(station);
    },
    /** Checks that every callback arrives in the end, with the right content. */
    async checkTold(): Promise<void> {
      receiver.reply(200);
      await station.post('/api/callbacks/send/');
      for (let turn = 0; turn < 40 && (await isOwed(station)); turn += 1) await station.clock.advance(60_000);
      await checkTold(station, receiver);
    },
    async stop(): Promise<void> {
      await station.stop();
      await receiver.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Recomputes, from the movements, the stock of each place and the pieces of each item, including deleted items. */
async function checkStock(station: TestStation, items: ReadonlyMap<number, SeenItem>): Promise<void> {
  const movements = await station.get<Movement[]>('/api/movements/');
  const articles = await station.get<Article[]>('/api/articles/');
  for (const { sku, places } of articles)
    for (const { location, on_hand: shown } of places) {
      const here = movements.filter((each) => each.SKU === sku && each.location === location);
      expect({ sku, location, shown }).toEqual({ sku, location, shown: replayed(here) });
    }
  const known = new Set(articles.map(({ id }) => id));
  const rows = station.rows<{ id: number; article_id: number | null; quantity: number }>(
    'SELECT items.id, items.article_id, coalesce(sum(item_sources.quantity), 0) AS quantity FROM items LEFT JOIN item_sources ON item_id = items.id GROUP BY items.id',
  );
  const articleOf = new Map(rows.map(({ id, article_id: article }) => [id, article]));
  for (const [id, { initial, fulfilled }] of items) {
    const own = movements.filter(({ item, kind }) => item === id && kind === 'pick');
    const left = own.reduce((sum, { delta }) => sum - delta, 0);
    const article = articleOf.get(id);
    // A line that was not picked, or whose article is unknown, does not have movements.
    if (own.length === 0 && (article === null || !known.has(article ?? 0))) continue;
    expect({ id, left }).toEqual({ id, left: fulfilled - initial });
  }
  for (const { id, quantity } of rows)
    expect(quantity, `sources of item ${id}`).toBeLessThanOrEqual(items.get(id)?.fulfilled ?? 0);
}

/** Returns the stock after one place's movements. Checks that each movement follows from the previous one. */
function replayed(movements: readonly Movement[]): number | null {
  let pieces: number | null = null;
  for (const { kind, delta, on_hand: after, movement_id: id } of movements) {
    const expected: number | null = kind === 'count' ? after : pieces === null ? null : pieces + delta;
    expect({ id, kind, after }).toEqual({ id, kind, after: expected });
    if (kind === 'count') expect({ id, delta }).toEqual({ id, delta: (after ?? 0) - (pieces ?? 0) });
    pieces = after;
  }
  return pieces;
}

const isOwed = async (station: TestStation): Promise<boolean> =>
  (await station.get<{ pending: number }>('/api/callbacks/counts/')).pending > 0;

/**
 * Checks that each place has at most one open task of each kind, and only where one is needed, and that the right number of pieces is to be
 * put back.
 */
async function checkTasks(station: TestStation): Promise<void> {
  const open = await station.get<Task[]>('/api/tasks/?state=open');
  const articles = await station.get<Article[]>('/api/articles/');
  const placeOf = ({ SKU: sku, location }: Task) =>
    articles.find((each) => each.sku === sku)?.places.find((each) => each.location === location);
  const ofPlaces = open.filter(({ kind }) => kind !== 'put_back');
  const names = ofPlaces.map(({ kind, SKU: sku, location }) => `${kind} ${sku} ${location}`);
  expect(names).toEqual([...new Set(names)]);
  for (const task of open) {
    const place = placeOf(task);
    if (task.kind === 'replenish')
      expect([task.id, place?.on_hand ?? Infinity]).toSatisfy(
        () => (place?.on_hand ?? Infinity) <= (place?.minimum ?? 0),
      );
  }
  const rows = station.rows<{ id: number; quantity: number; fulfilled: number; state: string }>(
    `SELECT tasks.id, tasks.quantity, items.quantity_fulfilled AS fulfilled, orders.state FROM tasks JOIN items ON items.id = item_id
     JOIN orders ON orders.id = order_id WHERE tasks.state = 'open'`,
  );
  for (const { id, quantity, fulfilled, state } of rows)
    expect({ id, quantity, state }).toEqual({ id, quantity: fulfilled, state: 'aborted' });
}

/**
 * Checks what the receiver got: for each place, the movement with the highest id has the place's stock; the reported movements are the real
 * ones; and their sum is the change in stock since the first count.
 */
async function checkTold(station: TestStation, receiver: Receiver): Promise<void> {
  type Told = Omit<Movement, 'by'>;
  const told = new Map<number, Told>();
  const rows = new Map<string, Told>();
  for (const payload of receiver.payloads()) {
    if (!('movement_id' in payload)) continue;
    const movement = payload as unknown as Told;
    const before = told.get(movement.movement_id);
    if (before !== undefined) expect(movement).toEqual(before);
    told.set(movement.movement_id, movement);
    const key = `${movement.SKU} ${movement.location}`;
    if ((rows.get(key)?.movement_id ?? 0) < movement.movement_id) rows.set(key, movement);
  }
  const listed = await station.get<Movement[]>('/api/movements/');
  const withoutBy = listed.map((movement) => {
    const { by: _, ...rest } = movement;
    return rest;
  });
  expect([...told.values()].toSorted((one, other) => one.movement_id - other.movement_id)).toEqual(withoutBy);
  for (const { sku, places } of await station.get<Article[]>('/api/articles/'))
    for (const { location, on_hand: shown } of places) {
      const last = rows.get(`${sku} ${location}`);
      expect({ sku, location, pieces: last?.on_hand ?? null }).toEqual({ sku, location, pieces: shown });
      const here = [...told.values()].filter((each) => each.SKU === sku && each.location === location);
      const inOrder = here.toSorted((one, other) => one.movement_id - other.movement_id);
      const counted = inOrder.findIndex(({ on_hand: pieces }) => pieces !== null);
      if (counted === -1) continue;
      const sum = inOrder.slice(counted + 1).reduce((pieces, { delta }) => pieces + delta, 0);
      expect({ sku, location, sum }).toEqual({ sku, location, sum: (shown ?? 0) - (inOrder[counted]?.on_hand ?? 0) });
    }
}
