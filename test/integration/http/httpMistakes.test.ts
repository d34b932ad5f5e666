import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { OUTSIDE, PATHS, QUERIES } from '../../mistakes/addresses.ts';
import { BODIES } from '../../mistakes/bodies.ts';
import { EFFECTS } from '../../mistakes/effects.ts';
import { MANAGEMENT } from '../../mistakes/management.ts';
import { DEVICES } from '../../mistakes/devices.ts';
import { HEADERS } from '../../mistakes/headers.ts';
import { ONE, TWO, JSON_TYPE, item, order } from '../../mistakes/mistake.ts';
import { ORDERS } from '../../mistakes/orders.ts';
import { sendMistake } from '../../mistakes/sendMistake.ts';
import { VALUES } from '../../mistakes/values.ts';

// Contract, sections 2, 4 and 8: the answer to an erroneous request never looks like a success.

let station: TestStation;
/** Ids of items, by order number. */
const ids = new Map<string, number>();

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'B-1' });
  await station.post('/api/orders/', order({ order_number: 'M-21', key: 'mistake-1' }));
  for (const number of ['E-1', 'E-2', 'E-3', 'E-4']) {
    const place = number === 'E-4' ? { deviceid: null, warehouse_location: 'X-1' } : {};
    const { items } = await station.post<Order>('/api/orders/', order({ order_number: number }, item(place)));
    ids.set(number, items?.[0]?.id ?? 0);
  }
  await station.post('/api/orders/E-1/launch/');
  await station.post('/api/orders/E-2/abort/');
  await station.post('/api/orders/E-4/launch/', { picker: 'admin' });
  await station.post('/api/sequence/', { sequenceid: 'E-S', steps: [{ order: 1, device: ONE }] });
  await station.get('/api/launchsequence/E-S/');
});

afterAll(() => station.stop());

const ALL = [
  ...ORDERS,
  ...DEVICES,
  ...BODIES,
  ...PATHS,
  ...QUERIES,
  ...OUTSIDE,
  ...HEADERS,
  ...VALUES,
  ...EFFECTS,
  ...MANAGEMENT,
];

test.each(ALL)('%s: %s', (...mistake) =>
  sendMistake(station, mistake, (text) =>
    text.replace(/items\/\{([^}]+)\}/, (_, number: string) => `items/${ids.get(number)}`),
  ),
);

test('a filter that matches something existing or deleted gets no warning', async () => {
  await station.post('/api/orders/', order({ order_number: 'Gone' }));
  await station.request('DELETE', '/api/orders/Gone/');
  await station.post('/api/users/', { username: 'Paula', password: 'a-long-password-of-hers', role: 'picker' });
  const paths = [
    '/api/work/?picker=paula&order=E-1',
    '/api/orders/?picker=Paula',
    '/api/callbacks/?receiver=mqtt',
    `/api/history/?deviceid=${TWO}&kind=killed`,
    '/api/history/?order_number=Gone',
  ];
  for (const path of paths) {
    const { status, headers } = await station.request('GET', path);
    expect([path, status, headers.get('x-pickstation-warnings')]).toEqual([path, 200, null]);
  }
});

test('a filter in the body of a GET is ignored, with a warning', async () => {
  const ask = (body: string) => {
    const headers = { 'api-key': API_KEY, ...JSON_TYPE, 'content-length': String(body.length) };
    return rawRequest(station.url, { path: '/api/order-progress/', headers, body });
  };
  expect((await ask('{"state":"open"}')).headers['x-pickstation-warnings']).toBe(
    '["The body is ignored: a GET reads only its address, such as ?limit=10."]',
  );
  expect((await ask('{}')).headers['x-pickstation-warnings']).toBeUndefined();
});

test('spaces around numbers, codes and places are removed', async () => {
  const blanks = {
    order_number: ' B 1\u00a0',
    items: [{ SKU: ' 7 ', ordered_quantity: 1, warehouse_location: ' A-1  ' }],
  };
  expect(await station.post('/api/orders/', blanks)).toMatchObject({
    order_number: 'B 1',
    items: [{ SKU: '7', warehouse_location: 'A-1' }],
  });
  expect(await station.get('/api/orders/%20B%201%20/')).toMatchObject({ order_number: 'B 1' });
  expect(await station.request('POST', '/api/orders/', blanks)).toMatchObject({ status: 409, body: { same: true } });
  expect(await station.request('POST', '/api/orders/', { ...blanks, order_number: '  ' })).toMatchObject({
    status: 400,
  });
});

test('SKU and UPC are accepted in any case', async () => {
  const items = [
    { sku: 7, ordered_quantity: 1 },
    { Upc: '4006381333931', ordered_quantity: 1 },
  ];
  expect(await station.post('/api/orders/', { order_number: 'any-case', items })).toMatchObject({
    warnings: [],
    items: [{ SKU: '7' }, { UPC: '4006381333931' }],
  });
});

test('the refusal of an existing order number states whether the order is the same, ignoring picked quantities', async () => {
  const sent = {
    order_number: 'S/1 x',
    customer: 'Miller',
    shipments: [
      { shipment_number: 'a', shipmentnonce: 'n', items: [item(), item({ SKU: '7', description: 'black' })] },
      { shipment_number: 'b', items: [item({ warehouse_location: 'A-1', deviceid: null })] },
    ],
  };
  await station.post('/api/orders/', sent);
  const again = async (order: object) => {
    const answer = await station.request('POST', '/api/orders/', order);
    expect(answer.status).toBe(409);
    return answer.body as { same: boolean; detail: string };
  };
  const { same, detail } = await again(sent);
  expect(same).toBe(true);
  expect(detail).toBe(
    'Order S/1 x already exists, with the same content. GET /api/orders/S%2F1%20x/ shows it. Nothing was done.',
  );
  await station.post('/api/orders/S%2F1%20x/launch/');
  await station.clock.advance(3_000);
  await station.press(ONE);
  await station.clock.advance(3_000);
  expect(await again(sent)).toMatchObject({ same: true });
  const [first, second] = sent.shipments;
  for (const other of [
    { ...sent, customer: 'Mill' },
    { ...sent, priority: 1 },
    { ...sent, shipments: [first] },
    { ...sent, shipments: [second, first] },
    { ...sent, shipments: [{ ...first, shipment_number: 'c' }, second] },
    { ...sent, shipments: [{ ...first, items: [item(), item({ SKU: '8', description: 'black' })] }, second] },
    { order_number: 'S/1 x', customer: 'Miller', items: [item()] },
  ]) {
    expect(await again(other), JSON.stringify(other)).toMatchObject({ same: false });
  }
});
