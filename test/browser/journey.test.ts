import { beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, pixelsOf, signIn, takePicture, takePictures, tileOf } from './window.ts';

const DEVICES = 6;
const [ONE, TWO, THREE] = ['51D000:000001', '51D000:000002', '51D000:000003'];
const LOST = 'Connection to the station lost.';

const shop = useShop('journey');
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  shop.after(() => receiver.stop());
  await start(0);
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url });
});

async function start(port: number): Promise<void> {
  await shop.start(DEVICES, port);
  for (const device of [ONE, TWO, THREE]) {
    await shop.call('PATCH', `/api/simulator/devices/${device}/`, { refresh_ms: 0 });
  }
}

test('a person sees a device lit by a script, presses it, and sends a command with the form, and the receiver gets both presses', async () => {
  await shop.call('POST', `/api/device/${ONE}/`, { statica: 'on hand 240' });
  const window = await shop.open();
  const { page } = window;
  for (let number = 1; number <= DEVICES; number++) await tileOf(page, `51D000:00000${number}`).waitFor();

  // A script lights a device. The tile shows the light, and the screen changes.
  const tile = tileOf(page, ONE);
  await tile.getByRole('button', { name: `Front button of ${ONE}, Not lit` }).waitFor();
  await tile.getByRole('img', { name: 'Screen: on hand 240' }).waitFor();
  // Wait, because a canvas has no width before it is drawn.
  await expect.poll(() => tile.locator('canvas').evaluate(({ width }: { width?: number }) => width)).toBeGreaterThan(0);
  const dark = await pixelsOf(tile.getByRole('img'));
  await shop.call('POST', `/api/device/${ONE}/`, {
    command: 'pick',
    line1: 'M8 nut',
    quantity: 12,
    color: 'g',
    nonce: 'tx1',
  });
  await tile.getByRole('button', { name: `Front button of ${ONE}, Lit green` }).waitFor();
  await tile.getByRole('img', { name: 'Screen: quantity 12, M8 nut' }).waitFor();
  await expect.poll(() => pixelsOf(tile.getByRole('img'))).not.toBe(dark);
  await takePicture(window, 'lit');

  // The person presses the button. The receiver gets the callback, and the tile's light turns off.
  await tile.getByRole('button', { name: 'Front button' }).click();
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: ONE, location: '', nonce: 'tx1', qty: 12 }]);
  await tile.getByRole('button', { name: `Front button of ${ONE}, Not lit` }).waitFor();
  await until('the screen to be as before', async () => (await pixelsOf(tile.getByRole('img'))) === dark);

  // The person sends a command with the form.
  await page.getByRole('link', { name: TWO, exact: true }).click();
  const panel = page.getByRole('complementary', { name: `Device ${TWO}` });
  await panel.getByRole('button', { name: 'Send a command' }).click();
  await panel.getByText('Flash').click();
  await panel.getByRole('textbox', { name: 'Line 1' }).fill('Cycle count');
  await panel.getByRole('textbox', { name: 'Quantity' }).fill('5');
  await panel.getByRole('button', { name: 'Add: Nonce' }).click();
  await panel.getByRole('textbox', { name: /^Nonce/ }).fill('by hand');
  await panel.getByRole('button', { name: `Send to ${TWO}` }).click();
  await panel.getByText('Shown on the device.').waitFor();
  await panel.getByRole('button', { name: `Front button of ${TWO}, Blinking red` }).waitFor();
  await takePicture(window, 'sent');
  await panel.getByRole('button', { name: `Plus button of ${TWO}` }).click();
  await panel.getByRole('img', { name: 'Screen: quantity 6, Cycle count' }).first().waitFor();
  await panel.getByRole('button', { name: 'Front button' }).click();
  await receiver.received(2);
  expect(receiver.payloads()[1]).toEqual({ acknack: 'ack', deviceid: TWO, location: '', nonce: 'by hand', qty: 6 });
  await panel.getByText('The command has ended.').waitFor();
  expect(window.complaints).toEqual([]);
});

test('the page says that the station has stopped, and recovers when the station is back', async () => {
  const window = await shop.open();
  const { page } = window;
  await shop.call('POST', `/api/device/${THREE}/`, { line1: 'before', seconds: 0, nonce: 'n' });
  await tileOf(page, THREE).getByRole('button', { name: 'Blinking red' }).waitFor();

  window.expectOutage(true);
  const { port } = new URL(shop.url);
  expect(await shop.station.stop()).toBe(0);
  await page.getByRole('alert').filter({ hasText: LOST }).waitFor();
  await takePicture(window, 'lost');
  await start(Number(port));
  await page.getByText(LOST).waitFor({ state: 'detached' });
  window.expectOutage(false);
  await shop.call('POST', `/api/device/${ONE}/`, { command: 'pick', line1: 'after', color: 'b', nonce: 'm' });
  await tileOf(page, ONE).getByRole('button', { name: 'Lit blue' }).waitFor();
  await tileOf(page, THREE).getByRole('button', { name: 'Blinking red' }).waitFor();
  await tileOf(page, ONE).getByRole('button', { name: 'Front button' }).click();
  await receiver.received(1);
  expect(window.complaints).toEqual([]);
});

test('sign-in, map, panel and lost connection have no axe violations', async () => {
  const window = await shop.openWindow('light');
  const { page } = window;
  await page.goto(shop.url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await findBarriers(window), 'signing in').toEqual([]);
  await takePictures(window, 'sign-in');

  await shop.call('POST', `/api/device/${ONE}/`, { command: 'pick', line1: 'M8 nut', color: 'g', quantity: 1 });
  await shop.call('POST', `/api/device/${TWO}/`, { line1: 'one', color: 'yellow' });
  await shop.call('POST', `/api/device/${TWO}/`, { line1: 'two', color: '#8040c0' });
  await shop.call('PATCH', `/api/simulator/devices/${THREE}/`, { battery_mv: 2_250 });
  await shop.call('PATCH', '/api/simulator/devices/51D000:000004/', { reachable: false });
  await signIn(window, shop.url);
  await tileOf(page, ONE).getByRole('button', { name: 'Lit green' }).waitFor();
  await tileOf(page, '51D000:000004').getByText('Offline').waitFor();
  expect(await findBarriers(window), 'the station').toEqual([]);
  await takePictures(window, 'station');

  await page.getByRole('link', { name: TWO, exact: true }).click();
  await page.getByRole('button', { name: 'Send a command' }).click();
  await page.getByRole('button', { name: `Send to ${TWO}` }).waitFor();
  expect(await findBarriers(window), 'the panel of a device').toEqual([]);
  await takePictures(window, 'panel');

  window.expectOutage(true);
  await shop.station.stop();
  await page.getByRole('alert').filter({ hasText: LOST }).waitFor();
  expect(await findBarriers(window), 'without a connection').toEqual([]);
  expect(window.complaints).toEqual([]);
});
