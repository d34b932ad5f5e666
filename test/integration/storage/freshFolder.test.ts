import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '7C0001:000001';
const PORT = '/dev/ttyACM0';

let machine: ReturnType<typeof startSerialMachine>;
const folders: string[] = [];
const stations: TestStation[] = [];

beforeEach(() => {
  machine = startSerialMachine();
});

afterEach(async () => {
  for (const station of stations.splice(0)) await station.halt();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Starts a station with an empty folder and the turbo of an earlier station. */
async function startFresh(): Promise<TestStation> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-fresh-'));
  folders.push(dataFolder);
  const station = await startTestStation({
    dataFolder,
    clock: machine.clock,
    serial: machine.ports,
    seed: folders.length,
    adminPassword: 'a password of the test',
  });
  stations.push(station);
  await station.post('/api/turbo/links/', { path: PORT });
  await station.clock.advance(3_000);
  return station;
}

const light = async (station: TestStation) => {
  const { command_id } = await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n', seconds: 0 });
  await station.clock.advance(3_000);
  return Number(command_id);
};

test('a press that a device kept from an earlier station does not acknowledge anything at a new station', async () => {
  const hardware = machine.plugIn(PORT, {}, { serialNumber: 'USB-1', devices: [DEVICE] });
  const older = await startFresh();
  await light(older);
  machine.unplug(PORT);
  hardware?.press(DEVICE, 'front', 'short');
  await older.halt();

  const newer = await startFresh();
  await newer.post('/api/device/', { deviceid: DEVICE });
  const second = await light(newer);
  machine.plugAgain(PORT);
  await newer.clock.advance(10_000);
  expect(hardware?.look(DEVICE)?.heldReports).toBe(0);
  expect((await newer.device(DEVICE)).commands).toMatchObject([{ command_id: String(second), state: 'shown' }]);
  const history = await newer.get<{ kind: string; command_id: string | null }[]>(`/api/history/?deviceid=${DEVICE}`);
  expect(history.filter(({ kind }) => kind === 'acknowledged')).toEqual([]);
  // The new station does not know the command.
  expect(history.filter(({ kind }) => kind === 'late')).toMatchObject([{ command_id: null }]);
});

test('each data folder has its own sequence of command numbers, across restarts', async () => {
  const one = await startFresh();
  const other = await startFresh();
  for (const station of [one, other]) await station.post('/api/device/', { deviceid: DEVICE });
  const first = await light(one);
  await one.restart();
  await one.clock.advance(1_000);
  const next = await light(one);
  expect(next).toBeGreaterThan(first);
  expect(next).toBeLessThan(first + 1_000);
  expect(Math.abs((await light(other)) - next)).toBeGreaterThan(1_000_000);
});
