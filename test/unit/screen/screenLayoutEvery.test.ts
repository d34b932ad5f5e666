import { beforeAll, expect, test } from 'vitest';
import { listElements } from '#shared/screen/content.ts';
import { layout } from '#shared/screen/layout.ts';
import { rasterize } from '#shared/screen/raster.ts';
import { sheetOf } from '#shared/screen/sheets.ts';
import type { DrawnItem, Layout } from '#shared/screen/items.ts';
import { listEveryScreen, type EveryScreen } from '../../golden/everyScreen.ts';
import { around, drawByOwner, findInk, findOverlap, inkOf, textOf, textsOf } from '../../golden/screenHelpers.ts';

/** Heights in pixels of capitals of 10 mm and of 2.7 mm, at 0.2266 mm per pixel. */
const LARGE_CAPITALS = 45;
const SMALLEST_CAPITALS = 12;

let screens: (EveryScreen & { placed: Layout })[];

beforeAll(() => {
  // Most screens are the same for older and newer firmware: check only one of the two.
  const distinct = new Map<string, (typeof screens)[number]>();
  for (const screen of listEveryScreen()) {
    const placed = layout(screen.content, screen.options);
    distinct.set(JSON.stringify([screen.content, placed]), { ...screen, placed });
  }
  screens = Array.from(distinct.values());
});

/** Checks every screen and fails on the first fault. */
function lookAtEvery(check: (screen: EveryScreen & { placed: Layout }) => string | undefined): void {
  for (const screen of screens) {
    const said = check(screen);
    if (said !== undefined) expect.fail(`${said}: ${JSON.stringify([screen.content, screen.options])}`);
  }
}

function findItem(placed: Layout, check: (item: DrawnItem) => boolean): string | undefined {
  const found = placed.items.find(check);
  return found === undefined ? undefined : `${found.kind} of ${found.owner}`;
}

test('covers thousands of kinds of screens', () => {
  expect(screens.length).toBeGreaterThan(3_000);
});

test('every element is drawn, and no two elements share a pixel', () => {
  lookAtEvery(({ content, placed }) => {
    const drawn = drawByOwner(placed);
    const lacking = listElements(content).find((name) => !drawn.get(name)?.bytes.some((byte) => byte !== 0));
    if (lacking !== undefined) return `${lacking} is not drawn`;
    return findOverlap(drawn);
  });
});

test('all ink is inside the screen', () => {
  lookAtEvery(({ placed }) =>
    findItem(placed, (item) => {
      const { left, right, top, bottom } = inkOf(item);
      return left < 0 || top < 0 || right > 296 || bottom > 128;
    }),
  );
});

test('figures of a quantity are 10 mm or higher, and keep clear of their box', () => {
  lookAtEvery(({ placed }) => {
    for (const text of textsOf(placed, 'quantity')) {
      if (text.height < LARGE_CAPITALS) return `${text.height} pixels`;
      const ink = inkOf(text);
      const box = placed.items.find((item) => item.kind === 'frame' && item.owner === 'quantity');
      if (box?.kind !== 'frame') return 'no box';
      const white = [ink.left - box.x, box.x + box.width - ink.right, ink.top - box.y, box.y + box.height - ink.bottom];
      if (Math.min(...white) <= box.border) return `white of ${white.join(', ')} with a border of ${box.border}`;
    }
    return undefined;
  });
});

test('all other text has capitals of 2.7 mm or higher', () => {
  lookAtEvery(({ placed }) =>
    findItem(placed, (item) => item.kind === 'text' && sheetOf(item.size).capHeight < SMALLEST_CAPITALS),
  );
});

test('a line of 26 characters of any kind is drawn completely', () => {
  lookAtEvery(({ content, placed }) =>
    content.lines.find((line, slot) => textsOf(placed, `line${slot + 1}`).some((text) => textOf(text) !== line)),
  );
});

test('an arrow is at least 28 pixels across, and a sign at least 44', () => {
  lookAtEvery(({ placed }) =>
    findItem(placed, (item) => {
      const least = item.kind === 'arrow' ? 28 : item.kind === 'icon' ? 44 : 0;
      return Math.min(item.width, item.height) < least;
    }),
  );
});

test('a QR code has at least two pixels per module, and no code has ink in its quiet zone', () => {
  lookAtEvery(({ placed }) => {
    const bitmap = rasterize(placed);
    for (const item of placed.items) {
      if (item.kind !== 'qrcode' && item.kind !== 'barcode') continue;
      if (item.kind === 'qrcode' && item.module < 2) return 'a QR code of one pixel a module';
      // 23 characters leave four modules on each side, which is all the space up to the edge.
      const quiet = item.kind === 'qrcode' ? 4 * item.module : Math.min(10 * item.module, item.x);
      if (item.kind === 'qrcode' && isOutside(item.x, item.y, item.width, quiet)) return 'a quiet zone off the screen';
      const places = around(item, quiet, item.kind === 'qrcode' ? quiet : 0);
      const ink = places.map((place) => findInk(bitmap, place)).find((found) => found !== undefined);
      if (ink !== undefined) return `ink in the quiet zone of the ${item.kind} at ${ink.x}, ${ink.y}`;
    }
    return undefined;
  });
});

function isOutside(x: number, y: number, side: number, quiet: number): boolean {
  return x < quiet || y < quiet || x + side + quiet > 296 || y + side + quiet > 128;
}
