/** Startup time, and the memory that a station uses after some work. */
import type { Goal } from '../goals.ts';
import { BODY, deviceId, untilQuiet } from '../load/loads.ts';
import { startBareServer, startStation, type ServerProcess, type Workplace } from '../load/processes.ts';
import { openConnection } from '../load/wire.ts';

const DEVICES = 1_000;
/** Number of times to light all devices and turn them off again before measuring memory, so that caches are full. */
const WAVES = 5;

export async function measureStart(place: Workplace, rounds: number): Promise<Goal[]> {
  const [bareFolder, stationFolder] = [place.folder(), place.folder()];
  const among = `with ${DEVICES.toLocaleString('en')} devices`;
  const ready: Goal = {
    name: `start to ready ${among} / an Express route with SQLite, empty`,
    unit: 'x',
    values: [],
    atMost: 8,
  };
  const readyMs: Goal = { name: `start to ready ${among}`, unit: 'ms', values: [] };
  const memory: Goal = {
    name: `memory ${among} / an Express route with SQLite, empty`,
    unit: 'x',
    values: [],
    atMost: 4,
  };
  const bytes: Goal = { name: `memory ${among}`, unit: 'MB', values: [] };
  await (await startBareServer(bareFolder)).stop();
  await (await startStation(stationFolder, DEVICES)).stop();
  for (let round = 0; round < rounds; round += 1) {
    const bare = await startBareServer(bareFolder);
    const bareBytes = bare.residentBytes();
    await bare.stop();
    const station = await startStation(stationFolder, DEVICES);
    await lightAll(station);
    const stationBytes = station.residentBytes();
    await station.stop();
    ready.values.push(station.readyMs / bare.readyMs);
    readyMs.values.push(station.readyMs);
    memory.values.push(stationBytes / bareBytes);
    bytes.values.push(stationBytes / 1_000_000);
  }
  return [ready, readyMs, memory, bytes];
}

/** Lights all devices with one request and removes the commands with another, WAVES times. */
async function lightAll(station: ServerProcess): Promise<void> {
  const connection = await openConnection(station.url);
  for (let wave = 0; wave < WAVES; wave += 1) {
    for (const command of [BODY, { command: 'kill' }]) {
      const bodies = Array.from({ length: DEVICES }, (_, index) => ({ ...command, deviceid: deviceId(index + 1) }));
      await connection.request('POST', '/api/devices/', JSON.stringify(bodies));
    }
  }
  connection.close();
  await untilQuiet(station);
}
