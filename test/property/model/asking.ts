import type { SettingsChange } from '#shared/api/settings.ts';
import { RETRY_AFTER_S, templateOf } from './deliveries.ts';
import type { DeviceAsk, Event } from './journal.ts';
import { askLikeThat, commandAsk } from './requests.ts';
import type { World } from './world.ts';

/** An address where nothing listens. */
const NOBODY = 'http://127.0.0.1:9/';

/** Sends device requests in one HTTP request. */
export async function ask(world: World, asks: DeviceAsk[], bulk: boolean): Promise<string> {
  const { random, journal, station } = world;
  const event: Extract<Event, { kind: 'asked' }> = { kind: 'asked', asks, bulk, answer: undefined };
  journal.note(event);
  const [first] = asks;
  const method = random.chance(0.2) ? 'PUT' : 'POST';
  if (bulk) {
    const body = asks.map(({ deviceid, request }) => (deviceid === undefined ? request : { ...request, deviceid }));
    event.answer = await station.request(method, '/api/devices/', body);
  } else if (first?.deviceid === undefined) {
    event.answer = await station.request(method, '/api/devices/', first?.request);
  } else {
    event.answer = await station.request(method, `/api/device/${first.deviceid}/`, first.request);
  }
  return JSON.stringify(asks);
}

/** Repeats a request like one of a device's commands, like a script that does not know whether its last call got through. */
export async function repeat(world: World): Promise<string> {
  const { random, oracle } = world;
  const device = oracle.device(random.one(world.deviceIds));
  const command = device.queue[random.below(device.queue.length)];
  const asked = command === undefined ? commandAsk(world) : askLikeThat(world, device, command);
  return ask(world, [asked], false);
}

export async function changeSettings(world: World): Promise<string> {
  const { random, deliveries } = world;
  const change: SettingsChange = random.one([
    { callback_url: '' },
    { callback_url: NOBODY },
    { callback_url: deliveries.url },
    { callback_url: deliveries.url },
    { callback_url: templateOf(deliveries.url) },
    { callback_families: { device: false } },
    { callback_families: { device: true } },
    { callback_families: { device: true } },
    { callback_families: { sequence: false } },
    { callback_families: { sequence: true, order: false } },
    { callback_families: { sequence: true, order: true } },
    { ordernonce: 'all of {order}', shipmentnonce: '{order}/{shipment}', callback_nonce: '{order}+{shipment}' },
    { ordernonce: '', shipmentnonce: '', callback_nonce: '' },
    { unreachable_callback: 'none' },
    { unreachable_callback: 'nack' },
    { default_seconds: 4, default_color: 'blue' },
    { default_seconds: 30, default_color: 'red' },
    { order_seconds: 6, order_color: 'magenta' },
    { order_seconds: 0, order_color: 'green' },
  ]);
  await set(world, change);
  return JSON.stringify(change);
}

export async function set(world: World, change: SettingsChange): Promise<void> {
  world.journal.note({ kind: 'settings', change });
  if (change.callback_url !== undefined) world.deliveries.disturb();
  const answer = await world.station.request('PATCH', '/api/settings/', change);
  if (answer.status !== 200) throw new Error(`The settings were answered with ${answer.status}`);
}

export async function changeReceiver(world: World): Promise<string> {
  const { random, deliveries } = world;
  const busy = { status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) } };
  const reply = random.one([200, 200, 204, 302, 410, 500, busy] as const);
  deliveries.answer(reply);
  return `answers ${JSON.stringify(reply)}`;
}
