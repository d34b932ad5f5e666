import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import type { DrawnItem, Layout, Rect, TextItem } from '#shared/screen/items.ts';
import { layout, type LayoutOptions } from '#shared/screen/layout.ts';
import { bytesPerRow } from '#shared/screen/bits.ts';
import { rasterize, type Bitmap } from '#shared/screen/raster.ts';
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

/** Returns the first item of this kind that belongs to the owner. Throws if there is none. */
export function theItem<K extends DrawnItem['kind']>(
  placed: Layout,
  owner: string,
  kind: K,
): Extract<DrawnItem, { kind: K }> {
  const found = placed.items.find((item) => item.owner === owner && item.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind} of ${owner}.`);
  return found as Extract<DrawnItem, { kind: K }>;
}

/** Returns the left, right, top and bottom edges of an item's ink, in screen pixels. */
export function inkOf(item: DrawnItem): { left: number; right: number; top: number; bottom: number } {
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
  return (((bitmap.bytes[y * bytesPerRow(bitmap.width) + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
}

/** Returns a bitmap as rows of `#` and `.`. */
export function bitmapRows(bitmap: Bitmap): string[] {
  return Array.from({ length: bitmap.height }, (_, y) =>
    Array.from({ length: bitmap.width }, (__, x) => (isInk(bitmap, x, y) ? '#' : '.')).join(''),
  );
}

/** Draws the items of each owner separately and returns their pixels. */
export function drawByOwner(placed: Layout): Map<string, Bitmap> {
  const owners = Map.groupBy(placed.items, ({ owner }) => owner);
  return new Map(Array.from(owners, ([owner, items]) => [owner, rasterize({ ...placed, items })]));
}

/** Returns the first black pixel in an area, or undefined if the area is white or outside the screen. */
export function findInk(bitmap: Bitmap, { x, y, width, height }: Rect): { x: number; y: number } | undefined {
  for (let row = Math.max(0, y); row < Math.min(bitmap.height, y + height); row++) {
    for (let column = Math.max(0, x); column < Math.min(bitmap.width, x + width); column++) {
      if (isInk(bitmap, column, row)) return { x: column, y: row };
    }
  }
  return undefined;
}

/** Returns the four areas around an item: `across` pixels wide at the sides, `down` pixels high above and below. */
export function around({ x, y, width, height }: Rect, across: number, down: number): Rect[] {
  const [wide, high] = [width + 2 * across, height + 2 * down];
  return [
    { x: x - across, y: y - down, width: wide, height: down },
    { x: x - across, y: y + height, width: wide, height: down },
    { x: x - across, y: y - down, width: across, height: high },
    { x: x + width, y: y - down, width: across, height: high },
  ];
}

/** Returns a message that names an owner whose pixels overlap those of an earlier owner, or undefined if none do. */
export function findOverlap(drawn: ReadonlyMap<string, Bitmap>): string | undefined {
  let all: Uint8Array | undefined;
  for (const [owner, { bytes }] of drawn) {
    if (addInk((all ??= new Uint8Array(bytes.length)), bytes)) return `${owner} is over something else`;
  }
  return undefined;
}

/** Adds the ink of one picture to another. Returns whether they overlap. Uses a loop, because there are millions of bytes. */
function addInk(all: Uint8Array, bytes: Uint8Array): boolean {
  let shared = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    shared |= byte & (all[index] ?? 0);
    all[index] = (all[index] ?? 0) | byte;
  }
  return shared !== 0;
}
