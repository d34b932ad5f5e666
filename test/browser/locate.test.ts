import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { ADMIN_PASSWORD } from '../shells/stationProcess.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, takePictures, type Window } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const SIZES = [
  { width: 1_280, height: 800 },
  { width: 390, height: 844 },
];
const shop = useShop('locate');

beforeEach(async () => {
  await shop.start(3);
  for (const [deviceid, locationoverride, statica] of [
    [ONE, 'A-3-1', 'Cable tie 200'],
    [TWO, 'A-3-2', 'Cable tie 300'],
  ]) {
    await shop.call('PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
    await shop.call('POST', `/api/device/${deviceid}/`, { locationoverride, statica });
  }
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function queueOf(deviceid: string): Promise<Device['commands']> {
  return (await shop.call<Device>('GET', `/api/device/${deviceid}/`)).commands;
}

async function inspect(window: Window, name: string): Promise<void> {
  for (const size of SIZES) {
    await window.page.setViewportSize(size);
    expect(await findBarriers(window), name).toEqual([]);
    expect(await measureOverflow(window.page), `${name} ${size.width}`).toBeLessThanOrEqual(0);
    await takePictures(window, `locate-${name}-${size.width}`);
  }
}

test('a link survives the sign-in, shows the place that it would light, and lights it on a click', async () => {
  const window = await shop.openWindow('light');
  const { page } = window;
  await page.goto(`${shop.url}locate/?q=cable+tie+300`);
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'A-3-2' }).waitFor();
  expect(page.url()).toBe(`${shop.url}locate/?q=cable+tie+300`);
  const main = page.getByRole('main');
  expect(await main.innerText()).toContain('Cable tie 300');
  expect(await main.innerText()).toContain(TWO);
  await inspect(window, 'before');
  expect(await queueOf(TWO)).toEqual([]);
  await button(page, 'Light it').click();
  await page.getByText('Flashing for 10 seconds').waitFor();
  expect(await queueOf(TWO)).toMatchObject([{ line1: 'A-3-2', line2: 'Cable tie 300', seconds: 10, sender: 'admin' }]);
  expect(await queueOf(ONE)).toEqual([]);
  await shop.press(TWO);
  await page.getByText('Flashing for 10 seconds').waitFor({ state: 'hidden' });
  // Inspect last, because that takes longer than the light on a busy machine.
  await page.reload();
  await button(page, 'Light it').click();
  await page.getByText('Flashing for 10 seconds').waitFor();
  await inspect(window, 'lit');
  expect(window.complaints).toEqual([]);
});

test('each of several matches has a button, no match gets a message, and a lit place names its order', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}locate/?q=A-3`);
  await page.getByText('2 places match. Choose one.').waitFor();
  await inspect(window, 'several');
  await button(page, 'Light it: A-3-1').click();
  await page.getByText('Flashing for 10 seconds').waitFor();
  expect(await queueOf(TWO)).toEqual([]);
  const items = [{ name: 'Tie', ordered_quantity: 1, deviceid: TWO }];
  await shop.call('POST', '/api/orders/', { order_number: '7001', items });
  await shop.call('POST', '/api/orders/7001/launch/', {});
  await page.getByText('Already lit for order 7001').waitFor();
  expect(await button(page, 'Light it: A-3-2').count()).toBe(0);
  await page.getByRole('searchbox').fill('CT-999');
  await page.keyboard.press('Enter');
  await page.getByText('“CT-999” was not found').waitFor();
  await inspect(window, 'nothing');
  expect(page.url()).toBe(`${shop.url}locate/?q=CT-999`);
});

test('a signed-out picker signs in and lights the place with one click', async () => {
  await shop.call('POST', '/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await shop.call('PATCH', '/api/settings/', { picker_rights: [] });
  const { page } = await shop.openWindow('light');
  await page.goto(`${shop.url}locate/?q=A-3-1`);
  await page.getByLabel('User name').fill('Anna');
  await page.getByRole('textbox', { name: 'Password' }).fill('a few easy words');
  await button(page, 'Sign in').click();
  await button(page, 'Light it').click();
  await expect.poll(() => queueOf(ONE)).toMatchObject([{ seconds: 10, sender: 'Anna' }]);
});

test('a program that requests the address does not light anything', async () => {
  for (const path of ['locate/?q=A-3-1', 'api/locate/?q=A-3-1'])
    await shop.call('GET', `/${path}`).catch(() => undefined);
  expect(await queueOf(ONE)).toEqual([]);
});
