import type { Order } from '../../shared/api/order.ts';
import { DEMO_ORDER } from '../../shared/lib/orders/demoOrder.ts';
import type { Scene } from './scene.ts';

/** Takes screenshots of orders: those of the demo shop, the list of a morning, a lit order, dialogs, an import, and an empty list. */
export async function orders({ shop, page, take }: Scene): Promise<void> {
  await shop.call('POST', 'api/orders/', {
    order_number: '10417',
    items: [{ name: 'Fuse 10 A', ordered_quantity: 2, quantity_fulfilled: 2, warehouse_location: 'A-3-4' }],
  });
  await shop.call('POST', 'api/orders/', {
    order_number: '10419',
    shipments: [
      {
        shipment_number: '10419-1',
        items: [{ SKU: 'GL-L', name: 'Glove L', ordered_quantity: 2, warehouse_location: 'B-2-2' }],
      },
      {
        shipment_number: '10419-2',
        items: [{ SKU: 'GG-2', name: 'Goggles', ordered_quantity: 4, warehouse_location: 'Z-9' }],
      },
    ],
  });
  // Turn off devices that other scenes lit, because they would come first.
  for (const label of ['A-3-2', 'A-3-4', 'A-4-2', 'B-2-1', 'B-2-2'])
    await shop.call('POST', `api/device/${await shop.deviceAt(label)}/`, { command: 'kill' });
  // Create the order again, because the tour has already picked it.
  await shop.call('DELETE', 'api/orders/10418/');
  await shop.call('POST', 'api/orders/', DEMO_ORDER);
  await shop.call('POST', 'api/orders/10418/launch/');
  await shop.call('POST', 'api/orders/10419/launch/');
  const order = (await shop.call('GET', 'api/orders/10418/')) as Order;
  const [nut] = order.shipments[0]?.items ?? [];
  await shop.call('PATCH', `api/orders/10418/items/${nut?.id}/`, { quantity_fulfilled: 12 });
  await addUrgentOrders(shop);
  await page.goto(`${shop.url}orders`);
  await page.getByRole('link', { name: '10418' }).waitFor();
  await page.getByText('1 of 4 lines done').waitFor();
  await take('orders');
  await page.getByRole('checkbox', { name: 'Select order 10418' }).click();
  await page.getByRole('button', { name: 'More for 10419' }).click();
  await page.getByRole('menuitem').first().waitFor();
  await take('orders-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New order' }).click();
  await page.getByRole('dialog', { name: 'New order' }).waitFor();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('Enter an order number.').waitFor();
  await take('orders-new');
  await page.goto(`${shop.url}orders/10418`);
  await page.getByText('Lit', { exact: true }).first().waitFor();
  await take('order');
  await page.getByRole('button', { name: /^Correct the quantity of Fuse/ }).click();
  await page.getByRole('dialog', { name: 'Correct Fuse 10 A' }).waitFor();
  await take('order-correct');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for Fuse 10 A' }).click();
  await page.getByRole('menuitem', { name: 'Why is this lit?' }).click();
  await page.getByText('Shown on the device').waitFor();
  await take('order-why');
  await page.goto(`${shop.url}orders/10418?show=timeline`);
  await page.getByText('Order created').waitFor();
  await take('order-timeline');
  await page.goto(`${shop.url}orders/10419`);
  await page.getByText('No device for Z-9.').first().waitFor();
  await take('order-shipments');
  await page.goto(`${shop.url}orders/10430`);
  await page.getByText(/timed out\./).waitFor();
  await take('order-attention');
  await page.getByRole('button', { name: 'More for 10430' }).click();
  await page.getByRole('menuitem', { name: 'Launch for…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('order-launch-for');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for 10430' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('order-duplicate');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for 10430' }).click();
  await page.getByRole('menuitem', { name: 'Hand over…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('order-hand-over');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for M8 nut' }).click();
  await page.getByRole('menuitem', { name: 'Short…' }).click();
  await page.getByRole('radio', { name: 'Missing' }).waitFor();
  await take('order-short');
  await page.keyboard.press('Escape');
  await page.goto(`${shop.url}orders/10430/print`);
  await page.getByRole('heading', { name: 'Print order 10430' }).waitFor();
  await take('order-print');
  await page.getByRole('radio', { name: '80 mm receipt' }).click();
  await take('order-print-receipt');
  await page.goto(`${shop.url}orders/import`);
  await page.getByRole('button', { name: 'Preview' }).waitFor();
  await take('orders-import');
  await page
    .getByRole('textbox', { name: 'Or paste from a spreadsheet' })
    .fill(
      'order_number;SKU;name;ordered_quantity;warehouse_location\n10420;M8-934;M8 nut;12;A-4-2\n10420;CT-200;Cable tie 200;5;A-3-2\n10421;GL-M;Glove M;three;B-2-1\n10421;GG;Goggles;1;B-2-3\n10422;X-1;Lamp;1;Z-1\n10418;X-1;Lamp;1;Z-1',
    );
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: /^Import 2 orders/ }).waitFor();
  await take('orders-import-preview');
  await page.getByRole('button', { name: /^Import 2 orders/ }).click();
  await page.getByRole('button', { name: 'Undo the import' }).waitFor();
  await take('orders-imported');
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('2 orders removed.').waitFor();
  await page.goto(`${shop.url}orders/none`);
  await page.getByText('There is no order none').waitFor();
  await take('order-none');
  await page.goto(`${shop.url}devices/${await shop.deviceAt('A-3-2')}`);
  await page.getByRole('link', { name: 'Open order 10418' }).waitFor();
  await take('order-panel');
  for (const number of ['10417', '10418', '10419', '10430', '10431'])
    await shop.call('DELETE', `api/orders/${number}/`);
  await page.goto(`${shop.url}orders`);
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  await take('orders-empty');
}

/** Adds an order that has two pickers and needs attention, and an order that is due. */
async function addUrgentOrders(shop: Scene['shop']): Promise<void> {
  for (const username of ['Paula', 'Quentin']) {
    await shop.call('POST', 'api/users/', { username, password: 'picks the orders', role: 'picker' });
  }
  const alias = { name: 'M8-934', deviceid: await shop.deviceAt('B-2-4'), deviceIs: 'Below' };
  await shop.call('POST', 'api/location-aliases/', alias);
  await shop.call('POST', 'api/orders/', {
    order_number: '10430',
    priority: 5,
    due_time: new Date(Date.now() - 1_800_000).toISOString(),
    seconds: 1,
    items: [
      {
        SKU: 'M8-934',
        name: 'M8 nut',
        description: 'DIN 934, zinc',
        ordered_quantity: 12,
        warehouse_location: 'A-4-2',
      },
      { SKU: 'CT-200', name: 'Cable tie 200', description: 'black', ordered_quantity: 5, warehouse_location: 'A-3-2' },
      { SKU: 'GG-2', name: 'Goggles', ordered_quantity: 1, warehouse_location: 'Ghost' },
    ],
  });
  await shop.call('POST', 'api/orders/10430/launch/', { picker: 'Paula' });
  await shop.call('POST', 'api/orders/10430/join/', { picker: 'Quentin' });
  await shop.call('POST', 'api/orders/', {
    order_number: '10431',
    due_time: new Date(Date.now() + 7_200_000).toISOString(),
    items: [{ name: 'Glove L', ordered_quantity: 2, warehouse_location: 'B-2-2' }],
  });
}

/** Takes screenshots of sequences: the list, a running one, a halted one, the form, and an empty list. */
export async function sequences({ shop, page, take }: Scene): Promise<void> {
  await shop.call('POST', 'api/sequence/', {
    sequenceid: 'Receiving',
    sequencenonce: 'receiving-done',
    steps: [
      { order: 1, location: 'B-2-4', line1: 'Count', color: 'white', seconds: 1 },
      { order: 1, location: 'B-2-3', line1: 'Check the label', color: 'white', seconds: 600 },
      { order: 2, location: 'B-2-1', line1: 'Put away', stepnonce: 'put-away' },
    ],
  });
  await shop.call('GET', 'api/launchsequence/Bench%20kit/');
  await shop.call('GET', 'api/launchsequence/Receiving/');
  await page.goto(`${shop.url}sequences/Bench%20kit`);
  await page
    .getByText(/^Lit, /)
    .first()
    .waitFor();
  const id = await shop.deviceAt('A-4-3');
  await shop.call('POST', `api/simulator/devices/${id}/press/`, {});
  await page.getByText('1 of 4 steps done').waitFor();
  await page
    .getByText(/^Lit, /)
    .nth(1)
    .waitFor();
  await take('sequence');
  await page.getByRole('button', { name: 'More for Bench kit' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('sequence-edit');
  await page.getByRole('radio', { name: 'JSON' }).click();
  await take('sequence-json');
  await page.keyboard.press('Escape');
  await page.goto(`${shop.url}sequences/Receiving`);
  await page.getByText(/timed out\./).waitFor();
  await take('sequence-stalled');
  await page.goto(`${shop.url}sequences`);
  await page.getByRole('link', { name: 'Receiving' }).waitFor();
  await take('sequences');
  for (const name of ['Receiving', 'Bench%20kit']) await shop.call('DELETE', `api/sequence/${name}/`);
  await page.getByRole('heading', { name: 'No sequences yet' }).waitFor();
  await take('sequences-empty');
}
