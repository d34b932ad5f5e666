import { beforeEach, expect, test } from 'vitest';
import { startBroker, type TestBroker } from '../helpers/servers/broker.ts';
import { useShop } from './shop.ts';
import { findFaults, takePictures } from './window.ts';

const ONE = '51D000:000001';

const shop = useShop('mqtt');
let broker: TestBroker;

beforeEach(async () => {
  broker = await startBroker();
  shop.after(() => broker.stop());
  await shop.start(2);
});

/** Sends a command and presses its button, which causes a callback to the broker. */
async function press(nonce: string): Promise<void> {
  await shop.call('PATCH', `/api/simulator/devices/${ONE}/`, { refresh_ms: 0, press_after_ms: 0 });
  await shop.call('POST', `/api/device/${ONE}/`, { line1: 'Cable tie 200', quantity: 5, nonce });
}

test('with only the keyboard, a broker is set, connected and tested, and its messages and callbacks are shown', async () => {
  const { page, complaints } = await shop.open();
  await page.goto(`${shop.url}connections/mqtt`);
  const connection = page.getByRole('region', { name: 'Connection' });
  await connection.getByText('Off', { exact: true }).waitFor();
  const url = page.getByRole('textbox', { name: /^Broker/ });
  await url.focus();
  await page.keyboard.type('broker.shop.example');
  await page.keyboard.press('Enter');
  await page.getByText(/^Write mqtt:\/\/ or mqtts:\/\//).waitFor();
  await url.fill(broker.url);
  await page.keyboard.press('Enter');
  await connection.getByText(/^Connected since .* over MQTT 3\.1\.1$/).waitFor();
  await connection.getByRole('button', { name: 'Test the connection to the broker' }).focus();
  await page.keyboard.press('Enter');
  await connection.getByText(/^The broker delivered a message in \d+ ms\.$/).waitFor();
  await press('pick-7');
  const messages = connection.getByRole('list', { name: 'Messages, newest first' });
  const callback = messages.locator('summary', { hasText: 'callbacks/device' });
  await callback.waitFor();
  await connection.getByRole('textbox', { name: 'Filter messages' }).focus();
  await page.keyboard.type('pick-7 callbacks');
  await connection.getByText(/^1 of \d+ messages$/).waitFor();
  await callback.focus();
  await page.keyboard.press('Enter');
  await connection.getByRole('region', { name: 'Content' }).getByText('"pick-7"').waitFor();

  await page.getByRole('link', { name: 'Callbacks', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  const line = page.getByRole('list', { name: 'Callbacks, newest first' }).getByRole('link');
  await line.getByText('Acknowledged').waitFor();
  await line.focus();
  await page.keyboard.press('Enter');
  const article = page.getByRole('article', { name: /^Pressed/ });
  await article.getByText('The broker acknowledged it.', { exact: true }).waitFor();
  await article.getByText(/ack over MQTT: The broker acknowledged it\.$/).waitFor();
  const before = broker.saw.filter(({ topic }) => topic.endsWith('/callbacks/device')).length;
  await page.getByRole('button', { name: 'Send again' }).focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => broker.saw.filter(({ topic }) => topic.endsWith('/callbacks/device')).length)
    .toBe(before + 1);
  // Ignore the browser's message about the refused address.
  expect(complaints.filter((complaint) => !complaint.includes('400 (Bad Request)'))).toEqual([]);
});

test('shows that the broker is lost, with the reason, while the page is open', async () => {
  await shop.call('PATCH', '/api/settings/', { mqtt_url: broker.url });
  const { page } = await shop.open();
  await page.goto(`${shop.url}connections/mqtt`);
  const connection = page.getByRole('region', { name: 'Connection' });
  await connection.getByText(/^Connected since /).waitFor();
  await broker.stop();
  await connection.getByText(/^Not connected since /).waitFor();
  await connection.getByText(/The station keeps trying\.$/).waitFor();
});

test('the MQTT page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  await shop.call('PATCH', '/api/settings/', { mqtt_url: broker.url, mqtt_station: 'harbour-street' });
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}connections/mqtt`);
  const connection = page.getByRole('region', { name: 'Connection' });
  await connection.getByText(/^Connected since /).waitFor();
  await press('a nonce that says much more than a line of a list has room for');
  await broker.publish(`pickstation/harbour-street/devices/${ONE}/set`, '{"line1":"Belt A38","color":"nowhere"}');
  const messages = connection.getByRole('list', { name: 'Messages, newest first' });
  await messages
    .locator('summary', { hasText: `devices/${ONE}/set` })
    .first()
    .waitFor();
  await page.getByText('Certificates', { exact: true }).click();
  const look = async (width: number): Promise<void> => {
    await page.getByRole('heading', { name: 'MQTT', level: 1 }).scrollIntoViewIfNeeded();
    await connection.scrollIntoViewIfNeeded();
    await takePictures(window, `mqtt-${width}`);
  };
  expect(await findFaults(window, { look })).toEqual([]);
  expect(window.complaints).toEqual([]);
});
