import { existsSync } from 'node:fs';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { screenImage } from '../electron/server/http/screenImage.ts';
import { buildScreenPage, script } from '../test/browser/screenPage.ts';
import { CHROMIUM, launchBrowser } from '../test/browser/window.ts';
import { samplePayloads } from '../test/helpers/payloads.ts';
import { median, type Goal } from './goals.ts';

const OPTIONS = { firmware: 67, batteryMv: 2_980 } as const;
const SCREENS_A_ROUND = 300;
const IN_BROWSER = 1_000;

/** As crowded as possible: five elements, both codes, a sign, letters of three alphabets. */
const CROWDED: readonly Partial<ScreenContent>[] = [
  {
    lines: ['Größe Šroub ½″ Łódź', 'Подшипник 6202'],
    qrcode: 'https://a.b/47',
    icon: 'hazardd',
    barcode: '400638133393',
  },
  {
    lines: ['Größe Šroub ½″ Łódź', 'Ρουλεμάν 6202'],
    qrcode: 'https://example.com/47',
    quantity: 120,
    barcode: '4006381333931-4711-A',
  },
  { lines: ['Cable gland M20x1.5 IP68 b', 'Ρουλεμάν', 'žlutý'], qrcode: 'https://example.com/47', arrow: 'topleft' },
];

/** From screen content to bits, to PNG and, with a Chromium, to a canvas and back. */
export async function measureScreens(rounds: number): Promise<Goal[]> {
  const bits: Goal = { name: 'most complex screen → bitmap, median', unit: 'ms', values: [], atMost: 1 };
  const png: Goal = { name: 'most complex screen → PNG, median', unit: 'ms', values: [], atMost: 3 };
  await timePngs(20);
  timeBitmaps(SCREENS_A_ROUND);
  for (let round = 0; round < rounds; round += 1) {
    bits.values.push(timeBitmaps(SCREENS_A_ROUND));
    png.values.push(await timePngs(50));
  }
  return [bits, png, ...(await measureBrowser(rounds))];
}

/** All different, so that no cache helps. */
function* crowdedScreens(count: number): Generator<ScreenContent> {
  for (let index = 0; index < count; index += 1) {
    yield { ...EMPTY_SCREEN, label: `A-${index}`, ...CROWDED[index % CROWDED.length] };
  }
}

function timeBitmaps(count: number): number {
  const times: number[] = [];
  for (const screen of crowdedScreens(count)) {
    const began = performance.now();
    drawScreen(screen, OPTIONS);
    times.push(performance.now() - began);
  }
  return median(times);
}

async function timePngs(count: number): Promise<number> {
  const times: number[] = [];
  for (const screen of crowdedScreens(count)) {
    const began = performance.now();
    await screenImage(drawScreen(screen, OPTIONS), 1);
    times.push(performance.now() - began);
  }
  return median(times);
}

async function measureBrowser(rounds: number): Promise<Goal[]> {
  if (!existsSync(CHROMIUM)) {
    process.stdout.write(`Screens in a browser are not measured: missing ${CHROMIUM}.\n\n`);
    return [];
  }
  const drawn: Goal = {
    name: `${IN_BROWSER} payloads drawn and read back in a browser`,
    unit: 's',
    values: [],
    atMost: 1.5,
  };
  const browser = await launchBrowser();
  const screens = await buildScreenPage();
  try {
    const { page } = await screens.open(browser, 1);
    for (let round = 0; round < rounds; round += 1) {
      const payloads = samplePayloads(1_000 + round, IN_BROWSER);
      const { ms, inked } = await page.evaluate<{ ms: number; inked: number }>(`timeScreens(${script(payloads)})`);
      if (inked !== IN_BROWSER) throw new Error(`Only ${inked} of ${IN_BROWSER} canvases had ink.`);
      drawn.values.push(ms / 1_000);
    }
  } finally {
    screens.remove();
    await browser.close();
  }
  return [drawn];
}
