import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FleetAnswer, FleetFound, FleetStation } from '#shared/api/fleet.ts';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import { startBroker, type TestBroker } from '../../helpers/servers/broker.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let broker: TestBroker;
let watcher: TestStation;
let berlin: TestStation;

beforeEach(async () => {
  broker = await startBroker();
  berlin = await open('berlin', { seed: 2 });
  watcher = await open('watcher', { fleet: true, simulate: 1 });
});

afterEach(async () => {
  await watcher.stop();
  await berlin.stop();
  await broker.stop();
});

async function open(id: string, { seed = 1, simulate = 2, only = false, ...settings }: Record<string, unknown>) {
  const fleetOnly = only === true;
  const station = await startTestStation({ simulate: Number(simulate), refreshMs: 0, seed: Number(seed), fleetOnly });
  const mqtt = { mqtt_url: broker.url, mqtt_prefix: 'acme/shops', mqtt_station: id, backup_every: 0 };
  await station.patch('/api/settings/', { ...mqtt, ...settings });
  await settle(station);
  return station;
}

/** Advances the clock until the station has published its changes. */
async function settle(station: TestStation): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
}

const fleet = (): Promise<FleetAnswer> => watcher.get<FleetAnswer>('/api/fleet/');

const find = (text: string): Promise<FleetFound[]> =>
  watcher.get<FleetFound[]>(`/api/fleet/find/?q=${encodeURIComponent(text)}`);

async function listed(id: string): Promise<FleetStation | undefined> {
  return (await fleet()).stations.find(({ station }) => station === id);
}

/** Waits until the watcher shows these values for a station. */
const shows = (id: string, what: object) =>
  expect.poll(() => listed(id), { interval: 5 }).toEqual(expect.objectContaining(what));

const tell = (topic: string, payload: unknown): Promise<void> =>
  broker.publish(`acme/shops/${topic}`, typeof payload === 'string' ? payload : JSON.stringify(payload), true);

test('shows each station with its devices, orders and picks, and their changes', async () => {
  await shows('berlin', { availability: 'online', protocol: 1, url: berlin.url, own: false, problem: null });
  await shows('watcher', { own: true, devices: { count: 1, lit: 0, offline: 0, batteries_low: 0 } });
  expect(await fleet()).toMatchObject({ state: 'connected', problem: null, alerts: [] });
  for (const number of ['SO/1', 'SO-2'])
    await berlin.post('/api/orders/', {
      order_number: number,
      items: [{ name: 'Screws', ordered_quantity: 1, deviceid: ONE }],
    });
  await berlin.post('/api/orders/SO-2/launch/');
  await berlin.post(`/api/device/${TWO}/`, { line1: 'Nails' });
  await settle(berlin);
  await shows('berlin', {
    devices: { count: 2, lit: 2, offline: 0, batteries_low: 0 },
    orders: { open: 1, in_progress: 1, attention: 0 },
    picks_last_hour: 0,
  });
  await berlin.press(TWO);
  await berlin.request('DELETE', '/api/orders/SO%2F1/');
  await settle(berlin);
  await shows('berlin', {
    devices: { count: 2, lit: 1, offline: 0, batteries_low: 0 },
    orders: { open: 0, in_progress: 1, attention: 0 },
  });
  await berlin.clock.advance(60_000);
  await shows('berlin', { picks_last_hour: 1 });
  await berlin.clock.advance(3_600_000);
  await shows('berlin', { picks_last_hour: 0 });
});

test('an offline station keeps its last state and the time when it went offline', async () => {
  await berlin.post(`/api/device/${ONE}/`, { line1: 'Nails' });
  await settle(berlin);
  await shows('berlin', { devices: { count: 2, lit: 1, offline: 0, batteries_low: 0 } });
  await watcher.clock.advance(5_000);
  const awayAt = new Date(watcher.clock.now()).toISOString();
  await berlin.patch('/api/settings/', { mqtt_url: '' });
  await settle(berlin);
  const away = { availability: 'offline', devices: { count: 2, lit: 1, offline: 0, batteries_low: 0 } };
  await shows('berlin', { ...away, since: awayAt, last_heard: awayAt });
  // A watcher that starts later also knows when the station went offline.
  const { time } = JSON.parse(broker.stored().get('acme/shops/berlin/info') ?? '') as { time: string };
  await watcher.restart();
  await settle(watcher);
  await shows('berlin', { ...away, since: time, last_heard: time });
});

test('lists the open alerts and failing receivers of all stations', async () => {
  const receiver = await startReceiver();
  receiver.reply(500);
  await berlin.patch('/api/settings/', { callback_url: receiver.url });
  await berlin.post(`/api/device/${ONE}/`, { line1: 'Nails', nonce: 'n1', seconds: 1 });
  await berlin.clock.advance(10 * 60_000);
  await settle(berlin);
  const { host } = new URL(receiver.url);
  await shows('berlin', { failing_receivers: [host] });
  const { alerts } = await fleet();
  expect(alerts).toContainEqual(
    expect.objectContaining({ station: 'berlin', kind: 'receiver_failing', about: host }) as unknown,
  );
  receiver.reply(200);
  await berlin.clock.advance(3_600_000);
  await settle(berlin);
  await shows('berlin', { failing_receivers: [] });
  await receiver.stop();
});

test("counts low batteries with each station's threshold, and offline devices", async () => {
  const info = { protocol: 1, name: 'pi', devices: 3, battery_percent: 20 };
  await tell('riga/info', info);
  const device = { locationoverride: 'A-1', online: true, commands: [] };
  await tell(`riga/devices/${ONE}`, { ...device, battery: 20 });
  await tell(`riga/devices/${TWO}`, { ...device, battery: 21 });
  await tell('riga/devices/51D000:000003', { ...device, battery: null, online: false });
  await shows('riga', { devices: { count: 3, lit: 0, offline: 1, batteries_low: 1 }, problem: null });
  await tell('riga/info', { ...info, battery_percent: 0 });
  await shows('riga', { devices: { count: 3, lit: 0, offline: 1, batteries_low: 0 } });
});

test('invalid topics and other versions are reported only for their station, until they are corrected', async () => {
  await tell('mars/availability', 'online');
  await tell('mars/info', { protocol: 2, station: 'mars', places: 7 });
  await tell(`mars/devices/${ONE}`, { locationoverride: 'Mars 1' });
  await tell('junk/info', '\u0000\u0001{');
  await tell('lamp/availability', 'online');
  await tell('half/info', {
    protocol: 1,
    name: { a: 1 },
    url: 'javascript:alert(1)',
    devices: 'x',
    alerts: [{ kind: 5 }, 3],
  });
  await tell('half/orders/%zz', 'x');
  await tell('half/orders/A-1', '{"order_number"');
  await tell(`half/devices/${ONE}`, '[]');
  const problem = (text: string) => ({ problem: expect.stringContaining(text) as string });
  await shows('mars', { protocol: 2, availability: 'online', ...problem('It speaks version 2 of the topics') });
  await shows('junk', { protocol: null, ...problem('Its topic info cannot be read') });
  await shows('lamp', problem('Its topic info is missing'));
  await shows('half', { name: '', url: '', ...problem('cannot be read, and is left out') });
  await shows('berlin', { availability: 'online', problem: null });
  expect(await find('Mars 1')).toEqual([]);
  // A corrected topic is shown again, and a cleared topic disappears.
  await tell('half/orders/A-1', { order_number: 'A-1', state: 'open', attention: ['stalled'] });
  await tell(`half/devices/${ONE}`, '');
  await shows('half', { problem: null, orders: { open: 1, in_progress: 0, attention: 1 } });
  await tell('mars/info', { protocol: 1, name: 'mars', devices: 1 });
  await expect.poll(() => find('Mars 1'), { interval: 5 }).toMatchObject([{ station: 'mars', deviceid: ONE }]);
  for (const topic of ['junk/info', 'lamp/availability']) await tell(topic, '');
  await expect
    .poll(async () => (await fleet()).stations.map(({ station }) => station), { interval: 5 })
    .toEqual(['berlin', 'half', 'mars', 'watcher']);
});

test('reports a station whose topics are incomplete', async () => {
  await tell('riga/info', { protocol: 1, name: 'pi', devices: 3 });
  await tell(`riga/devices/${ONE}`, { locationoverride: 'A-1' });
  await shows('riga', { problem: null });
  await watcher.clock.advance(11_000);
  await shows('riga', { problem: expect.stringContaining('sent 1 of its 3 devices') as string });
});

test('finds orders and articles in all stations, exact matches first', async () => {
  await berlin.post('/api/orders/', { order_number: 'SO/10', items: [{ name: 'Screws', ordered_quantity: 1 }] });
  await watcher.post('/api/orders/', { order_number: 'SO/1', items: [{ name: 'Screws', ordered_quantity: 1 }] });
  await berlin.post(`/api/device/${ONE}/`, { line1: 'Cable tie 200' });
  await berlin.post(`/api/device/${TWO}/`, { statica: 'Cable clip' });
  await settle(berlin);
  await settle(watcher);
  await expect
    .poll(() => find('so/1'), { interval: 5 })
    .toMatchObject([
      { station: 'watcher', order_number: 'SO/1', order_state: 'open', matched: 'order_number', online: true },
      { station: 'berlin', order_number: 'SO/10', url: berlin.url },
    ]);
  await expect
    .poll(async () => (await find('CABLE')).map(({ deviceid, matched, text }) => [deviceid, matched, text]), {
      interval: 5,
    })
    .toEqual([
      [ONE, 'lit', 'Cable tie 200'],
      [TWO, 'static', 'Cable clip'],
    ]);
  expect(await find('nowhere')).toEqual([]);
});

test('after reconnecting, drops what was removed in the meantime and keeps the rest', async () => {
  await tell('riga/info', { protocol: 1, name: 'pi', devices: 1 });
  await tell(`riga/devices/${ONE}`, { locationoverride: 'A-1' });
  await tell('oslo/info', { protocol: 1, name: 'pi', devices: 0 });
  await expect.poll(() => find('A-1'), { interval: 5 }).toHaveLength(1);
  broker.cut();
  await expect.poll(async () => (await fleet()).state, { interval: 5 }).toBe('error');
  expect(await listed('riga')).toMatchObject({ devices: { count: 1 } });
  await tell('oslo/info', '');
  await tell(`riga/devices/${ONE}`, '');
  await watcher.clock.advance(5_000);
  await settle(watcher);
  await expect.poll(async () => (await fleet()).state, { interval: 5 }).toBe('connected');
  await expect.poll(() => find('A-1'), { interval: 5 }).toEqual([]);
  expect((await listed('oslo'))?.name).toBe('pi');
  await watcher.clock.advance(10_000);
  expect(await listed('oslo')).toBeUndefined();
  expect((await listed('riga'))?.name).toBe('pi');
});

const ORDER = { order_number: 'SO-7', items: [{ name: 'Screws', ordered_quantity: 2, deviceid: ONE }] };

/** Sends an order through the fleet while advancing Berlin's clock, because otherwise Berlin does not commit anything. */
async function sendTo(id: string, body: object, query = '') {
  let isOver = false;
  const answer = watcher.request('POST', `/api/fleet/${id}/orders/${query}`, body).finally(() => (isOver = true));
  const goesOn = (): boolean => !isOver;
  while (goesOn()) {
    await berlin.clock.advance(20);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return answer;
}

test('an order can be sent to another station, which checks and lights it', async () => {
  await shows('berlin', { availability: 'online' });
  const answer = { station: 'berlin', order_number: 'SO-7', state: 'in_progress', warnings: [] };
  expect(await sendTo('berlin', ORDER, '?launch=1')).toMatchObject({ status: 201, body: answer });
  expect(await berlin.get('/api/orders/SO-7/')).toMatchObject({ state: 'in_progress' });
  expect(await sendTo('berlin', ORDER)).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringMatching(/^Station "berlin": .*SO-7/) as string },
  });
  const unlit = { order_number: 'SO-8', items: [{ name: 'Nails', ordered_quantity: 1 }] };
  expect(await sendTo('berlin', unlit)).toMatchObject({ status: 201, body: { state: 'open' } });
  expect(await sendTo('berlin', { ...unlit, order_number: 'SO-10' }, '?launch=1')).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('The order was created, and waits to be launched.') as string },
  });
  await berlin.request('DELETE', '/api/orders/SO-10/');
  expect(await sendTo('berlin', { order_number: 'SO-9' })).toMatchObject({ status: 400 });
  expect(await watcher.get('/api/orders/')).toEqual([]);
  // The topics for commands and results are not orders, but an order with such a number is shown.
  await berlin.post('/api/orders/', { ...unlit, order_number: 'set' });
  await settle(berlin);
  await shows('berlin', { orders: { open: 2, in_progress: 1, attention: 0 }, problem: null });
  expect(await find('result')).toEqual([]);
  expect(await find('set')).toMatchObject([{ order_number: 'set' }]);
});

test('refuses an order to an unknown or offline station, and says what to do if there is no answer', async () => {
  await tell('riga/info', { protocol: 1, name: 'pi', devices: 0 });
  await tell('riga/availability', 'offline');
  await shows('riga', { availability: 'offline' });
  expect(await sendTo('nowhere', ORDER)).toMatchObject({ status: 404 });
  const refusal = (text: string) => ({ status: 409, body: { detail: expect.stringContaining(text) as string } });
  expect(await sendTo('riga', ORDER)).toMatchObject(refusal('is away. Nothing was sent'));
  expect(broker.at('acme/shops/riga/orders/set')).toEqual([]);
  await tell('riga/availability', 'online');
  await shows('riga', { availability: 'online' });
  const unanswered = sendTo('riga', ORDER, '?launch=1');
  await expect.poll(() => broker.at('acme/shops/riga/orders/set'), { interval: 5 }).toHaveLength(1);
  const sent = JSON.parse(broker.at('acme/shops/riga/orders/set')[0] ?? '') as { nonce: string };
  expect(sent).toMatchObject({ ...ORDER, launch: true });
  // Publish answers to other requests, and invalid answers.
  await broker.publish('acme/shops/riga/orders/result', '{"status":201,"nonce":"other"}');
  await broker.publish('acme/shops/riga/orders/result', 'null');
  // A different station has seen the nonce and answers instead of the addressed station.
  const taken = { status: 201, nonce: sent.nonce, order_number: 'SO-7', state: 'open' };
  await broker.publish('acme/shops/berlin/orders/result', JSON.stringify(taken));
  // Wait until all these messages have arrived.
  await tell('riga/orders/A-1', { order_number: 'A-1', state: 'open' });
  await shows('riga', { orders: { open: 1, in_progress: 0, attention: 0 } });
  await watcher.clock.advance(10_000);
  expect(await unanswered).toMatchObject(refusal('did not answer. Check there'));
  const refusedThere = sendTo('riga', ORDER);
  await expect.poll(() => broker.at('acme/shops/riga/orders/set'), { interval: 5 }).toHaveLength(2);
  const { nonce } = JSON.parse(broker.at('acme/shops/riga/orders/set')[1] ?? '') as { nonce: string };
  const errors = [{ path: '/items/0/name', message: 'Too long.' }];
  const problem = { status: 400, nonce, code: 'invalid', detail: 'Not valid.', errors };
  await broker.publish('acme/shops/riga/orders/result', JSON.stringify(problem));
  expect(await refusedThere).toMatchObject({
    status: 400,
    body: { code: 'invalid', detail: 'Station "riga": Not valid.', errors },
  });
  const strange = sendTo('riga', ORDER);
  await expect.poll(() => broker.at('acme/shops/riga/orders/set'), { interval: 5 }).toHaveLength(3);
  const third = JSON.parse(broker.at('acme/shops/riga/orders/set')[2] ?? '') as { nonce: string };
  await broker.publish('acme/shops/riga/orders/result', JSON.stringify({ ...taken, status: 199, nonce: third.nonce }));
  expect(await strange).toMatchObject({ status: 409 });
  const lost = sendTo('riga', ORDER);
  await expect.poll(() => broker.at('acme/shops/riga/orders/set'), { interval: 5 }).toHaveLength(4);
  broker.cut();
  expect(await lost).toMatchObject(refusal('did not answer'));
  expect(await sendTo('berlin', ORDER)).toMatchObject(refusal('no connection to the broker'));
});

test('a station that only watches others publishes nothing and is not listed', async () => {
  await using office = await open('office', { seed: 3, simulate: 0, only: true, mqtt_url: '' });
  expect(await office.get('/api/fleet/')).toMatchObject({
    state: 'off',
    problem: expect.not.stringMatching(/\bfleet\b/),
  });
  await office.patch('/api/settings/', { mqtt_url: broker.url });
  expect(await office.get('/api/station/')).toMatchObject({ fleet: true });
  await expect
    .poll(async () => (await office.get<FleetAnswer>('/api/fleet/')).stations.map(({ station }) => station))
    .toEqual(['berlin', 'watcher']);
  const connected = { state: 'connected', problem: null, protocol: '3.1.1' };
  expect(await office.get<MqttStatus>('/api/mqtt/')).toMatchObject(connected);
  expect(await office.request('POST', '/api/mqtt/test/')).toMatchObject({ status: 409 });
  await office.clock.advance(70_000);
  expect(broker.saw.filter(({ topic }) => topic.includes('/office/'))).toEqual([]);
});

test('while the fleet is off, its answer names the missing settings, and nothing remains on the broker', async () => {
  await watcher.patch('/api/settings/', { fleet: false });
  await settle(watcher);
  expect(await fleet()).toMatchObject({
    state: 'off',
    problem: expect.stringContaining('set mqtt_url and fleet') as string,
    stations: [],
  });
  expect(await watcher.request('GET', '/api/fleet/find/?q=SO')).toMatchObject({ status: 409 });
  expect(await sendTo('berlin', ORDER)).toMatchObject({ status: 409 });
  expect((await watcher.get<MqttStatus>('/api/mqtt/')).state).toBe('connected');
  expect([...broker.stored().keys()].filter((topic) => topic.includes('fleet') || topic.includes('echo'))).toEqual([]);
});

test('publishes its info again only if it has changed, at most once per second', async () => {
  const infos = (): string[] => broker.at('acme/shops/berlin/info');
  const before = infos().length;
  await berlin.patch('/api/settings/', { alert_battery_percent: 11 });
  await berlin.patch('/api/settings/', { alert_battery_percent: 12 });
  await settle(berlin);
  await expect.poll(() => infos().length, { interval: 5 }).toBe(before + 1);
  expect(JSON.parse(infos().at(-1) ?? '')).toMatchObject({ battery_percent: 12, devices: 2, protocol: 1, alerts: [] });
  await berlin.patch('/api/settings/', { alert_weak_dbm: -80 });
  await settle(berlin);
  expect(infos()).toHaveLength(before + 1);
});
