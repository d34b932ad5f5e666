import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawRequest } from '../helpers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';

// Contract, sections 2, 4 and 8: no mistake gets an answer that looks like success.

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const JSON_TYPE = { 'content-type': 'application/json' };
const XML = { 'content-type': 'application/xml' };
const BOUNDARY = 'between-the-parts-of-this-form';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const formOf = (...names: string[]) =>
  [
    ...names.map((name) => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\na;b\r\n`),
    `--${BOUNDARY}--\r\n`,
  ].join('');
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
  /** Undefined: not sent. */
  headers?: Record<string, string | undefined>,
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
  [
    'two spellings of one code, none as in the document',
    'POST /api/orders/',
    order({ order_number: 'M-7a' }, item({ upc: '4006381333931', Upc: '4006381333948' })),
    201,
    `/items/0/Upc: ${NO_FIELD} Did you mean UPC?`,
  ],
  [
    'a place that nobody has',
    'POST /api/orders/',
    order({ order_number: 'M-70' }, { name: 'Bolt', ordered_quantity: 1, warehouse_location: 'Z-9' }),
    201,
    '/items/0/warehouse_location: No device is found at "Z-9" yet. The item lights nothing until there is one.',
  ],
  ...['/', '-1', 'A-', ' - '].map((place): Mistake => [
    `the fragment "${place}" of a place`,
    'POST /api/orders/',
    order(
      { order_number: `M-70 ${place.trim().replace('/', 's')}` },
      { name: 'Bolt', ordered_quantity: 1, warehouse_location: place },
    ),
    201,
    `/items/0/warehouse_location: No device is found at "${place.trim()}" yet.`,
  ]),
  [
    'a misspelled place beside the name of an article that is a place',
    'POST /api/orders/',
    order({ order_number: 'M-71' }, { name: 'A-1', ordered_quantity: 1, warehouse_location: 'Z-9' }),
    201,
    `/items/0/warehouse_location: No device is found at "Z-9". ${ONE} is used, which has the name of the article.`,
  ],
  [
    'a device and the place of another one',
    'POST /api/orders/',
    order({ order_number: 'M-72' }, item({ warehouse_location: 'B-1' })),
    201,
    `/items/0/warehouse_location: "B-1" is not a place of ${ONE}, where the item is lit. It is that of ${TWO}.`,
  ],
  [
    'a device and a place that nobody has',
    'POST /api/orders/',
    order({ order_number: 'M-73' }, item({ warehouse_location: 'Z-9' })),
    201,
    `/items/0/warehouse_location: "Z-9" is not a place of ${ONE}, where the item is lit. No device is found there.`,
  ],
  [
    'more picked than ordered',
    'POST /api/orders/',
    order({ order_number: 'M-74' }, item({ quantity_fulfilled: 5, ordered_quantity: 2 })),
    201,
    '/items/0/quantity_fulfilled: 5 is more than the ordered_quantity 2: the item is done and never lit.',
  ],
  [
    'the same, strictly',
    'POST /api/orders/?strict=1',
    order({ order_number: 'M-75' }, item({ quantity_fulfilled: 5, ordered_quantity: 2 })),
    400,
    '5 is more than the ordered_quantity 2',
  ],
  ['an empty picker', 'POST /api/orders/M-73/launch/', { picker: '' }, 400, '/picker: This is empty. Give the name'],
  ['an empty picker who joins', 'POST /api/orders/M-73/join/', { picker: ' ' }, 400, '/picker: This is empty.'],
  ['an empty picker of a list', 'GET /api/orders/?picker=', undefined, 400, '/picker: This is empty.'],
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
  ['an empty change', 'PATCH /api/orders/M-1/', {}, 400, 'The request changes nothing. Send priority'],
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

const CONTROL = 'This has a line break, a tab or another control character. Remove it.';
const DEVICES: readonly Mistake[] = [
  [
    'a line break in a label',
    `POST /api/device/${TWO}/`,
    { locationoverride: 'A\n2' },
    400,
    `/locationoverride: ${CONTROL}`,
  ],
  [
    'a tab in a label',
    'POST /api/devices/',
    { deviceid: TWO, command: 'location', line1: 'A\t2' },
    400,
    `/line1: ${CONTROL}`,
  ],
  ['a NUL in the label of an address', `GET /api/${TWO}/location/A%002/`, undefined, 400, 'control character'],
  [
    'a line break in the label of a new device',
    'POST /api/device/',
    { deviceid: '51D0AB:0000EE', label: 'A\n3' },
    400,
    `/label: ${CONTROL}`,
  ],
  [
    'a line break in an alias',
    'POST /api/location-aliases/',
    { name: 'A\n1', deviceid: ONE, deviceIs: 'Below' },
    400,
    `/name: ${CONTROL}`,
  ],
  [
    'a line break in the id of a sequence',
    'POST /api/sequence/',
    { ...steps({}), sequenceid: 'S\r\n1' },
    400,
    `/sequenceid: ${CONTROL}`,
  ],
  [
    'a line break in the name of a rack',
    'POST /api/map/racks/',
    { name: 'A\nB', columns: 3 },
    400,
    `/name: ${CONTROL}`,
  ],
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
    '/colour: There is no such field. Did you mean color?',
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
  [
    'a misspelled field of a step',
    'POST /api/sequence/',
    steps({ lin1: 'x' }),
    201,
    '/steps/0/lin1: There is no such field. Did you mean line1?',
  ],
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
  ['a trailing comma', 'POST /api/orders/', '{"order_number":"C",}', 400, 'remove the comma before this }', JSON_TYPE],
  [
    'a trailing comma in a list',
    'POST /api/orders/',
    '{"items":[1,]}',
    400,
    'remove the comma before this ]',
    JSON_TYPE,
  ],
  [
    'a comment',
    'POST /api/orders/',
    '{"order_number":"C", // the number\n"items":[]}',
    400,
    'JSON has no comments',
    JSON_TYPE,
  ],
  ['a comment of C', 'POST /api/orders/', '/* order */ {"order_number":"C"}', 400, 'JSON has no comments', JSON_TYPE],
  ['a comment of Python', 'POST /api/orders/', '{"order_number":"C" # one\n}', 400, 'JSON has no comments', JSON_TYPE],
  [
    'None of Python',
    'POST /api/orders/',
    '{"order_number":None}',
    400,
    'only true, false and null, in lower case',
    JSON_TYPE,
  ],
  [
    'True of Python',
    'POST /api/orders/',
    '{"scan_required":True}',
    400,
    'only true, false and null, in lower case',
    JSON_TYPE,
  ],
  ['NaN', 'POST /api/orders/', '{"priority":NaN}', 400, 'only true, false and null, in lower case', JSON_TYPE],
  ['single quotes', 'POST /api/orders/', "{'order_number':'C'}", 400, 'texts and names need double quotes', JSON_TYPE],
  ['quotes of Word', 'POST /api/orders/', '{“order_number”:1}', 400, 'texts and names need double quotes', JSON_TYPE],
  [
    'names without quotes',
    'POST /api/orders/',
    '{order_number:"C"}',
    400,
    'texts and names need double quotes',
    JSON_TYPE,
  ],
  [
    'an invisible blank',
    'POST /api/orders/',
    '{"order_number":\u00a0"C"}',
    400,
    'an invisible character, U+00A0',
    JSON_TYPE,
  ],
  ['an object of PowerShell', 'POST /api/orders/', '@{order_number=7}', 400, 'ConvertTo-Json', JSON_TYPE],
  ['the type of an object', 'POST /api/orders/', 'System.Collections.Hashtable', 400, 'ConvertTo-Json', JSON_TYPE],
  ['an object of JavaScript', 'POST /api/orders/', '[object Object]', 400, 'JSON.stringify', JSON_TYPE],
  ['a form as JSON', 'POST /api/orders/', 'order_number=7', 400, 'it looks like a form', JSON_TYPE],
  ['XML as JSON', 'POST /api/orders/', '<order/>', 400, 'it looks like XML', JSON_TYPE],
  ['JSON that was encoded twice', 'POST /api/orders/', '"{}"', 400, 'This has to be an object.', JSON_TYPE],
  [
    'a field given twice',
    'POST /api/orders/',
    '{"order_number":"C","items":[],"items":[]}',
    400,
    '/items: This name appears twice',
    JSON_TYPE,
  ],
  [
    'a field of a list given twice',
    'POST /api/devices/',
    `[{"deviceid":"${ONE}","line1":"x","line1":"y"}]`,
    400,
    '/0/line1: This name appears twice',
    JSON_TYPE,
  ],
  [
    'a field given twice in XML',
    `POST /api/device/${ONE}/`,
    '<command><line1>x</line1><line1>y</line1></command>',
    400,
    '/line1: This must be text.',
    XML,
  ],
  [
    'an option in a form of its own',
    'POST /api/imports/',
    formOf('name="file"; filename="a.csv"', 'name="encoding"'),
    400,
    'The form has the field "encoding", which is not read.',
    FORM,
  ],
  [
    'two files in a form',
    'POST /api/imports/',
    formOf('name="file"; filename="a.csv"', 'name="file"; filename="b.csv"'),
    400,
    'Send one file in each request.',
    FORM,
  ],
  [
    'an option of a file given twice',
    'POST /api/imports/?encoding=utf-8&encoding=utf-16',
    'a;b',
    400,
    '/encoding: This query parameter is given twice.',
    { 'content-type': 'text/csv' },
  ],
  ['two objects', 'POST /api/orders/', '{}{}', 400, 'something follows the end of the body', JSON_TYPE],
  [
    'a body that was cut',
    'POST /api/orders/',
    '{"order_number":"C"',
    400,
    'the body ends before the end of an object',
    JSON_TYPE,
  ],
  ['a line break in a text', 'POST /api/orders/', '{"order_number":"a\nb"}', 400, 'write \\n', JSON_TYPE],
  [
    'a single backslash',
    'POST /api/orders/',
    '{"order_number":"C:\\parts"}',
    400,
    'write \\\\ for a backslash',
    JSON_TYPE,
  ],
  ['JSON as XML', 'POST /api/orders/', '{}', 400, 'The body is not XML', XML],
  ['XML that was cut', 'POST /api/orders/', '<order><order_number>1', 400, 'The body is not XML', XML],
  [
    'Latin-1 without a charset',
    'POST /api/orders/',
    Buffer.from('{"order_number":"B\xfcr"}', 'latin1'),
    400,
    'is not UTF-8',
    JSON_TYPE,
  ],
  [
    'an unknown charset',
    'POST /api/orders/',
    '{}',
    415,
    '"utf-7" is not supported',
    { 'content-type': 'application/json; charset=utf-7' },
  ],
  ['no content type', 'POST /api/orders/', Buffer.from('{}'), 415, 'The body has no content type.', {}],
  ['text', 'POST /api/orders/', '{}', 415, 'Send application/json', { 'content-type': 'text/plain' }],
  [
    'CSV',
    'POST /api/orders/',
    'order_number\n1',
    415,
    'Files of orders go to POST /api/imports/.',
    { 'content-type': 'text/csv' },
  ],
  [
    'an import without columns',
    'POST /api/imports/',
    'a;b',
    400,
    'No column names were found.',
    { 'content-type': 'text/csv' },
  ],
  [
    'a body that is not compressed',
    'POST /api/orders/',
    '{}',
    400,
    'cannot be read',
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
  ],
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

const PATHS: readonly Mistake[] = [
  [
    'a number with a slash',
    'GET /api/orders/SO/1/',
    undefined,
    404,
    'write each slash in it as %2F: /api/orders/SO%2F1/',
  ],
  ['the same, launched', 'POST /api/orders/SO/1/launch/', undefined, 404, "the order's id instead of its number"],
  ['an empty variable', 'POST /api/orders//launch/', undefined, 404, 'is a variable of your program empty?'],
  ['a template', 'POST /api/orders/{order_number}/launch/', undefined, 404, 'There is no order {order_number}.'],
  ['no number', 'POST /api/orders/null/abort/', undefined, 404, 'There is no order null.'],
  ['a bare %', 'GET /api/orders/50%/', undefined, 400, 'Write % as %25.'],
  ['%zz', 'GET /api/orders/%zz/', undefined, 400, 'Write % as %25.'],
  ['Latin-1 in the address', 'GET /api/orders/B%FCr/', undefined, 400, 'an ü is %C3%BC'],
  ['capitals', 'GET /api/Orders/', undefined, 404, 'Did you mean /api/orders/?'],
  ['one order', 'GET /api/order/M-1/', undefined, 404, 'Did you mean /api/orders/M-1/?'],
  ['a version', 'GET /api/v1/orders/', undefined, 404, 'Did you mean /api/orders/?'],
  ['no /api', 'POST /orders/', order(), 404, 'Did you mean /api/orders/?'],
  [
    'a page instead of data',
    'GET /orders',
    undefined,
    404,
    'Did you mean /api/orders/?',
    { accept: 'application/json' },
  ],
  ['a slash too many', 'GET /api/openapi.json/', undefined, 404, 'Did you mean /api/openapi.json?'],
  ['launching a sequence as an order', 'POST /api/sequence/M/launch/', undefined, 404, 'GET /api/launchsequence/M/'],
  ['launching a sequence by POST', 'POST /api/launchsequence/M/', undefined, 405, 'Possible: GET.'],
  [
    'a label instead of a DeviceID',
    'POST /api/device/A-1/',
    { line1: 'x' },
    404,
    'For a label or an alias, send "location" to POST /api/devices/.',
  ],
  [
    'a DeviceID with a hyphen',
    'POST /api/device/51D000-000001/',
    { line1: 'x' },
    404,
    'A DeviceID is written as 51D000:000001.',
  ],
  ['reading all devices', 'GET /api/devices/', undefined, 405, 'Possible: POST, PUT.'],
  [
    'another method in a header',
    'POST /api/orders/M-1/',
    undefined,
    405,
    'Possible: GET, DELETE, PATCH',
    { 'x-http-method-override': 'DELETE' },
  ],
  ['POST of settings', 'POST /api/settings/', {}, 405, 'Possible: GET, PATCH'],
  ['DELETE of nothing', 'DELETE /api/orders/M-0/', undefined, 404, 'There is no order M-0.'],
  [
    'an alias by its name',
    'DELETE /api/location-aliases/A-1/',
    undefined,
    404,
    'There is no location alias A-1. GET /api/location-aliases/ lists them.',
  ],
];

const QUERIES: readonly Mistake[] = [
  ['the second page', 'GET /api/orders/?page=2', undefined, 400, 'the header Link has the next page'],
  ['an offset', 'GET /api/orders/?offset=100', undefined, 400, 'with limit and after'],
  [
    'an order',
    'GET /api/orders/?sort=priority',
    undefined,
    400,
    'Known: after, attention, limit, picker, state, updated_after.',
  ],
  ['a list in brackets', 'GET /api/orders/?state[]=open', undefined, 400, 'Did you mean state?'],
  ['several states', 'GET /api/orders/?state=open,aborted', undefined, 400, 'Use one of open, in_progress'],
  ['an empty filter', 'GET /api/orders/?state=', undefined, 400, 'Use one of open, in_progress'],
  ['no limit', 'GET /api/orders/?limit=0', undefined, 400, 'The smallest value is 1.'],
  ['every one', 'GET /api/history/?limit=99999', undefined, 400, 'The largest value is 1000.'],
  [
    'a + in a time',
    'GET /api/history/?from=2026-11-26T10:00:00+01:00',
    undefined,
    400,
    'write the + before the zone as %2B',
  ],
  [
    'the same in a deletion',
    'DELETE /api/orders/?state=fulfilled&ended_before=2026-11-26T10:00:00+01:00',
    undefined,
    400,
    'as %2B',
  ],
  ['no zone', 'GET /api/orders/?updated_after=2026-11-26T10:00:00', undefined, 400, 'as ISO 8601 with its zone'],
  ['seconds since 1970', 'GET /api/orders/?updated_after=1764150000', undefined, 400, 'as ISO 8601 with its zone'],
  [
    'an end before the begin',
    'GET /api/history/?from=2026-11-27T00:00:00Z&to=2026-11-26T00:00:00Z',
    undefined,
    400,
    'This is before `from`.',
  ],
  ['deleting everything', 'DELETE /api/orders/', undefined, 400, 'Use one of fulfilled, aborted.'],
  [
    'deleting open orders',
    'DELETE /api/orders/?state=open&ended_before=2026-11-26T00:00:00Z',
    undefined,
    400,
    'Use one of fulfilled, aborted.',
  ],
  ['another name of q', 'GET /api/find/?query=x', undefined, 400, 'Did you mean q?'],
  ['strict without a value', `POST /api/device/${ONE}/?strict`, { line1: 'x' }, 400, 'Use one of 0, 1.'],
  ['strict, misspelled', 'POST /api/orders/?stict=1', order({ order_number: 'M-30' }), 400, 'Did you mean strict?'],
  [
    'a trial that does not exist',
    'POST /api/orders/?dry_run=1',
    order({ order_number: 'M-31' }),
    400,
    'There is no query parameter "dry_run".',
  ],
  ['options of a launch in the address', 'POST /api/orders/M-1/launch/?picker=bob', undefined, 400, 'Known: strict.'],
  ['failed callbacks', 'GET /api/callbacks/?state=failed', undefined, 400, 'Use one of pending, delivered, dead.'],
];

const NO_PARAMETER = 'There is no query parameter';
const OUTSIDE: readonly Mistake[] = [
  ['a parameter of a check', 'GET /healthz?x=1', undefined, 200, `${NO_PARAMETER} "x". It is ignored.`],
  ['a parameter of a document', 'GET /devices/openapi.json?tag=orders', undefined, 200, `${NO_PARAMETER} "tag".`],
  ['an option of an abort', 'POST /api/orders/M-1/abort/', { force: true }, 200, `/force: ${NO_FIELD}`],
  ['an option of a deletion', 'DELETE /api/orders/M-12/', { dry_run: true }, 204, `/dry_run: ${NO_FIELD}`],
  ['an option of a sign-out', 'POST /api/user/logout/', { all: true }, 401, ''],
  ['an option of a test', 'POST /api/callbacks/send/', { receiver: 'http' }, 200, `/receiver: ${NO_FIELD}`],
  [
    'the key of a deletion elsewhere',
    'DELETE /api/orders/M-11/',
    { key: 'mistake-1' },
    409,
    'The key mistake-1 was used for another request',
  ],
  ['too many requests', 'POST /api/devices/', Array.from({ length: 1_001 }, () => ({})), 400, 'Split a longer one'],
];
const unread = (name: string): Mistake => [
  `a key in the header ${name}`,
  `POST /api/device/${ONE}/`,
  { line1: 'x', nonce: 'unread' },
  200,
  `The header ${name.toLowerCase()} is not read, so a repetition would act again.`,
  { ...JSON_TYPE, [name]: 'k-1' },
];

const NO_KEY = { 'api-key': undefined };
const HEADERS: readonly Mistake[] = [
  ...[
    'Idempotency_Key',
    'X-Idempotency-Key',
    'IdempotencyKey',
    'Idempotency-Token',
    'Idempotence-Key',
    'Idemptency-Key',
  ].map(unread),
  [
    'the same in a deletion',
    'DELETE /api/orders/M-10a/',
    undefined,
    404,
    'There is no order M-10a.',
    { 'x-idempotency-key': 'k-2' },
  ],
  [
    'the same, strictly',
    'POST /api/orders/?strict=1',
    order({ order_number: 'M-41' }),
    400,
    'The header idempotencykey is not read',
    { ...JSON_TYPE, IdempotencyKey: 'k-3' },
  ],
  [
    'a condition by date',
    'PATCH /api/orders/M-1/',
    { priority: 2 },
    200,
    'The header If-Unmodified-Since is not checked.',
    { ...JSON_TYPE, 'if-unmodified-since': 'Thu, 26 Nov 2026 10:00:00 GMT' },
  ],
  [
    'creation only if there is none',
    'POST /api/orders/',
    order({ order_number: 'M-42' }),
    201,
    'The header If-None-Match is not checked.',
    { ...JSON_TYPE, 'if-none-match': '*' },
  ],
  ['no key', 'GET /api/orders/', undefined, 401, 'Send an API key in the header API-KEY', NO_KEY],
  ['a wrong key', 'GET /api/orders/', undefined, 401, 'This API key is unknown.', { 'api-key': 'wrong' }],
  ['a key in quotes', 'GET /api/orders/', undefined, 401, 'without quotes', { 'api-key': `"${API_KEY}"` }],
  ['a key after Bearer', 'GET /api/orders/', undefined, 401, 'without "Bearer"', { 'api-key': `Bearer ${API_KEY}` }],
  [
    'a key in X-API-KEY',
    'GET /api/orders/',
    undefined,
    401,
    'The header X-API-KEY is not read.',
    { ...NO_KEY, 'x-api-key': API_KEY },
  ],
  [
    'a key in the address',
    `GET /api/orders/?api_key=${API_KEY}`,
    undefined,
    401,
    'A key in the address is refused',
    NO_KEY,
  ],
  [
    'a key without Bearer',
    'GET /api/orders/',
    undefined,
    401,
    'Send "Bearer", a space and the key',
    { ...NO_KEY, authorization: API_KEY },
  ],
  [
    'Token instead of Bearer',
    'GET /api/orders/',
    undefined,
    401,
    'Send "Bearer", a space and the key',
    { ...NO_KEY, authorization: `Token ${API_KEY}` },
  ],
  [
    'an old token',
    'GET /api/orders/',
    undefined,
    401,
    'is unknown, or the token has expired',
    { ...NO_KEY, authorization: 'Bearer old' },
  ],
  [
    'a password',
    'GET /api/orders/',
    undefined,
    401,
    'the setting basic_auth is off',
    { ...NO_KEY, authorization: 'Basic YWRtaW46eA==' },
  ],
  [
    'an ended session',
    'GET /api/orders/',
    undefined,
    401,
    'This session has ended.',
    { ...NO_KEY, cookie: 'sessionid=old' },
  ],
  ['another page', 'GET /api/orders/', undefined, 403, 'cors_origins', { origin: 'http://shop.example' }],
  [
    'an empty Idempotency-Key',
    'POST /api/orders/',
    order({ order_number: 'M-40' }),
    400,
    'has to have 1 to 200 characters',
    { ...JSON_TYPE, 'idempotency-key': '' },
  ],
  [
    'an old ETag',
    'PATCH /api/orders/M-1/',
    { priority: 7 },
    412,
    'Read it again',
    { ...JSON_TYPE, 'if-match': '"old"' },
  ],
  [
    'an ETag in a call that cannot check it',
    'POST /api/orders/M-1/launch/',
    {},
    400,
    'cannot check the header If-Match, so nothing was done',
    { ...JSON_TYPE, 'if-match': '"old"' },
  ],
  [
    'an ETag in a deletion that cannot check it',
    'DELETE /api/orders/M-1/',
    undefined,
    400,
    'cannot check the header If-Match, so nothing was done',
    { 'if-match': '"old"' },
  ],
  [
    'a sign-in as a form',
    'POST /api/user/login/',
    'username=admin',
    415,
    'Send application/json',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  [
    'a sign-in with other names',
    'POST /api/user/login/',
    { user: 'admin', pass: 'x' },
    400,
    '/username: This is missing',
  ],
];

const OTHERS: readonly Mistake[] = [
  [
    'a device that no turbo has heard',
    'POST /api/orders/',
    order({ order_number: 'M-60' }, item({ deviceid: '51D000:00FFFF' })),
    201,
    '/items/0/deviceid: There is no device 51D000:00FFFF yet. The item lights nothing until there is one.',
  ],
  [
    'orders of a web shop',
    'POST /api/orders/',
    { orderNumber: '1', lineItems: [{ sku: 'x', qty: 1 }] },
    400,
    '/order_number: This is missing',
  ],
  ['a number like an id', 'POST /api/orders/', order({ order_number: 'id:1' }), 400, 'means the order with that id'],
  ['an order in an object', 'POST /api/orders/', { order: order() }, 400, '/order_number: This is missing'],
  [
    'a single item',
    'POST /api/orders/',
    { order_number: 'M-50', items: item() },
    400,
    '/items: This has to be an array.',
  ],
  [
    'an item without a name',
    'POST /api/orders/',
    order({}, { ordered_quantity: 1 }),
    400,
    'at least one of name, SKU and UPC',
  ],
  [
    'a decimal comma',
    'POST /api/orders/',
    order({}, item({ ordered_quantity: '2,5' })),
    400,
    '/items/0/ordered_quantity: This has to be a number.',
  ],
  [
    'a unit',
    'POST /api/orders/',
    order({}, item({ ordered_quantity: '2 pcs' })),
    400,
    '/items/0/ordered_quantity: This has to be a number.',
  ],
  ['a return', 'POST /api/orders/', order({}, item({ ordered_quantity: -1 })), 400, 'The smallest value is 0.'],
  [
    'a label as deviceid',
    'POST /api/orders/',
    order({}, item({ deviceid: 'A-1' })),
    400,
    'A DeviceID is two groups of six',
  ],
  [
    'a time without a zone',
    'POST /api/orders/',
    order({ due_time: '2026-11-26 10:00' }),
    400,
    '/due_time: Give the time as ISO 8601',
  ],
  [
    'a German date',
    'POST /api/orders/',
    order({ due_time: '26.11.2026' }),
    400,
    '/due_time: Give the time as ISO 8601',
  ],
  ['a priority in words', 'POST /api/orders/', order({ priority: 'high' }), 400, '/priority: This has to be a number.'],
  ['nobody as the picker', 'POST /api/orders/M-1/launch/', { picker: 'nobody' }, 400, 'There is no person nobody'],
  [
    'an item of another order',
    'POST /api/orders/M-1/items/999/confirm/',
    { quantity_fulfilled: 1 },
    404,
    'Order M-1 has no item 999.',
  ],
  [
    'seconds with a unit',
    `POST /api/device/${ONE}/`,
    { line1: 'x', seconds: '1 minute' },
    400,
    '/seconds: This has to be a number.',
  ],
  ['lines in a list', `POST /api/device/${ONE}/`, { line1: ['a', 'b'] }, 400, '/line1: This must be text.'],
  ['a list for one device', `POST /api/device/${ONE}/`, [{ line1: 'x' }], 400, 'This has to be an object.'],
  ['a line that is too long', `POST /api/device/${ONE}/`, { line1: 'x'.repeat(40) }, 200, 'was cut to'],
  [
    'a long barcode',
    `POST /api/device/${ONE}/`,
    { line1: 'x', barcode: 'x'.repeat(40) },
    400,
    'a cut code would scan as a different one',
  ],
  ['an unknown icon', `POST /api/device/${ONE}/`, { line1: 'x', icon: 'star' }, 400, 'Unknown icon "star".'],
  ['an empty line', `POST /api/device/${ONE}/`, { line1: '' }, 400, NOTHING],
  ['a list in an object', 'POST /api/devices/', { devices: [] }, 400, 'The request names no device.'],
  ['nothing acknowledged', `POST /api/device/${ONE}/acknowledge/`, {}, 400, '/command_id: This is missing'],
  [
    'a place that nobody has',
    'POST /api/sequence/',
    { sequenceid: 'P', steps: [{ order: 1, location: 'Z-9' }] },
    201,
    '/steps/0/location: No device is found at "Z-9" yet.',
  ],
  [
    'the same, launched',
    'GET /api/launchsequence/P/',
    undefined,
    409,
    '/steps/0/location: No device is found at "Z-9".',
  ],
  [
    'a device that nobody has',
    'POST /api/sequence/',
    { sequenceid: 'D', steps: [{ order: 1, device: '51D000:00FFFF' }] },
    201,
    'There is no device 51D000:00FFFF yet.',
  ],
  [
    'a step without an order',
    'POST /api/sequence/',
    { sequenceid: 'E', steps: [{ device: ONE }] },
    400,
    '/steps/0/order: This is missing',
  ],
  [
    'a field of an alias',
    'POST /api/location-aliases/',
    { name: 'Bin 1', deviceid: ONE, deviceIs: 'Below', colour: 'r' },
    201,
    `/colour: ${NO_FIELD}`,
  ],
  [
    'a direction',
    'POST /api/location-aliases/',
    { name: 'Bin 2', deviceid: ONE, deviceIs: 'left' },
    400,
    'Use one of: Above, Below',
  ],
  [
    'scopes instead of scope',
    'POST /api/api-users/',
    { name: 'erp', scopes: ['admin'] },
    201,
    `/scopes: ${NO_FIELD} Did you mean scope?`,
  ],
  [
    'an unknown scope',
    'POST /api/api-users/',
    { name: 'erp 2', scope: 'write' },
    400,
    'Use one of read, control, admin, turbo.',
  ],
  ['an unknown setting', 'PATCH /api/settings/', { callback_uri: 'http://x/' }, 400, `/callback_uri: ${NO_FIELD}`],
  [
    'a callback URL without http',
    'PATCH /api/settings/',
    { callback_url: 'localhost:8080' },
    400,
    'A URL starts with http:// or https://',
  ],
  [
    'a password in a URL',
    'PATCH /api/settings/',
    { callback_url: 'http://u:p@x/' },
    400,
    'Set user and password with their own settings',
  ],
  [
    'the label of another device',
    `POST /api/device/${TWO}/`,
    { locationoverride: 'a-1' },
    200,
    `${ONE} has the label "a-1" too.`,
  ],
  [
    'the label of another device for a new one',
    'POST /api/device/',
    { deviceid: '51D0AB:0000ED', label: 'A-1' },
    201,
    `${ONE} has the label "A-1" too.`,
  ],
  [
    'an alias named like the label of another device',
    'POST /api/location-aliases/',
    { name: 'A-1', deviceid: '51D0AB:0000ED', deviceIs: 'Below' },
    201,
    `${ONE} has the label "A-1". Now this location finds 51D0AB:0000ED instead`,
  ],
  [
    'an alias named like another device',
    'POST /api/location-aliases/',
    { name: ONE.toLowerCase(), deviceid: TWO, deviceIs: 'Below' },
    201,
    `${ONE} has the DeviceID "${ONE.toLowerCase()}". Now this location finds ${TWO} instead`,
  ],
  [
    'a label like an alias of another device',
    `POST /api/device/${TWO}/`,
    { locationoverride: 'A-1' },
    200,
    'An alias of 51D0AB:0000ED has the name "A-1" and is found first.',
  ],
];

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'B-1' });
});

afterAll(() => station.stop());

function sentOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

type Answered = { detail?: string; errors?: { path: string; message: string }[]; warnings?: string[] };

const ALL = [...ORDERS, ...DEVICES, ...BODIES, ...PATHS, ...QUERIES, ...OUTSIDE, ...HEADERS, ...OTHERS];

test.each(ALL)('%s: %s', async (what, request, sent, status, says, headers) => {
  const [method = '', path = ''] = request.split(' ');
  const type = sent === undefined || typeof sent === 'string' ? {} : JSON_TYPE;
  const all = { 'api-key': API_KEY, ...(headers ?? type) };
  const answer = await station.request(method, path, sent, sentOf(all));
  const { detail = '', errors = [], warnings = [] } = answer.body as Answered;
  expect(answer.status, `${what}: ${detail}`).toBe(status);
  const header = JSON.parse(answer.headers.get('x-pickstation-warnings') ?? '[]') as string[];
  const said =
    status < 300 ? [...warnings, ...header] : [detail, ...errors.map(({ path: at, message }) => `${at}: ${message}`)];
  if (says !== '') expect(said.join('\n')).toContain(says);
});

test('a filter in the body of a GET is ignored with a warning', async () => {
  const ask = (body: string) => {
    const headers = { 'api-key': API_KEY, ...JSON_TYPE, 'content-length': String(body.length) };
    return rawRequest(station.url, { path: '/api/order-progress/', headers, body });
  };
  expect((await ask('{"state":"open"}')).headers['x-pickstation-warnings']).toBe(
    '["The body is ignored: a GET reads only its address, such as ?limit=10."]',
  );
  expect((await ask('{}')).headers['x-pickstation-warnings']).toBeUndefined();
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
