import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import { seededIds } from '../helpers/seeded.ts';
import { DATABASE } from '../shells/killLoop/verdict.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { freePort, send, startMosquitto, subscribe } from './mosquitto.ts';

const SEED = Number(process.env['BROKER_SEED'] ?? 1);
const ROUNDS = Number(process.env['BROKER_ROUNDS'] ?? 8);
const PICKS = 12;
/** Returns the number of picks before the kill, which rotates from 0 to 3. */
const picksBefore = (round: number): number => round % 4;
const COMMANDS = 15;
/** Number of devices. Picks use the first half and MQTT commands the second half, so that picks never wait for commands. */
const DEVICES = 6;
/** Configuration that saves every change immediately, as shops should use it: a killed mosquitto loses what is only in memory. */
const LASTING = ['allow_anonymous true', 'persistence true', 'autosave_on_changes true', 'autosave_interval 1'];

test(`callbacks survive kills of the broker and the station, and each keeps a single id (seed ${SEED})`, async () => {
  const { fraction } = seededIds(SEED);
  const dataFolder = folderOnDisk('brokers');
  const port = await freePort();
  await using broker = await startMosquitto(LASTING);
  await using erp = await subscribe(broker.port, 'shop/counter/callbacks/#', ['-c', '-i', 'erp', '-x', '86400']);
  let station: StationProcess | undefined;
  let url = '';
  const expected = new Set<string>();
  /** Nonces of the picks whose light was turned off after the press. */
  const picked = new Set<string>();
  /** Nonces of the MQTT commands that the broker accepted in rounds in which it was not killed. */
  const commanded = new Set<string>();

  async function start(): Promise<void> {
    station = spawnStation({ dataFolder, simulate: DEVICES, port });
    url = await station.ready;
  }
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
  const status = (): Promise<MqttStatus> => call('GET', '/api/mqtt/');

  /**
   * Lights a device, presses its button, and waits until the light is off. If the station is killed in the meantime,
   * the device may stay lit.
   */
  async function pick(nonce: string): Promise<void> {
    const device = deviceOf(fraction() / 2);
    const commands = async (): Promise<{ nonce: string; state: string }[]> =>
      (await call<{ commands: { nonce: string; state: string }[] }>('GET', `/api/device/${device}/`)).commands;
    await call('POST', `/api/device/${device}/`, { line1: 'Screws', nonce, seconds: 0 });
    await until('the light', async () => {
      const [first] = await commands();
      return first?.nonce === nonce && first.state === 'shown';
    });
    await call('POST', `/api/simulator/devices/${device}/press/`, { button: 'front', hold: 'short' });
    await until('the pick', async () => !(await commands()).some((command) => command.nonce === nonce));
    picked.add(nonce);
  }
  async function pickSome(round: number): Promise<void> {
    for (let number = 0; number < PICKS; number += 1) await pick(`${round}-${number}`);
  }

  /** Sends each command twice, like a program that received no answer. */
  async function commandSome(round: number): Promise<void> {
    for (let number = 0; number < COMMANDS; number += 1) {
      const nonce = `mqtt-${round}-${number}`;
      const topic = `shop/counter/devices/${deviceOf((1 + fraction()) / 2)}/set`;
      const body = JSON.stringify({ line1: 'Nails', nonce, seconds: 0 });
      for (let time = 0; time < 2; time += 1) {
        send('mosquitto_pub', broker.port, [
          '-t',
          topic,
          '-m',
          body,
          '-D',
          'PUBLISH',
          'message-expiry-interval',
          '600',
        ]);
        await new Promise((resolve) => void setTimeout(resolve, 5));
      }
      commanded.add(nonce);
    }
  }
  const endings = (): Map<string, number> => {
    const db = new Database(join(dataFolder, DATABASE), { readonly: true });
    const rows = db
      .prepare<[], { nonce: string; count: number }>(
        "SELECT nonce, count(*) AS count FROM history WHERE nonce LIKE 'mqtt-%' AND kind IN ('acknowledged', 'killed') GROUP BY nonce",
      )
      .all();
    db.close();
    return new Map(rows.map(({ nonce, count }) => [nonce, count]));
  };
  async function putOut(): Promise<void> {
    for (const device of await call<string[]>('GET', '/api/device/'))
      await call('POST', `/api/device/${device}/`, { command: 'kill' });
  }

  try {
    await start();
    await call('PATCH', '/api/settings/', {
      mqtt_url: `mqtt://127.0.0.1:${broker.port}`,
      mqtt_prefix: 'shop',
      mqtt_station: 'counter',
    });
    const rounds = Array.from({ length: ROUNDS }, () => fraction());
    const ofRound = (round: number): number => rounds[round] ?? 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await until('the connection', async () => (await status()).state === 'connected');
      const picking = pickSome(round).then(
        () => true,
        () => false,
      );
      const goal = picked.size + picksBefore(round);
      await until('the picks of the round', () => picked.size >= goal);
      const commanding = ofRound(round) >= 0.66 ? commandSome(round) : undefined;
      await new Promise((resolve) => void setTimeout(resolve, fraction() * 400));
      const what = ofRound(round);
      if (what < 0.66) await broker.stop('SIGKILL');
      if (what >= 0.33) await station?.kill();
      await Promise.all([picking, commanding]);
      if (what < 0.66) await broker.start();
      if (what >= 0.33) await start();
      // A killed mosquitto may lose acknowledged messages for an absent subscriber, so wait until the subscriber is connected.
      if (what < 0.66) await until('the subscriber', () => /connected from .* as erp /.test(broker.log()));
      await putOut();
    }
    await until('the commands over MQTT', async () => {
      await putOut();
      return endings().size === commanded.size;
    });
    for (const [nonce, count] of endings()) expect({ nonce, count }).toEqual({ nonce, count: 1 });
    expect(commanded.size).toBeGreaterThanOrEqual(COMMANDS);
    await until('all callbacks', async () => (await status()).waiting === 0);
    const deliveries = await call<Delivery[]>('GET', '/api/callbacks/?limit=1000');
    // A round has 0 to 3 picks, 1.5 on average.
    expect(picked.size).toBeGreaterThanOrEqual(ROUNDS);
    const delivered = new Set(deliveries.map(({ payload }) => payload['nonce']));
    expect([...picked].filter((nonce) => !delivered.has(nonce))).toEqual([]);
    for (const { webhook_id: id, state } of deliveries) {
      expect({ id, state }).toEqual({ id, state: 'delivered' });
      expected.add(id);
    }
    await until('the last message', () => new Set(erp.heard.map(idOf)).size >= expected.size);
    expect(new Set(erp.heard.map(idOf))).toEqual(expected);
    // A repetition has the same id and the same content.
    const payloads = Map.groupBy(erp.heard, idOf);
    for (const [id, heard] of payloads)
      expect({ id, payloads: new Set(heard.map(({ payload }) => payload)).size }).toEqual({ id, payloads: 1 });
    const ofNonce = Map.groupBy(erp.heard, ({ payload }) => (JSON.parse(payload) as { nonce: string }).nonce);
    for (const [nonce, heard] of ofNonce)
      expect({ nonce, ids: new Set(heard.map(idOf)).size }).toEqual({ nonce, ids: 1 });
    // The callbacks of one device arrived in the order of its presses.
    const order = new Map(deliveries.toReversed().map(({ webhook_id: id }, index) => [id, index]));
    const firsts = [...payloads.values()].flatMap(([first]) => first ?? []);
    for (const ofDevice of Map.groupBy(
      firsts,
      ({ payload }) => (JSON.parse(payload) as { deviceid: string }).deviceid,
    ).values()) {
      const indexes = ofDevice.map((message) => order.get(idOf(message)) ?? -1);
      expect(indexes).toEqual(indexes.toSorted((one, other) => one - other));
    }
  } finally {
    await station?.kill();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}, 1_200_000);

const deviceOf = (part: number): string => `51D000:${String(1 + Math.floor(part * DEVICES)).padStart(6, '0')}`;

const idOf = ({ userProperties }: { userProperties: Record<string, string> }): string =>
  userProperties['webhook-id'] ?? '';
