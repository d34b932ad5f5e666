import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import { publicFacts } from '../../../electron/server/mqtt/privateWords.ts';
import { addOrder, anItem, getOrder, ONE, orderPath } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: the address, the date and the payment of an order.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const ADDRESS = {
  name: 'Erika Miller',
  lines: ['Eulenweg 7', 'Back door'],
  postcode: '04107',
  city: 'Leipzig',
  country: 'DE',
  email: 'erika@miller.example',
  phone: '+49 341 5550',
};
const FACTS = { ordered_at: '2026-11-18T09:30:00.000Z', paid: true };

test('an order has an address, a date and a payment, and a change replaces or clears them', async () => {
  await addOrder(station, 'SO-1', [anItem()], { ...FACTS, address: ADDRESS });
  expect(await getOrder(station, 'SO-1')).toMatchObject({ ...FACTS, address: ADDRESS });
  await addOrder(station, 'SO-2', [anItem()], { paid: null, ordered_at: null, address: { name: ' ', lines: [''] } });
  for (const name of ['ordered_at', 'paid', 'address'])
    expect(await getOrder(station, 'SO-2')).not.toHaveProperty(name);
  const change = (body: object) => station.request('PATCH', orderPath('SO-1'), body);
  const moved = { name: 'Erika Miller', lines: ['Amselweg 1'], postcode: 4109, city: ' Leipzig ', phone: null };
  expect(await change({ address: moved, paid: 'false' })).toMatchObject({
    status: 200,
    body: { paid: false, ordered_at: FACTS.ordered_at },
  });
  const after = { name: 'Erika Miller', lines: ['Amselweg 1'], postcode: '4109', city: 'Leipzig' };
  expect((await getOrder(station, 'SO-1')) as object).toHaveProperty('address', after);
  const [changed] = await station.get<{ detail?: object }[]>('/api/history/?limit=1');
  expect(JSON.stringify(changed)).toContain('address');
  expect((await change({ address: null, paid: null, ordered_at: null })).status).toBe(200);
  const cleared = await getOrder(station, 'SO-1');
  for (const name of ['ordered_at', 'paid', 'address']) expect(cleared).not.toHaveProperty(name);
  const tooLong = { order_number: 'SO-3', items: [], address: { city: 'x'.repeat(201) } };
  expect(await station.request('POST', '/api/orders/', tooLong)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/address/city' }] },
  });
});

test('a known order is the same only with the same address, and a change of an old address is refused', async () => {
  const order = { order_number: 'SO-1', items: [anItem()], ...FACTS, address: ADDRESS };
  await station.post('/api/orders/', order);
  expect((await station.request('POST', '/api/orders/', order)).body).toMatchObject({ same: true });
  const other = { ...order, address: { ...ADDRESS, city: 'Halle' } };
  expect((await station.request('POST', '/api/orders/', other)).body).toMatchObject({ same: false });
  const { headers } = (await station.request('GET', orderPath('SO-1'))) as { headers: Headers };
  const tag = (etag: string | null) => ({
    'api-key': API_KEY,
    'content-type': 'application/json',
    'if-match': etag ?? '',
  });
  const change = (body: object) => station.request('PATCH', orderPath('SO-1'), body, tag(headers.get('etag')));
  const changed = await change({ address: other.address });
  expect(changed.status).toBe(200);
  expect(await change({ address: ADDRESS })).toMatchObject({ status: 412 });
  const next = (changed as { headers: Headers }).headers.get('etag');
  expect((await station.request('PATCH', orderPath('SO-1'), { address: ADDRESS }, tag(next))).status).toBe(200);
});

test('only people who pick, control and admin read an address, and only of one order', async () => {
  await addOrder(station, 'SO-1', [anItem()], { address: ADDRESS, ordered_at: FACTS.ordered_at });
  const keyOf = async (scope: string) =>
    (await station.post<ApiUserSecrets>('/api/api-users/', { name: scope, scope })).api_key;
  const read = { 'api-key': await keyOf('read') };
  const control = { 'api-key': await keyOf('control') };
  expect((await station.request('GET', orderPath('SO-1'), undefined, control)).body).toMatchObject({
    address: ADDRESS,
  });
  const read1 = (await station.request('GET', orderPath('SO-1'), undefined, read)).body;
  expect(read1).toMatchObject({ order_number: 'SO-1', ordered_at: FACTS.ordered_at });
  expect(read1).not.toHaveProperty('address');
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  const paths = ['/api/wall-board/', '/api/orders/', '/api/order-progress/', '/api/work/', '/api/history/orders/SO-1/'];
  for (const path of paths) expect(JSON.stringify(await station.get(path))).not.toContain('Eulenweg');
});

test('an address is not sent to devices, a broker or receivers, and is not written to the request log', async () => {
  const before = { address: ADDRESS, ...FACTS };
  await addOrder(station, 'SO-1', [anItem()], before);
  await station.request('PATCH', orderPath('SO-1'), { address: { ...ADDRESS, city: 'Halle' } });
  const sent = await station.request(
    'POST',
    '/api/orders/',
    `<order><order_number>X</order_number><items><name>a</name><ordered_quantity>1</ordered_quantity></items><address><city>Leipzig</city><lines>Eulenweg 7</lines></address></order>`,
    { 'api-key': API_KEY, 'content-type': 'application/xml' },
  );
  expect(sent.status).toBe(201);
  expect(await getOrder(station, 'X')).toMatchObject({ address: { city: 'Leipzig', lines: ['Eulenweg 7'] } });
  await station.request(
    'POST',
    '/api/orders/',
    '{"order_number":"SO-9","address":{"city":"Leipzig","lines":["Eulenweg',
  );
  await getOrder(station, 'SO-1');
  await station.post(orderPath('SO-1', 'launch/'));
  await station.clock.advance(3_000);
  const asked = ['/api/requests/', `/api/device/${ONE}/`, '/api/history/', '/api/diagnostics/', '/api/callbacks/'];
  for (const { id } of await station.get<{ id: string }[]>('/api/requests/')) asked.push(`/api/requests/${id}/`);
  for (const path of asked) {
    const { body } = await station.request('GET', path);
    expect(JSON.stringify(body), path).not.toMatch(/Miller|Eulenweg|Leipzig|Halle|miller\.example|5550|04107|09:30:00/);
  }
  expect(JSON.stringify(station.logged)).not.toMatch(/Miller|Eulenweg|Leipzig|Halle/);
  const facts = [{ type: 'order.changed', order: { order_number: 'SO-1', ...before } } as never];
  const published = publicFacts(facts, JSON.stringify(facts));
  expect(published).toContain('SO-1');
  expect(published).not.toMatch(/Miller|address|ordered_at|paid/);
});

test('the address, the date and the payment go with the customer', async () => {
  await station.request('PATCH', '/api/settings/', { history_customer_days: 30 });
  await addOrder(station, 'SO-1', [anItem()], { address: ADDRESS, ...FACTS });
  await addOrder(station, 'SO-2', [anItem()], { paid: true });
  await station.post(orderPath('SO-1', 'abort/'));
  await station.post(orderPath('SO-2', 'abort/'));
  await station.clock.advance(3_700_000);
  expect(await getOrder(station, 'SO-1')).toHaveProperty('address');
  await addOrder(station, 'SO-3', [anItem()]);
  for (let day = 0; day < 31; day += 1) await station.clock.advance(86_400_000);
  await station.post(orderPath('SO-3', 'abort/'));
  await station.clock.advance(7_300_000);
  for (const number of ['SO-1', 'SO-2'])
    for (const name of ['ordered_at', 'paid', 'address'])
      expect(await getOrder(station, number), number).not.toHaveProperty(name);
});
