import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import type { NextOrder, WorkLine } from '#shared/api/picking.ts';
import { addOrder, anItem, FOURTH, launch, ONE, press, THIRD, THREE_BUTTONS } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: lit work in walking order, and the order to pick next.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const lines = (query = '') => station.get<WorkLine[]>(`/api/work/${query}`);

test('lists lit work in walking order: along the shelves in alternating directions, with unplaced devices last', async () => {
  const rack = (name: string, shelves: string[]) =>
    station.post<{ shelves: { id: string }[] }>('/api/map/racks/', { name, columns: 4, shelves });
  const { shelves } = await rack('R', ['1', '2']);
  const place = (deviceid: string, shelf: number, column: number) =>
    station.request('PUT', `/api/map/places/${deviceid}/`, { shelf: shelves[shelf]?.id, column });
  await place(FOURTH, 0, 0);
  await place(ONE, 1, 0);
  await place(THIRD, 1, 3);
  await addOrder(
    station,
    'SO-1',
    [ONE, THREE_BUTTONS, THIRD, FOURTH].map((deviceid) => anItem({ deviceid })),
  );
  await launch(station, 'SO-1');
  expect((await lines()).map(({ deviceid }) => deviceid)).toEqual([FOURTH, THIRD, ONE, THREE_BUTTONS]);
});

test('leads people who undo several lines back to the first of them, and nobody whose line somebody else opens', async () => {
  const anna = { username: 'Anna', password: 'long enough' };
  await station.post('/api/users/', { ...anna, role: 'picker' });
  const { write } = await openSession(station, anna);
  const headers = { ...write, 'content-type': 'application/json' };
  const devices = [ONE, THREE_BUTTONS, THIRD, FOURTH];
  const items = devices.map((deviceid) => anItem({ deviceid }));
  await addOrder(station, 'SO-1', items);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  const pressThree = async () => {
    await station.clock.advance(3_000);
    for (const deviceid of devices.slice(0, 3)) await press(station, deviceid);
  };
  const next = async () => (await lines('?order=SO-1&picker=Anna')).map(({ deviceid }) => deviceid);
  await pressThree();
  for (const id of [3, 2, 1]) await station.request('POST', `/api/orders/SO-1/items/${id}/reopen/`, {}, headers);
  expect(await next()).toEqual(devices);
  await pressThree();
  await station.post('/api/orders/SO-1/items/1/reopen/');
  expect(await next()).toEqual([FOURTH, ONE]);
});

test('lists a line whose color changed before the lines that wait at its device', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  for (const number of ['first', 'second']) {
    await addOrder(station, number, [anItem()]);
    await launch(station, number);
  }
  await station.post('/api/orders/first/launch/', { picker: 'Anna' });
  expect((await lines()).map(({ order_number: number, waiting }) => ({ number, waiting }))).toEqual([
    { number: 'first', waiting: false },
    { number: 'second', waiting: true },
  ]);
});

test('a line names its item, order and picker, and says whether it waits for another line', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'CT-200' });
  await addOrder(station, 'SO-1', [
    anItem({ SKU: 'CT-200', UPC: '4006381333931', description: 'black', ordered_quantity: 5, quantity_fulfilled: 1 }),
  ]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await addOrder(station, 'SO-2', [anItem()]);
  await launch(station, 'SO-2');
  await station.post(`/api/device/${THREE_BUTTONS}/`, { command: 'flash', line1: 'Hello', color: 'b' });
  await station.post(`/api/device/${FOURTH}/identify/`);
  const all = await lines();
  expect(all.map(({ deviceid, order_number, picker, waiting }) => [deviceid, order_number, picker, waiting])).toEqual([
    [ONE, 'SO-1', 'Anna', false],
    [ONE, 'SO-2', null, true],
    [THREE_BUTTONS, null, null, false],
  ]);
  expect(all[0]).toMatchObject({
    location: 'A-1',
    text: 'Cable tie',
    description: 'black',
    SKU: 'CT-200',
    UPC: '4006381333931',
    quantity: 4,
    ordered_quantity: 5,
    quantity_fulfilled: 1,
    color: 'blue',
    unreachable: false,
    elsewhere: [{ deviceid: THIRD, location: 'CT-200' }],
  });
  expect(await lines('?picker=anna')).toEqual([all[0]]);
  expect(await lines('?order=SO-2')).toEqual([all[1]]);
});

test('gives the full name of an article, even if the display shows only part of it', async () => {
  const name = 'Cable tie 200 mm, black, heat resistant, bag of 100';
  await addOrder(station, 'SO-1', [anItem({ name })]);
  await launch(station, 'SO-1');
  expect((await lines())[0]?.text).toBe(name);
  expect((await station.device(ONE)).commands[0]).not.toMatchObject({ line1: name });
});

test('suggests the next order by attention, priority, due time and age, except orders that somebody picks', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  const next = () => station.get<NextOrder>('/api/work/next/');
  expect(await next()).toEqual({ order: null, waiting: 0 });
  const due = (hour: number) => ({ due_time: `2026-11-20T${hour}:00:00Z` });
  await addOrder(station, 'old', [anItem()]);
  await addOrder(station, 'late', [anItem()], due(18));
  await addOrder(station, 'soon', [anItem()], due(12));
  await addOrder(station, 'urgent', [anItem()], { ...due(20), priority: 5 });
  await addOrder(station, 'stuck', [anItem(), { name: 'Ghost', ordered_quantity: 1 }]);
  await addOrder(station, 'nowhere', [{ name: 'Ghost', ordered_quantity: 1 }]);
  await addOrder(station, 'empty', []);
  await launch(station, 'stuck');
  await station.request('POST', '/api/orders/nowhere/launch/');
  const taken: string[] = [];
  for (let order = (await next()).order; order !== null && taken.length < 9; order = (await next()).order) {
    taken.push(order.order_number);
    expect(
      (await station.request('POST', `/api/orders/${order.order_number}/launch/`, { picker: 'Anna' })).status,
    ).toBeLessThan(410);
    await station.clock.advance(1_000);
  }
  expect(taken).toEqual(['stuck', 'urgent', 'soon', 'late', 'old', 'nowhere']);
  const mine = await station.get<OrderProgress[]>('/api/order-progress/?picker=anna');
  expect(mine.map(({ order_number: number }) => number)).toEqual(['stuck', 'urgent', 'soon', 'late', 'old', 'nowhere']);
  const pageAfter = async (after: string) =>
    (await station.get<OrderProgress[]>(`/api/order-progress/?picker=anna&limit=2&after=${after}`)).map(
      ({ order_number: number }) => number,
    );
  expect(await pageAfter('')).toEqual(['stuck', 'urgent']);
  expect(await pageAfter('urgent')).toEqual(['soon', 'late']);
  expect(await pageAfter('late')).toEqual(['old', 'nowhere']);
  await station.request('POST', '/api/orders/stuck/abort/');
  expect(await station.get<OrderProgress[]>('/api/order-progress/?picker=anna')).toHaveLength(5);
});

test('lists the lines of a picker, starting after the last confirmed place', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  const devices = [ONE, THREE_BUTTONS, THIRD, FOURTH];
  for (const [index, id] of devices.entries()) {
    await station.post(`/api/device/${id}/`, { locationoverride: `A-${index + 1}` });
  }
  await addOrder(
    station,
    'SO-1',
    devices.map((deviceid) => anItem({ deviceid })),
  );
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.clock.advance(3_000);
  const mine = async () => (await lines('?order=SO-1&picker=Anna')).map(({ location }) => location);
  expect(await mine()).toEqual(['A-1', 'A-2', 'A-3', 'A-4']);
  await press(station, THIRD);
  expect(await mine()).toEqual(['A-4', 'A-1', 'A-2']);
  await press(station, FOURTH);
  expect(await mine()).toEqual(['A-1', 'A-2']);
  expect((await lines('?order=SO-1')).map(({ location }) => location)).toEqual(['A-1', 'A-2']);
});

test('the station never assigns red, green or white to a person', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Picker ${index}`);
  for (const username of names) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
    await addOrder(station, username, [anItem()]);
  }
  for (const picker of names) await station.post(`/api/orders/${encodeURIComponent(picker)}/launch/`, { picker });
  const pickers = await station.get<{ color: string | null }[]>('/api/pickers/');
  const colors = pickers.flatMap(({ color }) => color ?? []);
  expect([...new Set(colors)].toSorted()).toEqual(['blue', 'cyan', 'magenta', 'orange', 'yellow']);
  expect(colors).toHaveLength(names.length);
});

test('a person chooses a color, and later launches use it', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  const set = (body: object) => station.request('PATCH', '/api/user/', body);
  expect(await set({ color: 'cyan', picker: 'anna' })).toMatchObject({
    status: 200,
    body: { name: 'Anna', color: 'cyan' },
  });
  // Black would make the person's lines invisible.
  const reserved = ['red', 'r', '#f00', '#fe0101', 'green', 'lime', 'g', '#00ff00', 'white', '#fffffe', 'silver'];
  for (const color of ['nonsense', 'black', '#000', '#010101', ...reserved]) {
    expect((await set({ color, picker: 'Anna' })).status, color).toBe(400);
  }
  expect((await set({ color: 'cyan' })).status).toBe(409);
  await addOrder(station, 'SO-1', [anItem()]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  expect((await station.device(ONE)).commands).toMatchObject([{ color: 'cyan' }]);
  const pickers = await station.get<object[]>('/api/pickers/');
  expect(pickers).toContainEqual({ name: 'Anna', color: 'cyan', orders: ['SO-1'] });
});
