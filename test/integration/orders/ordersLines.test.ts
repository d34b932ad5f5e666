import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Item } from '#shared/api/order.ts';
import { addArticle, getArticle } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  FOURTH,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { type Answer, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: lines of an order that somebody adds, changes and removes.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});
afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const told = () =>
  station
    .rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id')
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
async function add(number: string, line: object, query = ''): Promise<Answer> {
  const answer = await station.request('POST', orderPath(number, `items/${query}`), line);
  await station.clock.advance(3_000);
  return answer;
}
/** Returns the facts of this type in all commits so far. */
function facts(type: string): unknown[] {
  const rows = station.rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision');
  const all = rows.flatMap((row) => JSON.parse(row.facts) as { type: string }[]);
  return all.filter((fact) => fact.type === type);
}
const idAt = async (number: string, index: number): Promise<number> => (await itemsOf(station, number))[index]?.id ?? 0;
async function change(number: string, index: number, body: object): Promise<Answer> {
  const path = orderPath(number, `items/${await idAt(number, index)}/`);
  const answer = await station.request('PATCH', path, body);
  await station.clock.advance(3_000);
  return answer;
}
async function remove(number: string, index: number): Promise<Answer> {
  const answer = await station.request('DELETE', orderPath(number, `items/${await idAt(number, index)}/`));
  await station.clock.advance(3_000);
  return answer;
}

test('a line added to an order under way is lit at once and holds back completion', async () => {
  await addOrder(station, 'more', [anItem()], { ordernonce: 'o' });
  await launch(station, 'more');
  const added = await add('more', anItem({ name: 'Nut', deviceid: THIRD, ordered_quantity: 3 }));
  expect(added).toMatchObject({ status: 201, body: { name: 'Nut', state: 'active', quantity_remaining: 3 } });
  expect((await station.device(THIRD)).commands).toMatchObject([{ state: 'shown', quantity: 3 }]);
  await expectCountsRight(station, 'more');
  await press(station, ONE);
  expect(await statesOf(station, 'more')).toBe('in_progress: in_progress(done active)');
  await press(station, THIRD);
  expect(await statesOf(station, 'more')).toBe('fulfilled: fulfilled(done done)');
  expect(told().at(-1)).toMatchObject({ order_event: 'order_fulfilled', nonce: 'o' });
});

test('a line added to an open order is not lit before the launch', async () => {
  await addOrder(station, 'open', [anItem()]);
  expect(await add('open', anItem({ deviceid: THIRD }))).toMatchObject({ status: 201, body: { state: 'open' } });
  expect(await litDevices(station)).toEqual([]);
  await launch(station, 'open');
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
  await expectCountsRight(station, 'open');
});

test('an added line belongs to the picker with the fewest lines, and waits while that person pauses', async () => {
  const picker = { role: 'picker', password: 'a few easy words' };
  for (const username of ['Anna', 'Ben']) await station.post('/api/users/', { username, ...picker });
  await addOrder(station, 'shared', [anItem(), anItem({ deviceid: THREE_BUTTONS }), anItem({ deviceid: THIRD })]);
  await station.post(orderPath('shared', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('shared', 'join/'), { picker: 'Ben' });
  expect((await add('shared', anItem({ deviceid: FOURTH }))).body).toMatchObject({ picker: 'Ben', state: 'active' });
  await station.post(orderPath('shared', 'leave/'), { picker: 'Ben' });
  await station.post(orderPath('shared', 'pause/'), { picker: 'Anna' });
  const waiting = await add('shared', anItem({ name: 'Nut', deviceid: FOURTH }));
  expect(waiting.body).toMatchObject({ picker: 'Anna', state: 'open' });
  await station.post(orderPath('shared', 'launch/'), { picker: 'Anna' });
  expect((await itemsOf(station, 'shared')).at(-1)).toMatchObject({ name: 'Nut', picker: 'Anna', state: 'active' });
});

test('an added line goes to somebody who picks the order now, and otherwise waits for a person with other work', async () => {
  const picker = { role: 'picker', password: 'a few easy words' };
  for (const username of ['Anna', 'Ben']) await station.post('/api/users/', { username, ...picker });
  await addOrder(station, 'shared', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await addOrder(station, 'hers', [anItem({ deviceid: THIRD })]);
  await station.post(orderPath('shared', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('shared', 'join/'), { picker: 'Ben' });
  await press(station, ONE);
  await station.post(orderPath('hers', 'launch/'), { picker: 'Anna' });
  expect((await add('shared', anItem({ deviceid: FOURTH }))).body).toMatchObject({ picker: 'Ben', state: 'active' });
  await station.post(orderPath('shared', 'pause/'), { picker: 'Ben' });
  expect((await add('shared', anItem({ deviceid: ONE }))).body).toMatchObject({ picker: 'Anna', state: 'open' });
  expect(await litDevices(station)).toEqual([THIRD]);
});

test('a line goes to its shipment, whose completion is reported again', async () => {
  const shipments = ['S-1', 'S-2'].map((shipment_number, index) => {
    return { shipment_number, shipmentnonce: shipment_number, items: [anItem({ deviceid: [ONE, THIRD][index] })] };
  });
  await station.post('/api/orders/', { order_number: 'parts', shipments });
  await launch(station, 'parts');
  expect(await add('parts', anItem())).toMatchObject({ status: 400, body: { errors: [{ path: '/shipment_number' }] } });
  await press(station, ONE);
  expect(await statesOf(station, 'parts')).toBe('in_progress: fulfilled(done) in_progress(active)');
  await add('parts', anItem({ shipment_number: 'S-1', deviceid: FOURTH }));
  expect(await statesOf(station, 'parts')).toBe('in_progress: in_progress(done active) in_progress(active)');
  await press(station, FOURTH);
  const completions = told().filter(({ order_event: event }) => event === 'shipment_fulfilled');
  expect(completions).toMatchObject([{ nonce: 'S-1' }, { nonce: 'S-1' }]);
  await expectCountsRight(station, 'parts');
});

test('a line is validated like that of a new order, with the same warnings', async () => {
  await addOrder(station, 'checked', [anItem({ callback_nonce: 'twin' })]);
  expect(await add('checked', { ordered_quantity: 1 })).toMatchObject({ status: 400 });
  const doubtful = { name: 'Nut', ordered_quantity: '2', callback_nonce: 'twin', warehouse_location: 'nowhere' };
  const { status, body } = await add('checked', doubtful);
  expect([status, (body as { warnings: string[] }).warnings.map((text) => text.split(':')[0])]).toEqual([
    201,
    ['/callback_nonce', '/warehouse_location'],
  ]);
  expect(await add('checked', doubtful, '?strict=1')).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/callback_nonce' }] },
  });
  expect(await add('checked', { ...anItem(), colour: 'red' }, '?strict=1')).toMatchObject({ status: 400 });
  expect(await itemsOf(station, 'checked')).toHaveLength(2);
});

test('a changed quantity is shown at the light at once, and a press books it', async () => {
  await addOrder(station, 'fewer', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 }), anItem()]);
  await launch(station, 'fewer');
  expect(await change('fewer', 0, { ordered_quantity: 3 })).toMatchObject({
    status: 200,
    body: { state: 'active', ordered_quantity: 3, quantity_remaining: 3 },
  });
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ state: 'shown', quantity: 3 }]);
  await expectCountsRight(station, 'fewer');
  expect((await change('fewer', 0, { ordered_quantity: 9 })).body).toMatchObject({ quantity_remaining: 9 });
  await press(station, THREE_BUTTONS);
  expect((await itemsOf(station, 'fewer'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 9 });
});

test('with the pieces that are picked, a line is done and its light ends; less is refused', async () => {
  await addOrder(station, 'down', [anItem({ ordered_quantity: 5 }), anItem({ deviceid: THIRD })]);
  await launch(station, 'down');
  await change('down', 0, { quantity_fulfilled: 2 });
  expect(await change('down', 0, { ordered_quantity: 1 })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await change('down', 0, { ordered_quantity: 2 })).body).toMatchObject({ state: 'done', ordered_quantity: 2 });
  expect(await litDevices(station)).toEqual([THIRD]);
  await press(station, THIRD);
  expect(await statesOf(station, 'down')).toBe('fulfilled: fulfilled(done done)');
  await expectCountsRight(station, 'down');
});

test('a finished line that needs more is open again and lit', async () => {
  await addOrder(station, 'again', [anItem(), anItem({ deviceid: THIRD })]);
  await launch(station, 'again');
  await press(station, ONE);
  expect((await change('again', 0, { ordered_quantity: 6 })).body).toMatchObject({ state: 'active' });
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 4 }]);
  await press(station, ONE);
  expect((await itemsOf(station, 'again'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 6 });
});

test('texts and places of a line are changed as creation sets them, and a lit line is lit again there', async () => {
  await addOrder(station, 'texts', [anItem({ SKU: 'CT-1' }), anItem({ deviceid: THIRD })]);
  await launch(station, 'texts');
  const body = { name: 'Washer', SKU: null, warehouse_location: 'nowhere', deviceid: FOURTH, description: 'M8' };
  const { status, body: changed } = await change('texts', 0, body);
  expect([status, changed]).toMatchObject([
    200,
    { name: 'Washer', state: 'active', deviceid: FOURTH, warehouse_location: 'nowhere', description: 'M8' },
  ]);
  expect(changed).not.toHaveProperty('SKU');
  expect(await litDevices(station)).toEqual([THIRD, FOURTH]);
  expect((await station.device(FOURTH)).commands).toMatchObject([{ line1: 'Washer', quantity: 2 }]);
  expect(await change('texts', 0, { name: '' })).toMatchObject({ status: 400, body: { errors: [{ path: '/name' }] } });
  await expectCountsRight(station, 'texts');
  await press(station, FOURTH);
  expect(await statesOf(station, 'texts')).toBe('in_progress: in_progress(done active)');
  expect(await change('texts', 0, { name: 'Nut' })).toMatchObject({ status: 409 });
  expect(await change('texts', 0, { deviceid: ONE })).toMatchObject({ status: 409 });
  expect(await change('texts', 0, { description: 'M10' })).toMatchObject({ status: 200, body: { description: 'M10' } });
});

test('a line that gets another article is picked from its places, and both articles follow', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'C-1' });
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'C-3' });
  await addArticle(station, 'NUT', [{ location: 'C-1' }], { name: 'Nut' });
  await addArticle(station, 'BOLT', [{ location: 'C-3' }], { name: 'Bolt' });
  await addOrder(station, 'other', [{ SKU: 'NUT', ordered_quantity: 5 }, anItem({ deviceid: FOURTH })]);
  await launch(station, 'other');
  expect((await change('other', 0, { SKU: 'BOLT' })).body).toMatchObject({ deviceid: THIRD, state: 'active' });
  expect((await station.device(THIRD)).commands).toMatchObject([{ line1: 'Bolt', quantity: 5 }]);
  const allocated = async (sku: string) => (await getArticle(station, sku)).places.map((place) => place.allocated);
  expect([await allocated('NUT'), await allocated('BOLT')]).toEqual([[0], [5]]);
  await expectCountsRight(station, 'other');
});

test('both quantities in one change: what is picked is lowered first', async () => {
  await addOrder(station, 'both', [anItem({ ordered_quantity: 5 }), anItem({ deviceid: THIRD })]);
  await launch(station, 'both');
  await press(station, ONE);
  const both = { ordered_quantity: 3, quantity_fulfilled: 3, reason: 'damaged' };
  expect((await change('both', 0, both)).body).toMatchObject({ state: 'done', quantity_fulfilled: 3 });
  const more = { ordered_quantity: 4, quantity_fulfilled: 4 };
  expect((await change('both', 0, more)).body).toMatchObject({ state: 'done', quantity_fulfilled: 4 });
  expect(await change('both', 0, {})).toMatchObject({ status: 400 });
});

test('PUT replaces an order that nobody has started, with the same warnings as its creation', async () => {
  const address = { name: 'Eva Lang', city: 'Berlin' };
  const first = { priority: 3, note: 'Fragile', color: 'g', address, paid: true };
  await addOrder(station, 'whole', [anItem({ callback_nonce: 'n-1' })], first);
  const { id } = await station.get<{ id: number }>(orderPath('whole'));
  const put = (body: object, query = '') => station.request('PUT', orderPath('whole', query), body);
  const items = [
    anItem({ callback_nonce: 'n-1' }),
    { name: 'Nut', ordered_quantity: 1, warehouse_location: 'nowhere' },
  ];
  const { status, body } = await put({ items, note: 'Quick', colour: 'red' });
  expect([status, body]).toMatchObject([200, { id, order_number: 'whole', priority: 0, note: 'Quick', state: 'open' }]);
  expect(body).not.toHaveProperty('color');
  const now = await station.get(orderPath('whole'));
  expect([now['address'], now['paid']]).toEqual([undefined, undefined]);
  await put({ items, address });
  expect(await station.get(orderPath('whole'))).toMatchObject({ address });
  expect((body as { warnings: string[] }).warnings.map((text) => text.split(':')[0])).toEqual([
    '/colour',
    '/items/1/warehouse_location',
  ]);
  expect(await put({ items, colour: 'red' }, '?strict=1')).toMatchObject({ status: 400 });
  expect(await put({ items: [] }, '?strict=1')).toMatchObject({ status: 400 });
  expect(await put({ items, order_number: 'other' })).toMatchObject({ status: 400 });
  expect(await put({ items: [{ ordered_quantity: 1 }] })).toMatchObject({ status: 400 });
  expect(await itemsOf(station, 'whole')).toMatchObject([{ name: 'Cable tie' }, { name: 'Nut' }]);
  await expectCountsRight(station, 'whole');
});

test('an order that was launched, waits, has ended or is in a batch is not replaced, with the reason', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  const put = async (number: string) => {
    const { status, body } = await station.request('PUT', orderPath(number), { items: [anItem({ name: 'Nut' })] });
    return [status, (body as { detail: string }).detail];
  };
  for (const number of ['first', 'second', 'third', 'fourth']) await addOrder(station, number, [anItem(), anItem()]);
  await station.post(orderPath('first', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('second', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('third', 'abort/'));
  const { id: cart } = await station.post<{ id: number }>('/api/carts/', { name: 'C1', rows: 1, columns: 1 });
  await station.post('/api/batches/', { mode: 'cart', cart, slots: [{ slot: 'A1', order_number: 'fourth' }] });
  expect(await put('first')).toEqual([409, expect.stringContaining('is in_progress')]);
  expect(await put('second')).toEqual([409, expect.stringContaining('waits for Anna')]);
  expect(await put('third')).toEqual([409, expect.stringContaining('is aborted')]);
  expect(await put('fourth')).toEqual([409, expect.stringContaining('is in C1')]);
  expect(await put('unknown')).toMatchObject([404, expect.any(String)]);
});

test('removing a line without pieces turns its light off, and the last open one completes the order', async () => {
  await addOrder(station, 'less', [anItem(), anItem({ deviceid: THIRD }), anItem({ deviceid: FOURTH })], {
    ordernonce: 'o',
  });
  await launch(station, 'less');
  expect(await remove('less', 1)).toMatchObject({ status: 204 });
  expect(await litDevices(station)).toEqual([ONE, FOURTH]);
  expect(await statesOf(station, 'less')).toBe('in_progress: in_progress(active active)');
  await press(station, ONE);
  expect(await remove('less', 0)).toMatchObject({ status: 409 });
  await remove('less', 1);
  expect(await statesOf(station, 'less')).toBe('fulfilled: fulfilled(done)');
  expect(await litDevices(station)).toEqual([]);
  expect(told().at(-1)).toMatchObject({ order_event: 'order_fulfilled', nonce: 'o' });
  await expectCountsRight(station, 'less');
});

test('the only line cannot be removed, nor can lines of ended orders and of orders in a batch be changed', async () => {
  await addOrder(station, 'only', [anItem()]);
  expect(await remove('only', 0)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await launch(station, 'only');
  await press(station, ONE);
  expect(await add('only', anItem())).toMatchObject({ status: 409 });
  expect(await change('only', 0, { ordered_quantity: 9 })).toMatchObject({ status: 409 });
  const both = { quantity_fulfilled: 1, ordered_quantity: 1 };
  expect(await change('only', 0, both)).toMatchObject({ status: 409 });
  expect(await statesOf(station, 'only')).toBe('fulfilled: fulfilled(done)');
  expect(await remove('only', 0)).toMatchObject({ status: 409 });
  await addOrder(station, 'aborted', [anItem(), anItem()]);
  await station.post(orderPath('aborted', 'abort/'));
  expect(await add('aborted', anItem())).toMatchObject({ status: 409 });
  const { id: cart } = await station.post<{ id: number }>('/api/carts/', { name: 'C1', rows: 1, columns: 1 });
  await addOrder(station, 'batched', [anItem(), anItem()]);
  await station.post('/api/batches/', { mode: 'cart', cart, slots: [{ slot: 'A1', order_number: 'batched' }] });
  for (const refused of [
    await add('batched', anItem()),
    await change('batched', 0, { ordered_quantity: 9 }),
    await remove('batched', 0),
  ])
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('C1') as string } });
});

test('the pieces wanted of an article follow the line', async () => {
  await addArticle(station, 'NUT', [{ location: 'C-1' }]);
  await addOrder(station, 'stock', [{ SKU: 'NUT', ordered_quantity: 5 }, anItem()]);
  const wanted = async () => (await getArticle(station, 'NUT')).wanted;
  expect(await wanted()).toBe(5);
  await change('stock', 0, { ordered_quantity: 3 });
  expect(await wanted()).toBe(3);
  await add('stock', { SKU: 'NUT', ordered_quantity: 4 });
  expect(await wanted()).toBe(7);
  await remove('stock', 0);
  expect(await wanted()).toBe(4);
});

test('history, the revision and the event stream show what was changed', async () => {
  await addOrder(station, 'seen', [anItem({ ordered_quantity: 5 }), anItem({ deviceid: THIRD })]);
  await launch(station, 'seen');
  const before = (await station.get<{ updated_time: string }>(orderPath('seen'))).updated_time;
  await change('seen', 0, { ordered_quantity: 3 });
  await remove('seen', 1);
  const after = (await station.get<{ updated_time: string }>(orderPath('seen'))).updated_time;
  expect(after > before).toBe(true);
  expect(facts('order.line')).toMatchObject([
    { change: 'changed', before: 5, ordered_quantity: 3, was_active: true, name: 'Cable tie' },
    { change: 'removed', before: 2, ordered_quantity: 0, was_active: true },
  ]);
  const rows = station.rows<{ qty: number; detail: string }>(
    "SELECT qty, detail FROM history WHERE kind = 'order_changed' ORDER BY id",
  );
  expect(rows.map(({ qty, detail }) => [qty, JSON.parse(detail) as unknown])).toMatchObject([
    [3, { changed: ['ordered_quantity'], item: { before: 5 } }],
    [0, { changed: ['items'], item: { before: 2 } }],
  ]);
});

test('pickers with the right to create orders change lines, others do not', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await addOrder(station, 'rights', [anItem(), anItem()]);
  const { write } = await openSession(station, { username: 'Anna', password: 'a few easy words' });
  const id = await idAt('rights', 0);
  const ask = (method: 'POST' | 'PATCH' | 'DELETE', rest: string, body?: object) =>
    station.request(method, orderPath('rights', rest), body, { ...write, 'content-type': 'application/json' });
  expect(await ask('POST', 'items/', anItem())).toMatchObject({ status: 403 });
  expect(await ask('PATCH', `items/${id}/`, { ordered_quantity: 3 })).toMatchObject({ status: 403 });
  await station.patch('/api/settings/', { picker_rights: ['create_orders'] });
  expect(await ask('POST', 'items/', anItem())).toMatchObject({ status: 201 });
  expect(await ask('PATCH', `items/${id}/`, { ordered_quantity: 3 })).toMatchObject({ status: 200 });
  expect(await ask('PATCH', `items/${id}/`, { quantity_fulfilled: 1 })).toMatchObject({ status: 403 });
  expect(await ask('DELETE', `items/${id}/`)).toMatchObject({ status: 204 });
});

test('a repeated key adds a line once', async () => {
  await addOrder(station, 'key', [anItem()]);
  const once = () =>
    station.request('POST', orderPath('key', 'items/'), anItem({ name: 'Nut' }), {
      'api-key': API_KEY,
      'content-type': 'application/json',
      'idempotency-key': 'k-1',
    });
  const [first, second] = [await once(), await once()];
  expect((second.body as Item).id).toBe((first.body as Item).id);
  expect(await itemsOf(station, 'key')).toHaveLength(2);
});
