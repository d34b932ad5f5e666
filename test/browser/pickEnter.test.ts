import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import {
  addPickers,
  at,
  enter,
  heard,
  labelDevices,
  openPick,
  pauseAfterEntry,
  pressEnters,
  scan,
  touch,
} from './picker.ts';
import { useShop } from './shop.ts';

// What Enter and Space confirm, with the default setting.
const PLACES = ['A-1-1', 'A-1-2', 'A-1-3', 'A-1-4'];
const shop = useShop('pickEnter');
let devices: string[];

beforeEach(async () => {
  await shop.start(PLACES.length);
  devices = await labelDevices(shop, PLACES);
  await shop.call('PATCH', '/api/settings/', { enter_confirms: 'unless_scanning' });
  await addPickers(shop, ['Anna']);
  const items = devices.map((deviceid, index) => ({ name: `Part ${index}`, ordered_quantity: 5, deviceid }));
  await shop.call('POST', '/api/orders/', { order_number: '10418', items });
});

async function picked(): Promise<number> {
  const { shipments } = await shop.call<Order>('GET', '/api/orders/10418/');
  return shipments.flatMap(({ items }) => items.filter(({ state }) => state === 'done')).length;
}

async function begin(): Promise<Page> {
  const { page } = await openPick(shop, 'Anna');
  await touch(page, /^Next order/);
  await at(page, 'A-1-1');
  return page;
}

/** Waits longer than Enter counts as part of a scan. */
const pauseAfterScan = (page: Page) => page.evaluate('new Promise((next) => setTimeout(next, 800))');
const pressEnter = (page: Page) => page.keyboard.press('Enter');

test('after a scan, Enter confirms only a line with a typed number, until the setting says otherwise', async () => {
  const page = await begin();
  await pressEnter(page);
  await at(page, 'A-1-2');
  await scan(page, 'A-1-2');
  await at(page, 'A-1-3');
  await pauseAfterScan(page);
  await pressEnter(page);
  await page.getByText('Scan, touch or press the light, or type the number.').waitFor();
  expect(await picked()).toBe(2);
  await enter(page, '5');
  await pauseAfterEntry(page);
  await pressEnter(page);
  await at(page, 'A-1-4');
  await expect.poll(picked).toBe(3);
  // The page remembers the scan, also after a reload.
  await page.reload();
  await at(page, 'A-1-4');
  await pressEnter(page);
  await page.getByText('Scan, touch or press the light, or type the number.').waitFor();
  await shop.call('PATCH', '/api/settings/', { enter_confirms: 'always' });
  await expect
    .poll(async () => {
      await heard(page, '');
      await pressEnter(page);
      return picked();
    })
    .toBe(4);
});

test('an Enter before a code confirms nothing, and an Enter after an unreadable scan only closes its message', async () => {
  const page = await begin();
  await page.evaluate(`(() => {
    const at = performance.now();
    for (const [index, key] of ['Enter', 'Z', 'Z', '-', '9', 'Enter'].entries()) {
      const event = new KeyboardEvent('keydown', { key, code: key === 'Enter' ? key : 'Key' + key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: at + 8 * index });
      document.activeElement.dispatchEvent(event);
    }
  })()`);
  await page
    .getByRole('alert')
    .getByText(/^.*ZZ-9/)
    .waitFor();
  expect(await picked()).toBe(0);
  await pauseAfterScan(page);
  await page.evaluate(`for (const key of ['Unidentified', 'Unidentified', 'Enter'])
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
  const message = page.getByRole('alert').getByText(/^The scanner sent characters that this browser cannot read/);
  await message.waitFor();
  await pauseAfterScan(page);
  await pressEnter(page);
  await message.waitFor({ state: 'detached' });
  expect(await picked()).toBe(0);
});

test('Space confirms only a button that was reached with Tab, and three quick confirmations are asked about', async () => {
  const page = await begin();
  await page.keyboard.press(' ');
  await page.locator('[data-refused]').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press(' ');
  await at(page, 'A-1-2');
  await expect.poll(picked).toBe(1);
  await page.evaluate('new Promise((next) => setTimeout(next, 2_100))');
  await pressEnters(page, ['A-1-3', 'A-1-4', 'Did you pick these three?']);
  await expect.poll(picked).toBe(4);
  await pressEnter(page);
  await touch(page, 'Undo all');
  await expect.poll(picked).toBe(1);
  await at(page, 'A-1-2');
});

test.each([0, 1])(
  'after "Undo all", the page shows the first of the lines that are open again, with %i others picked',
  async (others) => {
    const page = await begin();
    for (const deviceid of devices.slice(4 - others)) await shop.press(deviceid);
    await expect.poll(picked).toBe(others);
    await at(page, 'A-1-1');
    await pressEnters(page, ['A-1-2', 'A-1-3', 'Did you pick these three?']);
    await expect.poll(picked).toBe(others + 3);
    await touch(page, 'Undo all');
    await expect.poll(picked).toBe(others);
    await at(page, 'A-1-1');
  },
);

test('what is chosen for this browser, and then for the person, wins over the setting of the shop, also after a reload', async () => {
  await shop.call('PATCH', '/api/settings/', { enter_confirms: 'always' });
  const page = await begin();
  const openScanner = async () => {
    await touch(page, 'More…');
    await touch(page, 'Scanner and camera');
  };
  const closeScanner = async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** Presses Enter at this place, where nothing is confirmed, now and after a reload. */
  const confirmsNothing = async (place: string, count: number) => {
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await at(page, place);
      await page.getByText('Or scan the shelf').waitFor();
      await pressEnter(page);
      await page.getByText('Enter is switched off here.').waitFor();
      expect(await picked()).toBe(count);
    }
  };
  const confirms = async (place: string, count: number) => {
    await page.reload();
    await at(page, place);
    await page.getByText('Enter, or scan the shelf').waitFor();
    await pressEnter(page);
    await expect.poll(picked).toBe(count);
  };
  await openScanner();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirms nothing', exact: true }).click();
  await closeScanner();
  await confirmsNothing('A-1-1', 0);

  // The shop no longer lets Enter confirm, but this browser does.
  await shop.call('PATCH', '/api/settings/', { enter_confirms: 'never' });
  await openScanner();
  await page.getByRole('dialog').getByRole('button', { name: 'Always confirms' }).click();
  await closeScanner();
  await confirms('A-1-1', 1);

  // Anna has switched it off for herself.
  await at(page, 'A-1-2');
  await openScanner();
  await page.getByRole('dialog').getByText('For me, Enter confirms nothing here').click();
  await closeScanner();
  await confirmsNothing('A-1-2', 1);
});
