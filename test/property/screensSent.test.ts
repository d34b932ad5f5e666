import { afterAll, beforeAll, expect, test } from 'vitest';
import { samplePayloads } from '../helpers/screens/payloads.ts';
import { previewPixels } from '../helpers/screens/previewedPixels.ts';
import { sendBitmaps } from '../helpers/screens/sentBitmaps.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const SEED = Number(process.env['SCREENS_SEED'] ?? 1);
/** Number of screens. The longer version, which compares with a browser, is test/browser/sameDots.test.ts. */
const COUNT = 200;

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 0 });
});

afterAll(() => station.stop());

test('the preview of a request has exactly the dots that are sent to a device', async () => {
  const payloads = samplePayloads(SEED, COUNT);
  const sent = await sendBitmaps(payloads);
  const previewed = await previewPixels(station, payloads);
  const differing = payloads.filter((_, index) => sent[index] !== previewed[index]);
  expect(differing, `seed ${SEED}`).toEqual([]);
  expect(previewed.filter((pixels) => !pixels.includes('#'))).toEqual([]);
});
