import { beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { halves } from '../helpers/files/pictures.ts';
import { addPickers, labelDevices, openPick, touch } from './picker.ts';
import { useShop } from './shop.ts';
import { findBarriers, restingBox, takeInFrames, type Window } from './window.ts';

const SLOTS = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];
const ARTICLES = [
  { sku: 'CT-200', name: 'Cable tie 200 mm', description: 'black, nylon', barcodes: [{ code: '4006381333931' }] },
  { sku: 'BE-7', name: 'Brass bell with a spring and a long name', barcodes: [{ code: 'BELLS', quantity: 2 }] },
  { sku: 'SA-1', name: 'Saddle cover' },
];

const shop = useShop('pack');
let devices: string[];

beforeEach(async () => {
  await shop.start(3);
  devices = await labelDevices(shop, ['S-A1', 'S-A1-BACK', 'S-A2']);
  await addPickers(shop, ['Anna']);
  for (const article of ARTICLES) await shop.call('POST', '/api/articles/', article);
  await shop.call('POST', '/api/walls/', {
    name: 'Wall 1',
    code: 'WALL-1',
    rows: 2,
    columns: 3,
    slots: SLOTS.map((slot, index) => ({
      slot,
      code: `W1-${slot}`,
      ...(index === 0
        ? { deviceid: devices[0], back_deviceid: devices[1] }
        : index === 1
          ? { deviceid: devices[2] }
          : {}),
    })),
  });
  const orders: readonly [string, Readonly<Record<string, number>>, object][] = [
    ['SO-1', { 'CT-200': 2, 'BE-7': 3 }, { customer: 'Rosa Lind', note: 'Gift: add the card, no prices' }],
    ['SO-2', { 'SA-1': 3 }, { customer: 'Hofmann & Söhne' }],
    ['SO-3', { 'CT-200': 4, 'SA-1': 1 }, {}],
    ['SO-4', { 'BE-7': 2 }, {}],
  ];
  for (const [number, goods, given] of orders) {
    await shop.call('POST', '/api/orders/', {
      order_number: number,
      items: Object.entries(goods).map(([SKU, ordered_quantity]) => ({
        SKU,
        name: ARTICLES.find(({ sku }) => sku === SKU)?.name,
        ordered_quantity,
      })),
      ...given,
    });
  }
  await shop.call('POST', '/api/batches/', {
    mode: 'wall',
    wall: 1,
    slots: orders.map(([order_number]) => ({ order_number })),
  });
  await shop.call('POST', '/api/batches/1/launch/', {});
});

/** Sorts these pieces and closes the rest of SO-2 short. */
async function sort(): Promise<void> {
  for (const [code, quantity] of [
    ['SA-1', 2],
    ['BE-7', 5],
    ['CT-200', 2],
  ] as const) {
    await shop.call('POST', '/api/scan/', { code, batch: 1, act: true, quantity });
    await shop.call('POST', '/api/batches/1/put/', { all: true });
  }
}

const slots = async () =>
  (await shop.call<Batch>('GET', '/api/batches/1/')).slots.map(({ slot, state }) => `${slot} ${state}`);

const pictures = (window: Window, name: string) => takeInFrames(window, `pack-${name}`);

/** Makes the page record the text of each print instead of printing, and report the print as finished immediately. */
async function recordPrints({ page }: Window): Promise<() => Promise<string[]>> {
  await page.evaluate(`window.printed = []; window.print = () => {
    window.printed.push(document.querySelector('[data-sheets]').innerText);
    window.dispatchEvent(new Event('afterprint'));
  };`);
  return () => page.evaluate<string[]>('window.printed');
}

test('the pack page shows complete slots, prints by touch and by a press at the back of the wall, and empties slots with undo', async () => {
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.getByRole('link', { name: 'Pack · Wall 1' }).click();
  await page.getByRole('heading', { name: 'Pack · Wall 1' }).waitFor();
  await page.getByText('No slot is complete').waitFor();
  await pictures(window, 'none');
  await sort();
  const order = await shop.call<{ shipments: { items: { id: number; SKU: string }[] }[] }>('GET', '/api/orders/SO-2/');
  const [item] = order.shipments.flatMap(({ items }) => items);
  await shop.call('POST', `/api/orders/SO-2/items/${item?.id}/short/`, { reason: 'missing' });
  const card = (slot: string) => page.getByRole('listitem', { name: `Slot ${slot}` });
  await card('A1').getByText('Rosa Lind').waitFor();
  await card('A2').getByText('Complete, 1 piece missing').waitFor();
  await page.getByRole('region', { name: 'Other slots' }).getByText('0 of 5').waitFor();
  await shop.call('PATCH', `/api/simulator/devices/${devices[1]}/`, { battery_mv: 2_250 });
  await card('A1').getByText('Weak battery').waitFor();
  await pictures(window, 'complete');
  expect(await findBarriers(window)).toEqual([]);
  const printed = await recordPrints(window);
  await card('A1').getByRole('button', { name: 'Print the packing slip for A1' }).click();
  await expect.poll(printed).toHaveLength(1);
  expect((await printed())[0]).toContain('Rosa Lind');
  await shop.press(devices[1] ?? '');
  await expect.poll(printed).toHaveLength(2);
  await touch(page, 'Empty A2');
  await page.getByText('A2 is free.').waitFor();
  expect(await slots()).toContain('A2 free');
  await page.getByRole('button', { name: 'Undo' }).click();
  await card('A2').waitFor();
  expect(await slots()).toContain('A2 complete');
  await page.goto(`${shop.url}pick/walls/1`);
  await page.getByRole('button', { name: /A1.*Weak battery/ }).waitFor();
  await pictures(window, 'weak');
  expect(await findBarriers(window)).toEqual([]);
  await page.goto(`${shop.url}places/carts`);
  await page.getByText('A1: Weak battery').waitFor();
  await pictures(window, 'weak-list');
  expect(window.complaints).toEqual([]);
});

test('with pack_check, a scanner checks each piece before the slip is printed without a warning', async () => {
  await shop.call('PATCH', '/api/settings/', { pack_check: true });
  await sort();
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.goto(`${shop.url}pack/1`);
  // Once both texts appear, the page accepts scans and knows the articles.
  await page.getByText('Scan a slot, then each of its pieces.').waitFor();
  await page.getByRole('listitem', { name: 'Slot A1' }).getByText('Rosa Lind').waitFor();
  const printed = await recordPrints(window);
  const scan = async (code: string) => {
    await page.keyboard.type(code, { delay: 5 });
    await page.keyboard.press('Enter');
  };
  await scan('W1-A1');
  await page.getByText('Now checking A1.').waitFor();
  await scan('4006381333931');
  await page.getByText('Cable tie 200 mm: 1 of 2').waitFor();
  await scan('SA-1');
  await page.getByText('Not in order SO-1: set it aside.').waitFor();
  await pictures(window, 'check');
  await page.getByRole('button', { name: 'Print the packing slip for A1' }).click();
  await page.getByText('4 pieces are not checked yet.').waitFor();
  await pictures(window, 'warning');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await scan('CT-200');
  await page.getByText('Cable tie 200 mm: 2 of 2').waitFor();
  await scan('BELLS');
  await page.getByText('Brass bell with a spring and a long name: 2 of 3').waitFor();
  const tooMany = page.getByText('Too many: only 3 of Brass bell with a spring and a long name needed.');
  // A code that is scanned again immediately does not count twice, so repeat the scan.
  await expect.poll(async () => (await scan('BELLS'), tooMany.isVisible())).toBe(true);
  await scan('BE-7');
  await page.getByText('All pieces of A1 are checked.').waitFor();
  await pictures(window, 'checked');
  await page.getByRole('button', { name: 'Print the packing slip for A1' }).click();
  await expect.poll(printed).toHaveLength(1);
  expect(await findBarriers(window)).toEqual([]);
  // Only the page remembers the check.
  await page.reload();
  await page.getByText('0 of 5 checked').waitFor();
  expect(window.complaints).toEqual([]);
});

test('two pack pages in one browser print only once per press, and follow pack_check without a reload', async () => {
  await sort();
  const window = await openPick(shop, 'Anna');
  const pages = [window.page, await window.page.context().newPage()];
  const printed: (() => Promise<string[]>)[] = [];
  for (const page of pages) {
    await page.goto(`${shop.url}pack/1`);
    await page.getByRole('listitem', { name: 'Slot A1' }).getByText('Rosa Lind').waitFor();
    printed.push(await recordPrints({ ...window, page }));
  }
  const count = async () => (await Promise.all(printed.map((read) => read()))).flat().length;
  await shop.press(devices[1] ?? '');
  await expect.poll(count).toBe(1);
  // This change arrives after the press.
  await shop.call('PATCH', '/api/settings/', { pack_check: true });
  for (const page of pages) await page.getByText('0 of 5 checked').waitFor();
  expect(await count()).toBe(1);
  await shop.call('PATCH', '/api/settings/', { pack_check: false });
  for (const page of pages) await page.getByText('0 of 5 checked').waitFor({ state: 'detached' });
  expect(window.complaints).toEqual([]);
});

test('the packing slip is one page without the rest of the window', async () => {
  await sort();
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.goto(`${shop.url}pack/1`);
  await page.getByRole('listitem', { name: 'Slot A1' }).getByText('Rosa Lind').waitFor();
  // Without a print dialog, the slip stays visible for the picture.
  await page.evaluate('window.print = () => undefined');
  await page.getByRole('button', { name: 'Print the packing slip for A1' }).click();
  await page.locator('[data-sheets]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('[data-sheets]').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Empty A1' }).isVisible()).toBe(false);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: 'screen' });
  expect(window.complaints).toEqual([]);
});

test('the packing slip of an order fills one page of A4 or Letter, with the logo and address of the shop and what follows later', async () => {
  await shop.call('PATCH', '/api/settings/', {
    shop_name: 'Harbour bikes',
    shop_address: 'Quay 3\n1000 Port',
    slip_closing: 'Thank you! You can return everything within 30 days.',
  });
  const admin = await shop.open();
  await admin.page.goto(`${shop.url}settings#shop`);
  const [chooser] = await Promise.all([
    admin.page.waitForEvent('filechooser'),
    admin.page.getByRole('button', { name: 'Choose a logo…' }).click(),
  ]);
  await chooser.setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: halves('png', 60, 20) });
  await admin.page.getByRole('img', { name: 'Logo' }).waitFor();
  expect(admin.complaints).toEqual([]);
  await admin.page.close();
  const order = await shop.call<{ shipments: { items: { id: number }[] }[] }>('GET', '/api/orders/SO-1/');
  const [first] = order.shipments.flatMap(({ items }) => items);
  await shop.call('PATCH', `/api/orders/SO-1/items/${first?.id}/`, { quantity_fulfilled: 1 });
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  for (const [paper, box] of [
    ['A4', / 59[45]\S* 84[12]/],
    ['Letter', /612\S* 792/],
  ] as const) {
    await page.goto(`${shop.url}orders/SO-1/print`);
    await page.getByRole('radio', { name: paper }).click();
    const slip = page.getByRole('region', { name: 'Packing slip of order SO-1' });
    for (const text of ['Quay 3', 'Rosa Lind', 'Follows later', 'Thank you!', 'Gift: add'])
      await slip.getByText(text, { exact: false }).first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/Subtype\s*\/Image/);
    expect(pdf.match(/\/MediaBox\s*\[[^\]]*\]/)?.[0]).toMatch(box);
    await page.emulateMedia({ media: 'screen' });
  }
  expect(window.complaints).toEqual([]);
});

test('selected orders print together, each on its own page, and each receipt is as long as its content', async () => {
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.goto(`${shop.url}orders`);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Pack', exact: true }).waitFor();
  for (const number of ['SO-1', 'SO-2']) await page.getByRole('checkbox', { name: `Select order ${number}` }).click();
  await page.getByRole('button', { name: 'Print…' }).click();
  await page.getByRole('region', { name: 'Pick list of order SO-2' }).waitFor();
  await page.getByRole('radio', { name: 'Packing slip' }).click();
  const sizes = async (paper: string): Promise<string[]> => {
    await page.getByRole('radio', { name: paper }).click();
    await page.emulateMedia({ media: 'print' });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    await page.emulateMedia({ media: 'screen' });
    return [...pdf.matchAll(/\/MediaBox\s*\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
  };
  expect(await sizes('A4')).toHaveLength(2);
  await page.getByRole('radio', { name: 'Pick list' }).click();
  const receipts = await sizes('80 mm receipt');
  expect(receipts).toHaveLength(2);
  expect(new Set(receipts).size).toBe(2);
  await page.getByRole('button', { name: 'Orders', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select order SO-1' }).waitFor();
  expect(window.complaints).toEqual([]);
});

test('a stopped slot asks to be emptied on a single line', async () => {
  await sort();
  await shop.call('POST', '/api/scan/', { code: 'CT-200', batch: 1, act: true, quantity: 1 });
  await shop.call('POST', '/api/batches/1/put/', { all: true });
  await shop.call('DELETE', '/api/batches/1/slots/A3/');
  const window = await openPick(shop, 'Anna');
  const { page } = window;
  await page.goto(`${shop.url}pack/1`);
  const words = page.getByRole('link', { name: 'Stopped: empty it' }).getByText('Stopped: empty it');
  await words.waitFor();
  for (const width of [390, 820, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    expect((await restingBox(words)).height).toBeLessThan(32);
  }
  await pictures(window, 'stopped');
  expect(await findBarriers(window)).toEqual([]);
});

test('an admin prints the labels of a wall, and finds the wall, its batch and its slots', async () => {
  await sort();
  const window = await shop.open();
  const { page } = window;
  await page.goto(`${shop.url}places/carts`);
  await page.getByRole('link', { name: 'Pack what is in Wall 1' }).waitFor();
  await pictures(window, 'carts');
  await page.getByRole('link', { name: 'Print the labels of Wall 1' }).click();
  await page.getByRole('article', { name: 'A1, Wall 1' }).waitFor();
  await pictures(window, 'labels');
  await page.goto(`${shop.url}pack`);
  await page.getByRole('link', { name: 'Pack what is in Wall 1' }).waitFor();
  await pictures(window, 'list');
  for (const [typed, path] of [
    ['W1-A1', '/pack/1'],
    ['Batch 1', '/places/carts/batches/1'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(typed);
    await page.getByRole('option', { name: new RegExp(typed) }).waitFor();
    if (typed === 'W1-A1') await pictures(window, 'search');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${path}`);
  }
  await page.goto(`${shop.url}today?device=${devices[1]}`);
  await page.getByText('Serves slot A1 of Wall 1, at its back').waitFor();
  await page.getByRole('link', { name: 'Open Wall 1' }).first().waitFor();
  await pictures(window, 'why');
  expect(await findBarriers(window)).toEqual([]);
  expect(window.complaints).toEqual([]);
});
