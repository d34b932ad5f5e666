import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addOrder,
  anItem,
  correct,
  expectCountsRight,
  itemsOf,
  FOURTH,
  launch,
  litDevices,
  ONE,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: what is lit, what presses and timeouts do, and which callbacks they send.
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

const events = () => receiver.payloads().map(({ order_event: event, acknack }) => event ?? acknack);
const told = () =>
  station
    .rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id')
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);

test('a press fulfills an item, its shipment and its order, and sends four callbacks in a fixed order', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-2' });
  await addOrder(station, 'SO 1', [
    anItem({ SKU: 'CT-2', UPC: '4006381', warehouse_location: 'A-1', callback_nonce: 'item-nonce' }),
  ]);
  expect(await statesOf(station, 'SO 1')).toBe('open: open(open)');
  await station.patch('/api/settings/', { ordernonce: 'o-{order}', shipmentnonce: 's-{order}-{shipment}' });
  await launch(station, 'SO 1');
  expect(await statesOf(station, 'SO 1')).toBe('in_progress: in_progress(active)');
  expect((await station.device(ONE)).commands).toMatchObject([
    {
      line1: 'Cable tie',
      line2: 'A-1',
      quantity: 2,
      barcode: '4006381',
      color: 'green',
      seconds: 0,
      order_number: 'SO 1',
    },
  ]);
  await press(station, ONE);
  expect(await statesOf(station, 'SO 1')).toBe('fulfilled: fulfilled(done)');
  const ofItem = {
    order: 'SO 1',
    shipment: 'SO 1',
    item: 'Cable tie',
    SKU: 'CT-2',
    UPC: '4006381',
    location: 'A-1-2',
    device: ONE,
    deviceid: ONE,
    quantity: 2,
    ordered_quantity: 2,
    quantity_fulfilled: 2,
    quantity_remaining: 0,
    nonce: 'item-nonce',
    vendor_nonce: 'item-nonce',
  };
  const expected = [
    { order_event: 'device_ack', ...ofItem },
    { order_event: 'item_added', ...ofItem },
    {
      order_event: 'shipment_fulfilled',
      order: 'SO 1',
      shipment: 'SO 1',
      nonce: 's-SO 1-SO 1',
      vendor_nonce: 's-SO 1-SO 1',
      shipmentnonce: 's-SO 1-SO 1',
    },
    { order_event: 'order_fulfilled', order: 'SO 1', nonce: 'o-SO 1', vendor_nonce: 'o-SO 1', ordernonce: 'o-SO 1' },
  ];
  const stored = station.rows<{ payload: string; family: string }>('SELECT payload, family FROM outbox ORDER BY id');
  expect(stored.map(({ payload }) => payload)).toEqual(expected.map((body) => JSON.stringify(body)));
  expect(new Set(stored.map(({ family }) => family))).toEqual(new Set(['order']));
  expect(receiver.requests.map(({ body }) => body).toSorted()).toEqual(
    expected.map((body) => JSON.stringify(body)).toSorted(),
  );
  await expectCountsRight(station, 'SO 1');
});

test('an ack adds the reported quantity; if that is less than ordered, the item is short and complete', async () => {
  await addOrder(station, 'SO-2', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 })], {
    ordernonce: 'done',
  });
  await launch(station, 'SO-2');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(short)');
  expect(told()).toMatchObject([
    { order_event: 'device_ack', quantity: 3, quantity_fulfilled: 3, quantity_remaining: 2, ordered_quantity: 5 },
    { order_event: 'item_added', quantity: 3 },
    { order_event: 'order_fulfilled', nonce: 'done' },
  ]);
  await expectCountsRight(station, 'SO-2');
});

test('an ack of 0 makes the item short and adds nothing', async () => {
  await addOrder(station, 'SO-3', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 1 })]);
  await launch(station, 'SO-3');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await statesOf(station, 'SO-3')).toBe('fulfilled: fulfilled(short)');
  expect(events()).toEqual(['device_ack']);
});

test('a press with more pieces than ordered counts them all, and quantity_remaining is 0', async () => {
  await addOrder(station, 'SO-4', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 2, quantity_fulfilled: 1 })]);
  await launch(station, 'SO-4');
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ quantity: 1 }]);
  for (const button of ['plus', 'plus', 'front'] as const) await press(station, THREE_BUTTONS, button);
  expect(told().at(-1)).toMatchObject({ quantity_fulfilled: 4, quantity_remaining: 0, ordered_quantity: 2 });
  expect(await statesOf(station, 'SO-4')).toBe('fulfilled: fulfilled(done)');
});

test('an acknowledgement at the station counts like a press', async () => {
  await addOrder(station, 'SO-5', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-5');
  const [item] = await itemsOf(station, 'SO-5');
  await station.post(`/api/device/${ONE}/acknowledge/`, { command_id: item?.command_id, qty: 4, reason: 'damaged' });
  expect(await itemsOf(station, 'SO-5')).toMatchObject([{ state: 'short', quantity_fulfilled: 4, command_id: null }]);
});

test('an acknowledgement of more pieces than requested is booked, with a warning', async () => {
  await addOrder(station, 'SO-5', [anItem({ ordered_quantity: 5, quantity_fulfilled: 2 })]);
  await launch(station, 'SO-5');
  const acknowledge = (command_id: string | undefined, qty: number) =>
    station.post(`/api/device/${ONE}/acknowledge/`, { command_id, qty });
  const [item] = await itemsOf(station, 'SO-5');
  const warnings = [expect.stringContaining('acknowledged 4, 1 more than requested')];
  expect(await acknowledge(item?.command_id ?? undefined, 4)).toMatchObject({ qty: 4, warnings });
  expect(await itemsOf(station, 'SO-5')).toMatchObject([{ state: 'done', quantity_fulfilled: 6 }]);
  const direct = await station.post<{ command_id: string }>(`/api/device/${ONE}/`, { command: 'pick', quantity: 2 });
  expect(await acknowledge(direct.command_id, 2)).toMatchObject({ warnings: [] });
});

test('a timeout reopens the item, and sends a nack only for an item with its own callback_nonce', async () => {
  await station.patch('/api/settings/', { callback_nonce: 'of the settings' });
  const items = [anItem({ callback_nonce: 'mine' }), anItem({ deviceid: THREE_BUTTONS })];
  await addOrder(station, 'SO-6', items, { seconds: 15 });
  await launch(station, 'SO-6');
  await press(station, THREE_BUTTONS, 'plus');
  await station.clock.advance(20_000);
  expect(await statesOf(station, 'SO-6')).toBe('in_progress: in_progress(open open)');
  expect(told()).toEqual([{ acknack: 'nack', deviceid: ONE, location: '', nonce: 'mine', qty: 0 }]);
  await launch(station, 'SO-6');
  expect(await statesOf(station, 'SO-6')).toBe('in_progress: in_progress(active active)');
  await expectCountsRight(station, 'SO-6');
});

test('a nack reports the quantity that the worker set, but not a corrected quantity', async () => {
  const items = [
    anItem({ deviceid: THREE_BUTTONS, callback_nonce: 'by the worker' }),
    anItem({ deviceid: FOURTH, ordered_quantity: 9, callback_nonce: 'by a correction' }),
  ];
  await addOrder(station, 'SO-7', items, { seconds: 30 });
  await launch(station, 'SO-7');
  await press(station, THREE_BUTTONS, 'plus');
  const [, corrected] = await itemsOf(station, 'SO-7');
  await correct(station, 'SO-7', corrected?.id ?? 0, { quantity_fulfilled: 4 });
  await station.clock.advance(60_000);
  const nacks = told().filter(({ acknack }) => acknack === 'nack');
  expect(nacks).toMatchObject([
    { nonce: 'by the worker', qty: 3 },
    { nonce: 'by a correction', qty: 0 },
  ]);
});

test('a timeout at an unreachable device follows the setting unreachable_callback', async () => {
  await station.patch('/api/settings/', { unreachable_callback: 'none' });
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await addOrder(station, 'SO-8', [anItem({ callback_nonce: 'mine' })], { seconds: 5 });
  await launch(station, 'SO-8');
  await station.clock.advance(60_000);
  expect(await statesOf(station, 'SO-8')).toBe('in_progress: in_progress(open)');
  expect(told()).toEqual([]);
});

test('killing a command reopens its item without a callback', async () => {
  await addOrder(station, 'SO-9', [anItem(), anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-9');
  await station.post(`/api/device/${ONE}/`, { command: 'kill' });
  expect(await statesOf(station, 'SO-9')).toBe('in_progress: in_progress(open open active)');
  expect(told()).toEqual([]);
  await launch(station, 'SO-9');
  expect(await litDevices(station)).toEqual([ONE, ONE, THREE_BUTTONS]);
});

test('several items at one device queue, and each press acknowledges the item shown', async () => {
  const items = ['first', 'second', 'third'].map((name) => anItem({ name }));
  await addOrder(station, 'SO-10', items, { ordernonce: 'n' });
  await launch(station, 'SO-10');
  for (const line1 of ['first', 'second', 'third']) {
    expect((await station.device(ONE)).commands[0]).toMatchObject({ line1, state: 'shown' });
    await press(station, ONE);
  }
  expect(events().filter((event) => event === 'order_fulfilled')).toHaveLength(1);
  expect(await statesOf(station, 'SO-10')).toBe('fulfilled: fulfilled(done done done)');
});

test('lights several orders at one device, each with its own color, sound and seconds', async () => {
  await addOrder(station, 'green', [anItem()], { color: 'g', seconds: 0, sound: 'beep' });
  await addOrder(station, 'blue', [anItem()], { color: '#0000ff', seconds: 30 });
  await addOrder(station, 'usual', [anItem()]);
  await station.patch('/api/settings/', { order_color: 'magenta', order_seconds: 77 });
  for (const number of ['green', 'blue', 'usual']) await launch(station, number);
  expect((await station.device(ONE)).commands).toMatchObject([
    { order_number: 'green', color: 'g', seconds: 0, sound: '15,c5,4', nonce: '' },
    { order_number: 'blue', color: '#0000ff', seconds: 30 },
    { order_number: 'usual', color: 'magenta', seconds: 77 },
  ]);
  await press(station, ONE);
  await press(station, ONE);
  expect(await statesOf(station, 'green')).toBe('fulfilled: fulfilled(done)');
  expect(await statesOf(station, 'blue')).toBe('fulfilled: fulfilled(done)');
  expect(await statesOf(station, 'usual')).toBe('in_progress: in_progress(active)');
});

test('reports each shipment when it is complete, then the order, each once per launch', async () => {
  const shipments = [
    { shipment_number: 'S1', shipmentnonce: 's1', items: [anItem()] },
    { shipment_number: 'S2', items: [anItem({ deviceid: THREE_BUTTONS })] },
  ];
  await station.post('/api/orders/', { order_number: 'SO-11', shipments, ordernonce: 'o' });
  await launch(station, 'SO-11');
  await press(station, ONE);
  expect(await statesOf(station, 'SO-11')).toBe('in_progress: fulfilled(done) in_progress(active)');
  await press(station, THREE_BUTTONS);
  const completions = () => told().filter(({ order_event: event }) => String(event).endsWith('fulfilled'));
  expect(completions()).toEqual([
    {
      order_event: 'shipment_fulfilled',
      order: 'SO-11',
      shipment: 'S1',
      nonce: 's1',
      vendor_nonce: 's1',
      shipmentnonce: 's1',
    },
    { order_event: 'order_fulfilled', order: 'SO-11', nonce: 'o', vendor_nonce: 'o', ordernonce: 'o' },
  ]);
  const [first] = await itemsOf(station, 'SO-11');
  const id = first?.id ?? 0;
  for (const quantity_fulfilled of [1, 2]) await correct(station, 'SO-11', id, { quantity_fulfilled });
  expect(await statesOf(station, 'SO-11')).toBe('fulfilled: fulfilled(done) fulfilled(done)');
  expect(completions()).toHaveLength(2);
  await correct(station, 'SO-11', id, { quantity_fulfilled: 1 });
  await launch(station, 'SO-11');
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 1 }]);
  await press(station, ONE);
  expect(completions().map(({ nonce }) => nonce)).toEqual(['s1', 'o', 's1', 'o']);
});

test('without a nonce, completion is not reported; an empty nonce in the order overrides the template', async () => {
  await addOrder(station, 'none', [anItem()]);
  await launch(station, 'none');
  await press(station, ONE);
  await station.patch('/api/settings/', { ordernonce: 'of {order}', shipmentnonce: 'of {shipment} in {order}' });
  const shipments = [{ shipment_number: 'S', shipmentnonce: '', items: [anItem()] }];
  await station.post('/api/orders/', { order_number: 'empty', ordernonce: '  ', shipments });
  await launch(station, 'empty');
  await press(station, ONE);
  expect(events()).toEqual(['device_ack', 'item_added', 'device_ack', 'item_added']);
  await addOrder(station, 'template', [anItem()]);
  await launch(station, 'template');
  await press(station, ONE);
  expect(told().slice(-2)).toMatchObject([{ nonce: 'of template in template' }, { nonce: 'of template' }]);
});

test("callbacks contain an item's name, or else its SKU, or else its UPC", async () => {
  const nameless = { name: '', warehouse_location: undefined, deviceid: ONE };
  await addOrder(station, 'SO 1', [anItem({ ...nameless, SKU: 'CT-2', UPC: '4006381' })]);
  await addOrder(station, 'SO 2', [anItem({ ...nameless, SKU: '', UPC: '4006381' })]);
  for (const order of ['SO 1', 'SO 2']) {
    await launch(station, order);
    await press(station, ONE);
  }
  const named = told().map(({ order_event, item }) => `${String(order_event)} ${String(item)}`);
  expect(named).toEqual(['device_ack CT-2', 'item_added CT-2', 'device_ack 4006381', 'item_added 4006381']);
});

test("an item's nonce is its own, or else from the template, or else a token that survives a restart", async () => {
  await addOrder(station, 'A', [anItem({ callback_nonce: 'mine' }), anItem(), anItem({ callback_nonce: '' })]);
  await launch(station, 'A');
  const nonces = () => told().flatMap(({ order_event: event, nonce }) => (event === 'device_ack' ? [nonce] : []));
  await press(station, ONE);
  await station.patch('/api/settings/', { callback_nonce: '{order}/{shipment}' });
  await press(station, ONE);
  await press(station, ONE);
  await station.patch('/api/settings/', { callback_nonce: '' });
  const [mine, template, token] = nonces();
  expect([mine, template]).toEqual(['mine', 'A/A']);
  const [, , third] = await itemsOf(station, 'A');
  expect(token).toMatch(/^item_[\w-]{12}_\d+$/);
  await station.restart();
  await station.clock.advance(20_000);
  await correct(station, 'A', third?.id ?? 0, { quantity_fulfilled: 0 });
  await station.clock.advance(1_000);
  expect(told().at(-1)).toMatchObject({ order_event: 'item_removed', nonce: token, vendor_nonce: token });
});

test("a callback's location is the alias that lit the item, or else the label of its device, or else empty", async () => {
  await station.post('/api/location-aliases/', { name: 'CT-200', deviceid: ONE, deviceIs: 'Below' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'B-7' });
  const items = [
    { SKU: 'CT-200', ordered_quantity: 1 },
    anItem({ deviceid: THREE_BUTTONS }),
    anItem({ deviceid: THIRD, warehouse_location: 'Aisle 9' }),
  ];
  await addOrder(station, 'places', items);
  await launch(station, 'places');
  expect((await station.device(ONE)).commands).toMatchObject([{ location: 'CT-200', arrow: 'top', line1: 'CT-200' }]);
  for (const device of [ONE, THREE_BUTTONS, THIRD]) await press(station, device);
  const places = told().flatMap(({ order_event: event, location }) => (event === 'device_ack' ? [location] : []));
  expect(places).toEqual(['CT-200', 'B-7', '']);
});

test('does not create callbacks if the order family is off or no URL is set', async () => {
  await station.patch('/api/settings/', { callback_families: { order: false } });
  await addOrder(station, 'quiet', [anItem(), anItem({ callback_nonce: 'x' })], { ordernonce: 'n', seconds: 15 });
  await launch(station, 'quiet');
  await press(station, ONE);
  await station.clock.advance(20_000);
  await station.patch('/api/settings/', { callback_families: { order: true }, callback_url: '' });
  await launch(station, 'quiet');
  await press(station, ONE);
  expect(await statesOf(station, 'quiet')).toBe('fulfilled: fulfilled(done done)');
  expect(told()).toEqual([]);
});

test('rolls back a press if one of its callbacks cannot be written, and applies the press completely later', async () => {
  await addOrder(station, 'whole', [anItem()], { ordernonce: 'n' });
  await launch(station, 'whole');
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(`CREATE TRIGGER no_more BEFORE INSERT ON outbox WHEN NEW.payload LIKE '%order_fulfilled%'
    BEGIN SELECT RAISE(ABORT, 'injected'); END`);
  const rows = () => ({
    commands: station.rows('SELECT id, state FROM commands'),
    history: station.rows('SELECT kind FROM history ORDER BY id'),
    outbox: station.rows('SELECT id FROM outbox'),
    items: station.rows('SELECT * FROM items'),
    shipments: station.rows('SELECT * FROM shipments'),
    orders: station.rows('SELECT * FROM orders'),
    windows: station.rows('SELECT * FROM report_windows'),
  });
  const before = rows();
  await station.request('POST', `/api/simulator/devices/${ONE}/press/`, { button: 'front' });
  await station.clock.advance(2_000);
  expect(station.logged.some(({ fields }) => JSON.stringify(fields) !== '{}')).toBe(true);
  expect(rows()).toEqual(before);
  db.exec('DROP TRIGGER no_more');
  db.close();
  await station.clock.advance(60_000);
  expect(await statesOf(station, 'whole')).toBe('fulfilled: fulfilled(done)');
  expect(told().map(({ order_event: event }) => event)).toEqual(['device_ack', 'item_added', 'order_fulfilled']);
});

test('an order that contains only items with quantity 0 is fulfilled when created, sends no callback, and cannot be launched', async () => {
  await station.patch('/api/settings/', { ordernonce: 'o-{order}', shipmentnonce: 's-{shipment}' });
  await addOrder(station, 'zeros', [anItem({ ordered_quantity: 0 }), anItem({ ordered_quantity: 0 })]);
  expect(await statesOf(station, 'zeros')).toBe('fulfilled: fulfilled(done done)');
  expect(await station.request('POST', '/api/orders/zeros/launch/')).toMatchObject({ status: 409 });
  expect(told()).toEqual([]);
  await expectCountsRight(station, 'zeros');
});

test('an order with items of quantity 0 reports its completion once, and only after its other items are picked', async () => {
  await station.patch('/api/settings/', { ordernonce: 'o-{order}', shipmentnonce: 's-{shipment}' });
  const zero = anItem({ ordered_quantity: 0, name: 'none' });
  const nowhere = { name: 'nowhere', ordered_quantity: 1 };
  await station.post('/api/orders/', {
    order_number: 'mix',
    shipments: [
      { shipment_number: 'picked', items: [zero, anItem()] },
      { shipment_number: 'nobody', items: [zero, nowhere] },
    ],
  });
  await launch(station, 'mix');
  // In the second shipment nothing was picked: one item has no device, and the other has quantity 0.
  expect(await statesOf(station, 'mix')).toBe('in_progress: in_progress(done active) open(done open)');
  expect(told()).toEqual([]);
  await press(station, ONE);
  expect(await statesOf(station, 'mix')).toBe('fulfilled: fulfilled(done done) open(done open)');
  expect(told().map((each) => [each['order_event'], each['nonce']])).toEqual([
    ['device_ack', expect.any(String)],
    ['item_added', expect.any(String)],
    ['shipment_fulfilled', 's-picked'],
    ['order_fulfilled', 'o-mix'],
  ]);
  expect(await station.request('POST', '/api/orders/mix/launch/')).toMatchObject({ status: 409 });
  expect(told()).toHaveLength(4);
  await expectCountsRight(station, 'mix');
});

test('a launch does not fulfill an order whose only items have quantity 0 or no device', async () => {
  await addOrder(station, 'none', [anItem({ ordered_quantity: 0 }), { name: 'nowhere', ordered_quantity: 1 }]);
  expect(await station.request('POST', '/api/orders/none/launch/')).toMatchObject({ status: 409 });
  expect(await statesOf(station, 'none')).toBe('open: open(done open)');
});
