import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;
beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(12_000);
});
afterEach(() => station.stop());

const iso = (afterMs: number): string => new Date(START_MS + afterMs).toISOString();
const now = (): number => station.clock.now() - START_MS;
const commands = async (deviceId = ONE) => (await station.device(deviceId)).commands;
const reachable = (deviceId: string, is: boolean) =>
  station.patch(`/api/simulator/devices/${deviceId}/`, { reachable: is });
const connected = (is: boolean) => station.patch('/api/simulator/turbos/SIM-1/', { connected: is });
const send = (line1: string, more: object = {}) =>
  station.post(`/api/device/${ONE}/`, { line1, nonce: line1, seconds: 600, ...more });
/** Replaces the command that the device shows. The device reports the new command only once it has drawn it. */
async function replace(line1: string, refresh_ms: number) {
  await send('before', { nonce: line1 });
  await station.patch(`/api/simulator/devices/${ONE}/`, { refresh_ms });
  return { at: now(), sent: await send(line1) };
}
const timeline = (id: unknown) => station.get<Timeline>(`/api/history/commands/${String(id)}/`);
const steps = async (id: unknown) =>
  (await timeline(id)).steps.map(({ kind, at }) => `${kind} ${Date.parse(at) - START_MS}`);

describe('a command to a reachable device', () => {
  test('has the same value in delivery as in state', async () => {
    const sent = await send('a');
    expect(sent).toMatchObject({ state: 'queued', delivery: 'queued' });
    expect(await commands()).toMatchObject([{ state: 'shown', delivery: 'shown', unreachable_since: null }]);
    expect(await send('b')).toMatchObject({ delivery: 'queued' });
    expect(await commands()).toMatchObject([{}, { state: 'queued', delivery: 'queued', unreachable_since: null }]);
  });
});

describe('a command is unreachable, with a time, and is shown when the device returns', () => {
  test('if the turbo cannot reach the device', async () => {
    await reachable(ONE, false);
    const sent = await send('a');
    expect(sent).toMatchObject({ state: 'queued', delivery: 'unreachable' });
    const since = now();
    await station.clock.advance(5_000);
    expect(await commands()).toMatchObject([
      { state: 'queued', delivery: 'unreachable', unreachable_since: iso(since), sent_at: null },
    ]);
    const back = now();
    await reachable(ONE, true);
    expect(await commands()).toMatchObject([{ state: 'shown', delivery: 'shown', unreachable_since: null }]);
    expect(await steps(sent['command_id'])).toEqual([
      `requested ${since}`,
      `first ${since}`,
      `unreachable ${since}`,
      `reached ${back}`,
      `sent ${back}`,
      `shown ${back}`,
    ]);
  });

  test('if the link to the turbo is lost after the command was sent', async () => {
    const { at, sent } = await replace('a', 20_000);
    await station.clock.advance(1_000);
    expect(await commands()).toMatchObject([{ state: 'sent', delivery: 'sent' }]);
    await connected(false);
    expect(await commands()).toMatchObject([
      { state: 'sent', delivery: 'unreachable', sent_at: iso(at), unreachable_since: iso(at + 1_000) },
    ]);
    await station.clock.advance(5_000);
    await connected(true);
    await station.clock.advance(1_000);
    // The device drew the command after the link was lost.
    expect(await steps(sent['command_id'])).toEqual([
      `requested ${at}`,
      `first ${at}`,
      `sent ${at}`,
      `unreachable ${at + 1_000}`,
      `reached ${at + 3_000}`,
      `shown ${at + 3_000}`,
    ]);
  });

  test('but the timeline omits this if the device had shown the command before the link was lost', async () => {
    const { at, sent } = await replace('a', 1_334);
    await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 400 });
    await station.clock.advance(300);
    await connected(false);
    expect(await commands()).toMatchObject([{ delivery: 'unreachable' }]);
    await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 0 });
    await connected(true);
    await station.clock.advance(3_000);
    expect(await steps(sent['command_id'])).toEqual([
      `requested ${at}`,
      `first ${at}`,
      `sent ${at}`,
      `shown ${at + 200}`,
    ]);
  });

  test('if no turbo is online and it is the first command of its device', async () => {
    await connected(false);
    await send('a');
    await send('b');
    await station.post(`/api/device/${TWO}/`, { line1: 'c', seconds: 600 });
    expect(await commands()).toMatchObject([{ delivery: 'unreachable' }, { delivery: 'queued' }]);
    expect(await commands(TWO)).toMatchObject([{ delivery: 'unreachable' }]);
    await connected(true);
    await station.clock.advance(2_000);
    expect(await commands()).toMatchObject([{ delivery: 'shown' }, { delivery: 'queued' }]);
    expect(await commands(TWO)).toMatchObject([{ delivery: 'shown' }]);
  });

  test('if it replaces an unreachable command or becomes the first command', async () => {
    await send('a');
    await send('b');
    await reachable(ONE, false);
    const [first] = await commands();
    await station.post(`/api/device/${ONE}/acknowledge/`, { command_id: first?.command_id });
    expect(await commands()).toMatchObject([{ line1: 'b', delivery: 'unreachable' }]);
    await station.clock.advance(1_000);
    const sent = await station.post(`/api/device/${ONE}/`, { line1: 'other', nonce: 'b', seconds: 600 });
    expect(sent).toMatchObject({ delivery: 'unreachable' });
    expect(await commands()).toMatchObject([{ line1: 'other', unreachable_since: iso(now()) }]);
  });

  test('if it moves to an unreachable device', async () => {
    await reachable(TWO, false);
    await send('a');
    await station.post(`/api/device/${ONE}/replace/`, { deviceid: TWO });
    expect(await commands(TWO)).toMatchObject([{ line1: 'a', delivery: 'unreachable' }]);
  });

  test('if several commands are sent in one call', async () => {
    await reachable(ONE, false);
    const answer = await station.post<object[]>('/api/devices/', [
      { deviceid: ONE, line1: 'a' },
      { deviceid: TWO, line1: 'b' },
    ]);
    expect(answer).toMatchObject([{ delivery: 'unreachable' }, { delivery: 'queued' }]);
  });
});

test('a shown command still counts as shown when its device goes offline', async () => {
  await send('a');
  await reachable(ONE, false);
  await station.clock.advance(5_000);
  expect(await commands()).toMatchObject([{ state: 'shown', delivery: 'shown', unreachable_since: null }]);
});

test('the history keeps the delivery of each command and the time when it became unreachable', async () => {
  await reachable(ONE, false);
  const at = now();
  await send('a', { seconds: 3 });
  await station.clock.advance(6_000);
  await reachable(ONE, true);
  await send('b', { seconds: 3 });
  const shown = now();
  await station.press(ONE);
  const history = await station.get<HistoryEntry[]>('/api/history/');
  expect(history).toMatchObject([
    { kind: 'acknowledged', delivery: 'shown', sent_at: iso(shown), shown_at: iso(shown), unreachable_at: null },
    {
      kind: 'timedOut',
      delivery: 'unreachable',
      sent_at: null,
      shown_at: null,
      unreachable_at: iso(at),
      reached_at: null,
    },
  ]);
  await station.press(ONE, 'front', 'long');
  expect((await station.get<HistoryEntry[]>('/api/history/'))[0]).toMatchObject({ kind: 'call', delivery: null });
});

describe('after startup', () => {
  test('no command is unreachable until the turbos have had time to connect', async () => {
    await using fresh = await startTestStation();
    await fresh.post('/api/device/', { deviceid: ONE });
    expect(await fresh.post(`/api/device/${ONE}/`, { line1: 'x' })).toMatchObject({ delivery: 'queued' });
    await fresh.clock.advance(9_999);
    expect((await fresh.device(ONE)).commands).toMatchObject([{ delivery: 'queued' }]);
    await fresh.clock.advance(1);
    expect((await fresh.device(ONE)).commands).toMatchObject([
      { delivery: 'unreachable', unreachable_since: new Date(fresh.clock.now()).toISOString() },
    ]);
    expect(await fresh.post(`/api/device/${ONE}/`, { line1: 'y', nonce: 'y' })).toMatchObject({ delivery: 'queued' });
  });

  test('an unreachable command is shown once its device returns, and keeps the time when it became unreachable', async () => {
    await reachable(ONE, false);
    const sent = await send('a');
    const since = now();
    await station.restart();
    await station.clock.advance(3_000);
    expect(await commands()).toMatchObject([{ delivery: 'shown' }]);
    expect(await steps(sent['command_id'])).toContain(`unreachable ${since}`);
  });
});
