import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { addPickers, at, labelDevices, openPick, touch } from './picker.ts';
import { useShop } from './shop.ts';

// Notices above the page move the controls below. A finger that is on its way must not hit another control than it aimed at.
const SIZES = [
  { width: 1_024, height: 768 },
  { width: 390, height: 844 },
];

const shop = useShop('pickMoves');
let devices: string[];

beforeEach(async () => {
  await shop.start(2);
  devices = await labelDevices(shop, ['A-1-1', 'A-1-2']);
  await addPickers(shop, ['Anna', 'Ben']);
  for (const order_number of ['10440', '10441'])
    await shop.call('POST', '/api/orders/', {
      order_number,
      items: devices.map((deviceid, index) => ({ name: `Part ${index}`, ordered_quantity: 2, deviceid })),
    });
});

/**
 * Compares in each frame where the controls of the page are, and touches each control 50 ms after it moved, as a finger does that aimed at the
 * control before it. `window.moved` lists these controls.
 */
const WATCH = `(() => {
  const known = new Map();
  window.moved = [];
  const nameOf = (control) => (control.getAttribute('aria-label') ?? control.textContent).trim().slice(0, 40);
  window.tap = (control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, composed: true, clientX: left + width / 2, clientY: top + height / 2 };
    const finger = { ...at, pointerId: 7, pointerType: 'touch', isPrimary: true, width: 20, height: 20, pressure: 0.5 };
    control.dispatchEvent(new PointerEvent('pointerdown', { ...finger, buttons: 1 }));
    control.dispatchEvent(new PointerEvent('pointerup', finger));
    control.dispatchEvent(new PointerEvent('click', { ...finger, detail: 1 }));
  };
  (function look() {
    const now = performance.now();
    for (const control of document.querySelectorAll('main button')) {
      const { left, top } = control.getBoundingClientRect();
      const before = known.get(control);
      const hasMoved = before !== undefined && Math.hypot(left - before.left, top - before.top) > 1;
      const movedAt = hasMoved ? now : before?.movedAt;
      const isDue = movedAt !== undefined && now - movedAt >= 50;
      known.set(control, { left, top, movedAt: isDue ? undefined : movedAt });
      if (!isDue) continue;
      window.moved.push(nameOf(control));
      window.tap(control);
    }
    requestAnimationFrame(look);
  })();
})()`;

/** Returns the controls that moved and were touched since the last call, after the guard of the last movement has ended. */
async function movedIn(page: Page): Promise<string[]> {
  await page.evaluate('new Promise((next) => setTimeout(next, 500))');
  return page.evaluate<string[]>('window.moved.splice(0)');
}

test.each(SIZES)(
  'a touch of a control that a notice moved just before counts for nothing, at $width x $height',
  async (size) => {
    const [ben, anna] = [await openPick(shop, 'Ben'), await openPick(shop, 'Anna')];
    const { page } = anna;
    await page.setViewportSize(size);
    await touch(ben.page, /^10441/);
    await at(ben.page, 'A-1-1');
    await touch(page, /^10440/);
    await at(page, 'A-1-1');
    await page.getByText("Ben's work is lit here").waitFor();
    await page.evaluate(WATCH);
    await shop.press(devices[0] ?? '');
    await page.getByRole('button', { name: 'It was mine' }).waitFor();
    const shown = async () => [
      await page.getByRole('dialog').count(),
      await page.locator('main h2').first().innerText(),
      await page.getByRole('button', { name: 'Take 2' }).count(),
    ];
    const come = await movedIn(page);
    expect(await shown()).toEqual([0, 'A-1-1', 1]);
    await touch(page, 'OK');
    await page.getByRole('button', { name: 'It was mine' }).waitFor({ state: 'detached' });
    const gone = await movedIn(page);
    expect(await shown()).toEqual([0, 'A-1-1', 1]);
    const { shipments } = await shop.call<Order>('GET', '/api/orders/10440/');
    expect(shipments.flatMap(({ items }) => items.map(({ quantity_fulfilled: picked }) => picked))).toEqual([0, 0]);
    for (const moved of [come, gone]) expect(moved).toEqual(expect.arrayContaining(['More…']));
    // Such a touch counts once nothing moves.
    await page.evaluate(
      `window.tap([...document.querySelectorAll('main button')].find((each) => each.textContent.includes('More…')))`,
    );
    await page.getByRole('dialog').waitFor();
  },
);
