import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch, PutResult } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { addArticle, movedOf, onHand } from '../../helpers/articles.ts';
import {
  act,
  addBatch,
  addCart,
  addTies,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  shownAt,
  SLOT_A1,
  SLOT_A2,
  slotsOf,
  tryTo,
} from '../../helpers/batches.ts';
import { addOrder, getOrder, itemsOf, litDevices, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';
import { owed } from '../../helpers/walls.ts';

let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:9/', callback_nonce: 'item-{order}' });
  await addCart(station);
});
afterEach(() => station.stop());

const cartOf = async (quantities: readonly number[], given: object = {}): Promise<void> => {
  for (const [index, quantity] of quantities.entries()) await addTies(station, `SO-${index + 1}`, quantity);
  await addBatch(
    station,
    quantities.map((_, index) => `SO-${index + 1}`),
    given,
  );
  await act(station, 'launch/', { color: 'blue' });
};

test('one light shows the sum; a press books each item once, and the pieces are then in hand', async () => {
  await cartOf([2, 3]);
  expect(await litDevices(station)).toEqual([PLACE]);
  expect(await shownAt(station, PLACE)).toContain('5 ');
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2', 'A2 open 0+0/3']);
  await press(station, PLACE);
  expect(owed(station)).toEqual([
    `device_ack SO-1 ${PLACE} 2`,
    `item_added SO-1 ${PLACE} 2`,
    `device_ack SO-2 ${PLACE} 3`,
    `item_added SO-2 ${PLACE} 3`,
  ]);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+3/3']);
  expect(await handsOf(station)).toEqual({ '': 5 });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  expect([await shownAt(station, SLOT_A1), await shownAt(station, SLOT_A2)]).toEqual([
    expect.stringContaining('SO-1 2'),
    expect.stringContaining('SO-2 3'),
  ]);
});

test('an order is reported as fulfilled once, when its last piece is put, not when it is picked', async () => {
  await station.patch('/api/settings/', { ordernonce: 'order-{order}' });
  await cartOf([2, 3]);
  await press(station, PLACE);
  expect(owed(station).filter((each) => each.startsWith('order_fulfilled'))).toEqual([]);
  await press(station, SLOT_A2);
  expect(owed(station).filter((each) => each.startsWith('order_fulfilled'))).toEqual([
    'order_fulfilled SO-1',
    'order_fulfilled SO-2',
  ]);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 complete 3+0/3']);
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(done)');
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1, quantity: 1 });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  await act(station, 'put/', { slot: 'A1' });
  expect(owed(station).filter((each) => each.startsWith('order_fulfilled'))).toHaveLength(2);
  expect(owed(station).filter((each) => each.startsWith('item_'))).toHaveLength(2);
});

test('the commands at places and slots of a batch name its cart', async () => {
  await cartOf([2, 3]);
  const [pick] = (await station.device(PLACE)).commands;
  expect(pick).toMatchObject({ batch_id: 1, batch_name: 'Cart 1' });
  await press(station, PLACE);
  expect((await station.device(SLOT_A1)).commands[0]).toMatchObject({ batch_id: 1, batch_name: 'Cart 1' });
  const ended = await station.get(`/api/history/commands/${pick?.command_id}/`);
  expect(ended).toMatchObject({ state: 'acknowledged', command: { batch_id: 1, batch_name: 'Cart 1' } });
  const facts = station.rows<{ facts: string }>("SELECT facts FROM commits WHERE facts LIKE '%batch_name%'");
  expect(facts.length).toBeGreaterThan(1);
  await station.post(`/api/device/${PLACE}/`, { command: 'pick', line1: 'x' });
  expect((await station.device(PLACE)).commands.at(-1)).not.toHaveProperty('batch_name');
});

test('with put_confirmation "each", every slot is confirmed separately', async () => {
  await cartOf([2, 3], { put_confirmation: 'each' });
  await press(station, PLACE);
  await press(station, SLOT_A2);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 complete 3+0/3']);
  expect(await shownAt(station, SLOT_A2)).toContain('COMPLETE');
  const put = await act<PutResult>(station, 'put/', { slot: 'A1', quantity: 1 });
  expect(put).toMatchObject({ result: 'put', quantity: 1, expected: [{ slot: 'A1', quantity: 1 }] });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 1');
});

test('with put_confirmation "none", a pick is a put', async () => {
  await cartOf([2, 3], { put_confirmation: 'none' });
  await press(station, PLACE);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 complete 3+0/3']);
  expect(await handsOf(station)).toEqual({});
});

test('if pieces are missing, whole shares are filled first; pieces can be reassigned until they are put', async () => {
  await cartOf([2, 3]);
  const [command] = (await station.device(PLACE)).commands;
  await station.post(`/api/device/${PLACE}/acknowledge/`, {
    command_id: command?.command_id,
    qty: 4,
    reason: 'missing',
  });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+2/3']);
  await act(station, 'shares/', {
    shares: [
      { item_id: 1, quantity: 1 },
      { item_id: 2, quantity: 3 },
    ],
    reason: 'damaged',
  });
  expect(await slotsOf(station)).toEqual(['A1 open 0+1/2', 'A2 open 0+3/3']);
  expect(owed(station).slice(4)).toEqual([`item_removed SO-1 ${PLACE} 1`, `item_added SO-2 ${PLACE} 3`]);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short)');
  expect((await tryTo(station, '1/shares/', { shares: [{ item_id: 1, quantity: 2 }] })).status).toBe(409);
});

test('a share that gets no pieces of a short sum sends no device_ack, and its item is short immediately', async () => {
  await cartOf([2, 3]);
  const [command] = (await station.device(PLACE)).commands;
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: command?.command_id, qty: 2 });
  expect(owed(station)).toEqual([`device_ack SO-1 ${PLACE} 2`, `item_added SO-1 ${PLACE} 2`]);
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(short)');
});

test('a refused batch does not name what was rolled back', async () => {
  for (const number of ['SO-1', 'SO-2']) await addTies(station, number, 2);
  const create = (...slots: object[]) => tryTo(station, '', { mode: 'cart', cart: 1, slots });
  const [one, two] = [{ order_number: 'SO-1' }, { order_number: 'SO-2' }];
  expect(await create(one, one)).toMatchObject({
    status: 400,
    body: { detail: 'Order SO-1 is listed twice. Name it once. Nothing was loaded.' },
  });
  expect(await create({ ...one, slot: 'A1' }, { ...two, slot: 'A1' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/slots/1/slot' }] },
  });
  expect(await create({ ...one, tote: 'T-1' }, { ...two, tote: 'T 1' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/slots/1/tote', message: expect.stringContaining('The tote T 1 is listed twice.') }] },
  });
  expect(await create(one, { order_number: 'SO-3' })).toMatchObject({
    status: 404,
    body: { detail: 'There is no order SO-3. GET /api/orders/ lists them. Nothing was loaded.' },
  });
  expect(await station.get('/api/batches/')).toEqual([]);
});

test('a batch never books more than the sum', async () => {
  await cartOf([2, 3]);
  const [command] = (await station.device(PLACE)).commands;
  const answer = await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: command?.command_id, qty: 9 });
  expect(answer).toMatchObject({
    left_over: 4,
    warnings: ['qty: acknowledged 9, 4 more than the batch needs. Only 5 were booked: put 4 back.'],
  });
  expect((await itemsOf(station, 'SO-2'))[0]?.quantity_fulfilled).toBe(3);
  expect(await handsOf(station)).toEqual({ '': 5 });
});

test('a put into the wrong slot books nothing; a put with an empty hand gets 409', async () => {
  await cartOf([2]);
  expect((await tryTo(station, '1/put/', { slot: 'A1' })).status).toBe(409);
  await press(station, PLACE);
  const wrong = await act<PutResult>(station, 'put/', { slot: 'A2' });
  expect(wrong).toMatchObject({ result: 'wrong_slot', quantity: 0, expected: [{ slot: 'A1', quantity: 2 }] });
  expect(wrong.says).toBe('That was A2. Put 2 into A1.');
  await station.press(SLOT_A2);
  expect(await shownAt(station, SLOT_A2)).toContain('WRONG SLOT');
  await station.clock.advance(4_000);
  expect(await shownAt(station, SLOT_A2)).toBe('dark');
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2']);
});

test('a press in transit during a pause counts for the line that was lit when it was pressed', async () => {
  await cartOf([2]);
  const [command] = (await station.device(PLACE)).commands;
  await act(station, 'pause/');
  expect(await litDevices(station)).toEqual([]);
  const row = { command_id: command?.command_id, qty: 2, seen: 0 };
  expect((await station.request('POST', `/api/device/${PLACE}/acknowledge/`, row)).status).toBe(409);
  await act(station, 'launch/');
  await press(station, PLACE);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2']);
});

test('an aborted order is subtracted from the sum, and its pieces in hand must be put back', async () => {
  await cartOf([2, 3]);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.clock.advance(3_000);
  expect(await shownAt(station, PLACE)).toContain('3 ');
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A2', quantity: 1 });
  await station.post(orderPath('SO-2', 'abort/'));
  const batch = await getBatch(station);
  expect(batch.put_back).toMatchObject([{ order_number: 'SO-2', put_back: 2 }]);
  expect(await slotsOf(station)).toEqual(['A2 stopped 1+0/3']);
  expect((await getOrder(station, 'SO-2')).shipments[0]?.items[0]?.quantity_fulfilled).toBe(3);
  await act(station, 'slots/A2/free/');
  expect((await getBatch(station)).state).toBe('done');
  expect((await station.request('POST', orderPath('SO-1', 'launch/'))).status).toBe(200);
});

test('deleting an order with pieces in its slot stops the slot', async () => {
  await cartOf([2], { put_confirmation: 'each' });
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1', quantity: 1 });
  expect((await station.request('DELETE', orderPath('SO-1'))).status).toBe(204);
  expect(await slotsOf(station)).toEqual(['A1 stopped 1+0/2']);
});

test('an order can be in only one batch, and cannot be launched, joined or handed over separately', async () => {
  await cartOf([2]);
  await addTies(station, 'SO-9', 1);
  const launch = await station.request('POST', orderPath('SO-1', 'launch/'));
  expect(launch.status).toBe(409);
  expect((launch.body as { detail: string }).detail).toContain('is in Cart 1');
  expect((await tryTo(station, '1/slots/', { order_number: 'SO-1' })).status).toBe(409);
  expect((await station.request('POST', orderPath('SO-1', 'join/'), { picker: 'admin' })).status).toBe(409);
  expect((await station.request('POST', orderPath('SO-1', 'items/1/light/'))).status).toBe(409);
  const second = { mode: 'cart', cart: 1, slots: [{ order_number: 'SO-9' }] };
  expect((await tryTo(station, '', second)).status).toBe(409);
});

test('an order in progress that nobody picks can join a batch, which turns its own lights off', async () => {
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 2);
  await station.post(orderPath('SO-1', 'launch/'));
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'admin' });
  expect(await litDevices(station)).toHaveLength(2);
  await addBatch(station, ['SO-1']);
  expect(await litDevices(station)).toHaveLength(1);
  const refused = await tryTo(station, '1/slots/', { order_number: 'SO-2' });
  expect((refused.body as { detail: string }).detail).toBe(
    'Order SO-2 is being picked by admin. It can join once nobody picks it.',
  );
});

test('an order added to a running batch gets a separate light at the place', async () => {
  await cartOf([2]);
  await addTies(station, 'SO-2', 3);
  await act(station, 'slots/', { order_number: 'SO-2' });
  expect(await litDevices(station)).toEqual([PLACE, PLACE]);
  const lines = await station.get<WorkLine[]>('/api/work/?batch=1');
  expect(lines.map(({ quantity, waiting }) => [quantity, waiting])).toEqual([
    [2, false],
    [3, true],
  ]);
  await press(station, PLACE);
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ '': 5 });
});

test('the work of a batch has one line per place and article, including the shares', async () => {
  await addOrder(station, 'SO-1', [
    { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Screw', SKU: 'SC-1', ordered_quantity: 4, deviceid: OTHER_PLACE },
    { name: 'Glue', SKU: 'GL-1', ordered_quantity: 1, warehouse_location: 'Q-1-1' },
  ]);
  await addTies(station, 'SO-2', 3);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  const lines = await station.get<WorkLine[]>('/api/work/?batch=1');
  expect(
    lines.map(({ text, quantity, light, location, shares }) => [text, quantity, light, location, shares?.length]),
  ).toEqual([
    ['Cable tie', 5, true, '', 2],
    ['Screw', 4, true, '', 1],
    ['Glue', 1, false, 'Q-1-1', 1],
  ]);
  expect(lines[0]?.shares).toEqual([
    { slot: 'A1', order_number: 'SO-1', item_id: 1, quantity: 2, quantity_fulfilled: 0 },
    { slot: 'A2', order_number: 'SO-2', item_id: 4, quantity: 3, quantity_fulfilled: 0 },
  ]);
  const { body } = await station.request('POST', orderPath('SO-1', 'items/3/confirm/'), {});
  expect(body).toMatchObject({ quantity_fulfilled: 1, state: 'active' });
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2 0+0/4 0+1/1', 'A2 open 0+0/3']);
  expect(owed(station)).toEqual(['item_added SO-1  1']);
});

test('the stock decreases at the pick, not at the put', async () => {
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', on_hand: 20 }]);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1-1' });
  await addOrder(station, 'SO-1', [{ SKU: 'CT-200', ordered_quantity: 2 }]);
  await addOrder(station, 'SO-2', [{ SKU: 'CT-200', ordered_quantity: 3 }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  await press(station, PLACE);
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 15 });
  await act(station, 'put/', { all: true });
  expect((await movedOf(station)).slice(1)).toEqual([
    ['pick', 'A-1-1', -2, 18],
    ['pick', 'A-1-1', -3, 15],
  ]);
});

test('pieces lost from the hand are unbooked and subtracted from the stock, and their shares are lit again', async () => {
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', on_hand: 20 }]);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1-1' });
  await addOrder(station, 'SO-1', [{ SKU: 'CT-200', ordered_quantity: 2 }]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'admin' });
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ admin: 2 });
  await act(station, 'hand/', { by: 'admin', do: 'missing' });
  expect(owed(station).at(-1)).toContain('item_removed SO-1');
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 18 });
  expect(await shownAt(station, PLACE)).toContain('2 ');
});

test('pieces to put back are open again once a correction returns them', async () => {
  await cartOf([2]);
  await press(station, PLACE);
  await act(station, 'hand/', { by: '', do: 'put_back' });
  expect((await getBatch(station)).put_back).toMatchObject([{ put_back: 2, in_hand: 0 }]);
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 0, reason: 'put back' });
  await station.clock.advance(3_000);
  expect(await shownAt(station, PLACE)).toContain('2 ');
});

test('corrections, shorts and undos of an item update its batch', async () => {
  await cartOf([2, 3]);
  await press(station, PLACE);
  await station.patch(orderPath('SO-2', 'items/2/'), { quantity_fulfilled: 2, reason: 'damaged' });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 0+2/3']);
  await station.post(orderPath('SO-2', 'items/2/short/'), { reason: 'missing' });
  await station.post(orderPath('SO-1', 'items/1/reopen/'), {});
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2', 'A2 open 0+2/3']);
  expect((await itemsOf(station, 'SO-1'))[0]?.quantity_fulfilled).toBe(0);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(short)');
  const more = await station.request('PATCH', orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 9, reason: 'x' });
  expect(more.status).toBe(409);
});

test('an order removed from a half-picked cart can be picked separately', async () => {
  await cartOf([2, 3], { put_confirmation: 'each' });
  await press(station, PLACE);
  expect((await tryTo(station, '1/slots/A1/', undefined, 'DELETE')).status).toBe(409);
  await act(station, 'put/', { slot: 'A1', quantity: 1 });
  await station.post(orderPath('SO-1', 'items/1/reopen/'), {});
  await station.clock.advance(3_000);
  expect((await tryTo(station, '1/slots/A1/', undefined, 'DELETE')).status).toBe(204);
  expect(await slotsOf(station)).toEqual(['A1 stopped 1+0/2', 'A2 open 0+3/3']);
  await station.post(orderPath('SO-1', 'launch/'));
  await station.clock.advance(3_000);
  await press(station, PLACE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test('slots can be moved, marked as full and freed, and freeing a slot can be undone', async () => {
  await cartOf([2, 3], { put_confirmation: 'each' });
  await press(station, PLACE);
  await act(station, 'slots/A1/move/', { to: 'B2' });
  await act(station, 'put/', { slot: 'A2', quantity: 1 });
  await act(station, 'slots/A2/full/');
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'A2 open 1+0/1', 'B2 open 0+2/2'].toSorted());
  await act(station, 'put/', { all: true });
  expect((await getBatch(station)).slots.map(({ state }) => state)).toEqual([
    'complete',
    'complete',
    'free',
    'complete',
  ]);
  await act(station, 'free/');
  expect((await getBatch(station)).state).toBe('done');
  await act(station, 'slots/B2/free/undo/');
  const batch = await getBatch(station);
  expect([batch.state, batch.slots[3]?.state, batch.slots[3]?.order_number]).toEqual(['picking', 'complete', 'SO-1']);
});

test('a freed slot accepts a new order after ten seconds', async () => {
  await cartOf([2]);
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  await addTies(station, 'SO-2', 1);
  await addTies(station, 'SO-3', 1);
  await act(station, 'slots/', { order_number: 'SO-2', slot: 'B1' });
  await station.post('/api/batches/1/slots/A1/free/');
  expect((await tryTo(station, '1/slots/', { order_number: 'SO-3', slot: 'A1' })).status).toBe(409);
  await station.clock.advance(10_000);
  expect((await tryTo(station, '1/slots/', { order_number: 'SO-3', slot: 'A1' })).status).toBe(201);
});

test('aborting a batch stops everything that is incomplete, and can also abort the orders', async () => {
  await cartOf([2, 3], { put_confirmation: 'each' });
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1' });
  const aborted = await act(station, 'abort/?orders=abort');
  expect(aborted.slots.map(({ state }) => state)).toEqual(['complete', 'free', 'free', 'free']);
  expect((await getOrder(station, 'SO-2')).state).toBe('aborted');
  await act(station, 'free/');
  expect((await getBatch(station)).state).toBe('done');
  expect(await litDevices(station)).toEqual([]);
});

test('filling a batch adds open orders that nobody picks, and reports the orders left out', async () => {
  await addTies(station, 'SO-1', 1, { priority: 5 });
  await addTies(station, 'SO-2', 1);
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }], { priority: 1 });
  await addTies(station, 'SO-4', 1);
  await station.post(orderPath('SO-4', 'launch/'));
  const batch = await addBatch(station, [], { fill: { count: 2 } });
  expect(batch.slots.map(({ order_number: number }) => number)).toEqual(['SO-1', 'SO-2', null, null]);
  expect(batch.left_out).toEqual([{ order_number: 'SO-4', reason: 'Order SO-4 is in progress.' }]);
});

test('hands, lights and shares are the same after a restart', async () => {
  await cartOf([2, 3], { put_confirmation: 'each' });
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'A1' });
  const before = await station.get<Batch>('/api/batches/1/');
  await station.restart();
  await station.clock.advance(15_000);
  expect(await station.get<Batch>('/api/batches/1/')).toEqual(before);
  await press(station, SLOT_A2);
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(done)');
});
