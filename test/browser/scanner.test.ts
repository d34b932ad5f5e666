import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { GS } from '#shared/lib/picking/gs.ts';
import { encodeGs1Barcode } from '#shared/screen/barcode.ts';
import { folderOnDisk } from '../shells/stationProcess.ts';
import { useShop } from './shop.ts';
import { findBarriers } from './window.ts';

const folder = folderOnDisk('camera');
const VIDEO = join(folder, 'barcode.y4m');
const CODE = `010950110102091710AB1${GS}217`;

const shop = useShop('scanner', () => {
  writeFileSync(VIDEO, videoOf(encodeGs1Barcode(CODE) ?? ''));
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${VIDEO}`,
  ];
});

afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => shop.start(1));

/** Creates a video of a barcode with two frames, which Chromium plays as its camera. */
function videoOf(modules: string): Buffer {
  const [width, height, pixels] = [1_280, 720, 3];
  const row = Buffer.alloc(width, 235);
  const from = Math.floor((width - modules.length * pixels) / 2);
  for (const [index, module] of Array.from(modules).entries()) {
    if (module === '1') row.fill(16, from + index * pixels, from + (index + 1) * pixels);
  }
  const blank = Buffer.alloc(width, 235);
  const luma = Buffer.concat(Array.from({ length: height }, (_, y) => (y > 200 && y < 520 ? row : blank)));
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420\n`), frame, frame]);
}

const CODES: Readonly<Record<string, string>> = { '-': 'Minus', '3': 'Digit3', '2': 'Digit2' };

/** Types keys with timestamps 8 ms apart, even on a busy machine. */
async function typeAtOnce(page: Page, keys: readonly (readonly [key: string, code: string])[]): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const from = Date.now() / 1_000;
  await Promise.all(
    keys.flatMap(([key, code], index) => {
      const text = key.length === 1 ? key : '\r';
      const timestamp = from + index * 0.008;
      return [
        browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text, timestamp }),
        browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, timestamp: timestamp + 0.004 }),
      ];
    }),
  );
}

test("the camera reads a code with WebAssembly, which the page's own policy forbids", async () => {
  const window = await shop.open();
  const { page, complaints } = window;
  await page.goto(`${shop.url}scanner`);
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await page.getByText(/^Read: /).waitFor();
  expect(await page.getByText(/^Read: /).textContent()).toBe(`Read: ]C1${CODE}`);
  // Chromium reports an exception if the content security policy refuses WebAssembly.
  const compiles = `WebAssembly.compile(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)).then(() => 'yes', ({ name }) => name)`;
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('This scanner is set up correctly.').waitFor();
  const stopped = `navigator.mediaDevices.enumerateDevices().then(() => document.querySelector('video') === null)`;
  expect(await page.evaluate(stopped)).toBe(true);
  expect(await findBarriers(window)).toEqual([]);
  await page.evaluate(`addEventListener('securitypolicyviolation', (event) => event.stopImmediatePropagation(), true)`);
  expect(await page.evaluate(compiles)).toBe('CompileError');
});

test('recognizes a scanner that types a key every 8 ms, and leaves a focused field unchanged', async () => {
  const { page, complaints } = await shop.open();
  await page.goto(`${shop.url}scanner`);
  await page.getByRole('heading', { name: 'Last scan' }).waitFor();
  await page.evaluate(`document.querySelector('main').prepend(
    Object.assign(document.createElement('input'), { value: '4', ariaLabel: 'Quantity' }))`);
  await page.getByLabel('Quantity').focus();
  await typeAtOnce(page, [
    ...Array.from('a-3-2', (key) => [key, CODES[key] ?? `Key${key.toUpperCase()}`] as const),
    ['Enter', 'Enter'],
  ]);
  await page.getByText('The scan was recognized.').waitFor();
  expect(await page.getByLabel('Quantity').inputValue()).toBe('4');
  await page.keyboard.type('12', { delay: 90 });
  expect(await page.getByLabel('Quantity').inputValue()).toBe('412');
  expect(complaints).toEqual([]);
});
