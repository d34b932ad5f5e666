import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplePayloads } from '../helpers/screens/payloads.ts';
import type { Pixels } from '../helpers/screens/pixels.ts';
import { previewPixels } from '../helpers/screens/previewedPixels.ts';
import { sendBitmaps } from '../helpers/screens/sentBitmaps.ts';
import { startTestStation } from '../helpers/startTestStation.ts';
import { buildScreenPage } from './screenPage.ts';
import { launchBrowser } from './window.ts';

const SEED = Number(process.env['SCREENS_SEED'] ?? 20_261_120);
const COUNT = Number(process.env['SCREENS_COUNT'] ?? 500);
/** Number of canvases on a page. */
const AT_ONCE = 100;
/** Time limit in milliseconds for the 2,000 screens of `.ci/nightly` on a busy machine. */
const LONG = 600_000;

const payloads = samplePayloads(SEED, COUNT);
let browser: Browser;
let screens: Awaited<ReturnType<typeof buildScreenPage>>;
let sent: Pixels[];

beforeAll(async () => {
  [browser, screens] = await Promise.all([launchBrowser(), buildScreenPage()]);
  sent = await sendBitmaps(payloads);
}, LONG);

afterAll(async () => {
  await browser?.close();
  screens?.remove();
});

test('the station previews screens with exactly the dots that it sends to a device', { timeout: LONG }, async () => {
  const station = await startTestStation({ simulate: 0 });
  const previewed = await previewPixels(station, payloads);
  await station.stop();
  const differing = payloads.filter((_, index) => sent[index] !== previewed[index]);
  expect(differing, `seed ${SEED}`).toEqual([]);
});

test.for([1, 1.5, 2])(
  'a canvas at %f device pixels per CSS pixel has exactly the dots sent to a device',
  { timeout: LONG },
  async (ratio) => {
    const { page, draw } = await screens.open(browser, ratio);
    for (let first = 0; first < payloads.length; first += AT_ONCE) {
      const drawn = await draw(payloads.slice(first, first + AT_ONCE));
      for (const [index, pixels] of drawn.entries()) {
        if (pixels !== sent[first + index]) {
          throw new Error(`Seed ${SEED}: the window draws ${JSON.stringify(payloads[first + index])} with other dots.`);
        }
      }
      expect(drawn).toHaveLength(Math.min(AT_ONCE, payloads.length - first));
    }
    await page.context().close();
  },
);

test.for([1, 1.5, 2])(
  'at a pixel ratio of %f, each dot is a square of whole pixels in pure black or white',
  async (ratio) => {
    const { page, draw } = await screens.open(browser, ratio);
    for (const [index, payload] of payloads.slice(0, 10).entries()) {
      await draw([payload]);
      const picture = PNG.sync.read(await page.locator('canvas').screenshot());
      const side = picture.width / 296;
      expect(Number.isInteger(side), `${picture.width} pixels wide`).toBe(true);
      expect(picture.height).toBe(128 * side);
      let seen = '';
      for (let y = 0; y < 128; y += 1) {
        for (let x = 0; x < 296; x += 1) {
          const dot = new Set<number>();
          for (let dy = 0; dy < side; dy += 1) {
            for (let dx = 0; dx < side; dx += 1) {
              dot.add(picture.data.readUInt32BE(((y * side + dy) * picture.width + x * side + dx) * 4));
            }
          }
          const [color] = dot;
          if (dot.size !== 1 || (color !== 0xff && color !== 0xff_ff_ff_ff)) throw new Error(`Dot ${x},${y} is mixed.`);
          seen += color === 0xff ? '#' : '.';
        }
      }
      expect(seen === sent[index], `screen ${index}`).toBe(true);
    }
    await page.context().close();
  },
);
