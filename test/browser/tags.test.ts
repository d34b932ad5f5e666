import { expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { Clock } from '../../electron/server/ports.ts';
import { startFakeAccessPoint } from '../helpers/devices/fakeAccessPoint.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, takePictures } from './window.ts';

const shop = useShop('tags');

/** Factor by which radio time is faster than real time, so that a tag checks in every second. */
const RADIO_SPEED = 40;
const radioClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now() * RADIO_SPEED,
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs / RADIO_SPEED);
    return { cancel: () => clearTimeout(timer) };
  },
  onSleep: () => () => undefined,
};

const TAGS = [
  { type: '33', id: 'A0B1C2:000001', ratio: 384 / 168 },
  { type: '00', id: 'A0B1C2:000002', ratio: 1 },
  { type: '2F', id: 'A0B1C2:000003', ratio: 522 / 152 },
  { type: '6E', id: 'A0B1C2:000004', ratio: 296 / 128 },
];

test('tags are drawn in their own shapes on the map', async () => {
  const accessPoint = await startFakeAccessPoint(
    radioClock,
    TAGS.map(({ type, id }) => ({ mac: `0000${id.replace(':', '')}`, type })),
  );
  shop.after(() => accessPoint.stop());
  await shop.start(2);
  await shop.call('POST', '/api/turbo/links/', { kind: 'openepaperlink', url: accessPoint.url });
  const ids = TAGS.map(({ id }) => id);
  await until('the tags to be known', async () => {
    const known = await shop.call<string[]>('GET', '/api/device/');
    return ids.every((id) => known.includes(id));
  });
  for (const id of ids)
    await shop.call('POST', `/api/device/${id}/`, {
      statica: 'Hex bolt M8',
      staticb: 'Box of 100',
      locationoverride: `T-${id.at(-1)}`,
    });
  await until('the tags to show it', async () => {
    const devices = await Promise.all(ids.map((id) => shop.call<Device>('GET', `/api/device/${id}/`)));
    return devices.every(({ displayed }) => displayed?.screen.lines.includes('Hex bolt M8') === true);
  });
  const window = await shop.open();
  const { page, complaints } = window;
  for (const level of ['Shelf', 'Close-up']) {
    await page.getByRole('radio', { name: level }).click();
    for (const { id, ratio } of TAGS) {
      const canvas = page.locator(`[data-deviceid="${id}"] canvas`);
      await until(`${id} to be drawn in its shape`, async () => {
        const box = await canvas.boundingBox();
        return box !== null && box.height > 0 && Math.abs(box.width / box.height / ratio - 1) < 0.03;
      });
    }
    await takePictures(window, `tags-map-${level}`);
    expect(await measureOverflow(page)).toBe(0);
  }
  expect(await findBarriers(window)).toEqual([]);
  for (const { id, type } of TAGS) {
    await page.goto(new URL(`/today?device=${id}`, shop.url).href);
    await page.locator('[data-scale="whole"] canvas').last().waitFor();
    await takePictures(window, `tags-panel-${type}`);
  }
  expect(complaints).toEqual([]);
});
