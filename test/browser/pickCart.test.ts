import { beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { addPickers, at, heard, labelDevices, openPick, scan, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, takePictures, type Window } from './window.ts';

const PLACES = ['A-1-1', 'A-1-2', 'A-2-1'];
const SLOTS = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];

const shop = useShop('pickCart');
let receiver: Receiver;
let devices: string[];

beforeEach(async () => {
  receiver = await startReceiver();
  shop.after(() => receiver.stop());
  await shop.start(PLACES.length + 2);
  await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url, ordernonce: '{order}' });
  devices = await labelDevices(shop, [...PLACES, 'S-A1', 'S-A2']);
  await addPickers(shop, ['Anna', 'Ben']);
  await shop.call('POST', '/api/carts/', {
    name: 'Cart 1',
    code: 'CART-1',
    rows: 2,
    columns: 3,
    slots: SLOTS.map((slot, index) => ({
      slot,
      code: `CART-1-${slot}`,
      ...(index < 2 ? { deviceid: devices[PLACES.length + index] } : {}),
    })),
  });
  for (const [number, ties, bells] of [
    ['SO-1', 2, 1],
    ['SO-2', 3, 0],
    ['SO-3', 1, 2],
  ] as const) {
    await shop.call('POST', '/api/orders/', {
      order_number: number,
      items: [
        { name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: ties, deviceid: devices[0] },
        ...(bells > 0 ? [{ name: 'Bell', SKU: 'BE-7', ordered_quantity: bells, deviceid: devices[1] }] : []),
      ],
    });
  }
});

const FRAMES = [
  [390, 844],
  [640, 960],
  [1024, 768],
  [1280, 800],
] as const;

async function pictures(window: Window, name: string): Promise<void> {
  if (process.env['PICTURES'] === undefined) return;
  for (const [width, height] of FRAMES) {
    await window.page.setViewportSize({ width, height });
    await takePictures(window, `cart-${name}-${width}`);
  }
  await window.page.setViewportSize({ width: 1280, height: 800 });
}

const batch = () => shop.call<Batch>('GET', '/api/batches/1/');
const putInto = async () =>
  Object.fromEntries(
    (await batch()).slots
      .filter(({ order_number: order }) => order !== null)
      .map(({ slot, shares }) => [slot, shares.reduce((sum, { put }) => sum + put, 0)]),
  );

test('a cart is loaded by scans, picked, put into its slots, and emptied', async () => {
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  page.setDefaultTimeout(15_000); // TEMP
  await page.getByRole('button', { name: 'Load Cart 1' }).waitFor();
  await pictures(window, 'choose');
  await scan(page, 'CART-1');
  await page.getByRole('heading', { name: 'Scan an order' }).waitFor();
  await scan(page, 'SO-1');
  await page.getByText('Order SO-1: A1. Or scan another slot').waitFor();
  await scan(page, 'CART-1-A2');
  await page.getByText('Order SO-1 is in A2 now.').waitFor();
  await scan(page, 'SO-2');
  await page.getByText('Order SO-2: A1.').waitFor();
  await scan(page, 'T-7');
  await page.getByText('Tote T-7 is in A1.').waitFor();
  await pictures(window, 'load');
  await touch(page, /^Fill/, 15_000);
  await page.getByText('3 orders are on the cart').waitFor();
  await touch(page, /^Go/, 15_000);
  await at(page, 'A-1-1');
  await pictures(window, 'walk');
  await shop.press(devices[0] ?? '');
  await page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await pictures(window, 'put');
  await scan(page, 'CART-1-B3');
  await page.getByText('That was B3. Put 3 into A1, 2 into A2, 1 into A3.').waitFor();
  await scan(page, 'T-7');
  await at(page, 'A-1-2');
  expect(await putInto()).toEqual({ A1: 3, A2: 2, A3: 1 });
  await touch(page, 'Undo', 15_000);
  await page.getByRole('heading', { name: 'Put 6' }).waitFor();
  await heard(page, 'All put');
  await page.keyboard.press('Enter');
  await at(page, 'A-1-2');
  await touch(page, 'One less', 15_000);
  await touch(page, /^Picked/, 15_000);
  await page.getByText('A3 gets 1 of 2').waitFor();
  await pictures(window, 'short');
  await touch(page, 'One more for A3', 15_000);
  await touch(page, 'Missing', 15_000);
  await page.getByRole('heading', { name: 'Put 2' }).waitFor();
  await touch(page, 'Put 2 into A3', 15_000);
  await page.getByRole('heading', { name: 'Take Cart 1 to packing' }).waitFor();
  await expect.poll(putInto).toEqual({ A1: 3, A2: 2, A3: 3 });
  await pictures(window, 'end');
  await touch(page, /^Cart emptied/, 15_000);
  await page.getByRole('heading', { name: 'Scan an order' }).waitFor();
  expect((await batch()).state).toBe('done');
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});
