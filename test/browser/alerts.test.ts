import { beforeEach, expect, test } from 'vitest';
import { useShop } from './shop.ts';
import { findFaults } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

const shop = useShop('alerts');

beforeEach(() => shop.start(2));

const battery = (deviceid: string, battery_mv: number) =>
  shop.call('PATCH', `/api/simulator/devices/${deviceid}/`, { battery_mv });

test('with only the keyboard, a new alert is opened, marked as seen in every window, and leads to its device', async () => {
  const { page } = await shop.open();
  const other = (await shop.open('dark')).page;
  await battery(ONE, 2_250);
  const bell = page.getByRole('link', { name: /^Alerts/ });
  await page.getByRole('link', { name: 'Alerts 1 new alert' }).waitFor();
  await bell.focus();
  await page.keyboard.press('Enter');
  const seen = page.getByRole('button', { name: `Mark as seen: Battery low, 6 %, ${ONE}` });
  await seen.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Seen by admin').waitFor();
  await other.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
  await page.getByRole('link', { name: ONE }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: ONE }).waitFor();
  await page.getByRole('button', { name: /^Low battery ?1/ }).waitFor();
});

test('the Alerts page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  const isWell = async (what: string) => expect(await findFaults(window), what).toEqual([]);
  await page.goto(`${shop.url}alerts`);
  await page.getByRole('heading', { name: 'No open alerts' }).waitFor();
  await isWell('none');
  const locationoverride = 'A label that takes most of the room';
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: locationoverride.slice(0, 26) });
  await shop.call('PATCH', '/api/settings/', { alert_weak_dbm: -58 });
  await battery(ONE, 2_250);
  await battery(TWO, 2_250);
  await page.getByRole('listitem').nth(3).waitFor();
  await page.getByRole('button', { name: new RegExp(`^Mark as seen: Battery low.*${TWO}`) }).click();
  await page.getByText('Seen by admin').waitFor();
  await isWell('open');
  await battery(ONE, 3_000);
  await page.goto(`${shop.url}alerts/ended`);
  await page.getByText('Resolved just now').waitFor();
  await isWell('over');
  await page.goto(`${shop.url}settings`);
  await page.getByRole('form', { name: 'Alerts' }).waitFor();
  await isWell('settings');
  expect(window.complaints).toEqual([]);
});
