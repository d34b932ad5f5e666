import type { Locator } from 'playwright-core';
import { canvasesDrawn, type Scene } from './scene.ts';

const field = (within: Locator, name: string) => within.getByRole('textbox', { name });

/** Takes screenshots of a command with all fields, its warnings and code, of statics, and of sounds. */
export async function composer(scene: Scene): Promise<void> {
  const { shop, page } = scene;
  const deviceid = await shop.deviceAt('A-3-3');
  await page.goto(`${shop.url}devices/${deviceid}`);
  await page.getByRole('tab', { name: 'Send', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'Device A-3-3' });
  await composed(scene, panel);
  await warned(scene, panel);
  await statics(scene, panel);
  await closeUp(scene);
  await sounds(scene);
  await shop.call('POST', `api/simulator/devices/${deviceid}/press/`);
}

async function composed({ page, take }: Scene, panel: Locator): Promise<void> {
  await field(panel, 'Line 1').fill('Heat shrink 3:1');
  await field(panel, 'Line 2').fill('6 mm, black');
  await field(panel, 'Quantity').fill('4');
  await panel.getByRole('combobox', { name: 'Color' }).fill('g');
  await field(panel, 'Seconds').fill('120');
  await panel.getByRole('button', { name: 'Add: Icon' }).click();
  await page.getByRole('option', { name: 'Hot surface' }).waitFor();
  await take('composer-icons');
  await page.keyboard.type('hand');
  await take('composer-icons-found');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('xyz');
  await take('composer-icons-none');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('hot surface');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Icon Hot surface' }).waitFor();
  await panel.getByRole('button', { name: 'Add: Barcode' }).click();
  await page.keyboard.type('HS-3-6-BK');
  await panel.getByRole('button', { name: 'Add: Sound' }).click();
  await page.keyboard.type('Ta-Da');
  await panel.getByRole('button', { name: 'Add: Nonce' }).click();
  await page.keyboard.type('order 10420');
  await field(panel, 'Line 1').scrollIntoViewIfNeeded();
  await take('composer-filled');
  await field(panel, 'Nonce').scrollIntoViewIfNeeded();
  await take('composer-filled-end');
  await panel.getByRole('button', { name: 'Send to A-3-3' }).click();
  await panel.getByText('Shown on the device.').waitFor();
  await take('composer-sent');
  for (const tab of ['JSON', 'URL']) {
    await panel.getByRole('tab', { name: tab, exact: true }).click();
    await panel.getByRole('button', { name: 'Copy' }).scrollIntoViewIfNeeded();
    await take(`composer-${tab.toLowerCase()}`);
  }
}

async function warned({ page, take }: Scene, panel: Locator): Promise<void> {
  await field(panel, 'Line 1').fill('A line with far more than 26 characters');
  await field(panel, 'Quantity').fill('120');
  await take('composer-warned');
  await field(panel, 'Barcode').fill('HS-3-6-BK-ü');
  await panel.getByRole('combobox', { name: 'Color' }).fill('orang');
  await panel.getByRole('button', { name: 'Add: QR code' }).click();
  await page.keyboard.type('https://q.example/hs');
  await page.keyboard.press('Enter');
  await panel.getByText('The command was not sent.').waitFor();
  await take('composer-refused');
  await field(panel, 'Barcode').scrollIntoViewIfNeeded();
  await take('composer-refused-field');
  await panel.getByRole('button', { name: 'Clear form' }).click();
  await page.getByText('Form cleared.').waitFor();
}

async function statics({ page, take }: Scene, panel: Locator): Promise<void> {
  await panel.getByRole('tab', { name: 'Statics' }).click();
  await panel.getByRole('button', { name: 'Icon None' }).click();
  await page.keyboard.type('hot surface');
  await page.keyboard.press('Enter');
  await field(panel, 'Barcode').fill('HS-3-6-BK');
  await take('composer-statics');
  await field(panel, 'Line 4').fill('a line that is much too long for it');
  await field(panel, 'Line 5').fill('five');
  await take('composer-statics-refused');
  await panel.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('Changes discarded.').waitFor();
}

async function closeUp({ shop, page, take }: Scene): Promise<void> {
  await page.goto(shop.url);
  await page.getByRole('radio', { name: 'Close-up' }).click();
  for (const [label, name] of [
    ['B-2-4', 'icons'],
    ['A-2-4', 'codes'],
  ] as const) {
    // This address moves the map to the device and opens the panel, which is then closed.
    await page.goto(`${shop.url}devices/${await shop.deviceAt(label)}`);
    await page.getByRole('tab', { name: 'Now' }).waitFor();
    await page
      .getByRole('button', { name: 'Close panel' })
      .or(page.getByRole('button', { name: 'Back to the map' }))
      .click();
    await page.getByRole('link', { name: label, exact: true }).waitFor();
    await canvasesDrawn(page);
    await take(`composer-close-up-${name}`);
  }
  await page.getByRole('radio', { name: 'Shelf' }).click();
}

async function sounds({ shop, page, take }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Play the sounds of devices here' }).click();
  await take('composer-sounds-on');
  await page.reload();
  await page.getByRole('button', { name: /^Click to hear/ }).waitFor();
  await take('composer-sounds-wait');
  await page.goto(`${shop.url}settings`);
  await page.getByRole('heading', { name: 'Sounds' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Try it' }).scrollIntoViewIfNeeded();
  await take('composer-sounds-settings');
  await page.getByRole('switch', { name: /Play the sounds/ }).click({ force: true });
}
