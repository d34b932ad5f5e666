import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import { deliverySteps } from '../../../electron/server/domain/commands/timeline.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, START_MS, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const THREE = '51D000:000002';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function send(deviceid: string, request: object): Promise<string> {
  const { command_id } = await station.post<{ command_id: string }>(`/api/device/${deviceid}/`, request);
  return command_id;
}

function timeline(commandId: string): Promise<Timeline> {
  return station.get<Timeline>(`/api/history/commands/${commandId}/`);
}

/** Returns each step's time in seconds since the start of the test day, with its event. */
function told({ steps }: Timeline): [number, string][] {
  return steps.map(({ at, kind }) => [(Date.parse(at) - START_MS) / 1_000, kind]);
}

test('the timeline of a lit command contains its steps and its content', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  const id = await send(ONE, { line1: 'M8', quantity: 4, nonce: 'n', seconds: 30, color: 'blue' });
  await station.clock.advance(2_000);
  const found = await timeline(id);
  expect(found).toMatchObject({
    command_id: id,
    deviceid: ONE,
    state: 'shown',
    sender: 'API key',
    nonce: 'n',
    location: 'A-1',
    qty: null,
    replaced_by: null,
    command: { line1: 'M8', quantity: 4, color: 'blue', seconds: 30, expires_at: expect.any(String) },
    callbacks: [],
  });
  expect(found.steps.map(({ kind }) => kind)).toEqual(['requested', 'first', 'sent', 'shown']);
  expect(found.steps[0]).toMatchObject({ by: 'API key' });
});

test('the timeline of a queued command shows when it was queued and when it became first in the queue', async () => {
  const first = await send(ONE, { line1: 'one', nonce: '1' });
  const second = await send(ONE, { line1: 'two', nonce: '2' });
  await station.clock.advance(1_000);
  const waiting = await timeline(second);
  expect(waiting.state).toBe('queued');
  expect(waiting.steps.map(({ kind }) => kind)).toEqual(['requested', 'queued']);
  await station.clock.advance(5_000);
  await station.press(ONE);
  await station.clock.advance(1_000);
  expect((await timeline(second)).steps.map(({ kind }) => kind)).toEqual([
    'requested',
    'queued',
    'first',
    'sent',
    'shown',
  ]);
  expect((await timeline(first)).state).toBe('acknowledged');
});

test('the timeline of a press contains every step from the request to the delivery', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const id = await send(THREE, { line1: 'M8', quantity: 4, nonce: 'n' });
  await station.clock.advance(4_000);
  await station.press(THREE, 'plus');
  await station.clock.advance(1_000);
  await station.press(THREE);
  await station.clock.advance(1_000);
  const found = await timeline(id);
  expect(told(found)).toEqual([
    [5, 'requested'],
    [5, 'first'],
    [5, 'sent'],
    [5, 'shown'],
    [9, 'adjusted'],
    [10, 'pressed'],
    [10, 'acknowledged'],
    [10, 'committed'],
    [10, 'delivered'],
  ]);
  expect(found).toMatchObject({ state: 'acknowledged', qty: 5, command: { quantity: 5 } });
  expect(found.steps.map(({ by = '' }) => by)).toEqual([
    'API key',
    '',
    '',
    'device',
    'device',
    'device',
    'device',
    '',
    '',
  ]);
  const [callback] = receiver.requests;
  expect(found.callbacks).toEqual([
    {
      id: callback?.headers['webhook-id'],
      acknack: 'ack',
      state: 'delivered',
      attempts: 1,
      at: expect.any(String),
      last_status: 200,
      last_error: null,
      delivered_at: expect.any(String),
    },
  ]);
});

test('the timeline of a press received late shows when the press was made and when it was stored', async () => {
  const id = await send(ONE, { line1: 'M8', seconds: 0 });
  await station.clock.advance(1_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.press(ONE);
  await station.clock.advance(7_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(1_000);
  const { steps } = await timeline(id);
  const pressed = steps.find(({ kind }) => kind === 'pressed');
  const committed = steps.find(({ kind }) => kind === 'committed');
  expect(Date.parse(pressed?.at ?? '') - START_MS).toBe(6_000);
  expect(Date.parse(committed?.at ?? '') - START_MS).toBe(13_000);
  expect(pressed?.detail).toContain('7.0 s');
});

test('the timeline of a failed callback contains the error', async () => {
  receiver.reply(500);
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const id = await send(ONE, { line1: 'M8', nonce: 'n' });
  await station.clock.advance(1_000);
  await station.press(ONE);
  await station.clock.advance(1_000);
  const found = await timeline(id);
  expect(found.steps.at(-1)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('500') });
  expect(found.callbacks).toMatchObject([{ state: 'pending', attempts: 1, last_status: 500, delivered_at: null }]);
});

test('a delivery that has not been attempted is not a step of the timeline', () => {
  const delivery = {
    receiver: 'http',
    receiverName: null,
    acknack: 'ack',
    attempts: 1,
    lastStatus: 200,
    lastError: null,
  } as const;
  const untried = { ...delivery, state: 'pending', attempts: 0, lastStatus: null, lastAt: null } as const;
  const steps = deliverySteps([untried, { ...delivery, state: 'delivered', lastAt: START_MS }]);
  expect(steps.map(({ kind }) => kind)).toEqual(['delivered']);
});

test("a delivery over MQTT is shown as such, with the broker's answer", () => {
  const delivery = {
    receiver: 'mqtt',
    receiverName: null,
    acknack: 'ack',
    attempts: 1,
    lastStatus: null,
    lastAt: START_MS,
  } as const;
  const details = deliverySteps([
    { ...delivery, state: 'delivered', lastError: null },
    { ...delivery, state: 'pending', lastError: 'Not authorized.' },
  ]).map(({ detail }) => detail);
  expect(details).toEqual(['ack over MQTT: The broker acknowledged it.', 'ack over MQTT: Not authorized.']);
});

test('the timeline of a command that ended without a press shows why: timeout, kill or replacement', async () => {
  const timed = await send(ONE, { line1: 'a', seconds: 2, nonce: 'a' });
  await station.clock.advance(5_000);
  const killed = await send(ONE, { line1: 'b', nonce: 'b' });
  await station.post(`/api/device/${ONE}/`, { command: 'kill' });
  const replaced = await send(ONE, { line1: 'c', nonce: 'c' });
  const successor = await send(ONE, { line1: 'd', nonce: 'c' });
  expect(await timeline(timed)).toMatchObject({ state: 'timedOut', qty: 0 });
  expect((await timeline(timed)).steps.slice(-2)).toMatchObject([
    { kind: 'timed_out', by: 'device' },
    { kind: 'committed' },
  ]);
  expect(await timeline(killed)).toMatchObject({ state: 'killed' });
  expect((await timeline(killed)).steps.slice(-2)).toMatchObject([
    { kind: 'killed', by: 'API key' },
    { kind: 'committed' },
  ]);
  expect(await timeline(replaced)).toMatchObject({ state: 'replaced', replaced_by: successor });
});

test('a late press is in the timeline of the command for which it was made', async () => {
  const id = await send(ONE, { line1: 'M8', seconds: 0 });
  await station.clock.advance(1_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.press(ONE);
  await station.post(`/api/device/${ONE}/`, { command: 'kill' });
  await station.clock.advance(1_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(1_000);
  const found = await timeline(id);
  expect(found.state).toBe('killed');
  expect(found.steps.at(-1)).toMatchObject({ kind: 'pressed', by: 'device' });
  const entries = await station.get<HistoryEntry[]>(`/api/history/?command_id=${id}`);
  expect(entries.map(({ kind }) => kind)).toEqual(['late', 'killed']);
});

test('a timeline does not change after a restart', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url });
  const id = await send(ONE, { line1: 'M8', nonce: 'n' });
  await station.clock.advance(1_000);
  await station.press(ONE);
  await station.clock.advance(1_000);
  const before = await timeline(id);
  await station.restart();
  expect(await timeline(id)).toEqual(before);
});

test.each(['0', '99999', 'x', '-1', '1e3'])('an unknown command %s gets 404', async (id) => {
  expect((await station.request('GET', `/api/history/commands/${id}/`)).status).toBe(404);
});
