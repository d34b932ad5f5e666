import { startBroker } from '../../test/helpers/servers/broker.ts';
import type { Scene } from './scene.ts';

/** Takes screenshots of the broker in Settings and on the Callbacks page: off, connected with messages, and unreachable. */
export async function mqtt({ shop, page, take }: Scene): Promise<void> {
  const connection = page.getByRole('region', { name: 'Connection' });
  const show = async (): Promise<void> => {
    await page.goto(shop.url);
    await page.goto(`${shop.url}settings#mqtt`);
    await connection.waitFor();
    await connection.scrollIntoViewIfNeeded();
  };
  await show();
  await take('mqtt-off');
  const broker = await startBroker();
  await shop.call('PATCH', 'api/settings/', {
    mqtt_url: broker.url,
    mqtt_station: 'harbour-street',
    callback_url: 'http://receiver.invalid/',
  });
  const device = await shop.deviceAt('A-3-2');
  await shop.call('PATCH', `api/simulator/devices/${device}/`, { press_after_ms: 0 });
  await show();
  await connection.getByText(/^Connected since/).waitFor();
  await shop.call('POST', `api/device/${device}/`, { line1: 'Cable tie 200', quantity: 5, nonce: 'pick-21' });
  await broker.publish(`pickstation/harbour-street/devices/${device}/set`, '{"line1":"Belt A38","quantity":"many"}');
  await connection.locator('summary', { hasText: 'callbacks/device' }).first().waitFor();
  await connection.getByRole('button', { name: 'Test the connection to the broker' }).click();
  await connection.getByText(/^The broker delivered/).waitFor();
  await connection.locator('summary', { hasText: 'callbacks/device' }).first().click();
  await connection.getByRole('region', { name: 'Content' }).first().waitFor();
  await take('mqtt-connected');
  await page.getByRole('heading', { name: 'MQTT', level: 1 }).scrollIntoViewIfNeeded();
  await take('mqtt-settings');
  await page.goto(`${shop.url}callbacks`);
  await page.getByText('Acknowledged').first().waitFor();
  await take('mqtt-callbacks');
  await page
    .getByRole('link', { name: /Acknowledged$/ })
    .first()
    .click();
  await page.getByRole('article').waitFor();
  await take('mqtt-callback');
  await broker.stop();
  await show();
  await connection.getByText(/^Not connected since/).waitFor();
  await take('mqtt-away');
  await shop.call('PATCH', 'api/settings/', { mqtt_url: '', callback_url: '' });
  await shop.call('PATCH', `api/simulator/devices/${device}/`, { press_after_ms: null });
}
