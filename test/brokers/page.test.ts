import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { API_KEY, startTestStation } from '../helpers/startTestStation.ts';
import { listSnippets } from '../helpers/snippets.ts';
import { until } from '../shells/until.ts';
import { send, startMosquitto, subscribe } from './mosquitto.ts';

const PAGE = 'docs/mqtt.md';

const run = promisify(execFile);

test('the code blocks of docs/mqtt.md work as the page says', async () => {
  await using broker = await startMosquitto();
  await using station = await startTestStation({ simulate: 2, refreshMs: 0 });
  const env = {
    ...process.env,
    API_KEY,
    STATION_URL: station.url.replace(/\/$/, ''),
    BROKER_URL: `mqtt://127.0.0.1:${broker.port}`,
  };
  const blocks = listSnippets(PAGE).filter(({ mark, language }) => mark?.value === 'broker' && language !== 'text');
  const said: string[] = [];
  for (const { language, code } of blocks) {
    if (language === 'json') {
      expect(JSON.parse(said.at(-1) ?? '')).toEqual(JSON.parse(code));
      continue;
    }
    const going = run('bash', ['-euc', code], { env, timeout: 120_000 });
    const ended = going.then(
      () => true,
      () => true,
    );
    // On the fake clock, a station answers only while the clock advances.
    const turn = async (): Promise<boolean> => {
      await station.clock.advance(0);
      return Promise.race([ended, new Promise<boolean>((resolve) => void setTimeout(() => resolve(false), 5))]);
    };
    await until(`the block ${code}`, turn);
    said.push((await going).stdout);
    await station.clock.advance(1_000);
  }
  expect(blocks).toHaveLength(5);
  expect(said.at(-1)).toContain('"stations":');
  expect(said[0]).toContain('"state":"passed"');
  expect(said[1]).toMatch(/^online\n\{"deviceid":"51D000:000001"/);
});

test('the rights in docs/mqtt.md are enough for a station and a program, and keep others from commanding the station', async () => {
  await using broker = await startMosquitto();
  const [rights] = listSnippets(PAGE).filter(({ language }) => language === 'text');
  const [acl, passwords] = ['acl', 'passwords'].map((name) => join(broker.folder, name)) as [string, string];
  writeFileSync(acl, rights?.code ?? '');
  writeFileSync(passwords, '');
  chmodSync(passwords, 0o600);
  for (const user of ['counter', 'berlin', 'erp']) execFileSync('mosquitto_passwd', ['-b', passwords, user, 'secret']);
  await broker.stop();
  await broker.start(['allow_anonymous false', `acl_file ${acl}`, `password_file ${passwords}`]);
  await using station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const settings = { mqtt_prefix: 'shop', mqtt_station: 'counter', mqtt_discovery: true };
  const signIn = { mqtt_username: 'counter', mqtt_password: 'secret' };
  await station.patch('/api/settings/', { mqtt_url: `mqtt://127.0.0.1:${broker.port}`, ...settings, ...signIn });
  await station.clock.advance(1_000);
  expect(await station.post('/api/mqtt/test/')).toMatchObject({ state: 'passed', problem: null });
  const erp = ['-u', 'erp', '-P', 'secret'];
  await using results = await subscribe(broker.port, 'shop/+/devices/+/result', erp);
  const to = (topic: string): string =>
    send('mosquitto_pub', broker.port, [...erp, '-t', `shop/counter/${topic}`, '-m', '{"line1":"x"}']);
  to('devices/51D000:000001/set');
  await expect.poll(() => results.heard.length).toBe(1);
  expect(() => to('orders/set')).not.toThrow();
  const berlin = ['-u', 'berlin', '-P', 'secret'];
  const foreign = ['devices/51D000:000001/set', 'orders/set', 'devices/51D000:000001', 'availability'];
  for (const topic of foreign)
    send('mosquitto_pub', broker.port, [...berlin, '-t', `shop/counter/${topic}`, '-m', '{"line1":"berlin"}']);
  await station.clock.advance(1_000);
  expect(await station.get('/api/mqtt/')).toMatchObject({
    log: expect.not.arrayContaining([expect.objectContaining({ topic: 'shop/counter/orders/set' })]) as unknown,
  });
  expect(JSON.stringify(await station.get('/api/mqtt/'))).not.toContain('berlin');
});
