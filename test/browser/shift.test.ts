import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { startReceiver } from '../helpers/servers/receiver.ts';
import { seededFraction } from '../helpers/seeded.ts';
import { until } from '../shells/until.ts';
import { addPickers, enter, labelDevices, openPick, scan, touch as touchOnce } from './picker.ts';
import { useShop } from './shop.ts';
import type { Window } from './window.ts';

const { SHIFT_SEED = '1' } = process.env;
const ORDERS = 30;
/** Time limit in milliseconds, longer than a shift takes on a busy machine. */
const SHIFT_MS = 900_000;
/** Number of finished orders after which the station is killed. */
const KILLED_AFTER = 12;
const PLACES = Array.from({ length: 12 }, (_, index) => `A-${Math.floor(index / 4) + 1}-${(index % 4) + 1}`);

const WAYS = [
  'scan the place',
  'scan the article',
  'press the shelf',
  'press Enter',
  'touch',
  'type a number',
] as const;

const shop = useShop('shift');

/** The way in which a picker handles a line. It is decided only once, so that a retry does the same. */
type OutboxAction = { way: (typeof WAYS)[number]; quantity: number };

test(
  'two pickers pick 30 orders while the station is killed once, and the receiver gets exactly what they picked',
  { timeout: SHIFT_MS },
  async () => {
    const fraction = seededFraction(Number(SHIFT_SEED));
    const whole = (below: number) => Math.floor(fraction() * below);
    const receiver = await startReceiver();
    shop.after(() => receiver.stop());
    await shop.start(PLACES.length);
    await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url, ordernonce: '{order}' });
    const devices = await labelDevices(shop, PLACES);
    await addPickers(shop, ['Anna', 'Ben']);

    const actions = new Map<string, OutboxAction>();
    for (let index = 0; index < ORDERS; index += 1) {
      const number = `S-${100 + index}`;
      const first = whole(PLACES.length);
      const items = Array.from({ length: 1 + whole(4) }, (_, step) => {
        const place = (first + step * 5) % PLACES.length;
        const ordered = 2 + whole(4);
        const way = WAYS[whole(WAYS.length)] ?? 'touch';
        actions.set(`${number} ${PLACES[place]}`, {
          way,
          quantity: way === 'type a number' ? whole(ordered) : ordered,
        });
        return {
          name: `${number} part ${PLACES[place]}`,
          SKU: `SKU-${place}`,
          ordered_quantity: ordered,
          deviceid: devices[place],
        };
      });
      await shop.call('POST', '/api/orders/', { order_number: number, items });
    }

    const isAway = { now: false };

    /** Presses the button at a place if the picker's line is lit there in the picker's color. */
    async function pressShelf(name: string, place: string): Promise<void> {
      const mine = await shop.call<WorkLine[]>('GET', `/api/work/?picker=${name}`);
      const line = mine.find(({ location, waiting }) => location === place && !waiting);
      if (line !== undefined) await shop.call('POST', `/api/simulator/devices/${line.deviceid}/press/`);
    }

    async function confirm(name: string, page: Page, place: string, number: string): Promise<void> {
      const { way, quantity } = actions.get(`${number} ${place}`) ?? { way: 'touch', quantity: 0 };
      const look = () => page.locator('[data-inert]').waitFor({ state: 'detached', timeout: 1_000 });
      const touch = async () => {
        await look();
        await page.getByRole('button', { name: /^Picked/ }).click({ timeout: 1_000 });
      };
      // While the station is offline, the picker confirms on the page.
      if (isAway.now && way !== 'type a number') return touch();
      switch (way) {
        case 'scan the place':
          return scan(page, place);
        case 'scan the article':
          return scan(page, `sku-${PLACES.indexOf(place)}`);
        case 'press the shelf':
          return pressShelf(name, place);
        case 'press Enter':
          await look();
          return page.keyboard.press('Enter');
        case 'touch':
          return touch();
        case 'type a number':
          // The page was too slow last time, so its question is still open.
          if ((await page.getByRole('dialog', { name: /^Short at/ }).count()) > 0)
            return touchOnce(page, 'Missing', 1_000);
          await enter(page, String(quantity));
          await page.getByLabel(`Take ${quantity}`, { exact: true }).waitFor({ timeout: 1_000 });
          await touch();
          return touchOnce(page, 'Missing', 1_000);
      }
    }

    /** Picks one order after another until none is waiting. */
    async function work(name: string, { page }: Window): Promise<void> {
      for (;;) {
        const seen = await headline(page);
        if (seen.title === 'What are you picking?') {
          if ((await page.getByText('No orders are waiting').count()) > 0 && !isAway.now) return;
          // The other picker was faster and has the whole order.
          const leave = page.getByRole('button', { name: /^Leave it/ });
          if ((await leave.count()) > 0) await leave.click({ timeout: 1_000 }).catch(ignore);
          await page
            .locator('button:not([data-inert])', { hasText: /^(Next order|Continue)/ })
            .first()
            .press('Enter', { timeout: 1_000 })
            .catch(ignore);
        } else if (PLACES.includes(seen.title)) {
          await confirm(name, page, seen.title, seen.order).catch(ignore);
        } else if (/complete( with shorts)?$|lit for you/.test(seen.title)) {
          await page
            .locator('button:not([data-inert])', { hasText: /order$/ })
            .first()
            .press('Enter', { timeout: 1_000 })
            .catch(ignore);
        }
        await moved(page, seen);
      }
    }

    const pickers = await Promise.all(['Anna', 'Ben'].map((name) => openPick(shop, name)));
    const shifts = Promise.all(pickers.map((window, index) => work(index === 0 ? 'Anna' : 'Ben', window)));
    const done = async () =>
      (await shop.call<Order[]>('GET', '/api/orders/')).filter(({ state }) => state === 'fulfilled').length;
    await until('the first orders', async () => (await done()) >= KILLED_AFTER, SHIFT_MS);
    for (const window of pickers) window.expectOutage(true);
    isAway.now = true;
    const { port } = new URL(shop.url);
    await shop.station.kill();
    await Promise.all(pickers.map(({ page }) => page.getByText('Connection to the station lost').waitFor()));
    await shop.start(PLACES.length, Number(port));
    isAway.now = false;
    await shifts;

    const orders = await shop.call<Order[]>('GET', '/api/orders/');
    expect(orders.map(({ state }) => state)).toEqual(orders.map(() => 'fulfilled'));
    const expected = [...actions].map(([line, { quantity }]) => `${line.replace(' ', ' part ')}: ${quantity}`);
    const told = () => {
      const once = new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body]));
      return [...once.values()].map(
        (body) => JSON.parse(body) as { order_event?: string; item?: string; quantity?: number },
      );
    };
    await until(
      'the receiver to be told',
      () => told().filter(({ order_event: event }) => event === 'order_fulfilled').length === ORDERS,
    );
    const added = new Map<string, number>();
    for (const { order_event: event, item = '', quantity = 0 } of told()) {
      if (event === 'item_added') added.set(item, (added.get(item) ?? 0) + quantity);
    }
    expect(expected.map((line) => line.split(': ')[0] ?? '').map((line) => `${line}: ${added.get(line) ?? 0}`)).toEqual(
      expected,
    );
    for (const window of pickers) window.expectOutage(false);
  },
);

type Seen = { title: string; order: string };

/** Returns the page's heading, and the order to which the heading belongs. */
function headline(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(`({
    title: document.querySelector('main h2')?.textContent ?? '',
    order: /S-\\d+/.exec(document.body.innerText)?.[0] ?? '',
  })`);
}

/** Waits until the page changes, but for at most 3 s. If nothing changes, the caller repeats the action. */
async function moved(page: Page, before: Seen): Promise<void> {
  for (let looks = 0; looks < 150; looks += 1) {
    const now = await headline(page);
    if (now.title !== before.title || now.order !== before.order) return;
    await pause(20);
  }
}

/** Ignores an error, because the loop reads the page again. */
function ignore(): void {}
