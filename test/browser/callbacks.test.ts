import { beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findFaults, takePictures } from './window.ts';

const ONE = '51D000:000001';

const shop = useShop('callbacks');
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  shop.after(receiver.stop);
  await shop.start(2);
});

/** Sends a command and presses its button, which causes a callback. */
async function press(nonce: string): Promise<void> {
  await shop.call('PATCH', `/api/simulator/devices/${ONE}/`, { refresh_ms: 0, press_after_ms: 0 });
  await shop.call('POST', `/api/device/${ONE}/`, { line1: 'Cable tie 200', quantity: 5, nonce });
}

test('with only the keyboard, a failed callback is found, inspected and sent again, and a second window shows the changes', async () => {
  receiver.reply({ status: 422, headers: { 'content-type': 'application/json' } });
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url });
  const { page } = await shop.open();
  const other = (await shop.open('dark')).page;
  for (const each of [page, other]) {
    for (const name of ['Connections', 'Callbacks']) {
      await each.getByRole('link', { name, exact: true }).focus();
      await each.keyboard.press('Enter');
    }
    await each.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  }
  await press('pick-7');
  const line = page.getByRole('list', { name: 'Callbacks, newest first' }).getByRole('link');
  await line.getByText('422').waitFor();
  await page.getByText('1 pending').waitFor();
  await line.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: /^Pressed/ }).waitFor();
  await page.getByRole('region', { name: 'The raw answer' }).getByText('application/json').waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Acknowledged').first().waitFor();
  receiver.reply(200);
  await page.getByRole('button', { name: 'Send again' }).focus();
  await page.keyboard.press('Enter');
  for (const each of [page, other]) await each.getByText('Nothing pending').waitFor();
  await other.getByText('Delivered').first().waitFor();
});

test('a person without a receiver tries callbacks with the built-in receiver', async () => {
  const { page } = await shop.open();
  await page.goto(`${shop.url}connections/callbacks`);
  await page.getByRole('heading', { name: 'No receiver' }).waitFor();
  await page.getByRole('button', { name: 'Use built-in receiver' }).click();
  await page.getByText('No callbacks yet. Press a device or send a test.').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Delivered: your system answered').waitFor();
  await press('pick-8');
  await page.getByRole('list', { name: 'Received callbacks, newest first' }).getByText('"pick-8"').waitFor();
  await page.getByText('Not signed').first().waitFor();
});

test('the Callbacks page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  const isWell = async (what: string) => {
    const picture = (width: number) => takePictures(window, `callbacks-${what}-${width}`);
    expect(await findFaults(window, { look: picture }), what).toEqual([]);
  };
  await page.goto(`${shop.url}connections/callbacks`);
  await page.getByRole('heading', { name: 'No receiver' }).waitFor();
  await isWell('none');
  await shop.call('PATCH', '/api/settings/', { callback_url: `${receiver.url}hook?token=x&site=harbour-street` });
  await press('pick-1');
  await page.getByText('Delivered').first().waitFor();
  receiver.reply({ status: 503, headers: { 'content-type': 'text/plain', 'retry-after': '120' } });
  for (const nonce of ['pick-2', 'a nonce that says much more than a line of a list has room for']) await press(nonce);
  await page.getByText('Retrying').nth(1).waitFor();
  await isWell('list');
  await page.getByRole('list', { name: 'Callbacks, newest first' }).getByRole('link').first().click();
  await page.getByRole('article').getByRole('region', { name: 'Answer' }).first().waitFor();
  await isWell('open');
  await page.goto(`${shop.url}connections/callbacks/to`);
  await page.getByRole('heading', { name: 'Built-in receiver' }).waitFor();
  await isWell('to');
  await shop.call('PATCH', '/api/settings/', { callback_url: 'http://receiver.invalid/' });
  await press('pick-3');
  await page.getByText('"pick-3"').first().waitFor();
  await isWell('own');
  expect(window.complaints).toEqual([]);
});

test("a receiver added by keyboard gets its events, and editing it cannot overwrite another person's change", async () => {
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}connections/callbacks/to`);
  const part = page.getByRole('region', { name: 'Further receivers' });
  await part.getByRole('button', { name: 'Add receiver' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.type('Packing bench');
  await page.keyboard.press('Tab');
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await part.getByText('Nothing sent yet').waitFor();
  await press('pick-9');
  await until('the callback', () => receiver.requests.some(({ body }) => body.includes('"pick-9"')));
  await page.reload();
  await part.getByText('Delivered').waitFor();
  const picture = (width: number) => takePictures(window, `callbacks-further-${width}`);
  expect(await findFaults(window, { look: picture })).toEqual([]);
  const [{ id }] = await shop.call<[{ id: number }]>('GET', '/api/callback-receivers/');
  await part.getByRole('button', { name: 'Edit Packing bench' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Bench 1');
  await shop.call('PATCH', `/api/callback-receivers/${id}/`, { name: 'Bench 2' });
  await page.keyboard.press('Enter');
  await dialog.getByText('Somebody has changed this since you opened it.').waitFor();
  expect(await shop.call('GET', `/api/callback-receivers/${id}/`)).toMatchObject({ name: 'Bench 2' });
});
