import { expect, test } from 'vitest';
import { BASE, ONE, TWO, useMqtt } from './mqttRig.ts';

const shop = useMqtt();

const ITEM = { name: 'Bolt', ordered_quantity: 1 };
const NEW_ORDER = { order_number: '7002', items: [{ ...ITEM, deviceid: ONE }] };

test('commands get the same status codes as over HTTP', async () => {
  const lit = await shop.command(`devices/${ONE}/set`, { command: 'flash', line1: 'Screws', nonce: 'a' });
  expect(lit).toMatchObject({ status: 200, deviceid: ONE, nonce: 'a', state: 'queued' });
  expect(await shop.command(`devices/${ONE}/set`, { command: 'flash', color: 'plaid' })).toMatchObject({
    status: 400,
    code: 'invalid',
    detail: expect.stringContaining('no color') as string,
  });
  expect(await shop.command('devices/51D000:00000F/set', { command: 'flash' })).toMatchObject({ status: 404 });
  expect(await shop.command(`devices/${ONE}/set`, '{"command"')).toMatchObject({ status: 400 });
  expect(await shop.command(`devices/${ONE}/set`, '"flash"')).toMatchObject({ status: 400 });
  const order = { order_number: 'SO-1', items: [{ SKU: 'CT-200', ordered_quantity: 1, deviceid: TWO }] };
  const added = { status: 201, order_number: 'SO-1', state: 'open', nonce: 'n-1', warnings: [] };
  expect(await shop.command('orders/set', { ...order, nonce: 'n-1', launch: false })).toMatchObject(added);
  expect(await shop.command('orders/set', order)).toMatchObject({ status: 409 });
  expect(await shop.command('orders/set', { ...order, order_number: 'SO-2', launch: true })).toMatchObject({
    status: 201,
    order_number: 'SO-2',
    state: 'in_progress',
  });
  const steps = [{ order: 1, device: ONE, command: 'flash', line1: 'x' }];
  await shop.station.post('/api/sequence/', { sequenceid: 'round/7', steps });
  // The result has no items, because a broker might drop a large message.
  const items = Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(700), ordered_quantity: 1 }));
  const large = await shop.command('orders/set', { order_number: 'SO-3', items });
  expect(large).toMatchObject({ status: 201, order_number: 'SO-3', state: 'open' });
  expect(large).not.toHaveProperty('items');
  expect(await shop.command('sequences/round%2F7/launch', '')).toMatchObject({ status: 200, sequenceid: 'round/7' });
});

test('a message to devices/set lights the place that it names', async () => {
  await shop.station.post(`/api/device/${TWO}/`, { locationoverride: 'A-1-1' });
  await shop.station.post('/api/location-aliases/', { name: 'Bin 7', deviceid: ONE, deviceIs: 'Below' });
  const lit = { status: 200, state: 'queued', nonce: 'a' };
  expect(await shop.command('devices/set', { location: 'a-1-1', line1: 'Screws', nonce: 'a' })).toMatchObject({
    ...lit,
    deviceid: TWO,
  });
  // The same nonce at a different place is a different command.
  const bin = await shop.command('devices/set', { location: 'Bin 7', line1: 'Screws', nonce: 'a' });
  expect(bin).toMatchObject({ ...lit, deviceid: ONE });
  expect(await shop.command('devices/set', { location: 'Bin 7', line1: 'Screws', nonce: 'a' })).toMatchObject({
    command_id: bin['command_id'],
    replayed: true,
  });
  expect(await shop.command('devices/set', { deviceid: ONE, statica: 'x' })).toMatchObject({ updated: ['statica'] });
  expect((await shop.station.device(ONE)).commands).toMatchObject([{ arrow: 'top', location: 'Bin 7' }]);
  // A refusal names the place as the command did.
  const nowhere = await shop.command('devices/set', { location: 'Z-9', line1: 'x' });
  expect(nowhere).toMatchObject({ status: 404, location: 'Z-9' });
  expect(nowhere).not.toHaveProperty('deviceid');
  expect(await shop.command('devices/set', { line1: 'x' })).toMatchObject({
    status: 400,
    detail: expect.stringContaining('Give deviceid or location.') as string,
  });
  expect(await shop.command('devices/set', [{ location: 'A-1-1', line1: 'x' }])).toMatchObject({
    status: 400,
    detail: expect.stringContaining('Send one message per command.') as string,
  });
  // The topic of the answer must not look like a device's topic to other stations.
  await shop.settle();
  expect([...shop.broker.stored().keys()].filter((topic) => topic.includes('/devices/')).toSorted()).toEqual([
    `${BASE}/devices/${ONE}`,
    `${BASE}/devices/${TWO}`,
  ]);
});

test.each([
  ['a different charset', Buffer.from('{"line1":"B\xfcr"}', 'latin1')],
  ['an incomplete character', Buffer.from(String.raw`{"line1":"B\ud83dr"}`)],
])('refuses a command with %s, and does not light the device', async (_name, payload) => {
  expect(await shop.command(`devices/${ONE}/set`, payload)).toMatchObject({
    status: 400,
    code: 'encoding',
    detail: expect.stringContaining('UTF-8') as string,
  });
  expect(shop.storedDevice(ONE)?.commands).toEqual([]);
});

test.each([
  [`devices/51D000:00FFFF/set`, { line1: 'x' }, 404, `The topics ${BASE}/devices/+ list the devices that are known.`],
  ['devices/A-1/set', { line1: 'x' }, 404, `send "location" to ${BASE}/devices/set.`],
  ['devices/set', [{ deviceid: ONE, line1: 'x' }], 400, 'Send one message per command.'],
  ['devices/set', { line1: 'x' }, 400, 'Give deviceid or location.'],
  [`devices/${ONE}/set`, { line1: 'x', colour: 'r' }, 200, '/colour: There is no such field. Did you mean color?'],
  [`devices/${ONE}/set`, '{"line1":"x",}', 400, 'The payload is not JSON: line 1, column 14: remove the comma'],
  [`devices/${ONE}/set`, '{"line1":"x","line1":"y"}', 400, '/line1: This name appears twice in one object.'],
  [`devices/${ONE}/set`, '{"line1":"x"', 400, 'the payload ends before the end of an object'],
  ['orders/set', '', 400, 'The request has no payload. Send a JSON object.'],
  [
    'orders/set',
    { order_number: '7001', items: [{ name: 'x', ordered_quantity: 2 }] },
    409,
    `${BASE}/orders/7001 shows it.`,
  ],
  ['sequences/none/launch', '', 404, 'There is no sequence "none".'],
  ['sequences/S/launch', { restart: 1 }, 200, '/restart: There is no such field.'],
  [`devices/${ONE}/set`, { command: 'kill', nonce: '' }, 200, 'kill removes every command of the place'],
  [`devices/${ONE}/set`, { line1: 'x', id: 'k' }, 200, '/id: There is no such field.'],
  [`devices/${ONE}/set`, { line1: 'x', Nonce: 'k' }, 200, '/Nonce: There is no such field. Did you mean nonce?'],
  [`devices/${ONE}/set`, { line1: 'x', location: 'Z-9' }, 200, 'location "Z-9" is ignored'],
  ['devices/set', { deviceid: ONE, quantity: 3 }, 200, 'Nothing is lit'],
  ['orders/set', { ...NEW_ORDER, launch: 'yes' }, 400, '/launch: This has to be true or false.'],
  ['orders/set', { ...NEW_ORDER, launched: true }, 201, '/launched: There is no such field.'],
  ['orders/set', { ...NEW_ORDER, launch: 'true', picker: 'b' }, 201, '/picker: There is no such field.'],
  [
    'orders/set',
    { ...NEW_ORDER, launch: true, items: [...NEW_ORDER.items, { ...ITEM, warehouse_location: 'Z-9' }] },
    201,
    'No device is found at "Z-9" yet.',
  ],
  ['orders/set', [NEW_ORDER], 400, 'The payload: This has to be an object.'],
])('problems are described in MQTT terms: %s %j', async (topic, body, expected, says) => {
  await shop.station.post('/api/orders/', { order_number: '7001', items: [{ name: 'x', ordered_quantity: 1 }] });
  await shop.station.post('/api/sequence/', { sequenceid: 'S', steps: [{ order: 1, device: ONE }] });
  const answer = await shop.command(topic, body);
  const {
    detail = '',
    errors = [],
    warnings = [],
  } = answer as {
    detail?: string;
    errors?: { path: string; message: string }[];
    warnings?: string[];
  };
  expect(answer['status'], detail).toBe(expected);
  const said = [detail, ...warnings, ...errors.map(({ path, message }) => `${path}: ${message}`)].join('\n');
  expect(said).toContain(says);
  expect(said).not.toMatch(/\/api\/|\bbody\b/);
});

test('retained commands, unknown topics and large messages have no effect, and the log says why', async () => {
  await shop.station.patch('/api/settings/', { mqtt_url: '' });
  await shop.broker.publish(`${BASE}/devices/${ONE}/set`, JSON.stringify({ line1: 'Yesterday' }), true);
  await shop.station.patch('/api/settings/', { mqtt_url: shop.broker.url });
  await shop.settle();
  await shop.broker.publish(`${BASE}/devices/${encodeURIComponent('%')}%/set`, '{}');
  const large = await shop.command(`devices/${ONE}/set`, 'x'.repeat(1024 * 1024 + 1));
  expect(large).toMatchObject({ status: 413 });
  expect((await shop.station.device(ONE)).commands).toEqual([]);
  const problems = (await shop.status()).log
    .filter(({ direction }) => direction === 'in')
    .map(({ problem }) => problem);
  expect([...new Set(problems)]).toEqual([
    'A command has at most 1 MiB. Nothing was done.',
    'The station does not act on this topic.',
    'A retained command is ignored: it would run again at each connection.',
  ]);
});

test('a flood of commands is answered with 429, and a press is still handled', async () => {
  const flood = Promise.all(
    Array.from({ length: 700 }, () => shop.broker.publish(`${BASE}/devices/${TWO}/set`, '{"command":"kill"}')),
  );
  await shop.light(ONE, 'n1');
  await shop.station.press(ONE);
  await flood;
  await expect.poll(() => shop.broker.at(`${BASE}/devices/${TWO}/result`).length).toBe(700);
  const answers = shop.broker
    .at(`${BASE}/devices/${TWO}/result`)
    .map((text) => (JSON.parse(text) as { status: number }).status);
  expect(new Set(answers)).toEqual(new Set([200, 429]));
  expect(answers.filter((each) => each === 429).length).toBeGreaterThan(100);
  expect(shop.receiver.requests).toHaveLength(1);
});
