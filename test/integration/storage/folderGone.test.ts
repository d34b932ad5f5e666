import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Problem } from '#shared/api/problem.ts';
import { ranFoldersIn } from '../../../electron/server/files/ranFolders.ts';
import type { SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '7C0001:000001';
const PORT = '/dev/ttyACM0';
const CHECK_MS = 2_000;

let station: TestStation;
let hardware: SimulatedHardware;
let away: string;

/** Starts a station with one turbo on USB, so that presses do not come over the API. */
beforeEach(async () => {
  const machine = startSerialMachine();
  const plugged = machine.plugIn(PORT, {}, { serialNumber: 'USB-1', devices: [DEVICE] });
  if (plugged === undefined) throw new Error('unreachable');
  hardware = plugged;
  station = await startTestStation({ clock: machine.clock, serial: machine.ports, checkFolderMs: CHECK_MS });
  await station.post('/api/turbo/links/', { path: PORT });
  await station.clock.advance(5_000);
  away = `${station.dataFolder}-away`;
});

afterEach(async () => {
  await station.stop();
  rmSync(away, { recursive: true, force: true });
});

const alerts = async (): Promise<Alert[]> =>
  (await station.get<Alert[]>('/api/alerts/')).filter(({ kind }) => kind === 'data_lost');
const acknowledged = async () =>
  (await station.get<{ kind: string; nonce: string }[]>(`/api/history/?deviceid=${DEVICE}`))
    .filter(({ kind }) => kind === 'acknowledged')
    .map(({ nonce }) => nonce);

async function light(nonce: string): Promise<void> {
  await station.post(`/api/device/${DEVICE}/`, { line1: nonce, nonce, seconds: 0 });
  await station.clock.advance(3_000);
  expect(await station.device(DEVICE)).toMatchObject({ commands: [{ nonce, state: 'shown' }] });
}

/** Moves the data folder away, and waits until the station has noticed. */
async function moveAway(): Promise<void> {
  renameSync(station.dataFolder, away);
  await station.clock.advance(CHECK_MS);
}

test('within seconds after the folder was moved, changes are refused, the alert is raised, and the station is not healthy', async () => {
  await light('lit');
  await moveAway();
  const refused = await station.request('POST', `/api/device/${DEVICE}/`, { line1: 'late', nonce: 'late' });
  expect(refused).toMatchObject({ status: 503, body: { code: 'lost' } });
  expect((refused.body as Problem).detail).toMatch(/moved or removed while the station ran.*Move the folder back/);
  expect(await station.request('DELETE', '/api/orders/7001/')).toMatchObject({ status: 503, body: { code: 'lost' } });
  const queried = await station.request('GET', `/api/${DEVICE}/flash/late/`);
  expect(queried.status).toBe(503);
  expect(await station.request('GET', '/healthz')).toMatchObject({ status: 503, body: { code: 'lost' } });
  expect(await alerts()).toMatchObject([{ about: join(station.dataFolder, 'pickstation.sqlite'), ended: null }]);
  expect(await station.device(DEVICE)).toMatchObject({ commands: [{ nonce: 'lit' }] });
});

test('a press waits in the turbo, and counts once the folder is back', async () => {
  await light('lit');
  await moveAway();
  hardware.press(DEVICE, 'front', 'short');
  await station.clock.advance(10_000);
  expect(await acknowledged()).toEqual([]);
  renameSync(away, station.dataFolder);
  await station.clock.advance(20_000);
  expect(await acknowledged()).toEqual(['lit']);
  expect(await alerts()).toEqual([]);
  expect((await station.request('GET', '/healthz')).status).toBe(200);
  await light('next');
});

test.each([
  ['a new, empty folder', () => mkdirSync(station.dataFolder)],
  [
    'another file at the path of the database',
    () => {
      mkdirSync(station.dataFolder);
      writeFileSync(join(station.dataFolder, 'pickstation.sqlite'), '');
    },
  ],
])('%s is not written to', async (_, put) => {
  renameSync(station.dataFolder, away);
  put();
  const before = readdirSync(station.dataFolder);
  await station.clock.advance(CHECK_MS);
  expect((await station.request('POST', '/api/backups/')).status).toBe(503);
  await station.clock.advance(26 * 3_600_000);
  expect(await alerts()).toHaveLength(1);
  await station.halt();
  expect(readdirSync(station.dataFolder)).toEqual(before);
  rmSync(station.dataFolder, { recursive: true });
  renameSync(away, station.dataFolder);
  await station.restart();
  expect(await alerts()).toEqual([]);
});

test('a removed database is noticed too, and a sign-in says why it is refused', async () => {
  const { apikey } = await openSession(station);
  rmSync(station.dataFolder, { recursive: true });
  await station.clock.advance(CHECK_MS);
  const answer = await station.request(
    'POST',
    '/api/user/login/',
    { username: 'admin', password: 'x' },
    {
      'content-type': 'application/json',
    },
  );
  expect(answer).toMatchObject({ status: 503, body: { code: 'lost' } });
  expect((await station.request('GET', '/api/station/', undefined, { 'api-key': apikey })).status).toBe(200);
  expect(existsSync(join(station.dataFolder, 'pickstation.sqlite'))).toBe(false);
});

test('a start in an emptied folder, where a station ran before, says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-emptied-'));
  const memory = ranFoldersIn(join(folder, 'state', 'stations.json'));
  const dataFolder = join(folder, 'data');
  const start = () => startTestStation({ dataFolder, ranFolders: memory, firstRun: 'window' });
  const lost = async (at: TestStation) =>
    (await at.get<Alert[]>('/api/alerts/')).filter(({ kind }) => kind === 'data_lost');
  try {
    const first = await start();
    expect(first.started.emptied).toBeUndefined();
    expect(await lost(first)).toEqual([]);
    await first.restart();
    expect(first.started.emptied).toBeUndefined();
    await first.stop();
    rmSync(dataFolder, { recursive: true });
    const second = await start();
    expect(second.started.emptied).toMatch(
      /was empty at this start, although a station ran there, last started at 2026-/,
    );
    expect(await lost(second)).toMatchObject([{ about: dataFolder, problem: second.started.emptied }]);
    expect(second.logged.map(({ message }) => message)).toContain(second.started.emptied);
    await second.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
