import { afterEach, describe, expect, test } from 'vitest';
import type { CommandEntry } from '#shared/api/device.ts';
import { ONE, TWO, useStation, type RigRequest } from './rig.ts';

// Contract, section 4: the queue of a device, and the end of a command.
const shop = useStation();
const PATH = `/api/device/${ONE}/`;

afterEach(async () => {
  for (const deviceid of [ONE, TWO]) await shop.station.post(`/api/device/${deviceid}/`, { command: 'kill' });
  await shop.station.clock.advance(3_000);
});

const post = (body: object) => shop.station.post<{ command_id: string }>(PATH, body);
const queue = async (): Promise<CommandEntry[]> => (await shop.station.device(ONE)).commands;
const texts = async () => (await queue()).map(({ line1 }) => line1);
const secondsLeft = ({ expires_at }: CommandEntry) => (Date.parse(expires_at ?? '') - shop.station.clock.now()) / 1_000;

test('shows the commands for one device one after the other, in order of arrival', async () => {
  for (const line1 of ['a', 'b', 'c']) await post({ line1, nonce: line1 });
  await shop.station.clock.advance(3_000);
  for (const rest of [['a', 'b', 'c'], ['b', 'c'], ['c'], []]) {
    expect(await texts()).toEqual(rest);
    expect((await queue()).map(({ state }) => state)).toEqual(
      rest.map((_, index) => (index === 0 ? 'shown' : 'queued')),
    );
    await shop.station.press(ONE);
    await shop.station.clock.advance(3_000);
  }
  expect(await shop.station.device(ONE)).toMatchObject({ state: 'static', displayed: { command_id: null } });
});

test('the order of arrival applies to commands from any caller and any kind of request', async () => {
  const { api_key: key } = await shop.station.post<{ api_key: string }>('/api/api-users/', {
    name: 'ERP',
    scope: 'control',
  });
  const alias = await shop.station.post<{ id: number }>('/api/location-aliases/', {
    name: 'Q-1',
    deviceid: ONE,
    deviceIs: 'Below',
  });
  const requests: RigRequest[] = [
    ['POST', PATH, { body: { line1: 'first' } }],
    ['POST', '/api/devices/', { body: [{ deviceid: ONE, line1: 'bulk' }], headers: { 'api-key': key } }],
    ['GET', `/api/${ONE}/message/old/60`],
    ['POST', '/api/devices/', { body: { location: 'Q-1', line1: 'alias' } }],
    ['POST', PATH, { body: { command: 'flash', line1: 'flash' }, headers: { 'api-key': key } }],
  ];
  for (const [method, path, sent] of requests) {
    const { status, text } = await shop.ask(method, path, sent);
    expect({ path, status, text }).toMatchObject({ status: 200 });
  }
  await shop.station.clock.advance(3_000);
  expect(await texts()).toEqual(['first', 'bulk', 'old', 'alias', 'flash']);
  expect((await queue()).map(({ state }) => state)).toEqual(['shown', 'queued', 'queued', 'queued', 'queued']);
  await shop.station.request('DELETE', `/api/location-aliases/${alias.id}/`);
});

test('keeps two different commands without nonces', async () => {
  await post({ line1: 'row', quantity: 1 });
  await post({ line1: 'row', quantity: 2 });
  expect((await queue()).map(({ quantity }) => quantity)).toEqual([1, 2]);
});

test('a call repeated without a nonce adds no second command', async () => {
  for (let count = 0; count < 5; count += 1)
    await post({ line1: 'again', line2: 'and again', quantity: 3, color: 'g' });
  expect(await texts()).toEqual(['again']);
});

test('a repeated nonce replaces the earlier command in its place in the queue and restarts its time', async () => {
  await post({ line1: 'first', nonce: 'n', seconds: 60 });
  await post({ line1: 'behind', nonce: 'm' });
  await shop.station.clock.advance(40_000);
  const [before] = await queue();
  expect(before === undefined ? 0 : secondsLeft(before)).toBeLessThan(30);
  await post({ line1: 'second', nonce: 'n', seconds: 60 });
  await shop.station.clock.advance(3_000);
  expect(await texts()).toEqual(['second', 'behind']);
  const [after] = await queue();
  expect(after === undefined ? 0 : secondsLeft(after)).toBeGreaterThan(50);
});

test('the same content with and without a nonce makes two commands', async () => {
  await post({ line1: 'x' });
  await post({ line1: 'x', nonce: 'n' });
  expect(await texts()).toEqual(['x', 'x']);
});

test("a command's seconds count from when it is shown, not while it waits", async () => {
  await post({ line1: 'a', nonce: 'a', seconds: 60 });
  await post({ line1: 'b', nonce: 'b', seconds: 10 });
  await shop.station.clock.advance(40_000);
  expect(await texts()).toEqual(['a', 'b']);
  await shop.station.press(ONE);
  await shop.station.clock.advance(1_000);
  const [b] = await queue();
  expect(b).toMatchObject({ line1: 'b', state: 'shown' });
  expect(b === undefined ? 0 : secondsLeft(b)).toBeGreaterThan(8);
});

describe('without the device, the station ends', () => {
  const cut = (connected: boolean) => shop.station.patch('/api/simulator/turbos/SIM-1/', { connected });

  test('a shown command 2 s after its seconds have passed', async () => {
    await post({ line1: 'x', nonce: 'n', seconds: 10 });
    await shop.station.clock.advance(1_000);
    const [shown] = await queue();
    expect(shown).toMatchObject({ state: 'shown' });
    await cut(false);
    await shop.station.clock.advance(shown === undefined ? 0 : secondsLeft(shown) * 1_000 + 1_900);
    expect(await texts()).toEqual(['x']);
    await shop.station.clock.advance(200);
    expect(await texts()).toEqual([]);
    await cut(true);
    await shop.station.clock.advance(30_000);
  });

  test('a command that was never shown, 2 s after its seconds have passed since it became first in its queue', async () => {
    await cut(false);
    await shop.station.clock.advance(1_000);
    await post({ line1: 'a', seconds: 10 });
    await post({ line1: 'b', seconds: 10 });
    await shop.station.clock.advance(11_900);
    expect(await texts()).toEqual(['a', 'b']);
    await shop.station.clock.advance(200);
    expect(await texts()).toEqual(['b']);
    await shop.station.clock.advance(11_700);
    expect(await texts()).toEqual(['b']);
    await shop.station.clock.advance(400);
    expect(await texts()).toEqual([]);
    await cut(true);
    await shop.station.clock.advance(30_000);
  });
});

test('a change to statics leaves a lit command lit, and is shown when the command has ended', async () => {
  await post({ line1: 'lit', nonce: 'n' });
  await shop.station.clock.advance(3_000);
  await post({ statica: 'new stock' });
  await shop.station.clock.advance(3_000);
  expect((await shop.station.device(ONE)).displayed).toMatchObject({
    screen: { lines: ['lit'] },
    led: { mode: 'blink' },
  });
  await shop.station.press(ONE);
  await shop.station.clock.advance(3_000);
  expect((await shop.station.device(ONE)).displayed).toMatchObject({
    screen: { lines: ['new stock'] },
    led: { mode: 'off' },
  });
  await post({ statica: '' });
});

test('an ended command is only in the history', async () => {
  const { command_id } = await post({ line1: 'x', nonce: 'n' });
  await shop.station.clock.advance(3_000);
  await shop.station.press(ONE);
  expect(await queue()).toEqual([]);
  expect(await shop.station.get(`/api/history/commands/${command_id}/`)).toMatchObject({
    state: 'acknowledged',
    nonce: 'n',
  });
});

test('each entry of "commands" has the documented fields, and a queued command has no times', async () => {
  await post({ line1: 'a', nonce: 'a' });
  await post({ line1: 'b', nonce: 'b' });
  await shop.station.clock.advance(3_000);
  const [a, b] = await queue();
  for (const field of [
    'command_id',
    'command',
    'nonce',
    'location',
    'state',
    'line1',
    'line2',
    'line3',
    'line4',
    'line5',
    'arrow',
    'quantity',
    'color',
    'seconds',
    'sent_at',
    'shown_at',
    'expires_at',
  ]) {
    expect(a).toHaveProperty(field);
  }
  expect(b).toMatchObject({ state: 'queued', sent_at: null, shown_at: null, expires_at: null });
});

test('finds a place as an alias, then a label, then a DeviceID, in upper or lower case', async () => {
  await shop.station.post(`/api/device/${TWO}/`, { locationoverride: 'Shelf' });
  const to = async (location: string) =>
    (await shop.station.post<{ deviceid: string }>('/api/devices/', { location, statica: '' })).deviceid;
  expect([await to('SHELF'), await to(TWO.toLowerCase())]).toEqual([TWO, TWO]);
  const alias = await shop.station.post<{ id: number }>('/api/location-aliases/', {
    name: 'shelf',
    deviceid: ONE,
    deviceIs: 'Above',
  });
  expect(await to('Shelf')).toBe(ONE);
  await shop.ask('DELETE', `/api/location-aliases/${alias.id}/`);
  // A label cannot hide the DeviceID of another device.
  await shop.refused(['POST', `/api/device/${ONE}/`, { body: { locationoverride: TWO } }], [409, 'conflict']);
  expect(await to(TWO)).toBe(TWO);
  await shop.refused(['POST', '/api/devices/', { body: { location: 'nowhere', line1: 'x' } }], [404, 'not_found']);
  await shop.refused(['POST', '/api/devices/', { body: { line1: 'x' } }], [400, 'invalid']);
});
