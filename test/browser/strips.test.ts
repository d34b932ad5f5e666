import { beforeEach, expect, test } from 'vitest';
import { startWled, type WledController } from '../helpers/devices/wledController.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, takePictures } from './window.ts';

const shop = useShop('strips');
let wled: WledController;

beforeEach(async () => {
  wled = await startWled({ leds: 40 });
  shop.after(() => wled.stop());
  await shop.start(2);
});

test('a strip is connected, given places, lit and acknowledged on the page', async () => {
  const window = await shop.open();
  const { page, complaints } = window;
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('button', { name: 'Connect a gateway' }).click();
  await page.getByRole('menuitem', { name: 'WLED strip…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a WLED strip' });
  await dialog.getByLabel('Address').fill(wled.url.replace(/^http:\/\/|\/$/g, ''));
  await dialog.getByLabel('Name').fill('Rack 3');
  await dialog.getByText('Add many at once').click();
  await dialog.getByLabel('Labels').fill('W-{1..4}');
  await dialog.getByRole('button', { name: 'Add 4 places from LED 0' }).click();
  expect(await dialog.getByLabel('Places').inputValue()).toBe('W-1 0-2\nW-2 3-5\nW-3 6-8\nW-4 9-11');
  await takePictures(window, 'strip-connect');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  // Each place flashes in turn after it was saved.
  const flashes = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Flash again' }) });
  await flashes.getByText('W-1').waitFor();
  await takePictures(window, 'strip-flash');
  await flashes.getByRole('button', { name: 'Next' }).click();
  await flashes.getByText('W-2').waitFor();
  await flashes.getByRole('button', { name: 'Stop' }).click();
  await flashes.waitFor({ state: 'hidden' });
  const card = page.getByRole('list', { name: 'Gateways' }).getByLabel('Rack 3', { exact: true });
  await card.getByText('Online').waitFor();
  await card.getByText('WLED strip').waitFor();

  await card.getByRole('button', { name: 'Manage Rack 3' }).click();
  await page.getByRole('menuitem', { name: 'Places…' }).click();
  const places = page.getByRole('dialog', { name: 'Places on Rack 3' });
  const lines = places.getByLabel('Places', { exact: true });
  await lines.fill('nonsense');
  await places.getByRole('button', { name: 'Save' }).click();
  await places.getByText('“nonsense” is not a place.').waitFor();
  await lines.fill('W-1 0-2\nW-2 3-5\nW-3 6-8\nFar 38-44');
  await takePictures(window, 'strip-places');
  await places.getByRole('button', { name: 'Save' }).click();
  await flashes.getByRole('button', { name: 'Stop' }).click();
  await card.getByText('Far: LEDs 38 to 44 are beyond the end of the strip, which has 40 (0 to 39).').waitFor();
  await takePictures(window, 'strip-card');
  expect(await measureOverflow(page)).toBe(0);
  expect(await findBarriers(window)).toEqual([]);

  const lit = { line1: 'M8 nut', quantity: 3, nonce: 'n' };
  await shop.call('POST', '/api/devices/', { ...lit, location: 'W-1', command: 'pick', color: 'green' });
  await shop.call('POST', '/api/devices/', { ...lit, location: 'W-2', command: 'flash', color: 'magenta' });
  await until('the LED to change', () => wled.colors()[0] === '00FF00');
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  const tile = page.locator('[data-deviceid="D3E4F5:000001"]');
  await tile.waitFor();
  await takePictures(window, 'strip-map');
  await tile.locator('a, button').first().click();
  await page.getByRole('button', { name: /^Acknowledge W-1 here/ }).waitFor();
  await takePictures(window, 'strip-panel');
  await page.getByRole('button', { name: /^Acknowledge W-1 here/ }).click();
  await until('the LED to change', () => wled.colors()[0] === '000000');
  expect(complaints).toEqual([]);
});

test('a strip in the network is found and connected without typing its address', async () => {
  const window = await shop.open();
  const { page, complaints } = window;
  const strip = { kind: 'wled', url: wled.url, name: 'WLED-Rack3', linked: false };
  const known = { ...strip, url: 'http://192.168.1.31/', name: 'Rack <b>1</b>', linked: true };
  const nameless = { ...strip, url: 'http://192.168.1.32/', name: '' };
  let answers = [strip, known, nameless];
  let release = Promise.withResolvers<void>();
  await page.route('**/api/turbo/links/found/', async (route) => {
    await release.promise;
    await route.fulfill({ json: answers });
  });
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('button', { name: 'Connect a gateway' }).click();
  await page.getByRole('menuitem', { name: 'WLED strip…' }).click();
  await takePictures(window, 'found-before');
  await page.getByRole('button', { name: 'Search the network' }).click();
  await page.getByRole('button', { name: 'Searching…' }).waitFor();
  await takePictures(window, 'found-searching');
  release.resolve();
  await page.getByText('3 found.').waitFor();
  await takePictures(window, 'found-list');
  expect(await measureOverflow(page)).toBe(0);
  expect(await findBarriers(window)).toEqual([]);
  answers = [];
  release = Promise.withResolvers<void>();
  release.resolve();
  await page.getByRole('button', { name: 'Search the network' }).click();
  await page.getByText(/^None found/).waitFor();
  await takePictures(window, 'found-none');
  answers = [strip];
  await page.getByRole('button', { name: 'Search the network' }).click();
  await page.getByRole('button', { name: 'Connect to WLED-Rack3' }).click();
  const places = page.getByRole('dialog', { name: 'Places on WLED-Rack3' });
  await places.getByLabel('Places', { exact: true }).fill('W-1 0-2');
  await places.getByRole('button', { name: 'Save' }).click();
  const card = page.getByRole('list', { name: 'Gateways' }).getByLabel('WLED-Rack3', { exact: true });
  await card.getByText('Online').waitFor();
  expect(complaints).toEqual([]);
});
