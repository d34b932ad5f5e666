import { afterEach, beforeEach, expect } from 'vitest';
import type { MqttStatus } from '#shared/api/mqtt.ts';
import { startBroker, type TestBroker } from '../../helpers/servers/broker.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
/** Prefix of the station's topics. */
export const BASE = 'shop/counter';

/** Starts a broker for MQTT 3.1.1, a callback receiver, and a station with two simulated devices that uses both, for each test. */
export function useMqtt() {
  let broker: TestBroker;
  let receiver: Receiver;
  let station: TestStation;

  /** Advances the clock until the station has published its changes. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
  };

  beforeEach(async () => {
    broker = await startBroker();
    receiver = await startReceiver();
    station = await startTestStation({ simulate: 2, refreshMs: 0 });
    await station.patch('/api/settings/', {
      mqtt_url: broker.url,
      mqtt_prefix: 'shop',
      mqtt_station: 'counter',
      callback_url: receiver.url,
      backup_every: 0,
    });
    await settle();
  });

  afterEach(async () => {
    await station.stop();
    await receiver.stop();
    await broker.stop();
  });

  return {
    get station() {
      return station;
    },
    get broker() {
      return broker;
    },
    get receiver() {
      return receiver;
    },
    settle,
    status: (): Promise<MqttStatus> => station.get<MqttStatus>('/api/mqtt/'),
    /** Starts an empty broker in place of the stopped one. */
    async startBrokerAt(port: number): Promise<void> {
      broker = await startBroker({}, port);
    },
    async light(device: string, nonce: string): Promise<void> {
      await station.post(`/api/device/${device}/`, { line1: 'Screws', nonce });
      await station.clock.advance(500);
    },
    /** Returns a device's state as retained at the broker. */
    storedDevice: (device: string) =>
      JSON.parse(broker.stored().get(`${BASE}/devices/${device}`) ?? 'null') as {
        commands: { state: string }[];
      } | null,
    /** Sends a command and returns its result. */
    async command(topic: string, body: unknown, result = topic.replace(/\/set$|\/launch$/, '/result')) {
      const before = broker.at(`${BASE}/${result}`).length;
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
      await broker.publish(`${BASE}/${topic}`, isRaw ? body : JSON.stringify(body));
      await expect.poll(() => broker.at(`${BASE}/${result}`).length, { interval: 2 }).toBeGreaterThan(before);
      await station.clock.advance(0);
      return JSON.parse(broker.at(`${BASE}/${result}`).at(-1) ?? '') as Record<string, unknown>;
    },
  };
}
