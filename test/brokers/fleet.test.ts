import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mqtt, { type IPublishPacket } from 'mqtt';
import { expect, test } from 'vitest';
import type { FleetAnswer, FleetFound, FleetStation } from '#shared/api/fleet.ts';
import { listSnippets, ROOT } from '../helpers/snippets.ts';
import type { TestStation } from '../helpers/startTestStation.ts';
import { until } from '../shells/until.ts';
import { openAt, settle } from './brokerStation.ts';
import { send, startMosquitto } from './mosquitto.ts';

const ONE = '51D000:000001';

async function listed(watcher: TestStation, id: string): Promise<FleetStation | undefined> {
  const { stations } = await watcher.get<FleetAnswer>('/api/fleet/');
  return stations.find(({ station }) => station === id);
}

test('over MQTT 5, the fleet shows the station state stored by the broker, even after the broker is killed', async () => {
  await using broker = await startMosquitto();
  await using berlin = await openAt(broker.port, 'berlin', { seed: 2 });
  await using watcher = await openAt(broker.port, 'watcher', { seed: 1, fleet: true });
  await berlin.post(`/api/device/${ONE}/`, { line1: 'Cable tie 200' });
  await settle(berlin);
  const lit = { devices: { count: 2, lit: 1, offline: 0, batteries_low: 0 } };
  await expect.poll(() => listed(watcher, 'berlin')).toMatchObject({ availability: 'online', ...lit });
  expect(await watcher.get<FleetFound[]>('/api/fleet/find/?q=tie')).toMatchObject([
    { station: 'berlin', deviceid: ONE },
  ]);
  expect(broker.log()).toMatch(/as watcher-fleet-[0-9a-f]{12} \(p5, c1/);
  // This broker does not store anything on disk, so all of its later messages are new.
  await broker.stop('SIGKILL');
  await until('the loss', async () => (await watcher.get<FleetAnswer>('/api/fleet/')).state === 'error');
  await broker.start();
  send('mosquitto_pub', broker.port, ['-r', '-t', 'shop/berlin/availability', '-m', 'offline']);
  send('mosquitto_pub', broker.port, ['-r', '-t', 'shop/berlin/info', '-m', '{"protocol":1,"name":"pi","devices":2}']);
  await until('the connection', async () => {
    await watcher.clock.advance(5_000);
    return (await watcher.get<FleetAnswer>('/api/fleet/')).state === 'connected';
  });
  await expect.poll(() => listed(watcher, 'berlin')).toMatchObject({ availability: 'offline', devices: { count: 2 } });
  await until('the station', async () => {
    await berlin.clock.advance(5_000);
    return (await listed(watcher, 'berlin'))?.availability === 'online';
  });
  await settle(berlin);
  await expect.poll(() => listed(watcher, 'berlin')).toMatchObject({ problem: null, ...lit });
});

test('a foreign info under the topics of a station does not rename it, and the station restores the topic', async () => {
  await using broker = await startMosquitto();
  await using berlin = await openAt(broker.port, 'berlin', { seed: 2 });
  await using watcher = await openAt(broker.port, 'watcher', { seed: 1, fleet: true });
  await expect.poll(() => listed(watcher, 'berlin')).toMatchObject({ availability: 'online', url: berlin.url });
  const name = (await listed(watcher, 'berlin'))?.name;
  const foreign = { protocol: 1, name: 'Foreign', url: 'http://h.test/', devices: 9, instance: 'ff' };
  send('mosquitto_pub', broker.port, ['-r', '-t', 'shop/berlin/info', '-m', JSON.stringify(foreign)]);
  // The next message of this client arrives after the foreign one.
  send('mosquitto_pub', broker.port, ['-r', '-t', 'shop/riga/info', '-m', '{"protocol":1,"name":"Riga","devices":0}']);
  await expect.poll(() => listed(watcher, 'riga')).toMatchObject({ name: 'Riga' });
  expect(await listed(watcher, 'berlin')).toMatchObject({ name, url: berlin.url, problem: null });
  await settle(berlin);
  await watcher.clock.advance(10 * 60_000);
  expect(await listed(watcher, 'berlin')).toMatchObject({ name, url: berlin.url });
});

test('the fleet lists all stations even if there are more than mosquitto queues messages', async () => {
  await using broker = await startMosquitto();
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  const info = JSON.stringify({ protocol: 1, name: 'pi', devices: 0 });
  const retained = { qos: 1, retain: true } as const;
  for (let id = 0; id < 1_500; id += 1) {
    void client.publishAsync(`shop/s${id}/availability`, 'online', retained);
    await client.publishAsync(`shop/s${id}/info`, info, retained);
  }
  await client.endAsync();
  await using watcher = await openAt(broker.port, 'watcher', { seed: 1, fleet: true });
  const complete = async (): Promise<number> => {
    const { stations } = await watcher.get<FleetAnswer>('/api/fleet/');
    return stations.filter(({ availability, problem }) => availability === 'online' && problem === null).length;
  };
  await expect.poll(complete).toBe(1_501);
});

test('the fleet gets the devices of all stations even if there are more than mosquitto queues for one subscription', async () => {
  await using broker = await startMosquitto();
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`);
  const stations = Array.from({ length: 60 }, (_, each) => `shop-${each}`);
  const store = (topic: string, payload: object) =>
    client.publishAsync(`shop/${topic}`, JSON.stringify(payload), { qos: 1, retain: true });
  const device = { locationoverride: 'Shelf', online: true, battery: 50, commands: [] };
  for (const id of stations) {
    const ids = Array.from({ length: 30 }, (_, each) => `51D000:0000${String(each + 10)}`);
    await Promise.all(ids.map((deviceId) => store(`${id}/devices/${deviceId}`, device)));
    await store(`${id}/info`, { protocol: 1, name: id, devices: 30 });
  }
  await client.endAsync();
  await using watcher = await openAt(broker.port, 'watcher', { seed: 1, fleet: true });
  await expect
    .poll(async () => {
      await watcher.clock.advance(11_000);
      const answer = await watcher.get<FleetAnswer>('/api/fleet/');
      const complete = answer.stations.filter(({ problem }) => problem === null);
      return complete.map(({ station }) => station).toSorted();
    })
    .toEqual([...stations, 'watcher'].toSorted());
  expect(readFileSync(`${broker.folder}/mosquitto.conf`, 'utf8')).not.toContain('max_queued');
});

test('the rights in docs/mqtt.md are enough to watch other stations and create orders there', async () => {
  await using broker = await startMosquitto();
  const texts = listSnippets('docs/mqtt.md').filter(({ language }) => language === 'text');
  const [acl, passwords] = ['acl', 'passwords'].map((name) => join(broker.folder, name)) as [string, string];
  writeFileSync(acl, texts.map(({ code }) => code).join('\n'));
  writeFileSync(passwords, '');
  chmodSync(passwords, 0o600);
  for (const user of ['counter', 'office']) execFileSync('mosquitto_passwd', ['-b', passwords, user, 'secret']);
  await broker.stop();
  await broker.start(['allow_anonymous false', `acl_file ${acl}`, `password_file ${passwords}`]);
  const signIn = (user: string) => ({ mqtt_username: user, mqtt_password: 'secret' });
  await using counter = await openAt(broker.port, 'counter', { seed: 2, ...signIn('counter') });
  await counter.post('/api/orders/', { order_number: 'SO-1', items: [{ name: 'Screws', ordered_quantity: 1 }] });
  await settle(counter);
  await using watcher = await openAt(broker.port, 'office', { seed: 1, fleet: true, ...signIn('office') });
  const wanted = { availability: 'online', problem: null, devices: { count: 2 }, orders: { open: 1 } };
  await expect.poll(() => listed(watcher, 'counter')).toMatchObject(wanted);
  const spy = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    protocolVersion: 5,
    username: 'counter',
    password: 'secret',
  });
  const seen: IPublishPacket[] = [];
  spy.on('message', (_topic, _payload, packet) => seen.push(packet));
  await spy.subscribeAsync('shop/counter/orders/set', { qos: 1 });
  const order = { order_number: 'SO-2', items: [{ name: 'Screws', ordered_quantity: 1, deviceid: ONE }] };
  expect(await watcher.request('POST', '/api/fleet/counter/orders/?launch=1', order)).toMatchObject({
    status: 201,
    body: { state: 'in_progress' },
  });
  // A station that goes offline now must not receive the message later.
  await until('the spy', () => seen.length === 1);
  expect(seen[0]?.properties?.messageExpiryInterval).toBeLessThanOrEqual(10);
  expect(seen[0]?.properties?.userProperties?.['id']).toMatch(/^fleet-/);
  await spy.endAsync();
  // Remove the right to write to that topic.
  writeFileSync(acl, texts.map(({ code }) => code.replace('topic write shop/+/orders/set', '')).join('\n'));
  await broker.stop();
  await broker.start(['allow_anonymous false', `acl_file ${acl}`, `password_file ${passwords}`]);
  await until('the stations', async () => {
    await Promise.all([watcher, counter].map(({ clock }) => clock.advance(5_000)));
    const { state } = await watcher.get<FleetAnswer>('/api/fleet/');
    return state === 'connected' && (await listed(watcher, 'counter'))?.availability === 'online';
  });
  expect(await watcher.request('POST', '/api/fleet/counter/orders/', order)).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/\(ACL\).*The topic is shop\/counter\/orders\/set\.$/) as string },
  });
});

test('the ACL rule in docs/scaling.md lets each user write only its own topics, in any group', async () => {
  const scaling = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
  const [, rule = ''] = /mosquitto +\| `(pattern [^`]+)`/.exec(scaling) ?? [];
  await using broker = await startMosquitto();
  const [acl, passwords] = ['acl', 'passwords'].map((name) => join(broker.folder, name)) as [string, string];
  writeFileSync(acl, `${rule}\n`);
  writeFileSync(passwords, '');
  chmodSync(passwords, 0o600);
  execFileSync('mosquitto_passwd', ['-b', passwords, 'counter', 'secret']);
  await broker.stop();
  await broker.start(['allow_anonymous false', `acl_file ${acl}`, `password_file ${passwords}`]);
  const publish = (topic: string): string =>
    send('mosquitto_pub', broker.port, ['-d', '-u', 'counter', '-P', 'secret', '-t', topic, '-m', 'online']);
  expect(publish('acme/north/counter/availability')).toContain('(Mid: 1, RC:16)');
  expect(publish('acme/north/other/availability')).toContain('(Mid: 1, RC:135)');
});
