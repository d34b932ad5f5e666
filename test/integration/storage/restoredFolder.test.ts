import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { FIRST_COMMANDS, idFloorsAt } from '../../../electron/server/domain/station/idFloors.ts';
import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const YEAR_MS = 365 * 24 * 3_600_000;

let receiver: Receiver;
let clock: FakeClock;
let folder: string;
let backup: string;
let seed = 0;
const streams: EventStream[] = [];
const stations: TestStation[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  clock = createFakeClock(START_MS);
  folder = mkdtempSync(join(tmpdir(), 'pickstation-life-'));
  backup = mkdtempSync(join(tmpdir(), 'pickstation-backup-'));
  cpSync(inject('template'), folder, { recursive: true });
});

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  for (const station of stations.splice(0)) await station.halt();
  await receiver.stop();
  for (const used of [folder, backup]) rmSync(used, { recursive: true, force: true });
});

async function start(dataFolder: string): Promise<TestStation> {
  seed += 1;
  const station = await startTestStation({ dataFolder, clock, seed, simulate: 1, refreshMs: 0 });
  stations.push(station);
  await clock.advance(12_000);
  return station;
}

/** Sends `count` commands, presses each one, and returns their ids. */
async function work(station: TestStation, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const sent = await station.post(`/api/device/${DEVICE}/`, { line1: `${number}`, nonce: 'n' });
    ids.push(Number(sent['command_id']));
    await station.clock.advance(1_000);
    await station.press(DEVICE);
  }
  return ids;
}

const revision = async (station: TestStation) => (await station.get<Station>('/api/station/')).revision;
const revisions = (station: TestStation, after: number) =>
  station
    .rows<{ revision: number }>('SELECT revision FROM commits WHERE revision > ?', after)
    .map((row) => row.revision);
const webhookIds = () => receiver.requests.map(({ headers }) => String(headers['webhook-id']));
const shared = <T>(one: readonly T[], other: readonly T[]) => one.filter((value) => other.includes(value));

async function resume(station: TestStation, lastEventId: number): Promise<EventStream> {
  const stream = await openStream(station.url, { lastEventId: String(lastEventId) });
  streams.push(stream);
  await stream.until(() => stream.messages().some(({ event }) => event === 'ephemera'));
  return stream;
}

/** Copies the folder as a backup, continues with the original, and then starts from the copy. */
async function twoLives(restartedBetween: boolean) {
  const first = await start(folder);
  await first.patch('/api/settings/', { callback_url: receiver.url });
  await work(first, 3);
  const sharedRevision = await revision(first);
  await first.halt();
  cpSync(folder, backup, { recursive: true });
  const lost = await start(folder);
  const lostIds = await work(lost, 5);
  if (restartedBetween) {
    await lost.restart();
    lostIds.push(...(await work(lost, 5)));
  }
  const lostRevisions = revisions(lost, sharedRevision);
  const lostWebhooks = webhookIds();
  await lost.halt();
  await clock.advance(10_000);
  const restored = await start(backup);
  return { restored, sharedRevision, lostIds, lostRevisions, lostWebhooks };
}

for (const restartedBetween of [false, true]) {
  test(`a restored backup does not reuse numbers assigned after it was made${restartedBetween ? ', even across a restart' : ''}`, async () => {
    const { restored, sharedRevision, lostIds, lostRevisions, lostWebhooks } = await twoLives(restartedBetween);
    const ids = await work(restored, 12);
    expect(shared(ids, lostIds)).toEqual([]);
    expect(lostRevisions.length).toBeGreaterThan(10);
    expect(shared(revisions(restored, sharedRevision), lostRevisions)).toEqual([]);
    const webhooks = webhookIds().slice(lostWebhooks.length);
    expect(webhooks).toHaveLength(12);
    expect(shared(webhooks, lostWebhooks)).toEqual([]);
    expect(new Set(webhookIds()).size).toBe(receiver.requests.length);
  });
}

test('a stream reader is reset if the restore discarded its revision, and resumes otherwise', async () => {
  const { restored, sharedRevision, lostRevisions } = await twoLives(false);
  for (let round = 0; round < 2; round += 1) {
    for (const seen of lostRevisions) {
      expect((await resume(restored, seen)).messages()[0]?.event, String(seen)).toBe('reset');
    }
    const both = await resume(restored, sharedRevision);
    expect(both.messages().map(({ event }) => event)).not.toContain('reset');
    expect(both.commits().map(({ id }) => id)).toEqual(revisions(restored, sharedRevision));
    await work(restored, lostRevisions.length);
  }
});

test('command numbers continue without gaps after an immediate restart', async () => {
  const station = await startTestStation({ dataFolder: folder, clock });
  stations.push(station);
  await station.post('/api/simulator/devices/', { count: 1 });
  const send = async (nonce: string) =>
    (await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce }))['command_id'];
  expect(await send('a')).toBe('1');
  await station.restart();
  expect(await send('b')).toBe('2');
});

test('numbers stay within the wire format and safe integers, regardless of how wrong the clock is', () => {
  const at = (createdAt: number, now: number, firstCommand = 0) => idFloorsAt({ createdAt, firstCommand }, now);
  expect(at(START_MS, START_MS - YEAR_MS)).toEqual({ commandId: 0, revision: 0 });
  const { commandId, revision: highest } = at(-8.64e15 / 2, 8.64e15 / 2);
  // Half of the tokens remain for use after the clock is corrected.
  expect(commandId).toBe(2 ** 31);
  expect(Number.isSafeInteger(highest + 2 ** 40)).toBe(true);
  // Wherever the ids began, a quarter of the tokens is left.
  expect(at(-8.64e15 / 2, 8.64e15 / 2, FIRST_COMMANDS - 1).commandId).toBeLessThanOrEqual(0.75 * 2 ** 32);
  expect(at(START_MS, START_MS + 15 * YEAR_MS).commandId).toBeLessThan(2 ** 31);
  expect(at(0.25, 1_000.75)).toEqual({ commandId: 4, revision: 1_000 });
  expect(at(0.25, 1_000.75, 700)).toEqual({ commandId: 704, revision: 1_000 });
});
