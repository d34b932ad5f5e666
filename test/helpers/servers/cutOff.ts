import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestStation, type TestStation, type TestStationOptions } from '../startTestStation.ts';

/**
 * Simulates kill -9: starts a station on a copy of the data folder, taken at the moment of the call. Before that, waits for the requests in
 * progress (`inFlight`), stops the old station and calls `stopped`. What the old station does after the copy is lost. The caller removes
 * the new data folder.
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
