import type { Page } from 'playwright-core';
import type { Order } from '../../shared/api/order.ts';
import type { Scene } from './scene.ts';

const ORDERS = `Order;SKU;Article;Quantity;Place;Customer
10431;CT-200;Cable tie 200;5;A-3-2;Keller
10431;TL-243;Threadlock;2;A-3-1;Keller
10432;GL-M;Glove M;3;B-2-1;Berg
10433;F-10;Fuse 10 A;two;A-3-4;Berg`;

const ARTICLE_FILE = `SKU;Name;Barcode;Place;Reorder at;On hand
CT-200;Cable tie 200;4006381333931;A-3-2;30;82
HC-16;Hose clamp 16;4006381333948;B-1-1;20;1.250
N-8;M8 nut;;A-4-2;100;480
SD-80;Sanding disc 80;4006381333955;B-1-2;10;
TL-243;Threadlock;;A-3-1;3;9
W-8;M8 washer;;A-4-1;200;12,5
W-8;M8 washer, steel;;Reserve 1;;`;

const ARTICLES = [
  article('CT-200', 'Cable tie 200', 'black, 100 pcs', 'A-3-2', 75, 20),
  article('F-10', 'Fuse 10 A', 'blade, red', 'A-3-4', 6, 10),
  article('GL-M', 'Glove M', '12 pairs', 'B-2-1', 31, 5),
  article('N-8', 'M8 nut', 'DIN 934', 'A-4-2', 480, 100),
  article('TL-243', 'Threadlock', '50 ml', 'A-3-1', 9, 3),
];

function article(sku: string, name: string, description: string, location: string, on_hand: number, minimum: number) {
  return { sku, name, description, unit: 'pcs', places: [{ location, on_hand, minimum }] };
}

/**
 * Takes the screenshots for `docs/help.md`, which are named after the anchors of their tasks. Later tasks use the results of earlier ones.
 */
export async function helpTasks(scene: Scene): Promise<void> {
  const { shop, context } = scene;
  await context.addCookies(shop.cookies);
  await shop.call('POST', 'api/setup/', { password: 'a few easy words' });
  await shop.call('POST', 'api/setup/demo/');
  await shop.call('PATCH', 'api/setup/steps/', { dismissed: true });
  await shop.call('PUT', 'api/articles/', ARTICLES);
  for (const [username, role] of [
    ['Anna', 'picker'],
    ['Ben', 'control'],
  ] as const) {
    await shop.call('POST', 'api/users/', { username, password: 'some more easy words', role });
  }
  await places(scene);
  await orders(scene);
  await pick(scene);
  await goods(scene);
  await connections(scene);
}

async function places({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}today`);
  await page.getByRole('button', { name: 'Edit map' }).click();
  await page.getByRole('button', { name: 'Add a rack' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('C');
  await take('draw-your-shelves');
  await page.keyboard.press('Escape');
  const added = (await shop.call('POST', 'api/simulator/devices/', { count: 2 })) as { deviceid: string }[];
  const [first = '', second = ''] = added.map(({ deviceid }) => deviceid);
  await page.goto(`${shop.url}setup-devices`);
  await page.getByRole('textbox', { name: 'Pattern' }).fill('C-{1..2}-{1..4}');
  await page.getByRole('textbox', { name: 'Pattern' }).blur();
  await page.getByText(/^8 places/).waitFor();
  const press = async (deviceid: string): Promise<void> => {
    await shop.call('POST', `api/simulator/devices/${deviceid}/press/`, { button: 'front', hold: 'short' });
    await page.getByRole('heading', { name: deviceid, exact: true }).waitFor();
    // Wait, because a device that has just appeared does not accept touches yet.
    await page.waitForTimeout(800);
  };
  await press(first);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Press the next device' }).waitFor();
  await press(second);
  await take('connect-a-gateway-and-name-its-devices');
  await page.getByRole('button', { name: 'Stop' }).click();
}

async function orders({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}import?what=orders`);
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).fill(ORDERS);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: /^Import \d/ }).waitFor();
  await take('import-orders-from-a-file');
}

async function pick({ shop, page, take }: Scene): Promise<void> {
  const line = (SKU: string, ordered_quantity: number) => ({ SKU, ordered_quantity });
  const create = async (order_number: string, ...items: object[]): Promise<Order> => {
    await shop.call('POST', 'api/orders/', { order_number, items });
    return (await shop.call('GET', `api/orders/${order_number}/`)) as Order;
  };
  for (const [number, picker] of [
    ['10420', 'Anna'],
    ['10421', 'Anna'],
    ['10422', 'Ben'],
  ] as const) {
    const { shipments } = await create(number, line('CT-200', 2), line('TL-243', 1), line('GL-M', 2));
    await shop.call('POST', `api/orders/${number}/launch/`, { picker });
    for (const { id, ordered_quantity } of shipments.flatMap(({ items }) => items)) {
      await shop.call('PATCH', `api/orders/${number}/items/${id}/`, { quantity_fulfilled: ordered_quantity });
    }
  }
  const { shipments } = await create('10423', line('F-10', 8), line('N-8', 20));
  await shop.call('POST', 'api/orders/10423/launch/', { picker: 'Ben' });
  const [fuse] = shipments.flatMap(({ items }) => items);
  await shop.call('POST', `api/orders/10423/items/${fuse?.id}/short/`, { quantity_fulfilled: 6, reason: 'missing' });
  await create('10430', line('CT-200', 5), line('TL-243', 2), line('GL-M', 3));
  await shop.call('POST', 'api/orders/10430/launch/', { picker: 'admin' });
  await page.goto(`${shop.url}pick/10430`);
  await page.locator('button:not([data-inert])', { hasText: /^Picked/ }).waitFor();
  await page.getByRole('button', { name: 'Short…' }).waitFor();
  await take('pick-an-order');
  await page.getByRole('button', { name: 'Short…' }).click();
  await page.getByRole('dialog').waitFor();
  await take('correct-what-was-picked');
  await page.keyboard.press('Escape');
}

async function goods({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}articles`);
  await page.getByText('CT-200').first().waitFor();
  await take('keep-articles-and-stock');
  await page.goto(`${shop.url}import?what=articles`);
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).fill(ARTICLE_FILE);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Also set the stock of existing articles').click();
  await page.getByText(/→ 82$/).waitFor();
  await take('import-articles-from-a-file');
  await page.goto(`${shop.url}history`);
  await toTop(page, 'Lines per person and day');
  await take('see-what-happened');
}

async function toTop(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { name });
  await heading.waitFor();
  await heading.evaluate((element) => element.scrollIntoView());
}

async function connections({ shop, page, take }: Scene): Promise<void> {
  await shop.call('POST', 'api/api-users/', { name: 'Shop system', scope: 'control' });
  await page.goto(`${shop.url}connections/programs`);
  await page.getByRole('button', { name: 'New key for Shop system' }).waitFor();
  await take('connect-your-shop-system');
  await page.goto(`${shop.url}users`);
  await page.getByRole('button', { name: 'Manage Anna' }).waitFor();
  await take('add-people-and-tablets');
  await shop.call('POST', 'api/backups/');
  await page.goto(`${shop.url}settings`);
  await page
    .getByRole('button', { name: /^Restore:/ })
    .first()
    .waitFor();
  await toTop(page, 'Automatic backups');
  await take('keep-your-data-safe');
}
