import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Task } from '#shared/api/task.ts';
import { addArticle, movementsOf, onHand } from '../../helpers/articles.ts';
import { act, addBatch, addCart, getBatch, PLACE, shownAt, slotsOf, tryTo } from '../../helpers/batches.ts';
import { addOrder, itemsOf, launch, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 20 and 21: the pieces of a stopped order on a cart return to their places.
const STOCK = 100;

let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.patch('/api/settings/', {
    callback_url: 'http://127.0.0.1:9/',
    callback_nonce: 'item-{order}',
    ordernonce: 'order-{order}',
  });
  await addCart(station);
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', on_hand: STOCK }]);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1-1' });
});
afterEach(() => station.stop());

/** Loads orders for the article with these quantities. */
async function load(quantities: readonly number[], given: object = {}): Promise<void> {
  const orders = quantities.map((_, index) => `SO-${index + 1}`);
  for (const [index, quantity] of quantities.entries())
    await addOrder(station, `SO-${index + 1}`, [{ name: 'Cable tie', SKU: 'CT-200', ordered_quantity: quantity }]);
  await addBatch(station, orders, { put_confirmation: 'each', ...given });
  await act(station, 'launch/');
}

const open = (): Promise<Task[]> => station.get<Task[]>('/api/tasks/?state=open&kind=put_back');
const toPutBack = async () => (await open()).map(({ order, location, quantity }) => `${order} ${location} ${quantity}`);
const abort = (number: string) => station.post(orderPath(number, 'abort/'));
const fulfilled = async (number: string) => (await itemsOf(station, number)).map((item) => item.quantity_fulfilled);

async function finish(ending = 'done', body: object = {}): Promise<number> {
  const [task] = await open();
  return (await station.request('POST', `/api/tasks/${task?.id}/${ending}/`, body)).status;
}

/** Returns the number of undelivered order callbacks of this kind. */
function owed(event: string): number {
  return station
    .rows<{ payload: string }>('SELECT payload FROM outbox')
    .filter(({ payload }) => (JSON.parse(payload) as { order_event?: string }).order_event === event).length;
}

/** Checks that the stock equals the sum of its movements, and returns it. */
async function counted(): Promise<number | null | undefined> {
  const sum = (await movementsOf(station)).reduce((total, { delta }) => total + (delta ?? 0), 0);
  const pieces = (await onHand(station, 'CT-200'))['A-1-1'];
  expect(sum).toBe(pieces);
  return pieces;
}

test('after an abort with three of five pieces in hand, all are put back, and a new launch books the right stock', async () => {
  await load([5, 2]);
  await press(station, PLACE);
  expect(await fulfilled('SO-1')).toEqual([5]);
  await act(station, 'put/', { slot: 'A1', quantity: 2 });
  await abort('SO-1');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  expect(await slotsOf(station)).toContain('A1 stopped 2+0/5');
  expect(await finish()).toBe(200);
  expect(await fulfilled('SO-1')).toEqual([2]);
  expect(await counted()).toBe(STOCK - 4);
  expect((await getBatch(station)).put_back).toEqual([]);
  await act(station, 'slots/A1/free/');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 2']);
  expect(await finish()).toBe(200);
  expect(await counted()).toBe(STOCK - 2);
  expect(owed('item_removed')).toBe(2);
  expect(await open()).toEqual([]);
  await launch(station, 'SO-1');
  await press(station, PLACE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await counted()).toBe(STOCK - 7);
  expect(owed('order_fulfilled')).toBe(1);
});

test('an order aborted in a batch can be picked again in the same batch', async () => {
  await load([3, 2]);
  await press(station, PLACE);
  await abort('SO-1');
  expect(await finish()).toBe(200);
  await station.clock.advance(15_000);
  await act(station, 'slots/', { order_number: 'SO-1' });
  expect(await shownAt(station, PLACE)).toContain('3 ');
  await press(station, PLACE);
  expect(await fulfilled('SO-1')).toEqual([3]);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await counted()).toBe(STOCK - 5);
});

test('freeing a stopped slot creates a put-back task, unless its pieces are kept together; undoing it cancels the task', async () => {
  await load([3]);
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  await addOrder(station, 'SO-2', [{ SKU: 'CT-200', ordered_quantity: 4 }]);
  await act(station, 'slots/', { order_number: 'SO-2' });
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A2', quantity: 3 });
  await station.post(orderPath('SO-2', 'items/2/reopen/'), {});
  await station.clock.advance(3_000);
  await abort('SO-2');
  expect(await toPutBack()).toEqual([]);
  await act(station, 'slots/A2/free/', { keep: true });
  expect(await toPutBack()).toEqual([]);
  await act(station, 'slots/A2/free/undo/');
  await act(station, 'slots/A2/free/');
  expect(await toPutBack()).toEqual(['SO-2 A-1-1 3']);
  await act(station, 'slots/A2/free/undo/');
  expect(await toPutBack()).toEqual([]);
  expect(await slotsOf(station)).toContain('A2 stopped 3+0/4');
  await act(station, 'slots/A2/free/');
  expect(await finish()).toBe(200);
  expect((await tryTo(station, '1/slots/A2/free/undo/')).status).toBe(409);
  expect(await counted()).toBe(STOCK - 3);
});

test('pieces put back from a hand are open again once the task is done, and the next launch lights them', async () => {
  await load([3]);
  await press(station, PLACE);
  await act(station, 'hand/', { by: '', do: 'put_back' });
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  await act(station, 'launch/');
  expect(await shownAt(station, PLACE)).toBe('dark');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  expect(await finish('done', { quantity: 2 })).toBe(200);
  await station.clock.advance(3_000);
  expect(await shownAt(station, PLACE)).toBe('dark');
  expect(await fulfilled('SO-1')).toEqual([1]);
  expect(await counted()).toBe(STOCK - 1);
  expect(owed('item_removed')).toBe(1);
  await act(station, 'launch/');
  expect(await shownAt(station, PLACE)).toContain('2 ');
  await press(station, PLACE);
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 2 });
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await counted()).toBe(STOCK - 3);
});

test('a correction and a later abort update the put-back task instead of adding one', async () => {
  await load([5]);
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 1 });
  await act(station, 'hand/', { by: '', do: 'put_back' });
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 4 });
  await station.clock.advance(3_000);
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  await abort('SO-1');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 3 });
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 2']);
  expect((await getBatch(station)).put_back).toMatchObject([{ put_back: 2 }]);
  await act(station, 'slots/A1/free/');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  expect(await finish()).toBe(200);
  expect(await counted()).toBe(STOCK);
});

test('pieces of a deleted order are put away: those in hand immediately, those in its slot once the slot is freed', async () => {
  await load([5]);
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 2 });
  await station.request('DELETE', orderPath('SO-1'));
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  await act(station, 'slots/A1/free/');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3', 'SO-1 A-1-1 2']);
  await act(station, 'slots/A1/free/undo/');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  await act(station, 'slots/A1/free/');
  expect(await finish()).toBe(200);
  expect(await finish()).toBe(200);
  expect((await tryTo(station, '1/slots/A1/free/undo/')).status).toBe(409);
  expect((await movementsOf(station)).slice(2).map(({ kind, delta }) => `${kind} ${delta}`)).toEqual([
    'put_away 3',
    'put_away 2',
  ]);
  expect(await counted()).toBe(STOCK);
});

test('an order removed from the cart must have its pieces put back; launching it again lights only those that were', async () => {
  await load([5]);
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 2 });
  await act(station, 'abort/');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 3']);
  await act(station, 'slots/A1/free/');
  expect(await toPutBack()).toEqual(['SO-1 A-1-1 5']);
  await finish('done', { quantity: 4 });
  expect(await fulfilled('SO-1')).toEqual([1]);
  await launch(station, 'SO-1');
  expect(await shownAt(station, PLACE)).toContain('4 ');
  await press(station, PLACE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await counted()).toBe(STOCK - 5);
  expect(await open()).toEqual([]);
});

test('ending a batch creates put-back tasks for all its pieces', async () => {
  await load([2, 3]);
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 1 });
  expect((await tryTo(station, '1/?orders=abort', undefined, 'DELETE')).status).toBe(204);
  expect((await toPutBack()).toSorted()).toEqual(['SO-1 A-1-1 2', 'SO-2 A-1-1 3']);
  await finish();
  await finish();
  expect(await counted()).toBe(STOCK);
});

/** Lists the batch's pieces to put back, such as `SO-1 3`. */
const listed = async () =>
  (await getBatch(station)).put_back.map(({ order_number: order, put_back: pieces }) => `${order} ${pieces}`);

test('the batch lists the pieces of a stopped order to put back until the task is done or dismissed', async () => {
  await load([5, 2]);
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 2 });
  await abort('SO-1');
  expect(await listed()).toEqual(['SO-1 3']);
  await act(station, 'slots/A1/free/');
  expect((await listed()).toSorted()).toEqual(['SO-1 2', 'SO-1 3']);
  const stream = await openStream(station.url);
  expect(await finish('dismiss')).toBe(200);
  await station.clock.advance(100);
  await stream.until(() => stream.commits().some(({ facts }) => facts.some(({ type }) => type === 'batch.changed')));
  stream.close();
  expect(await listed()).toEqual([]);
});

test('completing a task with fewer pieces leaves the rest to put back for a live order, but nothing for a stopped order', async () => {
  await load([3, 2]);
  await press(station, PLACE);
  await act(station, 'hand/', { by: '', do: 'put_back' });
  expect((await listed()).toSorted()).toEqual(['SO-1 3', 'SO-2 2']);
  await abort('SO-2');
  const [one, two] = await open();
  await station.post(`/api/tasks/${one?.id}/done/`, { quantity: 1 });
  await station.post(`/api/tasks/${two?.id}/done/`, { quantity: 1 });
  expect(await listed()).toEqual(['SO-1 2']);
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 0 });
  expect(await listed()).toEqual([]);
});

test('the batch lists the pieces of a deleted order until they are back at their place', async () => {
  await load([5]);
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 2 });
  await station.request('DELETE', orderPath('SO-1'));
  expect(await listed()).toEqual(['SO-1 3']);
  await act(station, 'slots/A1/free/');
  expect((await listed()).toSorted()).toEqual(['SO-1 2', 'SO-1 3']);
  expect(await finish()).toBe(200);
  expect(await listed()).toEqual(['SO-1 2']);
  expect(await finish()).toBe(200);
  expect(await listed()).toEqual([]);
});

test('pieces without an article have no put-back task, so the batch lists them until somebody picks the order again', async () => {
  await addOrder(station, 'SO-9', [{ name: 'Oak board', ordered_quantity: 4, deviceid: PLACE }]);
  await addBatch(station, ['SO-9'], { put_confirmation: 'each' });
  await act(station, 'launch/');
  await press(station, PLACE);
  await abort('SO-9');
  expect(await open()).toEqual([]);
  expect(await listed()).toEqual(['SO-9 4']);
  await station.patch(orderPath('SO-9', 'items/1/'), { quantity_fulfilled: 3 });
  expect(await listed()).toEqual(['SO-9 3']);
  await launch(station, 'SO-9');
  expect(await listed()).toEqual([]);
});
