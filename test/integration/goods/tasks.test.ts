import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Task } from '#shared/api/task.ts';
import { addArticle, articlePath, movedOf, movementsOf, onHand, placeOf, postOne } from '../../helpers/articles.ts';
import { addOrder, anItem, correct, itemsOf, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: tasks.
const HOUR_MS = 60 * 60_000;

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_families: { task: true, order: true } });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 10, minimum: 4, maximum: 20 },
    { location: 'Reserve', on_hand: 50 },
  ]);
});
afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const tasks = (query = '?state=open'): Promise<Task[]> => station.get<Task[]>(`/api/tasks/${query}`);
const shortly = async (query?: string) =>
  (await tasks(query)).map(({ kind, location, quantity, state }) => [kind, location, quantity, state]);
const count = (pieces: number, location = 'A-1') => postOne(station, { sku: 'X', location, count: pieces });
const done = (id: number | undefined, body: object = {}) => station.request('POST', `/api/tasks/${id}/done/`, body);
const dismiss = (id: number | undefined) => station.request('POST', `/api/tasks/${id}/dismiss/`, {});

/** Returns the callbacks about tasks so far. */
async function told(): Promise<string[]> {
  for (let turn = 0; turn < 3; turn += 1) await station.clock.advance(500);
  return receiver
    .payloads()
    .filter((payload) => 'task_event' in payload)
    .map(({ task_event: event, kind, state }) => `${String(event)} ${String(kind)} ${String(state)}`);
}

/** Creates, launches and picks an order for the article X. Returns the id of its line. */
async function picked(number = 'SO-1', of = 1): Promise<number> {
  const items = Array.from({ length: of }, () => anItem({ SKU: 'X', ordered_quantity: 3 }));
  await addOrder(station, number, [...items, anItem({ name: 'Other', deviceid: '51D000:000003' })]);
  await launch(station, number);
  await press(station, ONE);
  const [item] = await itemsOf(station, number);
  return item?.id ?? 0;
}

test('a replenishment opens when the stock falls to the minimum, follows the stock, and ends above the minimum', async () => {
  await count(5);
  expect(await tasks()).toEqual([]);
  await count(4);
  expect(await tasks()).toMatchObject([
    {
      kind: 'replenish',
      SKU: 'X',
      location: 'A-1',
      deviceid: ONE,
      quantity: 16,
      state: 'open',
      by: 'API key',
      order: null,
    },
  ]);
  await count(2);
  expect(await shortly()).toEqual([['replenish', 'A-1', 18, 'open']]);
  await postOne(station, { sku: 'X', location: 'A-1', delta: 3 });
  expect(await shortly('')).toEqual([['replenish', 'A-1', 18, 'ended']]);
  expect(await told()).toEqual(['opened replenish open', 'ended replenish ended']);
});

test('a count is refused if pieces were moved since the person counted, and only a count takes `was`', async () => {
  await count(10);
  await postOne(station, { sku: 'X', location: 'A-1', delta: -12 });
  const [task] = await tasks('?state=open&kind=count');
  const outdated = await done(task?.id, { quantity: 10, was: 10 });
  expect([outdated.status, outdated.body]).toMatchObject([
    409,
    { code: 'outdated', detail: 'The stock at A-1 is now -2 instead of 10. Read it again.' },
  ]);
  expect(await shortly('?state=open&kind=count')).toHaveLength(1);
  const [other] = await tasks('?state=open&kind=replenish');
  expect((await done(other?.id, { quantity: 1, was: -2 })).status).toBe(400);
  expect((await done(task?.id, { quantity: 8, was: -2 })).status).toBe(200);
  expect((await station.get<{ on_hand: number }[]>('/api/stock/?sku=X'))[0]?.on_hand).toBe(8);
});

test('a dismissed replenishment does not open again until the stock rises and falls to the minimum again', async () => {
  await count(4);
  const [task] = await tasks();
  expect(await dismiss(task?.id)).toMatchObject({ status: 200, body: { state: 'dismissed', ended_by: 'API key' } });
  await count(3);
  expect(await tasks()).toEqual([]);
  await count(9);
  await count(1);
  expect(await shortly()).toEqual([['replenish', 'A-1', 19, 'open']]);
});

test('changing the minimum or removing the place also opens or ends a replenishment', async () => {
  const places = (minimum: number | null, ...more: object[]) =>
    station.patch(articlePath('X'), { places: [{ location: 'A-1', minimum }, ...more] });
  await places(15, { location: 'Reserve' });
  expect(await shortly()).toEqual([['replenish', 'A-1', null, 'open']]);
  await places(null, { location: 'Reserve' });
  expect(await shortly('')).toEqual([['replenish', 'A-1', null, 'ended']]);
  await count(0, 'Reserve');
  await places(1, { location: 'Reserve', minimum: 2 });
  expect(await shortly()).toEqual([['replenish', 'Reserve', null, 'open']]);
  await places(1);
  expect(await tasks()).toEqual([]);
});

test('completing a replenishment puts away or transfers pieces, by default the quantity of the task', async () => {
  await count(4);
  let [task] = await tasks();
  expect(await done(task?.id)).toMatchObject({ status: 200, body: { state: 'done', quantity: 16 } });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 20, Reserve: 50 });
  await count(3);
  [task] = await tasks();
  expect(await done(task?.id, { quantity: 5, from: 'a-1' })).toMatchObject({ status: 400 });
  expect(await done(task?.id, { quantity: 5, from: 'nowhere' })).toMatchObject({ status: 409 });
  expect(await done(task?.id, { quantity: 5, from: 'reserve' })).toMatchObject({ status: 200 });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 8, Reserve: 45 });
  expect((await movedOf(station)).slice(2)).toEqual([
    ['count', 'A-1', -6, 4],
    ['put_away', 'A-1', 16, 20],
    ['count', 'A-1', -17, 3],
    ['transfer', 'Reserve', -5, 45],
    ['transfer', 'A-1', 5, 8],
  ]);
  expect((await told()).filter((each) => !each.startsWith('opened'))).toEqual([
    'done replenish done',
    'done replenish done',
  ]);
});

test('completing a task twice books it once: the same key gets the same answer, and other requests are refused', async () => {
  await count(4);
  const [task] = await tasks();
  const first = await done(task?.id, { key: 'tablet-1' });
  expect(await done(task?.id, { key: 'tablet-1' })).toMatchObject({ status: 200, body: first.body });
  expect(await done(task?.id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await dismiss(task?.id)).toMatchObject({ status: 409 });
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 20 });
  expect(await done(99)).toMatchObject({ status: 404 });
});

test('stock below 0 opens one count task, which needs a quantity and ends with any count at that place', async () => {
  await postOne(station, { sku: 'X', location: 'Reserve', delta: -60 });
  await postOne(station, { sku: 'X', location: 'Reserve', delta: -1 });
  const [task] = await tasks();
  expect(await shortly()).toEqual([['count', 'Reserve', null, 'open']]);
  expect(await done(task?.id)).toMatchObject({ status: 400 });
  expect(await done(task?.id, { quantity: -1 })).toMatchObject({ status: 400 });
  expect(await tasks()).toHaveLength(1);
  expect(await done(task?.id, { quantity: 7 })).toMatchObject({ status: 200 });
  expect(await placeOf(station, 'X', 'Reserve')).toMatchObject({ on_hand: 7, attention: [] });
  await postOne(station, { sku: 'X', location: 'Reserve', delta: -8 });
  await count(3, 'Reserve');
  expect((await shortly('')).map(([kind, , quantity, state]) => [kind, quantity, state])).toEqual([
    ['count', 7, 'done'],
    ['count', null, 'ended'],
  ]);
});

test('damaged pieces, and a short that cannot be undone, open a count task', async () => {
  const id = await picked();
  const toLine = (path: string, body: object = {}) =>
    station.request('POST', orderPath('SO-1', `items/${id}/${path}/`), body);
  await correct(station, 'SO-1', id, { quantity_fulfilled: 2, reason: 'damaged' });
  expect(await shortly()).toEqual([['count', 'A-1', null, 'open']]);
  await count(7);
  await toLine('short', { quantity_fulfilled: 2, reason: 'damaged' });
  expect(await shortly()).toEqual([['count', 'A-1', null, 'open']]);
  await count(7);
  await toLine('reopen');
  await toLine('short', { quantity_fulfilled: 2, reason: 'missing' });
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 0 });
  await postOne(station, { sku: 'X', location: 'A-1', delta: 9 });
  await toLine('reopen');
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 9 });
  expect(await shortly()).toContainEqual(['count', 'A-1', null, 'open']);
});

test("an aborted order opens a put-back task for each picked line; completing it lowers the item's quantity and raises the stock", async () => {
  const id = await picked();
  await station.post(orderPath('SO-1', 'abort/'));
  const [task] = await tasks();
  expect(await tasks()).toMatchObject([
    { kind: 'put_back', SKU: 'X', location: 'A-1', quantity: 3, order: 'SO-1', by: 'API key' },
  ]);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 7 });
  expect(await done(task?.id, { quantity: 4 })).toMatchObject({ status: 400 });
  receiver.requests.length = 0;
  expect(await done(task?.id)).toMatchObject({ status: 200 });
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 10 });
  expect((await itemsOf(station, 'SO-1')).find((item) => item.id === id)).toMatchObject({ quantity_fulfilled: 0 });
  expect((await movementsOf(station)).at(-1)).toMatchObject({ kind: 'pick', delta: 3, order: 'SO-1', item: id });
  expect(await told()).toEqual(['done put_back done']);
  expect(receiver.payloads()).toContainEqual(expect.objectContaining({ order_event: 'item_removed', quantity: 0 }));
});

test('correcting the line changes the quantity to put back, and launching the order again ends the task', async () => {
  const id = await picked();
  await station.post(orderPath('SO-1', 'abort/'));
  await correct(station, 'SO-1', id, { quantity_fulfilled: 1 });
  expect(await shortly()).toEqual([['put_back', 'A-1', 1, 'open']]);
  await launch(station, 'SO-1');
  expect(await shortly('')).toEqual([['put_back', 'A-1', 1, 'ended']]);
  await station.post(orderPath('SO-1', 'abort/'));
  await correct(station, 'SO-1', id, { quantity_fulfilled: 0 });
  expect(await tasks()).toEqual([]);
});

test('pieces of a deleted order are put away where they came from, only once, even if the order was aborted before', async () => {
  await picked();
  await station.post(orderPath('SO-1', 'abort/'));
  await station.request('DELETE', orderPath('SO-1'));
  await picked('SO-2');
  await station.request('DELETE', orderPath('SO-2'));
  expect(await shortly()).toEqual([
    ['put_back', 'A-1', 3, 'open'],
    ['replenish', 'A-1', 16, 'open'],
    ['put_back', 'A-1', 3, 'open'],
  ]);
  // Creating an order with the number of a deleted order does not end the deleted order's tasks.
  await addOrder(station, 'SO-1', [anItem({ name: 'Other' })]);
  await launch(station, 'SO-1');
  await station.post(orderPath('SO-1', 'abort/'));
  await launch(station, 'SO-1');
  for (const { id } of await tasks('?state=open&kind=put_back')) expect(await done(id)).toMatchObject({ status: 200 });
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 10 });
  expect((await movedOf(station)).filter(([kind]) => kind === 'put_away')).toEqual([
    ['put_away', 'A-1', 3, 7],
    ['put_away', 'A-1', 3, 10],
  ]);
  expect(await tasks()).toEqual([]);
});

test('a put-back task dismissed after an abort does not open again on deletion, and a fulfilled order opens no tasks', async () => {
  await picked();
  await station.post(orderPath('SO-1', 'abort/'));
  const [task] = await tasks();
  await dismiss(task?.id);
  await station.request('DELETE', orderPath('SO-1'));
  expect(await tasks()).toEqual([]);
  expect(await onHand(station, 'X')).toMatchObject({ 'A-1': 7 });
  await addOrder(station, 'SO-2', [anItem({ SKU: 'X', ordered_quantity: 1 })]);
  await launch(station, 'SO-2');
  await press(station, ONE);
  await station.request('DELETE', orderPath('SO-2'));
  expect(await tasks()).toEqual([]);
});

test('deleting an article with open tasks requires force, which ends the tasks; renaming it updates them', async () => {
  await count(4);
  await station.patch(articlePath('X'), { sku: 'X-2' });
  await station.post('/api/places/rename/', { from: 'A-1', to: 'B-7' });
  expect(await tasks()).toMatchObject([{ SKU: 'X-2', location: 'B-7', deviceid: ONE }]);
  const { status, body } = await station.request('DELETE', articlePath('X-2'));
  expect([status, body]).toMatchObject([
    409,
    { code: 'in_use', detail: expect.stringMatching(/open tasks 1 \(replenish at B-7\)/) as string },
  ]);
  expect(await station.request('DELETE', `${articlePath('X-2')}?force=1`)).toMatchObject({ status: 204 });
  expect(await shortly('')).toEqual([['replenish', 'B-7', 16, 'ended']]);
});

test('deleting an article with stock above the minimum writes it off without opening a task', async () => {
  expect(await station.request('DELETE', `${articlePath('X')}?force=1`)).toMatchObject({ status: 204 });
  expect(await movedOf(station)).toContainEqual(['adjust', 'A-1', -10, 0]);
  expect([await shortly(''), await told()]).toEqual([[], []]);
});

test('an overdue task raises an alert and is reported once, even after a restart; the alert ends with the task', async () => {
  await station.patch('/api/settings/', { task_overdue_hours: 2 });
  await count(4);
  await station.clock.advance(2 * HOUR_MS - 60_000);
  expect(await station.get<Alert[]>('/api/alerts/')).toEqual([]);
  await station.clock.advance(120_000);
  const [task] = await tasks();
  const alerts = () => station.get<Alert[]>('/api/alerts/');
  expect(await alerts()).toMatchObject([{ kind: 'task_overdue', about: String(task?.id), threshold: 2 }]);
  expect(task).toMatchObject({ overdue: true });
  await station.restart();
  await station.clock.advance(HOUR_MS);
  expect(await alerts()).toHaveLength(1);
  await dismiss(task?.id);
  await station.clock.advance(1_000);
  expect(await alerts()).toEqual([]);
  expect(await told()).toEqual(['opened replenish open', 'overdue replenish open', 'dismissed replenish dismissed']);
});

test('a long press always makes a call and, with the setting on, also opens a task to refill the article furthest below its minimum', async () => {
  await addArticle(station, 'Y', [{ location: 'A-1', on_hand: 9, minimum: 8 }]);
  await addArticle(station, 'Z', [{ location: 'A-1', on_hand: 9, minimum: 8 }]);
  await postOne(station, { sku: 'Y', location: 'A-1', count: 1 });
  await postOne(station, { sku: 'Z', location: 'A-1', count: 6 });
  for (const { id } of await tasks()) await dismiss(id);
  const call = () => station.request('POST', `/api/simulator/devices/${ONE}/press/`, { hold: 'long' });
  expect((await call()).status).toBeLessThan(300);
  await station.clock.advance(1_000);
  expect(await tasks()).toEqual([]);
  await station.patch('/api/settings/', { tasks: true });
  await call();
  await station.clock.advance(1_000);
  expect(await tasks()).toMatchObject([{ kind: 'replenish', SKU: 'Y', by: 'device' }]);
  expect(await station.device(ONE)).toMatchObject({ displayed: { screen: { lines: ['Replenish', 'Y'] } } });
  const calls = receiver.payloads().filter(({ acknack }) => acknack === 'call');
  expect(calls).toHaveLength(2);
});

test('pickers can read and complete tasks; only control and admin can dismiss them', async () => {
  await count(4);
  const [task] = await tasks();
  await station.post('/api/users/', { username: 'ben', password: 'a long password', role: 'picker' });
  const { cookies, write } = await openSession(station, { username: 'ben', password: 'a long password' });
  const path = `/api/tasks/${task?.id}/`;
  expect(await station.request('GET', '/api/tasks/', undefined, cookies)).toMatchObject({ status: 200 });
  const post = (what: string) =>
    station.request('POST', `${path}${what}/`, {}, { ...write, 'content-type': 'application/json' });
  expect(await post('dismiss')).toMatchObject({ status: 403 });
  expect(await post('done')).toMatchObject({ status: 200, body: { ended_by: 'ben' } });
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'r', scope: 'read' });
  const reader = { 'api-key': key, 'content-type': 'application/json' };
  expect(await station.request('GET', '/api/tasks/', undefined, reader)).toMatchObject({ status: 200 });
  expect(await station.request('POST', `${path}done/`, {}, reader)).toMatchObject({ status: 403 });
});
