import { startBroker } from '../../test/helpers/servers/broker.ts';
import { tellOfStations } from '../../test/helpers/servers/toldFleet.ts';
import type { Scene } from './scene.ts';

/**
 * Takes screenshots of the page with all stations: turned off, with stations, with a search, with alerts, with an order to send, and
 * without the broker.
 */
export async function fleet({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}fleet`);
  await page.getByRole('heading', { name: 'All stations on one page' }).waitFor();
  await take('fleet-off');
  const broker = await startBroker();
  await tellOfStations(broker);
  const mqtt = { mqtt_url: broker.url, mqtt_prefix: 'acme', mqtt_station: 'harbour-street' };
  await shop.call('PATCH', 'api/settings/', { ...mqtt, fleet: true });
  await page.getByRole('grid').getByText('harbour-street').waitFor();
  await take('fleet');
  const search = page.getByRole('searchbox');
  await search.fill('cable');
  await page.getByRole('link', { name: 'M-7' }).waitFor();
  await take('fleet-found');
  await search.fill('');
  await page.getByRole('button', { name: 'Send an order' }).click();
  await page.getByRole('dialog').waitFor();
  await take('fleet-send');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^Alerts/ }).click();
  await page.getByText('Battery low · M-7').waitFor();
  await take('fleet-alerts');
  await page.goto(`${shop.url}fleet`);
  await page.getByRole('grid').getByText('harbour-street').waitFor();
  await broker.stop();
  await page.getByText(/last known state/).waitFor();
  await take('fleet-lost');
  await shop.call('PATCH', 'api/settings/', { mqtt_url: '', fleet: false });
}
