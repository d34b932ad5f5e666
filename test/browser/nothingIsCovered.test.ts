import { beforeEach, expect, test } from 'vitest';
import { useShop } from './shop.ts';
import { restingBox } from './window.ts';

const SHELVES = ['A-3', 'A-2', 'A-1'];

const shop = useShop('covered');
let ids: string[];

beforeEach(async () => {
  await shop.start(12);
  ids = await shop.call('GET', '/api/device/');
  await shop.call('PUT', '/api/map/', {
    racks: [{ id: 'A', name: 'A', note: '', columns: 4, shelves: SHELVES.map((name) => ({ id: name, name })) }],
    places: ids.map((deviceid, at) => ({ deviceid, shelf: SHELVES[Math.floor(at / 4)], column: at % 4 })),
  });
});

test("a device's address opens the map at the top, and scrolls only if the device is further down", async () => {
  const window = await shop.open();
  const { page } = window;
  const rack = page.getByRole('heading', { name: 'Rack A' });
  await page.goto(`${shop.url}today?device=${ids[0]}`);
  await page.getByRole('tab', { name: 'Now' }).waitFor();
  const cards = await restingBox(page.getByRole('group', { name: 'Show only' }));
  expect((await restingBox(rack)).y).toBeGreaterThan(cards.y + cards.height);

  await page.setViewportSize({ width: 1_280, height: 480 });
  await page.goto(`${shop.url}today?device=${ids[11]}`);
  await page.getByRole('tab', { name: 'Now' }).waitFor();
  const tile = page.getByRole('link', { name: ids[11] ?? '', exact: true });
  const bottom = async () => {
    const { y, height } = await restingBox(tile);
    return y + height;
  };
  await expect.poll(bottom).toBeLessThan(480);
  expect(window.complaints).toEqual([]);
});

test('cards and buttons stay in one line and at the same height next to an open panel', async () => {
  const { page } = await shop.open();
  const [card, edit] = [
    page.getByRole('button', { name: /^Low battery/ }),
    page.getByRole('button', { name: 'Edit map' }),
  ];
  await page.getByRole('link', { name: ids[0] ?? '', exact: true }).waitFor();
  const before = await restingBox(edit);
  await page.getByRole('link', { name: ids[0] ?? '', exact: true }).click();
  await page.getByRole('tab', { name: 'Now' }).waitFor();
  const after = await restingBox(edit);
  expect(after.y).toBe(before.y);
  const last = await restingBox(card);
  expect(last.x + last.width).toBeLessThan(after.x);
  expect(after.y + after.height).toBe(last.y + last.height);
});

test('messages appear above the bar of selected devices', async () => {
  const { page } = await shop.open();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: `Select ${ids[0]}` }).click();
  await page.getByRole('button', { name: 'Identify' }).click();
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('listitem');
  // The message stays while the pointer is on it, so Done is pressed with the keyboard.
  await message.hover();
  const toast = await restingBox(message);
  const bar = await restingBox(page.getByRole('region', { name: 'Selected devices' }));
  expect(toast.y + toast.height).toBeLessThanOrEqual(bar.y);
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await page.getByRole('region', { name: 'Selected devices' }).waitFor({ state: 'detached' });
  const lower = await restingBox(message);
  expect(lower.y).toBeGreaterThan(toast.y);
});

test('a command for many devices can be sent without scrolling, with the preview next to the form', async () => {
  const { page } = await shop.open();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Send a command' }).click();
  const send = await restingBox(page.getByRole('button', { name: 'Send to 12 devices' }));
  expect(send.y + send.height).toBeLessThan(800);
  const line = await restingBox(page.getByRole('textbox', { name: 'Line 1' }));
  const preview = await restingBox(page.getByRole('dialog').getByRole('figure'));
  expect(preview.x).toBeGreaterThan(line.x + line.width);
});

test('the focus is never hidden behind the Save buttons', async () => {
  const { page } = await shop.open();
  await page.goto(`${shop.url}connections/callback-settings`);
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('https://erp.example/');
  const save = page.getByRole('form', { name: 'Callbacks', exact: true }).getByRole('button', { name: 'Save' });
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const { isEnd, bottom } = await page.evaluate<{ isEnd: boolean; bottom: number }>(
      `({ isEnd: document.activeElement?.textContent === 'Discard changes',
          bottom: document.activeElement?.getBoundingClientRect().bottom ?? 0 })`,
    );
    if (isEnd) return;
    expect(bottom).toBeLessThanOrEqual((await restingBox(save)).y);
  }
  throw new Error('Tab did not reach the end of the form.');
});

test('with reduced motion, nothing has a transition', async () => {
  const { page } = await shop.open();
  const properties = await page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('*')].map((element) => getComputedStyle(element).transitionProperty))]`,
  );
  expect(properties).toEqual(['none']);
});
