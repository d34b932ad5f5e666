import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { ADMIN_PASSWORD, API_KEY } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, restingBox, takePicture } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
/** A device without a turbo: it cannot be pressed here and has no screen. */
const REAL = '00AB12:0000FF';
const TABS = ['Now', 'Send', 'Statics', 'History', 'Settings'];

const shop = useShop('panel');
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  shop.after(() => receiver.stop());
  await start(0);
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url });
  await shop.call('POST', `/api/device/${TWO}/`, { locationoverride: 'A-3-2', statica: 'on hand 75' });
});

async function start(port: number): Promise<void> {
  await shop.start(2, port);
  for (const device of [ONE, TWO]) await shop.call('PATCH', `/api/simulator/devices/${device}/`, { refresh_ms: 0 });
}

/** Opens a signed-in window on the panel of a device. */
async function openPanel(deviceid: string, name: string) {
  const window = await shop.open();
  await window.page.goto(new URL(`/today?device=${deviceid}`, shop.url).href);
  const panel = panelOf(window.page, name);
  await panel.getByRole('tab', { name: 'Now' }).waitFor();
  return { window, page: window.page, panel };
}

function panelOf(page: Page, name: string): Locator {
  return page.getByRole('complementary', { name: `Device ${name}` });
}

const field = (panel: Locator, name: string) => panel.getByRole('textbox', { name });

/** Returns the pixels of the panel's device or of the form's preview, independent of their surroundings. */
async function drawing(page: Page, place: 'device' | 'preview'): Promise<string> {
  const canvas = `document.querySelector('${place === 'device' ? 'aside canvas' : 'aside figure canvas'}')`;
  // Scroll to the canvas, because a canvas out of sight releases its memory.
  await page.evaluate(`${canvas}.scrollIntoView()`);
  await until('the canvas to be drawn', () => page.evaluate<boolean>(`${canvas}.width > 0`));
  // A slow page draws a canvas some frames after its label, so wait until it stays the same.
  return page.evaluate<string>(`(async () => {
    let drawn = '';
    for (let same = 0; same < 5;) {
      await new Promise((next) => requestAnimationFrame(next));
      const now = ${canvas}.toDataURL();
      same = now === drawn ? same + 1 : 0;
      drawn = now;
    }
    return drawn;
  })()`);
}

test('a click on any part of a tile opens its device', async () => {
  const { page } = await shop.open();
  const tile = page.locator(`[data-deviceid="${TWO}"]`);
  const { width, height } = await restingBox(tile);
  for (const [x, y] of [
    [width * 0.3, height * 0.6],
    [width * 0.05, height * 0.9],
    [width - 8, height - 14],
    [width * 0.3, 8],
  ] as const) {
    await tile.click({ position: { x, y } });
    await panelOf(page, 'A-3-2').waitFor();
    await page.keyboard.press('Escape');
    await panelOf(page, 'A-3-2').waitFor({ state: 'detached' });
  }
});

test('a command is sent and pressed with only the keyboard, and the focus returns to the tile', async () => {
  const window = await shop.open();
  const { page } = window;
  const tile = page.getByRole('link', { name: 'A-3-2' });
  await tile.focus();
  await page.keyboard.press('Enter');
  const panel = panelOf(page, 'A-3-2');
  const isInHead = `document.activeElement.matches('aside h2')`;
  await until('the focus to be in the panel', () => page.evaluate<boolean>(isInHead));
  await panel.getByRole('tab', { name: 'Now' }).focus();
  await page.keyboard.press('ArrowRight');
  await field(panel, 'Line 1').focus();
  await page.keyboard.type('Cable tie');
  await page.keyboard.press('Enter');
  await panel.getByText('Shown on the device.').waitFor();
  const front = panel.getByRole('button', { name: 'Front button of A-3-2, Lit red' });
  await front.focus();
  await page.keyboard.press(' ');
  await panel.getByText('The command has ended.').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const isOnTile = `document.activeElement.getAttribute('href') === '/today?device=${TWO}'`;
  await until('the focus to be on the tile', () => page.evaluate<boolean>(isOnTile));
  expect(window.complaints).toEqual([]);
});

test('the preview has exactly the pixels that the device shows afterwards', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('tab', { name: 'Send' }).click();
  await field(panel, 'Line 1').fill('Cable tie 200');
  await field(panel, 'Quantity').fill('12');
  const wanted = { name: 'Screen: A-3-2, quantity 12, Cable tie 200' };
  await panel.getByRole('figure').getByRole('img', wanted).waitFor();
  // While the fields are in view, the screen is out of sight and has no pixels.
  await panel.getByRole('img', { name: 'Screen: A-3-2, on hand 75' }).waitFor({ state: 'attached' });
  const expected = await drawing(page, 'preview');
  expect(await drawing(page, 'device')).not.toBe(expected);
  await panel.getByRole('button', { name: 'Send to A-3-2' }).click();
  await panel.getByText('Shown on the device.').waitFor();
  await until('the device to show it', async () => (await drawing(page, 'device')) === expected);
  expect(window.complaints).toEqual([]);
});

test('an icon, an arrow and a barcode are previewed as the device shows them, for either firmware version', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('tab', { name: 'Send' }).click();
  await panel.getByRole('button', { name: /Arrow/ }).click();
  await page.getByRole('option', { name: 'right', exact: true }).click();
  await panel.getByRole('button', { name: 'Add: Barcode' }).click();
  await field(panel, 'Barcode').fill('CT-200');
  const before = await drawing(page, 'preview');
  await panel.getByRole('button', { name: 'Add: Icon' }).click();
  await page.getByRole('dialog').locator('input:focus').waitFor();
  await page.keyboard.type('gloves');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Icon Safety gloves' }).waitFor();
  const isAtSign = `document.activeElement.matches('button') && document.activeElement.textContent.includes('Safety gloves')`;
  await until('the focus to be at the sign', () => page.evaluate<boolean>(isAtSign));
  await panel.getByRole('combobox', { name: 'Color' }).fill('b');
  await panel.getByRole('figure').getByText('Lit blue').waitFor();
  // The icons are loaded on first use.
  await until('the icon to be drawn', async () => (await drawing(page, 'preview')) !== before);
  const expected = await drawing(page, 'preview');
  await panel.getByText('66', { exact: true }).click();
  await until('another drawing', async () => (await drawing(page, 'preview')) !== expected);
  await panel.getByText('67+').click();
  await panel.getByRole('button', { name: 'Send to A-3-2' }).click();
  await panel.getByText('Shown on the device.').waitFor();
  await until('the device to show it', async () => (await drawing(page, 'device')) === expected);
  expect(window.complaints).toEqual([]);
});

test('in the smallest window the Send button is visible and nothing covers the focus', async () => {
  const { panel, page } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('tab', { name: 'Send' }).click();
  for (const element of ['Barcode', 'Sound', 'Nonce']) {
    await panel.getByRole('button', { name: `Add: ${element}` }).click();
  }
  await field(panel, 'Line 1').focus();
  const send = panel.getByRole('button', { name: 'Send to A-3-2' });
  for (let presses = 0; presses < 20; presses++) {
    const box = await send.boundingBox();
    expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    const { isEnd, covered } = await page.evaluate<{ isEnd: boolean; covered: string }>(`(() => {
      const focused = document.activeElement;
      const { x, y, width, height } = focused.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return { isEnd: focused.textContent === 'Send to A-3-2',
        covered: focused.contains(top) || top?.contains(focused) ? '' : focused.outerHTML };
    })()`);
    expect(covered).toBe('');
    if (isEnd) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab did not reach the button.');
});

test('on a tablet, every button and option of the form is at least 44 px high', async () => {
  const { panel, page } = await openPanel(TWO, 'A-3-2');
  await page.setViewportSize({ width: 820, height: 1_180 });
  await panel.getByRole('tab', { name: 'Send' }).click();
  await panel.getByRole('button', { name: 'Add: Sound' }).click();
  const heights = await page.evaluate<[string, number][]>(
    `[...document.querySelectorAll('aside form :is(button, label:has([type=radio]))')]
      .filter((target) => target.checkVisibility())
      .map((target) => [target.textContent || target.ariaLabel, target.getBoundingClientRect().height])`,
  );
  expect(heights.length).toBeGreaterThan(12);
  expect(heights.filter(([, height]) => height < 44)).toEqual([]);
});

test('device updates move neither the focus nor the form that a person is typing in', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  for (const [tab, name] of [
    ['Send', 'line1'],
    ['Statics', 'statica'],
    ['Send', 'line1'],
  ] as const) {
    await panel.getByRole('tab', { name: tab }).click();
    const top = () => page.evaluate<number>(`document.querySelector('aside form').getBoundingClientRect().top`);
    // The form appears at the top, below the name and the tabs, even if another tab was open before.
    await until('the form to come up', async () => (await top()) < 140);
    await field(panel, 'Line 1').click();
    const before = await top();
    await shop.call('POST', `/api/device/${TWO}/`, { command: 'pick', line1: tab });
    await page.getByRole('button', { name: 'Front button of A-3-2, Lit red' }).first().waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe(name);
    expect(await top()).toBe(before);
    await shop.call('POST', `/api/simulator/devices/${TWO}/press/`);
  }
  expect(window.complaints).toEqual([]);
});

test('a click still works if leaving a field inserts an error above the button', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  await page.setViewportSize({ width: 1_280, height: 1_400 });
  await panel.getByRole('tab', { name: 'Send' }).click();
  await panel.getByRole('combobox', { name: 'Color' }).fill('orang');
  await panel.getByRole('button', { name: 'Add: Barcode' }).click();
  await field(panel, 'Barcode').waitFor();
  await panel.getByText('“orang” is not a color.').waitFor();
  await page.keyboard.type('CT-200');
  expect(await field(panel, 'Barcode').inputValue()).toBe('CT-200');
  expect(window.complaints).toEqual([]);
});

test('the curl command sends the command as shown, with only the key to fill in', async () => {
  const { panel } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('tab', { name: 'Send' }).click();
  await field(panel, 'Line 1').fill(`Joe's "5%" $HOME`);
  const line = await panel.getByRole('region', { name: 'Command line that sends this command' }).textContent();
  execFileSync('sh', ['-c', (line ?? '').replace('YOUR-KEY', API_KEY)], { stdio: 'ignore' });
  await panel.getByRole('tab', { name: 'Now' }).click();
  await panel.getByRole('button', { name: /^Why is this here.*Joe's "5%" \$HOME/ }).waitFor();
});

test('the timeline updates live: shown, pressed, delivered', async () => {
  const { panel, window } = await openPanel(TWO, 'A-3-2');
  await panel.getByText('No history yet.').waitFor();
  await shop.call('POST', `/api/device/${TWO}/`, {
    command: 'pick',
    line1: 'Fuse',
    quantity: 3,
    color: 'b',
    nonce: 'n1',
  });
  await panel.getByRole('heading', { name: 'Why is this lit?' }).waitFor();
  await panel.getByText(/^waiting for a press · [01]:\d\d left$/).waitFor();
  await panel.getByRole('button', { name: 'Front button of A-3-2, Lit blue' }).click();
  await panel.getByRole('heading', { name: 'Latest event' }).waitFor();
  await panel.getByText('Pressed on the device').waitFor();
  await panel.getByText('Callback delivered').waitFor();
  const steps = await panel.getByRole('listitem').allTextContents();
  expect(steps.filter((step) => /^(\d\d:\d\d:\d\d)?\.\d{3}/.test(step)).length).toBeGreaterThanOrEqual(5);
  await takePicture(window, 'panel-timeline');
  expect(window.complaints).toEqual([]);
});

test('of two people who acknowledge at the same time, the slower one learns who was faster', async () => {
  await shop.call('POST', '/api/device/', { deviceid: REAL, label: 'B-1-1' });
  await shop.call('POST', `/api/device/${REAL}/`, { command: 'pick', line1: 'Belt', quantity: 2, nonce: 'n2' });
  const first = await openPanel(REAL, 'B-1-1');
  const second = await openPanel(REAL, 'B-1-1');
  const acknowledge = (panel: Locator) => panel.getByRole('button', { name: /^Acknowledge B-1-1 here/ });
  await acknowledge(second.panel).waitFor();
  // The second person presses at the same moment, but their request arrives later.
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await second.page.route('**/acknowledge/', async (route) => {
    await held;
    await route.continue();
  });
  second.window.expectOutage(true);
  await acknowledge(second.panel).click();
  await first.panel.getByRole('button', { name: 'One more for B-1-1' }).click();
  await first.panel.getByText('Quantity set to 3.').waitFor();
  await acknowledge(first.panel).click();
  await first.panel.getByText('Acknowledged here.').waitFor();
  letGo();
  await second.panel.getByText(/The command was not acknowledged\. .*admin/).waitFor();
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: REAL, location: 'B-1-1', nonce: 'n2', qty: 3 }]);
  expect([...first.window.complaints, ...second.window.complaints]).toEqual([]);
});

test('the panel reports that its device was removed, and keeps typed input', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('tab', { name: 'Statics' }).click();
  await field(panel, 'Line 2').fill('half a sentence');
  await shop.call('DELETE', `/api/device/${TWO}/`);
  await panel.getByText('A-3-2 is no longer at this station.').waitFor();
  expect(await field(panel, 'Line 2').inputValue()).toBe('half a sentence');
  await takePicture(window, 'panel-removed');
  await panel.getByRole('alert').getByRole('button', { name: 'Close panel' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.goto(new URL('/today?device=51D000:009999', shop.url).href);
  await page.getByText('There is no device 51D000:009999 at this station.').waitFor();
  await page.getByRole('main').waitFor();
  expect(window.complaints).toEqual([]);
});

test('typed input survives a stop of the station, a sign-out and a reload', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('tab', { name: 'Send' }).click();
  await field(panel, 'Line 1').fill('Cable tie');
  await field(panel, 'Quantity').fill('7');
  const typed = async () => [await field(panel, 'Line 1').inputValue(), await field(panel, 'Quantity').inputValue()];

  window.expectOutage(true);
  const { port } = new URL(shop.url);
  await shop.station.stop();
  const reason = 'The station does not answer. Your input is kept until it is back.';
  await panel.getByText(reason).waitFor();
  expect(await typed()).toEqual(['Cable tie', '7']);
  await takePicture(window, 'panel-outage');
  await start(Number(port));
  await panel.getByText(reason).waitFor({ state: 'hidden' });
  window.expectOutage(false);
  expect(await typed()).toEqual(['Cable tie', '7']);

  await page.evaluate(`fetch('/api/user/logout/', { method: 'POST', headers: { 'x-csrf-token':
    /pickstation-csrf-[^=]*=([^;]*)/.exec(document.cookie)[1] } })`);
  await page.reload();
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await panel.getByRole('tab', { name: 'Send' }).click();
  expect(await typed()).toEqual(['Cable tie', '7']);
  await panel.getByRole('button', { name: 'Send to A-3-2' }).click();
  await panel.getByText('Shown on the device.').waitFor();
});

test('on a tablet the panel covers the whole height, with a button back to the map', async () => {
  const { panel, page, window } = await openPanel(TWO, 'A-3-2');
  await page.setViewportSize({ width: 820, height: 1_180 });
  const { x, width, height } = await restingBox(panel);
  expect([height, x + width]).toEqual([1_180, 820]);
  expect(await findBarriers(window)).toEqual([]);
  await panel.getByRole('button', { name: 'Back to the map' }).click();
  await page.getByRole('link', { name: 'A-3-2' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/today');
});

test('the tabs of the panel have no axe violations', async () => {
  await shop.call('POST', `/api/device/${TWO}/`, {
    command: 'pick',
    line1: 'One',
    quantity: 1,
    color: 'yellow',
    nonce: 'a',
  });
  await shop.call('POST', `/api/device/${TWO}/`, { line1: 'Two', color: '#8040c0', nonce: 'b' });
  const { panel, window } = await openPanel(TWO, 'A-3-2');
  await panel.getByRole('heading', { name: 'Why is this lit?' }).waitFor();
  for (const tab of TABS) {
    await panel.getByRole('tab', { name: tab }).click();
    expect(await findBarriers(window), tab).toEqual([]);
  }
  await panel.getByRole('tab', { name: 'Send' }).click();
  await field(panel, 'Quantity').fill('none');
  await field(panel, 'Line 1').fill('x'.repeat(30));
  expect(await findBarriers(window), 'a form with problems').toEqual([]);
  expect(window.complaints).toEqual([]);
});
