import { spawn } from 'node:child_process';
import { afterEach, beforeEach } from 'vitest';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../helpers/startTestStation.ts';
import { until } from '../shells/until.ts';
import { startMosquitto, type Mosquitto } from './mosquitto.ts';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
/** Prefix of the station's topics. */
export const BASE = 'shop/counter';

/** Starts a new mosquitto for each test. `open` then starts a station with two simulated devices. */
export function useBroker() {
  let broker: Mosquitto;
  let station: TestStation;

  beforeEach(async () => void (broker = await startMosquitto()));

  afterEach(async () => {
    await station.stop();
    await broker[Symbol.asyncDispose]();
  });

  const status = (): Promise<MqttStatus> => station.get<MqttStatus>('/api/mqtt/');

  return {
    get broker() {
      return broker;
    },
    get station() {
      return station;
    },
    /** Starts a station that uses this broker. */
    async open(settings: object = {}, options: TestStationOptions = {}): Promise<void> {
      station = await openWith(broker.port, 'counter', settings, options);
    },
    settle: () => settle(station),
    status,
    reconnected: () =>
      until('the connection', async () => {
        await station.clock.advance(5_000);
        return (await status()).state === 'connected';
      }),
    /** Lights a device and presses its button. */
    async pick(device: string, nonce: string): Promise<void> {
      await station.post(`/api/device/${device}/`, { line1: 'Screws', nonce });
      await station.clock.advance(500);
      await station.press(device);
      await station.clock.advance(100);
    },
    /** Sends a command with mosquitto_rr and returns the response. */
    async ask(topic: string, body: string, args: readonly string[] = []): Promise<Record<string, unknown>> {
      const common = ['-h', '127.0.0.1', '-p', String(broker.port), '-V', '5', '-q', '1', '-W', '20'];
      const own = ['-t', `${BASE}/${topic}`, '-e', 'erp/answers', '-m', body, '-F', '%j', ...args];
      const child = spawn('mosquitto_rr', [...common, ...own], { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      let isOver = false;
      child.stdout.setEncoding('utf8').on('data', (part: string) => void (text += part));
      child.once('close', () => (isOver = true));
      await until('an answer', () => isOver);
      const { payload } = JSON.parse(text) as { payload: string };
      return JSON.parse(payload) as Record<string, unknown>;
    },
  };
}

/** Starts a station that has two simulated devices and uses mosquitto on this port, with the topics `shop/{id}/…`. */
export function openAt(
  port: number,
  id: string,
  { seed, ...settings }: { seed: number } & Record<string, unknown>,
): Promise<TestStation & AsyncDisposable> {
  return openWith(port, id, settings, { seed });
}

async function openWith(
  port: number,
  id: string,
  settings: object,
  options: TestStationOptions,
): Promise<TestStation & AsyncDisposable> {
  const station = await startTestStation({ simulate: 2, refreshMs: 0, ...options });
  const mqttSettings = { mqtt_url: `mqtt://127.0.0.1:${port}`, mqtt_prefix: 'shop', mqtt_station: id, backup_every: 0 };
  await station.patch('/api/settings/', { ...mqttSettings, ...settings });
  await settle(station);
  return station;
}

/** Advances the clock until the station has published the changes that it collects. */
export async function settle(station: TestStation): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
}
