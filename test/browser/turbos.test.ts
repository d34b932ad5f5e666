import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Turbo, TurboFrame } from '#shared/api/turbo.ts';
import { noTerminals, openCable } from '../helpers/devices/turboWires.ts';
import { ADMIN_PASSWORD } from '../shells/stationProcess.ts';
import { useShop } from './shop.ts';
import { findFaults, measureOverflow, type Window, type WindowTheme } from './window.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ONE = '51D000:000001';

const shop = useShop('turbos');

beforeEach(() => shop.start(2));

async function openTurbos(theme: WindowTheme = 'light'): Promise<Window> {
  const window = await shop.open(theme);
  await window.page.getByRole('link', { name: 'Connections', exact: true }).click();
  await window.page.getByRole('heading', { name: 'Gateways', exact: true }).waitFor();
  // Frames and their counts are shown only with Advanced on.
  await window.page.getByRole('switch', { name: 'Advanced' }).press('Space');
  return window;
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Gateways' }).getByLabel(name, { exact: true });
const connected = (serial: string, isConnected: boolean) =>
  shop.call('PATCH', `/api/simulator/turbos/${serial}/`, { connected: isConnected });

/** Runs the simulated turbo as a separate program. */
function startTurbo(...args: string[]): { end(): void } {
  const program = join(ROOT, 'electron', 'turboSim', 'main.ts');
  const child = spawn(process.execPath, [program, '--devices', '3', ...args], {
    env: { ...process.env, PICKSTATION_TURBO_SECRET: ADMIN_PASSWORD },
    stdio: 'ignore',
  });
  const end = (): void => void child.kill('SIGKILL');
  shop.after(end);
  return { end };
}

/** Chooses one of the ways to connect a turbo. */
async function connect(page: Page, way: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Connect a gateway' }).click();
  await page.getByRole('menuitem', { name: way }).click();
  await page.getByRole('dialog').waitFor();
}

test('a card shows the state of its turbo, and immediately shows why its link ended', async () => {
  const { page, complaints } = await openTurbos();
  const card = cardOf(page, 'Simulated gateway');
  for (const part of ['Online', 'Simulated', 'SIM-1', 'Devices heard', 'No errors.']) {
    await card.getByText(part).first().waitFor();
  }
  await card
    .getByText(/^\d+ frames, /)
    .first()
    .waitFor();
  await connected('SIM-1', false);
  await card.getByText('Offline').waitFor();
  // The text is shown twice: as the reason why the turbo is offline, and as its last error.
  await expect.poll(() => card.getByText('Closed by the other side').count()).toBe(2);
  await connected('SIM-1', true);
  await card.getByText('Online').waitFor();
  await expect.poll(() => card.getByText('Closed by the other side').count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('with only the keyboard, a turbo is renamed, switched off and removed from the list, and a second window shows this', async () => {
  const { page, complaints } = await openTurbos();
  const other = (await openTurbos('dark')).page;
  const manage = async (name: string, action: RegExp) => {
    await page.getByRole('button', { name: `Manage ${name}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: action }).focus();
    await page.keyboard.press('Enter');
  };
  await manage('Simulated gateway', /^Rename/);
  await page.getByRole('textbox', { name: 'Name' }).fill('Hall 2');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await cardOf(other, 'Hall 2').waitFor();
  await manage('Hall 2', /^Switch off/);
  await cardOf(other, 'Hall 2').getByText('Offline').waitFor();
  await manage('Hall 2', /^Remove from the list/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).focus();
  await page.keyboard.press('Enter');
  await other.getByRole('heading', { name: 'No gateway yet' }).waitFor();
  await page.getByRole('heading', { name: 'No gateway yet' }).waitFor();
  await connected('SIM-1', true);
  await cardOf(page, 'Simulated gateway').getByText('Online').waitFor();
  expect(complaints).toEqual([]);
});

test('frames appear live, and can be searched, paused and downloaded', async () => {
  const { page, complaints } = await openTurbos();
  await page.getByRole('link', { name: 'Frames of Simulated gateway' }).click();
  const frames = page.getByRole('list', { name: 'Frames, newest first' }).getByRole('listitem');
  await frames.first().waitFor();
  await shop.call('POST', `/api/device/${ONE}/`, { command: 'flash', line1: 'Nut M6', seconds: 60 });
  await page.getByRole('searchbox').fill('show Nut');
  await frames.filter({ hasText: 'Nut M6' }).first().waitFor();
  await frames.first().locator('summary').click();
  await frames
    .first()
    .getByText(/^A5 5A 10/)
    .waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/^1 of \d+ frames/).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  const kept = lines.map((line) => JSON.parse(line) as TurboFrame);
  expect(kept.some(({ message, bytes }) => message === 'show' && bytes.startsWith('A5 5A 10'))).toBe(true);
  expect(complaints).toEqual([]);
});

test('a network turbo appears automatically, and no frame contains its password', async () => {
  const { page, complaints } = await openTurbos();
  const address = shop.url.replace('http:', 'ws:');
  startTurbo('--connect', `${address}turbo/`, '--user', 'admin', '--name', 'Dock');
  await cardOf(page, 'Dock').getByText('Network').waitFor();
  await page.getByRole('link', { name: 'Frames of Dock' }).click();
  await page.getByRole('searchbox').fill('hello');
  await page.getByRole('list', { name: 'Frames, newest first' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const file = readFileSync(await download.path(), 'utf8');
  expect(file).toContain('heartbeat');
  expect(file).not.toContain(ADMIN_PASSWORD);
  expect(file).not.toContain(
    Buffer.from(ADMIN_PASSWORD)
      .toString('hex')
      .toUpperCase()
      .replaceAll(/(..)(?=.)/g, '$1 '),
  );
  expect(complaints).toEqual([]);
});

test.skipIf(noTerminals !== undefined)(
  `a port entered manually comes online, reports when it is unplugged, and is disconnected${noTerminals === undefined ? '' : `: ${noTerminals}`}`,
  async () => {
    const { page, complaints } = await openTurbos();
    const cable = await openCable();
    shop.after(cable.unplug);
    const [path, far] = cable.paths;
    startTurbo('--serial', far, '--name', 'Cable');
    await connect(page, /^By USB/);
    await page.getByText('Another port', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill(path);
    await page.keyboard.press('Enter');
    const card = cardOf(page, 'Cable');
    await card.getByText('USB or serial').waitFor();
    await card.getByText(path).waitFor();
    await expect.poll(() => shop.call<Turbo>('GET', '/api/turbo/TURBO-SIM/')).toMatchObject({ device_count: 3 });
    await card.getByText('3', { exact: true }).waitFor();
    cable.unplug();
    await card.getByText('No connection').waitFor();
    await card.getByText(/cannot be opened: .*No such file/).waitFor();
    await page.getByRole('button', { name: `Try now: ${path}` }).click();
    await page.getByRole('button', { name: 'Manage Cable' }).click();
    await page.getByRole('menuitem', { name: /^Disconnect/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await card.getByText('No connection').waitFor({ state: 'detached' });
    await expect.poll(() => shop.call('GET', '/api/turbo/links/')).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test('the Gateways page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await openTurbos();
  const { page } = window;
  const isWell = async (what: string, overflowOf = measureOverflow) =>
    expect(await findFaults(window, { overflow: overflowOf }), what).toEqual([]);
  await shop.call('POST', '/api/turbo/links/', { path: '/dev/serial/by-id/usb-Acme_Turbo_of_a_long_name-if00' });
  await page.getByText('No connection').waitFor();
  await connected('SIM-1', false);
  await page.getByText('Closed by the other side').nth(1).waitFor();
  await isWell('cards, down');
  await connected('SIM-1', true);
  await cardOf(page, 'Simulated gateway').getByText('Online').waitFor();
  await isWell('cards');
  for (const way of [/^By USB/, /^By network/, /^Simulated/]) {
    await connect(page, way);
    await isWell(`dialog ${way.source}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByRole('link', { name: 'Frames of Simulated gateway' }).click();
  const frames = page.getByRole('list', { name: 'Frames, newest first' }).getByRole('listitem');
  await frames.first().locator('summary').click();
  await page.getByRole('button', { name: 'Pause' }).click();
  // Long values are intentionally cut off in their row. The opened frame shows them in full.
  await isWell('frames', (at) => at.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth'));
  expect(window.complaints).toEqual([]);
});
