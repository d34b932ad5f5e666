import type { Station } from '../../shared/api/station.ts';
import type { Scene } from './scene.ts';

const SIZES = {
  monitor: { width: 1_280, height: 800 },
  phone: { width: 390, height: 844 },
};

/** Takes screenshots of the page on which devices are assigned to places, in every state, on a monitor and a phone. */
export async function setupDevices({ shop, page, take }: Scene): Promise<void> {
  const before = page.viewportSize();
  const everywhere = async (name: string): Promise<void> => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await take(`setup-devices-${name}-${size}`);
    }
    await page.setViewportSize(SIZES.monitor);
  };
  const press = (deviceid: string) =>
    shop.call('POST', `api/simulator/devices/${deviceid}/press/`, { button: 'front', hold: 'short' });
  const isLarge = (deviceid: string) => page.getByRole('heading', { name: deviceid, exact: true }).waitFor();
  const added = (await shop.call('POST', 'api/simulator/devices/', { count: 6 })) as { deviceid: string }[];
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = added.map(({ deviceid }) => deviceid);

  await page.setViewportSize(SIZES.monitor);
  await page.goto(`${shop.url}setup-devices`);
  await page.getByRole('heading', { name: 'Press any device' }).waitFor();
  await everywhere('start');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('C-{1..}-{1..10}');
  await page.getByText('has no end').waitFor();
  await everywhere('pattern-wrong');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('C-{1..4}-{01..10}');
  await page.getByRole('textbox', { name: 'Pattern' }).blur();
  await page.getByText(/^40 places/).waitFor();
  await everywhere('pattern');
  await page.getByRole('button', { name: 'Add racks for these places' }).click();
  await page.getByText('Every place now has a shelf on the map.').waitFor();
  await press(first);
  await isLarge(first);
  await page.getByText('Every place now has a shelf').waitFor({ state: 'detached' });
  await page.waitForTimeout(800);
  await everywhere('device');
  await press(second);
  await press(third);
  await page.getByText(/^Waiting: /).waitFor();
  await everywhere('queue');
  await page.keyboard.press('Enter');
  await isLarge(second);
  await everywhere('done');
  await page.getByLabel('Another place').fill('A-3-2');
  await unsurprised();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A-3-2 is taken' }).waitFor();
  await everywhere('taken');
  await page.getByRole('button', { name: 'Choose another place' }).click();
  await page.keyboard.press('Enter');
  await isLarge(third);
  await unsurprised();
  await page.getByRole('button', { name: /^Take/ }).click();
  await page.getByRole('heading', { name: 'Press the next device' }).waitFor();
  await everywhere('next');
  await page.getByRole('button', { name: 'Choose from the list' }).click();
  await page.getByRole('dialog').waitFor();
  await everywhere('list');
  await page.getByRole('button', { name: new RegExp(`^${first}`) }).click();
  await isLarge(first);
  await everywhere('keep');
  await page.getByRole('button', { name: /^Keep/ }).click();
  await shop.call('POST', `api/device/${fourth}/`, { command: 'pick', line1: 'Belt A38', seconds: 0, nonce: 'belt' });
  await lit(fourth);
  await press(fourth);
  await page.getByText(/^That press counted/).waitFor();
  await everywhere('work');
  await shop.call('PATCH', `api/simulator/devices/${fifth}/`, { reachable: false });
  await page.getByRole('button', { name: 'Choose from the list' }).click();
  await page.getByRole('button', { name: new RegExp(`^${fifth}`) }).click();
  await isLarge(fifth);
  await everywhere('offline');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('heading', { name: /set up$/ }).waitFor();
  await everywhere('summary');
  await page.getByRole('button', { name: 'Print the labels' }).click();
  await page.getByRole('article').first().waitFor();
  await everywhere('print');
  if (before !== null) await page.setViewportSize(before);

  /** Waits, because after a device has appeared by itself, the page ignores the second of two quick touches. */
  function unsurprised(): Promise<void> {
    return page.waitForTimeout(400);
  }

  async function lit(deviceid: string): Promise<void> {
    const { devices } = (await shop.call('GET', 'api/station/')) as Station;
    if (devices.find((each) => each.deviceid === deviceid)?.commands[0]?.state === 'shown') return;
    await page.waitForTimeout(200);
    await lit(deviceid);
  }
}
