import { onTestFinished } from 'vitest';
import { OpenEPaperConnection } from '../../../electron/server/turbo/openEPaper/openEPaperConnection.ts';
import { createFakeClock } from '../fakeClock.ts';
import { startFakeAccessPoint, type FakeAccessPoint } from './fakeAccessPoint.ts';
import { seededIds } from '../seeded.ts';
import { START_MS, startTestStation, type TestStation } from '../startTestStation.ts';

export type OpenEPaperRig = {
  station: TestStation;
  accessPoint: FakeAccessPoint;
  connection: () => OpenEPaperConnection;
  /** Stored data by MAC address, which outlives the station. */
  memory: Map<string, string>;
};

/** Starts a station whose only turbo is an access point. The fake clock advances only when everything else is idle. */
export async function startOpenEPaper(tags: Parameters<typeof startFakeAccessPoint>[1]): Promise<OpenEPaperRig> {
  const clock = createFakeClock(START_MS);
  const accessPoint = await startFakeAccessPoint(clock, tags);
  const memory = new Map<string, string>();
  let connection: OpenEPaperConnection | undefined;
  let isHanging = false;
  const hang = accessPoint.hang;
  accessPoint.hang = (next) => {
    isHanging = next;
    hang(next);
  };
  clock.whenIdle(() => isHanging || (accessPoint.idle() && connection?.idle() !== false), 'the access point');
  const station = await startTestStation({
    clock,
    joinTurbos: (join) => {
      join((host) => {
        const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
        connection = new OpenEPaperConnection(host, {
          url: accessPoint.url,
          clock,
          ids: seededIds(7),
          log,
          memory: { load: () => memory, save: (key, text) => void memory.set(key, text) },
          claim: () => undefined,
          changed: ignore,
        });
        return connection;
      });
    },
  });
  onTestFinished(async () => {
    await station.stop();
    await accessPoint.stop();
  });
  const current = () => {
    if (connection === undefined) throw new Error('There is no connection.');
    return connection;
  };
  await clock.advance(0);
  return { station, accessPoint, connection: current, memory };
}

function ignore(): void {
  // Ignore the connection's log.
}
