import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchDocument, operations, responseOf } from '../../contract/documents.ts';
import { rawRequest, type RawAnswer } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { byTheRule, readByRule } from '../../helpers/xmlRule.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
const XML = 'application/xml';
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:9/', callback_headers: { 'X-Shop': '1' } });
  await station.post('/api/map/racks/', { name: 'A & B', shelves: ['A-1'] });
  await station.post('/api/location-aliases/', { name: 'A-2', deviceid: DEVICE, deviceIs: 'Below' });
  await station.post(PATH, { locationoverride: 'A-1', statica: ' <b>&amp;\r\n]]> ', quantity: 3 });
  await station.clock.advance(5_000);
  await station.press(DEVICE, 'front', 'long');
  await station.post(PATH, { line1: 'Schrauben 8×20 😀', quantity: 3, nonce: '\u001bn\u0000' });
  await station.clock.advance(5_000);
  await station.post(PATH, { line1: 'queued', seconds: 0 });
  await station.post('/api/boards/', { port: '/dev/ttyACM9', profile: 'generic' });
  await station.post('/api/location-aliases/import/', { csv: `deviceid,label\n${DEVICE},A-3` });
});

afterAll(() => station.stop());

function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string | Buffer,
): Promise<RawAnswer> {
  return rawRequest(station.url, {
    method,
    path,
    headers: { 'api-key': API_KEY, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** Checks the headers of an XML answer and returns its value. */
function valueIn(answer: RawAnswer): unknown {
  expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
  expect(answer.headers.vary?.toLowerCase()).toContain('accept');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  const { root, namespace, value } = readByRule(answer.text);
  expect({ root, namespace }).toEqual({ root: 'response', namespace: undefined });
  return value;
}

/** Returns the problem in an XML answer. */
function problemIn(answer: RawAnswer): unknown {
  expect(answer.headers['content-type']).toBe('application/problem+xml; charset=utf-8');
  expect(answer.headers.vary?.toLowerCase()).toContain('accept');
  const { root, namespace, value } = readByRule(answer.text);
  expect({ root, namespace }).toEqual({ root: 'problem', namespace: 'urn:ietf:rfc:7807' });
  expect(value).toMatchObject({ type: 'about:blank', status: String(answer.status) });
  return value;
}

describe('answers', () => {
  /** An existing value for each path parameter. */
  const EXAMPLES: Readonly<Record<string, string>> = {
    DeviceID: DEVICE,
    name: 'beep',
    SerialNo: 'SIM-1',
    command_id: '1',
    id: '1',
    command: 'message',
    texts: 'line1~line2',
    more_texts: 'line3',
    tune: 'none',
    seconds_color: '20rb',
    nonce: 'tx1',
    order_number: 'SO-1',
    seqID: 'round',
  };

  /** Paths that need a search text. */
  const SEARCHES: ReadonlySet<string> = new Set(['/api/find/', '/api/locate/']);

  /** Fields whose values depend on the machine, on other programs, or on the time. */
  const OF_NOW = new Set(['free_bytes', 'memory_bytes', 'uptime_s']);

  /** Returns the part of an answer that two calls share. Each GET that lights a device creates a new command. */
  function lasting(value: unknown, path: string): unknown {
    const read: unknown = JSON.parse(JSON.stringify(value), (name, part: unknown) => (OF_NOW.has(name) ? '' : part));
    if (path.includes('{command}')) return { ...(read as object), command_id: undefined };
    // The second call finds the sequence already launched, so only its warnings differ.
    return path.startsWith('/api/launchsequence/') ? { ...(read as object), warnings: undefined } : read;
  }

  test('every GET with a JSON answer has an equal answer in XML', async () => {
    const document = await fetchDocument(station, '/api/openapi.json');
    const gets = operations(document).filter(
      ({ method, operation }) =>
        method === 'GET' && responseOf(operation, 200, document)?.content?.['application/json'] !== undefined,
    );
    expect(gets.length).toBeGreaterThan(15);
    // Backup names contain the time, so create the example here.
    const backup = await station.post<{ name: string }>('/api/backups/');
    await station.post('/api/orders/', { order_number: 'SO-1', items: [{ SKU: 'CT-200', ordered_quantity: 2 }] });
    await station.post('/api/order-import/', { csv: 'order_number,SKU,ordered_quantity\nSO-2,CT-300,1\n' });
    await station.post('/api/articles/', { sku: 'CT-500', places: [{ location: 'Z-1', on_hand: 3 }] });
    const { id: cart } = await station.post<{ id: number }>('/api/carts/', { name: 'Cart 1', rows: 1, columns: 2 });
    const { id: wall } = await station.post<{ id: number }>('/api/walls/', { name: 'Wall 1', rows: 1, columns: 2 });
    await station.post('/api/orders/', { order_number: 'SO-4', items: [{ SKU: 'CT-500', ordered_quantity: 1 }] });
    const slots = [{ slot: 'A1', order_number: 'SO-4' }];
    const batch = await station.post<{ id: number }>('/api/batches/', { mode: 'cart', cart, slots });
    const csv = 'order_number,SKU,ordered_quantity\nSO-3,CT-400,many\n';
    const preview = await station.post<{ id: number }>('/api/imports/', { csv, dry_run: true });
    await station.post(`/api/imports/${preview.id}/run/`, {});
    const [draft] = await station.get<{ id: number }[]>('/api/import-drafts/');
    await station.post('/api/sequence/', { sequenceid: 'round', steps: [{ order: 1, device: DEVICE, line1: 'x' }] });
    await station.request('PATCH', '/api/settings/', { callback_url: 'http://receiver.invalid/' });
    await station.press('51D000:000002', 'front', 'long');
    const rack = { name: 'A', columns: 2, shelves: ['1'] };
    const { id: rackId } = await station.post<{ id: string }>('/api/map/racks/', rack);
    const zone = await station.post<{ id: string }>('/api/map/zones/', { name: 'Aisle 1', racks: [rackId] });
    const further = { name: 'Booking', url: 'http://booking.invalid/' };
    const receiver = await station.post<{ id: string }>('/api/callback-receivers/', further);
    const [delivery] = await station.get<{ id: string }[]>('/api/callbacks/');
    const [logged] = await station.get<{ id: string }[]>('/api/requests/?limit=1');
    const examplesBelow: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
      '/api/articles/': { sku: 'CT-500' },
      '/api/batches/': { id: String(batch.id) },
      '/api/carts/': { id: String(cart) },
      '/api/walls/': { id: String(wall) },
      '/api/backups/': { name: backup.name },
      '/api/callback-receivers/': { id: receiver.id },
      '/api/callbacks/': { id: delivery?.id },
      '/api/history/batches/': { id: String(batch.id) },
      '/api/history/deliveries/': { id: delivery?.id },
      '/api/import-drafts/': { id: String(draft?.id) },
      '/api/map/racks/': { id: rackId },
      '/api/map/zones/': { id: zone.id },
      '/api/requests/': { id: logged?.id },
    };
    const examplesOf = (path: string): Readonly<Record<string, string | undefined>> =>
      Object.entries(examplesBelow).find(([start]) => path.startsWith(start))?.[1] ?? EXAMPLES;
    for (const { path } of gets) {
      // Searching other stations needs a broker, so skip it.
      if (path.endsWith('openapi.json') || path === '/api/fleet/find/') continue;
      const examples = examplesOf(path);
      const wanted = SEARCHES.has(path) ? `${path}?q=CT-200` : path;
      const filled = wanted.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples[name] ?? `no example of ${name}`);
      const json = await ask(filled);
      expect(json, path).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
      const xml = await ask(filled, { accept: XML });
      expect(xml.status).toBe(200);
      expect(lasting(valueIn(xml), path), path).toEqual(lasting(byTheRule(JSON.parse(json.text)), path));
    }
  });

  test('a field is an element, a list contains <i> elements, and null is nil', async () => {
    const { text } = await ask('/api/device/', { accept: XML });
    expect(text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<response><i>51D000:000001</i><i>51D000:000002</i></response>\n',
    );
    const device = await ask(PATH, { accept: 'text/xml' });
    expect(device.text).toContain(`<response ${XSI}>`);
    expect(device.text).toMatch(/<commands><i><command_id>\d+<\/command_id>/);
    expect(device.text).toContain('<nonce>\ufffdn\ufffd</nonce>');
    expect(device.text).toContain('<line1>Schrauben 8×20 😀</line1>');
  });

  test('HEAD returns the headers of GET', async () => {
    const get = await ask('/api/device/', { accept: XML });
    const head = await ask('/api/device/', { accept: XML }, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    for (const name of ['content-type', 'content-length', 'vary'])
      expect(head.headers[name], name).toBe(get.headers[name]);
  });

  test('JSON is the default, even for browsers, and answers vary by Accept', async () => {
    for (const accept of [
      undefined,
      '*/*',
      'application/json, application/xml',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ]) {
      const answer = await ask('/api/device/', accept === undefined ? {} : { accept });
      expect(answer.headers['content-type'], accept).toBe('application/json; charset=utf-8');
      expect(answer.headers.vary?.toLowerCase(), accept).toContain('accept');
      expect(JSON.parse(answer.text)).toHaveLength(2);
    }
  });

  test('pictures, files, the event stream and tokens keep their format', async () => {
    for (const [path, type] of [
      [`${PATH}screen/`, 'image/png'],
      ['/api/openapi.json', 'application/json; charset=utf-8'],
      ['/api/location-aliases/export/', 'text/csv; charset=utf-8'],
    ] as const) {
      const [plain, asked] = [await ask(path), await ask(path, { accept: XML })];
      expect(asked.headers['content-type'], path).toBe(type);
      expect(asked.text === plain.text, path).toBe(true);
    }
    const stream = await fetch(`${station.url}api/events/`, { headers: { 'api-key': API_KEY, accept: XML } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await stream.body?.cancel();
    const token = await ask(
      '/api/oauth/token/',
      { accept: XML, 'content-type': 'application/x-www-form-urlencoded' },
      'POST',
      'grant_type=client_credentials&client_id=x&client_secret=y',
    );
    expect(token).toMatchObject({ status: 401, headers: { 'content-type': 'application/json; charset=utf-8' } });
  });

  test('a picture is sent if the caller prefers it to XML', async () => {
    const body = '{"line1":"x"}';
    const look = async (accept: string) =>
      (await ask('/api/preview/', { accept, 'content-type': 'application/json' }, 'POST', body)).headers[
        'content-type'
      ];
    expect(await look('image/png, application/xml;q=0.5')).toBe('image/png');
    expect(await look('application/xml, image/png;q=0.5')).toBe('application/xml; charset=utf-8');
    expect(await look(XML)).toBe('application/xml; charset=utf-8');
  });

  test('an answer without content is also empty in XML', async () => {
    const { apikey } = await openSession(station);
    const headers = { accept: XML, 'content-type': XML, 'api-key': apikey };
    const answer = await ask('/api/user/logout/', headers, 'POST');
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers['content-type']).toBeUndefined();
  });
});

describe('problems', () => {
  test('of every kind are in XML if the caller asks for XML', async () => {
    for (const [status, code, method, path, headers, body] of [
      [400, 'malformed', 'POST', PATH, { 'content-type': XML }, '<a><b></a>'],
      [400, 'malformed', 'POST', PATH, { 'content-type': 'application/json' }, '{'],
      [400, 'malformed', 'POST', PATH, { 'content-type': XML }, undefined],
      [400, 'invalid', 'POST', PATH, { 'content-type': XML }, '<a><command>blink</command></a>'],
      [401, 'unauthenticated', 'GET', PATH, { 'api-key': 'wrong' }, undefined],
      [403, 'foreign_origin', 'GET', PATH, { origin: 'https://evil.example' }, undefined],
      [404, 'not_found', 'GET', '/api/nothing/', {}, undefined],
      [404, 'not_found', 'GET', '/api/device/FFFFFF:FFFFFF/', {}, undefined],
      [404, 'missing_trailing_slash', 'GET', '/api/device', {}, undefined],
      [405, 'method_not_allowed', 'PATCH', '/api/devices/', {}, undefined],
      [413, 'too_large', 'POST', PATH, { 'content-type': XML }, `<a>${' '.repeat(1024 * 1024)}</a>`],
      [415, 'unsupported_media_type', 'POST', PATH, { 'content-type': 'text/plain' }, '<a/>'],
      [415, 'unsupported_media_type', 'POST', PATH, { 'content-type': 'text/xml; charset=iso-8859-15' }, '<a/>'],
      [421, 'foreign_host', 'GET', PATH, { host: 'evil.example' }, undefined],
    ] as const) {
      const answer = await ask(path, { accept: 'text/xml', ...headers }, method, body);
      expect(answer.status, code).toBe(status);
      expect(problemIn(answer)).toMatchObject({ code });
      const json = JSON.parse((await ask(path, { ...headers }, method, body)).text) as unknown;
      expect(problemIn(answer)).toEqual(byTheRule(json));
    }
  });

  test('name the invalid field', async () => {
    const body =
      '<devices><device><line1>x</line1></device><device><deviceid/><seconds>soon</seconds></device></devices>';
    const answer = await ask('/api/devices/', { accept: XML, 'content-type': XML }, 'POST', body);
    expect(answer.status).toBe(207);
    const invalid = await ask(
      '/api/map/racks/',
      { accept: XML, 'content-type': XML },
      'POST',
      '<r><columns>x</columns></r>',
    );
    expect(problemIn(invalid)).toMatchObject({
      code: 'invalid',
      errors: expect.arrayContaining([expect.objectContaining({ path: '/columns' })]) as unknown,
    });
  });
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});
