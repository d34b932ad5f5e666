import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { API_KEY } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, takePictures, type Window } from './window.ts';

/** Time in milliseconds after which a click looks for its button again. */
const CLICK_MS = 10_000;
/** Step in pixels when scrolling through the page, less than its height. */
const STEP = 500;

const shop = useShop('reference');

beforeEach(() => shop.start(2));

async function openReference(path = 'docs/'): Promise<Window> {
  const window = await shop.openWindow('light');
  await window.page.goto(shop.url + path);
  await window.page.locator('.opblock').first().waitFor();
  return window;
}

/** Scrolls, and resolves to the height of the document once the library has drawn what is in view. */
async function scrollTo(page: Page, top: number): Promise<number> {
  await page.evaluate<void>(
    `new Promise((done) => { scrollTo(0, ${top}); requestAnimationFrame(() => requestAnimationFrame(done)); })`,
  );
  return page.evaluate<number>('document.documentElement.scrollHeight');
}

/** Scrolls down from the top until the operation is drawn, unless it is already. */
async function bringIntoView(operation: Locator): Promise<void> {
  for (let top = 0, height = 1; top < height && (await operation.count()) === 0; top += STEP)
    height = await scrollTo(operation.page(), top);
}

/** Executes an operation, even if the library moves it out of view in between, for example while it filters. */
async function execute(operation: Locator): Promise<void> {
  const open = operation.getByRole('button', { name: 'Try it out' });
  const send = operation.getByRole('button', { name: 'Execute' });
  const limit = { timeout: CLICK_MS };
  const press = async (): Promise<void> => {
    await bringIntoView(operation);
    await open.or(send).waitFor(limit);
    if (await open.isVisible()) await open.click(limit);
    await send.click(limit);
  };
  await until('the request to be executed', () =>
    press().then(
      () => true,
      () => false,
    ),
  );
}

type Operation = { tags: string[]; operationId: string };
type Document = { tags: { name: string }[]; paths: Record<string, Record<string, Operation>> };

/**
 * Scrolls from top to bottom and collects the tags and operations that appear, because the library draws only the
 * visible part of a long document.
 */
async function scrollThrough(page: Page): Promise<{ tags: string[]; operations: string[] }> {
  const tags = new Set<string>();
  const operations = new Set<string>();
  for (let top = 0, height = 1; top < height; top += STEP) {
    height = await scrollTo(page, top);
    for (const name of await page.locator('.opblock-tag').evaluateAll((all) => all.map((each) => each.dataset['tag'])))
      if (name !== undefined) tags.add(name);
    for (const id of await page.locator('.opblock').evaluateAll((all) => all.map((each) => each.id)))
      operations.add(id);
  }
  return { tags: [...tags], operations: [...operations].toSorted() };
}

test('shows the operations of every tag, and contacts only the station', async () => {
  const window = await openReference();
  const { page } = window;
  const { tags, paths } = await shop.call<Document>('GET', '/api/openapi.json');
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const all = operations.map(({ tags: [tag], operationId }) => `operations-${tag}-${operationId}`);
  // On a busy machine, a part may be drawn only after it has been scrolled past, so scroll repeatedly.
  await expect
    .poll(() => scrollThrough(page))
    .toEqual({ tags: tags.map(({ name }) => name), operations: all.toSorted() });
  expect(window.complaints).toEqual([]);
});

test('tries out a request with a key, which the page does not store', async () => {
  const window = await openReference('docs/#/devices/listDevices');
  const { page } = window;
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.modal-ux');
  // The key field has the focus from the start.
  await dialog.locator('input:focus').waitFor();
  await page.keyboard.type(API_KEY);
  await page.keyboard.press('Enter');
  await dialog.locator('.auth-container').filter({ hasText: 'API-KEY' }).getByText('Authorized').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  // The library draws only what is in view, and the dialog scrolled to the top, so filter for the operation.
  await page.getByPlaceholder('Filter by tag or path').fill('/api/device/');
  const operation = page.locator('#operations-devices-listDevices');
  await execute(operation);
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  expect(await answer.innerText()).toMatch(/\b200\b/);
  expect(await answer.innerText()).toContain('51D000:000002');
  expect(window.complaints).toEqual([]);

  await page.reload();
  await operation.waitFor();
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(kept).not.toContain(API_KEY);
});

test('a signed-in user tries out writes without a key', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}docs/#/devices/sendToDevice`);
  const operation = page.locator('#operations-devices-sendToDevice');
  await execute(operation);
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  expect(await answer.innerText()).toMatch(/\b200\b/);
  expect(window.complaints).toEqual([]);
});

test('on a phone, shows the callbacks that a receiver gets', async () => {
  const window = await openReference('docs/#/settings/changeSettings');
  const { page } = window;
  await page.setViewportSize({ width: 375, height: 812 });
  // After the size changes, the library scrolls to the operation again because it draws only what is visible.
  await page.reload();
  const operation = page.locator('#operations-settings-changeSettings');
  await operation.getByRole('button', { name: 'Callbacks' }).focus();
  await page.keyboard.press('Enter');
  await operation.locator('.callbacks-container .opblock-summary-control').first().click();
  await operation.getByText('webhook-signature').first().waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
  const barriers = await findBarriers(window);
  expect(barriers.filter((barrier) => barrier.startsWith('color-contrast'))).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('has enough contrast', async () => {
  const window = await openReference('docs/#/devices/sendToDevice');
  const { page } = window;
  await page.locator('#operations-devices-sendToDevice .opblock-body').waitFor();
  await takePictures(window, 'reference');
  const barriers = await findBarriers(window);
  // Only contrast is checked: the colors are ours, the names of the elements are the library's.
  expect(barriers.filter((barrier) => barrier.startsWith('color-contrast'))).toEqual([]);
  expect(window.complaints).toEqual([]);
});
