import { onTestFinished } from 'vitest';
import type { TurboLink } from '#shared/api/turbo.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { countedHttp, startWled, type WledController, type WledOptions } from '../../helpers/devices/wledController.ts';

/** DeviceIDs of the first two places. */
export const A1 = 'D3E4F5:000001';
export const A2 = 'D3E4F5:000002';
export const PLACES = [
  { label: 'A-1', start: 0, count: 3 },
  { label: 'A-2', start: 3, count: 2 },
];
export const DARK = '000000';

type Rig = {
  station: TestStation;
  wled: WledController;
  link: TurboLink;
  /** Starts another controller. */
  more(options: WledOptions): Promise<WledController>;
};

/** Starts a controller, and a station with a link to it, which accepts no other devices. */
export async function startStrip(places: object[] = PLACES, options: WledOptions = {}): Promise<Rig> {
  const http = countedHttp();
  const clock = createFakeClock(START_MS);
  const all: WledController[] = [];
  const more = async (wanted: WledOptions): Promise<WledController> => {
    const one = await startWled(wanted);
    all.push(one);
    return one;
  };
  const wled = await more(options);
  clock.whenIdle(() => http.open() === all.reduce((sum, one) => sum + one.hanging(), 0), 'requests to controllers');
  const station = await startTestStation({ http, clock });
  onTestFinished(async () => {
    await station.stop();
    for (const one of all) await one.stop();
  });
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  const link = await station.post<TurboLink>('/api/turbo/links/', {
    kind: 'wled',
    url: wled.url,
    name: 'Rack 3',
    places,
  });
  await clock.advance(1_000);
  return { station, wled, link, more };
}

export const linksOf = (station: TestStation): Promise<TurboLink[]> => station.get<TurboLink[]>('/api/turbo/links/');
