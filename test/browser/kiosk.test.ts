import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Kiosk } from '#shared/api/kiosk.ts';
import { ADMIN_PASSWORD } from '../shells/stationProcess.ts';
import { accepts, heard } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, PAGE_PATIENCE_MS, takePictures, type Window } from './window.ts';

const SIZES = [
  { width: 1_024, height: 768 },
  { width: 390, height: 844 },
];
const PASSWORD = 'a few easy words';
const shop = useShop('kiosk');

beforeEach(async () => {
  await shop.start(2);
  for (const [username, pin] of [
    ['Anna', '4711'],
    ['Ben', '08152'],
    ['Carla', undefined],
  ] as const) {
    await shop.call('POST', '/api/users/', { username, password: PASSWORD, role: 'picker' });
    if (pin !== undefined) await shop.call('PATCH', `/api/users/${username}/`, { pin });
  }
  await shop.call('PATCH', '/api/user/', { color: 'cyan', picker: 'Anna' });
  await shop.call('POST', '/api/orders/', {
    order_number: '10418',
    items: [{ name: 'Cable tie', ordered_quantity: 2, deviceid: '51D000:000001' }],
  });
});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Signs in as an admin and locks the browser to Pick through the page. */
async function lock(): Promise<Window> {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}settings/kiosks`);
  await button(page, 'Lock this browser to Pick').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Bench 1');
  await button(page, 'Lock and sign out').click();
  await heading(page, 'Who are you?');
  return window;
}

async function typePin(page: Page, pin: string): Promise<void> {
  for (const key of [...Array.from(pin), 'Sign in']) {
    // A finger that touches a key sooner is a bounce.
    await page.evaluate('new Promise((next) => setTimeout(next, 240))');
    await button(page, key).tap();
  }
}

/** Checks accessibility and overflow and takes a screenshot, at both sizes. */
async function inspect(window: Window, name: string): Promise<void> {
  const { page } = window;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await findBarriers(window), name).toEqual([]);
    expect(await measureOverflow(page), `${name} ${size.width}`).toBeLessThanOrEqual(0);
    await takePictures(window, `kiosk-${name}-${size.width}`);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
}

test('an admin locks a browser, and a picker signs in with a PIN, sees only Pick and exits to the list of names', async () => {
  const window = await lock();
  const { page } = window;
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Anna$/),
    expect.stringMatching(/Ben$/),
  ]);
  await inspect(window, 'names');
  await button(page, /Anna/).click();
  await page.getByRole('textbox', { name: /^PIN of Anna/ }).waitFor();
  for (const key of await page.getByRole('group', { name: 'Digits' }).getByRole('button').all()) {
    const box = await key.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(80);
  }
  await page.keyboard.type('47');
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('••');
  await inspect(window, 'keypad');
  await page.keyboard.type('00');
  await button(page, 'Sign in').click();
  await page.getByText('That PIN is wrong. Try again.').waitFor();
  await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('');
  await inspect(window, 'wrong');
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await heading(page, 'What are you picking?');
  await page.waitForURL('**/pick');
  await inspect(window, 'pick');
  for (const path of ['', 'settings', 'users', 'orders', 'orders/10418/print', 'scanner', 'help', 'welcome']) {
    await page.goto(`${shop.url}${path}`);
    await heading(page, 'What are you picking?');
    await expect.poll(() => new URL(page.url()).pathname, { message: path }).toBe('/pick');
    expect(await page.getByRole('navigation').count(), path).toBe(0);
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.press('?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/pick');
  await button(page, 'Exit').click();
  await heading(page, 'Who are you?');
  expect(await page.evaluate('document.cookie')).not.toContain('kiosk');
  expect(window.complaints).toEqual([]);
});

test('a picker signs in and out at the kiosk with the keyboard only', async () => {
  const window = await lock();
  const { page } = window;
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement === document.body ? "" : document.activeElement.innerText || document.activeElement.ariaLabel',
    );
  async function tabTo(words: RegExp): Promise<void> {
    for (let step = 0; step < 30 && !words.test(await focused()); step += 1) await page.keyboard.press('Tab');
    expect(await focused()).toMatch(words);
  }
  await tabTo(/Ben/);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'PIN of Ben, nothing typed' }).waitFor();
  await page.keyboard.press('Escape');
  await heading(page, 'Who are you?');
  await tabTo(/Ben/);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox').waitFor();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.getByText('A PIN has at least 4 digits.').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('0815');
  await tabTo(/^2$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  await tabTo(/^Sign in$/);
  await page.keyboard.press('Enter');
  await heading(page, 'What are you picking?');
  // The button takes the focus when the orders have arrived.
  await heard(page, 'Next order');
  await tabTo(/Exit/);
  await page.keyboard.press('Enter');
  await heading(page, 'Who are you?');
  expect(window.complaints).toEqual([]);
});

/** Taps a button as soon as it accepts touches. */
async function tapHeard(page: Page, name: string | RegExp): Promise<void> {
  await button(page, name).waitFor();
  await accepts(page);
  await button(page, name).tap();
}

test('a picker signs in and picks by touch; after an exit, the same person continues the order', async () => {
  const window = await lock();
  const cookies = await window.page.context().cookies();
  const touch = await shop.browser.newContext({ hasTouch: true, viewport: SIZES[1] ?? null });
  shop.after(() => touch.close());
  await touch.addCookies(cookies);
  touch.setDefaultTimeout(PAGE_PATIENCE_MS);
  const page = await touch.newPage();
  await page.goto(shop.url);
  await button(page, /Ben/).tap();
  await button(page, 'Back to the names').tap();
  await button(page, /Anna/).tap();
  await page.evaluate('new Promise((next) => setTimeout(next, 240))');
  await button(page, '9').tap();
  await button(page, 'Delete the last digit').tap();
  await typePin(page, '4711');
  await tapHeard(page, /Next order/);
  await button(page, /^Picked/).waitFor();
  await button(page, 'Exit').tap();
  await heading(page, 'Who are you?');
  await button(page, /Ben/).tap();
  await typePin(page, '08152');
  await tapHeard(page, /^10418/);
  await page.getByRole('dialog').getByText(/Anna/).waitFor();
  // Escape goes to the focused element, so wait until the dialog has the focus.
  await page.locator('[role="dialog"]:focus-within').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Exit').tap();
  await heading(page, 'Who are you?');
  await button(page, /Anna/).tap();
  await typePin(page, '4711');
  await tapHeard(page, 'Continue order 10418');
  await heard(page, 'Picked');
  await button(page, /^Picked/).tap();
  await heading(page, /complete/);
  expect(await button(page, /Print/).count()).toBe(0);
});

test('a picker who still holds pieces is asked before signing out, with buttons for gloves', async () => {
  const slots = [{ slot: 'A1', code: 'C1-A1' }];
  await shop.call('POST', '/api/carts/', { name: 'Cart 1', code: 'CART-1', rows: 1, columns: 1, slots });
  await shop.call('POST', '/api/batches/', { mode: 'cart', cart: 1, slots: [{ order_number: '10418' }] });
  await shop.call('POST', '/api/batches/1/launch/', { picker: 'Anna' });
  const window = await lock();
  const { page } = window;
  await button(page, /Anna/).click();
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await heading(page, 'What are you picking?');
  await shop.press('51D000:000001');
  await button(page, 'Exit').click();
  const answers = page.getByRole('alertdialog').getByRole('button');
  await answers.first().waitFor();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const heights = await Promise.all(
      (await answers.all()).map(async (each) => (await each.boundingBox())?.height ?? 0),
    );
    expect(heights.length, `${size.width}`).toBe(2);
    expect(Math.min(...heights), `${size.width}`).toBeGreaterThanOrEqual(64);
  }
  await inspect(window, 'signOut');
  await heard(page, 'Stay');
  await button(page, /^Stay/).click();
  await answers.first().waitFor({ state: 'detached' });
  await button(page, 'Exit').click();
  await answers.first().waitFor();
  await accepts(page);
  await answers.last().click();
  await heading(page, 'Who are you?');
  expect(window.complaints).toEqual([]);
});

test('an admin signs in to the kiosk with the password, sees every page and unlocks it, but others see only Pick', async () => {
  const window = await lock();
  const { page } = window;
  const signIn = async (name: string, password: string) => {
    await button(page, 'Sign in with a password').click();
    await page.getByLabel('User name').fill(name);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Sign in').click();
  };
  await button(page, 'Sign in with a password').click();
  await inspect(window, 'password');
  await button(page, 'Back to the names').click();
  await signIn('Carla', PASSWORD);
  await heading(page, 'What are you picking?');
  expect(await page.getByText('This browser is a kiosk.').count()).toBe(0);
  await button(page, 'Exit').click();
  await signIn('admin', ADMIN_PASSWORD);
  await page.getByText('This browser is a kiosk.').waitFor();
  await page.goto(shop.url);
  await heading(page, 'Today');
  await inspect(window, 'admin');
  await page.goto(`${shop.url}settings/kiosks`);
  await page.getByText('this browser', { exact: true }).waitFor();
  await inspect(window, 'list');
  await button(page, 'Unlock it').click();
  await page.getByText('This browser is no longer a kiosk.').waitFor();
  await button(page, 'Lock this browser to Pick').waitFor();
  expect(await shop.call<Kiosk[]>('GET', '/api/kiosks/')).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('removing a kiosk in another browser signs its picker out and asks for a password', async () => {
  const window = await lock();
  const { page } = window;
  await button(page, /Anna/).click();
  await page.getByRole('textbox').waitFor();
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await heading(page, 'What are you picking?');
  const [kiosk] = await shop.call<Kiosk[]>('GET', '/api/kiosks/');
  await shop.call('DELETE', `/api/kiosks/${kiosk?.id}/`);
  await page.getByLabel('User name').waitFor();
  expect(await page.getByText('What are you picking?').count()).toBe(0);
});

test('a picker who gets a PIN from an admin appears on the kiosk without a reload', async () => {
  const window = await lock();
  const admin = await shop.open('light');
  await admin.page.goto(`${shop.url}settings/people`);
  await button(admin.page, 'Manage Carla').click();
  await admin.page.getByRole('menuitem', { name: 'Set a PIN…' }).click();
  await admin.page.getByLabel('PIN', { exact: true }).fill('12');
  await button(admin.page, 'Save').click();
  await admin.page.getByRole('dialog').getByText('4 to 8 digits.').first().waitFor();
  await admin.page.getByLabel('PIN', { exact: true }).fill('123456');
  await inspect(admin, 'set-pin');
  await button(admin.page, 'Save').click();
  await admin.page.getByText('Carla has a new PIN.').waitFor();
  await admin.page.getByText('Picker · has a PIN').first().waitFor();
  await button(window.page, /Carla/).click();
  await window.page.getByRole('textbox').waitFor();
  await window.page.keyboard.type('123456');
  await window.page.keyboard.press('Enter');
  await heading(window.page, 'What are you picking?');
});

test('a picker sets a PIN in Settings', async () => {
  const window = await shop.openWindow('light');
  const { page } = window;
  await page.goto(`${shop.url}settings`);
  await page.getByLabel('User name').fill('Carla');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await page.getByLabel('PIN', { exact: true }).fill('2468');
  await page.getByLabel('Your password').fill('wrong');
  await button(page, 'Save PIN').click();
  await page.getByText('This is not your password.').waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await inspect(window, 'own-pin');
  await button(page, 'Save PIN').click();
  await page.getByText('Your PIN was saved.').waitFor();
  const users = await shop.call<{ username: string; has_pin: boolean }[]>('GET', '/api/users/');
  expect(users.find(({ username }) => username === 'Carla')?.has_pin).toBe(true);
});
