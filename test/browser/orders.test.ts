import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { addPickers, at, openPick, takeNext } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, findFaults, measureOverflow, searchEverything, takePictures } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const SIZES = [
  { width: 1_280, height: 800 },
  { width: 820, height: 1_180 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
];

const shop = useShop('orders');

beforeEach(async () => {
  await shop.start(3);
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1', statica: 'M8 nut' });
  await shop.call('POST', `/api/device/${TWO}/`, { locationoverride: 'A-2' });
});

const add = (order_number: string, items: object[], more: object = {}) =>
  shop.call<Order>('POST', '/api/orders/', { order_number, items, ...more });
const read = (number: string) => shop.call<Order>('GET', `/api/orders/${encodeURIComponent(number)}/`);

test('an example order is created, launched, found on the map, and picked to completion', async () => {
  const { page, complaints } = await shop.open();
  await page.getByRole('link', { name: 'Orders', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  await page.getByRole('button', { name: 'Create an example' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Order Example' }).waitFor();
  await page.getByRole('button', { name: 'Launch', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Lit$/).nth(2).waitFor();
  await page.getByRole('link', { name: 'Show on the map' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('3 of 3 devices').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: /A-1$/ }).click();
  await page.getByRole('link', { name: 'Open order Example' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Order Example' }).waitFor();
  for (const deviceid of [ONE, TWO, '51D000:000003']) await shop.press(deviceid);
  await page.getByText('3 of 3 lines done').waitFor();
  await page.getByRole('status').filter({ hasText: 'Fulfilled' }).waitFor();
  expect((await read('Example')).state).toBe('fulfilled');
  expect(complaints).toEqual([]);
});

test('the list in a second window shows a launch, a correction and an abort, and Ctrl+K finds the order', async () => {
  await add('7/8 50% #1', [
    { name: 'Nut', ordered_quantity: 4, warehouse_location: 'A-1' },
    { name: 'Belt', ordered_quantity: 2, warehouse_location: 'A-2' },
  ]);
  const { page, complaints } = await shop.open();
  const other = await shop.open('dark');
  await other.page.goto(`${shop.url}orders`);
  const row = other.page.getByRole('row').filter({ has: other.page.getByRole('link', { name: '7/8 50% #1' }) });
  await row.getByText('Open').waitFor();
  await searchEverything(page, '7/8');
  await page.getByRole('option', { name: /7\/8 50% #1/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Order 7/8 50% #1' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  await row.getByText('2 lit').waitFor();
  await page.getByRole('button', { name: 'Correct the quantity of Nut: 0 of 4' }).click();
  await page.getByRole('textbox', { name: /^Picked so far/ }).fill('4');
  await page.getByText('Complete: its light turns off.').waitFor();
  await page.keyboard.press('Enter');
  // The message stays while the pointer is on it.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await row.getByText('1 of 2 lines done').waitFor();
  await row.getByText('4 of 6').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('0 of 2 lines done').waitFor();
  await page.getByRole('button', { name: 'Abort' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Abort' }).click();
  await row.getByText('Aborted').waitFor();
  await page.getByRole('button', { name: 'More for 7/8 50% #1' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await other.page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('an order of five hundred items is loaded only once while it is being picked, and links to its history and back', async () => {
  await add(
    '7/11',
    Array.from({ length: 500 }, (_, index) => ({ name: `Nut ${index}`, ordered_quantity: 1, deviceid: ONE })),
  );
  await shop.call('POST', '/api/orders/7%2F11/launch/', {});
  const { page, complaints } = await shop.open();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/orders/')) asked.push(request.url());
  });
  await page.goto(`${shop.url}orders/7%2F11`);
  for (let done = 1; done <= 3; done += 1) {
    await page.getByText(/^Lit$/).first().waitFor();
    await shop.press(ONE);
    await page.getByText(`${done} of 500 lines done`).waitFor();
  }
  expect(asked).toHaveLength(1);
  await page.getByRole('main').getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.getByRole('row', { name: /Nut 2/ }).getByRole('link', { name: 'Open order 7/11' }).click();
  await page.getByRole('heading', { name: 'Order 7/11' }).waitFor();
  await page.getByText('3 of 500 lines done').waitFor();
  expect(complaints).toEqual([]);
});

test('a list pasted from a spreadsheet is previewed, imported and undone', async () => {
  await add('9000', [{ name: 'Nut', ordered_quantity: 1 }]);
  const { page, complaints } = await shop.open();
  await page.goto(`${shop.url}orders`);
  await page.getByRole('button', { name: 'Import' }).click();
  await page
    .getByRole('textbox', { name: 'Or paste from a spreadsheet' })
    .fill('Order\tItem\tQty\tBin\nN1\tNut\t2\tA-1\nN1\tBelt\t1\tA-2\nN2\tLamp\tno\t\n9000\tNut\t1\t');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('"no" is not a quantity').waitFor();
  await page.getByRole('button', { name: 'Import 1 order' }).click();
  await page.getByText(/^Imported 1 order /).waitFor();
  expect((await read('N1')).items).toHaveLength(2);
  const other = await page.context().newPage();
  await other.goto(`${shop.url}orders`);
  await page.reload();
  await page.getByRole('button', { name: 'Undo the import' }).waitFor();
  await other.getByRole('button', { name: 'Undo the import' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Undo the import' }).click();
  await other.getByText('1 order removed.').waitFor();
  await page.getByRole('link', { name: 'N1' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo the import' }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('lines are added, changed and removed on the page of an order while somebody picks it', async () => {
  await add('N1', [
    { name: 'Nut', ordered_quantity: 5, warehouse_location: 'A-1' },
    { name: 'Belt', ordered_quantity: 2, warehouse_location: 'A-2' },
  ]);
  await addPickers(shop, ['Anna']);
  const picking = await openPick(shop, 'Anna');
  await takeNext(picking.page);
  await at(picking.page, 'A-1');
  const { page, complaints } = await shop.open();
  await page.goto(`${shop.url}orders/N1`);
  await page.getByRole('button', { name: 'Add a line' }).click();
  await page.getByRole('combobox', { name: 'Article' }).fill('Lamp');
  await page.getByRole('combobox', { name: 'Place or DeviceID' }).fill('51D000:000003');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Add line' }).click();
  await page.getByText('Lamp added and lit.').waitFor();
  const choose = async (name: string, entry: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await choose('Nut', 'Change the line…');
  await page.getByRole('textbox', { name: /Pieces needed/ }).fill('3');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByText('Nut changed.').waitFor();
  await picking.page.getByText('A-1 was changed at the station: take 3, not 5.').waitFor();
  await choose('Nut', 'Remove the line');
  await page.getByText('Nut removed.').waitFor();
  await picking.page.getByText('A-1 is no longer needed: put back what you took.').waitFor();
  for (const deviceid of [TWO, '51D000:000003']) await shop.press(deviceid);
  await page.getByRole('status').filter({ hasText: 'Fulfilled' }).waitFor();
  expect((await read('N1')).items).toMatchObject([{ name: 'Belt' }, { name: 'Lamp' }]);
  await page.getByRole('button', { name: 'Add a line' }).waitFor({ state: 'detached' });
  expect([...complaints, ...picking.complaints]).toEqual([]);
});

test('the list is marked as stale while the station is offline, and is current afterwards', async () => {
  await add('N1', [{ name: 'Nut', ordered_quantity: 1, warehouse_location: 'A-1' }]);
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}orders`);
  await page.getByRole('link', { name: 'N1' }).waitFor();
  const { port } = new URL(shop.url);
  window.expectOutage(true);
  await shop.station.kill();
  await page.getByText('Connection to the station lost.').waitFor();
  await page.locator('[data-stale] [role="grid"]').waitFor();
  await shop.start(3, Number(port));
  await add('N2', [{ name: 'Nut', ordered_quantity: 1 }]);
  await page.getByRole('link', { name: 'N2' }).waitFor();
  await page.locator('[data-stale]').waitFor({ state: 'detached' });
});

/** Returns the page sizes of a PDF in millimeters. */
const pagesOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((points) => Math.round((Number(points) / 72) * 25.4)).join(' x '),
  );

test('a found article stays within its row at every width', async () => {
  await add('1001', [{ name: 'Cable tie 200', ordered_quantity: 4, warehouse_location: 'A-1' }]);
  await add('1002', [{ name: 'Cable drum', ordered_quantity: 1, warehouse_location: 'A-2' }]);
  await shop.call('POST', '/api/orders/1001/launch/', {});
  const { page } = await shop.open();
  await page.goto(`${shop.url}orders`);
  await page.getByRole('searchbox').fill('Cable');
  await page.getByText('Cable drum').waitFor();
  const below = () =>
    page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('[role="rowgroup"] [role="gridcell"]:not(:first-child) *')].map(
        (part) => part.getBoundingClientRect().bottom - part.closest('[role="row"]').getBoundingClientRect().bottom))`,
    );
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect.poll(below).toBeLessThanOrEqual(0);
  }
  await page.getByRole('searchbox').focus();
  expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('none');
});

test('an order prints every line on A4, or on a receipt as long as its content', async () => {
  const items = Array.from({ length: 60 }, (_, index) => ({
    name: `Article ${index + 1}`,
    SKU: `SKU-${index + 1}`,
    description: 'black',
    ordered_quantity: index + 1,
    warehouse_location: index % 2 === 0 ? 'A-1' : 'A-2',
  }));
  await add('Long', items);
  await add('Few', items.slice(0, 3));
  const window = await shop.open('dark');
  const { page } = window;
  const printed = async () => pagesOf(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  await page.goto(`${shop.url}orders/Long/print`);
  await page.getByText('Article 60').waitFor();
  const pages = await printed();
  expect(new Set(pages)).toEqual(new Set(['210 x 297']));
  expect(pages.length).toBeGreaterThan(2);
  await page.goto(`${shop.url}orders/Few/print`);
  await page.getByRole('img', { name: 'Barcode' }).waitFor();
  expect(await printed()).toEqual(['210 x 297']);
  await page.getByRole('radio', { name: '80 mm receipt' }).click();
  const [receipt = '', ...others] = await printed();
  expect(others).toEqual([]);
  expect(receipt).toMatch(/^80 x \d{2,3}$/);
  expect(Number(receipt.slice(5))).toBeLessThan(200);
  expect(window.complaints).toEqual([]);
});

test('the Orders page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  const isWell = async (what: string, isDialog = false) =>
    expect(await findFaults(window, { isDialog }), what).toEqual([]);
  await page.goto(`${shop.url}orders`);
  await page.getByRole('heading', { name: 'No orders yet' }).waitFor();
  await isWell('none');
  await add('10418', [
    { name: 'A name that takes most of the room there is', ordered_quantity: 5, warehouse_location: 'A-1' },
    { SKU: 'B', ordered_quantity: 1_000, warehouse_location: 'nowhere' },
  ]);
  await shop.call('POST', '/api/orders/', {
    order_number: 'A number that takes most of the room there is',
    shipments: [{ shipment_number: 'S1', items: [{ UPC: '4006381333931', ordered_quantity: 1 }] }],
  });
  await shop.call('POST', '/api/orders/10418/launch/', {});
  await page.getByRole('checkbox', { name: 'Select order 10418' }).click();
  await page.getByText('1 without a device · 1 lit').waitFor();
  await isWell('list');
  await page.goto(`${shop.url}orders/10418`);
  await page.getByText(/^Lit$/).waitFor();
  await isWell('order');
  await page.getByRole('radio', { name: 'Timeline' }).click();
  await page.getByText('Order created').waitFor();
  await isWell('timeline');
  await page.getByRole('radio', { name: 'Lines' }).click();
  await page.getByRole('button', { name: /^Correct the quantity of B/ }).click();
  await page.getByRole('dialog').waitFor();
  await isWell('correction', true);
  for (const [row, item, button] of [
    ['B', 'Short…', 'Close short'],
    ['10418', 'Launch for…', 'Launch'],
    ['10418', 'Duplicate…', 'Create order'],
  ] as const) {
    await page.goto(`${shop.url}orders/10418`);
    await page.getByRole('button', { name: `More for ${row}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).waitFor();
    await isWell(item, true);
  }
  await page.goto(`${shop.url}orders/10418/print`);
  await page.getByRole('radio', { name: 'Pick list' }).click();
  await page.getByRole('region', { name: 'Pick list of order 10418' }).waitFor();
  await isWell('print', true);
  await page.getByRole('radio', { name: 'Packing slip' }).click();
  await page.getByRole('region', { name: 'Packing slip of order 10418' }).waitFor();
  await isWell('slip', true);
  await page.goto(`${shop.url}orders?view=new`);
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'Create order' }).click();
  await isWell('new', true);
  await page.goto(`${shop.url}orders?view=old`);
  await page.getByRole('dialog').waitFor();
  await isWell('old', true);
  await page.goto(`${shop.url}orders/import`);
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).waitFor();
  await isWell('import');
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).fill('order,name,qty\nN1,Nut,2\nN2,Belt,x');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 1 order' }).waitFor();
  await page.getByRole('button', { name: 'Columns and options' }).click();
  await isWell('columns');
  await page.getByRole('button', { name: 'Back to the rows' }).click();
  await page.getByRole('button', { name: 'Correct Quantity, line 3: x' }).click();
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Import 2 orders' }).waitFor();
  expect(await page.evaluate(`document.activeElement.ariaLabel`)).toBe('Correct Quantity, line 3:');
  expect(await findFaults(window, { isDialog: true })).toEqual([]);
  expect(window.complaints).toEqual([]);
});

test("an order's fields can be edited at every size, and another person's change is shown before it is replaced", async () => {
  await add('7001', [{ name: 'Nut', ordered_quantity: 4, warehouse_location: 'A-1' }], {
    customer: 'Miller & Sons',
    note: 'Fragile. Put the invoice into the parcel.',
    priority: 5,
  });
  const window = await shop.open();
  const { page, complaints } = window;
  for (const size of [SIZES[0], SIZES[2]]) {
    await page.setViewportSize(size ?? { width: 1_280, height: 800 });
    await page.goto(`${shop.url}orders/7001`);
    await page.getByText('Miller & Sons').waitFor();
    await takePictures(window, `order-details-${size?.width}`);
    expect(await findBarriers(window)).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill(`Leave it at the door ${size?.width}`);
    await takePictures(window, `order-edit-${size?.width}`);
    await shop.call('PATCH', '/api/orders/7001/', {
      note: `Call first ${size?.width}`,
      customer: `Baker ${size?.width}`,
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Somebody else has just changed this to “Call first/).waitFor();
    await takePictures(window, `order-edit-changed-${size?.width}`);
    expect(await findBarriers(window)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Order 7001 saved.').waitFor();
    await page.getByText(`Leave it at the door ${size?.width}`).waitFor();
    expect(await read('7001')).toMatchObject({
      note: `Leave it at the door ${size?.width}`,
      customer: `Baker ${size?.width}`,
      priority: 5,
    });
    await shop.call('PATCH', '/api/orders/7001/', { customer: 'Miller & Sons' });
  }
  expect(complaints).toEqual([]);
});

test("a file's drafts are listed, corrected and created at every size", async () => {
  const csv = 'order;sku;qty;place\n7001;M8;2;A-1\n7002;M10;many;A-2\n7002;M12;1;A-2\n7003;M8;some;A-1\n';
  const { id } = await shop.call<{ id: number }>('POST', '/api/imports/', { csv, dry_run: true });
  await shop.call('POST', `/api/imports/${id}/run/`);
  const window = await shop.open();
  const { page, complaints } = window;
  for (const size of [SIZES[0], SIZES[2]]) {
    await page.setViewportSize(size ?? { width: 1_280, height: 800 });
    await page.goto(`${shop.url}orders`);
    await page.getByText('2 drafts').waitFor();
    await takePictures(window, `drafts-bar-${size?.width}`);
    await page.getByRole('button', { name: 'Show drafts' }).click();
    await page.getByText(/Line 3: .*many/).waitFor();
    await takePictures(window, `drafts-list-${size?.width}`);
    expect(await findBarriers(window)).toEqual([]);
    await page.getByRole('button', { name: 'Open the draft of order 7002' }).click();
    await page.getByRole('row').filter({ hasText: 'M12' }).waitFor();
    await takePictures(window, `draft-${size?.width}`);
    expect(await findBarriers(window)).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
  }
  await page.getByRole('button', { name: /^Correct Quantity, line 3/ }).click();
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.getByText('Ready to create.').waitFor();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('1 draft', { exact: true }).waitFor();
  expect((await read('7002')).state).toBe('open');
  expect(complaints).toEqual([]);
});
