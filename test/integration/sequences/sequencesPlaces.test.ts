import { expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import { FOUR, ONE, THREE, TWO, useSequences } from './sequenceRig.ts';

const shop = useSequences();

const alias = (name: string, deviceid: string, deviceIs = 'Below') =>
  shop.station.post<LocationAlias>('/api/location-aliases/', { name, deviceid, deviceIs });
const label = (deviceid: string, locationoverride: string) =>
  shop.station.post(`/api/device/${deviceid}/`, { locationoverride });
const arrows = async (deviceid: string) =>
  (await shop.station.device(deviceid)).commands.map(({ location, arrow }) => `${location} ${String(arrow)}`);

test("a step at an alias has the alias's arrow unless it sets a different one, and its callback names the alias", async () => {
  await label(ONE, 'A-1');
  await alias('A-1-1', ONE);
  await alias('A-1-2', ONE, 'to the Left of');
  await shop.create([
    { order: 1, location: 'a-1-1', line1: 'x', stepnonce: 'up' },
    { order: 1, location: 'A-1-2', line1: 'x', arrow: 'bottom' },
    { order: 1, location: 'A-1', line1: 'x' },
  ]);
  await shop.launch();
  expect(await arrows(ONE)).toEqual(['A-1-1 top', 'A-1-2 bottom', 'A-1 null']);
  for (let presses = 0; presses < 3; presses += 1) {
    await shop.station.clock.advance(1_000);
    await shop.press(ONE);
  }
  expect(shop.told()).toEqual([`ack ${ONE} A-1-1 up 0`, `ack ${ONE} A-1-2  0`, `ack ${ONE} A-1  0`]);
});

test('without an exact match, uses the first name in natural order that contains the text', async () => {
  await alias('shelf 10 bolts', ONE);
  await alias('shelf 9 bolts', TWO);
  await label(THREE, 'shelf 2 bolts');
  await shop.create([
    { order: 1, location: 'BOLTS' },
    { order: 1, location: '10 b' },
    { order: 1, location: FOUR.toLowerCase() },
  ]);
  await shop.launch();
  expect((await shop.get()).steps.map(({ deviceid }) => deviceid)).toEqual([THREE, ONE, FOUR]);
});

test('finds many places by parts of their names, and searches for them again at each launch', async () => {
  const shelves = Array.from({ length: 60 }, (_, index) => `row ${index + 100} bolts`);
  const aliases: LocationAlias[] = [];
  for (const name of shelves) aliases.push(await alias(name, ONE));
  await shop.create(shelves.map((name) => ({ order: 1, location: name.slice(0, 8) })));
  await shop.launch();
  expect(await shop.lit(ONE)).toHaveLength(60);
  const [first] = aliases;
  const moved = { name: 'row 100 nuts', deviceid: TWO, deviceIs: 'Below' };
  await shop.station.request('DELETE', `/api/location-aliases/${first?.id}/`);
  expect(await shop.launchWith('?restart=1')).toMatchObject({
    status: 409,
    body: { errors: [{ path: '/steps/0/location' }] },
  });
  await shop.station.post('/api/location-aliases/', moved);
  await shop.launch('?restart=1');
  expect((await shop.step(0)).deviceid).toBe(TWO);
  expect(await shop.lit(ONE)).toHaveLength(59);
});

test('a location unknown at creation is found at launch', async () => {
  expect(await shop.create([{ order: 1, location: 'Z-9' }])).toMatchObject({
    state: 'unstarted',
    warnings: ['/steps/0/location: No device is found at "Z-9" yet. The launch is refused until there is one.'],
  });
  await label(TWO, 'Z-9');
  await shop.launch();
  expect(await shop.step(0)).toMatchObject({ location: 'Z-9', deviceid: TWO, state: 'active' });
});

test('a launch that finds no device for a step gets 409 with the steps and places, and lights nothing', async () => {
  const created = await shop.create([
    { order: 1, device: ONE, line1: 'a' },
    { order: 2, location: 'nowhere' },
    { order: 3, device: '51D0FF:000009' },
    { order: 4, location: 'nowhere' },
  ]);
  const unknown = 'No device is found at "nowhere" yet. The launch is refused until there is one.';
  expect(created.warnings).toEqual([
    `/steps/1/location: ${unknown}`,
    '/steps/2: There is no device 51D0FF:000009 yet. The launch is refused until there is.',
    `/steps/3/location: ${unknown}`,
  ]);
  const before = await shop.get();
  expect(await shop.launchWith('')).toMatchObject({
    status: 409,
    body: {
      code: 'conflict',
      detail: 'Nothing was lit. /steps/1/location: No device is found at "nowhere". And 2 more.',
      errors: [
        { path: '/steps/1/location', message: 'No device is found at "nowhere".' },
        { path: '/steps/2/device', message: 'There is no device 51D0FF:000009.' },
        { path: '/steps/3/location', message: 'No device is found at "nowhere".' },
      ],
    },
  });
  expect(await shop.get()).toEqual(before);
  expect(await shop.lit(ONE)).toEqual([]);
  expect(await shop.history()).toEqual([]);
  // A refused launch does not change lit steps.
  await shop.station.request('PUT', shop.path(), {
    steps: [
      { order: 1, device: ONE, line1: 'a' },
      { order: 2, location: TWO },
    ],
  });
  await shop.launch();
  const running = await shop.get();
  await shop.station.request('DELETE', `/api/device/${TWO}/`);
  expect(await shop.launchWith('?restart=1')).toMatchObject({ status: 409 });
  expect(await shop.get()).toEqual(running);
  expect(await shop.lit(ONE)).toEqual(['a']);
});

test('a launch keeps the devices found for later groups, also if their aliases and labels move', async () => {
  const moving = await alias('B-1', TWO);
  await label(THREE, 'C-1');
  await shop.create([
    { order: 1, device: ONE, line1: 'a' },
    { order: 2, location: 'B-1', line1: 'b' },
    { order: 2, location: 'C-1', line1: 'c' },
  ]);
  await shop.launch();
  await label(THREE, 'gone');
  await label(ONE, 'C-1');
  const answer = await shop.station.request('PUT', `/api/location-aliases/${moving.id}/`, {
    name: 'B-1-1',
    deviceid: FOUR,
    deviceIs: 'Above',
  });
  expect(answer.status).toBe(200);
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await arrows(TWO)).toEqual(['B-1 top']);
  expect(await shop.lit(THREE)).toEqual(['c']);
  // A lit step stays too.
  await shop.station.request('PUT', `/api/location-aliases/${moving.id}/`, {
    name: 'B-1-1',
    deviceid: ONE,
    deviceIs: 'Above',
  });
  expect(await shop.step(1)).toMatchObject({ deviceid: TWO, state: 'active' });
  await shop.station.request('DELETE', `/api/location-aliases/${moving.id}/`);
  await shop.station.clock.advance(1_000);
  await shop.press(TWO);
  expect(await shop.step(1)).toMatchObject({ deviceid: TWO, state: 'acknowledged' });
  expect(shop.told().at(-1)).toBe(`ack ${TWO} B-1  0`);
});

test('a step keeps the name and arrow of an alias that is removed after the launch', async () => {
  const { id } = await alias('B-1', TWO);
  await shop.create([
    { order: 1, device: ONE },
    { order: 2, location: 'B-1' },
  ]);
  await shop.launch();
  await shop.station.request('DELETE', `/api/location-aliases/${id}/`);
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await arrows(TWO)).toEqual(['B-1 top']);
});

test('a relaunch looks up only the steps that it lights, and does not move lit steps', async () => {
  const { id } = await alias('B-1', TWO);
  await shop.create([
    { order: 1, device: ONE, line1: 'a', seconds: 5 },
    { order: 1, location: 'B-1', line1: 'b', seconds: 500 },
    { order: 2, device: THREE },
  ]);
  await shop.launch();
  await shop.station.clock.advance(6_000);
  await shop.station.request('DELETE', `/api/location-aliases/${id}/`);
  await shop.launch();
  expect(await shop.stands()).toBe('in-progress: active active pending');
  expect(await arrows(TWO)).toEqual(['B-1 top']);
});

test('warns about a label shared by two devices, and about an arrow that does not fit', async () => {
  await label(TWO, 'A-1');
  await label(ONE, 'A-1');
  await alias('B-1', THREE);
  await shop.create([
    { order: 1, location: 'A-1' },
    { order: 1, location: 'B-1', quantity: 3, icon: 'hazardd' },
  ]);
  const { warnings } = await shop.launch();
  expect(warnings).toEqual([
    `/steps/0: 2 devices have the label "A-1"; using ${TWO}.`,
    expect.stringMatching(/^\/steps\/1: The arrow to B-1 \(top\) is left out/),
  ]);
});
