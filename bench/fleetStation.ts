/**
 * The client of one station of a fleet: the bridge of the product, with what a station says behind it. Devices, orders and
 * callbacks come from a tape instead of a database, so that hundreds fit into one process.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Device } from '#shared/api/device.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { DEFAULT_SETTINGS, type SecretSettings } from '#shared/api/settings.ts';
import { SECRET_SETTINGS } from '#shared/lib/secretSettings.ts';
import type { Fact } from '#shared/api/station.ts';
import type { BrokerClient } from '../electron/server/brokerPort.ts';
import { createBridge } from '../electron/server/mqtt/bridge.ts';
import { topicsOf } from '../electron/server/mqtt/topics.ts';
import type { Clock, Ids, Log } from '../electron/server/ports.ts';
import { createBus } from '../electron/server/services/base/index.ts';
import type { FleetLedger } from './fleetLedger.ts';
import type { FleetOutbox } from './fleetOutbox.ts';
import { PLACE, type FleetTape } from './fleetTape.ts';
import { deviceId } from './loads.ts';

export const FLEET_DEVICES = 20;
export const FLEET_ORDERS = 5;
/** Of its picks, one in so many also changes an order. */
const PICKS_PER_ORDER = 10;
/** When what happens during a pick, in milliseconds after the command. */
const SENT_MS = 20;
const SHOWN_MS = 350;
const PRESSED_MS = 700;

type Ports = { clock: Clock; ids: Ids; log: Log };

export function createFleetStation(parts: {
  number: number;
  brokerUrl: string;
  prefix: string;
  /** Of this run of the process: another one for each start. */
  mark: string;
  tape: FleetTape;
  ledger: FleetLedger;
  outbox: FleetOutbox;
  client: BrokerClient;
  ports: Ports;
  /** Picks so far, also of earlier runs. */
  picks: number;
}) {
  const { number, brokerUrl, prefix, mark, tape, ledger, outbox } = parts;
  const id = stationId(number);
  const bus = createBus();
  const deviceIds = Array.from({ length: FLEET_DEVICES }, (_, index) => deviceId(index + 1));
  const states = new Map(deviceIds.map((device) => [device, stateOf('idle', { device, nonce: '', command: '0' })]));
  const orders = new Map(
    Array.from({ length: FLEET_ORDERS }, (_, index) => `${id}-${index + 1}`).map((order) => [
      order,
      orderOf(tape, order, 0),
    ]),
  );
  let { picks } = parts;
  let revision = 0;

  type Pick = { device: string; nonce: string; command: string };

  function filled(text: string, { device, nonce, command }: Pick): string {
    return text.replaceAll(PLACE.device, device).replaceAll(PLACE.nonce, nonce).replaceAll(PLACE.command, command);
  }
  function stateOf(state: keyof FleetTape['states'], pick: Pick): string {
    return filled(tape.states[state], pick);
  }

  function publish(text: string): void {
    revision += 1;
    bus.publish({ revision, at: Date.now(), facts: JSON.parse(text) as Fact[], text });
  }
  function happens(type: keyof FleetTape['facts'], state: keyof FleetTape['states'], pick: Pick): void {
    states.set(pick.device, stateOf(state, pick));
    publish(filled(tape.facts[type], pick));
  }

  /** One after the other, however late the timers are. */
  async function light(pick: Pick): Promise<void> {
    happens('command.queued', 'sent', pick);
    await pause(SENT_MS);
    happens('command.sent', 'sent', pick);
    await pause(SHOWN_MS - SENT_MS);
    happens('command.shown', 'shown', pick);
    await pause(PRESSED_MS - SHOWN_MS);
  }

  /** As a station: nothing is published before it is on disk. */
  function press(pick: Pick, done: () => void): void {
    const { device, nonce } = pick;
    const owed = {
      id: `msg_${mark}_${number}.${nonce}`,
      station: number,
      device,
      nonce,
      payload: filled(tape.callback, pick),
    };
    ledger.book(owed, () => {
      happens('command.acknowledged', 'idle', pick);
      outbox.offer(owed);
      done();
    });
  }

  function changeOrder(): void {
    const order = `${id}-${1 + (Math.floor(picks / PICKS_PER_ORDER) % FLEET_ORDERS)}`;
    const progress = orderOf(tape, order, picks);
    orders.set(order, progress);
    publish(JSON.stringify([{ type: 'order.changed', order: progress }]));
  }

  function next(): Pick {
    picks += 1;
    const device = deviceIds[picks % deviceIds.length] ?? '';
    // The time of the press, for the receiver.
    return { device, nonce: `${id}.${picks}.${Date.now() + PRESSED_MS}`, command: String(100_000_000 + picks) };
  }

  const topics = topicsOf({ prefix, station: id });
  const bridge = createBridge({
    ...parts.ports,
    client: parts.client,
    settings: { ...DEFAULT_SETTINGS, ...NO_SECRETS, mqtt_url: brokerUrl, mqtt_prefix: prefix, mqtt_station: id },
    topics,
    bus,
    queue: outbox,
    commands: { take: () => Promise.resolve({ problem: null }) },
    devices: {
      get: (device) => JSON.parse(states.get(device) ?? '{}') as Device,
      list: () => [...states.values()].map((state) => JSON.parse(state) as Device),
      listIds: () => deviceIds,
      knows: (device) => states.has(device),
      count: () => deviceIds.length,
    },
    orders: { listProgress: ({ after }) => (after === undefined ? [...orders.values()] : []) },
    about: () => ({ station: id, name: `shop ${number}`, url: `http://${id}.test:4680/`, instance: `${id} ${mark}` }),
    listAlerts: () => [],
    batteryPercent: () => DEFAULT_SETTINGS.alert_battery_percent,
    isOwn: (instance) => instance.startsWith(`${id} `),
    heard: () => undefined,
    hasDiscovery: false,
    forgetDiscovery: false,
  });
  let lit: Pick | undefined;

  return {
    start: bridge.start,
    stop: bridge.stop,
    isConnected: (): boolean => bridge.status().state === 'connected',
    owed: outbox.count,
    /** Lights the next device, and presses it. `done`: its callback is booked. */
    pick(done: () => void): void {
      const pick = next();
      void light(pick).then(() => press(pick, done));
      if (picks % PICKS_PER_ORDER === 0) changeOrder();
    },
    /** Shows a command at once, until `putOut`. */
    light(): void {
      lit = next();
      happens('command.shown', 'shown', lit);
    },
    putOut(): void {
      if (lit !== undefined) happens('command.acknowledged', 'idle', lit);
      lit = undefined;
    },
  };
}

export type FleetStationClient = ReturnType<typeof createFleetStation>;

const NO_SECRETS = Object.fromEntries(SECRET_SETTINGS.map((name) => [name, null])) as SecretSettings;

/** Its level of the topics. */
export const stationId = (number: number): string => `shop-${String(number).padStart(4, '0')}`;

function orderOf(tape: FleetTape, order: string, picks: number): OrderProgress {
  const [fact] = JSON.parse(tape.facts['order.changed'].replaceAll(PLACE.order, order)) as { order: OrderProgress }[];
  if (fact === undefined) throw new Error('The tape has no order');
  return { ...fact.order, quantity_fulfilled: picks };
}
