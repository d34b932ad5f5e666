import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import { listenTo } from '../helpers/servers/listen.ts';
import { addPickers, at, labelDevices, openPick, scan } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, type Window } from './window.ts';

const shop = useShop('sound');

beforeEach(() => shop.start(4));

/** A sound that the page asked the browser to play. */
type Played = { samples: number[]; rate: number; state: string };

/** Makes the page record each sound before it plays it. */
async function listenIn({ page }: Window): Promise<() => Promise<Played[]>> {
  const note = `window.played = [];
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...rest) {
      window.played.push({ samples: [...this.buffer.getChannelData(0)], rate: this.context.sampleRate, state: this.context.state });
      return start.apply(this, rest);
    };`;
  await page.evaluate(`(() => { ${note} })()`);
  return () => page.evaluate<Played[]>('window.played');
}

const light = (number: number, sound: string) =>
  shop.call('POST', `/api/device/51D000:00000${number}/`, { command: 'flash', line1: 'Listen', sound });

const switchName = /play the sounds of devices here$/i;

/** Switches the sounds on, and waits until the browser is ready to play them. */
async function switchOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: switchName }).click();
  await page.getByRole('button', { name: 'Play the sounds of devices here', exact: true, pressed: true }).waitFor();
}

test("once sounds are on, a command's sound is played in only one of two tabs", async () => {
  const window = await shop.open();
  const played = await listenIn(window);
  const { page } = window;
  await light(1, 'taps');
  await page.locator('[data-lit]').first().waitFor();
  expect(await played()).toEqual([]);

  await switchOn(page);
  await light(2, '100,c5,2,p,1,a5,2');
  await until('a sound', async () => (await played()).length > 0);
  const [first] = await played();
  expect(first?.state).toBe('running');
  const heard = listenTo(
    Int16Array.from(first?.samples ?? [], (sample) => sample * 32_767),
    first?.rate ?? 0,
  );
  expect(heard.map(({ frequencyHz }) => Math.round(frequencyHz))).toEqual([523, 880]);
  expect((first?.samples.length ?? 0) / (first?.rate ?? 1)).toBeCloseTo(0.5, 3);

  const second = { ...window, page: await page.context().newPage() };
  await second.page.goto(shop.url);
  await second.page.getByText('Click to hear').waitFor();
  const playedThere = await listenIn(second);
  // The new tab has not had a click yet, so the earlier tab still plays.
  await light(3, 'beep');
  await until('a sound in the tab behind', async () => (await played()).length > 1);
  expect(await playedThere()).toEqual([]);

  await second.page.getByRole('heading', { name: 'Today', exact: true }).click();
  await second.page.getByText('Click to hear').waitFor({ state: 'detached' });
  await light(4, 'beep');
  await until('a sound in the tab in front', async () => (await playedThere()).length > 0);
  expect(await played()).toHaveLength(2);
  expect(await playedThere()).toHaveLength(1);
  expect(window.complaints).toEqual([]);
});

test('the settings play a sample at the chosen volume, and keep the volume after a reload', async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}settings`);
  await page.getByRole('heading', { name: 'Sounds', exact: true }).waitFor();
  const played = await listenIn(window);
  await page.getByText('Play the sounds of devices here').click();
  await page.getByRole('slider', { name: 'Volume' }).fill('20');
  await page.getByRole('button', { name: 'Try it' }).click();
  await until('the tune', async () => (await played()).length > 0);
  expect(await findBarriers(window)).toEqual([]);
  await page.reload();
  await page.getByRole('heading', { name: 'Sounds', exact: true }).waitFor();
  expect(await page.getByRole('slider', { name: 'Volume' }).inputValue()).toBe('20');
  expect(await page.getByRole('switch', { name: /^Play the sounds of devices here/ }).isChecked()).toBe(true);
  expect(window.complaints).toEqual([]);
});

test('Pick plays different sounds for right and wrong scans, and repeats a sound for an aborted order', async () => {
  const [first, second] = await labelDevices(shop, ['A-1-1', 'A-1-2', 'A-1-3']);
  await addPickers(shop, ['Anna']);
  const items = [first, second].map((deviceid) => ({ name: 'Nut', ordered_quantity: 1, deviceid }));
  await shop.call('POST', '/api/orders/', { order_number: '10418', items });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  const played = await listenIn(window);
  await switchOn(page);
  await scan(page, '10418');
  await at(page, 'A-1-1');
  // Distinguish the sounds by their lengths.
  const lengths = async () => (await played()).map(({ samples }) => samples.length);
  const right = 1;
  await until('the sound of a right scan', async () => (await lengths()).length === right);
  await scan(page, 'A-1-3');
  await page.getByRole('alert').getByText('Wrong place').waitFor();
  await until('the sound of a wrong scan', async () => (await lengths()).length === right + 1);
  await shop.call('POST', '/api/orders/10418/abort/');
  await until('the call for attention, twice', async () => (await lengths()).length >= right + 3);
  await page.keyboard.press('Shift');
  const [ofRight, ofWrong, ofCall, ofCallAgain] = await lengths();
  expect([ofRight === ofWrong, ofWrong === ofCall, ofCall === ofCallAgain]).toEqual([false, false, true]);
});
