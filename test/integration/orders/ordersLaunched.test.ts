import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  FOURTH,
  getOrder,
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
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: what a launch lights and where, and what an abort or DELETE turns off.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const send = (method: string, orderNumber: string, rest = '') => station.request(method, orderPath(orderNumber, rest));

test('launch searches for deviceid, then warehouse_location, then SKU, UPC and name as locations', async () => {
  await station.post('/api/location-aliases/', { name: 'A-1', deviceid: ONE, deviceIs: 'Below' });
  await station.post('/api/location-aliases/', { name: 'SKU-7', deviceid: THREE_BUTTONS, deviceIs: 'Above' });
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'Bin 12 upper' });
  const both = { SKU: 'SKU-7', warehouse_location: 'A-1', ordered_quantity: 1 };
  const unknown = '51D0FF:00000F';
  await addOrder(station, 'places', [
    { ...both, deviceid: FOURTH },
    { ...both, deviceid: unknown },
    { ...both, deviceid: null },
    { SKU: 'sku-7', warehouse_location: 'nobody has it', ordered_quantity: 1 },
    { SKU: 'no', UPC: 'no', name: 'a-1', ordered_quantity: 1 },
    { SKU: 'SKU', warehouse_location: '12 UPPER', ordered_quantity: 1 },
    { UPC: THIRD.toLowerCase(), ordered_quantity: 1 },
    { name: 'x', warehouse_location: THREE_BUTTONS.toLowerCase(), ordered_quantity: 1 },
    { SKU: 'SKU', UPC: '12 upper', name: 'Bin', ordered_quantity: 1 },
  ]);
  const order = await launch(station, 'places');
  expect(order.items?.map(({ deviceid }) => deviceid)).toEqual([
    FOURTH,
    ONE,
    ONE,
    THREE_BUTTONS,
    ONE,
    THIRD,
    THIRD,
    THREE_BUTTONS,
    null,
  ]);
  // Only warehouse_location matches a part of a name.
  expect(order.unassigned).toMatchObject([{ SKU: 'SKU', UPC: '12 upper', state: 'open', deviceid: null }]);
  expect((await station.device(ONE)).commands.map(({ location, arrow }) => [location, arrow])).toEqual(
    Array.from({ length: 3 }, () => ['A-1', 'top']),
  );
  await expectCountsRight(station, 'places');
});

test('lists items without a device in unassigned, and completes the order without them', async () => {
  const items = [anItem(), { SKU: 'X-9', ordered_quantity: 1, warehouse_location: 'UNKNOWN' }];
  await addOrder(station, 'some', items);
  expect(await launch(station, 'some')).toMatchObject({ unassigned: [{ SKU: 'X-9' }] });
  await press(station, ONE);
  expect(await getOrder(station, 'some')).toMatchObject({
    state: 'fulfilled',
    shipments: [{ state: 'fulfilled', items: [{ state: 'done' }, { state: 'open' }] }],
    unassigned: [{ SKU: 'X-9', state: 'open' }],
  });
  await expectCountsRight(station, 'some');
});

test('the next launch lights an item whose place was added later, and reopens a shipment that was complete without the item', async () => {
  const shipments = [
    { shipment_number: 'S1', items: [anItem(), { SKU: 'late', ordered_quantity: 1 }] },
    { shipment_number: 'S2', items: [anItem({ deviceid: THREE_BUTTONS })] },
  ];
  await station.post('/api/orders/', { order_number: 'later', shipments });
  await launch(station, 'later');
  await press(station, ONE);
  expect(await statesOf(station, 'later')).toBe('in_progress: fulfilled(done open) in_progress(active)');
  await station.post('/api/location-aliases/', { name: 'LATE', deviceid: ONE, deviceIs: 'Below' });
  expect((await launch(station, 'later')).unassigned).toEqual([]);
  expect(await statesOf(station, 'later')).toBe('in_progress: in_progress(done active) in_progress(active)');
  await expectCountsRight(station, 'later');
});

test('a launch with nothing to light gets 409 and changes nothing', async () => {
  await addOrder(station, 'nowhere', [{ SKU: 'X', ordered_quantity: 1 }]);
  await addOrder(station, 'empty', []);
  await station.post('/api/orders/', { order_number: 'no shipments', shipments: [] });
  await addOrder(station, 'full', [anItem({ quantity_fulfilled: 2 })]);
  for (const number of ['nowhere', 'empty', 'no shipments', 'full']) {
    const before = station.rows('SELECT * FROM orders');
    const answer = await send('POST', number, 'launch/');
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining(number) } });
    expect(station.rows('SELECT * FROM orders')).toEqual(before);
  }
  expect(await statesOf(station, 'full')).toBe('fulfilled: fulfilled(done)');
  expect(await statesOf(station, 'empty')).toBe('open: open()');
  expect(await litDevices(station)).toEqual([]);
  expect(await send('POST', 'no such order', 'launch/')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('an item that is complete when created is done and never lit', async () => {
  await addOrder(station, 'partly', [anItem({ quantity_fulfilled: 2 }), anItem({ quantity_fulfilled: 1 })]);
  await launch(station, 'partly');
  expect(await statesOf(station, 'partly')).toBe('in_progress: in_progress(done active)');
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 1 }]);
});

test('a repeated launch lights only open items that are not lit, but not short ones', async () => {
  const items = [anItem(), anItem({ deviceid: THREE_BUTTONS }), anItem({ deviceid: THIRD })];
  await addOrder(station, 'again', items, { seconds: 0 });
  await launch(station, 'again');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  await station.post(`/api/device/${THIRD}/`, { command: 'kill' });
  const lit = await itemsOf(station, 'again');
  await launch(station, 'again');
  expect(await statesOf(station, 'again')).toBe('in_progress: in_progress(active short active)');
  expect((await itemsOf(station, 'again'))[0]?.command_id).toBe(lit[0]?.command_id);
  expect(await litDevices(station)).toEqual([ONE, THIRD]);
});

test('a hundred simultaneous launches light each item once', async () => {
  await addOrder(station, 'storm', [anItem(), anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  const answers = await Promise.all(Array.from({ length: 100 }, () => send('POST', 'storm', 'launch/')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await litDevices(station)).toEqual([ONE, ONE, THREE_BUTTONS]);
  expect(station.rows("SELECT kind FROM history WHERE kind = 'order_launched'")).toHaveLength(1);
  await expectCountsRight(station, 'storm');
});

test('a launch finds many places by a part of their names', async () => {
  const places = Array.from({ length: 2_000 }, (_, index) => `row ${index + 10_000} bolts`);
  const csv = ['name,deviceid,deviceIs', ...places.map((place) => `${place},${THIRD},Above`)].join('\n');
  await station.post('/api/location-aliases/import/', { csv });
  // Every second place is unknown.
  const items = places.slice(0, 1_000).map((place, index) => {
    return anItem({ deviceid: null, warehouse_location: index % 2 === 0 ? place.slice(4) : `${place}?` });
  });
  await addOrder(station, 'parts', items);
  expect((await launch(station, 'parts')).unassigned).toHaveLength(500);
  const lit = station.rows<{ alias: string }>('SELECT alias FROM commands ORDER BY position');
  expect(lit.map(({ alias }) => alias)).toEqual(places.slice(0, 1_000).filter((_, index) => index % 2 === 0));
});

test('a full queue refuses the launch as a whole', async () => {
  await addOrder(
    station,
    'first',
    Array.from({ length: 999 }, () => anItem()),
  );
  await launch(station, 'first');
  await addOrder(station, 'second', [anItem({ deviceid: THREE_BUTTONS }), anItem(), anItem()]);
  const answer = await send('POST', 'second', 'launch/');
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((answer.body as { detail: string }).detail).toMatch(
    /^Order second was not launched\. The queue of 51D000:000001 already holds/,
  );
  expect(await statesOf(station, 'second')).toBe('open: open(open open open)');
  expect(await litDevices(station)).toHaveLength(999);
  expect((await station.device(THREE_BUTTONS)).commands).toEqual([]);
});

test('abort turns all lights off in one commit, and only a new launch lights the order again', async () => {
  const items = [anItem(), anItem(), anItem({ deviceid: THREE_BUTTONS }), anItem({ deviceid: THIRD })];
  await addOrder(station, 'stop', items, { seconds: 0 });
  await addOrder(station, 'other', [anItem({ name: 'other' })], { seconds: 0 });
  await launch(station, 'stop');
  await launch(station, 'other');
  await press(station, THIRD);
  const stream = await openStream(station.url);
  const aborted = await send('POST', 'stop', 'abort/');
  expect(aborted).toMatchObject({ status: 200, body: { state: 'aborted' } });
  expect(await statesOf(station, 'stop')).toBe('aborted: aborted(cancelled cancelled cancelled done)');
  expect(await litDevices(station)).toEqual([ONE]);
  await station.clock.advance(100);
  await stream.until(() => stream.commits().length > 0);
  const off = stream.commits().filter(({ facts }) => facts.some(({ type }) => type === 'command.killed'));
  expect(off).toHaveLength(1);
  expect(off[0]?.facts.filter(({ type }) => type === 'command.killed')).toHaveLength(3);
  expect(off[0]?.facts.filter(({ type }) => type === 'order.changed')).toHaveLength(1);
  stream.close();
  await station.clock.advance(5_000);
  expect((await station.device(ONE)).commands).toMatchObject([{ line1: 'other', state: 'shown' }]);
  await station.restart();
  await station.clock.advance(20_000);
  await station.post('/api/simulator/devices/', { count: 1 });
  await station.post(`/api/device/${THREE_BUTTONS}/replace/`, { deviceid: '51D000:000005' });
  await station.clock.advance(5_000);
  expect(await litDevices(station)).toEqual([ONE]);
  await expectCountsRight(station, 'stop');
  await launch(station, 'stop');
  expect(await litDevices(station)).toEqual([ONE, ONE, ONE, '51D000:000005']);
});

test('abort always gets 200: before a launch, when repeated, or for a fulfilled order, which stays fulfilled', async () => {
  await addOrder(station, 'open', [anItem()]);
  expect(await send('POST', 'open', 'abort/')).toMatchObject({ status: 200, body: { state: 'aborted' } });
  expect(await send('POST', 'open', 'abort/')).toMatchObject({ status: 200, body: { state: 'aborted' } });
  await addOrder(station, 'done', [anItem()]);
  await launch(station, 'done');
  await press(station, ONE);
  expect(await send('POST', 'done', 'abort/')).toMatchObject({ status: 200, body: { state: 'fulfilled' } });
  expect(await send('POST', 'unknown', 'abort/')).toMatchObject({ status: 404 });
  expect(station.rows("SELECT kind FROM history WHERE kind = 'order_aborted'")).toHaveLength(1);
});

test('a press after an abort is late and does not fulfill anything', async () => {
  await addOrder(station, 'late', [anItem()]);
  await launch(station, 'late');
  // Delay the radio, so that the press comes before the device receives the abort.
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 2_000 });
  await send('POST', 'late', 'abort/');
  await station.request('POST', `/api/simulator/devices/${ONE}/press/`, { button: 'front' });
  await station.clock.advance(30_000);
  expect(await statesOf(station, 'late')).toBe('aborted: aborted(cancelled)');
  expect(station.rows('SELECT kind FROM history ORDER BY id')).toContainEqual({ kind: 'late' });
});

test('launching an aborted order lights what remains', async () => {
  await addOrder(station, 'rest', [anItem({ ordered_quantity: 3 }), anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'rest');
  await press(station, THREE_BUTTONS);
  await send('POST', 'rest', 'abort/');
  await launch(station, 'rest');
  expect(await statesOf(station, 'rest')).toBe('in_progress: in_progress(active done)');
  expect(await litDevices(station)).toEqual([ONE]);
  await press(station, ONE);
  expect(await statesOf(station, 'rest')).toBe('fulfilled: fulfilled(done done)');
});

test('DELETE turns off the lights of the order and frees its number', async () => {
  await addOrder(station, 'gone', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'gone');
  expect(await send('DELETE', 'gone')).toMatchObject({ status: 204 });
  expect(await litDevices(station)).toEqual([]);
  for (const table of ['orders', 'shipments', 'items']) expect(station.rows(`SELECT id FROM ${table}`)).toEqual([]);
  expect(await send('DELETE', 'gone')).toMatchObject({ status: 404 });
  expect(await send('GET', 'gone')).toMatchObject({ status: 404 });
  const [again] = (await addOrder(station, 'gone', [anItem()])).shipments[0]?.items ?? [];
  expect(again?.id).toBeGreaterThan(2);
  const history = await station.get<object[]>('/api/history/');
  expect(history).toMatchObject([
    { kind: 'order_removed', order_number: 'gone', by: 'API key' },
    { kind: 'killed', order_number: 'gone' },
    { kind: 'killed', order_number: 'gone' },
    { kind: 'order_launched', order_number: 'gone', qty: 2, by: 'API key' },
  ]);
});

test('an order is unchanged after a restart, and presses still acknowledge its lit items', async () => {
  await addOrder(station, 'kept', [anItem(), anItem({ deviceid: THREE_BUTTONS })], { seconds: 0 });
  await launch(station, 'kept');
  const before = await getOrder(station, 'kept');
  await station.restart();
  await station.clock.advance(20_000);
  expect(await getOrder(station, 'kept')).toEqual(before);
  await press(station, ONE);
  await press(station, THREE_BUTTONS);
  expect(await statesOf(station, 'kept')).toBe('fulfilled: fulfilled(done done)');
});

test('items follow a replaced device, whether lit or not', async () => {
  await station.post('/api/simulator/devices/', { count: 1 });
  const replacement = '51D000:000005';
  const items = [anItem(), anItem({ callback_nonce: 'second' })];
  await addOrder(station, 'moved', items, { seconds: 0 });
  await launch(station, 'moved');
  await addOrder(station, 'to come', [anItem()]);
  const stream = await openStream(station.url);
  await station.post(`/api/device/${ONE}/replace/`, { deviceid: replacement });
  await station.clock.advance(5_000);
  await stream.until(() => stream.commits().some(({ facts }) => facts.some(({ type }) => type === 'order.item')));
  stream.close();
  const moved = await itemsOf(station, 'moved');
  expect(moved.map(({ deviceid }) => deviceid)).toEqual([replacement, replacement]);
  const told = stream.commits().flatMap(({ facts }) => facts.filter(({ type }) => type === 'order.item'));
  expect(told).toEqual(
    [...moved, ...(await itemsOf(station, 'to come'))].map((item) => ({
      type: 'order.item',
      order_number: item.callback_nonce === undefined && item.state === 'open' ? 'to come' : 'moved',
      item,
    })),
  );
  await press(station, replacement);
  expect(await statesOf(station, 'moved')).toBe('in_progress: in_progress(done active)');
  expect((await launch(station, 'to come')).items).toMatchObject([{ deviceid: replacement }]);
});

test('items move with an alias to another device, and reopen when their device is removed', async () => {
  const alias = await station.post('/api/location-aliases/', { name: 'CT', deviceid: ONE, deviceIs: 'Below' });
  await addOrder(station, 'follow', [{ SKU: 'CT', ordered_quantity: 1 }], { seconds: 0 });
  await launch(station, 'follow');
  const path = `/api/location-aliases/${String(alias['id'])}/`;
  await station.request('PUT', path, { name: 'CT', deviceid: THREE_BUTTONS, deviceIs: 'Below' });
  await station.clock.advance(3_000);
  expect(await itemsOf(station, 'follow')).toMatchObject([{ deviceid: THREE_BUTTONS, state: 'active' }]);
  await station.request('DELETE', `/api/device/${THREE_BUTTONS}/`);
  expect(await statesOf(station, 'follow')).toBe('in_progress: in_progress(open)');
  await expectCountsRight(station, 'follow');
});

test('the event stream reports the new command of an item whose light was adjusted or moved', async () => {
  const alias = await station.post('/api/location-aliases/', { name: 'CT', deviceid: ONE, deviceIs: 'Below' });
  await addOrder(station, 'known', [{ SKU: 'CT', ordered_quantity: 3 }], { seconds: 0 });
  await launch(station, 'known');
  const [before] = await itemsOf(station, 'known');
  const stream = await openStream(station.url);
  const told = () => stream.commits().flatMap(({ facts }) => facts.filter(({ type }) => type === 'order.item'));
  await station.post(`/api/device/${ONE}/adjust/`, { command_id: before?.command_id, quantity: 2 });
  const [adjusted] = await itemsOf(station, 'known');
  expect(adjusted?.command_id).not.toBe(before?.command_id);
  const path = `/api/location-aliases/${String(alias['id'])}/`;
  await station.request('PUT', path, { name: 'CT', deviceid: THREE_BUTTONS, deviceIs: 'Below' });
  const [moved] = await itemsOf(station, 'known');
  expect(moved).toMatchObject({ deviceid: THREE_BUTTONS, state: 'active' });
  await station.post(`/api/device/${THREE_BUTTONS}/replace/`, { deviceid: THIRD });
  const [replaced] = await itemsOf(station, 'known');
  expect(replaced).toMatchObject({ deviceid: THIRD, state: 'active' });
  await station.clock.advance(100);
  await stream.until(() => told().length > 2);
  expect(told()).toEqual(
    [adjusted, moved, replaced].map((item) => ({ type: 'order.item', order_number: 'known', item })),
  );
  stream.close();
});

test('the event stream reports each change to an order once, as stored', async () => {
  await addOrder(station, 'told', [anItem(), anItem()]);
  const stream = await openStream(station.url);
  const order = await station.post<Order>(orderPath('told', 'launch/'));
  await station.clock.advance(100);
  await stream.until(() => stream.commits().some(({ facts }) => facts.some(({ type }) => type === 'order.changed')));
  const facts = stream.commits().flatMap((commit) => commit.facts);
  const items = facts.flatMap((fact) => (fact.type === 'order.item' ? [fact] : []));
  expect(items).toEqual(order.items?.map((item) => ({ type: 'order.item', order_number: 'told', item })));
  const [progress] = await station.get<object[]>('/api/order-progress/');
  expect(facts.filter(({ type }) => type === 'order.changed')).toEqual([{ type: 'order.changed', order: progress }]);
  await send('DELETE', 'told');
  await station.clock.advance(100);
  await stream.until(() =>
    stream.commits().some((commit) => commit.facts.some(({ type }) => type === 'order.removed')),
  );
  stream.close();
});
