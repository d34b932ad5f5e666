import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { addPickers, at, labelDevices, openPick, scan, takeNext, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, takePictures } from './window.ts';

const PLACES = ['A-1-1', 'A-1-2'];

const shop = useShop('pickTogether');
let receiver: Receiver;
let devices: string[];

beforeEach(async () => {
  receiver = await startReceiver();
  shop.after(() => receiver.stop());
  await shop.start(PLACES.length);
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url, ordernonce: '{order}' });
  devices = await labelDevices(shop, PLACES);
  await addPickers(shop, ['Anna', 'Ben']);
});

const orderNow = (number: string) => shop.call<Order>('GET', `/api/orders/${number}/`);
const quantitiesOf = async (number: string) =>
  (await orderNow(number)).shipments.flatMap(({ items }) => items.map((item) => item.quantity_fulfilled));

test('a line at a place without a device is confirmed on the page, and the order is complete only then', async () => {
  await shop.call('POST', '/api/orders/', {
    order_number: '10418',
    customer: 'Lakeside Bicycles',
    note: 'Gift: no invoice in the parcel',
    items: [
      { name: 'Cable tie', SKU: 'CT-1', ordered_quantity: 2, deviceid: devices[0] },
      { name: 'Bell', SKU: 'BE-7', ordered_quantity: 3, warehouse_location: 'Q-1-1' },
      { name: 'Pump', SKU: 'PU-2', ordered_quantity: 4, warehouse_location: 'Q-1-2' },
    ],
  });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await takeNext(page);
  await at(page, 'A-1-1');
  await page.getByText('Lakeside Bicycles').waitFor();
  await page.getByText('Gift: no invoice in the parcel').waitFor();
  await shop.press(devices[0] ?? '');
  await at(page, 'Q-1-1');
  await page.getByText('No light here').waitFor();
  expect((await orderNow('10418')).state).toBe('in_progress');
  await takePictures(window, 'pick-without-light');
  await touch(page, /^Picked/);
  await at(page, 'Q-1-2');
  await scan(page, 'q-1-2');
  await page.getByText('Order 10418 complete').waitFor();
  expect(await quantitiesOf('10418')).toEqual([2, 3, 4]);
  expect((await orderNow('10418')).state).toBe('fulfilled');
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test('at a place with lines of two people, the light follows who arrives there, and each press books the lit line', async () => {
  for (const [number, quantity] of [
    ['S-1', 5],
    ['S-2', 3],
  ] as const) {
    const item = { name: `Part of ${number}`, SKU: number, ordered_quantity: quantity, deviceid: devices[0] };
    await shop.call('POST', '/api/orders/', { order_number: number, items: [item] });
  }
  // Anna's page is closed, so her line is lit first although nobody goes there.
  await shop.call('POST', '/api/orders/S-1/launch/', { picker: 'Anna' });
  const ben = await openPick(shop, 'Ben');
  await takeNext(ben.page);
  await at(ben.page, 'A-1-1');
  const first = async () =>
    (await shop.call<{ commands: { order_number: string; state: string }[] }>('GET', `/api/device/${devices[0]}/`))
      .commands[0];
  await expect.poll(first).toMatchObject({ order_number: 'S-2', state: 'shown' });
  // Anna's page names the line, but Ben arrived first.
  const anna = await openPick(shop, 'Anna');
  await touch(anna.page, /^Continue/);
  await at(anna.page, 'A-1-1');
  await anna.page.getByText("Ben's work is lit here").waitFor();
  await shop.press(devices[0] ?? '');
  const mine = anna.page.getByRole('button', { name: 'It was mine' });
  await ben.page
    .getByText(/Order S-2 complete|booked your 3/)
    .first()
    .waitFor();
  await expect.poll(() => quantitiesOf('S-2')).toEqual([3]);
  await expect.poll(first).toMatchObject({ order_number: 'S-1', state: 'shown' });
  await mine.waitFor();
  // Take the time to read the new line: a press within 250 ms after Ben's line would be too early.
  await anna.page.evaluate('new Promise((next) => setTimeout(next, 400))');
  await shop.press(devices[0] ?? '');
  await anna.page.getByText('Order S-1 complete').waitFor();
  expect(await quantitiesOf('S-1')).toEqual([5]);
  expect([...anna.complaints, ...ben.complaints]).toEqual([]);
});
