import type { Scene } from './scene.ts';
import { typing } from './typing.ts';

const SIZES = {
  monitor: { width: 1_280, height: 800 },
  tablet: { width: 1_024, height: 768 },
  phone: { width: 390, height: 844 },
};

/** The Pick page: every state of it, on a bench monitor, a tablet and a phone. */
export async function pick({ shop, page, take }: Scene): Promise<void> {
  const before = page.viewportSize();
  const everywhere = async (name: string): Promise<void> => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await take(`pick-${name}-${size}`);
    }
    await page.setViewportSize(SIZES.monitor);
  };
  for (const [username, role] of [
    ['Anna', 'picker'],
    ['Ben', 'picker'],
  ] as const) {
    await shop.call('POST', 'api/users/', { username, password: 'a few easy words', role }).catch(() => undefined);
  }
  const line = (name: string, SKU: string, place: string, ordered_quantity: number, description = '') => ({
    name,
    SKU,
    warehouse_location: place,
    ordered_quantity,
    ...(description === '' ? {} : { description }),
  });
  const due = new Date();
  due.setHours(15, 0, 0, 0);
  await shop.call('POST', 'api/orders/', {
    order_number: '10518',
    due_time: due.toISOString(),
    items: [
      line('Cable tie 200', 'CT-200-BK', 'A-3-2', 5, 'black, bag of 100'),
      line('Threadlock', 'TL-243', 'A-3-1', 2),
      line('Fuse 10 A', 'F-10', 'A-3-4', 1),
      line('Glove M', 'GL-M', 'B-2-1', 3),
      line('Goggles', 'GO-1', 'B-2-3', 1),
    ],
  });
  await shop.call('POST', 'api/orders/', {
    order_number: '10519',
    priority: 5,
    items: [line('Nut M8', 'N-8', 'B-2-2', 40)],
  });
  await shop.call('POST', 'api/orders/', { order_number: '10520', items: [line('Washer M8', 'W-8', 'B-2-4', 120)] });
  await shop.call('POST', 'api/orders/10520/launch/', { picker: 'Anna' });
  await page.setViewportSize(SIZES.monitor);
  await page.goto(`${shop.url}pick`);
  await page.getByRole('heading', { name: 'What do you pick?' }).waitFor();
  await page.getByRole('button', { name: /10520/ }).waitFor();
  await everywhere('choose');
  await page.getByRole('button', { name: /^10520/ }).click();
  await page.getByRole('dialog').waitFor();
  await everywhere('join');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^10518/ }).click();
  await page.getByRole('button', { name: /^Picked/ }).waitFor();
  await everywhere('line');
  await page.evaluate(typing('B:KeyB -:Minus 2:Digit2 -:Minus 4:Digit4 Enter:Enter'));
  await page.getByText(/Wrong place/).waitFor();
  await everywhere('wrong');
  await page.getByRole('button', { name: 'Short…' }).click();
  await page.getByRole('dialog').waitFor();
  await everywhere('short');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More…' }).click();
  await page.getByRole('dialog').waitFor();
  await everywhere('more');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Picked/ }).click();
  await page.getByText(/picked/).waitFor();
  await everywhere('right');
  await shop.call('POST', 'api/orders/10518/join/', { picker: 'Ben' });
  await page.getByRole('button', { name: 'Show other pickers' }).click();
  await everywhere('shared');
  await page.getByRole('button', { name: /Change colour/ }).click();
  await page.getByRole('dialog').waitFor();
  await everywhere('color');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More…' }).click();
  await page.getByRole('button', { name: 'Pause this order' }).click();
  await page.getByRole('heading', { name: 'Paused' }).waitFor();
  await everywhere('paused');
  await page.getByRole('button', { name: 'Continue' }).click();
  await shop.call('POST', 'api/orders/10518/handover/', { picker: 'admin' });
  for (let left = 4; left > 0; left -= 1) {
    await page.getByRole('button', { name: /^Picked/ }).click();
    await page.waitForTimeout(700);
  }
  await page.getByRole('heading', { name: /complete/ }).waitFor();
  await everywhere('done');
  await shop.call('POST', 'api/orders/', {
    order_number: '10521',
    scan_required: true,
    items: [line('Cable tie 200', 'CT-200-BK', 'A-3-2', 5), line('Glove M', 'GL-M', 'B-2-1', 3)],
  });
  await shop.call('POST', 'api/orders/10521/launch/', { picker: 'admin' });
  await page.goto(`${shop.url}pick/10521`);
  await page.getByRole('button', { name: /^Picked/ }).click();
  await page.getByText('Scan the article').waitFor();
  await everywhere('verify');
  await shop.call('POST', 'api/orders/', {
    order_number: '10522',
    items: [line('Cable tie 200', 'CT-200-BK', 'A-3-2', 5), line('Cable tie 200', 'CT-200-BK', 'B-2-1', 3)],
  });
  await shop.call('POST', 'api/orders/10522/launch/', { picker: 'admin' });
  await page.goto(`${shop.url}pick/10522`);
  await page.getByRole('button', { name: /^Picked/ }).waitFor();
  await page.evaluate(typing('C:KeyC T:KeyT -:Minus 2:Digit2 0:Digit0 0:Digit0 -:Minus B:KeyB K:KeyK Enter:Enter'));
  await page.getByRole('dialog').waitFor();
  await everywhere('ambiguous');
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /^Picked/ }).click();
  await page.getByText(/kept here/).waitFor();
  await everywhere('offline');
  await page.context().setOffline(false);
  await page.getByText(/sent/).waitFor();
  if (before !== null) await page.setViewportSize(before);
}
