import type { Scene } from './scene.ts';
import { typing } from './typing.ts';

const SIZES = {
  monitor: { width: 1_280, height: 800 },
  tablet: { width: 1_024, height: 768 },
  phone: { width: 390, height: 844 },
};

/** Takes screenshots of the Pick page in every state, on a bench monitor, a tablet and a phone. */
export async function pick({ shop, page, take }: Scene): Promise<void> {
  const before = page.viewportSize();
  const everywhere = async (name: string): Promise<void> => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await take(`pick-${name}-${size}`);
    }
    await page.setViewportSize(SIZES.monitor);
  };
  /** Clicks a button once it reacts. A button that has just appeared ignores touches for a moment. */
  const touch = async (name: string | RegExp): Promise<void> => {
    const button = page.getByRole('button', { name });
    await button.waitFor();
    await page.locator('[data-inert]').first().waitFor({ state: 'detached' });
    await button.click();
  };
  /** Closes the dialog once it reacts to keys. */
  const close = async (): Promise<void> => {
    await page.locator('[data-inert]').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
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
  await page.getByRole('heading', { name: 'What are you picking?' }).waitFor();
  await page.getByRole('button', { name: /10520/ }).waitFor();
  await everywhere('choose');
  await touch(/^10520/);
  await page.getByRole('dialog').waitFor();
  await everywhere('join');
  await close();
  await touch(/^10518/);
  await page.getByRole('button', { name: /^Picked/ }).waitFor();
  await everywhere('line');
  await page.evaluate(typing('B:KeyB -:Minus 2:Digit2 -:Minus 4:Digit4 Enter:Enter'));
  await page.getByText(/Wrong place/).waitFor();
  await everywhere('wrong');
  await touch('Short…');
  await page.getByRole('dialog').waitFor();
  await everywhere('short');
  await close();
  await touch('More…');
  await page.getByRole('dialog').waitFor();
  await everywhere('more');
  await close();
  await touch(/^Picked/);
  await page.getByText(/picked/).waitFor();
  await everywhere('right');
  await shop.call('POST', 'api/orders/10518/join/', { picker: 'Ben' });
  await page.getByRole('button', { name: 'Show other pickers' }).click();
  await everywhere('shared');
  await page.getByRole('button', { name: /Change color/ }).click();
  await page.getByRole('dialog').waitFor();
  await everywhere('color');
  await close();
  await touch('More…');
  await touch('Pause this order');
  await page.getByRole('heading', { name: 'Paused' }).waitFor();
  await everywhere('paused');
  await touch('Continue');
  await shop.call('POST', 'api/orders/10518/handover/', { picker: 'admin' });
  for (let left = 4; left > 0; left -= 1) {
    await touch(/^Picked/);
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
  await touch(/^Picked/);
  await page.getByText('Scan the article').waitFor();
  await everywhere('verify');
  await shop.call('POST', 'api/orders/', {
    order_number: '10522',
    items: [line('Cable tie 200', 'CT-200-BK', 'A-3-2', 5), line('Cable tie 200', 'CT-200-BK', 'B-2-1', 3)],
  });
  await shop.call('POST', 'api/orders/10522/launch/', { picker: 'admin' });
  await page.goto(`${shop.url}pick/10522`);
  // Order 10521 is not complete yet, so this one waits.
  await touch('Continue');
  await page.getByRole('button', { name: /^Picked/ }).waitFor();
  await page.evaluate(typing('C:KeyC T:KeyT -:Minus 2:Digit2 0:Digit0 0:Digit0 -:Minus B:KeyB K:KeyK Enter:Enter'));
  await page.getByRole('dialog').waitFor();
  await everywhere('ambiguous');
  await close();
  await page.context().setOffline(true);
  await touch(/^Picked/);
  await page.getByText(/kept here/).waitFor();
  await everywhere('offline');
  await page.context().setOffline(false);
  await page.getByText(/sent/).waitFor();
  if (before !== null) await page.setViewportSize(before);
}

/** Takes screenshots of a browser that is locked to Pick: choosing a person, the keypad, a wrong PIN, Pick, and the admin's view. */
export async function kiosk({ shop, page, take }: Scene): Promise<void> {
  const before = page.viewportSize();
  const everywhere = async (name: string): Promise<void> => {
    for (const size of ['tablet', 'phone'] as const) {
      await page.setViewportSize(SIZES[size]);
      await take(`kiosk-${name}-${size}`);
    }
    await page.setViewportSize(SIZES.monitor);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  for (const [username, color] of [
    ['Anna', 'blue'],
    ['Ben', 'yellow'],
    ['Carla', 'magenta'],
    ['Mehmet', 'cyan'],
    ['Zuzana Nováková', undefined],
  ] as const) {
    await shop
      .call('POST', 'api/users/', { username, password: 'a few easy words', role: 'picker' })
      .catch(() => undefined);
    await shop.call('PATCH', `api/users/${encodeURIComponent(username)}/`, { pin: '4711' });
    if (color !== undefined) await shop.call('PATCH', 'api/user/', { color, picker: username });
  }
  await page.goto(`${shop.url}users/kiosks`);
  await button('Lock this browser to Pick').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Bench 1');
  await everywhere('lock');
  await button('Lock and sign out').click();
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
  await everywhere('names');
  await button(/Anna/).click();
  await page.getByRole('textbox').waitFor();
  await page.keyboard.type('123');
  await everywhere('keypad');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.getByText('That PIN is wrong').waitFor();
  await everywhere('wrong');
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What are you picking?' }).waitFor();
  await everywhere('pick');
  await button('Exit').click();
  await button('Sign in with a password').click();
  await everywhere('password');
  await page.getByLabel('User name').fill('admin');
  await page.getByRole('textbox', { name: 'Password' }).fill('a few easy words');
  await button('Sign in').click();
  await page.getByText('This browser is a kiosk.').waitFor();
  await page.goto(`${shop.url}users/kiosks`);
  await page.getByText('this browser', { exact: true }).waitFor();
  await everywhere('list');
  await button('Unlock it').click();
  await page.getByText('no longer a kiosk').waitFor();
  if (before !== null) await page.setViewportSize(before);
}
