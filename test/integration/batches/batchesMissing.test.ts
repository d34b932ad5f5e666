import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Movement } from '#shared/api/stock.ts';
import type { Task } from '#shared/api/task.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import { act, addBatch, addCart, getBatch, handsOf, slotsOf, tryTo } from '../../helpers/batches.ts';
import { addOrder, itemsOf, litDevices, orderPath, press } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';
import { owed } from '../../helpers/walls.ts';

// Contract, sections 20 and 21: pieces missing at one place are picked at the next place of their article.
const [FIRST, SECOND, THIRD] = ['51D000:000001', '51D000:000002', '51D000:000005'] as const;

let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:9/' });
  for (const [index, id] of [FIRST, SECOND, THIRD].entries())
    await station.post(`/api/device/${id}/`, { locationoverride: `A-${index + 1}` });
});
afterEach(() => station.stop());

/** Creates an article with the given stock at its places, and launches a cart batch with two orders for 2 and 3 pieces. */
async function load(...stock: (number | undefined)[]): Promise<void> {
  await addArticle(
    station,
    'X',
    stock.map((pieces, index) => ({ location: `A-${index + 1}`, on_hand: pieces })),
    { name: 'Nut M8' },
  );
  await addOrder(station, 'SO-1', [{ SKU: 'X', ordered_quantity: 2 }]);
  await addOrder(station, 'SO-2', [{ SKU: 'X', ordered_quantity: 3 }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
}

/** Acknowledges `qty` pieces at a device. */
async function find(deviceId: string, qty: number, reason?: string): Promise<void> {
  const { commands } = await station.device(deviceId);
  await station.post(`/api/device/${deviceId}/acknowledge/`, {
    command_id: commands[0]?.command_id,
    qty,
    ...(reason === undefined ? {} : { reason }),
  });
  await station.clock.advance(3_000);
}

/** Returns the pieces to pick, by place. */
async function lines(): Promise<string[]> {
  const work = await station.get<WorkLine[]>('/api/work/?batch=1');
  return work.map(
    ({ location, quantity, shares = [] }) =>
      `${location} ${quantity}: ${shares.map((share) => `${share.slot} ${share.quantity}`).join(', ')}`,
  );
}

const stock = async (): Promise<(number | null)[]> =>
  (await station.get<Article>('/api/articles/X/')).places.map((place) => place.on_hand);
const allocated = async (): Promise<number[]> =>
  (await station.get<Article>('/api/articles/X/')).places.map((place) => place.allocated);
const fulfilled = async (number: string) => (await itemsOf(station, number))[0]?.quantity_fulfilled;
const idOf = async (number: string): Promise<number> => (await itemsOf(station, number))[0]?.id ?? 0;
const reopen = async (number: string, body: object = {}) => {
  await station.post(orderPath(number, `items/${await idOf(number)}/reopen/`), body);
  await station.clock.advance(3_000);
};

test('missing pieces move to the next place, where one light shows their sum, so no share is short', async () => {
  await load(9, 4);
  await find(FIRST, 3);
  expect(await lines()).toEqual(['A-2 2: A2 2']);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+1/3']);
  expect([await stock(), await allocated()]).toEqual([
    [6, 4],
    [0, 2],
  ]);
  await press(station, SECOND);
  expect([await stock(), await allocated(), await handsOf(station)]).toEqual([[6, 2], [0, 0], { '': 5 }]);
  await act(station, 'put/', { all: true });
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 complete 3+0/3']);
  expect(owed(station).filter((each) => each.startsWith('item_added'))).toEqual([
    `item_added SO-1 ${FIRST} 2`,
    `item_added SO-2 ${FIRST} 1`,
    `item_added SO-2 ${SECOND} 3`,
  ]);
});

test('the reason "missing" sets the stock of the place to 0 as soon as it is reported', async () => {
  await load(9, 4);
  await find(FIRST, 3);
  const { slots } = await getBatch(station);
  const shares = slots.flatMap((slot) => slot.shares.map(({ item_id, picked }) => ({ item_id, quantity: picked })));
  await act(station, 'shares/', { shares, reason: 'missing' });
  expect(await stock()).toEqual([0, 4]);
  expect(await lines()).toEqual(['A-2 2: A2 2']);
});

test('without a next place, the share is short, and the reason "missing" sets the stock to 0 before any put', async () => {
  await load(9, 0);
  await find(FIRST, 3, 'missing');
  expect(await lines()).toEqual([]);
  const { slots } = await getBatch(station);
  expect(slots.flatMap((slot) => slot.shares.map((share) => share.state))).toEqual(['in_hand', 'in_hand']);
  expect(await stock()).toEqual([0, 0]);
  // Pieces added to the place in the meantime stay there.
  await station.post('/api/stock/', { movements: [{ sku: 'X', location: 'A-1', count: 7, key: 'c1' }] });
  await act(station, 'put/', { all: true });
  expect((await itemsOf(station, 'SO-2'))[0]?.state).toBe('short');
  expect(await stock()).toEqual([7, 0]);
});

test('each place is tried once, then the share is short', async () => {
  await load(9, 9, undefined);
  await find(FIRST, 3);
  await find(SECOND, 1);
  expect(await lines()).toEqual(['A-3 1: A2 1']);
  await find(THIRD, 0);
  expect(await lines()).toEqual([]);
  await act(station, 'put/', { all: true });
  expect((await itemsOf(station, 'SO-2'))[0]).toMatchObject({ state: 'short', quantity_fulfilled: 2 });
  expect(await stock()).toEqual([6, 8, null]);
});

test('taking pieces back from a slot and putting them again changes neither the stock nor its tasks', async () => {
  await load(10);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.clock.advance(3_000);
  await find(FIRST, 2, 'missing');
  await act(station, 'put/', { slot: 'A2' });
  await station.post('/api/stock/', { movements: [{ sku: 'X', location: 'A-1', count: 20, key: 'c1' }] });
  await act(station, 'put/undo/', { slot: 'A2', item_id: await idOf('SO-2') });
  await act(station, 'put/', { slot: 'A2' });
  expect([(await itemsOf(station, 'SO-2'))[0]?.state, await stock()]).toEqual(['short', [20]]);
  expect(await station.get('/api/tasks/?state=open')).toEqual([]);
});

test('a correction to fewer pieces keeps the place empty that somebody found empty', async () => {
  await load(10);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.clock.advance(3_000);
  await find(FIRST, 2, 'missing');
  await act(station, 'put/', { slot: 'A2' });
  const path = orderPath('SO-2', `items/${await idOf('SO-2')}/`);
  await station.patch(path, { quantity_fulfilled: 1, reason: 'counted again' });
  await station.clock.advance(3_000);
  expect([await lines(), await stock()]).toEqual([['A-1 2: A2 2'], [1]]);
  // The place is searched again, so it can also be found empty again.
  await station.post('/api/stock/', { movements: [{ sku: 'X', location: 'A-1', count: 5, key: 'c1' }] });
  await find(FIRST, 0, 'missing');
  expect(await stock()).toEqual([0]);
});

test('pieces can be reassigned to another share, and the missing pieces then belong to the first share', async () => {
  await load(9, 4);
  await find(FIRST, 3);
  const shares = [
    { item_id: await idOf('SO-1'), quantity: 0 },
    { item_id: await idOf('SO-2'), quantity: 3 },
  ];
  await act(station, 'shares/', { shares, reason: 'missing' });
  expect(await lines()).toEqual(['A-2 2: A1 2']);
  expect([await fulfilled('SO-1'), await fulfilled('SO-2'), await stock()]).toEqual([0, 3, [0, 4]]);
  await press(station, SECOND);
  expect([await fulfilled('SO-1'), await stock()]).toEqual([2, [0, 2]]);
  expect((await tryTo(station, '1/shares/', { shares })).status).toBe(409);
});

test.each([undefined, 'missing'])(
  'reassigning pieces with the reason %s keeps the stock of the empty place at 0',
  async (reason) => {
    await load(2);
    await find(FIRST, 2, 'missing');
    const [one, other] = [await idOf('SO-1'), await idOf('SO-2')];
    for (const [first, second] of [
      [0, 2],
      [2, 0],
      [1, 1],
    ]) {
      const shares = [
        { item_id: one, quantity: first },
        { item_id: other, quantity: second },
      ];
      await act(station, 'shares/', { shares, ...(reason === undefined ? {} : { reason }) });
      expect([await fulfilled('SO-1'), await fulfilled('SO-2'), await stock()]).toEqual([first, second, [0]]);
    }
    const movements = await station.get<Movement[]>('/api/movements/');
    expect(movements.filter(({ on_hand: left }) => left !== null && left < 0)).toEqual([]);
  },
);

test('a line split over two places can be undone in two steps, starting with the partial pick at the second place', async () => {
  await load(9, 4);
  await find(FIRST, 3, 'missing');
  expect([await stock(), await allocated()]).toEqual([
    [0, 4],
    [0, 2],
  ]);
  await find(SECOND, 1, 'missing');
  expect([await stock(), await allocated(), await lines()]).toEqual([[0, 0], [0, 0], []]);
  expect(await fulfilled('SO-2')).toBe(2);
  await reopen('SO-2');
  expect([await fulfilled('SO-2'), await stock(), await allocated(), await lines()]).toEqual([
    1,
    [0, 4],
    [0, 2],
    ['A-2 2: A2 2'],
  ]);
  await reopen('SO-2');
  expect(await fulfilled('SO-2')).toBe(0);
  expect([await stock(), await allocated(), await lines()]).toEqual([[7, 4], [3, 0], ['A-1 3: A2 3']]);
});

test('each undo takes back one pick of the line, even after another article was picked', async () => {
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9 },
    { location: 'A-2', on_hand: 4 },
  ]);
  await addOrder(station, 'SO-1', [
    { SKU: 'X', ordered_quantity: 5 },
    { name: 'Washer', ordered_quantity: 1, deviceid: THIRD },
  ]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await find(FIRST, 3);
  await press(station, SECOND);
  await press(station, THIRD);
  await reopen('SO-1');
  expect([await fulfilled('SO-1'), await stock()]).toEqual([3, [6, 4]]);
  await reopen('SO-1');
  expect([await fulfilled('SO-1'), await stock()]).toEqual([0, [9, 4]]);
});

test('undoing a pick that found nothing searches there again, and keeps the pieces of the previous pick', async () => {
  await load(9, 4);
  await find(FIRST, 3);
  await find(SECOND, 0);
  await reopen('SO-2');
  expect([await fulfilled('SO-2'), await lines()]).toEqual([1, ['A-2 2: A2 2']]);
  await reopen('SO-2');
  expect([await fulfilled('SO-2'), await lines()]).toEqual([0, ['A-1 3: A2 3']]);
});

test('a press in transit during a pause moves the missing pieces to the next place, where the next launch lights them', async () => {
  await load(0, 9, 4);
  const { turbo } = await station.device(SECOND);
  for (let count = 0; count < 2; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one press after another
    await station.press(SECOND, 'minus');
    // oxlint-disable-next-line no-await-in-loop -- as above
    await station.clock.advance(1_000);
  }
  await station.patch(`/api/simulator/turbos/${turbo}/`, { latency_ms: 400 });
  await station.press(SECOND);
  await station.clock.advance(50);
  await act(station, 'pause/');
  await station.clock.advance(5_000);
  expect([await handsOf(station), (await getBatch(station)).state]).toEqual([{ '': 3 }, 'paused']);
  expect((await station.device(THIRD)).commands).toEqual([]);
  await act(station, 'launch/');
  expect(await lines()).toEqual(['A-3 2: A2 2']);
});

test('a line without a light also moves to the next place, and stays there after a restart', async () => {
  await addArticle(station, 'Y', [{ location: 'Shelf 9', on_hand: 5 }, { location: 'A-2' }]);
  await addOrder(station, 'SO-1', [{ SKU: 'Y', ordered_quantity: 4 }]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  expect(await lines()).toEqual(['Shelf 9 4: A1 4']);
  const path = orderPath('SO-1', `items/${await idOf('SO-1')}/confirm/`);
  await station.post(path, { quantity: 1, reason: 'missing' });
  await station.clock.advance(3_000);
  expect([await lines(), await onHand(station, 'Y')]).toEqual([['A-2 3: A1 3'], { 'Shelf 9': 0, 'A-2': null }]);
  await station.restart();
  await station.clock.advance(60_000);
  await press(station, SECOND);
  expect(await slotsOf(station)).toEqual(['A1 open 0+4/4']);
});

/** Lights an order outside the batch at this place, and reports the place as empty. */
async function findEmptyElsewhere(place = 'A-1'): Promise<void> {
  await addOrder(station, 'SO-9', [{ SKU: 'X', ordered_quantity: 1, warehouse_location: place }]);
  await station.post(orderPath('SO-9', 'launch/'));
  const [item] = await itemsOf(station, 'SO-9');
  await station.post(orderPath('SO-9', `items/${item?.id ?? 0}/short/`), { quantity_fulfilled: 0, reason: 'missing' });
  await station.clock.advance(3_000);
}

test('if another order finds the place empty, the light of the batch moves to the next place', async () => {
  await load(20, 4, 9);
  expect(await lines()).toEqual(['A-1 5: A1 2, A2 3']);
  await findEmptyElsewhere();
  expect(await lines()).toEqual(['A-3 5: A1 2, A2 3']);
  expect(await litDevices(station)).toEqual([THIRD]);
  expect(await allocated()).toEqual([0, 0, 5]);
  await press(station, THIRD);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+3/3']);
  expect(await stock()).toEqual([0, 4, 4]);
});

test('the light of a batch stays at a place that another order found empty if no other place has the article', async () => {
  await load(20);
  await findEmptyElsewhere();
  expect(await lines()).toEqual(['A-1 5: A1 2, A2 3']);
});

test('a batch keeps its light at a place that was reported empty for another order if a worker has already changed the quantity on the device', async () => {
  await load(0, 20, 9);
  await station.press(SECOND, 'minus');
  await station.clock.advance(3_000);
  await findEmptyElsewhere('A-2');
  expect(await lines()).toEqual(['A-2 5: A1 2, A2 3']);
});

test('a batch keeps its light at a place that was reported empty for another order if its picker has arrived there', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'Correct horse 7', role: 'picker' });
  await load(0, 20, 9);
  await act(station, 'launch/', { picker: 'Anna' });
  await station.post('/api/scan/', { code: 'A-2', picker: 'Anna' });
  await findEmptyElsewhere('A-2');
  expect(await lines()).toEqual(['A-2 5: A1 2, A2 3']);
});

test('a press in transit at a place that another order found empty still books the pieces', async () => {
  await load(20, 4, 9);
  const { turbo } = await station.device(FIRST);
  await station.patch(`/api/simulator/turbos/${turbo}/`, { latency_ms: 400 });
  await station.press(FIRST);
  await station.clock.advance(50);
  await findEmptyElsewhere();
  await station.clock.advance(8_000);
  expect(await handsOf(station)).toEqual({ '': 5 });
  expect(await litDevices(station)).not.toContain(THIRD);
  // The stock at A-1 stays 0: the pieces are charged to the place that the line has now.
  expect(await stock()).toEqual([0, 4, 4]);
});

test('a correction for damaged pieces in a batch removes them from the stock, asks for a count and keeps its reason', async () => {
  await load(10);
  await find(FIRST, 5);
  const [line] = await itemsOf(station, 'SO-2');
  const path = orderPath('SO-2', `items/${line?.id}/`);
  await station.patch(path, { quantity_fulfilled: 1, reason: 'damaged' });
  expect(await stock()).toEqual([5]);
  const tasks = await station.get<Task[]>('/api/tasks/?state=open');
  expect(tasks.map(({ kind, location }) => [kind, location])).toEqual([['count', 'A-1']]);
  const history = await station.get<HistoryEntry[]>('/api/history/?limit=100&order_number=SO-2');
  expect(history.filter(({ kind }) => kind === 'order_corrected')).toMatchObject([{ reason: 'damaged' }]);
});

test('a place with damaged pieces is counted, although the rest is picked at the next place', async () => {
  await load(10, 10);
  await find(FIRST, 4, 'damaged');
  expect(await lines()).toEqual(['A-2 1: A2 1']);
  const tasks = await station.get<Task[]>('/api/tasks/?kind=count&state=open');
  expect(tasks.map(({ SKU, location }) => [SKU, location])).toEqual([['X', 'A-1']]);
  expect(await stock()).toEqual([6, 10]);
});
