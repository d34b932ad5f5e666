import { addArticle, articlePath } from '../../helpers/articles.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FoundThing } from '#shared/api/find.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const THREE = '51D000:000003';

let station: TestStation & AsyncDisposable;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
});

afterEach(() => station.stop());

const find = (q: string) => station.get<FoundThing[]>(`/api/find/?q=${encodeURIComponent(q)}`);
const kindsOf = (found: readonly FoundThing[]) => found.map(({ kind, matched }) => `${kind} ${matched}`);
const change = (deviceId: string, body: object) => station.post(`/api/device/${deviceId}/`, body);

async function addOrder(number: string, items: readonly object[]): Promise<void> {
  await station.post('/api/orders/', { order_number: number, items });
}

test('finds every visible field and its place', async () => {
  await change(ONE, { locationoverride: 'A-4-2', statica: 'Wing nut M5' });
  await change(TWO, { line1: 'Hex bolt', line2: 'galvanised', seconds: 0 });
  const { id } = await station.post<{ id: number }>('/api/location-aliases/', {
    name: 'Rotunda 7',
    deviceid: TWO,
    deviceIs: 'Below',
  });
  expect(id).toBeGreaterThan(0);
  await station.post('/api/sequence/', { sequenceid: 'aisle-round', steps: [{ order: 0, device: ONE, line1: 'x' }] });
  await addOrder('SO-10418', [
    {
      name: 'Cable tie 200',
      SKU: 'CT-200',
      UPC: '4006381333931',
      description: 'nylon, black',
      ordered_quantity: 1,
      warehouse_location: 'A-4-2',
    },
  ]);
  const item = { kind: 'item', order_number: 'SO-10418', deviceid: ONE, location: 'A-4-2' };
  expect(await find('a-4')).toEqual([
    { kind: 'device', deviceid: ONE, location: 'A-4-2', text: 'A-4-2', matched: 'label' },
  ]);
  expect(await find('000003')).toEqual([{ kind: 'device', deviceid: THREE, text: THREE, matched: 'deviceid' }]);
  expect(await find('wing')).toEqual([
    { kind: 'device', deviceid: ONE, location: 'A-4-2', text: 'Wing nut M5', matched: 'static' },
  ]);
  expect(await find('GALVAN')).toEqual([{ kind: 'device', deviceid: TWO, text: 'galvanised', matched: 'lit' }]);
  expect(await find('rotunda')).toEqual([
    { kind: 'location', deviceid: TWO, location: 'Rotunda 7', text: 'Rotunda 7', matched: 'alias' },
  ]);
  expect(await find('round')).toEqual([
    { kind: 'sequence', sequenceid: 'aisle-round', text: 'aisle-round', matched: 'sequence' },
  ]);
  expect(await find('10418')).toEqual([
    { kind: 'order', order_number: 'SO-10418', text: 'SO-10418', matched: 'order_number' },
  ]);
  expect(await find('ct-2')).toEqual([{ ...item, text: 'CT-200 · Cable tie 200', matched: 'sku' }]);
  expect(await find('4006381')).toEqual([{ ...item, text: '4006381333931 · Cable tie 200', matched: 'upc' }]);
  expect(await find('tie 200')).toEqual([{ ...item, text: 'Cable tie 200', matched: 'name' }]);
  expect(await find('nylon')).toEqual([{ ...item, text: 'nylon, black', matched: 'description' }]);
});

test('"Cable" finds a cable tie in an order, on a lit screen and in a static', async () => {
  await change(ONE, { statica: 'Cable tie 100' });
  await change(TWO, { line1: 'Black', line2: 'Cable tie 200', seconds: 0 });
  await addOrder('1', [{ name: 'Cable tie 300', ordered_quantity: 1, deviceid: THREE }]);
  expect(kindsOf(await find('Cable'))).toEqual(['device static', 'device lit', 'item name']);
});

test('each search includes the latest commit', async () => {
  expect(await find('cable')).toEqual([]);
  await change(ONE, { statica: 'cable' });
  await change(TWO, { line1: 'cable', nonce: 'n', seconds: 0 });
  await addOrder('cable-1', [{ name: 'cable', ordered_quantity: 1, deviceid: THREE }]);
  await station.post('/api/sequence/', { sequenceid: 'cable', steps: [{ order: 0, device: ONE, line1: 'x' }] });
  const { id } = await station.post<{ id: number }>('/api/location-aliases/', {
    name: 'cable',
    deviceid: ONE,
    deviceIs: 'Below',
  });
  const all = ['device static', 'device lit', 'location alias', 'sequence sequence', 'item name', 'order order_number'];
  expect(kindsOf(await find('cable'))).toEqual(all);

  await change(ONE, { statica: '', locationoverride: 'cable' });
  await station.post('/api/orders/cable-1/launch/');
  await station.request('DELETE', `/api/location-aliases/${id}/`);
  await station.request('DELETE', '/api/sequence/cable/');
  const found = await find('cable');
  expect(kindsOf(found)).toEqual(['device lit', 'device lit', 'device label', 'item name', 'order order_number']);
  expect(found.slice(0, 3).map(({ deviceid }) => deviceid)).toEqual([TWO, THREE, ONE]);

  await station.clock.advance(5_000);
  await station.press(TWO);
  await station.press(THREE);
  for (const deviceId of [TWO, THREE]) expect((await station.device(deviceId)).commands).toEqual([]);
  await station.request('DELETE', '/api/orders/cable-1/');
  expect(kindsOf(await find('cable'))).toEqual(['device label']);

  await addOrder('cable-1', [{ name: 'screw', ordered_quantity: 1, deviceid: THREE }]);
  expect(kindsOf(await find('cable'))).toEqual(['device label', 'order order_number']);
  await station.request('DELETE', `/api/device/${ONE}/`);
  expect(kindsOf(await find('cable'))).toEqual(['order order_number']);
});

test('finds the lines of a replaced order, and lines that were added and changed', async () => {
  await addOrder('again', [{ name: 'screw', ordered_quantity: 1, deviceid: ONE }]);
  expect(await find('screw')).toHaveLength(1);
  const items = [{ name: 'washer', ordered_quantity: 1, deviceid: ONE }];
  await station.request('PUT', '/api/orders/again/', { items });
  expect([await find('screw'), kindsOf(await find('washer'))]).toEqual([[], ['item name']]);
  const { id } = await station.post<{ id: number }>('/api/orders/again/items/', { name: 'rivet', ordered_quantity: 1 });
  expect(kindsOf(await find('rivet'))).toEqual(['item name']);
  await station.patch(`/api/orders/again/items/${id}/`, { name: 'bolt' });
  expect([await find('rivet'), kindsOf(await find('bolt'))]).toEqual([[], ['item name']]);
});

test('finds a replaced or moved command in its current state', async () => {
  await find('xx');
  await change(ONE, { line1: 'old text', nonce: 'n', seconds: 0 });
  await find('xx');
  await change(ONE, { line1: 'new text', nonce: 'n', seconds: 0 });
  expect(await find('old text')).toEqual([]);
  expect((await find('new text'))[0]?.deviceid).toBe(ONE);
  await station.post('/api/device/', { deviceid: '51D000:00000A', buttons: 1 });
  await station.post(`/api/device/${ONE}/replace/`, { deviceid: '51D000:00000A' });
  expect((await find('new text')).map(({ deviceid }) => deviceid)).toEqual(['51D000:00000A']);
});

test('finds changes even if they exceed one read, and finds them again after a restart', async () => {
  await find('xx');
  const orders = Array.from({ length: 70 }, (_, index) => `bulk-${index}`);
  for (const number of orders)
    await addOrder(number, [{ name: `Article ${number}`, ordered_quantity: 1, deviceid: ONE }]);
  const found = await find('bulk');
  expect(found).toHaveLength(50);
  expect(found[0]).toMatchObject({ kind: 'order', text: 'bulk-69' });
  expect(found.filter(({ kind }) => kind === 'item')).toHaveLength(8);
  await station.restart();
  expect(await find('bulk')).toEqual(found);
});

test('special characters match literally', async () => {
  const odd = ['50 % off', 'a_b', 'x*y', 'it\'s "new"', '🔩 nut', 'Größe', 'back\\slash', '<b>&amp;'];
  await addOrder(
    '1',
    odd.map((name) => ({ name, ordered_quantity: 1, deviceid: ONE })),
  );
  const asked = { '0 %': 0, a_: 1, '*y': 2, '"new': 3, '🔩 n': 4, GRÖSSE: 5, '\\s': 6, '<b>&': 7 };
  for (const [q, index] of Object.entries(asked)) {
    expect(
      (await find(q)).map(({ text }) => text),
      q,
    ).toEqual([odd[index]]);
  }
  for (const q of ['%%', '__', '**', "' OR 1=1 --", 'NEAR(', '""']) expect(await find(q), q).toEqual([]);
});

test('accepts search texts of 2 to 400 characters, and refuses other lengths', async () => {
  const statusOf = async (query: string) => (await station.request('GET', `/api/find/${query}`)).status;
  for (const query of ['', '?q=', '?q=a', '?q=%20a%20', `?q=${'a'.repeat(401)}`]) {
    expect(await statusOf(query), query.slice(0, 20)).toBe(400);
  }
  for (const query of ['?q=ab', `?q=${'a'.repeat(400)}`]) expect(await statusOf(query)).toBe(200);
});

test('searching requires the right to read', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await station.request('GET', '/api/find/?q=ab', undefined, headers)).status;
  expect(await ask({})).toBe(401);
  const keyOf = async (scope: string) =>
    (await station.post<{ api_key: string }>('/api/api-users/', { name: scope, scope })).api_key;
  expect(await ask({ 'api-key': await keyOf('read') })).toBe(200);
  expect(await ask({ 'api-key': await keyOf('turbo') })).toBe(403);
});

test('removed items do not hide other results', async () => {
  const MANY = 55;
  await change(ONE, { line1: 'bolt', seconds: 0 });
  await station.post('/api/device/', { deviceid: '51D000:000100', buttons: 1, label: 'nut' });
  const ids: string[] = [];
  const registered = Array.from({ length: MANY }, (_, index) => `51D000:${200 + index}000`.slice(0, 13));
  for (const [index, deviceid] of registered.entries()) {
    const { command_id: id } = await station.post<{ command_id: string }>(`/api/device/${TWO}/`, {
      line1: 'bolt',
      nonce: `n${index}`,
      seconds: 0,
    });
    ids.push(id);
    await station.post('/api/device/', { deviceid, buttons: 1, label: 'nut' });
  }
  await find('bolt');
  for (const id of ids) await station.post(`/api/device/${TWO}/acknowledge/`, { command_id: id });
  for (const deviceid of registered) await station.request('DELETE', `/api/device/${deviceid}/`);
  expect((await find('bolt')).map(({ deviceid }) => deviceid)).toEqual([ONE]);
  expect((await find('nut')).map(({ deviceid }) => deviceid)).toEqual(['51D000:000100']);
});

test('finds an item without a name by its SKU', async () => {
  await addOrder('1', [{ SKU: 'X-100', ordered_quantity: 1 }]);
  expect(await find('x-1')).toEqual([{ kind: 'item', order_number: '1', text: 'X-100', matched: 'sku' }]);
});

test('finds articles by SKU, name, description and barcodes, but not hidden or removed ones', async () => {
  const barcodes = [{ code: '4006381333931' }, { code: 'BOX-77', quantity: 12 }];
  await addArticle(station, 'ZT-200', [], { name: 'Zip tie', description: 'very black', barcodes });
  const found = { kind: 'article', sku: 'ZT-200' };
  expect(await find('zt-200')).toEqual([{ ...found, text: 'ZT-200 · Zip tie', matched: 'sku' }]);
  expect(await find('zip')).toEqual([{ ...found, text: 'Zip tie', matched: 'name' }]);
  expect(await find('very bl')).toEqual([{ ...found, text: 'very black', matched: 'description' }]);
  expect(await find('4006381333931')).toEqual([{ ...found, text: '4006381333931 · Zip tie', matched: 'upc' }]);
  expect(await find('box-77')).toEqual([{ ...found, text: 'BOX-77 · Zip tie', matched: 'upc' }]);
  await station.patch(articlePath('ZT-200'), { sku: 'ZT-201' });
  expect(await find('zt-20')).toEqual([{ ...found, sku: 'ZT-201', text: 'ZT-201 · Zip tie', matched: 'sku' }]);
  await station.patch(articlePath('ZT-201'), { active: false });
  expect(await find('zip')).toEqual([]);
  await station.patch(articlePath('ZT-201'), { active: true });
  await station.request('DELETE', articlePath('ZT-201'));
  expect(await find('zip')).toEqual([]);
});
