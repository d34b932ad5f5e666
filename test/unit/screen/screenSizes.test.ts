import { describe, expect, test } from 'vitest';
import { EMPTY_SCREEN, listElements } from '#shared/screen/content.ts';
import { layout } from '#shared/screen/layout.ts';
import { drawScreen, rasterize } from '#shared/screen/raster.ts';
import { listEveryScreen, type EveryScreen } from '../../golden/everyScreen.ts';
import {
  around,
  bitmapRows,
  drawByOwner,
  findInk,
  findOverlap,
  inkOf,
  isInk,
  textsOf,
} from '../../golden/screenHelpers.ts';

/** Interval at which screens are tested. Every fifth screen covers every label and both firmware versions. */
const STRIDE = 5;
const screens = Array.from(listEveryScreen()).filter((_, index) => index % STRIDE === 0);

function lookAtEvery(check: (screen: EveryScreen) => string | undefined): void {
  for (const screen of screens) {
    const said = check(screen);
    if (said !== undefined) expect.fail(`${said}: ${JSON.stringify(screen)}`);
  }
}

describe.for([
  { width: 384, height: 168, complete: true },
  { width: 522, height: 152, complete: true },
  { width: 152, height: 152, complete: false },
])('$width x $height', ({ complete, ...size }) => {
  const lay = ({ content, options }: EveryScreen) => layout(content, { ...options, size });

  test('nothing leaves the screen or overlaps, and everything that has room is drawn', () => {
    lookAtEvery((screen) => {
      const placed = lay(screen);
      const outside = placed.items.find((item) => {
        const { left, right, top, bottom } = inkOf(item);
        return left < 0 || top < 0 || right > size.width || bottom > size.height;
      });
      if (outside !== undefined) return `${outside.owner} is outside`;
      const drawn = drawByOwner(placed);
      const mustBe = listElements(screen.content).filter((name) => complete || !/^line[2-5]$/.test(name));
      const lacking = mustBe.find((name) => !drawn.get(name)?.bytes.some((byte) => byte !== 0));
      return lacking === undefined ? findOverlap(drawn) : `${lacking} is not drawn`;
    });
  });

  test('codes keep their quiet zones', () => {
    lookAtEvery((screen) => {
      const placed = lay(screen);
      const bitmap = rasterize(placed);
      for (const item of placed.items) {
        if (item.kind !== 'qrcode' && item.kind !== 'barcode') continue;
        const isQrcode = item.kind === 'qrcode';
        const quiet = isQrcode ? 4 * item.module : Math.min(10 * item.module, item.x);
        const places = around(item, quiet, isQrcode ? quiet : 0);
        if (places.some((place) => findInk(bitmap, place) !== undefined)) return `ink beside the ${item.kind}`;
      }
      return undefined;
    });
  });
});

test('the same content is drawn larger on a screen with more pixels', () => {
  const content = { ...EMPTY_SCREEN, label: 'A-3-2', lines: ['M8 nut', 'DIN 934'] };
  const usual = textsOf(layout(content, { firmware: 70, batteryMv: null }), 'line1')[0]?.height ?? Infinity;
  const size = { width: 384, height: 168 };
  expect(textsOf(layout(content, { firmware: 70, batteryMv: null, size }), 'line1')[0]?.height).toBeGreaterThan(usual);
});

describe('a size without its own layout', () => {
  const content = { ...EMPTY_SCREEN, label: 'A-3-2', lines: ['M8 nut'], quantity: 12 };
  const options = { firmware: 70, batteryMv: 2_980 };
  const usual = drawScreen(content, options);

  test('gets the usual picture in the middle', () => {
    const { width, height, bytes } = drawScreen(content, { ...options, size: { width: 360, height: 184 } });
    expect([width, height, bytes.length]).toEqual([360, 184, 45 * 184]);
    const rows = bitmapRows({ width, height, bytes });
    expect(rows.slice(28, 156).map((row) => row.slice(32, 328))).toEqual(bitmapRows(usual));
    expect(rows.join('').replaceAll('.', '')).toHaveLength(bitmapRows(usual).join('').replaceAll('.', '').length);
  });

  test('gets a smaller picture if it does not fit, also at a width that is not a multiple of eight', () => {
    const small = drawScreen(content, { ...options, size: { width: 203, height: 200 } });
    const rows = bitmapRows(small);
    const inked = rows.flatMap((row, y) => (row.includes('#') ? [y] : []));
    expect(rows.every((row) => row.length === 203)).toBe(true);
    expect([Math.min(...inked), Math.max(...inked)]).toEqual([59, 139]);
    // The border of the quantity box is still a line.
    expect(isInk(small, 5, 100)).toBe(true);
  });
});
