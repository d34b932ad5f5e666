import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import { selfSigned } from '../helpers/servers/selfSigned.ts';
import { startTestStation } from '../helpers/startTestStation.ts';
import { until } from '../shells/until.ts';
import { ONE, useBroker } from './brokerStation.ts';

const shop = useBroker();

test('connects over TLS with its own CA, a client certificate and a password, and reports why a connection fails', async () => {
  const server = selfSigned('broker', 'localhost');
  const client = selfSigned('counter');
  const file = (name: string, text: string): string => {
    writeFileSync(join(shop.broker.folder, name), text);
    return join(shop.broker.folder, name);
  };
  const lines = [
    `cafile ${file('ca.pem', client.cert)}`,
    `certfile ${file('cert.pem', server.cert)}`,
    `keyfile ${file('key.pem', server.key)}`,
    'require_certificate true',
    'allow_anonymous false',
    `password_file ${file('passwords', '')}`,
  ];
  chmodSync(join(shop.broker.folder, 'passwords'), 0o600);
  execFileSync('mosquitto_passwd', ['-b', join(shop.broker.folder, 'passwords'), 'pick', 'right']);
  await shop.broker.stop();
  await shop.broker.start(lines);
  await shop.open({
    mqtt_url: `mqtts://localhost:${shop.broker.port}`,
    mqtt_ca: server.cert,
    mqtt_cert: client.cert,
    mqtt_key: client.key,
    mqtt_username: 'pick',
    mqtt_password: 'right',
  });
  expect(await shop.status()).toMatchObject({ state: 'connected', problem: null, protocol: '5' });
  const told = async (change: object) => {
    await shop.station.patch('/api/settings/', change);
    await shop.settle();
    return shop.status();
  };
  expect(await told({ mqtt_password: 'wrong' })).toMatchObject({
    state: 'refused',
    problem: expect.stringMatching(/^The broker does not .* \(0x8[67]\)$/) as string,
  });
  expect(await told({ mqtt_password: 'right', mqtt_ca: '' })).toMatchObject({
    state: 'error',
    problem: expect.stringContaining('The certificate of the broker is not trusted.') as string,
  });
  expect(await told({ mqtt_ca: server.cert, mqtt_cert: '', mqtt_key: null })).toMatchObject({
    state: 'error',
    problem: expect.stringContaining('mqtt_cert and mqtt_key') as string,
  });
  expect(await told({ mqtt_url: `mqtt://localhost:${shop.broker.port}` })).toMatchObject({
    state: 'error',
    problem: expect.stringMatching(/^The broker closed the connection/) as string,
  });
  expect(
    await told({ mqtt_url: `mqtts://localhost:${shop.broker.port}`, mqtt_cert: client.cert, mqtt_key: client.key }),
  ).toMatchObject({ state: 'connected' });
});

test('without the right to read, the MQTT status is "refused" and names the ACL', async () => {
  writeFileSync(join(shop.broker.folder, 'acl'), 'topic write shop/#\n');
  await shop.broker.stop();
  await shop.broker.start(['allow_anonymous true', `acl_file ${join(shop.broker.folder, 'acl')}`]);
  await shop.open({}, { receiverHangs: true });
  await until('a refusal', async () => {
    await shop.station.clock.advance(2_000);
    return (await shop.status()).state === 'refused';
  });
  expect((await shop.status()).problem).toMatch(/rights of this user at the broker \(ACL\)/);
});

test('the station stops even while the broker hangs', async () => {
  await shop.open({}, { receiverHangs: true });
  await shop.reconnected();
  shop.broker.signal('SIGSTOP');
  let hasStopped = false;
  const stopping = shop.station.halt().then(() => (hasStopped = true));
  await until('the stop', async () => {
    await shop.station.clock.advance(500);
    return hasStopped;
  });
  await stopping;
  shop.broker.signal('SIGCONT');
});

test('if two stations with the same id start together, one connects and the other is refused', async () => {
  await shop.open({ mqtt_url: '' });
  await using second = await startTestStation({ simulate: 1, seed: 2 });
  const settings = { mqtt_url: `mqtt://127.0.0.1:${shop.broker.port}`, mqtt_prefix: 'shop', mqtt_station: 'counter' };
  await Promise.all([shop.station, second].map((each) => each.request('PATCH', '/api/settings/', settings)));
  const states = async (): Promise<string[]> => {
    for (const each of [shop.station, second]) await each.clock.advance(3_000);
    return Promise.all([shop.station, second].map(async (each) => (await each.get<MqttStatus>('/api/mqtt/')).state));
  };
  await until('one of them', async () => (await states()).toSorted().join() === 'connected,refused');
  for (let turn = 0; turn < 10; turn += 1) expect((await states()).toSorted()).toEqual(['connected', 'refused']);
});

test.each([
  ['closes it', (socket: Socket) => void socket.on('error', () => undefined).end(), 'error'],
  ['never answers', (socket: Socket) => void socket.on('error', () => undefined), 'error'],
])('reports a broker that accepts a connection and %s, and picking continues', async (_what, accept, state) => {
  const server = createServer(accept).listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    await shop.open({ mqtt_url: `mqtt://127.0.0.1:${port}` }, { receiverHangs: true });
    await shop.pick(ONE, 'n1');
    await until('the fault', async () => {
      await shop.station.clock.advance(0);
      return (await shop.status()).state === state;
    });
    expect(await shop.status()).toMatchObject({
      waiting: 1,
      problem: expect.stringMatching(/^The broker .*\.( \(.*\))?$/) as string,
    });
  } finally {
    server.close();
  }
});
