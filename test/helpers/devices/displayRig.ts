import { onTestFinished } from 'vitest';
import type { Clock, NetworkLinks, NetworkWish } from '../../../electron/server/ports.ts';
import { createOpenDisplay } from '../../../electron/server/turbo/openDisplay/openDisplayController.ts';
import { createNetworkLinks } from '../../../electron/server/turbo/links/networkLinks.ts';
import { createFakeClock } from '../fakeClock.ts';
import { FakeDisplay } from './fakeDisplay.ts';
import type { FakeDisplayOptions } from './fakeDisplayConfig.ts';
import { seededIds } from '../seeded.ts';
import { START_MS, startTestStation, type TestStation } from '../startTestStation.ts';

export const DISPLAY_KEY = '00112233445566778899AABBCCDDEEFF';

export type DisplayRig = {
  station: TestStation;
  display: FakeDisplay;
  links: NetworkLinks;
  wish: NetworkWish;
  /** DeviceID of the display's only device. */
  deviceId: string;
};

/** Starts a station whose only turbo is a display. The fake clock advances only when everything else is idle. */
export async function startDisplayRig(
  options: FakeDisplayOptions & { wish?: Partial<NetworkWish>; prepare?: (display: FakeDisplay) => void } = {},
): Promise<DisplayRig> {
  const { wish: given, prepare, ...parts } = options;
  const clock = createFakeClock(START_MS);
  const display = await new FakeDisplay(clock, parts).start();
  prepare?.(display);
  const memory = new Map<string, string>([['digits', 'A0B1C2D3E4F5']]);
  const wish: NetworkWish = {
    id: '1',
    kind: 'opendisplay',
    url: display.url,
    key: parts.key,
    places: [],
    ...given,
  };
  let links: NetworkLinks | undefined;
  let isIdle = (): boolean => true;
  clock.whenIdle(() => display.isInert() || isIdle(), 'the display');
  // As on a real clock, no two readings are equal, and none is a whole number.
  let readings = 0;
  const finer: Clock = {
    ...clock,
    monotonic: () => clock.monotonic() + (readings += 1) / 2_000,
    setTimer: (delayMs, run) => clock.setTimer(Math.ceil(delayMs), run),
  };
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const station = await startTestStation({
    clock,
    joinTurbos: (join) => {
      links = createNetworkLinks({
        clock,
        log,
        create(own) {
          const controller = createOpenDisplay({
            ...own,
            memory: { load: () => memory, save: (key, text) => void memory.set(key, text) },
            clock: finer,
            ids: seededIds(7),
            log,
            multicast: { ask: () => Promise.resolve() },
          });
          isIdle = () => controller.idle();
          return controller;
        },
        join,
      });
      links.set([wish]);
    },
  });
  onTestFinished(async () => {
    links?.stop();
    await station.stop();
    await display.stop();
  });
  if (links === undefined) throw new Error('There are no links.');
  await clock.advance(0);
  return { station, display, links, wish, deviceId: 'A0B1C2:D3E4F5' };
}

function ignore(): void {
  // Ignore the link's log.
}
