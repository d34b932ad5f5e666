import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order, OrderResult } from '#shared/api/order.ts';
import {
  expectCountsRight,
  FOURTH,
  getOrder,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  THIRD,
  THREE_BUTTONS as TWO,
} from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 4: a wrongly guessed place would send a wrong article.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const label = (deviceid: string, locationoverride: string) =>
  station.post(`/api/device/${deviceid}/`, { locationoverride });
const at = (...places: string[]) =>
  places.map((warehouse_location) => ({ name: 'Bolt', ordered_quantity: 1, warehouse_location }));
const add = (number: string, ...places: string[]): Promise<OrderResult> =>
  station.post('/api/orders/', { order_number: number, items: at(...places) });
const progress = async (query = '') =>
  (await station.get<Order[]>(`/api/order-progress/${query}`)).map(({ order_number, attention }) => [
    order_number,
    ...attention,
  ]);

test('an order does not light a place if only the beginning or end of its name matches', async () => {
  await label(ONE, 'A-1-10');
  await label(TWO, 'B-1-1');
  await label(THIRD, 'B-1-2');
  const unknown = (...places: string[]) =>
    places.map(
      (place, index) =>
        `/items/${index}/warehouse_location: No device is found at "${place}" yet. The item lights nothing until there is one.`,
    );
  expect(await add('1', 'A-1-1')).toMatchObject({ warnings: unknown('A-1-1'), attention: [] });
  expect(await add('2', '1', 'B-1')).toMatchObject({ warnings: unknown('1', 'B-1'), attention: [] });
  for (const number of ['1', '2']) {
    expect(await station.request('POST', orderPath(number, 'launch/'))).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('No line of order') },
    });
  }
  expect(await litDevices(station)).toEqual([]);
});

test("a part of a device's name lights it, with a warning and attention until it is picked", async () => {
  await label(ONE, 'A-1-1');
  const warnings = [`/items/0: "a-1" is only a part of the name "A-1-1"; using ${ONE}.`];
  expect(await add('1', 'a-1', ONE)).toMatchObject({
    warnings,
    attention: ['guessed'],
    items: [{ guessed: true }, { guessed: false }],
    shipments: [{ attention: ['guessed'] }],
  });
  expect(await progress('?attention=1')).toEqual([['1', 'guessed']]);
  expect(await launch(station, '1')).toMatchObject({ warnings, attention: ['guessed'], state: 'in_progress' });
  // A guessed place does not raise an alert.
  expect(await station.get('/api/alerts/')).toEqual([]);
  await press(station, ONE);
  expect(await getOrder(station, '1')).toMatchObject({ attention: [], items: [{ state: 'done', guessed: true }, {}] });
  expect(await progress('?attention=1')).toEqual([]);
  await expectCountsRight(station, '1');
});

test('a label shared by two devices lights the first with a warning, and so does an article with two such devices', async () => {
  await label(TWO, 'SKU-7');
  await label(ONE, 'sku-7');
  const warning = `2 devices have the label "SKU-7"; using ${TWO}.`;
  const items = [{ SKU: 'SKU-7', ordered_quantity: 1 }];
  const shipments = [
    { shipment_number: 'a', items: [] },
    { shipment_number: 'b', items },
  ];
  const order = { order_number: '1', shipments };
  const path = '/shipments/1/items/0';
  expect(await station.request('POST', '/api/orders/?strict=1', order)).toMatchObject({
    status: 400,
    body: { errors: [{ path, message: warning }] },
  });
  expect(await station.get('/api/orders/')).toEqual([]);
  expect(await station.post('/api/orders/', order)).toMatchObject({
    warnings: [`${path}: ${warning}`],
    attention: ['guessed'],
  });
  expect(await launch(station, '1')).toMatchObject({ warnings: [`${path}: ${warning}`], attention: ['guessed'] });
  expect(await litDevices(station)).toEqual([TWO]);
});

test('a launch checks again whether its places are guesses', async () => {
  await label(ONE, 'A-1-1');
  await add('1', 'A-1');
  await add('2', 'A-1-1');
  await label(TWO, 'A-1');
  await label(THIRD, 'A-1-1');
  expect(await launch(station, '1')).toMatchObject({ warnings: [], attention: [] });
  expect(await litDevices(station)).toEqual([TWO]);
  expect(await launch(station, '2')).toMatchObject({
    warnings: [`/items/0: 2 devices have the label "A-1-1"; using ${ONE}.`],
    attention: ['guessed'],
  });
  await station.post(orderPath('2', 'abort/'));
  expect((await getOrder(station, '2')).attention).toEqual([]);
  await label(THIRD, '');
  expect(await launch(station, '2')).toMatchObject({ warnings: [], attention: [] });
});

test('a strict request for an order with a guessed place is refused', async () => {
  await label(ONE, 'A-1-1');
  const order = { order_number: '1', items: at('A-1', 'A-1-1', 'nowhere') };
  expect(await station.request('POST', '/api/orders/?strict=1', order)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/items/0', message: expect.stringContaining('"A-1-1"') }] },
  });
  expect(await station.get('/api/orders/')).toEqual([]);
});

test('an item that is complete when created is not reported as guessed', async () => {
  await label(ONE, 'A-1-1');
  const items = at('A-1').map((item) => ({ ...item, quantity_fulfilled: 1 }));
  expect(await station.post('/api/orders/', { order_number: '1', items })).toMatchObject({
    state: 'fulfilled',
    warnings: [],
    attention: [],
  });
});

test('the preview of an import and the imported order report a guessed place', async () => {
  await label(ONE, 'A-1-1');
  const csv = 'order_number,name,ordered_quantity,warehouse_location\n1,Bolt,2,A-1\n';
  expect(await station.post('/api/order-import/', { csv, dry_run: true })).toMatchObject({
    rows: [{ outcome: 'new', message: expect.stringContaining('only a part of the name "A-1-1"') }],
  });
  await station.post('/api/order-import/', { csv });
  expect((await getOrder(station, '1')).attention).toEqual(['guessed']);
});

test('a sequence step with a part of a place name warns when created and launched, and is refused if strict', async () => {
  await label(FOURTH, 'A-1-10');
  const sequence = { sequenceid: 's', steps: [{ order: 1, location: 'A-1-1' }] };
  const message = `"A-1-1" is only a part of the name "A-1-10"; using ${FOURTH}.`;
  expect(await station.request('POST', '/api/sequence/?strict=1', sequence)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/steps/0/location', message }] },
  });
  const warnings = [`/steps/0: ${message}`];
  expect(await station.post('/api/sequence/', sequence)).toMatchObject({ warnings });
  expect(await station.get('/api/launchsequence/s/')).toMatchObject({ warnings });
});

test('a strict command is refused if two devices have its label, or if it names two different places', async () => {
  await label(TWO, 'A-1');
  await label(ONE, 'A-1');
  const strict = (path: string, body: object) => station.request('POST', `${path}?strict=1`, body);
  expect(await strict('/api/devices/', { location: 'A-1', line1: 'x' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/location', message: expect.stringContaining('2 devices have the label') }] },
  });
  const elsewhere = { location: 'B-1', line1: 'x' };
  for (const [path, body] of [
    ['/api/devices/', { deviceid: ONE, ...elsewhere }],
    [`/api/device/${ONE}/`, elsewhere],
  ] as const) {
    expect(await strict(path, body), path).toMatchObject({ status: 400, body: { errors: [{ path: '/location' }] } });
  }
  expect(await litDevices(station)).toEqual([]);
});
