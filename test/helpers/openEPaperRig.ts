import { onTestFinished } from 'vitest';
import { OpenEPaperLink } from '../../electron/server/turbo/links/openEPaperLink.ts';
import { createFakeClock } from './fakeClock.ts';
import { startFakeAccessPoint, type FakeAccessPoint } from './fakeAccessPoint.ts';
import { seededIds } from './seeded.ts';
import { START_MS, startTestStation, type TestStation } from './startTestStation.ts';

export type OpenEPaperRig = {
  station: TestStation;
  accessPoint: FakeAccessPoint;
  link: () => OpenEPaperLink;
  /** Stored data that outlives the station, by MAC. */
  memory: Map<string, string>;
};

/** A station whose only turbo is an access point. The fake clock advances only when everything else is idle. */
export async function startOpenEPaper(tags: Parameters<typeof startFakeAccessPoint>[1]): Promise<OpenEPaperRig> {
  const clock = createFakeClock(START_MS);
  const accessPoint = await startFakeAccessPoint(clock, tags);
  const memory = new Map<string, string>();
  let link: OpenEPaperLink | undefined;
  let isHanging = false;
  const hang = accessPoint.hang;
  accessPoint.hang = (next) => {
    isHanging = next;
    hang(next);
  };
  clock.whenIdle(() => isHanging || (accessPoint.idle() && link?.idle() !== false), 'the access point');
  const station = await startTestStation({
    clock,
    joinTurbos: (join) => {
      join((host) => {
        const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
        link = new OpenEPaperLink(host, {
          url: accessPoint.url,
          clock,
          ids: seededIds(7),
          log,
          memory: { load: () => memory, save: (key, text) => void memory.set(key, text) },
          claim: () => undefined,
          changed: ignore,
        });
        return link;
      });
    },
  });
  onTestFinished(async () => {
    await station.stop();
    await accessPoint.stop();
  });
  const current = () => {
    if (link === undefined) throw new Error('There is no link.');
    return link;
  };
  await clock.advance(0);
  return { station, accessPoint, link: current, memory };
}

function ignore(): void {
  // No test checks the log of a link.
}
