/**
 * Takes the README's picture: a small shop on a station of its own, photographed in Chromium.
 * `node tools/picture.ts [FILE]`; needs the built page and /usr/bin/chromium (or CHROMIUM).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createStation } from '../electron/server/station.ts';
import { systemPorts } from '../electron/server/systemPorts.ts';

const KEY = 'picture-key';
const PASSWORD = 'picture-password';
const root = join(import.meta.dirname, '..');
const file = process.argv[2] ?? join(root, 'docs', 'station.png');
const folder = mkdtempSync(join(tmpdir(), 'pickstation-picture-'));

const SHELVES: { place: string; statica: string; staticb: string; staticc: string }[] = [
  { place: 'A-1-1', statica: 'M8 washer', staticb: 'DIN 125 zinc', staticc: 'on hand 240' },
  { place: 'A-1-2', statica: 'M8 nut', staticb: 'DIN 934', staticc: 'on hand 180' },
  { place: 'A-1-3', statica: 'M8x40 hex', staticb: 'DIN 933 8.8', staticc: 'on hand 96' },
  { place: 'A-1-4', statica: 'M8x60 hex', staticb: 'DIN 933 8.8', staticc: 'on hand 44' },
  { place: 'A-2-1', statica: 'Threadlock', staticb: '50 ml', staticc: 'on hand 31' },
  { place: 'A-2-2', statica: 'Cable tie 200', staticb: 'black, 100 pcs', staticc: 'on hand 75' },
  { place: 'A-2-3', statica: 'Heat shrink', staticb: '3:1, 6 mm', staticc: 'on hand 61' },
  { place: 'A-2-4', statica: 'Fuse 10 A', staticb: 'blade, red', staticc: 'on hand 88' },
  { place: 'A-3-1', statica: 'O-ring 12x2', staticb: 'NBR 70', staticc: 'on hand 505' },
  { place: 'A-3-2', statica: 'Bearing 6202', staticb: '2RS', staticc: 'on hand 24' },
  { place: 'A-3-3', statica: 'Belt A38', staticb: 'classic', staticc: 'on hand 9' },
  { place: 'A-3-4', statica: 'Grease EP2', staticb: '400 g', staticc: 'on hand 33' },
];

const config = {
  host: '127.0.0.1',
  port: 0,
  dataFolder: folder,
  simulate: SHELVES.length,
  adminPassword: PASSWORD,
  apiKey: KEY,
};
const station = createStation(config, systemPorts('warn'), join(root, 'dist', 'renderer'));
const { url } = await station.start();
const device = (number: number) => `api/device/51D000:${String(number).padStart(6, '0')}/`;

async function call(method: string, path: string, body: object): Promise<void> {
  const headers = { 'api-key': KEY, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

for (const [index, { place, ...statics }] of SHELVES.entries()) {
  await call('PATCH', `api/simulator/devices/51D000:${String(index + 1).padStart(6, '0')}/`, { refresh_ms: 0 });
  await call('POST', device(index + 1), { locationoverride: place, ...statics });
}
await call('PATCH', 'api/simulator/devices/51D000:000012/', { battery_mv: 2_260 });
await call('POST', device(2), {
  command: 'pick',
  line1: 'M8 nut',
  line2: 'DIN 934',
  quantity: 12,
  color: 'g',
  nonce: 'order 10417',
});
await call('POST', device(6), {
  command: 'pick',
  line1: 'Cable tie 200',
  line2: 'black, 100 pcs',
  quantity: 5,
  color: 'b',
  nonce: 'order 10418',
});
await call('POST', device(6), { command: 'flash', line1: 'Cycle count', color: 'g', nonce: 'cycle-count' });
await call('POST', device(8), {
  command: 'pick',
  line1: 'Fuse 10 A',
  line2: 'blade, red',
  quantity: 1,
  color: 'b',
  nonce: 'order 10418 b',
});
await call('POST', device(11), {
  command: 'pick',
  line1: 'Belt A38',
  arrow: 'left',
  quantity: 1,
  color: 'r',
  nonce: 'repair',
});

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    colorScheme: process.env['DARK'] === '1' ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(url);
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Station' }).waitFor();
  await page.goto(`${url}devices/51D000:000006`);
  await page.getByRole('heading', { name: 'A-2-2' }).waitFor();
  await page.waitForFunction('document.querySelectorAll("canvas").length > 12');
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.screenshot({ path: file });
} finally {
  await browser.close();
  await station.stop();
  rmSync(folder, { recursive: true, force: true });
}
