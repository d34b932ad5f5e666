import type { Locator, Page } from 'playwright-core';
import type { useShop } from './shop.ts';
import { PAGE_PATIENCE_MS, type Window, type WindowTheme } from './window.ts';

const PASSWORD = 'a few easy words';

type Shop = ReturnType<typeof useShop>;

/** Labels devices, makes their screens refresh immediately, and lets Enter confirm also while people scan. */
export async function labelDevices(shop: Shop, labels: readonly string[]): Promise<string[]> {
  const devices = labels.map((_, index) => `51D000:${String(index + 1).padStart(6, '0')}`);
  for (const [index, device] of devices.entries()) {
    await shop.call('PATCH', `/api/simulator/devices/${device}/`, { refresh_ms: 0 });
    await shop.call('POST', `/api/device/${device}/`, { locationoverride: labels[index] });
  }
  await shop.call('PATCH', '/api/settings/', { enter_confirms: 'always' });
  return devices;
}

export async function addPickers(shop: Shop, names: readonly string[]): Promise<void> {
  for (const username of names)
    await shop.call('POST', '/api/users/', { username, password: PASSWORD, role: 'picker' });
}

/** Signs a picker in on the Pick page. */
export async function openPick(shop: Shop, name: string, theme: WindowTheme = 'light'): Promise<Window> {
  const window = await shop.openWindow(theme);
  await signInPicker(shop, window, name);
  return window;
}

/** Signs a picker in on the Pick page of an open window. */
export async function signInPicker(shop: Shop, { page }: Window, name: string): Promise<void> {
  await page.goto(`${shop.url}pick`);
  await page.getByLabel('User name').fill(name);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'What are you picking?' }).waitFor();
}

/** Waits until the page leads to this place, and until a person has had time to see it. */
export async function at(page: Page, place: string): Promise<void> {
  await page.getByRole('heading', { name: place, exact: true, level: 2 }).waitFor();
  await heard(page, 'Picked');
}

/**
 * Waits until the large button with these words accepts touches. The button ignores touches for a moment after the
 * page changes.
 */
export const heard = (page: Page, words: string) =>
  page.locator('button[data-look="main"]:not([data-inert])', { hasText: words }).first().waitFor();

/** Takes the next order with Enter. */
export async function takeNext(page: Page): Promise<void> {
  await heard(page, 'Next order');
  await page.keyboard.press('Enter');
}

/** Touches a button on the page, or in a part of it, once the page accepts touches. */
export async function touch(
  page: Page,
  name: string | RegExp,
  timeout = PAGE_PATIENCE_MS,
  part: Page | Locator = page,
): Promise<void> {
  const button = part.getByRole('button', { name });
  await button.waitFor({ timeout });
  await accepts(page, timeout);
  await button.click({ timeout }).catch(async (error: unknown) => {
    const dialogs = await page.getByRole('dialog').allInnerTexts();
    throw new Error(`Could not touch ${String(name)}. Open dialogs: ${JSON.stringify(dialogs)}`, { cause: error });
  });
}

/** Waits until nothing on the page ignores touches because it has just changed. */
export const accepts = (page: Page, timeout = PAGE_PATIENCE_MS) =>
  page.locator('[data-inert]').first().waitFor({ state: 'detached', timeout });

/** Touches a button until it is gone, as a person does whose touch came too soon after a change of the page and counted for nothing. */
export async function touchUntilGone(page: Page, name: string): Promise<void> {
  await touch(page, name);
  const button = page.getByRole('button', { name });
  while ((await button.count()) > 0) {
    await pauseAfterEntry(page);
    await button.click({ timeout: 1_000 }).catch(() => undefined);
  }
}

/** Presses Enter until the large button with these words is gone, as a person does whose Enter came too soon after a change of the page. */
export async function enterUntilGone(page: Page, words: string): Promise<void> {
  const button = page.locator('button[data-look="main"]', { hasText: words });
  do {
    await heard(page, words);
    await page.keyboard.press('Enter');
    await pauseAfterEntry(page);
  } while ((await button.count()) > 0);
}

/**
 * Presses Enter as quickly as the page allows: once for each of these headings, which the page shows next. Meanwhile, the clock of the page is
 * four times as slow, so that the page itself takes little time even on a busy machine.
 */
export const pressEnters = (page: Page, headings: readonly string[]) =>
  page.evaluate(`(async () => {
    const from = performance.now();
    const passed = performance.now.bind(performance);
    performance.now = () => from + (passed() - from) / 4;
    try {
      for (const heading of ${JSON.stringify(headings)}) {
        const event = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true });
        Object.defineProperty(event, 'timeStamp', { value: performance.now() });
        document.activeElement.dispatchEvent(event);
        while (![...document.querySelectorAll('h2')].some((each) => each.textContent === heading)) {
          if (passed() - from > ${PAGE_PATIENCE_MS}) throw new Error('After Enter, the page did not show ' + heading);
          await new Promise((next) => setTimeout(next, 10));
        }
        await new Promise((next) => setTimeout(next, 4 * 250));
      }
    } finally {
      delete performance.now;
    }
  })()`);

/** Types a text and Enter, like a person. */
export async function enter(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 80 });
  await page.keyboard.press('Enter');
}

/** Waits longer than the page ignores Enter after an entry. */
export const pauseAfterEntry = (page: Page) => page.evaluate('new Promise((next) => setTimeout(next, 240))');

/** Types like a scanner, then Enter. The timestamps of the keys are 8 ms apart even on a busy machine. */
export function scan(page: Page, code: string): Promise<void> {
  return page.evaluate(`(async () => {
    const keys = [...${JSON.stringify(code)}, 'Enter'];
    // Wait, so that the first timestamp is later than earlier keys.
    await new Promise((next) => setTimeout(next, 60 + 8 * keys.length));
    let at = performance.now() - 8 * keys.length;
    const codeOf = (key) => /\\d/.test(key) ? 'Digit' + key : /[a-z]/i.test(key) ? 'Key' + key.toUpperCase() : 'Minus';
    for (const key of keys) {
      const typed = { key, code: key === 'Enter' ? key : codeOf(key), shiftKey: /^[A-Z]$/.test(key), bubbles: true, cancelable: true };
      const event = new KeyboardEvent('keydown', typed);
      Object.defineProperty(event, 'timeStamp', { value: (at += 8) });
      document.activeElement.dispatchEvent(event);
    }
  })()`);
}
