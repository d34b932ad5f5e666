import type { Page } from 'playwright-core';
import type { Station } from '#shared/api/station.ts';
import { screenWords } from '../../renderer/src/shop/screen/screenWords.ts';
import { isLitNow } from '../../renderer/src/station/conditions.ts';
import { nameOf } from '../../renderer/src/station/places.ts';
import * as texts from '../../renderer/src/words/texts.ts';

/** What a person can see of each device, by DeviceID: name, light, screen, and whether the device is offline. */
export type DrawnDevices = Record<string, { name: string; lit: boolean; offline: boolean; screen: string }>;

/** Reads what the tiles on the page show. */
export function drawnDevices(page: Page): Promise<DrawnDevices> {
  return page.evaluate<DrawnDevices>(`Object.fromEntries(
    [...document.querySelectorAll('[data-deviceid]')]
      .filter((tile) => tile.querySelector('canvas') !== null)
      .map((tile) => [tile.dataset.deviceid, {
        name: tile.querySelector('a').textContent,
        lit: tile.dataset.lit !== undefined,
        offline: tile.dataset.offline !== undefined,
        screen: tile.querySelector('canvas').getAttribute('aria-label'),
      }])
      .sort(([a], [b]) => (a < b ? -1 : 1)))`);
}

/** Returns what the tiles should show for this station. */
export function expectedDevices(station: Station): DrawnDevices {
  return Object.fromEntries(
    station.devices.map((device) => [
      device.deviceid,
      {
        name: nameOf(device),
        lit: isLitNow(device),
        offline: !device.online,
        screen: device.displayed === null ? texts.device.blank : screenWords(device.displayed.screen),
      },
    ]),
  );
}
