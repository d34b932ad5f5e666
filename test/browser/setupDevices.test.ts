import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, type Window } from './window.ts';

const shop = useShop('setup-devices');
const COUNT = 12;

beforeEach(() => shop.start(COUNT));

/** Presses a front button, as a person does at the shelf. */
const press = (deviceid: string) =>
  shop.call('POST', `api/simulator/devices/${deviceid}/press/`, { button: 'front', hold: 'short' });
const loadStation = () => shop.call<Station>('GET', 'api/station/');

async function bareDevices(): Promise<string[]> {
  const { devices } = await loadStation();
  for (const { deviceid, locationoverride } of devices) {
    if (locationoverride !== '') await shop.call('POST', `api/device/${deviceid}/`, { locationoverride: '' });
  }
  return devices.map(({ deviceid }) => deviceid);
}

async function labels(): Promise<Record<string, string>> {
  const { devices } = await loadStation();
  return Object.fromEntries(devices.map(({ deviceid, locationoverride }) => [deviceid, locationoverride]));
}

async function open(pattern: string): Promise<Window> {
  const window = await shop.open();
  await goThere(window.page, pattern);
  return window;
}

async function goThere(page: Page, pattern: string): Promise<void> {
  await page.goto(`${shop.url}places/set-up`);
  await page.getByRole('textbox', { name: 'Pattern' }).fill(pattern);
  await page.getByRole('textbox', { name: 'Pattern' }).blur();
}

const large = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const isIdle = (page: Page) => page.getByRole('heading', { name: /^Press/ });

test('ten devices get their places with only a press and Enter each', async () => {
  const ids = await bareDevices();
  const { page, complaints } = await open('A-{1..2}-{1..5}');
  await page.getByText('10 places: A-1-1, A-1-2, A-1-3, … A-2-5').waitFor();
  await page.getByRole('button', { name: 'Add racks for these places' }).click();
  await page.getByText('Every place now has a shelf on the map.').waitFor();
  const [seen, times]: [number[], number[]] = [[], []];
  for (const [index, deviceid] of ids.slice(0, 10).entries()) {
    const pressedAt = performance.now();
    await press(deviceid);
    await large(page, deviceid).waitFor();
    const from = performance.now();
    seen.push(from - pressedAt);
    await page.keyboard.press('Enter');
    await page.getByText(new RegExp(`^${deviceid} is now A-`)).waitFor();
    times.push(performance.now() - from);
    await page
      .getByText(`${index + 1} set up`)
      .first()
      .waitFor();
  }
  const message = (name: string, all: number[]) =>
    `${name}: median ${Math.round(all.toSorted((a, b) => a - b)[5] ?? 0)} ms, at most ${Math.round(Math.max(...all))} ms`;
  console.log(`Set up devices. ${message('From press to large', seen)}. ${message('From Enter to done', times)}.`);
  const places = [1, 2].flatMap((shelf) => [1, 2, 3, 4, 5].map((column) => `A-${shelf}-${column}`));
  expect(Object.values(await labels()).slice(0, 10)).toEqual(places);
  const { map } = await loadStation();
  expect(map.racks.map(({ name, columns, shelves }) => [name, columns, shelves.length])).toEqual([['Rack A', 5, 2]]);
  expect(map.places.map(({ deviceid, column }) => [deviceid, column])).toEqual(
    ids.slice(0, 10).map((deviceid, index) => [deviceid, index % 5]),
  );
  await page.getByRole('button', { name: 'Stop' }).click();
  await large(page, '10 devices set up').waitFor();
  await page.getByRole('button', { name: 'Print the labels' }).click();
  await page.getByRole('article', { name: 'A-2-5' }).waitFor();
  expect(await page.getByRole('article').count()).toBe(10);
  expect(complaints).toEqual([]);
});

test('a pressed device appears immediately, and devices pressed in the meantime are queued', async () => {
  const [first = '', second = '', third = ''] = await bareDevices();
  const { page } = await open('A-{1..9}');
  await press(first);
  await large(page, first).waitFor();
  await press(second);
  await press(third);
  await press(second);
  await page.getByText(`Waiting: ${second}, ${third}`).waitFor();
  await page.keyboard.press('Enter');
  await large(page, second).waitFor();
  await page.getByText(`Waiting: ${third}`).waitFor();
  // Back undoes only a label that the page has heard of.
  await page
    .getByText(`1 set up · ${COUNT - 1} without a place`)
    .first()
    .waitFor();
  await page.getByRole('button', { name: /^Skip/ }).click();
  await large(page, third).waitFor();
  await page.getByRole('button', { name: /^Back/ }).click();
  await large(page, first).waitFor();
  expect((await labels())[first]).toBe('');
  await page.getByText(`Waiting: ${third}`).waitFor();
});

/** Types keys like a scanner, with timestamps 8 ms apart. */
async function scan(page: Page, code: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const from = Date.now() / 1_000;
  const keys = [...Array.from(code), 'Enter'];
  await Promise.all(
    keys.flatMap((key, index) => {
      const timestamp = from + index * 0.008;
      const text = key === 'Enter' ? '\r' : key;
      const at = key === 'Enter' ? 'Enter' : key === '-' ? 'Minus' : /\d/.test(key) ? `Digit${key}` : `Key${key}`;
      const modifiers = /[A-Z]/.test(key) && key !== 'Enter' ? 8 : 0;
      return [
        browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: at, text, timestamp, modifiers }),
        browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: at, timestamp: timestamp + 0.004 }),
      ];
    }),
  );
}

test('a scan at 8 ms per key assigns a place, and the page asks before it takes a place from another device', async () => {
  const [first = '', second = ''] = await bareDevices();
  const { page } = await open('');
  await press(first);
  await large(page, first).waitFor();
  await scan(page, 'B-3-1');
  await page.getByText(`${first} is now B-3-1.`).waitFor();
  expect((await labels())[first]).toBe('B-3-1');
  await shop.call('POST', `api/device/${second}/`, { locationoverride: 'B-3-2' });
  await press(first);
  await page.getByRole('button', { name: 'Keep B-3-1 Enter' }).waitFor();
  expect(await page.getByLabel('Another place').inputValue()).toBe('');
  await scan(page, 'B-3-2');
  await page.getByRole('heading', { name: 'B-3-2 is taken' }).waitFor();
  expect(await labels()).toMatchObject({ [first]: 'B-3-1', [second]: 'B-3-2' });
  await page.getByRole('button', { name: 'Move B-3-2 here' }).click();
  await page.getByText(`${first} is now B-3-2.`).waitFor();
  expect(await labels()).toMatchObject({ [first]: 'B-3-2', [second]: '' });
});

test('on a phone every button is at least 80 px high, and the figures are not cut off', async () => {
  const [first = ''] = await bareDevices();
  const { page } = await open('Z-{1..2}-{1..2}');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Add racks for these places' }).waitFor();
  const lowest = () =>
    page.evaluate<number>(
      `Math.min(...[...document.querySelectorAll('h1 ~ button, main button')].map((each) => each.offsetHeight))`,
    );
  await expect.poll(lowest).toBeGreaterThanOrEqual(80);
  await press(first);
  await large(page, first).waitFor();
  await expect.poll(lowest).toBeGreaterThanOrEqual(80);
  await page.keyboard.press('Enter');
  await large(page, 'Press the next device').waitFor();
  const cut = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('h1 + div'))";
  await expect.poll(() => page.evaluate<number>(cut)).toBe(0);
});

test('a press that acknowledges a command does not select the device', async () => {
  const [lit = ''] = await bareDevices();
  const { page } = await open('A-{1..9}');
  await shop.call('POST', `api/device/${lit}/`, { command: 'pick', line1: 'Belt', seconds: 0, nonce: 'n1' });
  await expect.poll(async () => (await loadStation()).devices[0]?.commands[0]?.state).toBe('shown');
  await press(lit);
  await page
    .getByText(`That press counted for the lit work “Belt” at ${lit}. Press again to set up the device.`)
    .waitFor();
  expect(await isIdle(page).count()).toBe(1);
  await expect.poll(async () => (await loadStation()).devices[0]?.displayed?.led.mode).toBe('off');
  await press(lit);
  await large(page, lit).waitFor();
});

test('a waiting device is accepted when it gets its place', async () => {
  await bareDevices();
  await shop.call('PATCH', 'api/settings/', { accept_devices: 'ask' });
  const pressNew = shop.startTurbo(1);
  const waiting = async () => (await shop.call<{ deviceid: string }[]>('GET', 'api/devices/waiting/'))[0]?.deviceid;
  await expect.poll(waiting).toBeDefined();
  const deviceid = (await waiting()) ?? '';
  const { page } = await open('A-{1..9}');
  await page.getByRole('button', { name: 'Choose from the list' }).click();
  await page.getByRole('button', { name: `${deviceid} new, not accepted yet` }).waitFor();
  await page.keyboard.press('Escape');
  pressNew(deviceid);
  await large(page, deviceid).waitFor();
  await page.getByText('A new device. Giving it a place accepts it.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`${deviceid} is now A-1.`).waitFor();
  expect((await labels())[deviceid]).toBe('A-1');
});

test('when the current device is removed, the next one takes its place', async () => {
  const [first = '', second = ''] = await bareDevices();
  const { page } = await open('A-{1..9}');
  await press(first);
  await large(page, first).waitFor();
  await press(second);
  await page.getByText(`Waiting: ${second}`).waitFor();
  await shop.call('PATCH', `api/simulator/devices/${first}/`, { reachable: false });
  await shop.call('DELETE', `api/device/${first}/`);
  await page.getByText(`${first} has since been removed from the station.`).waitFor();
  await large(page, second).waitFor();
});

test('setup continues after the station goes offline and returns', async () => {
  const [first = '', second = ''] = await bareDevices();
  const window = await open('A-{1..9}');
  const { page } = window;
  await press(first);
  await large(page, first).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`${first} is now A-1.`).waitFor();
  await press(second);
  await large(page, second).waitFor();
  window.expectOutage(true);
  const port = Number(new URL(shop.url).port);
  await shop.station.kill();
  await page.getByText('The station does not answer. Nothing is lost').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`The place of ${second} was not saved.`).waitFor();
  await shop.start(COUNT, port);
  await page.getByText('The station does not answer. Nothing is lost').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByText(`${second} is now A-2.`).waitFor();
  await page.getByText('2 set up').first().waitFor();
  expect(await labels()).toMatchObject({ [first]: 'A-1', [second]: 'A-2' });
});

test('two tabs give a device only one place, and both continue', async () => {
  const [first = '', second = ''] = await bareDevices();
  const { page } = await open('A-{1..9}');
  const other = await page.context().newPage();
  await goThere(other, 'A-{1..9}');
  await press(first);
  for (const each of [page, other]) await large(each, first).waitFor();
  await page.bringToFront();
  // Both messages disappear after a few seconds.
  await Promise.all([
    page.getByText(`${first} is now A-1.`).waitFor(),
    other.getByText(`${first} got the label A-1 in another window.`).waitFor(),
    page.keyboard.press('Enter'),
  ]);
  await press(second);
  await large(other, second).waitFor();
  await other.getByRole('button', { name: 'Take A-2 Enter' }).click();
  await other.getByText(`${second} is now A-2.`).waitFor();
  await isIdle(page).waitFor();
  expect(await labels()).toMatchObject({ [first]: 'A-1', [second]: 'A-2' });
});

test('devices are set up with only the keyboard, without axe violations, on wide and narrow screens', async () => {
  const [first = '', second = ''] = await bareDevices();
  await shop.call('POST', `api/device/${second}/`, { locationoverride: 'A-2' });
  const window = await shop.open();
  const { page } = window;
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('set up');
  await page.getByRole('option', { name: 'Set up devices' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('A-{1..9}');
  const check = async () => {
    for (const [width, height] of [
      [1_280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await findBarriers(window)).toEqual([]);
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  };
  await page.getByText('1 place is already taken and will be skipped.').waitFor();
  await check();
  await page.getByRole('button', { name: 'Choose from the list' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await check();
  await page.getByRole('button', { name: new RegExp(`^${first}`) }).focus();
  await page.keyboard.press('Enter');
  await large(page, first).waitFor();
  await check();
  expect(await page.evaluate<string>('document.activeElement.name')).toBe('place');
  await page.keyboard.type('A-2', { delay: 90 });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A-2 is taken' }).waitFor();
  await check();
  // The focus is on the safe answer.
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Take A-1 Enter' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`${first} is now A-1.`).waitFor();
  await page.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await large(page, '1 device set up').waitFor();
  await check();
});
