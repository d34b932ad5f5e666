import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StationMap } from '#shared/api/map.ts';
import { until } from '../shells/until.ts';
import { useShop } from './shop.ts';
import { findBarriers, PAGE_PATIENCE_MS, restingBox, signIn, takePictures, type Window } from './window.ts';

const id = (number: number) => `51D000:${number.toString(16).toUpperCase().padStart(6, '0')}`;

/**
 * Finds cropped elements and elements outside the window. Counts the left edges of the tiles, of which there are at
 * most eight, one per column of two racks side by side.
 */
const FIT = `(() => {
  const all = [...document.querySelectorAll('main *, header *')];
  const crops = (element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
    && getComputedStyle(element).overflowX !== 'visible';
  const tiles = [...document.querySelectorAll('[data-deviceid]')];
  return {
    cropped: all.filter(crops).map((element) => element.textContent),
    outside: all.filter((element) => element.getBoundingClientRect().right > innerWidth + 1).length,
    lefts: new Set(tiles.map((tile) => tile.getBoundingClientRect().left)).size,
  };
})()`;

const shop = useShop('map');

/** Creates racks named by letters and fills them from the first cell with devices labeled by their cells. */
async function furnish(letters: string, shelves: number, columns: number, placed: number): Promise<void> {
  const ids = await shop.call<string[]>('GET', '/api/device/');
  const racks = letters.split('').map((name) => ({
    id: name,
    name,
    note: 'small parts',
    columns,
    shelves: Array.from({ length: shelves }, (_, index) => ({
      id: `${name}${shelves - index}`,
      name: `${name}-${shelves - index}`,
    })),
  }));
  const cells = racks.flatMap((rack) =>
    rack.shelves.flatMap((shelf) => Array.from({ length: columns }, (_, column) => ({ shelf, column }))),
  );
  const places = cells.slice(0, placed).map(({ shelf, column }, index) => ({
    deviceid: ids[index] ?? '',
    shelf: shelf.id,
    column,
  }));
  await shop.call('PUT', '/api/map/', { racks, places });
  await shop.call(
    'POST',
    '/api/devices/',
    cells.slice(0, placed).map(({ shelf, column }, index) => ({
      deviceid: ids[index],
      locationoverride: `${shelf.name}-${column + 1}`,
      statica: 'Cable tie 200',
    })),
  );
}

async function cellOf(number: number): Promise<string> {
  const { places } = await shop.call<StationMap>('GET', '/api/map/');
  const place = places.find(({ deviceid }) => deviceid === id(number));
  return place === undefined ? 'tray' : `${place.shelf} ${place.column}`;
}

const tile = (page: Page, number: number) => page.locator(`[data-deviceid="${id(number)}"]`);
const cell = (page: Page, shelf: string, column: number) =>
  page.locator(`[data-shelf="${shelf}"][data-column="${column}"]`);

async function centerOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await restingBox(element);
  return { x: x + width / 2, y: y + height / 2 };
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  // The edit mode moves the racks, so wait until the devices can be dragged.
  await to.waitFor();
  const start = await centerOf(from);
  const end = await centerOf(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 10, start.y + 10);
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
}

describe('a small shop', () => {
  beforeEach(async () => {
    await shop.start(7);
    await furnish('AB', 1, 4, 6);
  });

  test('a device is dragged to a free cell, onto another device and to the tray; other windows show the move, and Undo reverts it', async () => {
    const { page, complaints } = await shop.open();
    const other = await shop.open();
    await page.getByRole('button', { name: 'Edit map' }).click();
    await drag(page, tile(page, 1), cell(page, 'B1', 3));
    await page.getByText('A-1-1 moved: Rack B, shelf B-1, column 4.').waitFor();
    expect(await cellOf(1)).toBe('B1 3');
    await until('the other window to show it there', async () => {
      const [one, six] = [await tile(other.page, 1).boundingBox(), await tile(other.page, 6).boundingBox()];
      return one !== null && six !== null && one.y === six.y && one.x > six.x;
    });
    expect(new URL(page.url()).pathname).toBe('/today');

    await drag(page, tile(page, 2), tile(page, 3));
    await page.getByText(/^A-1-2 and A-1-3 swapped/).waitFor();
    expect([await cellOf(2), await cellOf(3)]).toEqual(['A1 2', 'A1 1']);
    await page.getByRole('listitem').filter({ hasText: 'swapped' }).getByRole('button', { name: 'Undo' }).click();
    await until('the two to be back', async () => (await cellOf(2)) === 'A1 1' && (await cellOf(3)) === 'A1 2');

    await drag(page, tile(page, 4), tile(page, 7));
    await page.getByText('A-1-4 moved: Not placed yet.').waitFor();
    expect(await cellOf(4)).toBe('tray');

    await page.keyboard.press('Control+z');
    await until('it to hang again', async () => (await cellOf(4)) === 'A1 3');
    expect(complaints).toEqual([]);
  });

  test('Escape cancels a drag, and moves by other people wait until the drag ends', async () => {
    const { page } = await shop.open();
    await page.getByRole('button', { name: 'Edit map' }).click();
    await cell(page, 'B1', 3).waitFor();
    const from = await centerOf(tile(page, 1));
    const to = await centerOf(cell(page, 'B1', 3));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    const before = await restingBox(tile(page, 2));
    await shop.call('PUT', `/api/map/places/${id(2)}/`, { shelf: 'B1', column: 2 });
    await page.mouse.move(to.x + 2, to.y);
    expect(await tile(page, 2).boundingBox()).toEqual(before);
    await page.keyboard.press('Escape');
    await until('the other move to show', async () => (await tile(page, 2).boundingBox())?.y !== before.y);
    await page.mouse.up();
    expect(await cellOf(1)).toBe('A1 0');
  });

  test('a finger drags a device by its grip', async () => {
    const context = await shop.browser.newContext({
      viewport: { width: 820, height: 1_180 },
      hasTouch: true,
      isMobile: true,
    });
    context.setDefaultTimeout(PAGE_PATIENCE_MS);
    const page = await context.newPage();
    const window: Window = { page, complaints: [], expectOutage: () => undefined };
    shop.windows.push(window);
    await signIn(window, shop.url);
    await page.getByRole('button', { name: 'Edit map' }).tap();
    const from = await centerOf(tile(page, 1).locator('[data-grip]'));
    const to = await centerOf(cell(page, 'B1', 2));
    const touch = await context.newCDPSession(page);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
    for (let step = 1; step <= 5; step++) {
      const at = { x: from.x + ((to.x - from.x) * step) / 5, y: from.y + ((to.y - from.y) * step) / 5 };
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until('it to hang there', async () => (await cellOf(1)) === 'B1 2');
  });

  test('a device can be moved with only the keyboard', async () => {
    const { page } = await shop.open();
    await page.getByRole('button', { name: 'Edit map' }).focus();
    await page.keyboard.press('Enter');
    const isFocused = () => page.evaluate<boolean>(`document.activeElement?.ariaLabel === 'Move A-1-1'`);
    await page.getByRole('toolbar', { name: 'Edit map' }).waitFor();
    while (!(await isFocused())) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.getByText(/^Moving A-1-1: Rack B, shelf B-1, column 4, empty/).waitFor();
    await page.keyboard.press('Enter');
    await until('it to hang there', async () => (await cellOf(1)) === 'B1 3');
    await until('the focus to be on it', isFocused);
  });

  test('nothing is cropped at any width or level, and columns line up', async () => {
    const { page } = await shop.open();
    for (const [width, height] of [
      [1_280, 800],
      [1_440, 900],
      [1_920, 1_080],
      [820, 1_180],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const level of ['Overview', 'Shelf', 'Close-up']) {
        await page.getByRole('radio', { name: level }).click();
        await until(`everything to fit at ${width}, ${level}`, async () => {
          const { cropped, outside, lefts } = await page.evaluate<{
            cropped: string[];
            outside: number;
            lefts: number;
          }>(FIT);
          return cropped.length === 0 && outside === 0 && lefts <= 8;
        });
      }
    }
  });

  test('the map has no axe violations in any of its modes', async () => {
    await shop.call('POST', `/api/device/${id(1)}/`, { command: 'pick', line1: 'M8 nut', color: 'g', quantity: 1 });
    await shop.call('PATCH', `/api/simulator/devices/${id(3)}/`, { reachable: false });
    const window = await shop.open();
    const { page } = window;
    await tile(page, 3).getByText('Offline').waitFor();
    for (const level of ['Overview', 'Shelf', 'Close-up']) {
      await page.getByRole('radio', { name: level }).click();
      expect(await findBarriers(window), level).toEqual([]);
    }
    await page.getByRole('radio', { name: 'Shelf' }).click();
    await page.getByRole('button', { name: /^Lit/ }).click();
    expect(await findBarriers(window), 'filtered').toEqual([]);
    await page.getByRole('button', { name: /^Lit/ }).click();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select A-1-2' }).click();
    expect(await findBarriers(window), 'choosing').toEqual([]);
    await page.getByRole('region', { name: 'Selected devices' }).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit map' }).click();
    expect(await findBarriers(window), 'editing').toEqual([]);
    await takePictures(window, 'map-editing');
    await page.getByRole('button', { name: 'Edit Rack A' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findBarriers(window), 'editing a rack').toEqual([]);
    expect(window.complaints).toEqual([]);
  });
});

test('with a thousand devices, only nearby tiles are drawn, and opening a panel keeps the map in place', async () => {
  await shop.start(1_000);
  await furnish('ABCDEFGHIJ', 10, 10, 1_000);
  const { page } = await shop.open();
  const tiles = page.locator('[data-deviceid]');
  await tiles.first().waitFor();
  await page.evaluate(`document.querySelector('[role="grid"]').parentElement.scrollTop = 9000`);
  let seen = '';
  await until('other rows to be drawn', async () => {
    seen = await page.evaluate<string>(`[...document.querySelectorAll('[data-deviceid]')].find((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return top > 320 && bottom < innerHeight - 100;
    })?.dataset.deviceid ?? ''`);
    return seen !== '';
  });
  expect(await tiles.count()).toBeLessThan(120);
  const chosen = page.locator(`[data-deviceid="${seen}"]`);
  const before = (await restingBox(chosen)).y;
  const stays = () =>
    until('the tile to be where it was', async () => Math.abs(((await chosen.boundingBox())?.y ?? 0) - before) < 30);
  await chosen.getByRole('link').click();
  await page.getByRole('complementary').waitFor();
  await stays();
  await page.getByRole('button', { name: 'Close panel' }).click();
  await stays();
  await until(
    'the focus to be on it',
    async () => seen === (await page.evaluate(`document.activeElement?.dataset.tile`)),
  );

  await page.setViewportSize({ width: 900, height: 800 });
  await stays();
  await chosen.getByRole('link').click();
  await page.getByRole('complementary').waitFor();
  await page.keyboard.press('Escape');
  await stays();
});
