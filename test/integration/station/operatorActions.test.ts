import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import type { Problem } from '#shared/api/problem.ts';
import { ledTone } from '../../../renderer/src/shop/device/ledTone.ts';
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const THREE = '51D000:000002';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(1_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function send(deviceid: string, request: object): Promise<string> {
  const { command_id } = await station.post<{ command_id: string }>(`/api/device/${deviceid}/`, request);
  await station.clock.advance(1_000);
  return command_id;
}

function stand(deviceid: string, what: string, body: object, headers?: Record<string, string>) {
  return station.request('POST', `/api/device/${deviceid}/${what}/`, body, headers);
}

function timeline(commandId: string): Promise<Timeline> {
  return station.get<Timeline>(`/api/history/commands/${commandId}/`);
}

test('a user acknowledges under their own name, with the same callback as a press', async () => {
  const id = await send(THREE, { line1: 'M8', quantity: 4, nonce: 'n' });
  const { write } = await openSession(station);
  const headers = { 'content-type': 'application/json', ...write };
  const answer = await stand(THREE.toLowerCase(), 'acknowledge', { command_id: id, qty: 3, reason: 'short' }, headers);
  expect(answer).toMatchObject({ status: 200, body: { deviceid: THREE, command_id: id, qty: 3 } });
  await station.clock.advance(1_000);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: THREE, location: '', nonce: 'n', qty: 3 }]);
  const device = await station.device(THREE);
  expect(device.commands).toEqual([]);
  expect(device.displayed?.led.mode).toBe('off');
  const [entry] = await station.get<HistoryEntry[]>('/api/history/');
  expect(entry).toMatchObject({ kind: 'acknowledged', by: 'admin', sender: 'API key', qty: 3, quantity: 4 });
  const found = await timeline(id);
  expect(found.reason).toBe('short');
  expect(found.steps.map(({ kind }) => kind)).not.toContain('pressed');
  expect(found.steps.find(({ kind }) => kind === 'acknowledged')).toMatchObject({ by: 'admin' });
});

test('without a quantity, acknowledges the quantity set on the device, or else the requested quantity', async () => {
  const adjusted = await send(THREE, { line1: 'M8', quantity: 4, nonce: 'a' });
  await station.press(THREE, 'plus');
  expect((await stand(THREE, 'acknowledge', { command_id: adjusted })).body).toMatchObject({ qty: 5 });
  const asked = await send(THREE, { line1: 'M8', quantity: 7, nonce: 'b' });
  expect((await stand(THREE, 'acknowledge', { command_id: asked })).body).toMatchObject({ qty: 7 });
  const without = await send(THREE, { line1: 'M8', nonce: 'c' });
  expect((await stand(THREE, 'acknowledge', { command_id: without })).body).toMatchObject({ qty: 0 });
});

test('acknowledges a waiting command without changing the lit one', async () => {
  const lit = await send(ONE, { line1: 'lit', nonce: 'a' });
  const waiting = await send(ONE, { line1: 'waits', nonce: 'b' });
  expect((await stand(ONE, 'acknowledge', { command_id: waiting })).status).toBe(200);
  expect((await station.device(ONE)).commands.map(({ command_id, state }) => [command_id, state])).toEqual([
    [lit, 'shown'],
  ]);
});

test('an action that comes too late gets 409 with the reason why the command ended, and when', async () => {
  const pressed = await send(ONE, { line1: 'a', nonce: 'a' });
  await station.press(ONE);
  const timed = await send(ONE, { line1: 'b', nonce: 'b', seconds: 1 });
  await station.clock.advance(2_000);
  const killed = await send(ONE, { line1: 'c', nonce: 'c' });
  await station.post(`/api/device/${ONE}/`, { command: 'kill' });
  const replaced = await send(ONE, { line1: 'd', nonce: 'd' });
  const other = await send(ONE, { line1: 'e', nonce: 'd' });
  const sentences: string[] = [];
  for (const id of [pressed, timed, killed, replaced]) {
    for (const [what, body] of [
      ['acknowledge', { command_id: id }],
      ['adjust', { command_id: id, quantity: 1 }],
    ] as const) {
      const answer = await stand(ONE, what, body);
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
      sentences.push((answer.body as Problem).detail);
    }
  }
  expect(sentences.filter((_, index) => index % 2 === 0)).toEqual([
    `Command ${pressed} was acknowledged at the device at 2026-11-20 08:00:02 UTC. Nothing was changed.`,
    `Command ${timed} timed out at 2026-11-20 08:00:03 UTC. Nothing was changed.`,
    `Command ${killed} was removed by API key at 2026-11-20 08:00:06 UTC. Nothing was changed.`,
    `Command ${replaced} was replaced by command ${other} at 2026-11-20 08:00:07 UTC. Nothing was changed.`,
  ]);
});

test('of a press and two acknowledgements at the same time, only one counts, and one callback is sent', async () => {
  const id = await send(ONE, { line1: 'a', nonce: 'a' });
  const press = station.press(ONE);
  const answers = await Promise.all([
    stand(ONE, 'acknowledge', { command_id: id }),
    stand(ONE, 'acknowledge', { command_id: id }),
  ]);
  await press;
  await station.clock.advance(1_000);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(receiver.payloads()).toHaveLength(1);
  const kinds = (await station.get<HistoryEntry[]>(`/api/history/?command_id=${id}`)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'acknowledged')).toHaveLength(1);
});

test("if two users acknowledge at the same time, one succeeds, and the other gets that user's name", async () => {
  const people = { Paula: 'correct horse battery', Pia: 'staple of nine shelves' };
  const sessions = [];
  for (const [username, password] of Object.entries(people)) {
    await station.post('/api/users/', { username, password, role: 'control' });
    sessions.push(await openSession(station, { username, password }));
  }
  const id = await send(ONE, { line1: 'a', nonce: 'a' });
  const answers = await Promise.all(
    sessions.map(({ write }) =>
      stand(ONE, 'acknowledge', { command_id: id }, { 'content-type': 'application/json', ...write }),
    ),
  );
  await station.clock.advance(1_000);
  const [entry] = await station.get<HistoryEntry[]>('/api/history/?kind=acknowledged');
  const [late, ...others] = answers.toSorted((a, b) => b.status - a.status);
  expect([late?.status, ...others.map(({ status }) => status)]).toEqual([409, 200]);
  expect(late?.body).toMatchObject({
    detail: expect.stringContaining(`Command ${id} was acknowledged by ${entry?.by} at `),
  });
  expect(entry?.by).toMatch(/^(Paula|Pia)$/);
  expect(receiver.payloads()).toHaveLength(1);
});

test('an action on a command that has been replaced applies to the replacement', async () => {
  const id = await send(ONE, { line1: 'a', nonce: 'a' });
  const again = await send(ONE, { line1: 'a', nonce: 'a' });
  expect((await stand(ONE, 'acknowledge', { command_id: id })).body).toMatchObject({ command_id: again });
  expect((await station.device(ONE)).commands).toEqual([]);
});

test('sets the quantity of a shown command, and the device continues counting from it', async () => {
  const id = await send(THREE, { line1: 'M8', quantity: 4, nonce: 'n' });
  const answer = await stand(THREE, 'adjust', { command_id: id, quantity: 9 });
  expect(answer).toMatchObject({ status: 200, body: { deviceid: THREE, quantity: 9 } });
  const { command_id } = answer.body as { command_id: string };
  await station.clock.advance(1_000);
  const device = await station.device(THREE);
  expect(device.commands).toMatchObject([{ command_id, quantity: 9, state: 'shown' }]);
  expect(device.displayed?.screen.quantity).toBe(9);
  await station.press(THREE, 'plus');
  await station.press(THREE);
  await station.clock.advance(1_000);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', qty: 10 }]);
});

test('sets the quantity of a waiting command without changing its position', async () => {
  await send(THREE, { line1: 'lit', nonce: 'a' });
  const id = await send(THREE, { line1: 'waits', quantity: 4, nonce: 'b' });
  expect((await stand(THREE, 'adjust', { command_id: id, quantity: 2 })).body).toMatchObject({ command_id: id });
  expect((await station.device(THREE)).commands[1]).toMatchObject({ command_id: id, quantity: 2 });
  const { steps } = await timeline(id);
  expect(steps.find(({ kind }) => kind === 'adjusted')).toMatchObject({ by: 'API key' });
});

test('an identified device blinks with its name, without a callback', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  const answer = await stand(ONE, 'identify', {});
  expect(answer).toMatchObject({ status: 200, body: { deviceid: ONE, command_id: expect.any(String) } });
  await station.clock.advance(1_000);
  const { displayed } = await station.device(ONE);
  expect(displayed).toMatchObject({ screen: { lines: ['A-1', 'Here I am'] }, led: { mode: 'blink', hex: '#ff00ff' } });
  expect(ledTone('#ff00ff').pale, 'lost on the light page').toBe(false);
  await station.clock.advance(7_000);
  expect((await station.device(ONE)).commands).toEqual([]);
  expect(receiver.requests).toEqual([]);
});

test('removes one command from the queue without a callback, and keeps the others', async () => {
  const ids = [
    await send(ONE, { line1: 'a', nonce: 'a' }),
    await send(ONE, { line1: 'b', nonce: 'b' }),
    await send(ONE, { line1: 'c', nonce: 'b', location: ONE }),
    await send(ONE, { line1: 'd' }),
  ];
  const [a = '', , b = ''] = ids;
  const take = (id: string, deviceid = ONE) =>
    station.request('DELETE', `/api/device/${deviceid.toLowerCase()}/commands/${id}/`);
  expect(await take(a)).toMatchObject({ status: 204 });
  await station.clock.advance(1_000);
  const { commands, displayed } = await station.device(ONE);
  expect(commands.map(({ line1 }) => line1)).toEqual(['c', 'd']);
  expect(displayed?.command_id).toBe(b);
  expect(receiver.payloads()).toEqual([]);
  const again = await take(a);
  expect(again.status).toBe(409);
  expect((again.body as Problem).detail).toMatch(/^Command \d+ was removed by API key at .* UTC\./);
  expect((await take(b, THREE)).status).toBe(404);
  expect((await station.device(ONE)).commands).toHaveLength(2);
});

test('identifying a device twice lights it once, and does not affect other work', async () => {
  const id = await send(ONE, { line1: 'work', nonce: 'a' });
  await stand(ONE, 'identify', {});
  await stand(ONE, 'identify', {});
  const { commands } = await station.device(ONE);
  expect(commands.map(({ command_id }) => command_id)[0]).toBe(id);
  expect(commands).toHaveLength(2);
});

test.each([
  ['acknowledge', {}, '/command_id'],
  ['acknowledge', { command_id: '1', qty: -1 }, '/qty'],
  ['acknowledge', { command_id: '1', qty: 1.5 }, '/qty'],
  ['adjust', { command_id: '1' }, '/quantity'],
  ['adjust', { command_id: '1', quantity: -1 }, '/quantity'],
])('%s with %j is refused', async (what, body, path) => {
  await send(ONE, { line1: 'a', quantity: 1 });
  const answer = await stand(ONE, what, body);
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).errors?.map((error) => error.path)).toEqual([path]);
});

test('accepts numbers as text and ids as numbers', async () => {
  const id = await send(THREE, { line1: 'a', quantity: 4 });
  const adjusted = await stand(THREE, 'adjust', { command_id: Number(id), quantity: '3' });
  expect(adjusted).toMatchObject({ status: 200, body: { quantity: 3 } });
  const { command_id } = adjusted.body as { command_id: string };
  const answer = await stand(THREE, 'acknowledge', { command_id: Number(command_id), qty: ' 2 ', reason: null });
  expect(answer).toMatchObject({ status: 200, body: { qty: 2 } });
});

test('refuses to set a quantity for a command without one', async () => {
  const id = await send(THREE, { line1: 'a' });
  expect(await stand(THREE, 'adjust', { command_id: id, quantity: 2 })).toMatchObject({ status: 400 });
});

test('answers 404 for an unknown device or command, and for a command of another device', async () => {
  const id = await send(ONE, { line1: 'a', quantity: 1 });
  for (const [deviceid, command_id] of [
    ['FFFFFF:FFFFFF', id],
    [ONE, '99999'],
    [ONE, 'x'],
    [THREE, id],
  ] as const) {
    expect((await stand(deviceid, 'acknowledge', { command_id })).status).toBe(404);
    expect((await stand(deviceid, 'adjust', { command_id, quantity: 1 })).status).toBe(404);
  }
  expect((await stand('FFFFFF:FFFFFF', 'identify', {})).status).toBe(404);
});
