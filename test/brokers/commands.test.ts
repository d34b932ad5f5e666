import { expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import { send, subscribe } from './mosquitto.ts';
import { BASE, ONE, TWO, useBroker } from './brokerStation.ts';

const shop = useBroker();

test('an answer goes to the response topic with its correlation data', async () => {
  await shop.open();
  await using answers = await subscribe(shop.broker.port, 'erp/#');
  const properties = [
    ['response-topic', 'erp/7'],
    ['correlation-data', 'seven'],
  ].flatMap(([name = '', value = '']) => ['-D', 'PUBLISH', name, value]);
  send('mosquitto_pub', shop.broker.port, ['-t', `${BASE}/devices/${ONE}/set`, '-m', '{"line1":"x"}', ...properties]);
  await until('the answer', () => answers.heard.length === 1);
  expect(answers.heard[0]).toMatchObject({ topic: 'erp/7', correlation: 'seven' });
});

test('runs a command with a repeated id once, and one with a new id again', async () => {
  await shop.open();
  const id = (value: string) => ['-D', 'PUBLISH', 'user-property', 'id', value];
  const body = JSON.stringify({ line1: 'Screws', nonce: 'a' });
  const first = await shop.ask(`devices/${ONE}/set`, body, id('1'));
  expect(first).toMatchObject({ status: 200, id: '1', nonce: 'a' });
  expect(await shop.ask(`devices/${ONE}/set`, body, id('1'))).toMatchObject({
    id: '1',
    command_id: first['command_id'],
    replayed: true,
  });
  const again = await shop.ask(`devices/${ONE}/set`, body, id('2'));
  expect(again).toMatchObject({ status: 200, id: '2' });
  expect(again['command_id']).not.toBe(first['command_id']);
});

test('warns about user properties that look like a command id', async () => {
  await shop.open();
  const body = JSON.stringify({ line1: 'Screws' });
  const warned = async (names: readonly string[], payload = body) => {
    const properties = names.flatMap((name) => ['-D', 'PUBLISH', 'user-property', name, name === '' ? '' : 'k']);
    return (await shop.ask(`devices/${ONE}/set`, payload, properties))['warnings'];
  };
  for (const name of ['Id', 'ID', 'id ', 'message-id', 'Message_ID', 'requestId', 'uuid', 'Idempotency-Key']) {
    expect(await warned([name]), name).toEqual([
      `The user property "${name}" is not read, so a repetition would act again. Send the id of the command in the user property id.`,
    ]);
  }
  expect(await warned(['ID'], JSON.stringify({ line1: 'Screws', nonce: 'a' }))).toEqual([
    'The user property "ID" is not read: the nonce identifies the command only until it has ended. Send the id of the command in the user property id.',
  ]);
  for (const names of [['id', 'message-id'], ['traceparent'], ['content-encoding'], []])
    expect(await warned(names), names.join(' ')).toEqual([]);
  expect(await warned(['id', 'id'])).toEqual(['The user property id is given twice. "k" counts.']);
  const empty = await shop.ask(`devices/${ONE}/set`, body, ['-D', 'PUBLISH', 'user-property', 'id', '']);
  expect(empty['warnings']).toEqual(['The user property id is empty, so a repetition would act again.']);
});

test('the answer to an order has the id of the order, and the id of the command as a user property', async () => {
  await shop.open();
  await using answers = await subscribe(shop.broker.port, 'erp/#');
  const order = { order_number: 'SO-1', items: [{ name: 'Screws', ordered_quantity: 1, deviceid: ONE }], nonce: 'n' };
  const properties = [
    ['user-property', 'id', 'job-7'],
    ['response-topic', 'erp/7'],
  ].flatMap((property) => ['-D', 'PUBLISH', ...property]);
  for (let round = 0; round < 2; round += 1)
    send('mosquitto_pub', shop.broker.port, ['-t', `${BASE}/orders/set`, '-m', JSON.stringify(order), ...properties]);
  await until('both answers', () => answers.heard.length === 2);
  const [first, again] = answers.heard;
  const { id } = await shop.station.get<{ id: number }>('/api/orders/SO-1/');
  expect(JSON.parse(first?.payload ?? '')).toMatchObject({ status: 201, id, order_number: 'SO-1', nonce: 'n' });
  expect(first?.userProperties).toEqual({ id: 'job-7' });
  expect(JSON.parse(again?.payload ?? '')).toEqual({ ...JSON.parse(first?.payload ?? '{}'), replayed: true });
  expect(again?.userProperties).toEqual({ id: 'job-7' });
});

test.each(['', '311'])(
  'a quick repetition gets the first answer, and lights the device only once (MQTT %s)',
  async (version) => {
    await shop.open();
    await using results = await subscribe(shop.broker.port, `${BASE}/devices/result`);
    await shop.station.post(`/api/device/${TWO}/`, { locationoverride: 'A-1-1' });
    const body = JSON.stringify({ location: 'A-1-1', line1: 'Screws', nonce: 'a' });
    const speaks = version === '' ? [] : ['-V', version];
    send('mosquitto_pub', shop.broker.port, ['-t', `${BASE}/devices/set`, '-m', body, '--repeat', '5', ...speaks]);
    await until('five answers', () => results.heard.length === 5);
    const answers = results.heard.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, deviceid: TWO, nonce: 'a', command_id: answers[0]?.['command_id'] });
    expect(answers.map(({ replayed }) => replayed)).toEqual([undefined, true, true, true, true]);
    expect((await shop.station.device(TWO)).commands).toHaveLength(1);
  },
);

test('refuses a command whose response topic is not allowed for answers, and returns the reason, nonce and correlation data', async () => {
  await shop.open();
  await using results = await subscribe(shop.broker.port, `${BASE}/devices/+/result`);
  const reasons = [
    [`${BASE}/orders/set`, 'the level "set"'],
    [`${BASE}/callbacks/device`, 'below shop/, where stations publish'],
    ['shop/erp/answers', 'below shop/, where stations publish'],
    ['erp/info', 'the level "info"'],
  ];
  for (const [topic = ''] of reasons) {
    const properties = [
      ['response-topic', topic],
      ['correlation-data', topic],
      ['user-property', 'id', `id of ${topic}`],
    ].flatMap((property) => ['-D', 'PUBLISH', ...property]);
    const body = '{"line1":"x","nonce":"a"}';
    send('mosquitto_pub', shop.broker.port, ['-t', `${BASE}/devices/${ONE}/set`, '-m', body, ...properties]);
  }
  await until('the refusals', () => results.heard.length === reasons.length);
  for (const [number, [topic, reason = '']] of reasons.entries()) {
    const { payload, correlation } = results.heard[number] ?? {};
    expect(correlation).toBe(topic);
    expect(JSON.parse(payload ?? '')).toMatchObject({
      status: 400,
      nonce: 'a',
      id: `id of ${topic}`,
      detail: expect.stringContaining(reason) as string,
    });
  }
  expect((await shop.station.device(ONE)).commands).toEqual([]);
});

test('runs commands that waited for the station only if they have an expiry interval, but creates every order', async () => {
  await shop.broker.stop();
  await shop.broker.start([
    'allow_anonymous true',
    'persistence true',
    'autosave_interval 1',
    'autosave_on_changes true',
  ]);
  await shop.open();
  await shop.station.halt();
  const waits = (line1: string, ...args: string[]): string =>
    send('mosquitto_pub', shop.broker.port, [
      '-t',
      `${BASE}/devices/${ONE}/set`,
      '-m',
      JSON.stringify({ line1 }),
      ...args,
    ]);
  waits('For a day', '-D', 'PUBLISH', 'message-expiry-interval', '86400');
  waits('For a second', '-D', 'PUBLISH', 'message-expiry-interval', '1');
  waits('For ever');
  const item = { name: 'Screws', ordered_quantity: 1, deviceid: TWO };
  for (const [number, more] of [
    ['S-1', {}],
    ['S-2', { launch: true, nonce: 'n' }],
  ] as const) {
    const order = JSON.stringify({ order_number: number, items: [item], ...more });
    send('mosquitto_pub', shop.broker.port, ['-t', `${BASE}/orders/set`, '-m', order]);
  }
  // The expiry keeps counting while the broker restarts.
  await shop.broker.stop();
  await new Promise((resolve) => void setTimeout(resolve, 2_500));
  await shop.broker.start();
  await using results = await subscribe(shop.broker.port, `${BASE}/devices/+/result`);
  await using ordered = await subscribe(shop.broker.port, `${BASE}/orders/result`);
  await shop.station.restart();
  await until('all answers', async () => {
    await shop.station.clock.advance(0);
    return results.heard.length >= 2 && ordered.heard.length >= 2;
  });
  const answers = results.heard.map(({ payload }) => JSON.parse(payload) as { status: number; detail?: string });
  expect(answers).toMatchObject([{ status: 200 }, { status: 410, deviceid: ONE }]);
  expect((await shop.station.device(ONE)).commands).toMatchObject([{ line1: 'For a day' }]);
  expect(ordered.heard.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
    { status: 201, order_number: 'S-1', state: 'open', warnings: [] },
    {
      status: 201,
      order_number: 'S-2',
      state: 'open',
      nonce: 'n',
      warnings: [expect.stringContaining('It was created and not launched') as string],
    },
  ]);
  expect((await shop.station.device(TWO)).commands).toEqual([]);
});
