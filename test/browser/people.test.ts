import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, searchEverything, takePictures } from './window.ts';

const SIZES = [
  { width: 1_280, height: 800 },
  { width: 1_920, height: 1_080 },
  { width: 820, height: 1_180 },
  { width: 390, height: 844 },
];

const shop = useShop('people');

beforeEach(() => shop.start(1));

const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? ""',
  );

/** Waits for the focus, which returns one frame later. */
async function untilFocused(page: Page, name: string): Promise<void> {
  await until(`the focus to be on ${name}, not ${await focused(page)}`, async () => (await focused(page)) === name);
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not reach ${name}, but ${await focused(page)}.`);
}

test('with only the keyboard, an admin adds a person with a generated password, who cannot open Users and is signed out when removed', async () => {
  const window = await shop.open();
  const { page } = window;
  await searchEverything(page, 'passwords');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Manage admin' }).waitFor();
  await tabTo(page, 'Add a person');
  await page.keyboard.press('Enter');
  await untilFocused(page, '');
  await page.keyboard.type('Mia');
  await tabTo(page, 'Easy words');
  await page.keyboard.press('Enter');
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue();
  await tabTo(page, 'Add');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Tell Mia' }).waitFor();
  await tabTo(page, 'I have passed it on');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await untilFocused(page, 'Add a person');
  expect(window.complaints).toEqual([]);

  const theirs = await shop.openWindow('light');
  await theirs.page.goto(`${shop.url}connections/programs`);
  await theirs.page.getByLabel('User name').fill('Mia');
  await theirs.page.getByRole('textbox', { name: 'Password' }).fill(password);
  await theirs.page.keyboard.press('Enter');
  await theirs.page.getByRole('heading', { name: 'Admins only' }).waitFor();
  expect(await theirs.page.getByRole('link', { name: 'Programs', exact: true }).count()).toBe(0);
  expect(await findBarriers(theirs), 'for admins').toEqual([]);

  await page.getByRole('button', { name: 'Manage Mia' }).click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere…' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('Mia is signed out').waitFor();
  await theirs.page.getByText('Your session has ended').waitFor();
  await theirs.page.getByRole('textbox', { name: 'Password' }).fill(password);
  await theirs.page.keyboard.press('Enter');
  await theirs.page.getByRole('heading', { name: 'Admins only' }).waitFor();

  // She is signed out as soon as she is removed.
  await page.getByRole('button', { name: 'Manage Mia' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Mia removed').waitFor();
  await untilFocused(page, 'Manage admin');
  await theirs.page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a key is shown once, is still shown after a stray click, gives access, and leaves no copy in the browser', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}settings/people`);
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('link', { name: 'Programs', exact: true }).click();
  await until('the address to name the page', async () => new URL(page.url()).pathname === '/connections/programs');
  await page.getByRole('button', { name: 'Add a program' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ERP');
  await page.getByRole('radio', { name: /^Read/ }).press('Space');
  await page.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('alertdialog', { name: 'The key of ERP' });
  const key = (await shown.getByRole('group', { name: 'API key' }).locator('code').textContent()) ?? '';
  const secret = (await shown.getByRole('group', { name: 'Client secret' }).locator('code').textContent()) ?? '';
  expect(key).toMatch(/^psk_/);

  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await page.evaluate('void history.back()');
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Stay', exact: true }).click();
  expect(await shown.getByRole('group', { name: 'API key' }).textContent()).toContain(key);

  const answer = await fetch(`${shop.url}api/device/`, { headers: { 'api-key': key } });
  expect(answer.status).toBe(200);
  const refused = await fetch(`${shop.url}api/users/`, { headers: { 'api-key': key } });
  expect(refused.status).toBe(403);

  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await shown.waitFor({ state: 'detached' });
  await untilFocused(page, 'Add a program');
  const left = await page.evaluate<string>(
    `[document.documentElement.outerHTML, location.href, JSON.stringify(history.state),
      JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })].join(' ')`,
  );
  expect(left).not.toContain(key);
  expect(left).not.toContain(secret);
  // The page shows the last use when the window gets the focus again.
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  await page.getByRole('listitem').filter({ hasText: 'ERP' }).getByText('Used just now').waitFor();
  expect(window.complaints).toEqual([]);
});

test('a key can be copied even if the page has no clipboard access, for example over plain HTTP on the LAN', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await page.goto(`${shop.url}connections/programs`);
  await page.getByRole('button', { name: 'Add a program' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ERP');
  await page.getByRole('button', { name: 'Create key' }).click();
  const line = page.getByRole('group', { name: 'API key' });
  const key = await line.locator('code').textContent();
  await line.getByRole('button', { name: 'Copy: API key' }).click();
  await line.getByRole('button').getByText('Copied').waitFor();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.goto(`${shop.url}connections/callback-settings`);
  await page.getByRole('textbox', { name: 'Callback URL' }).press('Control+v');
  expect(await page.getByRole('textbox', { name: 'Callback URL' }).inputValue()).toBe(key);
});

test('the People and Programs pages have no axe violations and do not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  const calm = async (what: string) => expect(await findBarriers(window), what).toEqual([]);
  const fits = async (what: string) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      expect(await measureOverflow(page), `${what} ${size.width}`).toBe(0);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  };
  await shop.call('POST', '/api/users/', {
    username: 'Jo Somebody-With-A-Long-Name',
    password: 'long enough',
    role: 'picker',
  });
  await shop.call('POST', '/api/api-users/', { name: 'ERP', scope: 'control' });
  await shop.call('POST', '/api/api-users/2/rotate/', { grace_seconds: 3_600 });

  await page.goto(`${shop.url}settings/people`);
  await page.getByRole('button', { name: /^Manage Jo/ }).waitFor();
  await calm('people');
  await fits('people');
  await page.getByRole('button', { name: /^Manage Jo/ }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).waitFor();
  await calm('the menu of a person');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await page.getByText('Enter a name.').waitFor();
  await calm('what is wrong with a new person');
  await page.getByRole('button', { name: 'Cancel' }).click();
  // The last admin cannot be removed, and the dialog says why.
  window.expectOutage(true);
  await page.getByRole('button', { name: 'Manage admin' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('alertdialog').getByText('admin is the only admin').waitFor();
  window.expectOutage(false);
  await calm('the last admin');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`${shop.url}connections/programs`);
  await page.getByText('The old key works until').waitFor();
  await calm('programs');
  await fits('programs');
  await page.getByRole('button', { name: 'New key for ERP' }).click();
  await page.getByRole('radio', { name: /^Stops immediately/ }).waitFor();
  await calm('a new key');
  await page.getByRole('button', { name: 'Create a new key' }).click();
  await page.getByRole('alertdialog', { name: 'The key of ERP' }).waitFor();
  await calm('secrets');
  await takePictures(window, 'people-secrets');
  await page.getByRole('button', { name: 'I have copied it' }).click();

  await page.goto(`${shop.url}settings/activity`);
  await page.getByText('replaced the key of ERP').first().waitFor();
  await calm('activity');
  await fits('activity');
  await page.keyboard.press('/');
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('nothing like that');
  await page.getByText('Nothing matches').waitFor();
  await calm('nothing found');
  await page.reload();
  await page.getByText('Nothing matches').waitFor();
  await page.goto(`${shop.url}settings/activity`);
  await page.getByText('replaced the key of ERP').first().waitFor();
  expect(window.complaints).toEqual([]);
});
