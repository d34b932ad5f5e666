import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestStation, type TestStation, type TestStationOptions } from '../startTestStation.ts';

/**
 * Simulates kill -9: starts a station on what is on disk at the moment of the call. Stops the given one after its requests in progress,
 * `inFlight`, whose effects after that moment are lost. `stopped` runs between the two. The caller removes the new data folder.
 */
export async function cutOff(
  station: TestStation,
  options: TestStationOptions,
  { inFlight = Promise.resolve(), stopped }: { inFlight?: Promise<unknown>; stopped?: () => void } = {},
): ReturnType<typeof startTestStation> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-cut-'));
  cpSync(station.dataFolder, dataFolder, { recursive: true, filter: (path) => !path.includes('lock.sqlite') });
  await inFlight;
  await station.stop();
  stopped?.();
  return startTestStation({ ...options, dataFolder, clock: station.clock });
}
