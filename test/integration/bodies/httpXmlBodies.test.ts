import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { rawRequest, type RawAnswer } from '../../helpers/servers/rawHttp.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { readByRule } from '../../helpers/xmlRule.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
const XML = 'application/xml';
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterAll(() => station.stop());

function send(path: string, headers: Record<string, string>, body: string): Promise<RawAnswer> {
  return rawRequest(station.url, { method: 'POST', path, headers: { 'api-key': API_KEY, ...headers }, body });
}

function valueIn({ headers, text }: RawAnswer): unknown {
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  return readByRule(text).value;
}

const rack = `<rack><id>r</id><name>A</name><columns>2</columns><shelves><shelf><id>s</id><name>A-1</name></shelf></shelves></rack>`;

test.each<[status: number, method: string, path: string, json: unknown, xml: string]>([
  [
    200,
    'POST',
    PATH,
    { command: 'flash', line1: 'M8 < 20', quantity: 5 },
    '<device><command>flash</command><line1>M8 &lt; 20</line1><quantity>5</quantity></device>',
  ],
  [200, 'PUT', PATH, { statica: 'a', staticb: '' }, '<x><statica>a</statica><staticb/></x>'],
  [
    200,
    'POST',
    PATH,
    { statica: null, quantity: null },
    `<x ${XSI}><statica xsi:nil="true"/><quantity xsi:nil="true"/></x>`,
  ],
  [200, 'POST', PATH, { barcode: '0012', api: '2.0' }, '<x><barcode>0012</barcode><api>2.0</api></x>'],
  [200, 'POST', PATH, { command: 'kill' }, '<command><command>kill</command></command>'],
  [
    200,
    'POST',
    '/api/devices/',
    { deviceid: DEVICE, line1: 'x', nonce: '7' },
    `<device><deviceid>${DEVICE}</deviceid><line1>x</line1><nonce>7</nonce></device>`,
  ],
  [
    200,
    'POST',
    '/api/devices/',
    [{ deviceid: DEVICE, line1: 'x' }],
    `<devices><device><deviceid>${DEVICE}</deviceid><line1>x</line1></device></devices>`,
  ],
  [
    207,
    'POST',
    '/api/devices/',
    [{ location: 'nowhere', line1: 'x' }, { deviceid: DEVICE, seconds: '5', line1: 'y' }, {}],
    `<devices><device><location>nowhere</location><line1>x</line1></device><device><deviceid>${DEVICE}</deviceid><seconds>5</seconds><line1>y</line1></device><device/></devices>`,
  ],
  [200, 'POST', '/api/devices/', [], '<devices/>'],
  [
    200,
    'POST',
    '/api/preview/',
    { line1: 'x', voltage: null, scale: 2 },
    `<p ${XSI}><line1>x</line1><voltage xsi:nil="true"/><scale>2</scale></p>`,
  ],
  [
    201,
    'POST',
    '/api/map/racks/',
    { name: 'A', shelves: ['A-1'] },
    '<rack><name>A</name><shelves>A-1</shelves></rack>',
  ],
  [
    200,
    'PUT',
    '/api/map/',
    {
      racks: [{ id: 'r', name: 'A', columns: 2, shelves: [{ id: 's', name: 'A-1' }] }],
      places: [{ deviceid: DEVICE, shelf: 's', column: 1 }],
    },
    `<map><racks>${rack}</racks><places><place><deviceid>${DEVICE}</deviceid><shelf>s</shelf><column>1</column></place></places></map>`,
  ],
  [200, 'PUT', '/api/map/', { racks: [], places: [] }, '<map><racks/><places></places></map>'],
  [
    200,
    'PATCH',
    '/api/settings/',
    {
      default_seconds: 30,
      callback_verify: false,
      callback_families: { order: false },
      cors_origins: ['https://a.example'],
      callback_headers: { 'X-Shop': '1' },
    },
    '<s><default_seconds>30</default_seconds><callback_verify>false</callback_verify><callback_families><order>false</order></callback_families><cors_origins><i>https://a.example</i></cors_origins><callback_headers><X-Shop>1</X-Shop></callback_headers></s>',
  ],
  [
    200,
    'PATCH',
    '/api/settings/',
    { callback_password: null, cors_origins: [], callback_headers: {} },
    `<s ${XSI}><callback_password xsi:nil="true"/><cors_origins/><callback_headers/></s>`,
  ],
  [400, 'PATCH', '/api/settings/', { nothing: '1' }, '<s><nothing>1</nothing></s>'],
  [
    201,
    'POST',
    '/api/location-aliases/',
    { name: '4711', deviceid: DEVICE, deviceIs: 'above' },
    `<a><name>4711</name><deviceid>${DEVICE}</deviceid><deviceIs>above</deviceIs></a>`,
  ],
  [
    401,
    'POST',
    '/api/user/login/',
    { username: 'admin', password: 'wrong one' },
    '<login><username>admin</username><password>wrong one</password></login>',
  ],
  [
    201,
    'POST',
    '/api/users/',
    { username: 'Paula', password: '00000000001', role: 'picker' },
    '<u><username>Paula</username><password>00000000001</password><role>picker</role></u>',
  ],
  [200, 'POST', '/api/callbacks/replay/', { state: 'dead' }, '<r><state>dead</state></r>'],
  [201, 'POST', '/api/simulator/devices/', { count: 2, buttons: 3 }, '<s><count>2</count><buttons>3</buttons></s>'],
])('%i %s %s %j has the same meaning in XML', async (status, method, path, json, xml) => {
  const sent = async (body: string, type: string) => {
    await using own = await startTestStation({ simulate: 2, refreshMs: 0 });
    const headers = { 'api-key': API_KEY, 'content-type': type };
    const answer = await own.request(method, path, body, headers);
    const after: unknown[] = [];
    for (const each of [PATH, '/api/settings/', '/api/map/', '/api/location-aliases/']) after.push(await own.get(each));
    // Each station has a different port.
    const text = JSON.stringify({ status: answer.status, body: answer.body, after });
    return JSON.parse(text.replaceAll(own.url, 'http://station/')) as { status: number };
  };
  const [asJson, asXml] = [await sent(JSON.stringify(json), 'application/json'), await sent(xml, XML)];
  expect(asXml).toEqual(asJson);
  expect(asXml.status).toBe(status);
});

test('accepts every XML media type, in every charset accepted for bodies', async () => {
  const post = (type: string, body = '<x><statica>ä</statica></x>') => send(PATH, { 'content-type': type }, body);
  for (const type of [XML, 'text/xml', 'text/XML; charset="utf-8"', 'application/soap+xml;charset=UTF-8']) {
    expect((await post(type)).status, type).toBe(200);
    expect(await station.device(DEVICE)).toMatchObject({ statica: 'ä' });
  }
  expect((await post(XML, '\ufeff<?xml version="1.0" encoding="utf-8"?><x><statica>y</statica></x>')).status).toBe(200);
  for (const type of ['text/xml; charset=iso-8859-15', 'application/xml; charset=utf-7'])
    expect(await post(type), type).toMatchObject({
      status: 415,
      text: expect.stringContaining('Send UTF-8') as string,
    });
  for (const type of ['image/svg+xml', 'xml', 'text/plain'])
    expect(await post(type), type).toMatchObject({
      status: 415,
      text: expect.stringContaining('or application/xml') as string,
    });
  const declared = '<?xml version="1.0" encoding="ISO-8859-15"?><x><statica>z</statica></x>';
  expect(await post(XML, declared)).toMatchObject({ status: 415 });
  expect(await station.device(DEVICE)).toMatchObject({ statica: 'y' });
});

test('the formats of the request and the answer are independent', async () => {
  const xml = '<x><statica>both</statica></x>';
  const json = '{"statica":"both"}';
  for (const [type, body] of [
    [XML, xml],
    ['application/json', json],
  ] as const) {
    expect(valueIn(await send(PATH, { accept: XML, 'content-type': type }, body))).toMatchObject({
      deviceid: DEVICE,
      updated: ['statica'],
    });
    expect(JSON.parse((await send(PATH, { 'content-type': type }, body)).text)).toMatchObject({
      updated: ['statica'],
    });
  }
});

test('a user can sign in and read using only XML', async () => {
  const body = `<login><username>admin</username><password>${ADMIN_PASSWORD}</password></login>`;
  const login = await rawRequest(station.url, {
    method: 'POST',
    path: '/api/user/login/',
    headers: { accept: XML, 'content-type': XML },
    body,
  });
  const { token, apikey } = valueIn(login) as { token: string; apikey: string };
  expect(token).toMatch(/\S{16}/);
  const list = await rawRequest(station.url, { path: '/api/device/', headers: { accept: XML, 'api-key': apikey } });
  expect(valueIn(list)).toEqual([DEVICE, '51D000:000002']);
});

test('refuses a document type declaration without fetching what it refers to, and changes nothing', async () => {
  const outside = await startReceiver();
  onTestFinished(() => outside.stop());
  const before = await station.device(DEVICE);
  for (const type of [
    '<!DOCTYPE a [<!ENTITY x "y">]>',
    `<!DOCTYPE a SYSTEM "${outside.url}">`,
    `<!DOCTYPE a [<!ENTITY x SYSTEM "${outside.url}">]>`,
    `<!DOCTYPE a [<!ENTITY % y SYSTEM "${outside.url}"> %y;]>`,
  ]) {
    const answer = await send(PATH, { 'content-type': XML }, `${type}<a><statica>&x;</statica></a>`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'malformed',
      detail: expect.stringContaining('DTD') as string,
    });
  }
  expect(await station.device(DEVICE)).toEqual(before);
  expect(outside.connections()).toBe(0);
});

test('accepts a thousand elements in one call', async () => {
  const elements = Array.from(
    { length: 1_000 },
    (_, index) => `<device><deviceid>${DEVICE}</deviceid><statica>${index}</statica></device>`,
  );
  const body = `<devices>\n${elements.join('\n')}\n</devices>`;
  const answer = await send('/api/devices/', { accept: XML, 'content-type': XML }, body);
  expect(answer.status).toBe(200);
  expect(valueIn(answer)).toHaveLength(1_000);
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});
