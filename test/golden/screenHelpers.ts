import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import type { Item, Layout, TextItem } from '#shared/screen/items.ts';
import { layout, type LayoutOptions } from '#shared/screen/layout.ts';
import type { Bitmap } from '#shared/screen/raster.ts';
import { measureInk } from '#shared/screen/text.ts';

export const NEW_FIRMWARE: LayoutOptions = { firmware: 70, batteryMv: 2_980 };
export const OLD_FIRMWARE: LayoutOptions = { firmware: 66, batteryMv: 2_980 };

export function screen(content: Partial<ScreenContent>): ScreenContent {
  return { ...EMPTY_SCREEN, label: 'A-3-2', ...content };
}

export function lay(content: Partial<ScreenContent>, options: LayoutOptions = OLD_FIRMWARE): Layout {
  return layout(screen(content), options);
}

export function textOf({ codes }: TextItem): string {
  return codes.map((code) => (code < 0 ? '?' : String.fromCodePoint(code))).join('');
}

export function textsOf(placed: Layout, owner: string): TextItem[] {
  return placed.items.filter((item) => item.kind === 'text').filter((item) => item.owner === owner);
}

/** The only item of a kind that belongs to an owner. Throws when there is none. */
export function theItem<K extends Item['kind']>(placed: Layout, owner: string, kind: K): Extract<Item, { kind: K }> {
  const found = placed.items.find((item) => item.owner === owner && item.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind} of ${owner}.`);
  return found as Extract<Item, { kind: K }>;
}

/** Left, right, top and bottom edge of what an item inks, in pixels of the screen. */
export function inkOf(item: Item): { left: number; right: number; top: number; bottom: number } {
  if (item.kind !== 'text') {
    return { left: item.x, right: item.x + item.width, top: item.y, bottom: item.y + item.height };
  }
  const ink = measureInk(item.codes, item.size);
  const baseline = item.y + item.height;
  return {
    left: item.x + ink.left,
    right: item.x + ink.right,
    top: baseline + ink.top,
    bottom: baseline + ink.bottom,
  };
}

export function isInk(bitmap: Bitmap, x: number, y: number): boolean {
  return (((bitmap.bytes[y * 37 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
}

/** A bitmap as rows of `#` and `.`. */
export function bitmapRows(bitmap: Bitmap): string[] {
  return Array.from({ length: bitmap.height }, (_, y) =>
    Array.from({ length: bitmap.width }, (__, x) => (isInk(bitmap, x, y) ? '#' : '.')).join(''),
  );
}
