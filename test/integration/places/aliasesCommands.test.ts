import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Timeline } from '#shared/api/history.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const PATH = '/api/location-aliases/';

let station: TestStation;
let receiver: Receiver;
let left: LocationAlias;

/** Sets up a device with a label that lies between two places with an alias. */
beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Rack', statica: 'on hand' });
  left = await alias('Left', ONE, 'to the Right of');
  await alias('Right', ONE, 'to the Left of');
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

function alias(name: string, deviceid: string, deviceIs: string): Promise<LocationAlias> {
  return station.post<LocationAlias>(PATH, { name, deviceid, deviceIs });
}

function change({ id, ...before }: LocationAlias, after: Partial<LocationAlias>) {
  return station.request('PUT', `${PATH}${id}/`, { ...before, ...after });
}

/** Sends a request to a place, or directly to the device if `location` is undefined. */
function send(location: string | undefined, request: object) {
  return station.post('/api/devices/', { ...(location === undefined ? { deviceid: ONE } : { location }), ...request });
}

/** Returns the relevant fields of the commands in a device's queue. */
async function queue(deviceid = ONE) {
  const { commands } = await station.device(deviceid);
  return commands.map(({ line1, location, arrow, state }) => [line1, location, arrow, state]);
}

const texts = async (deviceid = ONE) => (await queue(deviceid)).map(([line1]) => line1);

async function shown(deviceid = ONE) {
  await station.clock.advance(5_000);
  return (await station.device(deviceid)).displayed;
}

test('a command to an alias shows the alias name and an arrow to the place, and the press reports the name', async () => {
  const sent = await send('left', { line1: 'M8', nonce: 'n', quantity: 2 });
  expect(sent).toMatchObject({ deviceid: ONE, state: 'queued', warnings: [] });
  expect(await shown()).toMatchObject({
    command_id: sent['command_id'],
    screen: { label: 'Left', lines: ['M8'], arrow: 'left', quantity: 2 },
  });
  expect((await station.device(ONE)).commands).toMatchObject([
    { location: 'Left', alias_id: left.id, arrow: 'left', state: 'shown' },
  ]);
  await station.press(ONE);
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: ONE, location: 'Left', nonce: 'n', qty: 2 }]);
  expect(await station.get(`/api/history/?deviceid=${ONE}`)).toMatchObject([
    { kind: 'acknowledged', location: 'Left' },
  ]);
  const timeline = await station.get<Timeline>(`/api/history/commands/${String(sent['command_id'])}/`);
  expect(timeline).toMatchObject({ location: 'Left', command: { arrow: 'left', alias_id: left.id } });
  // Once idle, the device shows its own label.
  expect(await shown()).toMatchObject({ command_id: null, screen: { label: 'Rack', arrow: null } });
});

test('a command to an alias also reports the alias name when it times out', async () => {
  await send('RIGHT', { line1: 'M8', nonce: 'n', seconds: 5 });
  await station.clock.advance(20_000);
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'nack', deviceid: ONE, location: 'Right', nonce: 'n', qty: 0 }]);
});

test('an arrow given in the command takes precedence, in any spelling', async () => {
  await send('Left', { line1: 'a', arrow: 'up' });
  await send('Left', { line1: 'b', line2: '\\ictopright' });
  await send('Left', { line1: 'c', icon: 'bottom' });
  await send('Left', { line1: 'd', arrow: '' });
  expect((await queue()).map(([, , arrow]) => arrow)).toEqual(['top', 'topright', 'bottom', 'left']);
});

test.each([
  ['two boxed elements', { line1: 'x', quantity: 1, icon: 'hazardd' }, 'icon'],
  ['five elements', { line1: '1', line2: '2', line3: '3', line4: '4', barcode: '12345' }, 'barcode'],
  ['five lines', { line1: '1', line2: '2', line3: '3', line4: '4', line5: '5' }, 'line5'],
])('warns that the arrow does not fit into a command with %s', async (_, request, name) => {
  const answer = await send('Left', request);
  expect(answer['warnings']).toEqual([expect.stringMatching(new RegExp(`^The arrow to Left .*${name}`))]);
  expect(await queue()).toMatchObject([[request.line1, 'Left', null, expect.anything()]]);
  // The same request to the device itself causes no warning.
  expect((await send(undefined, request))['warnings']).toEqual([]);
});

test.each([
  ['one boxed element', { line1: 'x', quantity: 1 }],
  ['four elements', { line1: '1', line2: '2', line3: '3', line4: '4' }],
  ['no other element', { command: 'flash' }],
])('the arrow fits into a command with %s', async (_, request) => {
  expect((await send('Left', request))['warnings']).toEqual([]);
  expect((await queue())[0]?.[2]).toBe('left');
});

test('statics sent to an alias are set on the device, without an arrow', async () => {
  expect(await send('Left', { statica: 'other', locationoverride: 'Shelf' })).toMatchObject({
    deviceid: ONE,
    updated: ['statica', 'locationoverride'],
    warnings: [expect.stringContaining('keeps its aliases: Left, Right')],
  });
  expect(await station.device(ONE)).toMatchObject({ statica: 'other', location: 'Shelf', arrow: null });
  expect(await send('Right', { command: 'location', line1: 'Again' })).toMatchObject({ updated: ['locationoverride'] });
  expect(await shown()).toMatchObject({ screen: { label: 'Again', lines: ['other'], arrow: null } });
});

test('each element in one call is sent to its own place', async () => {
  const answers = await station.post('/api/devices/', [
    { location: 'left', line1: 'l' },
    { location: 'nowhere', line1: 'n' },
    { location: 'RIGHT', line1: 'r' },
    { location: 'rack', line1: 'd' },
    { location: 'left', command: 'kill' },
  ]);
  expect(answers).toMatchObject([
    { status: 200, deviceid: ONE },
    { status: 404 },
    { status: 200, deviceid: ONE },
    { status: 200, deviceid: ONE },
    { status: 200, deviceid: ONE, killed: 1 },
  ]);
  expect(await queue()).toEqual([
    ['r', 'Right', 'right', expect.anything()],
    ['d', 'Rack', null, expect.anything()],
  ]);
});

test('commands with the same nonce at two aliases and their device are separate and replaced separately, even after a restart', async () => {
  const places = ['Left', undefined, 'Right'];
  for (const place of places) await send(place, { line1: `${place} 1`, nonce: 'n' });
  await station.clock.advance(5_000);
  for (const place of places.toReversed()) await send(place, { line1: `${place} 2`, nonce: 'n' });
  expect(await texts()).toEqual(['Left 2', 'undefined 2', 'Right 2']);
  await station.restart();
  await send('right', { line1: 'Right 3', nonce: 'n' });
  expect(await texts()).toEqual(['Left 2', 'undefined 2', 'Right 3']);

  await station.clock.advance(15_000);
  const told: string[] = [];
  for (let count = 1; count <= 3; count += 1) {
    await station.press(ONE);
    await station.clock.advance(5_000);
    await receiver.received(count);
    told.push(String(receiver.payloads().at(-1)?.['location']));
  }
  expect(told).toEqual(['Left', 'Rack', 'Right']);
  expect(await queue()).toEqual([]);
});

test('without a nonce, repeating a call creates only one command per place', async () => {
  for (const place of ['Left', 'Right', undefined, 'left', 'right', 'rack']) await send(place, { line1: 'M8' });
  expect(await queue()).toMatchObject([
    ['M8', 'Left', 'left', expect.anything()],
    ['M8', 'Right', 'right', expect.anything()],
    ['M8', 'Rack', null, expect.anything()],
  ]);
});

test("a kill at an alias removes only the alias's commands; a kill at the device removes all", async () => {
  for (const place of ['Left', 'Right', undefined]) {
    await send(place, { line1: `${place} a`, nonce: 'a' });
    await send(place, { line1: `${place} b`, nonce: 'b' });
  }
  await station.clock.advance(5_000);
  await station.restart();
  expect(await send('Right', { command: 'kill', nonce: 'b' })).toMatchObject({ deviceid: ONE, killed: 1 });
  expect(await send('Left', { command: 'kill' })).toMatchObject({ killed: 2 });
  expect(await send('Left', { command: 'kill' })).toMatchObject({ killed: 0 });
  expect(await texts()).toEqual(['Right a', 'undefined a', 'undefined b']);
  expect(await shown()).toMatchObject({ screen: { label: 'Right', lines: ['Right a'] } });
  expect(await send('Rack', { command: 'kill', nonce: 'a' })).toMatchObject({ killed: 2 });
  expect(await texts()).toEqual(['undefined b']);
  await send('Left', { line1: 'again' });
  expect(await send(undefined, { command: 'kill' })).toMatchObject({ killed: 2 });
  await station.clock.advance(10_000);
  expect(receiver.requests).toEqual([]);
});

test('a press that arrives after a repeated call acknowledges the replacement, but not a command at another alias', async () => {
  await send('Left', { line1: 'M8', nonce: 'n' });
  await send('Right', { line1: 'M8', nonce: 'n' });
  await station.clock.advance(5_000);
  await send('Left', { line1: 'M8', nonce: 'n' });
  await station.press(ONE);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ location: 'Left' }]);
  expect(await texts()).toHaveLength(1);
});

test('a quantity counted for an alias is reported for that alias', async () => {
  const three = await alias('Counted', TWO, 'Below');
  await send('Counted', { line1: 'M8', quantity: 3, nonce: 'n' });
  await station.clock.advance(5_000);
  await station.press(TWO, 'plus');
  const [command] = (await station.device(TWO)).commands;
  await station.post(`/api/device/${TWO}/adjust/`, { command_id: command?.command_id, quantity: 7 });
  expect((await station.device(TWO)).commands).toMatchObject([
    { quantity: 7, location: 'Counted', alias_id: three.id, arrow: 'top' },
  ]);
  await station.clock.advance(5_000);
  await station.press(TWO);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ location: 'Counted', qty: 7 }]);
});

test('commands for the old name of a renamed alias stay under that name, with a warning', async () => {
  const sent = await send('Left', { line1: 'lit', nonce: 'a' });
  await send('Left', { line1: 'waits', nonce: 'b' });
  await send('Right', { line1: 'other', nonce: 'a' });
  await station.clock.advance(5_000);
  expect(await change(left, { name: 'West' })).toMatchObject({
    status: 200,
    body: { warnings: [expect.stringContaining(`2 commands for it stay at ${ONE}`)] },
  });
  expect(await queue()).toEqual([
    ['lit', 'Left', 'left', 'shown'],
    ['waits', 'Left', 'left', 'queued'],
    ['other', 'Right', 'right', 'queued'],
  ]);
  expect(await shown()).toMatchObject({
    command_id: sent['command_id'],
    screen: { label: 'Left' },
    led: { mode: 'blink' },
  });
  expect((await station.request('POST', '/api/devices/', { location: 'Left', line1: 'x' })).status).toBe(404);
  await station.restart();
  await send('west', { line1: 'new', nonce: 'a' });
  expect(await texts()).toEqual(['lit', 'waits', 'other', 'new']);
  await station.clock.advance(15_000);
  await station.press(ONE);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', location: 'Left', nonce: 'a' }]);
});

test('changing the direction of an alias changes the arrows in its open commands, except explicit ones', async () => {
  await send('Left', { line1: 'lit' });
  await send('Left', { line1: 'own', arrow: 'top' });
  await send('Left', { line1: 'full', quantity: 1, icon: 'hazardd' });
  await send('Left', { line1: 'waits' });
  await send('Right', { line1: 'other' });
  await station.clock.advance(5_000);
  await change(left, { deviceIs: 'Below and to the Left of' });
  expect((await queue()).map(([, , arrow]) => arrow)).toEqual(['topright', 'top', null, 'topright', 'right']);
  expect(await shown()).toMatchObject({ screen: { arrow: 'topright' } });
  // A repeated request does not create a second command.
  await send('Left', { line1: 'lit' });
  await send('Left', { line1: 'own', arrow: 'up' });
  await send('Left', { line1: 'waits' });
  expect(await texts()).toEqual(['lit', 'own', 'full', 'waits', 'other']);
});

test('moving an alias to another device also moves its open commands, but no others', async () => {
  const sent = await send('Left', { line1: 'lit', nonce: 'a', seconds: 60 });
  await send(undefined, { line1: 'stays', nonce: 'a' });
  await send('Left', { line1: 'waits', nonce: 'b' });
  await station.post(`/api/device/${TWO}/`, { line1: 'before', seconds: 0 });
  await station.clock.advance(5_000);
  await change(left, { deviceid: TWO, deviceIs: 'Above' });
  expect(await queue()).toEqual([['stays', 'Rack', null, expect.anything()]]);
  expect(await texts(TWO)).toEqual(['before', 'lit', 'waits']);
  expect(await shown()).toMatchObject({ screen: { label: 'Rack', lines: ['stays'] } });
  await station.press(TWO);
  expect(await shown(TWO)).toMatchObject({ screen: { label: 'Left', lines: ['lit'], arrow: 'bottom' } });
  // The command's time restarts on the new device, and its old id refers to the command that replaced it.
  const [lit] = (await station.device(TWO)).commands;
  expect(Date.parse(lit?.expires_at ?? '') - Date.parse(lit?.shown_at ?? '')).toBe(60_000);
  const command_id = sent['command_id'];
  await station.post(`/api/device/${TWO}/acknowledge/`, { command_id });
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', deviceid: TWO, location: 'Left', nonce: 'a' }]);
  expect(await send('left', { command: 'kill' })).toMatchObject({ deviceid: TWO, killed: 1 });
});

test('commands of a removed alias keep its name, until an alias has this name again', async () => {
  await send('Left', { line1: 'lit', nonce: 'n' });
  await send('Left', { line1: 'waits', nonce: 'm' });
  await station.clock.advance(5_000);
  await station.request('DELETE', `${PATH}${left.id}/`);
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Other' });
  expect(await queue()).toEqual([
    ['lit', 'Left', 'left', 'shown'],
    ['waits', 'Left', 'left', 'queued'],
  ]);
  expect(await shown()).toMatchObject({ screen: { label: 'Left', arrow: 'left' } });
  await alias('Left', ONE, 'Above');
  expect(await queue()).toEqual([
    ['lit', 'Left', 'bottom', 'shown'],
    ['waits', 'Left', 'bottom', 'queued'],
  ]);
  await send('Left', { line1: 'new', nonce: 'n' });
  expect(await texts()).toEqual(['new', 'waits']);
  await station.restart();
  await station.clock.advance(15_000);
  await station.press(ONE);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', location: 'Left', nonce: 'n' }]);
  expect(await send('Left', { command: 'kill' })).toMatchObject({ killed: 1 });
});

test("changing a label that equals an alias does not change the alias's commands", async () => {
  await send('Left', { line1: 'place' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Left' });
  await send(undefined, { line1: 'device' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'Shelf' });
  expect(await queue()).toMatchObject([
    ['place', 'Left', 'left', expect.anything()],
    ['device', 'Shelf', null, expect.anything()],
  ]);
});
