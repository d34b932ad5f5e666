import { expect, test } from 'vitest';
import { decodeLevel, encodeLevel, topicsOf } from '../../../electron/server/mqtt/topics.ts';

const topics = topicsOf({ prefix: 'acme/berlin', station: 'counter' });
const BASE = 'acme/berlin/counter';

test('encodes any id as one level, and keeps a DeviceID readable', () => {
  expect(topics.device('51D000:000001')).toBe(`${BASE}/devices/51D000:000001`);
  expect(encodeLevel('a/b+c#d%e\u0000')).toBe('a%2Fb%2Bc%23d%25e%00');
});

test('an order whose number is the name of a command topic gets a different topic', () => {
  for (const number of ['set', 'result']) {
    const topic = topics.order(number);
    expect(topics.commandOf(topic)).toBeUndefined();
    expect([topics.newOrder, topics.newOrderResult]).not.toContain(topic);
    expect(decodeLevel(topic.split('/').at(-1) ?? '')).toBe(number);
  }
  expect(topics.order('sets')).toBe(`${BASE}/orders/sets`);
});

test('recognizes only the topics of commands as commands', () => {
  const result = (path: string) => `${BASE}/${path}/result`;
  expect(topics.commandOf(`${BASE}/devices/51D000:000001/set`)).toEqual({
    kind: 'device',
    id: '51D000:000001',
    result: result('devices/51D000:000001'),
  });
  expect(topics.commandOf(`${BASE}/devices/set`)).toEqual({ kind: 'place', id: '', result: result('devices') });
  expect(topics.commandOf(`${BASE}/orders/set`)).toEqual({ kind: 'order', id: '', result: result('orders') });
  expect(topics.commandOf(`${BASE}/sequences/round%2F7/launch`)).toEqual({
    kind: 'sequence',
    id: 'round/7',
    result: result('sequences/round%2F7'),
  });
  for (const other of [
    `${BASE}/devices//set`,
    `${BASE}/devices/%/set`,
    `${BASE}/devices/a/b/set`,
    `${BASE}/devices/a/launch`,
    `${BASE}/orders/1/set`,
    `${BASE}/sequences/a/set`,
    BASE,
    'acme/berlin/other/orders/set',
  ])
    expect(topics.commandOf(other), other).toBeUndefined();
});

test('refuses a response topic that is malformed, reserved or used by stations, and gives the reason', () => {
  const reasons: readonly (readonly [topic: string, reason: string])[] = [
    ['', 'is empty'],
    ['erp/+/answers', '"erp/+/answers" does'],
    ['erp/#', 'wildcards'],
    ['erp/\u0001', 'control characters'],
    ['$CONTROL/dynamic-security/v1', 'belong to the broker'],
    ['$SYS/answers', 'belong to the broker'],
    [`${BASE}/devices/51D000:000001/set`, 'the level "set"'],
    [`${BASE}/devices/set/result`, 'the level "set"'],
    ['acme/berlin/other/sequences/a/launch', 'the level "launch"'],
    ['erp/orders/set/more', 'the level "set"'],
    ['erp/info', 'the level "info"'],
    ['erp/events', 'the level "events"'],
    [`${BASE}/availability`, 'the level "availability"'],
    // An article's state, the callbacks of one type, and an echo of the station's own topic.
    [`${BASE}/stock/result`, 'below acme/berlin/, where stations publish'],
    [`${BASE}/callbacks/result`, 'below acme/berlin/, where stations publish'],
    [`${BASE}/echo/result`, 'below acme/berlin/, where stations publish'],
    [`${BASE}/batches/1/result`, 'below acme/berlin/, where stations publish'],
    [`${BASE}/devices/a/b/result`, 'below acme/berlin/, where stations publish'],
    [`${BASE}/callbacks/device`, 'below acme/berlin/, where stations publish'],
    ['acme/berlin/erp/answers', 'below acme/berlin/, where stations publish'],
    ['acme/berlin/other/orders/result', 'below acme/berlin/, where stations publish'],
    ['homeassistant/device/x/config', 'below homeassistant/, where Home Assistant looks for devices'],
    // Stations with another prefix, whose topics programs and other stations read.
    ['pickstation/answers', 'below pickstation/, where stations publish'],
    ['pickstation/k3v9/devices/51D000:000001', 'below pickstation/, where stations publish'],
    ['acme/hamburg/north/devices/51D000:000001', 'reads like a topic of another station'],
    ['shop/north/orders/4711', 'reads like a topic of another station'],
    ['shop/north/orders/result', 'reads like a topic of another station'],
    ['shop/north/devices/51D000:000001/result', 'reads like a topic of another station'],
    ['shop/north/sequences/a/result', 'reads like a topic of another station'],
    ['shop/north/stock/4711', 'reads like a topic of another station'],
    ['shop/north/batches/1', 'reads like a topic of another station'],
    ['shop/north/callbacks/device', 'reads like a topic of another station'],
    ['shop/north/echo/x', 'reads like a topic of another station'],
  ];
  for (const [topic, reason] of reasons) expect(topics.refusalOfResponse(topic), topic).toContain(reason);
  for (const topic of [
    'erp/answers',
    'erp/settings',
    'acme/berlin2/answers',
    'pickstation-answers',
    'erp/orders/4711',
    'erp/berlin/answers/orders',
    'erp/berlin/orders',
    'erp/berlin/orders/4711/answers',
    `${BASE}/devices/51D000:000001/result`,
    `${BASE}/devices/result`,
    `${BASE}/orders/result`,
    `${BASE}/sequences/a/result`,
  ])
    expect(topics.refusalOfResponse(topic), topic).toBeUndefined();
});

test('a topic level with bytes that are not UTF-8 has no name', () => {
  expect(decodeLevel('B\uFFFDr')).toBeUndefined();
  expect(decodeLevel('B%FCr')).toBeUndefined();
  expect(decodeLevel('B%C3%BCr')).toBe('Bür');
});
