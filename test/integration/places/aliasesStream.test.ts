import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import { applyEphemera, applyFacts } from '#shared/api/reducer.ts';
import type { Ephemera, Fact, Station } from '#shared/api/station.ts';
import { DEVICE_IS } from '#shared/lib/devices/deviceIs.ts';
import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003'];
/** Names for both labels and aliases, so that the two could be confused. */
const NAMES = ['A-1', 'A-2', 'A-3', 'a-1'];
const PATH = '/api/location-aliases/';

/** Applies everything that the stream sent after the snapshot, and returns the result. */
function follow(snapshot: Station, stream: EventStream): Station {
  let station = snapshot;
  for (const { id, event, data } of stream.messages()) {
    if (event === 'facts') station = applyFacts(station, data as Fact[], id ?? 0);
    if (event === 'ephemera') station = applyEphemera(station, data as Ephemera);
  }
  return station;
}

/** Performs a random action on a place, which may be refused. */
async function act(station: TestStation, fraction: () => number): Promise<void> {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(fraction() * items.length)];
  const deviceid = pick(DEVICES) ?? '';
  const name = pick(NAMES) ?? '';
  const wanted = { name, deviceid, deviceIs: pick(DEVICE_IS) };
  const id = pick(await station.get<LocationAlias[]>(PATH))?.id ?? 0;
  const request = { line1: `M${Math.floor(fraction() * 3)}`, seconds: 0, ...(fraction() < 0.5 ? { nonce: 'n' } : {}) };
  const path = `/api/device/${deviceid}/`;
  const calls: (readonly [method: string, path: string, body?: object])[] = [
    ['POST', PATH, wanted],
    ['POST', PATH, wanted],
    ['PUT', `${PATH}${id}/`, wanted],
    ['PUT', `${PATH}${id}/`, wanted],
    ['DELETE', `${PATH}${id}/`],
    ['POST', path, { locationoverride: name }],
    ['POST', path, request],
    ['POST', '/api/devices/', { location: name, ...request }],
    ['POST', '/api/devices/', { location: name, ...request }],
    ['POST', '/api/devices/', { location: name, command: 'kill' }],
    ['POST', '/api/devices/', { location: name, ...request }],
    ['POST', `/api/simulator/devices/${deviceid}/press/`, {}],
    ['POST', `${path}replace/`, { deviceid: pick(DEVICES) }],
  ];
  await station.request(...(pick(calls) ?? ['GET', '/healthz']));
  await station.clock.advance(Math.floor(fraction() * 2_000));
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

for (const seed of [1, 2, 3, 4]) {
  test(`a stream reader knows each alias and its open commands (seed ${seed})`, async () => {
    const station = await startTestStation({ simulate: DEVICES.length, refreshMs: 0, seed });
    const fraction = seededFraction(seed);
    try {
      for (let count = 0; count < 10; count += 1) await act(station, fraction);
      const stream = await openStream(station.url);
      const snapshot = await station.get<Station>('/api/station/');
      for (let count = 0; count < 100; count += 1) await act(station, fraction);
      const later = await quietSnapshot(station);
      await stream.until(() => stream.commits().at(-1)?.id === later.revision);
      const followed = follow(snapshot, stream);
      expect(followed.aliases).toEqual(later.aliases);
      expect(followed.devices.map(({ commands }) => commands)).toEqual(later.devices.map(({ commands }) => commands));
      expect(followed.devices).toEqual(later.devices);
      stream.close();

      // Each open command of an alias is at the alias's device.
      const places = new Map(later.aliases.map((alias) => [alias.id, alias]));
      for (const { deviceid, commands } of later.devices) {
        for (const { alias_id, location } of commands) {
          const place = alias_id === null ? undefined : places.get(alias_id);
          if (place !== undefined) expect([place.deviceid, place.name]).toEqual([deviceid, location]);
        }
      }
      const told = new Set(stream.commits().flatMap(({ facts }) => facts.map(({ type }) => type)));
      for (const type of ['alias.changed', 'alias.removed', 'command.moved', 'command.changed']) {
        expect(told, type).toContain(type);
      }
    } finally {
      await station.stop();
    }
  });
}

test('a stream reader does not confuse an alias with a label of the same name', async () => {
  await using station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const path = `/api/device/${DEVICES[0]}/`;
  await station.post(path, { locationoverride: 'A-1' });
  await station.post(PATH, { name: 'A-1', deviceid: DEVICES[0], deviceIs: 'Above' });
  await station.post('/api/devices/', { location: 'A-1', line1: 'place' });
  await station.post(path, { line1: 'device' });
  const stream = await openStream(station.url);
  const before = await station.get<Station>('/api/station/');
  await station.post(path, { locationoverride: 'B-1' });
  const later = await quietSnapshot(station);
  await stream.until(() => stream.commits().at(-1)?.id === later.revision);
  const places = ({ devices }: Station) => devices.flatMap(({ commands }) => commands.map(({ location }) => location));
  expect(places(follow(before, stream))).toEqual(['A-1', 'B-1']);
  expect(places(later)).toEqual(['A-1', 'B-1']);
  stream.close();
});
