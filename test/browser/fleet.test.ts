import { beforeEach, expect, test } from 'vitest';
import type { FleetAnswer } from '#shared/api/fleet.ts';
import { startBroker, type TestBroker } from '../helpers/servers/broker.ts';
import { tellAt, tellOfStations } from '../helpers/servers/toldFleet.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureAtRest, takePicture, takePictures } from './window.ts';

const SIZES = [
  { width: 1_366, height: 768 },
  { width: 820, height: 1_180 },
  { width: 390, height: 844 },
];
const ONE = '51D000:000001';

/** Number of pixels by which the page or its table is too wide. */
const BEYOND = `Math.max(...[document.documentElement, ...document.querySelectorAll('[role=grid]')].map((part) => part.scrollWidth - part.clientWidth))`;

const shop = useShop('fleet');
let broker: TestBroker;

beforeEach(async () => {
  broker = await startBroker();
  shop.after(() => broker.stop());
  await shop.start(2);
});

const tell = (topic: string, payload: unknown) => tellAt(broker, topic, payload);

async function watch(): Promise<void> {
  await tellOfStations(broker);
  const mqtt = { mqtt_url: broker.url, mqtt_prefix: 'acme', mqtt_station: 'office' };
  await shop.call('PATCH', '/api/settings/', { ...mqtt, fleet: true });
  await until('the stations', async () => {
    const { stations } = await shop.call<FleetAnswer>('GET', '/api/fleet/');
    return stations.length === 5 && stations.some(({ own, availability }) => own && availability === 'online');
  });
}

test('stations that need attention come first, an offline station is marked, and nothing overflows', async () => {
  await watch();
  const window = await shop.open();
  const { page } = window;
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('link', { name: 'Stations' }).click();
  const table = page.getByRole('grid', { name: 'Stations' });
  const rows = table.locator('[data-row]');
  await rows.nth(4).waitFor();
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual([
      expect.stringMatching(/mars[^]*It speaks version 2 of the topics/),
      expect.stringMatching(/Away[^]*oslo[^]*1 of 1[^]*Away since/),
      expect.stringMatching(/Callbacks wait[^]*madrid[^]*1 needs attention[^]*42[^]*1 to change[^]*erp\.madrid\.test/),
      expect.stringContaining('berlin'),
      expect.stringContaining('office'),
    ]);
  expect(await rows.nth(1).getAttribute('data-away')).toBe('true');
  await rows.nth(3).getByText('berlin', { exact: true }).waitFor();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await takePictures(window, `fleet-${size.width}`);
    expect(await measureAtRest(page, BEYOND)).toBe(0);
  }
  await page.setViewportSize({ width: 1_366, height: 768 });
  expect(await findBarriers(window)).toEqual([]);
  const search = page.getByRole('searchbox', { name: 'Order, article, place or station' });
  await search.fill('cable');
  const found = page.getByRole('list', { name: 'Found at all stations' });
  await found.getByRole('link', { name: 'M-7' }).waitFor();
  expect(await found.getByRole('link', { name: 'A-1-1' }).getAttribute('href')).toBe(
    `http://berlin.test:4680/today?device=${ONE}`,
  );
  await takePictures(window, 'fleet-found');
  expect(await findBarriers(window)).toEqual([]);
  await search.press('Escape');
  await page.getByRole('button', { name: 'Alerts (2)' }).click();
  await page.getByText('The receiver answered 503.').waitFor();
  await page.getByText('Battery low · M-7').waitFor();
  await takePictures(window, 'fleet-alerts');
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('an order is sent to another station, and its refusal and success are shown', async () => {
  await watch();
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}connections/stations`);
  await page.getByRole('button', { name: 'Send an order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send order' }).click();
  await dialog.getByText('Choose a station.').waitFor();
  await dialog.getByRole('button', { name: /Station/ }).click();
  await page.getByRole('option', { name: 'berlin' }).click();
  await dialog.getByLabel('Order number').fill('SO-9');
  await dialog.getByLabel('Article there').fill('Screws');
  await dialog.getByLabel(/^Place or DeviceID there/).fill('A-1-1');
  await takePicture(window, 'fleet-send');
  expect(await findBarriers(window)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send order' }).click();
  const SET = 'acme/berlin/orders/set';
  await until('the order', () => broker.at(SET).length === 1);
  const sent = JSON.parse(broker.at(SET)[0] ?? '') as { nonce: string };
  expect(sent).toMatchObject({ order_number: 'SO-9', launch: true, items: [{ warehouse_location: 'A-1-1' }] });
  const answer = (nonce: string, body: object) =>
    broker.publish('acme/berlin/orders/result', JSON.stringify({ nonce, ...body }));
  await answer(sent.nonce, { status: 409, code: 'conflict', detail: 'There is an order SO-9.' });
  await dialog.getByText('Station "berlin": There is an order SO-9.').waitFor();
  await dialog.getByRole('button', { name: 'Send order' }).click();
  await until('the order again', () => broker.at(SET).length === 2);
  const { nonce } = JSON.parse(broker.at(SET)[1] ?? '') as { nonce: string };
  await answer(nonce, { status: 201, order_number: 'SO-9', state: 'in_progress' });
  await page.getByText('Order SO-9 created and launched at berlin.').waitFor();
});

test('when the broker is lost, the page says that it shows the last known state, and updates again on reconnection', async () => {
  await watch();
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}connections/stations`);
  await page.getByRole('grid', { name: 'Stations' }).getByText('madrid', { exact: true }).waitFor();
  const lost = page.getByText(/^No connection to the broker\. The page shows the last known state\./);
  // Cut again until the page says it, because the station may reconnect before a slow page asks again.
  await until('the page to say that the broker is lost', () => {
    broker.cut();
    return lost.isVisible();
  });
  await takePicture(window, 'fleet-lost');
  await tell('oslo/availability', 'online');
  await page.getByText(/The page shows the last known state/).waitFor({ state: 'detached' });
  await page.getByText('Away', { exact: true }).waitFor({ state: 'detached' });
  await shop.call('PATCH', '/api/settings/', { fleet: false });
  await page.getByRole('heading', { name: 'All stations on one page' }).waitFor();
  await takePicture(window, 'fleet-off');
  await page.getByRole('link', { name: 'Open Settings' }).click();
  await page.getByRole('switch', { name: /^Show all stations/ }).waitFor();
});
