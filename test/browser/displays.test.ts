import { expect, test } from 'vitest';
import { systemPorts } from '../../electron/server/systemPorts.ts';
import { FakeDisplay } from '../helpers/devices/fakeDisplay.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, takePictures } from './window.ts';

const shop = useShop('displays');
const KEY = '00112233445566778899AABBCCDDEEFF';

test('a display is found, connected with its key, lit and pressed, and its faults are shown', async () => {
  const { clock } = systemPorts('silent', {});
  const display = await new FakeDisplay(clock, { key: KEY }).start();
  display.refreshMs = { full: 50, fast: 20 };
  shop.after(() => display.stop());
  await shop.start(2);
  const window = await shop.open();
  const { page, complaints } = window;
  const found = { kind: 'opendisplay', url: display.url, name: 'OD1A2B3C', linked: false, needs_key: true };
  const other = {
    ...found,
    url: 'opendisplay://192.168.1.41:2446/',
    name: 'OD1A2B3D',
    linked: true,
    needs_key: false,
  };
  await page.route('**/api/turbo/links/found/', (route) => route.fulfill({ json: [found, other] }));
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('button', { name: 'Connect a gateway' }).click();
  await takePictures(window, 'display-menu');
  await page.getByRole('menuitem', { name: 'OpenDisplay display…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect an OpenDisplay display' });
  await dialog.getByRole('button', { name: 'Search the network' }).click();
  await dialog.getByRole('button', { name: 'Connect to OD1A2B3C' }).click();
  await dialog.getByText(/^This display uses encryption/).waitFor();
  await dialog.getByLabel('Name').fill('Shelf 7');
  await dialog.getByLabel('Key', { exact: true }).fill(KEY);
  await takePictures(window, 'display-connect');
  expect(await measureOverflow(page)).toBe(0);
  expect(await findBarriers(window)).toEqual([]);
  await dialog.getByRole('button', { name: 'Connect to OD1A2B3C' }).click();
  const card = page.getByRole('list', { name: 'Gateways' }).getByLabel('Shelf 7', { exact: true });
  await card.getByText('Online').waitFor();
  await card.getByText('OpenDisplay display').waitFor();
  await takePictures(window, 'display-card');
  const known = await shop.call<string[]>('GET', '/api/device/');
  const deviceId = known.find((id) => !id.startsWith('51D000')) ?? '';
  await shop.call('POST', `/api/device/${deviceId}/`, { command: 'pick', line1: 'M8 nut', quantity: 3, nonce: 'n' });
  await until('the light', () => display.isLit());
  await until('the picture', () => display.drawn.length > 1);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  const tile = page.locator(`[data-deviceid="${deviceId}"]`);
  await tile.waitFor();
  await takePictures(window, 'display-map');
  display.press(0);
  await until('the dark', () => !display.isLit());
  display.timeouts = 3;
  await shop.call('POST', `/api/device/${deviceId}/`, { command: 'pick', line1: 'Washer', quantity: 1, nonce: 'm' });
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await card
    .getByText(/^The screen did not finish its refresh in time/)
    .first()
    .waitFor();
  await takePictures(window, 'display-trouble');
  display.hold();
  await page
    .getByText(/^Another program holds this display/)
    .first()
    .waitFor();
  await takePictures(window, 'display-held');
  expect(complaints).toEqual([]);
});
