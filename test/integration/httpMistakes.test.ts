import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';

// Contract, sections 2, 4 and 8: no mistake gets an answer that looks like success.

const ONE = '51D000:000001';
const JSON_TYPE = { 'content-type': 'application/json' };
const XML = { 'content-type': 'application/xml' };
const item = (given: object = {}) => ({ name: 'Bolt', ordered_quantity: 1, deviceid: ONE, ...given });
const order = (given: object = {}, ...items: object[]) => ({
  order_number: 'M-1',
  items: items.length === 0 ? [item()] : items,
  ...given,
});
const steps = (given: object) => ({ sequenceid: 'M', steps: [{ order: 1, device: ONE, ...given }] });

/** `says`: part of the detail, of an error of a field or, with a success, of a warning. */
type Mistake = [
  what: string,
  request: string,
  body: unknown,
  status: number,
  says: string,
  headers?: Record<string, string>,
];

const NO_FIELD = 'There is no such field.';
const NOTHING = 'The request changes nothing. To light a device, give command or line1';

const ORDERS: readonly Mistake[] = [
  [
    'a misspelled place',
    'POST /api/orders/',
    order({}, item({ warehouse_locaton: 'A' })),
    201,
    `/items/0/warehouse_locaton: ${NO_FIELD} Did you mean warehouse_location?`,
  ],
  [
    'the same, strictly',
    'POST /api/orders/?strict=1',
    order({ order_number: 'M-2' }, item({ warehouse_locaton: 'A' })),
    400,
    'Did you mean warehouse_location?',
  ],
  [
    'British color',
    'POST /api/orders/',
    order({ order_number: 'M-3', colour: 'red' }),
    201,
    `/colour: ${NO_FIELD} Did you mean color?`,
  ],
  [
    'the same, strictly',
    'POST /api/orders/?strict=1',
    order({ order_number: 'M-4', colour: 'red' }),
    400,
    'Did you mean color?',
  ],
  [
    'a field in a shipment',
    'POST /api/orders/',
    { order_number: 'M-5', shipments: [{ shipment_number: 'a', carrier: 'x', items: [item()] }] },
    201,
    `/shipments/0/carrier: ${NO_FIELD}`,
  ],
  ['a field with a slash', 'POST /api/orders/', order({ order_number: 'M-6', 'a/b': 1 }), 201, '/a~1b: '],
  [
    'quantity instead of ordered_quantity',
    'POST /api/orders/',
    order({}, { name: 'Bolt', quantity: 2 }),
    400,
    '/items/0/ordered_quantity: This is missing',
  ],
  [
    'two spellings of one code',
    'POST /api/orders/',
    order({ order_number: 'M-7' }, item({ SKU: 'a', sku: 'b' })),
    201,
    '/items/0/sku: ',
  ],
  ['no items at all', 'POST /api/orders/', { order_number: 'M-8' }, 400, 'Give either shipments or items.'],
  [
    'an empty list of items',
    'POST /api/orders/',
    { order_number: 'M-9', items: [] },
    201,
    '/items: The order has no items',
  ],
  [
    'the same, strictly',
    'POST /api/orders/?strict=1',
    { order_number: 'M-10', items: [] },
    400,
    'The order has no items',
  ],
  [
    'shipments without items',
    'POST /api/orders/',
    { order_number: 'M-11', shipments: [{ shipment_number: 'a', items: [] }] },
    201,
    '/shipments: The order has no items',
  ],
  ['an item of 0', 'POST /api/orders/', order({ order_number: 'M-12' }, item({ ordered_quantity: 0 })), 201, 'It is 0'],
  ['half a piece', 'POST /api/orders/', order({}, item({ ordered_quantity: 2.5 })), 400, '/items/0/ordered_quantity'],
  [
    'items and shipments',
    'POST /api/orders/',
    { ...order(), shipments: [{ shipment_number: 'a', items: [item()] }] },
    400,
    'Give either shipments or items.',
  ],
  ['a list of orders', 'POST /api/orders/', [order()], 400, 'an object'],
  [
    'a number that exists',
    'POST /api/orders/',
    order({ customer: 'Miller' }),
    409,
    'Order M-1 already exists, with different content. GET /api/orders/M-1/ shows it.',
  ],
  ['launching no items', 'POST /api/orders/M-9/launch/', undefined, 409, 'has nothing to light'],
  ['launching in a misspelled color', 'POST /api/orders/M-1/launch/', { colour: 'red' }, 200, '/colour: '],
  [
    'launching an unknown order',
    'POST /api/orders/M-0/launch/',
    undefined,
    404,
    'There is no order M-0. GET /api/orders/ lists them.',
  ],
  ['an empty change', 'PATCH /api/orders/M-1/', {}, 400, 'The request changes nothing. Give priority'],
  ['a change of an unknown field', 'PATCH /api/orders/M-1/', { prio: 3 }, 400, 'Did you mean priority?'],
  ['a change with one unknown field', 'PATCH /api/orders/M-1/', { priority: 3, colour: 'red' }, 200, '/colour: '],
  ['a change of a state', 'PATCH /api/orders/M-1/', { state: 'fulfilled' }, 400, `/state: ${NO_FIELD}`],
  [
    'a correction without a quantity',
    'PATCH /api/orders/M-1/items/1/',
    { quantity: 1 },
    400,
    '/quantity_fulfilled: This is missing',
  ],
  [
    'a state that does not exist',
    'GET /api/orders/?state=done',
    undefined,
    400,
    'Use one of open, in_progress, fulfilled, aborted.',
  ],
  ['status instead of state', 'GET /api/orders/?status=open', undefined, 400, 'Did you mean state?'],
  ['PUT of an order', 'PUT /api/orders/M-1/', order(), 405, 'Possible: '],
  ['no slash', 'GET /api/orders', undefined, 404, 'Use /api/orders/.'],
  ['the key of another body', 'POST /api/orders/', order({ order_number: 'M-21', key: 'mistake-1' }), 201, ''],
  [
    'the same key again',
    'POST /api/orders/',
    order({ order_number: 'M-22', key: 'mistake-1' }),
    409,
    'The key mistake-1 was used for another request',
  ],
  [
    'the same key elsewhere',
    'POST /api/orders/M-21/abort/',
    { key: 'mistake-1' },
    409,
    'The key mistake-1 was used for another request',
  ],
  [
    'a line break in a number',
    'POST /api/orders/',
    order({ order_number: 'a\nb' }),
    400,
    '/order_number: This has a line break',
  ],
  [
    'a NUL in a code',
    'POST /api/orders/',
    order({}, item({ SKU: 'a\u0000' })),
    400,
    '/items/0/SKU: This has a line break',
  ],
  [
    'a tab in a place',
    'POST /api/orders/',
    order({}, item({ warehouse_location: 'A\t1' })),
    400,
    '/items/0/warehouse_location',
  ],
];

const DEVICES: readonly Mistake[] = [
  ['only a place', 'POST /api/devices/', { location: 'A-1' }, 400, NOTHING],
  ['only a device', 'POST /api/devices/', { deviceid: ONE }, 400, NOTHING],
  ['nothing', `POST /api/device/${ONE}/`, {}, 400, NOTHING],
  ['a misspelled line', `POST /api/device/${ONE}/`, { lin1: 'x' }, 400, NO_FIELD],
  ['only a color', `POST /api/device/${ONE}/`, { color: 'r' }, 400, NOTHING],
  ['static without a line', `POST /api/device/${ONE}/`, { command: 'static' }, 400, NOTHING],
  ['only a quantity', `POST /api/device/${ONE}/`, { quantity: 3 }, 200, 'Nothing is lit'],
  ['a quantity at a place', 'POST /api/devices/', { location: 'A-1', quantity: 3 }, 200, 'Nothing is lit'],
  ['a light without a command', `POST /api/device/${ONE}/`, { quantity: 3, color: 'r' }, 200, 'color is ignored'],
  [
    'a misspelled field',
    `POST /api/device/${ONE}/`,
    { line1: 'x', colour: 'r' },
    200,
    'Ignored, since there is no such field: colour.',
  ],
  ['the same, strictly', `POST /api/device/${ONE}/?strict=1`, { line1: 'x', colour: 'r' }, 400, NO_FIELD],
  ['a static in a command', `POST /api/device/${ONE}/`, { line1: 'x', statica: 'y' }, 200, 'statica is ignored'],
  ['an unknown command', `POST /api/device/${ONE}/`, { command: 'blink' }, 400, 'Unknown command "blink"'],
  ['an unknown place', 'POST /api/devices/', { location: 'Z-9', line1: 'x' }, 404, '"Z-9"'],
  ['a part of a place', 'POST /api/devices/', { location: 'A', line1: 'x' }, 404, '"A"'],
  ['an unknown device', 'POST /api/device/51D000:00FFFF/', { line1: 'x' }, 404, 'There is no device 51D000:00FFFF.'],
  ['no place', 'POST /api/devices/', { line1: 'x' }, 400, 'Give deviceid or location.'],
  [
    'two places',
    'POST /api/devices/',
    { deviceid: ONE, location: 'B-1', line1: 'x' },
    200,
    'location "B-1" is ignored',
  ],
  ['a negative quantity', `POST /api/device/${ONE}/`, { line1: 'x', quantity: -1 }, 400, '/quantity'],
  ['an unknown color', `POST /api/device/${ONE}/`, { line1: 'x', color: 'rot' }, 400, '"rot" is no color.'],
  ['an unknown arrow', `POST /api/device/${ONE}/`, { line1: 'x', arrow: 'north' }, 400, 'north'],
  [
    'a sound that cannot be read',
    `POST /api/device/${ONE}/`,
    { line1: 'x', sound: 'tada!' },
    200,
    'The sound is not played.',
  ],
  [
    'a step without a place',
    'POST /api/sequence/',
    { sequenceid: 'M', steps: [{ order: 1 }] },
    400,
    'The step names no place.',
  ],
  ['a misspelled field of a step', 'POST /api/sequence/', steps({ lin1: 'x' }), 201, 'there is no such field: lin1'],
  ['the same, strictly', 'POST /api/sequence/?strict=1', { ...steps({ lin1: 'x' }), sequenceid: 'N' }, 400, NO_FIELD],
  ['a sequence that exists', 'POST /api/sequence/', steps({}), 409, 'Change it with PUT'],
];

const BODIES: readonly Mistake[] = [
  [
    'attributes of an order',
    'POST /api/orders/',
    '<order order_number="X-1"><items><item><name>Bolt</name><ordered_quantity>1</ordered_quantity></item></items></order>',
    400,
    '<order> has the attribute order_number, and attributes are not read. Nothing was done.',
    XML,
  ],
  [
    'attributes of an item',
    'POST /api/orders/',
    '<order><order_number>X-2</order_number><items><item SKU="7" ordered_quantity="1"/></items></order>',
    400,
    'Write it as an element: <SKU>…</SKU>',
    XML,
  ],
  [
    'attributes of a command',
    `POST /api/device/${ONE}/`,
    '<command line1="x" color="r"/>',
    400,
    '<command> has the attribute line1',
    XML,
  ],
  [
    'an attribute of a field',
    `POST /api/device/${ONE}/`,
    '<command><line1>x</line1><quantity unit="box">3</quantity></command>',
    400,
    '<quantity> has the attribute unit',
    XML,
  ],
  [
    'an unknown element',
    'POST /api/orders/',
    '<order><order_number>X-3</order_number><colour>red</colour><items><name>Bolt</name><ordered_quantity>1</ordered_quantity></items></order>',
    201,
    `/colour: ${NO_FIELD}`,
    XML,
  ],
  ['text that is not JSON', 'POST /api/orders/', "{'order_number': 1}", 400, 'JSON', JSON_TYPE],
  ['a trailing comma', 'POST /api/orders/', '{"order_number":"C",}', 400, 'JSON', JSON_TYPE],
  [
    'a form',
    'POST /api/orders/',
    'order_number=1',
    415,
    'Send application/json',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  ['no body', 'POST /api/orders/', undefined, 400, 'The request has no body.'],
];

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
});

afterAll(() => station.stop());

type Answered = { detail?: string; errors?: { path: string; message: string }[]; warnings?: string[] };

test.each([...ORDERS, ...DEVICES, ...BODIES])('%s: %s', async (what, request, sent, status, says, headers) => {
  const [method = '', path = ''] = request.split(' ');
  const all = headers === undefined ? undefined : { 'api-key': API_KEY, ...headers };
  const answer = await station.request(method, path, sent, all);
  const { detail = '', errors = [], warnings = [] } = answer.body as Answered;
  expect(answer.status, `${what}: ${detail}`).toBe(status);
  const said = status < 300 ? warnings : [detail, ...errors.map(({ path: at, message }) => `${at}: ${message}`)];
  if (says !== '') expect(said.join('\n')).toContain(says);
});

test('blanks around numbers, codes and places are removed', async () => {
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

test('the refusal of an existing number says whether the order is the same, apart from picked quantities', async () => {
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
