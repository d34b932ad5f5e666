import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { StationMap } from '#shared/api/map.ts';
import { applyEphemera, applyFacts } from '#shared/api/reducer.ts';
import type { Ephemera, Station } from '#shared/api/station.ts';
import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003', '51D000:000004'];

/** Applies everything that the stream sent after the snapshot, and returns the result. */
function follow(snapshot: Station, stream: EventStream): Station {
  let station = snapshot;
  for (const { id, event, data } of stream.messages()) {
    if (event === 'facts') station = applyFacts(station, data as Parameters<typeof applyFacts>[1], id ?? 0);
    if (event === 'ephemera') station = applyEphemera(station, data as Ephemera);
  }
  return station;
}

function pick<T>(items: readonly [T, ...T[]], fraction: number): T {
  return items[Math.floor(fraction * items.length)] ?? items[0];
}

/** Performs a random action of a caller, a worker or the hardware. */
async function act(station: TestStation, fraction: () => number): Promise<void> {
  const deviceid = DEVICES[Math.floor(fraction() * DEVICES.length)] ?? '';
  const path = `/api/device/${deviceid}/`;
  const number = Math.floor(fraction() * 100);
  const nonce = `n${number % 5}`;
  const actions: [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
    () => station.post(path, { line1: `M${number}`, quantity: number, seconds: 1 + (number % 9), nonce }),
    () => station.post(path, { command: 'display', line1: 'again', color: 'gb', seconds: number % 3 === 0 ? 0 : 4 }),
    () => station.post(path, { statica: `on hand ${number}`, quantity: number % 2 === 0 ? null : number }),
    () => station.post(path, { locationoverride: `L-${number % 3}`, brightness: number, unsolicitedNonce: nonce }),
    () => station.post(path, { command: 'kill', nonce }),
    () =>
      station.post(
        '/api/devices/',
        DEVICES.map((id) => ({ deviceid: id, line1: `bulk ${number}`, seconds: 3 })),
      ),
    () => station.press(deviceid),
    () => station.press(deviceid, 'front', 'long'),
    () => station.press(DEVICES[1] ?? '', 'plus'),
    () => station.press(DEVICES[3] ?? '', 'minus'),
    () =>
      station.patch(`/api/simulator/devices/${deviceid}/`, {
        reachable: number % 4 !== 0,
        battery_mv: 2_000 + number * 10,
      }),
    () => station.patch('/api/simulator/turbos/SIM-1/', { connected: number % 5 !== 0 }),
    () => station.patch('/api/settings/', { default_seconds: 1 + number }),
    () => station.post('/api/simulator/devices/', { count: 1 }),
    () => changeMap(station, deviceid, number),
    () => changeMap(station, deviceid, number),
    () => changeAlias(station, deviceid, number),
    () => changeAlias(station, deviceid, number),
    () => comeOrGo(station, number),
    () => standIn(station, deviceid, number),
    async () => station.clock.jump(number % 2 === 0 ? 5_000 : -5_000),
  ];
  await pick(actions, fraction())();
  await station.clock.advance(Math.floor(fraction() * 3_000));
}

/** Performs a random edit of the map. A refused edit publishes nothing. */
async function changeMap(station: TestStation, deviceid: string, number: number): Promise<void> {
  const { racks } = await station.get<StationMap>('/api/map/');
  const rack = racks[number % racks.length];
  const shelf = rack?.shelves[number % rack.shelves.length];
  const calls = [
    ['POST', '/api/map/racks/', { name: `Rack ${number}`, shelves: ['top', 'bottom'] }],
    ['PUT', `/api/map/places/${deviceid}/`, { shelf: shelf?.id, column: number % 3 }],
    ['PUT', `/api/map/places/${deviceid}/`, { shelf: shelf?.id, column: 0 }],
    ['DELETE', `/api/map/places/${deviceid}/`],
    ['PATCH', `/api/map/racks/${rack?.id ?? 'none'}/`, { columns: 1 + (number % 4), index: number % 2 }],
    ['PATCH', `/api/map/racks/${rack?.id ?? 'none'}/`, { shelves: [{ name: 'only' }] }],
    ['DELETE', `/api/map/racks/${rack?.id ?? 'none'}/`],
  ] as const;
  const [method, path, body] = calls[number % calls.length] ?? calls[0];
  await station.request(method, path, body);
}

/** Registers, places, lights or removes a device that other actions do not use. */
async function comeOrGo(station: TestStation, number: number): Promise<void> {
  const deviceid = `51D0AB:00000${number % 3}`;
  const [rack] = (await station.get<StationMap>('/api/map/')).racks;
  const calls = [
    ['POST', '/api/device/', { deviceid, label: `L-${number}` }],
    ['POST', `/api/device/${deviceid}/`, { line1: 'work' }],
    ['PUT', `/api/map/places/${deviceid}/`, { shelf: rack?.shelves[0]?.id, column: 0 }],
    ['DELETE', `/api/device/${deviceid}/`],
  ] as const;
  for (const [method, path, body] of calls.slice(0, 1 + (number % calls.length))) {
    await station.request(method, path, body);
  }
}

async function standIn(station: TestStation, deviceid: string, number: number): Promise<void> {
  const [command] = (await station.device(deviceid)).commands;
  const command_id = command?.command_id ?? 'none';
  const calls = [
    ['adjust', { command_id, quantity: number }],
    ['acknowledge', { command_id }],
    ['identify', {}],
  ] as const;
  const [word, body] = calls[number % calls.length] ?? calls[0];
  await station.request('POST', `/api/device/${deviceid}/${word}/`, body);
}

async function changeAlias(station: TestStation, deviceid: string, number: number): Promise<void> {
  const aliases = await station.get<LocationAlias[]>('/api/location-aliases/');
  const known = aliases[number % Math.max(aliases.length, 1)];
  const alias = { name: `A-${number % 7}`, deviceid, deviceIs: 'Below' };
  if (known === undefined || number % 3 === 0) await station.request('POST', '/api/location-aliases/', alias);
  else if (number % 3 === 1) await station.request('PUT', `/api/location-aliases/${known.id}/`, alias);
  else await station.request('DELETE', `/api/location-aliases/${known.id}/`);
}

/**
 * Returns what the stream keeps up to date. This excludes the times of turbos' last messages, which change without events, and the
 * defaults, which readers fetch again when settings change.
 */
function lasting({ defaults: _defaults, turbos, ...rest }: Station) {
  return { ...rest, turbos: turbos.map(({ uptime: _uptime, last_seen: _seen, ...turbo }) => turbo) };
}

/** Returns a snapshot once nothing is left to publish. */
async function quietSnapshot(station: TestStation): Promise<Station> {
  for (;;) {
    const snapshot = await station.get<Station>('/api/station/');
    await station.clock.advance(100);
    const next = await station.get<Station>('/api/station/');
    if (isDeepStrictEqual(snapshot, next)) return next;
  }
}

for (const seed of [1, 2, 3]) {
  test(`applying the stream to a snapshot results in the later snapshot (seed ${seed})`, async () => {
    const station = await startTestStation({ simulate: DEVICES.length, seed });
    const fraction = seededFraction(seed);
    try {
      for (let count = 0; count < 10; count += 1) await act(station, fraction);
      // Open the stream before reading the snapshot, so that nothing in between is missed.
      const stream = await openStream(station.url);
      await act(station, fraction);
      const snapshot = await station.get<Station>('/api/station/');
      for (let count = 0; count < 40; count += 1) await act(station, fraction);
      const later = await quietSnapshot(station);
      await stream.until(() => stream.commits().at(-1)?.id === later.revision);

      const followed = follow(snapshot, stream);
      expect(followed.revision).toBe(later.revision);
      expect(followed.devices.map((device) => device.deviceid)).toEqual(later.devices.map((device) => device.deviceid));
      for (const [index, device] of later.devices.entries()) expect(followed.devices[index]).toEqual(device);
      expect(lasting(followed)).toEqual(lasting(later));
      expect(later.devices.length).toBeGreaterThan(0);
      stream.close();
    } finally {
      await station.stop();
    }
  });
}
