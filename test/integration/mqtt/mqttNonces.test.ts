import { expect, test } from 'vitest';
import { BASE, ONE, TWO, useMqtt } from './mqttRig.ts';

const shop = useMqtt();

const now = ({ delivery: _delivery, ...first }: Record<string, unknown>, state: string) => ({
  ...first,
  state,
  replayed: true,
});

test('a command with a key takes effect once within a day, even after a restart, and a repetition gets the first answer', async () => {
  const body = { line1: 'Screws', nonce: 'a', key: 'k1' };
  const first = await shop.command(`devices/${ONE}/set`, body);
  expect(first).toMatchObject({ status: 200, key: 'k1', nonce: 'a', warnings: [] });
  expect(first).not.toHaveProperty('replayed');
  await shop.station.clock.advance(500);
  expect(await shop.command(`devices/${ONE}/set`, body)).toMatchObject(now(first, 'shown'));
  await shop.station.press(ONE);
  await shop.station.restart();
  await shop.settle();
  expect(await shop.command(`devices/${ONE}/set`, body)).toEqual(now(first, 'ended'));
  expect((await shop.station.device(ONE)).commands).toEqual([]);
  // Another key is another command.
  expect(await shop.command(`devices/${ONE}/set`, { ...body, key: 'k2' })).not.toHaveProperty('replayed');
  await shop.station.press(ONE);
  await shop.station.clock.advance(24 * 3_600_000);
  const later = await shop.command(`devices/${ONE}/set`, body);
  expect(later['command_id']).not.toBe(first['command_id']);
});

test('a nonce without a key names a command only until it has ended, because flows send fixed payloads', async () => {
  const body = { line1: 'Screws', nonce: 'a' };
  const first = await shop.command(`devices/${ONE}/set`, body);
  await shop.station.clock.advance(500);
  expect(await shop.command(`devices/${ONE}/set`, body)).toMatchObject(now(first, 'shown'));
  expect(await shop.command(`devices/${TWO}/set`, body)).toMatchObject({ deviceid: TWO, state: 'queued' });
  await shop.station.press(ONE);
  await shop.station.restart();
  await shop.settle();
  const second = await shop.command(`devices/${ONE}/set`, body);
  expect(second).toMatchObject({ status: 200, state: 'queued' });
  expect(second['command_id']).not.toBe(first['command_id']);
  expect(second).not.toHaveProperty('replayed');
  await shop.station.press(ONE);
  // Other content is a new command then, too.
  expect(await shop.command(`devices/${ONE}/set`, { ...body, line1: 'Nails' })).toMatchObject({ status: 200 });
});

const repetition = { location: 'A-1', line1: 'Screws', quantity: 3, nonce: 'a' };

test.each([
  [
    'a program set its quantity',
    async (command_id: unknown) => {
      await shop.station.post(`/api/device/${ONE}/adjust/`, { command_id, quantity: 2 });
      return ONE;
    },
  ],
  [
    'the label of its place moved to another device',
    async () => {
      await shop.station.post(`/api/device/${ONE}/`, { locationoverride: '' });
      await shop.station.post(`/api/device/${TWO}/`, { locationoverride: 'A-1' });
      return TWO;
    },
  ],
  [
    'its device was replaced',
    async () => {
      await shop.station.post(`/api/device/${ONE}/replace/`, { deviceid: TWO });
      return TWO;
    },
  ],
])('a nonce still names its command after %s', async (_what, change) => {
  await shop.station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  const first = await shop.command('devices/set', repetition);
  const device = await change(first['command_id']);
  await shop.station.clock.advance(500);
  const lit = [...(await shop.station.device(ONE)).commands, ...(await shop.station.device(TWO)).commands];
  expect(lit).toHaveLength(1);
  const again = await shop.command('devices/set', repetition);
  const { command_id } = lit[0] ?? {};
  expect(again).toMatchObject({ status: 200, replayed: true, state: 'shown', deviceid: device, command_id });
  const now = [...(await shop.station.device(ONE)).commands, ...(await shop.station.device(TWO)).commands];
  expect(now).toEqual(lit);
  await shop.station.press(device);
  expect(await shop.command('devices/set', repetition)).not.toHaveProperty('replayed');
});

test('an order that was created but cannot be launched is refused in the same way when its nonce is repeated', async () => {
  const order = { order_number: 'SO-9', items: [{ name: 'Screws', ordered_quantity: 1, warehouse_location: 'Z-9' }] };
  const first = await shop.command('orders/set', { ...order, launch: true, nonce: 'a' });
  expect(first).toMatchObject({ status: 409, detail: expect.stringContaining('The order was created') as string });
  expect(await shop.command('orders/set', { ...order, launch: true, nonce: 'a' })).toEqual({
    ...first,
    replayed: true,
  });
  // The nonce is free again when the order has ended.
  await shop.station.post('/api/orders/SO-9/abort/');
  const next = { ...order, order_number: 'SO-10', launch: false, nonce: 'a' };
  expect(await shop.command('orders/set', next)).toMatchObject({ status: 201, order_number: 'SO-10' });
});

test.each([
  ['an object', {}],
  ['an empty text', ''],
  ['a text of 201 characters', 'x'.repeat(201)],
])('refuses a key that is %s', async (_what, key) => {
  const refused = await shop.command(`devices/${ONE}/set`, { line1: 'x', key });
  expect(refused).toMatchObject({ status: 400, deviceid: ONE, errors: [{ path: '/key' }] });
  expect((await shop.station.device(ONE)).commands).toEqual([]);
});

test('every answer about an order has its number, and a repetition has the state of the order now', async () => {
  const order = { order_number: 'SO-1', items: [{ name: 'Screws', ordered_quantity: 1, deviceid: ONE }] };
  expect(await shop.command('orders/set', { ...order, key: 'o1' })).toMatchObject({
    status: 201,
    state: 'open',
    key: 'o1',
  });
  await shop.station.post('/api/orders/SO-1/launch/');
  expect(await shop.command('orders/set', { ...order, key: 'o1' })).toMatchObject({
    status: 201,
    order_number: 'SO-1',
    state: 'in_progress',
    replayed: true,
  });
  for (const refused of [order, { ...order, launch: 'yes' }, { order_number: 7, items: 3 }, { ...order, key: {} }]) {
    const answer = await shop.command('orders/set', refused);
    expect(answer).toMatchObject({ order_number: String(refused.order_number) });
    expect(answer['status']).toBeGreaterThanOrEqual(400);
  }
});

test('a command interrupted by a kill is answered without running again', async () => {
  const first = await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  await shop.station.press(ONE);
  await shop.station.halt();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${shop.station.dataFolder}/pickstation.sqlite`);
  // Restore the state after the command was committed, but before its answer was stored.
  db.exec(`INSERT INTO keyed_steps SELECT id, 0, 0, json_object('result', json(answer)) FROM keyed_requests;
    UPDATE keyed_requests SET status = NULL, answer = NULL;`);
  db.close();
  await shop.station.restart();
  await shop.settle();
  expect(await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' })).toEqual(now(first, 'ended'));
  expect((await shop.station.device(ONE)).commands).toEqual([]);
});

test("refuses a different command with an earlier command's nonce, except a kill", async () => {
  await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  expect(await shop.command(`devices/${ONE}/set`, { line1: 'Nails', nonce: 'a' })).toMatchObject({
    status: 409,
    code: 'key_reused',
    nonce: 'a',
    detail: expect.stringMatching(/^The nonce a belongs to another open command/) as string,
  });
  expect(await shop.command(`devices/${ONE}/set`, { command: 'kill', nonce: 'a' })).toMatchObject({ killed: 1 });
});

test.each([
  ['a text', '"again"'],
  ['a number', '7'],
])('quick repetitions with %s as the nonce get the first answer, marked as such', async (_what, nonce) => {
  const text = `{"line1":"Screws","nonce":${nonce}}`;
  const results = (): string[] => shop.broker.at(`${BASE}/devices/${ONE}/result`);
  await Promise.all([1, 2, 3].map(() => shop.broker.publish(`${BASE}/devices/${ONE}/set`, text)));
  await expect.poll(() => results().length, { interval: 2 }).toBe(3);
  const [first, ...repeated] = results().map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(first).toMatchObject({ status: 200, state: 'queued', nonce: nonce.replaceAll('"', '') });
  expect(first).not.toHaveProperty('replayed');
  for (const answer of repeated) expect(answer).toMatchObject({ command_id: first?.['command_id'], replayed: true });
  expect((await shop.station.device(ONE)).commands).toHaveLength(1);
});

test('runs every message that has no nonce', async () => {
  const first = await shop.command(`devices/${ONE}/set`, { line1: 'Screws' });
  const second = await shop.command(`devices/${ONE}/set`, { line1: 'Nails' });
  expect(second['command_id']).not.toBe(first['command_id']);
  expect((await shop.station.device(ONE)).commands).toHaveLength(2);
});

test('a nonce in the launch of a sequence does not cause a warning', async () => {
  const steps = [{ order: 1, device: ONE, command: 'flash', line1: 'x' }];
  await shop.station.post('/api/sequence/', { sequenceid: 'round', steps });
  const launched = await shop.command('sequences/round/launch', { nonce: 'a' });
  expect(launched).toMatchObject({ status: 200, state: 'in-progress', nonce: 'a' });
  expect(launched['warnings'] ?? []).toEqual([]);
});
