import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { ADMIN_PASSWORD } from '../../../bench/load/processes.ts';
import { connectFrameTurbo, type PeerTurbo } from '../../../bench/load/peerTurbo.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D0FF:000001';
const OTHER = '51D0FF:000002';

let station: TestStation;
let peer: PeerTurbo;

/** Lets the fake clock run, in steps of a millisecond, until the work is done. */
async function during<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const result = work.finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    await station.clock.advance(1);
    await new Promise(setImmediate);
  }
  return result;
}

beforeEach(async () => {
  station = await startTestStation({ turboPort: 0, refreshMs: 0, adminPassword: ADMIN_PASSWORD });
  const port = station.started.turboPort() ?? 0;
  peer = await during(connectFrameTurbo({ port, devices: [ONE, OTHER] }));
});
afterEach(async () => {
  peer.close();
  await station.stop();
});

/** Lights a device and returns its token. */
async function light(device: string, nonce: string): Promise<number> {
  const lit = peer.lit(device);
  await station.post(`/api/device/${device}/`, { line1: 'Cable tie', nonce, seconds: 0 });
  return during(lit);
}

/** Presses the front button this many times, faster than anybody can. */
const jam = (device: string, token: number, times: number) =>
  during(Promise.all(Array.from({ length: times }, () => peer.press(device, token))));

const lateOf = async (device: string) =>
  (await station.get<HistoryEntry[]>(`/api/history/?kind=late&deviceid=${device}`)).map(
    ({ command_id: id, presses }) => [id === null ? null : Number(id), presses],
  );
const revision = (): number => Number(station.rows('SELECT MAX(revision) AS last FROM commits')[0]?.['last']);

test('a jammed button adds one row for each ended command, with at most five counted presses a second', async () => {
  const first = await light(ONE, 'a');
  await jam(ONE, first, 1);
  const before = revision();
  await jam(ONE, first, 300);
  // The first late press is not limited.
  expect(await lateOf(ONE)).toEqual([[first, 6]]);
  expect(revision() - before).toBeLessThanOrEqual(6);
  await station.clock.advance(1_000);
  await jam(ONE, first, 300);
  expect(await lateOf(ONE)).toEqual([[first, 11]]);
  expect(station.rows(`SELECT id FROM history WHERE kind = 'late'`)).toHaveLength(1);
  const timeline = await station.get<Timeline>(`/api/history/commands/${first}/`);
  expect(timeline.steps.filter(({ kind }) => kind === 'pressed').map(({ detail }) => detail)).toEqual([
    undefined,
    expect.stringMatching(
      /^The command had already ended, so its 11 presses acknowledged nothing\. The last one was at /,
    ),
  ]);
  expect(await station.get<HistorySummary>('/api/history/summary/')).toMatchObject({ late: 11, acknowledged: 1 });
});

test('a press for an open command, and the first press of an ended one, are never limited', async () => {
  const ended = [await light(ONE, 'a')];
  await jam(ONE, ended[0] ?? 0, 1);
  await jam(ONE, ended[0] ?? 0, 20);
  for (const nonce of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    const token = await light(ONE, nonce);
    await jam(ONE, token, 1);
    await jam(ONE, token, 1);
    ended.push(token);
  }
  const acknowledged = await station.get<HistoryEntry[]>(`/api/history/?kind=acknowledged&deviceid=${ONE}`);
  expect(acknowledged.map(({ command_id: id }) => Number(id)).toReversed()).toEqual(ended);
  expect((await lateOf(ONE)).map(([token]) => token).toReversed()).toEqual(ended);
  const other = await light(OTHER, 'z');
  await jam(OTHER, other, 1);
  await jam(OTHER, other, 3);
  expect(await lateOf(OTHER)).toEqual([[other, 3]]);
});

test('presses of a device for commands that never existed share one row a day, with at most five counted a second', async () => {
  let token = 900_000;
  const jamUnknown = (device: string, times: number) =>
    during(Promise.all(Array.from({ length: times }, () => peer.press(device, (token += 1)))));
  await jamUnknown(ONE, 100);
  expect(await lateOf(ONE)).toEqual([[null, 5]]);
  await station.clock.advance(1_000);
  await jamUnknown(ONE, 100);
  await jamUnknown(OTHER, 1);
  expect(await lateOf(ONE)).toEqual([[null, 10]]);
  expect(await lateOf(OTHER)).toHaveLength(1);
  const ended = await light(ONE, 'a');
  await jam(ONE, ended, 1);
  await jam(ONE, ended, 1);
  expect(await lateOf(ONE)).toEqual([
    [ended, undefined],
    [null, 10],
  ]);
});

test('reports of devices that the station does not know leave no rows', async () => {
  const rowsNow = () =>
    ['history', 'report_windows', 'devices'].map((table) => station.rows(`SELECT 1 FROM ${table}`).length);
  await jam(ONE, 900_000, 1);
  const before = rowsNow();
  const strangers = Array.from({ length: 40 }, (_, index) => `51D0FE:${String(index).padStart(6, '0')}`);
  for (const stranger of strangers) await during(peer.press(stranger, 900_001));
  expect(rowsNow()).toEqual(before);
});
