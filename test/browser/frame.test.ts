import { beforeEach, expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, openCallbackSettings, searchEverything, signIn } from './window.ts';

const ONE = '51D000:000001';

const shop = useShop('frame');

beforeEach(() => shop.start(3));

const focused = 'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""';

test('every address opens its page, even after a reload, and an unknown address opens "Page not found"', async () => {
  const window = await shop.open();
  const { page } = window;
  for (const [path, heading] of [
    ['settings', 'Settings'],
    [`devices/${ONE}`, ONE],
    ['help#turbo', 'Turbo'],
    ['no/such/page', 'Page not found'],
  ] as const) {
    window.expectOutage(path === 'no/such/page');
    await page.goto(`${shop.url}${path}`);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }
  await page.getByRole('link', { name: 'Go to Today' }).click();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(window.complaints).toEqual([]);
});

test('the first load is small, and a reload requests at most three files', async () => {
  const window = await shop.openWindow('light');
  const { page } = window;
  await signIn(window, shop.url);
  const transferred = () =>
    page.evaluate<{ name: string; bytes: number }[]>(
      `performance.getEntries().filter(({ transferSize }) => transferSize > 0)
        .map(({ name, transferSize }) => ({ name: name.replace(location.origin, ''), bytes: transferSize }))`,
    );
  const first = await transferred();
  const bytes = first.reduce((sum, each) => sum + each.bytes, 0);
  // Includes the sign-in, the map and everything loaded afterwards, such as the first steps and the search with the texts
  // of all settings.
  expect(bytes, JSON.stringify(first)).toBeLessThan(465_000);
  expect(bytes).toBeGreaterThan(100_000);
  await page.reload();
  await page.getByRole('link', { name: ONE, exact: true }).waitFor();
  const again = (await transferred()).filter(({ name }) => !name.startsWith('/api/'));
  expect(again.length, JSON.stringify(again)).toBeLessThanOrEqual(3);
});

test('with only the keyboard, a device and the settings open, a change is saved, and the page asks before it discards unsaved input', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.getByRole('link', { name: ONE, exact: true }).waitFor();
  await searchEverything(page, '000002');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '51D000:000002', exact: true }).waitFor();
  expect(page.url()).toBe(`${shop.url}today?device=51D000:000002`);

  await searchEverything(page, 'callback sett');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Callback URL' }).waitFor();
  const tabTo = async (label: string) => {
    for (let presses = 0; presses < 60; presses++) {
      if ((await page.evaluate<string>(focused)) === label) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab did not reach ${label}.`);
  };
  await page.getByRole('textbox', { name: 'Callback URL' }).focus();
  await page.keyboard.type('https://erp.example/');
  await page.keyboard.press('Enter');
  await page.getByText('Callbacks: saved.').waitFor();

  await tabTo('Set: API key of your system');
  await page.keyboard.press('Enter');
  await page.keyboard.type('secret');
  await searchEverything(page, 'today');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  await page.locator('[role="alertdialog"]:focus-within').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('API key of your system', { exact: true }).inputValue()).toBe('secret');
  expect(new URL(page.url()).pathname).toBe('/connections/callback-settings');

  // Do not await history.back(): the page does not navigate until the question is answered.
  await page.evaluate('void history.back()');
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/connections/callback-settings');
  await tabTo('Leave');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '51D000:000002', exact: true }).waitFor();
  await page.goForward();
  await page.getByRole('textbox', { name: 'Callback URL' }).waitFor();
  expect(window.complaints).toEqual([]);
});

test("choosing 'Stay' instead of going forward leaves the back history intact", async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}today?device=${ONE}`);
  await openCallbackSettings(page);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  await page.goBack();
  const callback = page.getByRole('textbox', { name: 'Callback URL' });
  await callback.pressSequentially('https://typed.example/');
  await page.evaluate('void history.forward()');
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Stay', exact: true }).click();
  expect(await callback.inputValue()).toBe('https://typed.example/');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  // Go back past Gateways, the first page of Connections.
  await page.goBack();
  await page.goBack();
  await page.getByRole('heading', { name: ONE, exact: true }).waitFor();
  expect(window.complaints).toEqual([]);
});

test('a theme chosen in this browser survives a reload and overrides the system', async () => {
  const window = await shop.open('light');
  const { page } = window;
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  expect(await ground()).toBe('rgb(233, 236, 239)');
  await page.getByRole('button', { name: 'Account: admin' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await until('the page to be dark', async () => (await ground()) === 'rgb(14, 17, 21)');
  await page.reload();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  expect(await ground()).toBe('rgb(14, 17, 21)');
  expect(window.complaints).toEqual([]);
});

test('typed input survives the end of the session and of the station', async () => {
  const window = await shop.open();
  const { page } = window;
  const context = page.context();
  await openCallbackSettings(page);
  const callback = page.getByRole('textbox', { name: 'Callback URL' });
  await callback.fill('https://typed.example/');
  window.expectOutage(true);

  // The session ends while a form is open.
  await context.clearCookies({ name: /^pickstation-station-/ });
  await callback.press('Enter');
  await page.getByText('Your session has ended').waitFor();
  expect(await findBarriers(window), 'signing in again').toEqual([]);
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await callback.waitFor();
  expect(await callback.inputValue()).toBe('https://typed.example/');

  // The session ends while a question is open. The question stays below the sign-in dialog, and gets the focus afterwards.
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('alertdialog').waitFor();
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const token = (await context.cookies()).find(({ name }) => name.startsWith('pickstation-csrf-'))?.value ?? '';
  const headers = { cookie, 'x-csrf-token': token, referer: shop.url };
  expect((await fetch(`${shop.url}api/user/logout/`, { method: 'POST', headers })).status).toBe(204);
  await page.getByText('Your session has ended').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Your session has ended').waitFor({ state: 'detached' });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay', exact: true }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await callback.inputValue()).toBe('https://typed.example/');

  // The station stops while a form is open.
  const { port } = new URL(shop.url);
  await shop.station.stop();
  await page.getByText('Connection to the station lost').waitFor();
  await callback.press('Enter');
  await page.getByRole('form', { name: 'Callbacks', exact: true }).getByText('The station does not answer').waitFor();
  await shop.start(3, Number(port));
  await page.getByText('Connection to the station lost').waitFor({ state: 'detached' });
  expect(await callback.inputValue()).toBe('https://typed.example/');
  await callback.press('Enter');
  await page.getByText('Callbacks: saved.').waitFor();
  await page.reload();
  expect(await callback.inputValue()).toBe('https://typed.example/');
});

const scrolls = `[...document.querySelectorAll('nav, nav ul')].some(
  (box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)`;

for (const { name, size, hidden } of [
  { name: 'on a phone', size: { width: 390, height: 844 }, hidden: 'Settings' },
  { name: 'on a small phone', size: { width: 360, height: 640 }, hidden: 'Settings' },
  { name: 'in a low window', size: { width: 1_280, height: 480 }, hidden: 'Settings' },
]) {
  test(`pages behind More are reached by pointer and keyboard, and the rail does not scroll: ${name}`, async () => {
    const window = await shop.open();
    const { page } = window;
    await page.setViewportSize(size);
    const rail = page.getByRole('navigation', { name: 'Pages', exact: true });
    const more = rail.getByRole('button', { name: /^More/ });
    await more.waitFor();
    await expect.poll(() => page.evaluate<boolean>(scrolls)).toBe(false);
    await expect.poll(() => rail.getByRole('link', { name: hidden, exact: true }).count()).toBe(0);
    for (const box of await Promise.all((await rail.locator('a, button').all()).map((each) => each.boundingBox()))) {
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
    }

    await more.click();
    const dialog = page.getByRole('dialog', { name: 'More pages' });
    await dialog.getByRole('link', { name: hidden, exact: true }).click();
    await page.getByRole('form', { name: 'Defaults' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await rail.getByRole('button', { name: `More, ${hidden} is open` }).waitFor();

    // Open More with the keyboard. Escape returns the focus.
    await more.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    expect(await findBarriers(window), 'more pages').toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await until('the focus to be back', async () => (await page.evaluate<string>(focused)).startsWith('More'));
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    for (let presses = 0; presses < 20; presses += 1) {
      if ((await page.evaluate<string>(focused)) === 'Connections') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Gateways', exact: true }).waitFor();
    expect(window.complaints).toEqual([]);
  });
}

test('the frame has no axe violations', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.getByRole('link', { name: ONE, exact: true }).waitFor();

  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('option').first().waitFor();
  expect(await findBarriers(window), 'the palette').toEqual([]);
  await page.getByRole('combobox').fill('xyzzy');
  await page.getByText('Nothing matches').waitFor();
  expect(await findBarriers(window), 'the palette without a match').toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Account: admin' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await findBarriers(window), 'the menu of the account').toEqual([]);
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await page.getByRole('heading', { name: 'Turbo', exact: true }).waitFor();
  expect(await findBarriers(window), 'Help').toEqual([]);

  await openCallbackSettings(page);
  await page.getByRole('textbox', { name: 'Callback URL' }).waitFor();
  expect(await findBarriers(window), 'the settings').toEqual([]);
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('nowhere');
  await page.getByRole('button', { name: 'Set: API key of your system' }).click();
  // The browser logs the expected refusal as an error.
  window.expectOutage(true);
  await page.getByRole('textbox', { name: 'Callback URL' }).press('Enter');
  await page.getByText('A URL starts with').waitFor();
  window.expectOutage(false);
  expect(await findBarriers(window), 'settings that are refused').toEqual([]);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('alertdialog').waitFor();
  expect(await findBarriers(window), 'a question').toEqual([]);
  await page.getByRole('button', { name: 'Stay', exact: true }).click();
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('https://erp.example/');
  await page.getByRole('textbox', { name: 'Callback URL' }).press('Enter');
  await page.getByText('Callbacks: saved.').waitFor();
  expect(await findBarriers(window), 'what is said in passing').toEqual([]);

  window.expectOutage(true);
  await page.goto(`${shop.url}no/such/page`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await findBarriers(window), 'an unknown page').toEqual([]);
  expect(window.complaints).toEqual([]);
});
