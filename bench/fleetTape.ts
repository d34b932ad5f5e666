/** What a real station publishes during a pick and for an order: the clients of the fleet repeat it. */
import { connectAsync } from 'mqtt';
import { until } from '../test/shells/until.ts';
import { API_KEY, startStation, type ServerProcess, type Workplace } from './processes.ts';

/** Texts of JSON with `PLACE` in place of ids. `facts`: of the topic `events`; `states`: of `devices/{DeviceID}`. */
export type FleetTape = {
  facts: Record<'command.queued' | 'command.sent' | 'command.shown' | 'command.acknowledged' | 'order.changed', string>;
  states: Record<'sent' | 'shown' | 'idle', string>;
  callback: string;
};

/** Stand in the texts for what differs from pick to pick. */
export const PLACE = { device: '51D000:FFFFFF', nonce: '@nonce@', command: '@command@', order: '@order@' } as const;

const DEVICE = '51D000:000001';
const PREFIX = 'tape';
/** The first is longer than the station collects changes of a device. The next ones are for a slow station. */
const REFRESHES_MS = [700, 3_000, 12_000, 48_000];

/** Lights and presses a device of a station at this broker. */
export async function recordTape(place: Workplace, brokerUrl: string): Promise<FleetTape> {
  const station = await startStation(place.folder(), 1);
  const client = await connectAsync(brokerUrl, { protocolVersion: 5 });
  const heard: { topic: string; text: string }[] = [];
  const topics = new Set<string>();
  client.on('message', (topic, payload) => {
    topics.add(topic);
    heard.push({ topic, text: payload.toString('utf8') });
  });
  await client.subscribeAsync(`${PREFIX}/#`, { qos: 1 });
  const textOf = (topic: string, holds: string): string | undefined =>
    heard.findLast((each) => each.topic === `${PREFIX}/one/${topic}` && each.text.includes(holds))?.text;
  const wait = (topic: string, holds: string) => until(`${topic} ${holds}`, () => textOf(topic, holds) !== undefined);
  try {
    const settings = { mqtt_url: brokerUrl, mqtt_prefix: PREFIX, mqtt_station: 'one' };
    await ask(station.url, 'PATCH', '/api/settings/', settings);
    const topic = `devices/${DEVICE}`;
    await wait(topic, '"commands":[]');
    const flash = { command: 'flash', line1: 'Cable tie 200', line2: 'black, 100 pcs', quantity: 5, color: 'g' };
    for (const refresh_ms of REFRESHES_MS) {
      heard.length = 0;
      await ask(station.url, 'PATCH', `/api/simulator/devices/${DEVICE}/`, { refresh_ms });
      await ask(station.url, 'POST', `/api/device/${DEVICE}/`, { ...flash, seconds: 0, nonce: PLACE.nonce });
      await wait(topic, '"state":"shown"');
      await ask(station.url, 'POST', `/api/simulator/devices/${DEVICE}/press/`, { button: 'front', hold: 'short' });
      await wait('callbacks/device', PLACE.nonce);
      await wait(topic, '"commands":[]');
      await wait('events', '"command.acknowledged"');
      if (textOf(topic, '"state":"sent"') !== undefined) break;
    }
    const items = ['Screws', 'Nails'].map((name) => ({ name, ordered_quantity: 2, deviceid: DEVICE }));
    await ask(station.url, 'POST', '/api/orders/', { order_number: PLACE.order, items });
    await wait('events', '"order.changed"');
    return tapeOf(textOf, topic);
  } finally {
    await station.stop();
    for (const topic of topics) await client.publishAsync(topic, '', { retain: true });
    await client.endAsync();
  }
}

function tapeOf(textOf: (topic: string, holds: string) => string | undefined, topic: string): FleetTape {
  const shown = need(textOf(topic, '"state":"shown"'));
  const [command] = (JSON.parse(shown) as { commands: { command_id: string }[] }).commands;
  const withPlaces = (text: string | undefined): string =>
    need(text).replaceAll(DEVICE, PLACE.device).replaceAll(need(command).command_id, PLACE.command);
  const factsOf = (type: string): string => {
    const { facts } = JSON.parse(withPlaces(textOf('events', `"${type}"`))) as { facts: { type: string }[] };
    return JSON.stringify(facts.filter((fact) => fact.type === type));
  };
  return {
    facts: {
      'command.queued': factsOf('command.queued'),
      'command.sent': factsOf('command.sent'),
      'command.shown': factsOf('command.shown'),
      'command.acknowledged': factsOf('command.acknowledged'),
      'order.changed': factsOf('order.changed'),
    },
    states: {
      sent: withPlaces(textOf(topic, '"state":"sent"')),
      shown: withPlaces(shown),
      idle: withPlaces(textOf(topic, '"commands":[]')),
    },
    callback: withPlaces(textOf('callbacks/device', PLACE.nonce)),
  };
}

/** A request that must succeed. */
export async function ask<T = unknown>(
  url: ServerProcess['url'],
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const answer = await fetch(new URL(path, url), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The station did not publish what a pick causes');
  return value;
}
