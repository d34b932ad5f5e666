import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order, OrderResult } from '#shared/api/order.ts';
import { addOrder, anItem, getOrder, launch, ONE, orderPath, THREE_BUTTONS } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 2 and 8: requests about orders and their answers.
let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterAll(() => station.stop());

const JSON_TYPE = { 'api-key': API_KEY, 'content-type': 'application/json' };
const XML_TYPE = { 'api-key': API_KEY, 'content-type': 'application/xml' };
const create = (body: unknown) => station.request('POST', '/api/orders/', body);
const errorsOf = ({ body }: { body: unknown }) =>
  (body as { errors: { path: string }[] }).errors.map(({ path }) => path);

test('answers 201 with the given order, plus states and ids', async () => {
  const item = {
    name: 'Cable tie',
    SKU: 'CT',
    UPC: '400',
    description: 'black',
    ordered_quantity: 2,
    quantity_fulfilled: 1,
  };
  const shipments = [{ shipment_number: 'S-1', shipmentnonce: 's', items: [{ ...item, callback_nonce: 'n' }] }];
  const order = { order_number: 'given', ordernonce: 'o', color: 'g', seconds: 30, sound: 'beep', shipments };
  const answer = await create(order);
  const answered = {
    id: expect.any(Number) as number,
    ...item,
    callback_nonce: 'n',
    quantity_remaining: 1,
    deviceid: null,
    state: 'open',
    command_id: null,
    timed_out: false,
    picker: null,
    verified: false,
    awaits_scan: false,
    guessed: false,
    no_stock: false,
  };
  expect(answer).toMatchObject({ status: 201 });
  expect(answer.body).toEqual({
    id: expect.any(Number) as number,
    order_number: 'given',
    ordernonce: 'o',
    color: 'g',
    seconds: 30,
    sound: 'beep',
    priority: 0,
    due_time: null,
    scan_required: false,
    state: 'open',
    attention: [],
    pickers: [],
    waits: false,
    created_time: '2026-11-20T08:00:00.000Z',
    updated_time: '2026-11-20T08:00:00.000Z',
    launched_time: null,
    fulfilled_time: null,
    shipments: [
      {
        id: expect.any(Number) as number,
        shipment_number: 'S-1',
        shipmentnonce: 's',
        state: 'open',
        attention: [],
        items: [answered],
      },
    ],
    unassigned: [],
    warnings: [],
  });
  expect({ ...(await getOrder(station, 'given')), warnings: [] }).toEqual(answer.body);
});

test.each([
  ['9999-12-31T23:59:59.999Z', 201],
  ['9999-12-31T23:59:59-01:00', 400],
  ['0000-01-01T00:00:00+01:00', 400],
])('the due time %s gets %i, because answers can only express the years 0000 to 9999', async (due_time, status) => {
  expect(await create({ order_number: 'due', items: [], due_time })).toMatchObject({ status });
});

test("items given directly in the order form one implicit shipment with the order's number, and are also listed in the order", async () => {
  const order = await addOrder(station, 'implicit', [anItem(), anItem({ name: 'other' })]);
  expect(order.shipments).toMatchObject([{ shipment_number: 'implicit', items: [{}, { name: 'other' }] }]);
  expect(order.items).toEqual(order.shipments[0]?.items);
});

test('an existing order number gets 409, and the existing order does not change', async () => {
  await addOrder(station, 'twice', [anItem()]);
  const before = await getOrder(station, 'twice');
  expect(await create({ order_number: 'twice', items: [] })).toMatchObject({
    status: 409,
    body: { code: 'conflict', errors: [{ path: '/order_number' }] },
  });
  expect(await getOrder(station, 'twice')).toEqual(before);
  // Order numbers are case-sensitive.
  expect(await create({ order_number: 'Twice', items: [] })).toMatchObject({ status: 201 });
});

test.each([
  ['2', 2],
  ['2.0', 2],
  [2, 2],
  ['1000000000', 1_000_000_000],
  ['0', 0],
  ['0.0', 0],
])('reads ordered_quantity %j as %i', async (ordered_quantity, quantity) => {
  const number = `quantity ${JSON.stringify(ordered_quantity)}`;
  const answer = await create(
    `{"order_number":${JSON.stringify(number)},"items":[{"SKU":1,"ordered_quantity":${JSON.stringify(ordered_quantity)}}]}`,
  );
  expect(answer).toMatchObject({ status: 201, body: { items: [{ SKU: '1', ordered_quantity: quantity }] } });
});

test('reads 2.0 in JSON as 2', async () => {
  const text = '{"order_number":"float","items":[{"SKU":"x","ordered_quantity":2.0}]}';
  expect(await create(text)).toMatchObject({
    status: 201,
    body: { items: [{ ordered_quantity: 2 }] },
  });
});

test.each([2.5, '2.5', -1, '', null, 'many', 1e12, true, [2], { n: 2 }])(
  'refuses ordered_quantity %j with its path, and creates nothing',
  async (ordered_quantity) => {
    const items = [anItem(), anItem({ ordered_quantity })];
    const answer = await create({ order_number: 'broken', items });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(errorsOf(answer)[0]).toMatch(/^\/items\/1\/ordered_quantity/);
    expect(await station.request('GET', orderPath('broken'))).toMatchObject({ status: 404 });
  },
);

test('an item with quantity 0 is immediately done, with a warning; strict refuses the order', async () => {
  const shipments = [
    { shipment_number: 'S-1', items: [anItem(), anItem({ ordered_quantity: 0 })] },
    { shipment_number: 'S-2', items: [anItem({ ordered_quantity: '0' })] },
  ];
  const paths = ['/shipments/0/items/1/ordered_quantity', '/shipments/1/items/0/ordered_quantity'];
  const strictly = await station.request('POST', '/api/orders/?strict=1', { order_number: 'zero', shipments });
  expect(strictly).toMatchObject({ status: 400, body: { code: 'invalid' } });
  expect(errorsOf(strictly)).toEqual(paths);
  const { status, body } = await create({ order_number: 'zero', shipments });
  const { warnings, ...order } = body as OrderResult;
  expect({ status, warnings }).toEqual({
    status: 201,
    warnings: paths.map((path) => `${path}: It is 0: the item is done and never lit.`),
  });
  expect(order.shipments.flatMap(({ items }) => items.map(({ state }) => state))).toEqual(['open', 'done', 'done']);
  // Without an item of quantity 0, strict has no effect.
  const strict = await station.request('POST', '/api/orders/?strict=1', { order_number: 'one', items: [anItem()] });
  expect(strict).toMatchObject({ status: 201, body: { warnings: [] } });
});

test.each<[string, object, string]>([
  ['no number', { items: [] }, '/order_number'],
  ['an empty number', { order_number: '', items: [] }, '/order_number'],
  ['a number that cannot be used in a path', { order_number: '..', items: [] }, '/order_number'],
  ['neither shipments nor items', { order_number: 'b' }, ''],
  ['both shipments and items', { order_number: 'b', items: [], shipments: [{ shipment_number: 's', items: [] }] }, ''],
  ['an item without a name', { order_number: 'b', items: [{ ordered_quantity: 1, name: '', SKU: null }] }, '/items/0'],
  ['items that are not a list', { order_number: 'b', items: 'x' }, '/items'],
  ['no quantity', { order_number: 'b', items: [{ SKU: 'x' }] }, '/items/0/ordered_quantity'],
  ['a shipment without a number', { order_number: 'b', shipments: [{ items: [] }] }, '/shipments/0/shipment_number'],
  ['an invalid DeviceID', { order_number: 'b', items: [anItem({ deviceid: 'shelf' })] }, '/items/0/deviceid'],
  [
    'a negative quantity_fulfilled',
    { order_number: 'b', items: [anItem({ quantity_fulfilled: -1 })] },
    '/items/0/quantity_fulfilled',
  ],
  ['an unknown color', { order_number: 'b', items: [], color: 'no color' }, '/color'],
  ['seconds out of range', { order_number: 'b', items: [], seconds: 2_592_001 }, '/seconds'],
  [
    'a duplicate shipment',
    { order_number: 'b', shipments: [1, 2].map(() => ({ shipment_number: 's', items: [] })) },
    '',
  ],
])('a request with %s gets 400 with the path of the field', async (_, body, path) => {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } });
  expect(errorsOf(answer)).toContain(path);
  expect(await station.request('GET', orderPath('b'))).toMatchObject({ status: 404 });
});

test('a callback_nonce of another item, or of an unfinished item of another order, gets a warning; strict refuses the order', async () => {
  const line = (name: string, callback_nonce?: string) => ({ name, ordered_quantity: 1, callback_nonce });
  const first = await addOrder(station, 'nonce-1', [
    line('Nut', 'n-1'),
    line('Cap', 'n-2'),
    line('Pin'),
    line('Rod', ' '),
  ]);
  expect(first).toMatchObject({ warnings: [] });
  const wanted = {
    order_number: 'nonce-2',
    items: [line('Nut', 'n-1'), line('Cap', 'x'), line('Pin', 'x'), line('Rod', 'N-2')],
  };
  const refused = await station.request('POST', '/api/orders/?strict=1', wanted);
  expect([refused.status, errorsOf(refused)]).toEqual([400, ['/items/0/callback_nonce', '/items/2/callback_nonce']]);
  const { warnings } = await station.post<OrderResult>('/api/orders/', wanted);
  expect(warnings).toEqual([
    '/items/0/callback_nonce: An unfinished item of order nonce-1 has the same nonce "n-1". Receivers that add up by nonce count both as one line.',
    '/items/2/callback_nonce: The item /items/1 has the same nonce "x". Receivers that add up by nonce count both as one line.',
  ]);
  await station.patch(orderPath('nonce-1', `items/${first.shipments[0]?.items[1]?.id}/`), { quantity_fulfilled: 1 });
  const third = { order_number: 'nonce-3', items: [line('Cap', 'n-2')] };
  expect(await station.request('POST', '/api/orders/?strict=1', third)).toMatchObject({ status: 201 });
});

test('accepts what older clients send: numbers as text, texts as numbers, null, empty and unknown fields', async () => {
  const sent = {
    order_number: 1001,
    api: '2.0',
    shipments: [],
    seconds: '90',
    color: '',
    sound: null,
    ordernonce: null,
    items: [
      {
        name: null,
        SKU: 4711,
        UPC: '',
        ordered_quantity: '3',
        quantity_fulfilled: '',
        warehouse_location: 12,
        deviceid: '',
        callback_nonce: '',
        rack: 'x',
      },
      { name: true, ordered_quantity: 1, deviceid: ONE.toLowerCase() },
    ],
  };
  const answer = await create(sent);
  expect(answer).toMatchObject({ status: 201, body: { order_number: '1001', seconds: 90 } });
  const { items = [], ...order } = answer.body as Order;
  expect(order).not.toHaveProperty('ordernonce');
  expect(items[0]).toEqual({
    id: expect.any(Number) as number,
    SKU: '4711',
    ordered_quantity: 3,
    quantity_fulfilled: 0,
    quantity_remaining: 3,
    warehouse_location: '12',
    deviceid: null,
    callback_nonce: '',
    state: 'open',
    command_id: null,
    timed_out: false,
    picker: null,
    verified: false,
    awaits_scan: false,
    guessed: false,
    no_stock: false,
  });
  expect(items[1]).toMatchObject({ name: 'true', deviceid: ONE });
});

test('in XML, repeated elements form an array, and so does a single element of a known list', async () => {
  const item = '<item><SKU>CT-2</SKU><ordered_quantity>2</ordered_quantity></item>';
  const one = `<order><order_number>xml 1</order_number><items>${item}</items></order>`;
  const many = `<o><order_number>xml 2</order_number><shipments><shipment_number>S1</shipment_number><items>${item}</items></shipments>
    <shipments><shipment_number>S2</shipment_number><items>${item}${item}</items></shipments></o>`;
  const plain = `<o><order_number>xml 3</order_number><items><SKU>CT-2</SKU><ordered_quantity>2</ordered_quantity></items></o>`;
  const sizes = async (xml: string) => {
    const answer = await station.request('POST', '/api/orders/', xml, XML_TYPE);
    expect(answer.status).toBe(201);
    return (answer.body as Order).shipments.map(({ items }) => items.map((each) => each.ordered_quantity));
  };
  expect(await sizes(one)).toEqual([[2]]);
  expect(await sizes(many)).toEqual([[2], [2, 2]]);
  expect(await sizes(plain)).toEqual([[2]]);
  const asked = await station.request('GET', orderPath('xml 1'), undefined, {
    'api-key': API_KEY,
    accept: 'application/xml',
  });
  expect(String(asked.body)).toContain('<order_number>xml 1</order_number>');
});

test.each(['a/b', 'ä ö', '100%', '?q=1', '#7', 'a b', 'SO:1;x,y', '日本', "o'x", '%2F', 'launch', 'openapi.json'])(
  'an order number like %s works everywhere',
  async (number) => {
    await addOrder(station, number, [anItem()]);
    expect(await getOrder(station, number)).toMatchObject({ order_number: number });
    const order = await launch(station, number);
    const id = order.items?.[0]?.id ?? 0;
    expect(await station.patch(orderPath(number, `items/${id}/`), { quantity_fulfilled: 1 })).toMatchObject({ id });
    expect(await station.post(orderPath(number, 'abort/'))).toMatchObject({ state: 'aborted' });
    expect(await station.request('DELETE', orderPath(number))).toMatchObject({ status: 204 });
  },
);

test('accepts an empty body with a JSON content type for launch, abort and DELETE', async () => {
  await addOrder(station, 'bare', [anItem({ deviceid: THREE_BUTTONS })]);
  for (const [method, rest, status] of [
    ['POST', 'launch/', 200],
    ['POST', 'abort/', 200],
    ['DELETE', '', 204],
  ] as const) {
    expect(await station.request(method, orderPath('bare', rest), '', JSON_TYPE)).toMatchObject({ status });
  }
});

test('a path without a trailing slash gets missing_trailing_slash', async () => {
  for (const path of ['/api/orders', '/api/orders/x', '/api/orders/x/launch', '/api/order-progress']) {
    expect(await station.request('GET', path)).toMatchObject({ status: 404, body: { code: 'missing_trailing_slash' } });
  }
});

test('lists are sorted by number, can be filtered by state, and are paged', async () => {
  await using fresh = await startTestStation({ simulate: 1 });
  for (const number of ['B', 'A', 'C', 'D']) await addOrder(fresh, number, number === 'D' ? [] : [anItem()]);
  await fresh.post(orderPath('C', 'launch/'));
  const numbers = async (path: string) =>
    (await fresh.get<{ order_number: string }[]>(path)).map(({ order_number: number }) => number);
  for (const list of ['/api/orders/', '/api/order-progress/']) {
    expect(await numbers(list)).toEqual(['A', 'B', 'C', 'D']);
    expect(await numbers(`${list}?limit=2`)).toEqual(['A', 'B']);
    expect(await numbers(`${list}?limit=2&after=B`)).toEqual(['C', 'D']);
    expect(await numbers(`${list}?after=D`)).toEqual([]);
    expect(await numbers(`${list}?state=in_progress`)).toEqual(['C']);
    expect(await numbers(`${list}?state=open&after=A`)).toEqual(['B', 'D']);
  }
  expect(await fresh.request('GET', '/api/orders/?state=lit')).toMatchObject({ status: 400 });
});

test('accepts an order with a thousand items, explains how to split a larger one, and answers 413 above 1 MiB', async () => {
  const items = (count: number) => Array.from({ length: count }, () => ({ SKU: 'x', ordered_quantity: 1 }));
  expect(await create({ order_number: 'huge', items: items(1_000) })).toMatchObject({ status: 201 });
  const refused = (path: string) => ({
    status: 400,
    body: { errors: [{ path, message: 'An order has at most 1,000 items. Split it into several orders.' }] },
  });
  expect(await create({ order_number: 'more', items: items(1_001) })).toMatchObject(refused('/items'));
  const shipments = (...counts: number[]) =>
    counts.map((count, index) => ({ shipment_number: `S-${index}`, items: items(count) }));
  expect(await create({ order_number: 'more', shipments: shipments(500, 501) })).toMatchObject(refused(''));
  expect(await create({ order_number: 'more', shipments: shipments(1_001) })).toMatchObject(
    refused('/shipments/0/items'),
  );
  const long = [{ name: 'x', description: 'y'.repeat(1024 * 1024), ordered_quantity: 1 }];
  expect(await create({ order_number: 'long', items: long })).toMatchObject({
    status: 413,
    body: { code: 'too_large' },
  });
});

test('the display shows name or SKU, place, remaining quantity, and the UPC or SKU as a barcode if it fits', async () => {
  await using fresh = await startTestStation({ simulate: 1, refreshMs: 0 });
  await fresh.clock.advance(5_000);
  const long = 'A'.repeat(30);
  await addOrder(fresh, 'shown', [
    anItem({ SKU: 'CT-200', warehouse_location: 'Aisle 3' }),
    { SKU: 'only-sku', deviceid: ONE, ordered_quantity: 150 },
    anItem({ name: long, UPC: long, SKU: 'CT' }),
    anItem({ name: '\\qrhello', UPC: 'Maß', SKU: 'x'.repeat(22) }),
    { UPC: '4006381', deviceid: ONE, ordered_quantity: 1 },
  ]);
  await launch(fresh, 'shown');
  const { commands, displayed } = await fresh.device(ONE);
  const shown = commands.map(({ line1, line2, line3, quantity, barcode }) => [line1, line2, line3, quantity, barcode]);
  expect(shown).toEqual([
    ['Cable tie', 'Aisle 3', '', 2, 'CT-200'],
    ['only-sku', '', '', 150, 'only-sku'],
    ['A'.repeat(26), '', '', 2, 'CT'],
    ['\\qrhello', '', '', 2, ''],
    ['4006381', '', '', 1, '4006381'],
  ]);
  expect(displayed?.screen).toMatchObject({ lines: ['Cable tie', 'Aisle 3'], quantity: 2, barcode: 'CT-200' });
});

test('a change that took effect gets 200, even if the order is removed at the same moment', async () => {
  const kinds = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const orderNumber = `gone ${round}`;
    const [item] = (await addOrder(station, orderNumber, [anItem()])).shipments[0]?.items ?? [];
    const path = `${orderPath(orderNumber)}items/${item?.id}/`;
    const [corrected, launched] = await Promise.all([
      station.request('PATCH', path, { quantity_fulfilled: 1 }),
      station.request('POST', orderPath(orderNumber, 'launch/')),
      station.request('DELETE', orderPath(orderNumber)),
    ]);
    const history = await station.get<{ kind: string }[]>(`/api/history/?order_number=${orderNumber}`);
    const happened = history.map(({ kind }) => kind);
    expect(corrected.status, JSON.stringify(corrected.body)).toBe(happened.includes('order_corrected') ? 200 : 404);
    expect(launched.status, JSON.stringify(launched.body)).toBe(happened.includes('order_launched') ? 200 : 404);
    kinds.add(corrected.status);
  }
  expect(kinds).toContain(200);
});
