/**
 * Takes screenshots of every page in both themes on two sizes of monitors, and of Pick on a tablet and a phone too:
 * `node tools/pictures.ts [FOLDER] [PART OF A NAME]`. With `--docs`, takes the screenshots for the README and Help
 * instead. Needs the built page (or PAGE_FOLDER) and Chromium (or CHROMIUM).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { alerts } from './pictures/alerts.ts';
import { composer } from './pictures/composer.ts';
import { callbacks } from './pictures/callbacks.ts';
import { denied } from './pictures/denied.ts';
import { developer } from './pictures/developer.ts';
import { devices } from './pictures/devices.ts';
import { fleet } from './pictures/fleet.ts';
import { licences } from './pictures/licences.ts';
import { locate } from './pictures/locate.ts';
import { helpTasks } from './pictures/help.ts';
import { history } from './pictures/history.ts';
import { canvasesDrawn, type Scene } from './pictures/scene.ts';
import { beginWork, startShop } from './pictures/shop.ts';
import { mqtt } from './pictures/mqtt.ts';
import { kiosk, pick } from './pictures/pick.ts';
import { secrets } from './pictures/secrets.ts';
import { scanner } from './pictures/scanner.ts';
import { setupDevices } from './pictures/setupDevices.ts';
import { tour } from './pictures/tour.ts';
import { turbos } from './pictures/turbos.ts';
import { users } from './pictures/users.ts';
import { orders, sequences } from './pictures/work.ts';

const root = join(import.meta.dirname, '..');
const pageFolder = process.env['PAGE_FOLDER'] ?? join(root, 'dist', 'renderer');
const PASSWORD = 'a few easy words';

const THEMES = ['light', 'dark'] as const;
const SIZES = {
  '1280x800': { width: 1_280, height: 800 },
  '1920x1080': { width: 1_920, height: 1_080 },
} as const;

/** Takes screenshots of the setup of a new station, including the tour. */
async function firstStart(scene: Scene): Promise<void> {
  const { shop, page, context, take } = scene;
  await context.addCookies(shop.cookies);
  await page.goto(shop.url);
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  await take('welcome-1-password');
  await page.getByRole('textbox', { name: 'Password of admin' }).fill('short');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Too short').waitFor();
  await take('welcome-1-too-short');
  await page.getByRole('textbox', { name: 'Password of admin' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Try it with simulated devices' }).waitFor();
  await take('welcome-2-start');
  await page.getByRole('button', { name: 'Connect a gateway' }).click();
  await page.getByRole('heading', { name: 'Gateways heard' }).waitFor();
  await take('welcome-2-turbo');
  await page.getByRole('button', { name: 'Go to Today' }).click();
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  await take('station-empty');
  await page.goto(`${shop.url}welcome`);
  await page.getByRole('button', { name: 'Try it with simulated devices' }).click();
  await tour(scene);
}

async function stationPage({ shop, page, take }: Scene): Promise<void> {
  await beginWork(shop, true);
  await page.goto(shop.url);
  await page
    .getByText(/^Offline/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Front button of B-2-1, Lit yellow' }).waitFor();
  await canvasesDrawn(page);
  await take('station-shelf');
  for (const zoom of ['Overview', 'Close-up']) {
    await page.getByRole('radio', { name: zoom }).click();
    await take(`station-${zoom.toLowerCase()}`);
  }
  await page.getByRole('radio', { name: 'Shelf' }).click();
  await page.getByRole('searchbox').first().fill('nothing like that');
  await take('station-no-match');
  await page.getByRole('searchbox').first().fill('');
  await page.goto(`${shop.url}devices/${await shop.deviceAt('A-3-2')}`);
  await page.getByRole('heading', { name: 'A-3-2', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Now' }).waitFor();
  await canvasesDrawn(page);
  await take('panel');
  for (const tab of ['Send', 'Statics', 'History', 'Settings']) {
    await page.getByRole('tab', { name: tab }).click();
    await take(`panel-${tab.toLowerCase()}`);
  }
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select A-3-1' }).click();
  await page.getByRole('checkbox', { name: 'Select A-2-3' }).click();
  await take('choose');
  await page.getByRole('button', { name: 'Send a command' }).click();
  await page.getByRole('button', { name: 'Send to 2 devices' }).waitFor();
  await take('choose-send');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Edit map' }).click();
  await take('edit');
  await page.getByRole('button', { name: 'Edit Rack A' }).click();
  await page.getByRole('dialog').waitFor();
  await take('edit-rack');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove Rack B' }).click();
  await page.getByText('Rack B removed').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: /^Arrange/ }).scrollIntoViewIfNeeded();
  await take('tray');
}

async function frame({ shop, page, take }: Scene): Promise<void> {
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
  await take('palette');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('a-3');
  await page.getByRole('option', { name: 'A-3-1' }).waitFor();
  await take('palette-typed');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('xyzzy');
  await take('palette-nothing');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Account: admin' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
  await take('user-menu');
  await page.keyboard.press('Escape');
  await page.goto(`${shop.url}no/such/page`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await take('unknown-page');
}

async function locations({ shop, page, take }: Scene): Promise<void> {
  const device = await shop.deviceAt('A-3-2');
  const aliases = [
    ['A-3-2 left', 'to the Right of'],
    ['Returns', 'Above'],
    ['Cable ties, black', 'Below and to the Left of'],
  ] as const;
  for (const [name, deviceIs] of aliases) {
    await shop.call('POST', 'api/location-aliases/', { name, deviceid: device, deviceIs });
  }
  await shop.call('POST', 'api/devices/', { location: 'Returns', command: 'pick', line1: 'Belt A38', color: 'b' });
  await page.goto(`${shop.url}locations`);
  await page.getByRole('button', { name: 'More for A-3-2', exact: true }).waitFor();
  await canvasesDrawn(page);
  await take('locations');
  await page.getByRole('radio', { name: /^For several places/ }).click();
  await take('locations-aliases');
  await page.getByRole('button', { name: 'Edit Returns' }).click();
  await page.getByRole('dialog').waitFor();
  await take('locations-alias');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for A-3-2' }).click();
  await take('locations-menu');
  await page.getByRole('menuitem', { name: 'Replace the device…' }).click();
  await page.getByRole('combobox', { name: 'New device' }).fill('B-2');
  await page.getByRole('option').first().waitFor();
  await take('locations-replace');
  await page.goto(`${shop.url}locations/import`);
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).waitFor();
  await take('locations-import');
  const list = ['A-3-3 left\tA-3-3\tto the Right of', 'Returns\tA-3-2\tBelow', 'A-3-2 left\tA-3-2\tto the Right of'];
  const label = '\tA-2-1\t\tA-2-1 low';
  const csv = ['Place\tDevice\tWhere\tLabel', ...list, label, 'Bench\tnowhere\tAbove'].join('\n');
  await page.getByRole('textbox', { name: 'Or paste from a spreadsheet' }).fill(csv);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 3 places' }).waitFor();
  await take('locations-preview');
  await page.getByRole('button', { name: 'Import 3 places' }).click();
  await page.getByText(/^Imported 3 rows/).waitFor();
  await take('locations-imported');
  await page.getByRole('button', { name: 'Print labels' }).click();
  await page.getByRole('heading', { name: 'Print labels' }).waitFor();
  await take('locations-print');
  await shop.call('POST', 'api/devices/', { location: 'Returns', command: 'kill' });
}

async function settings({ shop, page, take }: Scene): Promise<void> {
  await shop.call('PATCH', 'api/settings/', {
    callback_api_key: 'secret',
    callback_url: 'https://erp.shop.example/pick',
  });
  await page.goto(`${shop.url}connections/callback-settings`);
  await page.getByRole('textbox', { name: 'Callback URL' }).waitFor();
  await take('settings');
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Replace: API key of your system' }).click();
  await page.getByRole('textbox', { name: 'Callback URL' }).press('Enter');
  await page.getByText('A URL starts with').waitFor();
  await take('settings-refused');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.goto(`${shop.url}settings`);
  await page.getByRole('heading', { name: 'Defaults' }).scrollIntoViewIfNeeded();
  await page.getByRole('heading', { name: 'About' }).scrollIntoViewIfNeeded();
  await take('settings-end');
  await page.getByRole('button', { name: 'Create a backup' }).scrollIntoViewIfNeeded();
  await take('settings-backups-none');
  await page.getByRole('button', { name: 'Create a backup' }).click();
  await page.getByText('Backup created and checked').waitFor();
  await page.getByRole('button', { name: 'Create a backup' }).click();
  await page
    .getByRole('button', { name: /^Restore:/ })
    .nth(1)
    .waitFor();
  await page
    .getByRole('button', { name: /^Restore:/ })
    .nth(1)
    .scrollIntoViewIfNeeded();
  await take('settings-backups');
  await page
    .getByRole('button', { name: /^Restore:/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Restore', exact: true }).waitFor();
  await take('settings-restore');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('button', { name: /^Remove:/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Remove', exact: true }).waitFor();
  await take('settings-backup-remove');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Addresses', { exact: true }).scrollIntoViewIfNeeded();
  await take('settings-network');
  await page.getByRole('button', { name: /Who can reach the station/ }).click();
  await page.getByRole('option', { name: 'Every machine on the network' }).click();
  await page.getByRole('form', { name: 'Network and security' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alertdialog').waitFor();
  await take('settings-open-network');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  await take('dialog-unsaved');
  await page.getByRole('button', { name: 'Stay', exact: true }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.goto(`${shop.url}connections/callback-settings`);
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('https://erp.shop.example/picked');
  await page.getByRole('textbox', { name: 'Callback URL' }).press('Enter');
  await page.getByText('Callbacks: saved.').waitFor();
  await take('settings-saved');
}

async function help({ shop, page, take }: Scene): Promise<void> {
  await page.goto(`${shop.url}help`);
  await page.getByRole('heading', { name: 'Hardware' }).waitFor();
  await take('help');
  await page.goto(`${shop.url}help#static`);
  await page.getByRole('heading', { name: 'Static', exact: true }).waitFor();
  await take('help-term');
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await take('help-phone');
  await page.goto(`${shop.url}help`);
  await page.getByRole('heading', { name: 'Hardware' }).waitFor();
  await take('help-phone-top');
  if (size !== null) await page.setViewportSize(size);
}

async function badMoments({ shop, page, stranger, take }: Scene): Promise<void> {
  await stranger.goto(shop.url);
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor();
  await take('sign-in', stranger);
  await page.goto(shop.url);
  await page.getByRole('link', { name: 'A-4-1', exact: true }).waitFor();
  await canvasesDrawn(page);
  await shop.stop();
  await page.getByText('Connection to the station lost').waitFor();
  await take('connection-lost');
}

/** Takes screenshots of the station for the README. */
async function readme({ shop, page, context, take }: Scene): Promise<void> {
  await context.addCookies(shop.cookies);
  await shop.call('POST', 'api/setup/', { password: PASSWORD });
  await shop.call('POST', 'api/setup/demo/');
  await shop.call('PATCH', 'api/setup/steps/', { dismissed: true });
  const address = `${shop.url}devices/${await shop.deviceAt('A-3-2')}`;
  await page.goto(address);
  await page.getByRole('link', { name: 'B-2-4', exact: true }).waitFor();
  await page.getByText('Not heard yet').first().waitFor({ state: 'detached' });
  await beginWork(shop, false);
  await page.getByRole('button', { name: 'Front button of B-2-1, Lit yellow' }).waitFor();
  await page.getByRole('tab', { name: 'Now' }).waitFor();
  await page.getByText('Shown on the device').waitFor();
  await take('station');
}

/** Waits until fonts have loaded and changes have been drawn. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.evaluate(
    'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 50))))',
  );
}

type Setting = { theme: 'light' | 'dark'; viewport: { width: number; height: number } };

async function photograph(
  browser: Browser,
  setting: Setting,
  pathOf: (name: string) => string | undefined,
  scenes: readonly ((scene: Scene) => Promise<void>)[],
): Promise<void> {
  const shop = await startShop(pageFolder);
  const look = { viewport: setting.viewport, colorScheme: setting.theme, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext(look);
  const stranger = await browser.newPage(look);
  const page = await context.newPage();
  try {
    const take = async (name: string, of: Page = page): Promise<void> => {
      const path = pathOf(name);
      if (path === undefined) return;
      await settled(of);
      await of.screenshot({ path });
    };
    for (const scene of scenes) await scene({ shop, page, context, stranger, take });
  } catch (error) {
    if (!isForDocs) await page.screenshot({ path: join(folder, 'failed.png') });
    throw error;
  } finally {
    await context.close();
    await stranger.close();
    await shop.stop();
  }
}

const [wantedFolder, wantedName = ''] = process.argv.slice(2);
const isForDocs = wantedFolder === '--docs';
const folder = isForDocs ? join(root, 'docs') : (wantedFolder ?? join(root, 'test-output', 'pictures'));
mkdirSync(folder, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  if (isForDocs) {
    const pathIn =
      (...folders: string[]) =>
      (name: string) =>
        join(folder, ...folders, `${name}.png`);
    await photograph(browser, { theme: 'light', viewport: { width: 1_440, height: 900 } }, pathIn(), [readme]);
    await photograph(browser, { theme: 'light', viewport: { width: 1_024, height: 768 } }, pathIn('help'), [helpTasks]);
  } else {
    const scenes = [
      firstStart,
      frame,
      locations,
      alerts,
      users,
      callbacks,
      mqtt,
      fleet,
      developer,
      history,
      settings,
      secrets,
      composer,
      stationPage,
      devices,
      turbos,
      orders,
      sequences,
      denied,
      help,
      licences,
      scanner,
      locate,
      pick,
      setupDevices,
      kiosk,
      badMoments,
    ];
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const theme of THEMES) {
        const pathOf = (name: string) => {
          const picture = `${name}-${theme}-${size}`;
          return picture.includes(wantedName) ? join(folder, `${picture}.png`) : undefined;
        };
        await photograph(browser, { theme, viewport }, pathOf, scenes);
      }
    }
  }
} finally {
  await browser.close();
}
